/*
 * disable.h - `stet module disable` works whatever the module does. The command is run in a child
 * process first. If a plugin crashes that, it is run again without the module. If the database
 * cannot be written (a call that is stuck in the daemon holds it), or nothing else helps, a request
 * is left in the data directory, and the daemon is told (site/suspension.h).
 */
#ifndef CORE_COMMAND_DISABLE_H
#define CORE_COMMAND_DISABLE_H

#include "conf/conf.h"

#define EXIT_BUSY 75 /* EX_TEMPFAIL: the database cannot be written now */

/* Before modules are loaded. Returns -1 in a child, which goes on with the command, or the exit
 * status of the whole. */
int disable_begin(const struct conf_site *, const char *module);
/* In the child: modules are loaded. */
void disable_loaded(void);

#endif
