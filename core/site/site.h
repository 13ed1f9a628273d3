/* site.h - a site is opened, configured and closed. */
#ifndef CORE_SITE_SITE_H
#define CORE_SITE_SITE_H

#include "call/site.h"

/* Opens a site: directories, lock (daemon only), database, migrations, first generation. Returns
 * NULL with *why on error, to be freed. A failed migration is no error: the site is then
 * `broken`. */
struct site *site_open(const struct conf_site *, bool daemon, char **why);
/* Opens a site for reading only: creates no key, runs no migration, allows no write. The database
 * must exist. If migrations are outstanding, the site is `broken`. */
struct site *site_look(const struct conf_site *, char **why);
/* Returns why no site like this can be opened, whatever is in its database: no module brings the
 * engine. To be freed; NULL: one does. */
char *site_lacks_engine(const struct conf_site *);
/* Appends the migrations of the core and of enabled modules that wait, as objects with `module`,
 * `version`, `name` and `additive`. Returns false with *why, to be freed. */
bool site_plan(const struct conf_site *, json_t *pending, char **why);
/* Closes the site, at once or when its last call ends. The pointer must not be used any more. */
void site_close(struct site *);
/* Applies a changed configuration: name, hosts, locales and others. The data directory and keys
 * that need a restart stay. */
void site_configure(struct site *, const struct conf_site *);
/* Returns the names of the keys that this configuration changes, to be freed; NULL: none. */
char *site_changed(struct site *, const struct conf_site *);
/* The same for the keys that the site keeps until it is opened again. */
char *site_pending(struct site *, const struct conf_site *);
/* Makes a placeholder for a site that could not be opened: its clients get UNAVAILABLE. */
struct site *site_failed(const struct conf_site *, const char *why);
/* Refuses new calls and closes with the last one that runs. With `wait`, blocks until jobs and
 * deliveries have ended. The structure stays valid until site_free. */
void site_shut(struct site *, bool wait);
/* After site_shut: waits a while for the site to close, then frees it. */
void site_free(struct site *);

#endif
