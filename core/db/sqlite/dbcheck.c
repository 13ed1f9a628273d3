/* dbcheck.c - runs SQLite's integrity checks, on a connection of its own without our authorizer. */
#include "db/sqlite/dbcheck.h"
#include "base/log.h"
#include "base/words.h"
#include "db/sqlite/folding.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_MS 5000 /* how long to wait for another process that locks the database */
#define PROBLEMS_MAX 100 /* problems listed for one check */
#define COLUMNS_MAX 9

/* text is NULL if SQLite's message is not UTF-8. */
static void
add(json_t *problems, json_t *text)
{
	if (text == NULL)
		text = json_string("damage that has no words");
	if (json_array_size(problems) < PROBLEMS_MAX)
		json_array_append_new(problems, text);
	else
		json_decref(text);
}

static const char *
text_of(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text != NULL ? text : "?";
}

static void
integrity_row(sqlite3_stmt *stmt, json_t *problems)
{
	const char *text = text_of(stmt, 0);

	if (strcmp(text, "ok") != 0)
		add(problems, json_sprintf("%s", text));
}

static void
reference_row(sqlite3_stmt *stmt, json_t *problems)
{
	add(problems,
	    json_sprintf("row %lld of %s refers to a row of %s that is not there",
		(long long)sqlite3_column_int64(stmt, 1), text_of(stmt, 0), text_of(stmt, 2)));
}

static void
ask(sqlite3 *handle, const char *sql, void (*row)(sqlite3_stmt *, json_t *), json_t *problems)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL);

	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(stmt);
		if (rc == SQLITE_ROW)
			row(stmt, problems);
	}
	if (rc != SQLITE_DONE)
		add(problems, json_sprintf("%s", sqlite3_errmsg(handle)));
	sqlite3_finalize(stmt);
}

void
dbcheck_run(const char *path, json_t *database, json_t *references)
{
	sqlite3 *handle = NULL;

	if (sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		add(database, json_sprintf("cannot be opened: %s", sqlite3_errmsg(handle)));
	else {
		sqlite3_busy_timeout(handle, WAIT_MS);
		/* Newer SQLite checks full-text tables, too, and wants their tokenizer. */
		(void)folding_install(handle);
		ask(handle, "PRAGMA integrity_check", integrity_row, database);
		ask(handle, "PRAGMA foreign_key_check", reference_row, references);
	}
	sqlite3_close(handle);
}

bool
dbcheck_texts(const char *path, const char *sql, int columns,
    void (*fn)(void *arg, const char *const *column), void *arg, char **why)
{
	const char *column[COLUMNS_MAX];
	sqlite3 *handle = NULL;
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, NULL);

	stet_assert(columns <= COLUMNS_MAX);
	if (rc == SQLITE_OK) {
		sqlite3_busy_timeout(handle, WAIT_MS);
		rc = sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL);
	}
	while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (int i = 0; i < columns; i++)
			column[i] = (const char *)sqlite3_column_text(stmt, i);
		fn(arg, column);
		rc = SQLITE_OK;
	}
	if (rc != SQLITE_DONE)
		*why = words_format("%s cannot be read: %s", path,
		    handle != NULL ? sqlite3_errmsg(handle) : "out of memory");
	sqlite3_finalize(stmt);
	sqlite3_close(handle);
	return rc == SQLITE_DONE;
}

/* ---- for the driver ---- */

enum db_there
dbcheck_there(const char *path)
{
	return access(path, F_OK) == 0 ? DB_THERE : DB_NOT_THERE;
}

void
dbcheck_all(const char *path, json_t *database, json_t *references, json_t *notes)
{
	(void)notes;
	dbcheck_run(path, database, references);
}
