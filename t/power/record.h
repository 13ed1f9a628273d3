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
	RECORD_LINK, /* ino, path: another name */
	RECORD_RENAME, /* ino, path, and where it went to */
	RECORD_UNLINK, /* path, of a file or an empty directory */
	RECORD_SYNC, /* ino, at: the number of this sync, which begins */
	RECORD_SYNCED, /* at: the number of a sync that has ended well */
	RECORD_MARK, /* at: the client's own number; it stands where the client wrote it */
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
