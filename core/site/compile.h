/* compile.h - what a site has enabled is compiled and swapped in. */
#ifndef CORE_SITE_COMPILE_H
#define CORE_SITE_COMPILE_H

#include "call/site.h"

/* Compile what is enabled now (reads the database, runs migrations of newly enabled modules) and
 * swap it in. Not to be called from inside a write transaction: see compile_later. */
enum stet_status compile_site(struct site *, char **why);
/* The same where it may have become another: not when the site is well and wants what it has. What
 * depends on the database alone, as jobs, is looked at in any case. */
enum stet_status compile_again(struct site *, bool same_conf, char **why);
/* Do so after this call's commit: for what changes modules and settings. */
void compile_later(struct stet_call *);
/* May the site's database, or the modules, have changed since it was compiled, or does it ail? */
bool compile_touched(struct site *);

#endif
