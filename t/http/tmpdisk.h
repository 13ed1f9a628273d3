/* tmpdisk.h - a small disk (tmpfs) for the data of a daemon, that no other process sees. */
#ifndef T_HTTP_TMPDISK_H
#define T_HTTP_TMPDISK_H

#include "daemon.h"

/* May this process mount one? From then on its file systems are its own. */
bool tmpdisk_permitted(void);
/* Makes the data directory one of so many megabytes; unmount it before daemon_stop. */
void tmpdisk_mount(struct daemon *, int megabytes);
void tmpdisk_unmount(struct daemon *);
/* Fills it until no more than so many bytes are left. May be called again. */
void tmpdisk_fill(struct daemon *, size_t left);
void tmpdisk_free(struct daemon *);

#endif
