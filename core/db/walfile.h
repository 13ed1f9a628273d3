/*
 * walfile.h - the log of a writer, written in few large pieces. SQLite writes each page to it in
 * two (a head of 24 bytes, and the page); here they are gathered, and are in the file before it is
 * synced or read.
 */
#ifndef CORE_WALFILE_H
#define CORE_WALFILE_H

#include <stdbool.h>

struct sqlite3;

#define WALFILE_VFS "stet" /* for sqlite3_open_v2, with synchronous=FULL only */

/* Once, before the first connection; again when another file system is SQLite's default. */
bool walfile_register(void);
/* Between transactions: what one that failed has left is for nobody. */
void walfile_forget(struct sqlite3 *);
/* Likewise, and let go of the memory. */
void walfile_cool(struct sqlite3 *);

#endif
