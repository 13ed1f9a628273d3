/*
 * record.h - the record of what a daemon did to its disk: entries in a file, each a head, the paths
 * it names, and the bytes that were written. record.c writes it, disk.c reads it.
 */
#ifndef T_POWER_RECORD_H
#define T_POWER_RECORD_H

#include <stdint.h>

enum record_kind {
	RECORD_CREATE = 1, /* path: a new file */
	RECORD_MKDIR, /* path */
	RECORD_WRITE, /* ino, at, the bytes */
	RECORD_SIZE, /* ino, at: the new size */
	RECORD_LINK, /* ino, path: a further name of the file */
	RECORD_RENAME, /* ino, the old path, the new path */
	RECORD_UNLINK, /* path, of a file or an empty directory */
	RECORD_SYNC, /* ino, at: the number of this sync, which begins here */
	RECORD_SYNCED, /* at: the number of a sync that has succeeded */
	RECORD_MARK, /* at: a number chosen by the client, which wrote this entry itself */
	RECORD_UNKNOWN /* path: something that cannot be recorded; the test fails */
};

/* Paths are relative to the recorded directory, which is "" itself. */
struct record_head {
	uint32_t kind;
	uint32_t paths; /* bytes of the paths after the head, each with its NUL */
	uint64_t ino; /* inode of a file or directory; a number is reused only after a CREATE */
	uint64_t at;
	uint64_t len; /* bytes after the paths */
};

#endif
