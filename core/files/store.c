/*
 * store.c - stores the files of modules through a driver (filedriver.h). A file is stored before
 * the row that names it is committed, and removed after the row is deleted. A crash in between
 * leaves a file that no row names; such a file is removed when it is an hour old.
 */
#include "base/arena.h"
#include "base/dir.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "call/tempfile.h"
#include "files/filecache.h"
#include "files/filedriver.h"
#include "files/filesum.h"
#include "op/slow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stet/file.h>
#include <stet/table.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)

static const char *
own(const struct stet_call *call)
{
	stet_assert(call->owner != NULL);
	return call->owner->m.name;
}

/* ---- storing ---- */

enum stet_status
stet_file_keep(struct stet_call *call, const struct stet_part *part, const char *key,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	const struct stet_file_driver *driver = filedriver_of(call->site);
	const struct stet_file_place place = filedriver_place(call, own(call), key);
	enum stet_status status;

	stet_assert(part->path != NULL && !stet_writing(call));
	STET_TRY(filedriver_put(driver, call, &place, part->path));
	status = stet_write_lane(call, fn, arg);
	/* After an I/O error the commit may still be on disk, so keep the file; the sweep deletes
	 * it if no row names it. */
	if (status != STET_OK && status != STET_FAULT)
		(void)filedriver_remove(driver, &place, false);
	return status;
}

/* ---- opening ---- */

enum stet_status
stet_file_open_of(struct stet_call *call, const char *module, const char *key, int *fd)
{
	struct stet_file_place place;

	*fd = -1;
	if (!stet_file_key_good(key))
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	place = filedriver_place(call, module, key);
	return filedriver_open(filedriver_of(call->site), call, &place, fd);
}

enum stet_status
stet_file_open(struct stet_call *call, const char *key, int *fd)
{
	return stet_file_open_of(call, own(call), key, fd);
}

bool
stet_file_here(struct stet_call *call, const char *key)
{
	const struct stet_file_driver *driver = filedriver_of(call->site);
	struct stet_file_place place;

	if (key == NULL || !stet_file_key_good(key))
		return true;
	place = filedriver_place(call, own(call), key);
	return filedriver_is_here(driver, &place);
}

static void
add_column(struct stet_sql *sql, const char *name)
{
	stet_sql_add(sql, ", ");
	if (name != NULL)
		stet_sql_ident(sql, "", name);
	else
		stet_sql_add(sql, "NULL");
}

enum stet_status
stet_file_each_sized(struct stet_call *call, const char *module,
    const struct stet_file_column *column, size_t column_size,
    enum stet_status (*fn)(struct stet_call *, const struct stet_file_row *, void *), void *arg)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_file_column c;
	struct stet_rows rows;

	stet_extend(&c, sizeof(c), column, column_size);
	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, "", c.key);
	add_column(sql, c.size);
	add_column(sql, c.sha256);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, "", c.table);
	stet_sql_add(sql, " WHERE ");
	stet_sql_ident(sql, "", c.key);
	stet_sql_add(sql, " IS NOT NULL ORDER BY 1");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		int64_t size = stet_col_int(&rows, 1);
		const struct stet_file_row row = { .module = module,
			.key = stet_col_dup(&rows, 0),
			.size = stet_col_null(&rows, 1) ? NULL : &size,
			.sha256 = stet_col_dup(&rows, 2) };

		STET_TRY(fn(call, &row, arg));
	}
	return stet_rows_end(&rows);
}

/* ---- removing ---- */

struct removal {
	const struct stet_file_driver *driver;
	struct conf_site conf; /* a copy: the site may be closed before */
	char *module, *key;
};

static void
remove_now(void *arg)
{
	struct removal *r = arg;

	const struct stet_file_place place = { conf_public(&r->conf), r->module, r->key, NULL };

	(void)filedriver_remove(r->driver, &place, true);
	filecache_forget(&place);
	conf_site_drop(&r->conf);
	free(r->module);
	free(r->key);
	free(r);
}

/* After the commit: removes the file in another thread, since deleting gigabytes takes time. The
 * sweep removes what remains. */
static void
committed(struct stet_call *call, void *arg)
{
	const struct stet_file_place *place = arg;
	struct removal *r = xmalloc(sizeof(*r));

	*r = (struct removal){ filedriver_of(call->site), conf_site_dup(conf_of(place->conf)),
		xstrdup(place->module), xstrdup(place->key) };
	if (!slow_submit(remove_now, r))
		remove_now(r);
}

void
stet_file_forget_of(struct stet_call *call, struct stet_tx *tx, const char *module, const char *key)
{
	struct stet_file_place *place = stet_alloc(call, sizeof(*place));

	(void)tx;
	if (!stet_file_key_good(key))
		return;
	*place = filedriver_place(call, stet_strdup(call, module), stet_strdup(call, key));
	call_on_commit(call, committed, place);
}

void
stet_file_forget(struct stet_call *call, struct stet_tx *tx, const char *key)
{
	stet_file_forget_of(call, tx, own(call), key);
}

/* ---- copies ---- */

static bool
copy_bytes(int from, int to)
{
	char *piece = xmalloc(PIECE);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(from, piece, PIECE, at)) > 0) {
		if (write(to, piece, (size_t)n) != n) {
			n = -1;
			break;
		}
		at += n;
	}
	free(piece);
	return n == 0;
}

static enum stet_status
copy_in(struct stet_call *call, const char *module, const char *key, int from)
{
	const struct stet_file_place place = filedriver_place(call, module, key);
	char *path = stet_printf(call, "%s/upload-XXXXXX", call->site->tmp_path);
	int fd = mkostemp(path, O_CLOEXEC);
	enum stet_status status;
	bool good;

	if (fd < 0)
		return stet_file_failed(call, path);
	dir_give(fd, call->site->tmp_path);
	good = copy_bytes(from, fd);
	good = close(fd) == 0 && good;
	status = good ? filedriver_put(filedriver_of(call->site), call, &place, path)
		      : stet_file_failed(call, path);
	if (status != STET_OK)
		(void)unlink(path);
	return status;
}

enum stet_status
stet_file_copy(struct stet_call *call, const char *module, const char *key, int from, bool *is_new)
{
	char mine[STET_SHA256_SIZE], theirs[STET_SHA256_SIZE];
	enum stet_status status;
	bool good;
	int fd;

	if (!stet_file_key_good(key))
		return stet_fail(
		    call, STET_INVALID_INPUT, NULL, "\"%s\" is no name of a file", key);
	status = stet_file_open_of(call, module, key, &fd);
	*is_new = status == STET_NOT_FOUND;
	if (*is_new) {
		stet_error_clear(call);
		return copy_in(call, module, key, from);
	}
	STET_TRY(status);
	good = filesum(fd, mine) && filesum(from, theirs);
	close(fd);
	if (!good)
		return stet_file_failed(call, key);
	if (strcmp(mine, theirs) != 0)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "Another file is kept as %s already", key);
	return STET_OK;
}
