/* litestmt.c - prepares and runs statements, binds values and reads columns. */
#include "db/sqlite/litestmt.h"
#include "base/arena.h"
#include "base/log.h"
#include "db/own.h"
#include "db/sqlite/litecode.h"
#include "db/txslot.h"
#include <stdlib.h>
#include <string.h>

/* A statement, or a row that was copied. */
struct sqlite_stmt {
	struct stmt stmt;
	sqlite3_stmt *handle;
	int count; /* of value */
	sqlite3_value *value[]; /* copied: the columns */
};

static inline sqlite3_stmt *
handle(const struct stmt *s)
{
	return ((const struct sqlite_stmt *)s)->handle;
}

/* ---- preparing ---- */

static bool
blank(const char *tail)
{
	return tail[strspn(tail, " \t\r\n;")] == '\0';
}

/* Returns true if the statement writes something that the count of changed rows may not show. */
static bool
alters(sqlite3_stmt *handle, const char *sql)
{
	return sqlite3_stmt_readonly(handle) == 0 && strncmp(sql, "INSERT ", 7) != 0 &&
	       strncmp(sql, "UPDATE ", 7) != 0 && strncmp(sql, "DELETE ", 7) != 0;
}

/* sqlite3_prepare_v3 with the rules for tables of db->plugin. */
static enum db_error
prepare(struct sqlite_db *c, const char *sql, int size, unsigned flags, sqlite3_stmt **out,
    const char **tail)
{
	int rc;

	c->renames = c->denied = false;
	c->writes = 0;
	rc = sqlite3_prepare_v3(c->handle, sql, size, flags, out, tail);
	if (rc == SQLITE_OK && c->renames && !own_rename(c->db.plugin, sql)) {
		sqlite3_finalize(*out);
		*out = NULL;
		c->denied = true;
	}
	if (c->denied)
		return litecode_denied(c,
		    "a plugin creates, changes and drops only tables, indexes and triggers whose"
		    " names begin with its own and an underscore");
	return litecode(c, rc);
}

enum db_error
litestmt_get(struct db *db, const char *sql, size_t len, struct stmt **out)
{
	struct sqlite_db *c = liteconn(db);
	struct sqlite_stmt *s = xmalloc(sizeof(*s) + len + 1);
	char *text = (char *)(s + 1);
	const char *tail = NULL;
	enum db_error error;

	*s = (struct sqlite_stmt){ .stmt.sql = text };
	memcpy(text, sql, len + 1);
	error = prepare(c, text, (int)len + 1, SQLITE_PREPARE_PERSISTENT, &s->handle, &tail);
	/* Blank SQL has no handle. A second statement in the text would be ignored silently. */
	if (error == DB_OK && (s->handle == NULL || !blank(tail))) {
		sqlite3_finalize(s->handle);
		error = litecode_denied(c, "not one statement");
	}
	if (error != DB_OK) {
		free(s);
		return error;
	}
	s->stmt.alters = alters(s->handle, text);
	s->stmt.writes = s->stmt.alters ? TXSLOT_ALL : c->writes;
	*out = &s->stmt;
	return DB_OK;
}

void
litestmt_drop(struct stmt *s)
{
	sqlite3_finalize(handle(s));
	free(s);
}

void
litestmt_plan(struct db *db, const char *sql, struct buf *out)
{
	sqlite3_stmt *plan;
	struct buf text = { 0 };

	buf_printf(&text, "EXPLAIN QUERY PLAN %s", sql);
	if (sqlite3_prepare_v2(liteconn(db)->handle, text.data, -1, &plan, NULL) == SQLITE_OK) {
		while (sqlite3_step(plan) == SQLITE_ROW)
			buf_printf(out, "    %s\n", (const char *)sqlite3_column_text(plan, 3));
		sqlite3_finalize(plan);
	}
	buf_free(&text);
}

enum db_error
litestmt_script(struct db *db, const char *sql, char **why)
{
	struct sqlite_db *c = liteconn(db);
	enum db_error error = DB_OK;

	while (error == DB_OK && *sql != '\0') {
		sqlite3_stmt *s;

		error = prepare(c, sql, -1, 0, &s, &sql);
		if (error != DB_OK || s == NULL) /* white space or a comment */
			continue;
		while (sqlite3_step(s) == SQLITE_ROW)
			continue;
		error = litecode(c, sqlite3_finalize(s));
	}
	if (error != DB_OK)
		*why = xstrdup(error == DB_DENIED ? c->why : sqlite3_errmsg(c->handle));
	return error;
}

/* ---- running ---- */

static int
bind(sqlite3_stmt *s, int i, const struct stet_val *v)
{
	switch (v->type) {
	case STET_V_NULL:
		return sqlite3_bind_null(s, i);
	case STET_V_INT:
		return sqlite3_bind_int64(s, i, v->u.i);
	case STET_V_REAL:
		return sqlite3_bind_double(s, i, v->u.r);
	case STET_V_TEXT:
		return sqlite3_bind_text64(s, i, v->u.s, v->len, SQLITE_STATIC, SQLITE_UTF8);
	case STET_V_BLOB:
		return sqlite3_bind_blob64(s, i, v->len > 0 ? v->u.b : "", v->len, SQLITE_STATIC);
	}
	stet_assert(!"a value of no type");
	return SQLITE_MISUSE;
}

int
litestmt_parameters(const struct stmt *s)
{
	return sqlite3_bind_parameter_count(handle(s));
}

enum db_error
litestmt_send(struct stmt *s, const struct stet_val *v, size_t n)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < n && rc == SQLITE_OK; i++)
		rc = bind(handle(s), (int)i + 1, &v[i]);
	return litecode(liteconn(s->db), rc);
}

enum db_error
litestmt_row(struct stmt *s)
{
	int rc = sqlite3_step(handle(s));

	return rc == SQLITE_ROW ? DB_OK : litecode(liteconn(s->db), rc);
}

enum db_error
litestmt_run(struct stmt *s, const struct stet_val *v, size_t n)
{
	enum db_error error = litestmt_send(s, v, n);

	while (error == DB_OK)
		error = litestmt_row(s);
	return error == DB_END ? DB_OK : error;
}

void
litestmt_put(struct stmt *s)
{
	sqlite3_reset(handle(s));
}

int64_t
litestmt_affected(struct db *db)
{
	return sqlite3_changes64(liteconn(db)->handle);
}

/* ---- rows that live longer than their statement ---- */

static void
free_values(void *arg)
{
	struct sqlite_stmt *s = arg;

	for (int i = 0; i < s->count; i++)
		sqlite3_value_free(s->value[i]);
}

struct stmt *
litestmt_keep(struct stet_call *call, struct stmt *row)
{
	int count = sqlite3_column_count(handle(row));
	struct sqlite_stmt *s = stet_alloc(call, sizeof(*s) + (size_t)count * sizeof(s->value[0]));

	s->stmt.driver = row->driver;
	s->stmt.copied = true;
	s->count = count;
	for (int i = 0; i < count; i++) {
		s->value[i] = sqlite3_value_dup(sqlite3_column_value(handle(row), i));
		if (s->value[i] == NULL)
			stet_out_of_memory();
	}
	stet_defer(call, free_values, s);
	return &s->stmt;
}

/* ---- columns ---- */

/* SQLite's functions for columns lock the connection's mutex each time, which no one else uses.
 * Those for values do not. */
static inline sqlite3_value *
value(const struct stmt *row, int i)
{
	const struct sqlite_stmt *s = (const struct sqlite_stmt *)row;

	/* SQLite would answer NULL for a column that is not there. */
	stet_assert(i >= 0 && i < (row->copied ? s->count : sqlite3_column_count(s->handle)));
	if (!row->copied)
		return sqlite3_column_value(s->handle, i);
	return s->value[i];
}

bool
litestmt_is_null(const struct stmt *s, int i)
{
	return sqlite3_value_type(value(s, i)) == SQLITE_NULL;
}

int64_t
litestmt_integer(const struct stmt *s, int i)
{
	return sqlite3_value_int64(value(s, i));
}

double
litestmt_real(const struct stmt *s, int i)
{
	return sqlite3_value_double(value(s, i));
}

/* SQLite returns NULL for a text for which it has no memory. That must not pass for a NULL
 * value. */
const char *
litestmt_text(const struct stmt *s, int i, size_t *len)
{
	sqlite3_value *v = value(s, i);
	const char *text = (const char *)sqlite3_value_text(v);

	if (text == NULL && sqlite3_value_type(v) != SQLITE_NULL)
		stet_out_of_memory();
	if (len != NULL)
		*len = (size_t)sqlite3_value_bytes(v);
	return text;
}

const void *
litestmt_blob(const struct stmt *s, int i, size_t *len)
{
	sqlite3_value *v = value(s, i);
	const void *blob = sqlite3_value_blob(v);

	*len = (size_t)sqlite3_value_bytes(v);
	if (blob == NULL && *len > 0)
		stet_out_of_memory();
	return blob;
}
