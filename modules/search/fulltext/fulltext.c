/*
 * fulltext.c - full-text tables in conditions: the SQL functions stet_fts_has and stet_fts.
 *
 * stet_fts_has is called for each candidate row. It keeps a statement for each table that it has
 * met, with the SQL statement that calls it (its auxiliary data). A table that is asked often is
 * read once, into a set of bits: a seek costs as much as some hundred rows of a list of matches.
 */
#include "fulltext.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_MAX 63 /* bytes of a table's name */
#define BUCKETS 64 /* a power of two */
#define SEEKS 16 /* rows of one table that are looked up singly, before the table is read */
#define BITS 8192 /* rows with higher numbers are never read into bits */

/* ---- one table ---- */

/* A name is put into SQL, so it has only what names of ours have. */
static bool
is_name(const char *name)
{
	return name != NULL && *name != '\0' && strlen(name) <= TABLE_MAX &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

/* Prepares "SELECT rowid ... WHERE table MATCH ?1" and more conditions. */
static int
prepare(sqlite3 *db, const char *table, const char *more, sqlite3_stmt **out)
{
	char *sql;
	int rc;

	*out = NULL;
	if (!is_name(table))
		return SQLITE_ERROR;
	sql =
	    sqlite3_mprintf("SELECT rowid FROM \"%w\" WHERE \"%w\" MATCH ?1%s", table, table, more);
	if (sql == NULL)
		return SQLITE_NOMEM;
	rc = sqlite3_prepare_v2(db, sql, -1, out, NULL);
	sqlite3_free(sql);
	return rc;
}

/* ---- stet_fts_has ---- */

struct table {
	struct table *next; /* in its bucket */
	sqlite3_stmt *seek;
	unsigned seeks;
	bool is_read;
	unsigned char bits[BITS / 8];
	char name[TABLE_MAX + 1];
};
/* The auxiliary data of a statement. */
struct probe {
	char *match;
	int64_t asked;
	struct table *bucket[BUCKETS];
};

static void
probe_free(void *arg)
{
	struct probe *p = arg;

	for (size_t i = 0; i < BUCKETS; i++)
		while (p->bucket[i] != NULL) {
			struct table *t = p->bucket[i];

			p->bucket[i] = t->next;
			sqlite3_finalize(t->seek);
			sqlite3_free(t);
		}
	sqlite3_free(p->match);
	sqlite3_free(p);
}

static struct probe *
probe_new(const char *match)
{
	struct probe *p = sqlite3_malloc64(sizeof(*p));

	if (p == NULL)
		return NULL;
	memset(p, 0, sizeof(*p));
	p->match = sqlite3_mprintf("%s", match);
	if (p->match == NULL) {
		sqlite3_free(p);
		return NULL;
	}
	return p;
}

static int
open_table(sqlite3 *db, struct probe *p, const char *name, struct table **out)
{
	struct table **bucket;
	unsigned hash = 0;
	int rc;

	for (const char *c = name; *c != '\0'; c++)
		hash = hash * 31 + (unsigned char)*c;
	bucket = &p->bucket[hash % BUCKETS];
	for (*out = *bucket; *out != NULL; *out = (*out)->next)
		if (strcmp((*out)->name, name) == 0)
			return SQLITE_OK;
	*out = sqlite3_malloc64(sizeof(**out));
	if (*out == NULL)
		return SQLITE_NOMEM;
	memset(*out, 0, sizeof(**out));
	stpcpy((*out)->name, name);
	rc = prepare(db, name, " AND rowid = ?2", &(*out)->seek);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text((*out)->seek, 1, p->match, -1, SQLITE_STATIC);
	(*out)->next = *bucket;
	*bucket = *out;
	return rc;
}

static int
read_table(sqlite3 *db, const struct probe *p, struct table *t)
{
	sqlite3_stmt *rows;
	int rc = prepare(db, t->name, "", &rows);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_bind_text(rows, 1, p->match, -1, SQLITE_STATIC);
	while (rc == SQLITE_OK && (rc = sqlite3_step(rows)) == SQLITE_ROW) {
		const int64_t n = sqlite3_column_int64(rows, 0);

		if (n >= 0 && n < BITS)
			t->bits[n / 8] |= (unsigned char)(1u << n % 8);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(rows);
	t->is_read = rc == SQLITE_DONE;
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int
ask(sqlite3 *db, const struct probe *p, struct table *t, int64_t n, bool *has)
{
	int rc;

	*has = false;
	if (n >= 0 && n < BITS && !t->is_read && ++t->seeks > SEEKS &&
	    (rc = read_table(db, p, t)) != SQLITE_OK)
		return rc;
	if (n >= 0 && n < BITS && t->is_read) {
		*has = (t->bits[n / 8] >> n % 8 & 1) != 0;
		return SQLITE_OK;
	}
	rc = sqlite3_bind_int64(t->seek, 2, n);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(t->seek);
	*has = rc == SQLITE_ROW;
	sqlite3_reset(t->seek);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void
has(sqlite3_context *out, int count, sqlite3_value **args)
{
	sqlite3 *db = sqlite3_context_db_handle(out);
	const char *name = (const char *)sqlite3_value_text(args[0]);
	const char *match = (const char *)sqlite3_value_text(args[2]);
	struct probe *p = sqlite3_get_auxdata(out, 2);
	struct table *t;
	bool yes = false;
	int rc = SQLITE_OK;

	(void)count;
	if (!is_name(name) || match == NULL) {
		sqlite3_result_error(out, "stet_fts_has takes a table and an expression", -1);
		return;
	}
	if (p == NULL) {
		if ((p = probe_new(match)) == NULL) {
			sqlite3_result_error_nomem(out);
			return;
		}
		/* SQLite may free the pointer at once. */
		sqlite3_set_auxdata(out, 2, p, probe_free);
		if ((p = sqlite3_get_auxdata(out, 2)) == NULL) {
			sqlite3_result_error_nomem(out);
			return;
		}
	}
	if (++p->asked > FULLTEXT_PROBES)
		rc = SQLITE_INTERRUPT;
	if (rc == SQLITE_OK)
		rc = open_table(db, p, name, &t);
	if (rc == SQLITE_OK)
		rc = ask(db, p, t, sqlite3_value_int64(args[1]), &yes);
	if (rc == SQLITE_OK)
		sqlite3_result_int(out, yes);
	else {
		if (rc != SQLITE_INTERRUPT)
			sqlite3_result_error(out, sqlite3_errmsg(db), -1);
		sqlite3_result_error_code(out, rc);
	}
}

/* ---- stet_fts, a virtual table ---- */

struct cursor {
	sqlite3_vtab_cursor base;
	sqlite3_stmt *rows;
	int64_t n, given;
	bool end;
};
enum { COLUMN_N, COLUMN_SOURCE, COLUMN_MATCH };
struct fulltext {
	sqlite3_vtab base;
	sqlite3 *db;
};

static int
fts_connect(
    sqlite3 *db, void *arg, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
	struct fulltext *f;
	int rc =
	    sqlite3_declare_vtab(db, "CREATE TABLE x (n INTEGER, source HIDDEN, match HIDDEN)");

	(void)arg;
	(void)argc;
	(void)argv;
	(void)error;
	if (rc != SQLITE_OK)
		return rc;
	f = sqlite3_malloc64(sizeof(*f));
	if (f == NULL)
		return SQLITE_NOMEM;
	*f = (struct fulltext){ .db = db };
	*out = &f->base;
	return SQLITE_OK;
}

static int
fts_disconnect(sqlite3_vtab *f)
{
	sqlite3_free(f);
	return SQLITE_OK;
}

/* Both arguments have to be given. */
static int
fts_best(sqlite3_vtab *f, sqlite3_index_info *info)
{
	int at[3] = { -1, -1, -1 };

	(void)f;
	for (int i = 0; i < info->nConstraint; i++) {
		const int column = info->aConstraint[i].iColumn;

		if (column != COLUMN_SOURCE && column != COLUMN_MATCH)
			continue;
		if (!info->aConstraint[i].usable ||
		    info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			return SQLITE_CONSTRAINT;
		at[column] = i;
	}
	if (at[COLUMN_SOURCE] < 0 || at[COLUMN_MATCH] < 0)
		return SQLITE_CONSTRAINT;
	for (int column = COLUMN_SOURCE; column <= COLUMN_MATCH; column++) {
		info->aConstraintUsage[at[column]].argvIndex = column;
		info->aConstraintUsage[at[column]].omit = 1;
	}
	info->estimatedCost = 100;
	info->estimatedRows = 100;
	return SQLITE_OK;
}

static int
fts_open(sqlite3_vtab *f, sqlite3_vtab_cursor **out)
{
	struct cursor *c = sqlite3_malloc64(sizeof(*c));

	(void)f;
	if (c == NULL)
		return SQLITE_NOMEM;
	*c = (struct cursor){ .end = true };
	*out = &c->base;
	return SQLITE_OK;
}

static int
fts_close(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	sqlite3_finalize(c->rows);
	sqlite3_free(c);
	return SQLITE_OK;
}

static int
fts_next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;
	const int rc = sqlite3_step(c->rows);

	c->end = rc != SQLITE_ROW;
	if (c->end)
		return rc == SQLITE_DONE ? SQLITE_OK : rc;
	c->n = sqlite3_column_int64(c->rows, 0);
	return ++c->given > FULLTEXT_ROWS ? SQLITE_INTERRUPT : SQLITE_OK;
}

static int
fts_filter(sqlite3_vtab_cursor *base, int number, const char *name, int n, sqlite3_value **args)
{
	struct cursor *c = (struct cursor *)base;
	int rc;

	(void)number;
	(void)name;
	(void)n;
	sqlite3_finalize(c->rows);
	rc = prepare(((struct fulltext *)base->pVtab)->db,
	    (const char *)sqlite3_value_text(args[0]), "", &c->rows);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_value(c->rows, 1, args[1]);
	return rc == SQLITE_OK ? fts_next(base) : rc;
}

static int
fts_eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->end;
}

static int
fts_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
	if (column == COLUMN_N)
		sqlite3_result_int64(out, ((struct cursor *)base)->n);
	return SQLITE_OK;
}

static int
fts_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = ((struct cursor *)base)->n;
	return SQLITE_OK;
}

/* Without xCreate it is there in each connection, and nobody can make another one. */
static const sqlite3_module module = {
	.xConnect = fts_connect,
	.xBestIndex = fts_best,
	.xDisconnect = fts_disconnect,
	.xOpen = fts_open,
	.xClose = fts_close,
	.xFilter = fts_filter,
	.xNext = fts_next,
	.xEof = fts_eof,
	.xColumn = fts_column,
	.xRowid = fts_number,
};

int
fulltext_install(sqlite3 *db)
{
	int rc = sqlite3_create_module_v2(db, "stet_fts", &module, NULL, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_create_function_v2(db, "stet_fts_has", 3,
		    SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, has, NULL, NULL, NULL);
	return rc;
}
