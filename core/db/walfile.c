/*
 * walfile.c - a layer over SQLite's own file system (sqlite.org/vfs.html) that gathers what is
 * written to the log. Everything but the log passes by.
 *
 * The log's index, which tells readers how much of the log there is, is brought up to date after a
 * commit was synced, and with it what was gathered is in the file. So nobody but the writer's own
 * connection ever asks for bytes that are still here, and that is given them. What cannot be
 * written stays here, and is tried again, until its transaction is over: to SQLite those writes
 * have been good.
 */
#include "db/walfile.h"
#include "base/arena.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 131072 /* some thirty pages */

struct walfile {
	sqlite3_file file; /* what SQLite sees */
	bool through; /* nothing is gathered */
	unsigned char *data; /* ROOM bytes; NULL: nothing was written since it was let go */
	int len;
	sqlite3_int64 at; /* where they belong */
	sqlite3_file inner[]; /* szOsFile of `below` */
};

static sqlite3_vfs *below;

static sqlite3_file *
inner(sqlite3_file *file)
{
	return ((struct walfile *)file)->inner;
}

static int
flush(struct walfile *f)
{
	int rc = SQLITE_OK;

	if (f->len > 0)
		rc = f->inner->pMethods->xWrite(f->inner, f->data, f->len, f->at);
	if (rc == SQLITE_OK)
		f->len = 0;
	return rc;
}

/* All of it is here. */
static bool
holds(const struct walfile *f, int n, sqlite3_int64 at)
{
	return f->len > 0 && at >= f->at && at + n <= f->at + f->len;
}

static int
close_file(sqlite3_file *file)
{
	free(((struct walfile *)file)->data);
	return inner(file)->pMethods->xClose(inner(file));
}

static int
read_file(sqlite3_file *file, void *to, int n, sqlite3_int64 at)
{
	struct walfile *f = (struct walfile *)file;
	int rc = SQLITE_OK;

	if (holds(f, n, at)) {
		memcpy(to, f->data + (at - f->at), (size_t)n);
		return SQLITE_OK;
	}
	if (at < f->at + f->len && at + n > f->at)
		rc = flush(f);
	return rc != SQLITE_OK ? rc : f->inner->pMethods->xRead(f->inner, to, n, at);
}

static int
write_file(sqlite3_file *file, const void *from, int n, sqlite3_int64 at)
{
	struct walfile *f = (struct walfile *)file;
	int rc = SQLITE_OK;

	if (holds(f, n, at)) {
		memcpy(f->data + (at - f->at), from, (size_t)n);
		return SQLITE_OK;
	}
	if (at != f->at + f->len || n > ROOM - f->len)
		rc = flush(f);
	if (rc == SQLITE_OK && (f->through || n > ROOM))
		return f->inner->pMethods->xWrite(f->inner, from, n, at);
	if (rc != SQLITE_OK)
		return rc;
	if (f->data == NULL)
		f->data = xmalloc(ROOM);
	if (f->len == 0)
		f->at = at;
	memcpy(f->data + f->len, from, (size_t)n);
	f->len += n;
	return SQLITE_OK;
}

static int
truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
	int rc = flush((struct walfile *)file);

	return rc != SQLITE_OK ? rc : inner(file)->pMethods->xTruncate(inner(file), size);
}

static int
sync_file(sqlite3_file *file, int flags)
{
	int rc = flush((struct walfile *)file);

	return rc != SQLITE_OK ? rc : inner(file)->pMethods->xSync(inner(file), flags);
}

static int
size_of_file(sqlite3_file *file, sqlite3_int64 *size)
{
	int rc = flush((struct walfile *)file);

	return rc != SQLITE_OK ? rc : inner(file)->pMethods->xFileSize(inner(file), size);
}

/* ---- what passes by ---- */

static int
lock_file(sqlite3_file *file, int how)
{
	return inner(file)->pMethods->xLock(inner(file), how);
}

static int
unlock_file(sqlite3_file *file, int how)
{
	return inner(file)->pMethods->xUnlock(inner(file), how);
}

static int
is_reserved(sqlite3_file *file, int *out)
{
	return inner(file)->pMethods->xCheckReservedLock(inner(file), out);
}

static int
control(sqlite3_file *file, int what, void *arg)
{
	return inner(file)->pMethods->xFileControl(inner(file), what, arg);
}

static int
sector_size(sqlite3_file *file)
{
	return inner(file)->pMethods->xSectorSize(inner(file));
}

static int
characteristics(sqlite3_file *file)
{
	return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

/* No memory shared or mapped: SQLite asks the file of the database for that. */
static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = close_file,
	.xRead = read_file,
	.xWrite = write_file,
	.xTruncate = truncate_file,
	.xSync = sync_file,
	.xFileSize = size_of_file,
	.xLock = lock_file,
	.xUnlock = unlock_file,
	.xCheckReservedLock = is_reserved,
	.xFileControl = control,
	.xSectorSize = sector_size,
	.xDeviceCharacteristics = characteristics,
};

/* ---- opening ---- */

/* Where an overwrite may spoil its neighbours, SQLite pads a commit, and writes a part of the
 * padding after the sync: there nothing is held back. It judges by the file of the database. */
static bool
pads(const char *log)
{
	sqlite3_file *file = sqlite3_database_file_object(log);

	return (file->pMethods->xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) ==
	       0;
}

static int
open_file(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out)
{
	struct walfile *f = (struct walfile *)file;
	int rc;

	(void)vfs;
	if ((flags & SQLITE_OPEN_WAL) == 0)
		return below->xOpen(below, name, file, flags, out);
	*f = (struct walfile){ .through = false };
	f->inner->pMethods = NULL;
	rc = below->xOpen(below, name, f->inner, flags, out);
	if (f->inner->pMethods == NULL)
		return rc;
	f->file.pMethods = &methods;
	f->through = pads(name);
	return rc;
}

bool
walfile_register(void)
{
	static sqlite3_vfs vfs;

	(void)sqlite3_vfs_unregister(&vfs);
	below = sqlite3_vfs_find(NULL);
	if (below == NULL)
		return false;
	vfs = *below;
	vfs.pNext = NULL;
	vfs.zName = WALFILE_VFS;
	vfs.szOsFile = (int)sizeof(struct walfile) + below->szOsFile;
	vfs.xOpen = open_file;
	return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
}

/* ---- between transactions ---- */

/* NULL: the connection has not opened a log of ours. */
static struct walfile *
log_of(sqlite3 *handle)
{
	sqlite3_file *file = NULL;

	if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) !=
		SQLITE_OK ||
	    file == NULL || file->pMethods != &methods)
		return NULL;
	return (struct walfile *)file;
}

void
walfile_forget(sqlite3 *handle)
{
	struct walfile *f = log_of(handle);

	if (f != NULL)
		f->len = 0;
}

void
walfile_cool(sqlite3 *handle)
{
	struct walfile *f = log_of(handle);

	if (f == NULL)
		return;
	f->len = 0;
	free(f->data);
	f->data = NULL;
}
