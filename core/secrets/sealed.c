/*
 * sealed.c - seals the values of all modules with another key, and tests whether they can be
 * opened. The core finds the values by the modules' descriptors and does not know what they mean.
 */
#include "secrets/sealed.h"
#include "base/arena.h"
#include "base/words.h"
#include "db/ask.h"
#include "db/db.h"
#include "module/module.h"
#include <stdlib.h>
#include <string.h>

#define PAGE 100 /* rows read before they are written */
#define TOLD_MOST 20 /* values listed in a report */

/* The sealed columns of a module, or, after the last, those of the core. */
static struct stet_table
columns_of(size_t i, const struct stet_table *own)
{
	return i < modules_count() ? modules_at(i)->m.sealed : *own;
}

static void
tell(json_t *list, const char *words)
{
	if (json_array_size(list) < TOLD_MOST)
		json_array_append_new(list, json_string(words));
	else if (json_array_size(list) == TOLD_MOST)
		json_array_append_new(list, json_string("and more of them"));
}

/* ---- sealing again ---- */

struct column {
	struct stet_sealed_column at;
	struct sealed_work *work;
	struct stet_tx *tx;
	char *last; /* key of the last row read; NULL: none yet */
	size_t rows; /* in the current page */
};

static enum stet_status
read_page(struct stet_call *call, const struct column *c, struct stet_rows *rows)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, "", c->at.key);
	stet_sql_add(sql, ", ");
	stet_sql_ident(sql, "", c->at.column);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, "", c->at.table);
	if (c->last != NULL) {
		stet_sql_add(sql, " WHERE ");
		stet_sql_ident(sql, "", c->at.key);
		stet_sql_add(sql, " > ");
		stet_sql_bind(sql, stet_val_str(c->last));
	}
	stet_sql_add(sql, " ORDER BY ");
	stet_sql_ident(sql, "", c->at.key);
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(PAGE));
	return stet_sql_query(sql, rows);
}

static enum stet_status
store(struct stet_call *call, const struct column *c, const char *row, const char *sealed)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, "", c->at.table);
	stet_sql_add(sql, " SET ");
	stet_sql_ident(sql, "", c->at.column);
	stet_sql_add(sql, " = ");
	stet_sql_bind(sql, stet_val_str(sealed));
	stet_sql_add(sql, " WHERE ");
	stet_sql_ident(sql, "", c->at.key);
	stet_sql_add(sql, " = ");
	stet_sql_bind(sql, stet_val_str(row));
	return stet_sql_exec(sql, c->tx);
}

static enum stet_status
reseal(struct stet_call *call, struct column *c, const char *row, const char *sealed)
{
	const struct vault_place at = { c->at.table, c->at.column, row };
	enum stet_status status;
	size_t len;
	char *why, *value = vault_open_value(c->work->from, &at, sealed, &len, &why), *text;

	if (value == NULL) {
		tell(c->work->left, why);
		free(why);
		return STET_OK;
	}
	text = vault_close_value(c->work->to, &at, value, len);
	vault_drop(value, len);
	status = store(call, c, row, text);
	free(text);
	c->work->count++;
	return status;
}

/* Seals one page of rows again. */
static enum stet_status
rekey_page(struct stet_call *call, struct column *c)
{
	const char *row[PAGE], *sealed[PAGE];
	struct stet_rows rows;

	c->rows = 0;
	STET_TRY(read_page(call, c, &rows));
	while (stet_row(&rows)) {
		row[c->rows] = stet_col_dup(&rows, 0);
		sealed[c->rows++] = stet_col_null(&rows, 1) ? NULL : stet_col_dup(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < c->rows; i++)
		if (sealed[i] != NULL)
			STET_TRY(reseal(call, c, row[i], sealed[i]));
	if (c->rows > 0) {
		free(c->last);
		c->last = xstrdup(row[c->rows - 1]);
	}
	return STET_OK;
}

/* Seals all rows of a column again, and frees memory after each page. */
static enum stet_status
rekey_column(struct stet_call *call, struct column *c)
{
	enum stet_status status;
	bool has;

	STET_TRY(stet_table_exists(call, c->at.table, &has));
	if (!has)
		return STET_OK;
	do {
		struct call_mark mark = call_mark(call);

		status = rekey_page(call, c);
		if (status == STET_OK)
			call_release(call, &mark);
	} while (status == STET_OK && c->rows == PAGE);
	free(c->last);
	return status;
}

enum stet_status
sealed_rekey(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct sealed_work *work = arg;

	work->count = 0; /* this may be a second run */
	if (work->left == NULL)
		work->left = json_array();
	json_array_clear(work->left);
	for (size_t i = 0; i <= modules_count(); i++) {
		const struct stet_table columns = columns_of(i, work->own);

		for (uint32_t k = 0; k < columns.count; k++) {
			struct column c = { .work = work, .tx = tx };

			stet_table_row(&columns, k, &c.at, sizeof(c.at));
			STET_TRY(rekey_column(call, &c));
		}
	}
	return vault_record(call, tx, work->to);
}

/* ---- testing ---- */

struct trial {
	const struct stet_sealed_column *at;
	const struct sitekeys *keys;
	json_t *problems;
	uint64_t *count;
};

static void
tell_lost(const struct trial *t, const char *why)
{
	char *text = t->at->renew != NULL ? words_format("%s (%s)", why, t->at->renew) : NULL;

	tell(t->problems, text != NULL ? text : why);
	free(text);
}

static void
try_row(void *arg, const char *const *column)
{
	struct trial *t = arg;
	const struct vault_place at = { t->at->table, t->at->column, column[0] };
	size_t len = 0;
	char *why = NULL, *value;

	if (column[0] == NULL || column[1] == NULL)
		return;
	(*t->count)++;
	value = vault_open_value(t->keys, &at, column[1], &len, &why);
	if (value == NULL)
		tell_lost(t, why);
	vault_drop(value, len);
	free(why);
}

/* Names are checked when a module is loaded, so they need no quoting. */
static bool
try_column(const char *database, struct trial *t, char **why)
{
	bool has, good = db_ask_table(database, t->at->table, &has, why);
	char *sql;

	if (!good || !has)
		return good;
	sql = words_format(
	    "SELECT \"%s\", \"%s\" FROM \"%s\"", t->at->key, t->at->column, t->at->table);
	good = db_ask(database, sql, 2, try_row, t, why);
	free(sql);
	return good;
}

bool
sealed_check(const char *database, const struct sitekeys *keys, const struct stet_table *own,
    json_t *problems, uint64_t *count, char **why)
{
	bool good = true;

	*why = NULL;
	*count = 0;
	for (size_t i = 0; good && i <= modules_count(); i++) {
		const struct stet_table columns = columns_of(i, own);

		for (uint32_t k = 0; good && k < columns.count; k++) {
			struct stet_sealed_column at;
			struct trial t = { &at, keys, problems, count };

			stet_table_row(&columns, k, &at, sizeof(at));
			good = try_column(database, &t, why);
		}
	}
	return good;
}

static void
note_id(void *arg, const char *const *column)
{
	char **id = arg;

	if (*id == NULL && column[0] != NULL)
		*id = xstrdup(column[0]);
}

char *
sealed_key_id(const char *database)
{
	char *id = NULL, *why = NULL;

	/* Without the table, the database is older than sealed values. */
	(void)db_ask(database, "SELECT id FROM site_key", 1, note_id, &id, &why);
	free(why);
	return id;
}
