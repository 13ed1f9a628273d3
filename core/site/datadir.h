/* datadir.h - a site's data directory: made, locked, and which daemon has it. */
#ifndef CORE_DATADIR_H
#define CORE_DATADIR_H

#include "call/site.h"

/* The daemon that has it, or 0. Not for a process that has it open as a daemon itself. */
int datadir_daemon(const char *data);
/* Take the daemon's place, so that none comes meanwhile: a descriptor to close; -1: *why. */
int datadir_lock(const char *data, char **why);
/* The pid of the daemon that has this site open, or 0. */
int datadir_site_daemon(const struct site *);
/* After a change that the running daemon must read again: SIGHUP. Does nothing in the daemon
 * itself, or without one. */
void datadir_tell_daemon(const struct site *);
/* Make the directories; lock them if this is the daemon; let go of them. */
bool datadir_make(struct site *, char **why);
bool datadir_take(struct site *, char **why);
void datadir_leave(struct site *);

#endif
