/* tmpdisk.h - a small disk (tmpfs) for the data of a daemon, which no other process sees. */
#ifndef T_HTTP_TMPDISK_H
#define T_HTTP_TMPDISK_H

#include "daemon.h"

/* Returns true if this process may mount one. From then on its mounts are private. */
bool tmpdisk_permitted(void);
/* Mounts a disk of so many megabytes as the data directory; unmount it before daemon_stop. */
void tmpdisk_mount(struct daemon *, int megabytes);
void tmpdisk_unmount(struct daemon *);
/* Fills the disk until at most so many bytes are left. May be called again. */
void tmpdisk_fill(struct daemon *, size_t left);
void tmpdisk_free(struct daemon *);

#endif
