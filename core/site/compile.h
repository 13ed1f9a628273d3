/* compile.h - compiles what is enabled on a site into a generation and makes it current. */
#ifndef CORE_SITE_COMPILE_H
#define CORE_SITE_COMPILE_H

#include "call/site.h"

/* Reads the database, runs migrations of newly enabled modules, compiles a generation and makes
 * it current. Must not be called inside a write transaction: see compile_later. */
enum stet_status compile_site(struct site *, char **why);
/* compile_site for a call in the slow lane that has no rows open. The main thread then compiles
 * once more, because only it records what was compiled. Logs a failure; returns true if the site
 * then accepts writes. */
bool compile_apart(struct site *);
/* compile_site, but does nothing if the site is well and already has what it wants. Jobs and other
 * things that depend only on the database are checked in any case. */
enum stet_status compile_again(struct site *, bool same_conf, char **why);
/* Compiles after this call's commit; other processes that use the database will, too. For calls
 * that change modules or settings. */
enum stet_status compile_later(struct stet_call *, struct stet_tx *);
/* For site.follow: the database says this of modules and settings (generation.common). Compiles the
 * site, unless that has been done. Returns false if this thread cannot. */
bool compile_follow(struct site *, int64_t common);
/* Returns true if the site's database or modules may have changed since it was compiled, or if
 * something failed then. */
bool compile_touched(struct site *);

#endif
