/*
 * litecarry.c - reads all of a database, or makes one as a copy (carry.h), on a connection of its
 * own without our authorizer.
 *
 * A new database is written without a journal into a file beside its place, and gets its name when
 * it is whole and on the disk. A file that is there and empty is filled instead: its maker knows
 * when it is whole.
 */
#include "db/sqlite/litecarry.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/dir.h"
#include "base/words.h"
#include "db/driver.h"
#include "db/sqlite/folding.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 10000 /* how long to wait for another process that locks the database */

struct lite_end {
	struct carry_end end;
	sqlite3 *handle;
	sqlite3_stmt *rows; /* that are read or written */
	const char *table; /* of these */
	char *path; /* of the file that is written; NULL: it is read */
	bool beside; /* it is not the file's name yet */
	bool whole; /* it is to stay */
	struct carry_tables indexes; /* put off: a name, and as its column the statement */
};

static inline struct lite_end *
lite(struct carry_end *end)
{
	return (struct lite_end *)end;
}

/* ---- statements ---- */

static bool
failed(struct lite_end *l, const char *what)
{
	return carry_fail(&l->end, "%s: %s", what != NULL ? what : l->end.place,
	    l->handle != NULL ? sqlite3_errmsg(l->handle) : "out of memory");
}

static bool
run(struct lite_end *l, const char *sql)
{
	return sqlite3_exec(l->handle, sql, NULL, NULL, NULL) == SQLITE_OK || failed(l, NULL);
}

static const char *
text_of(sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);

	return text != NULL ? text : "";
}

/* Calls the function with each row of a query, whose ?1 is `value`. */
static bool
ask(struct lite_end *l, const char *sql, const char *value, bool (*fn)(void *, sqlite3_stmt *),
    void *arg)
{
	sqlite3_stmt *s = NULL;
	bool good = true;
	int rc = sqlite3_prepare_v2(l->handle, sql, -1, &s, NULL);

	if (rc == SQLITE_OK && value != NULL)
		rc = sqlite3_bind_text(s, 1, value, -1, SQLITE_STATIC);
	while (rc == SQLITE_OK && good && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		good = fn(arg, s);
		rc = SQLITE_OK;
	}
	if (rc != SQLITE_OK && rc != SQLITE_DONE)
		good = failed(l, NULL);
	sqlite3_finalize(s);
	return good;
}

static void
quote(struct buf *b, const char *name)
{
	buf_char(b, '"');
	for (; *name != '\0'; name++) {
		if (*name == '"')
			buf_char(b, '"');
		buf_char(b, *name);
	}
	buf_char(b, '"');
}

static void
quote_columns(struct buf *b, const struct carry_table *t)
{
	for (size_t i = 0; i < t->columns; i++) {
		buf_str(b, i > 0 ? ", " : "");
		quote(b, t->column[i]);
	}
}

/* Prepares the statement of l->rows. */
static bool
prepare(struct lite_end *l, const char *sql, const char *table)
{
	sqlite3_finalize(l->rows);
	l->rows = NULL;
	l->table = table;
	return sqlite3_prepare_v2(l->handle, sql, -1, &l->rows, NULL) == SQLITE_OK ||
	       failed(l, table);
}

/* ---- opening ---- */

static bool
connect(struct lite_end *l, const char *path)
{
	int rc =
	    sqlite3_open_v2(path, &l->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_busy_timeout(l->handle, WAIT_MS);
	/* Full-text tables, which are in the schema, want their tokenizer. */
	if (rc == SQLITE_OK)
		rc = folding_install(l->handle);
	return rc == SQLITE_OK || failed(l, NULL);
}

static bool
open_to_read(struct carry_end *end)
{
	struct lite_end *l = lite(end);

	if (access(end->place, F_OK) != 0)
		return carry_fail(end, "%s: %s", end->place, strerror(errno));
	if (!connect(l, end->place))
		return false;
	/* Only the writer may checkpoint. */
	(void)sqlite3_db_config(l->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	return run(l, "PRAGMA query_only = ON; BEGIN; SELECT count(*) FROM sqlite_schema");
}

/* Makes the file that is written. */
static bool
make_file(struct lite_end *l)
{
	const char *place = l->end.place;
	struct stat st;
	char *directory;
	int fd;

	if (stat(place, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_size > 0))
		return carry_fail(&l->end, "%s is there already", place);
	if (stat(place, &st) == 0) {
		l->path = xstrdup(place);
		return true;
	}
	l->path = words_format("%s.part-XXXXXX", place);
	fd = mkostemp(l->path, O_CLOEXEC);
	if (fd < 0) {
		carry_fail(&l->end, "%s: %s", place, strerror(errno));
		free(l->path);
		l->path = NULL;
		return false;
	}
	l->beside = true;
	directory = dir_parent_dup(place);
	dir_give(fd, directory);
	free(directory);
	close(fd);
	return true;
}

static bool
make(struct carry_end *end)
{
	struct lite_end *l = lite(end);

	return make_file(l) && connect(l, l->path) &&
	       run(l, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;"
		      "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;"
		      "PRAGMA cache_size = -65536; BEGIN");
}

static void
close_end(struct carry_end *end)
{
	struct lite_end *l = lite(end);

	sqlite3_finalize(l->rows);
	sqlite3_close(l->handle);
	if (l->beside)
		(void)unlink(l->path);
	else if (l->path != NULL && !l->whole && truncate(l->path, 0) != 0)
		carry_fail(end, "%s: %s", l->path, strerror(errno));
	free(l->path);
	carry_free_tables(&l->indexes);
}

/* ---- definitions ---- */

/* A table and the statements that make it and its indexes. */
struct definition {
	char *name, *sql;
	bool told;
};
struct definitions {
	struct lite_end *l;
	struct definition *list;
	size_t count;
	bool (*fn)(void *, const char *);
	void *arg;
	bool waits; /* the table refers to one that was not told yet */
	const char *table;
};

/* Tables that others derive have no rows of their own: virtual ones, and those in which they keep
 * what they know ("shadow"). */
#define TABLES                                                                          \
	"sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'" \
	" AND name IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table')"

static bool
add_definition(void *arg, sqlite3_stmt *s)
{
	struct definitions *d = arg;

	d->list = xrealloc(d->list, (d->count + 1) * sizeof(*d->list));
	d->list[d->count++] =
	    (struct definition){ .name = xstrdup(text_of(s, 0)), .sql = xstrdup(text_of(s, 1)) };
	return true;
}

static bool
refuse_other(void *arg, sqlite3_stmt *s)
{
	struct definitions *d = arg;

	return carry_fail(
	    &d->l->end, "it has the %s %s, which cannot be copied", text_of(s, 0), text_of(s, 1));
}

static bool
see_reference(void *arg, sqlite3_stmt *s)
{
	struct definitions *d = arg;

	for (size_t i = 0; i < d->count; i++)
		if (!d->list[i].told && sqlite3_stricmp(d->list[i].name, text_of(s, 0)) == 0 &&
		    sqlite3_stricmp(d->list[i].name, d->table) != 0)
			d->waits = true;
	return true;
}

static bool
tell_index(void *arg, sqlite3_stmt *s)
{
	struct definitions *d = arg;

	return d->fn(d->arg, text_of(s, 0));
}

/* Tells a table unless it refers to one that was not told yet. */
static bool
tell_table(struct definitions *d, struct definition *def, bool anyway)
{
	d->waits = false;
	d->table = def->name;
	if (!anyway && !ask(d->l, "SELECT \"table\" FROM pragma_foreign_key_list(?1)", def->name,
			   see_reference, d))
		return false;
	if (d->waits)
		return true;
	def->told = true;
	return d->fn(d->arg, def->sql) &&
	       ask(d->l,
		   "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
		   " AND tbl_name = ?1 ORDER BY rowid",
		   def->name, tell_index, d);
}

/* Tables may refer to each other in a circle: then one of them begins. */
static bool
tell_all(struct definitions *d)
{
	size_t left = d->count, before = 0;
	bool good = true;

	while (good && left > 0) {
		bool anyway = left == before;

		before = left;
		for (size_t i = 0; good && i < d->count; i++) {
			if (d->list[i].told)
				continue;
			good = tell_table(d, &d->list[i], anyway);
			left -= d->list[i].told;
			anyway = false;
		}
	}
	return good;
}

static bool
definitions(struct carry_end *end, bool (*fn)(void *, const char *), void *arg)
{
	struct definitions d = { .l = lite(end), .fn = fn, .arg = arg };
	bool good =
	    ask(d.l, "SELECT name, sql FROM " TABLES " ORDER BY rowid", NULL, add_definition, &d) &&
	    ask(d.l, "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')", NULL,
		refuse_other, &d) &&
	    tell_all(&d);

	for (size_t i = 0; i < d.count; i++) {
		free(d.list[i].name);
		free(d.list[i].sql);
	}
	free(d.list);
	return good;
}

static bool
add_column(void *arg, sqlite3_stmt *s)
{
	struct carry_tables *list = arg;

	if (list->count == 0 || strcmp(list->table[list->count - 1].name, text_of(s, 0)) != 0)
		carry_add_table(list, text_of(s, 0));
	carry_add_column(list, text_of(s, 1));
	return true;
}

static bool
tables(struct carry_end *end, struct carry_tables *list)
{
	return ask(lite(end),
	    "SELECT t.name, c.name FROM (SELECT name, rowid AS n FROM " TABLES
	    ") AS t, pragma_table_info(t.name) AS c ORDER BY t.n, c.cid",
	    NULL, add_column, list);
}

/* ---- reading ---- */

static bool
read_rows(struct carry_end *end, const struct carry_table *t)
{
	struct buf sql = { 0 };
	bool good;

	buf_str(&sql, "SELECT ");
	quote_columns(&sql, t);
	buf_str(&sql, " FROM ");
	quote(&sql, t->name);
	good = prepare(lite(end), sql.data, t->name);
	buf_free(&sql);
	return good;
}

static struct stet_val
value(sqlite3_stmt *s, int i)
{
	struct stet_val v;

	switch (sqlite3_column_type(s, i)) {
	case SQLITE_INTEGER:
		return stet_val_int(sqlite3_column_int64(s, i));
	case SQLITE_FLOAT:
		return stet_val_real(sqlite3_column_double(s, i));
	case SQLITE_TEXT:
		v = (struct stet_val){ .type = STET_V_TEXT, .u.s = text_of(s, i) };
		v.len = (size_t)sqlite3_column_bytes(s, i);
		return v;
	case SQLITE_BLOB:
		v = (struct stet_val){ .type = STET_V_BLOB, .u.b = sqlite3_column_blob(s, i) };
		v.len = (size_t)sqlite3_column_bytes(s, i);
		return v;
	default:
		return stet_val_null();
	}
}

static bool
read_row(struct carry_end *end, struct stet_val *v, bool *more)
{
	struct lite_end *l = lite(end);
	int rc = sqlite3_step(l->rows);

	*more = rc == SQLITE_ROW;
	for (int i = 0; *more && i < sqlite3_column_count(l->rows); i++)
		v[i] = value(l->rows, i);
	if (*more)
		return true;
	sqlite3_reset(l->rows);
	return rc == SQLITE_DONE || failed(l, l->table);
}

static bool
take_count(void *arg, sqlite3_stmt *s)
{
	*(uint64_t *)arg = (uint64_t)sqlite3_column_int64(s, 0);
	return true;
}

static bool
count_rows(struct carry_end *end, const struct carry_table *t, uint64_t *rows)
{
	struct buf sql = { 0 };
	bool good;

	*rows = 0;
	buf_str(&sql, "SELECT count(*) FROM ");
	quote(&sql, t->name);
	good = ask(lite(end), sql.data, NULL, take_count, rows);
	buf_free(&sql);
	return good;
}

/* ---- writing ---- */

/* A change of rows, too. */
static bool
define(struct carry_end *end, const char *sql)
{
	return run(lite(end), sql);
}

static bool
note_index(void *arg, sqlite3_stmt *s)
{
	struct carry_tables *list = arg;

	carry_add_table(list, text_of(s, 0));
	carry_add_column(list, text_of(s, 1));
	return true;
}

/* An index is made faster of all rows than row by row. */
static bool
defined(struct carry_end *end)
{
	struct lite_end *l = lite(end);
	bool good = ask(l,
	    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
	    " ORDER BY rowid",
	    NULL, note_index, &l->indexes);

	for (size_t i = 0; good && i < l->indexes.count; i++) {
		struct buf sql = { 0 };

		buf_str(&sql, "DROP INDEX ");
		quote(&sql, l->indexes.table[i].name);
		good = run(l, sql.data);
		buf_free(&sql);
	}
	return good;
}

static bool
write_rows(struct carry_end *end, const struct carry_table *t)
{
	struct buf sql = { 0 };
	bool good;

	buf_str(&sql, "INSERT INTO ");
	quote(&sql, t->name);
	buf_str(&sql, " (");
	quote_columns(&sql, t);
	buf_str(&sql, ") VALUES (");
	for (size_t i = 0; i < t->columns; i++)
		buf_printf(&sql, "%s?%zu", i > 0 ? ", " : "", i + 1);
	buf_char(&sql, ')');
	good = prepare(lite(end), sql.data, t->name);
	buf_free(&sql);
	return good;
}

static int
bind(sqlite3_stmt *s, int i, const struct stet_val *v)
{
	switch (v->type) {
	case STET_V_INT:
		return sqlite3_bind_int64(s, i, v->u.i);
	case STET_V_REAL:
		return sqlite3_bind_double(s, i, v->u.r);
	case STET_V_TEXT:
		return sqlite3_bind_text64(
		    s, i, v->len > 0 ? v->u.s : "", v->len, SQLITE_STATIC, SQLITE_UTF8);
	case STET_V_BLOB:
		return sqlite3_bind_blob64(s, i, v->len > 0 ? v->u.b : "", v->len, SQLITE_STATIC);
	default:
		return sqlite3_bind_null(s, i);
	}
}

static bool
put_row(struct carry_end *end, const struct stet_val *v)
{
	struct lite_end *l = lite(end);
	int rc = SQLITE_OK, n = sqlite3_bind_parameter_count(l->rows);

	for (int i = 0; rc == SQLITE_OK && i < n; i++)
		rc = bind(l->rows, i + 1, &v[i]);
	if (rc != SQLITE_OK || sqlite3_step(l->rows) != SQLITE_DONE)
		return failed(l, l->table);
	sqlite3_reset(l->rows);
	return true;
}

static bool
wrote(struct carry_end *end)
{
	(void)end;
	return true;
}

static bool
tell_lost(void *arg, sqlite3_stmt *s)
{
	return carry_fail(arg, "a row of %s refers to a row of %s that is not there", text_of(s, 0),
	    text_of(s, 2));
}

static bool
on_disk(struct lite_end *l)
{
	int fd = open(l->path, O_RDONLY | O_CLOEXEC);
	bool good = fd >= 0 && fsync(fd) == 0;

	if (!good)
		carry_fail(&l->end, "%s: %s", l->path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return good;
}

static bool
finish(struct carry_end *end)
{
	struct lite_end *l = lite(end);

	sqlite3_finalize(l->rows);
	l->rows = NULL;
	for (size_t i = 0; i < l->indexes.count; i++)
		if (!run(l, l->indexes.table[i].column[0]))
			return false;
	if (!ask(l, "PRAGMA foreign_key_check", NULL, tell_lost, end) || !run(l, "COMMIT"))
		return false;
	sqlite3_close(l->handle);
	l->handle = NULL;
	return on_disk(l);
}

static bool
keep(struct carry_end *end)
{
	struct lite_end *l = lite(end);
	char *directory, *why = NULL;
	bool good = true;

	l->whole = true;
	if (!l->beside)
		return true;
	if (renameat2(AT_FDCWD, l->path, AT_FDCWD, end->place, RENAME_NOREPLACE) != 0)
		return carry_fail(end, "%s: %s", end->place, strerror(errno));
	l->beside = false;
	directory = dir_parent_dup(end->place);
	if (!dir_sync(directory, &why))
		good = carry_fail(end, "%s", why);
	free(directory);
	free(why);
	return good;
}

const struct db_carrier litecarry = {
	.size = sizeof(struct lite_end),
	.open = open_to_read,
	.make = make,
	.close = close_end,
	.definitions = definitions,
	.tables = tables,
	.read = read_rows,
	.row = read_row,
	.count = count_rows,
	.define = define,
	.defined = defined,
	.write = write_rows,
	.put = put_row,
	.wrote = wrote,
	.change = define,
	.finish = finish,
	.keep = keep,
};
