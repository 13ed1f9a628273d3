/* changes.h - random changes of the content's uses of media items, for model.c. */
#ifndef T_MEDIA_USAGE_CHANGES_H
#define T_MEDIA_USAGE_CHANGES_H

#include "used.h"

#define SLOTS 8 /* number of media items at a time */

/* The site, and state that tests cannot read from it. */
extern struct world {
	struct harness *site; /* replaced by an import */
	int now; /* ms since the first midnight */
	char media[SLOTS][27]; /* "": deleted; references to it remain */
	char gone[27]; /* the media item deleted last */
	char byline[27]; /* "": none yet */
	bool absent; /* the module is disabled */
	bool missed; /* it was disabled, and has not scanned the missed changes yet */
} world;

int chosen(int n); /* returns a random number from 0 to n - 1 */
/* Returns the time in `ms` from now, as text. Static buffer. */
const char *time_in(int ms);
void time_goes_on(int ms);

/* ---- values.c ---- */

int number(const char *sql); /* returns the result of the statement */
/* Returns a random collection, or NULL if there is none. Two static buffers. */
const char *a_collection(void);
/* Returns the id of a random item of the collection, or NULL if there is none. Static buffer. */
const char *an_item(const char *collection, bool trashed);
/* Returns true if the collection has the maximum number of items. */
bool is_full(const char *collection);
/* Fields that are created and deleted, besides a title. */
extern const struct changing {
	const char *slug, *type;
} changing[];
extern const int changing_count;
bool has_field(const char *collection, const char *slug);
/* Returns values of some of its fields. */
json_t *some_values(const char *collection);
/* Returns the path of a media item's URL, or "" if it has none. Static buffer. */
const char *a_path(void);
/* Sends a request; takes the body. */
struct outcome *send_json(const char *request, json_t *body);
/* Returns true if the request succeeded, false if there was nothing to do; fails on any other
 * error. */
bool went(struct outcome *);

/* ---- steps.c ---- */

struct kind {
	bool (*run)(void);
	int weight, done;
	const char *name;
};
extern struct kind kinds[]; /* ends with a kind without a name */
void step(void);
/* Runs stet COMMAND ... while the site is closed; returns its exit status. */
int command(const char *const *words);
bool step_activate(void); /* requests activation */
bool step_module(void); /* sometimes disables the module, or enables it */
void remove_export(void);

/* ---- elsewhere.c ---- */

bool step_widget(void);
bool step_section(void);
bool step_menu(void);
bool step_term(void);
bool step_bio(void);
bool step_tagline(void);
bool step_wxr(void); /* imports an item of an export file */
bool step_document(void); /* imports an item of a Markdown file */
bool step_paste(void);
/* Returns true if something other than an item refers to it. */
bool is_used_elsewhere(const char *media);

#endif
