/* datadir.h - a site's data directory: creates it, locks it for the daemon, and finds the daemon
 * that has locked it. */
#ifndef CORE_DATADIR_H
#define CORE_DATADIR_H

#include "call/site.h"

/* Returns the pid of the daemon that has this site open, or 0. */
int datadir_site_daemon(const struct site *);
/* Sends SIGHUP to the running daemon after a change that it must read. Does nothing in the daemon
 * itself, or if there is none. */
void datadir_tell_daemon(const struct site *);
/* Create the directories; lock them if this is the daemon; release them. */
bool datadir_make(struct site *, char **why);
bool datadir_take(struct site *, char **why);
void datadir_leave(struct site *);
/* In the daemon: writes the site's URL into the directory, for commands. */
void datadir_put_url(const struct site *);

#endif
