/* ask.c - asks a database on a connection that lasts for one question. */
#include "db/ask.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include "db/driver.h"
#include "db/stmt.h"
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 9

enum db_there
db_there(const char *place)
{
	const struct db_driver *driver = db_driver_of(place);

	return driver != NULL ? driver->there(place) : DB_UNKNOWN;
}

/* ---- queries ---- */

static enum db_error
each_row(struct stmt *s, int columns, void (*fn)(void *, const char *const *), void *arg)
{
	const char *column[COLUMNS_MAX];
	enum db_error error = s->driver->send(s, NULL, 0);

	while (error == DB_OK && (error = s->driver->row(s)) == DB_OK) {
		for (int i = 0; i < columns; i++)
			column[i] = s->driver->text(s, i, NULL);
		fn(arg, column);
	}
	return error == DB_END ? DB_OK : error;
}

/* For engines without a way of their own. */
static bool
ask(struct db *db, const char *sql, int columns, void (*fn)(void *, const char *const *), void *arg)
{
	struct stmt *s = NULL;
	enum db_error error;
	bool again;

	if (db_begin(db, DB_READ) != STET_OK)
		return false;
	error = stmt_get(db, sql, &s, &again);
	if (error == DB_OK) {
		error = each_row(s, columns, fn, arg);
		stmt_put(s);
	}
	return error == DB_OK;
}

bool
db_ask(const char *place, const char *sql, int columns, void (*fn)(void *, const char *const *),
    void *arg, char **why)
{
	const struct db_driver *driver = db_driver_of(place);
	struct db *db;
	bool good;

	stet_assert(columns <= COLUMNS_MAX);
	if (driver != NULL && driver->ask != NULL)
		return driver->ask(place, sql, columns, fn, arg, why);
	if ((db = db_open(place, DB_READ)) == NULL) {
		*why = words_format("the database cannot be opened");
		return false;
	}
	good = ask(db, sql, columns, fn, arg);
	if (!good)
		*why = words_format("the database cannot be read: %s", db->driver->message(db));
	db_rollback(db);
	db_close(db);
	return good;
}

static void
note_there(void *arg, const char *const *column)
{
	(void)column;
	*(bool *)arg = true;
}

bool
db_ask_table(const char *place, const char *table, bool *has, char **why)
{
	const struct db_driver *driver = db_driver_of(place);
	const char *at = driver != NULL ? strstr(driver->table_exists, "?1") : NULL;
	char *sql;
	bool good;

	*has = false;
	stet_assert(at != NULL);
	sql = words_format("%.*s'%s'%s", (int)(at - driver->table_exists), driver->table_exists,
	    table, at + strlen("?1"));
	good = db_ask(place, sql, 1, note_there, has, why);
	free(sql);
	return good;
}

/* ---- the journal ---- */

static void
note_migration(void *modules, const char *const *column)
{
	const char *version = column[1] != NULL ? column[1] : "";

	json_object_set_new(modules, column[0] != NULL ? column[0] : "",
	    json_pack("{s:I, s:s}", "version", (json_int_t)strtoll(version, NULL, 10), "digest",
		column[2] != NULL ? column[2] : ""));
}

json_t *
db_ask_journal(const char *place, char **why)
{
	json_t *modules = json_object();
	char *words = NULL;

	if (!db_ask(place, "SELECT module, version, digest FROM migration ORDER BY module, version",
		3, note_migration, modules, &words)) {
		*why = words_format("the journal of migrations: %s", words);
		json_decref(modules);
		modules = NULL;
	}
	free(words);
	return modules;
}
