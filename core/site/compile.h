/* compile.h - compiles what is enabled on a site into a generation and makes it current. */
#ifndef CORE_SITE_COMPILE_H
#define CORE_SITE_COMPILE_H

#include "call/site.h"

/* Reads the database, runs migrations of newly enabled modules, compiles a generation and makes
 * it current. Must not be called inside a write transaction: see compile_later. */
enum stet_status compile_site(struct site *, char **why);
/* The same for a call in the slow lane that has no rows open: the main thread, which alone keeps
 * account of what it has compiled, does it once more. Logs a failure; returns true if the site
 * accepts writes then. */
bool compile_apart(struct site *);
/* The same as compile_site, but does nothing if the site is well and already has what it wants.
 * Jobs and other things that depend on the database only are looked at in any case. */
enum stet_status compile_again(struct site *, bool same_conf, char **why);
/* Compiles after this call's commit. For calls that change modules or settings. */
void compile_later(struct stet_call *);
/* Returns true if the site's database or modules may have changed since it was compiled, or if
 * something failed then. */
bool compile_touched(struct site *);

#endif
