/* site.h - a site is opened, configured and closed. */
#ifndef CORE_SITE_SITE_H
#define CORE_SITE_SITE_H

#include "call/site.h"

/* Open: directories, lock (daemon only), database, migrations, first generation. NULL: *why says it
 * in words; free it. A failed migration does not fail: the site is `broken`. */
struct site *site_open(const struct conf_site *, bool daemon, char **why);
/* Close it, at once or with its last call; in any case the pointer is the caller's no more. */
void site_close(struct site *);
/* Other terms from the configuration: what is said of the site by name, hosts, locales and so on.
 * The data directory stays. */
void site_configure(struct site *, const struct conf_site *);
/* The keys of which this says something else; NULL: none. Free it. */
char *site_changed(struct site *, const struct conf_site *);
/* A site that could not be opened, for whom it may concern: it answers UNAVAILABLE. */
struct site *site_failed(const struct conf_site *, const char *why);
/* No new calls; close with the last that runs. What else has to end first is waited for, or not.
 * The struct stays until site_free. */
void site_shut(struct site *, bool wait);
/* After site_shut: wait for it a while, then free. */
void site_free(struct site *);

#endif
