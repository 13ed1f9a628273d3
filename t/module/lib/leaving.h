/* leaving.h - a site with everything that an export has, and the command that writes it. */
#ifndef T_MODULE_LEAVING_H
#define T_MODULE_LEAVING_H

#include "harness.h"
#include <sys/resource.h>

#define SPAN(text) "{\"_type\":\"span\",\"_key\":\"s\",\"text\":\"" text "\"}"
#define BLOCK(text) \
	"{\"_type\":\"block\",\"_key\":\"b\",\"style\":\"normal\",\"children\":[" SPAN(text) "]}"
extern const char *const leaving_locales[]; /* en, de */

/* A site with the collection stories, and no items. */
struct harness *leaving_furnished(void);
/* Creates items, terms, comments, a menu and a section, whose texts break naive writers of XML and
 * HTML. */
void leaving_fill(struct harness *);
/* Closes the site and writes a configuration into its directory. Returns the directory. */
char *leaving_close(struct harness *, const char *const *locales);
struct harness *leaving_open(const char *dir, const char *const *locales);
void leaving_remove(char *dir); /* frees the name, too */

/* Runs `stet --config CONF ARGS...` on the site of a directory, without its output; returns its
 * exit status. */
extern const char *leaving_plugins; /* directory of its plugins below $STET_BUILD; NULL: none */
int leaving_run(const char *dir, const char *const *args, struct rusage *);
#define RUN(dir, ...) leaving_run(dir, (const char *const[]){ __VA_ARGS__, NULL }, NULL)

#endif
