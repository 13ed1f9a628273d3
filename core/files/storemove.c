/*
 * storemove.c - moves files from one driver to another. Each file named by a row is copied, unless
 * the target has it with the right digest. The original is removed only afterwards, and only if
 * nobody still reads files there. So each file is always in at least one place, and an interrupted
 * move can be continued.
 */
#include "base/arena.h"
#include "base/dir.h"
#include "call/call.h"
#include "call/site.h"
#include "call/tempfile.h"
#include "conf/confdriver.h"
#include "files/filedriver.h"
#include "files/filesum.h"
#include "files/storecheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <stet/file.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rows read at once. Small, so that no read transaction lasts longer than moving their files. */
#define PAGE 20

struct move {
	const struct stet_file_driver *from, *to;
	struct conf_site conf;
	struct stet_file_column column;
	char *after; /* key of the last row read; NULL: none */
	size_t rows; /* rows of the page */
	struct stet_file_moving told;
	void (*fn)(struct stet_call *, const struct stet_file_moving *, void *);
	void *arg;
};

struct row {
	const char *key, *sha256;
};

/* ---- one file ---- */

/* Records a problem of one file; the move continues. */
static void
note(struct stet_call *call, struct move *m, const char *key, const char *what)
{
	m->told.wrong++;
	m->told.problem = stet_printf(call, "file %s of %s %s", key, call->owner->m.name, what);
}

/* Clears the key if no row names the file any more: a deleted item misses nothing. */
static enum stet_status
is_named(struct stet_call *call, void *arg)
{
	const char **key = arg;
	bool named;

	STET_TRY(storecheck_named(call, *key, &named));
	if (!named)
		*key = NULL;
	return STET_OK;
}

static enum stet_status
note_missing(struct stet_call *call, struct move *m, const char *key)
{
	const char *named = key;

	stet_error_clear(call);
	STET_TRY(stet_scope(call, is_named, &named));
	if (named != NULL)
		note(call, m, key, "is missing");
	return STET_OK;
}

static enum stet_status
copy_open(struct stet_call *call, struct move *m, const struct stet_file_place *p, int fd)
{
	char there[STET_SHA256_SIZE], is[STET_SHA256_SIZE];
	const char *path;
	struct stat st;

	if (fstat(fd, &st) != 0 || !filesum(fd, is))
		return stet_file_failed(call, p->key);
	STET_TRY(stet_file_temporary_copy(call, fd, &path));
	STET_TRY(filedriver_put(m->to, call, p, path));
	STET_TRY(filedriver_sum(m->to, call, p, there));
	if (strcmp(is, there) != 0)
		return stet_fault(call, "file %s became another one on its way", p->key);
	m->told.copied++;
	m->told.bytes += st.st_size;
	return STET_OK;
}

static enum stet_status
copy(struct stet_call *call, struct move *m, const struct stet_file_place *p, const struct row *row)
{
	char is[STET_SHA256_SIZE];
	enum stet_status status;
	int fd;

	status = filedriver_open(m->from, call, p, &fd);
	if (status == STET_NOT_FOUND)
		return note_missing(call, m, p->key);
	STET_TRY(status);
	if (row->sha256 != NULL && filesum(fd, is) && strcmp(is, row->sha256) != 0)
		note(call, m, p->key, "is not what it was when it was kept");
	else
		status = copy_open(call, m, p, fd);
	close(fd);
	return status;
}

/* Compares the digest of the copy with that of the row or, if the row has none, of the original if
 * it still exists. */
static enum stet_status
compare(struct stet_call *call, struct move *m, const struct stet_file_place *p,
    const struct row *row, const char *there)
{
	char is[STET_SHA256_SIZE];
	enum stet_status status = STET_OK;

	if (row->sha256 != NULL)
		(void)snprintf(is, sizeof(is), "%s", row->sha256);
	else
		status = filedriver_sum(m->from, call, p, is);
	if (status == STET_NOT_FOUND) {
		stet_error_clear(call);
		return STET_OK;
	}
	STET_TRY(status);
	if (strcmp(is, there) != 0)
		note(call, m, p->key, "is another one where it is to go");
	return STET_OK;
}

static enum stet_status
move_one(struct stet_call *call, struct move *m, const struct row *row)
{
	const struct stet_file_place place = { conf_public(&m->conf), call->owner->m.name, row->key,
		NULL };
	char there[STET_SHA256_SIZE];
	enum stet_status status;

	if (!stet_file_key_good(row->key)) {
		note(call, m, row->key, "has no name of a file");
		return STET_OK;
	}
	status = filedriver_sum(m->to, call, &place, there);
	if (status == STET_NOT_FOUND) {
		stet_error_clear(call);
		STET_TRY(copy(call, m, &place, row));
	} else {
		STET_TRY(status);
		STET_TRY(compare(call, m, &place, row, there));
	}
	if (m->told.problem == NULL && m->told.kept == NULL &&
	    filedriver_remove(m->from, &place, true))
		m->told.removed++;
	return STET_OK;
}

/* ---- the rows ---- */

struct one {
	struct move *move;
	const struct row *row;
};

static enum stet_status
tell_one(struct stet_call *call, void *arg)
{
	const struct one *one = arg;
	struct move *m = one->move;

	m->told.count++;
	m->told.problem = NULL;
	STET_TRY(move_one(call, m, one->row));
	m->fn(call, &m->told, m->arg);
	return STET_OK;
}

/* Reads the next rows, no more than can be moved soon. */
static enum stet_status
read_page(struct stet_call *call, struct move *m, struct row row[PAGE])
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, "", m->column.key);
	stet_sql_add(sql, ", ");
	if (m->column.sha256 != NULL)
		stet_sql_ident(sql, "", m->column.sha256);
	else
		stet_sql_add(sql, "NULL");
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, "", m->column.table);
	stet_sql_add(sql, " WHERE ");
	stet_sql_ident(sql, "", m->column.key);
	stet_sql_add(sql, m->after != NULL ? " > " : " IS NOT NULL");
	if (m->after != NULL)
		stet_sql_bind(sql, stet_val_str(m->after));
	stet_sql_add(sql, " ORDER BY 1 LIMIT ");
	stet_sql_bind(sql, stet_val_int(PAGE));
	STET_TRY(stet_sql_query(sql, &rows));
	for (m->rows = 0; m->rows < PAGE && stet_row(&rows); m->rows++)
		row[m->rows] = (struct row){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1) };
	return stet_rows_end(&rows);
}

static enum stet_status
move_page(struct stet_call *call, void *arg)
{
	struct move *m = arg;
	struct row row[PAGE];

	STET_TRY(read_page(call, m, row));
	for (size_t i = 0; i < m->rows; i++) {
		struct one one = { m, &row[i] };

		STET_TRY(stet_scope(call, tell_one, &one));
	}
	if (m->rows > 0) {
		free(m->after);
		m->after = xstrdup(row[m->rows - 1].key);
	}
	return STET_OK;
}

static enum stet_status
move_column(struct stet_call *call, struct move *m)
{
	enum stet_status status = STET_OK;

	m->after = NULL;
	m->rows = PAGE;
	while (status == STET_OK && m->rows == PAGE)
		status = stet_scope(call, move_page, m);
	free(m->after);
	return status;
}

static enum stet_status
count_column(struct stet_call *call, struct move *m)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT count(");
	stet_sql_ident(sql, "", m->column.key);
	stet_sql_add(sql, ") FROM ");
	stet_sql_ident(sql, "", m->column.table);
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		m->told.of += stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* Runs fn for each column of files of each module, as that module. */
static enum stet_status
each_column(struct stet_call *call, struct move *m,
    enum stet_status (*fn)(struct stet_call *, struct move *))
{
	const struct loaded *own = call->owner;
	enum stet_status status = STET_OK;

	for (size_t i = 0; i < call->gen->module_count; i++) {
		const struct stet_table *files = &call->gen->module[i]->m.files;

		call->owner = call->gen->module[i];
		for (uint32_t j = 0; j < files->count && status == STET_OK; j++) {
			stet_table_row(files, j, &m->column, sizeof(m->column));
			status = fn(call, m);
		}
	}
	call->owner = own;
	return status;
}

/* ---- the originals ---- */

/* After the last file: removes originals that no row names. */
static enum stet_status
sweep(struct stet_call *call, struct move *m)
{
	const struct loaded *own = call->owner;
	enum stet_status status = STET_OK;
	int64_t gone;

	for (size_t i = 0; i < call->gen->module_count && status == STET_OK; i++) {
		call->owner = call->gen->module[i];
		if (call->owner->m.files.count > 0)
			status = storecheck_sweep(call, m->from, &gone);
	}
	call->owner = own;
	return status;
}

static enum stet_status
run(struct stet_call *call, struct move *m)
{
	STET_TRY(each_column(call, m, count_column));
	STET_TRY(each_column(call, m, move_column));
	if (m->told.kept == NULL)
		STET_TRY(sweep(call, m));
	m->told.problem = NULL;
	m->fn(call, &m->told, m->arg);
	return STET_OK;
}

/* Holds the daemon's lock, so that no daemon starts that might read from the old place. */
static enum stet_status
run_locked(struct stet_call *call, struct move *m)
{
	enum stet_status status;
	char *why = NULL;
	int lock = -1;

	if (filedriver_of(call->site) != m->to)
		m->told.kept =
		    stet_printf(call, "the site keeps its files in \"%s\" still", m->from->name);
	else if (call->site->daemon || (lock = dir_lock(m->conf.data, &why)) < 0)
		m->told.kept = stet_strdup(call, why != NULL ? why : "a daemon runs");
	status = run(call, m);
	if (lock >= 0)
		close(lock);
	free(why);
	return status;
}

/* Where files come from: the driver that the site uses; if that is the target, the data directory,
 * or else the first other driver. */
static const struct stet_file_driver *
from_of(const struct move *m)
{
	const char *files = confdriver_of(&m->conf);
	const struct conf_brought *other = confdriver_brought(&m->conf);

	if (strcmp(files, m->to->name) != 0)
		return filedriver_named(&m->conf, files);
	if (strcmp(m->to->name, CONF_DIRECTORY) != 0)
		return filedriver_named(&m->conf, CONF_DIRECTORY);
	while (other->driver != NULL && other->driver->kind != CONF_FILES)
		other++;
	return other->driver != NULL ? other->driver->files : NULL;
}

enum stet_status
stet_file_move(struct stet_call *call, const char *to,
    void (*fn)(struct stet_call *, const struct stet_file_moving *, void *), void *arg)
{
	struct move m = { .conf = site_conf(call->site), .fn = fn, .arg = arg };

	m.to = filedriver_named(&m.conf, to);
	if (m.to == NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "The configuration asks for no driver \"%s\": no site has keys of it", to);
	m.from = from_of(&m);
	if (m.from == NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "The configuration asks for no other driver from which files could come");
	return run_locked(call, &m);
}
