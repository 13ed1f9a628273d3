/*
 * disable.h - makes `stet module disable` work even if the module crashes or blocks. The command
 * runs in a child process first. If a plugin crashes the child, it runs again without the module.
 * If the database cannot be written (a stuck call in the daemon holds it), or nothing else helps, a
 * request is left in the data directory and the daemon is told (site/suspension.h).
 */
#ifndef CORE_COMMAND_DISABLE_H
#define CORE_COMMAND_DISABLE_H

#include "conf/conf.h"

#define EXIT_BUSY 75 /* EX_TEMPFAIL: the database cannot be written now */

/* Call it before modules are loaded. Returns -1 in the child, which continues with the command; in
 * the parent, the exit status of the whole command. */
int disable_begin(const struct conf_site *, const char *module);
/* To be called in the child when modules are loaded. */
void disable_loaded(void);
/* Returns true in the child. */
bool disable_runs(void);

#endif
