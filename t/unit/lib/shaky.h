/* shaky.h - a file system for SQLite (VFS) whose disk can become full when the WAL is written. */
#ifndef T_UNIT_SHAKY_H
#define T_UNIT_SHAKY_H

#include "base/log.h"
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

/* Errors for WAL files; set by tests. */
static struct {
	long room; /* bytes that can still be written; -1: unlimited */
	bool fails_to_sync;
} shaky = { .room = -1 };

struct shaky_file {
	sqlite3_file file;
	sqlite3_file inner[];
};

static sqlite3_vfs *shaky_below;

#define INNER(file) (((struct shaky_file *)(file))->inner)
#define REAL(file) (((struct shaky_file *)(file))->inner->pMethods)

static int
shaky_close(sqlite3_file *file)
{
	return REAL(file)->xClose(INNER(file));
}

static int
shaky_read(sqlite3_file *file, void *to, int n, sqlite3_int64 at)
{
	return REAL(file)->xRead(INNER(file), to, n, at);
}

/* If not all fits, writes a part, as disks do. */
static int
shaky_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 at)
{
	if (shaky.room >= n)
		shaky.room -= n;
	else if (shaky.room >= 0) {
		(void)REAL(file)->xWrite(INNER(file), from, (int)shaky.room, at);
		shaky.room = 0;
		return SQLITE_FULL;
	}
	return REAL(file)->xWrite(INNER(file), from, n, at);
}

static int
shaky_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return REAL(file)->xTruncate(INNER(file), size);
}

static int
shaky_sync(sqlite3_file *file, int flags)
{
	if (shaky.fails_to_sync)
		return SQLITE_IOERR_FSYNC;
	return REAL(file)->xSync(INNER(file), flags);
}

static int
shaky_size(sqlite3_file *file, sqlite3_int64 *size)
{
	return REAL(file)->xFileSize(INNER(file), size);
}

static int
shaky_lock(sqlite3_file *file, int how)
{
	return REAL(file)->xLock(INNER(file), how);
}

static int
shaky_unlock(sqlite3_file *file, int how)
{
	return REAL(file)->xUnlock(INNER(file), how);
}

static int
shaky_reserved(sqlite3_file *file, int *out)
{
	return REAL(file)->xCheckReservedLock(INNER(file), out);
}

static int
shaky_control(sqlite3_file *file, int what, void *arg)
{
	return REAL(file)->xFileControl(INNER(file), what, arg);
}

static int
shaky_sector(sqlite3_file *file)
{
	return REAL(file)->xSectorSize(INNER(file));
}

static int
shaky_device(sqlite3_file *file)
{
	return REAL(file)->xDeviceCharacteristics(INNER(file));
}

static int
shaky_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out)
{
	static const sqlite3_io_methods methods = { 1, shaky_close, shaky_read, shaky_write,
		shaky_truncate, shaky_sync, shaky_size, shaky_lock, shaky_unlock, shaky_reserved,
		shaky_control, shaky_sector, shaky_device, NULL, NULL, NULL, NULL, NULL, NULL };
	int rc;

	(void)vfs;
	if ((flags & SQLITE_OPEN_WAL) == 0)
		return shaky_below->xOpen(shaky_below, name, file, flags, out);
	file->pMethods = NULL;
	rc = shaky_below->xOpen(shaky_below, name, INNER(file), flags, out);
	if (rc == SQLITE_OK)
		file->pMethods = &methods;
	return rc;
}

/* Uses this file system for every WAL that a writer opens from now on. */
static void
shaky_register(void)
{
	static sqlite3_vfs vfs;

	shaky_below = sqlite3_vfs_find(NULL);
	vfs = *shaky_below;
	vfs.pNext = NULL;
	vfs.zName = "shaky";
	vfs.szOsFile = (int)sizeof(struct shaky_file) + shaky_below->szOsFile;
	vfs.xOpen = shaky_open;
	stet_assert(sqlite3_vfs_register(&vfs, 1) == SQLITE_OK);
}

#endif
