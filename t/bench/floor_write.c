/*
 * floor_write.c - the floor of writes in `make bench`: what a create or an update has changed in
 * the database, done again and again, with new ids and to other items, in transactions of as many
 * as a group commit takes. No HTTP, no JSON, no checks; the same tables, indexes, full-text and
 * durability.
 *
 *   floor_write DB
 *       prints the last row of each table of a site's stet.db
 *   floor_write DB MARKS SECONDS BEFORE
 *       MARKS: a file with what that has printed before one write; BEFORE: a copy of the database
 *       as it was then, for what the write has changed. Prints microseconds of processor time a
 *       write, writes a second, and how many rows each has
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define ROWS_MAX 64
#define COLUMNS_MAX 128
#define GROUP 64 /* writes in a transaction */
#define STEP 7919 /* distance from one changed row to the next */
#define ID 26 /* characters of an id */

struct row {
	sqlite3_stmt *write;
	sqlite3_value *value[COLUMNS_MAX];
	int columns, number; /* index of the column that is an alias of the rowid, or -1 */
	int64_t among; /* an update: the number of rows from which one is chosen; 0: an insert */
};

static struct row rows[ROWS_MAX];
static int row_count;

static _Noreturn void
die(sqlite3 *db, const char *what)
{
	fprintf(stderr, "floor_write: %s: %s\n", what, db != NULL ? sqlite3_errmsg(db) : "");
	exit(1);
}

static sqlite3_stmt *
prepare(sqlite3 *db, char *sql)
{
	sqlite3_stmt *s;

	if (sql == NULL || sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL))
		die(db, sql != NULL ? sql : "no memory");
	sqlite3_free(sql);
	return s;
}

static void
run(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(db, sql);
}

/* ---- the rows of one write ---- */

/* Lists the tables, except the internal tables of FTS5 and those that only show its terms. */
#define TABLES                                                                                      \
	"SELECT t.name FROM sqlite_schema t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' " \
	"AND t.sql NOT LIKE '%fts5vocab%' "                                                         \
	"AND NOT EXISTS (SELECT 1 FROM sqlite_schema v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND "     \
	"t.name <> v.name AND substr(t.name, 1, length(v.name) + 1) = v.name || '_')"

static int64_t
last_of(sqlite3 *db, const char *table)
{
	sqlite3_stmt *s = prepare(db, sqlite3_mprintf("SELECT max(rowid) FROM \"%w\"", table));
	int64_t last;

	if (sqlite3_step(s) != SQLITE_ROW)
		die(db, table);
	last = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return last;
}

static void
print_marks(sqlite3 *db)
{
	sqlite3_stmt *s = prepare(db, sqlite3_mprintf("%s", TABLES));

	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(s, 0);

		printf("%s %lld\n", table, (long long)last_of(db, table));
	}
	sqlite3_finalize(s);
}

/* Returns the index of the column that is an alias of the rowid. */
static int
number_of(sqlite3 *db, const char *table)
{
	sqlite3_stmt *s = prepare(
	    db, sqlite3_mprintf("SELECT sum(cid) FROM pragma_table_info(%Q) WHERE pk > 0 GROUP BY "
				"NULL HAVING count(*) = 1 AND max(type) = 'INTEGER'",
		    table));
	int number = sqlite3_step(s) == SQLITE_ROW ? sqlite3_column_int(s, 0) : -1;

	sqlite3_finalize(s);
	return number;
}

static sqlite3_stmt *
prepare_insert(sqlite3 *db, const char *table, int columns)
{
	char *sql = sqlite3_mprintf("INSERT INTO \"%w\" VALUES (?", table);

	for (int i = 1; i < columns; i++)
		sql = sqlite3_mprintf("%z, ?", sql);
	return prepare(db, sqlite3_mprintf("%z)", sql));
}

static struct row *
new_row(sqlite3_stmt *s)
{
	if (row_count == ROWS_MAX || sqlite3_column_count(s) >= COLUMNS_MAX)
		die(NULL, "more rows than one write has: was it one?");
	return &rows[row_count++];
}

static void
take_rows(sqlite3 *db, const char *table, int64_t after)
{
	sqlite3_stmt *s =
	    prepare(db, sqlite3_mprintf("SELECT * FROM \"%w\" WHERE rowid > %lld", table, after));

	while (sqlite3_step(s) == SQLITE_ROW) {
		struct row *r = new_row(s);

		r->columns = sqlite3_column_count(s);
		r->number = number_of(db, table);
		r->write = prepare_insert(db, table, r->columns);
		for (int i = 0; i < r->columns; i++)
			r->value[i] = sqlite3_value_dup(sqlite3_column_value(s, i));
	}
	sqlite3_finalize(s);
}

static bool
is_same(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
	const void *x = sqlite3_column_blob(a, column), *y = sqlite3_column_blob(b, column);
	const int len = sqlite3_column_bytes(a, column);

	return len == sqlite3_column_bytes(b, column) &&
	       (len == 0 || memcmp(x, y, (size_t)len) == 0);
}

/* Returns the columns in which two rows differ. Column 0 of both is the rowid. */
static void
take_change(sqlite3 *db, const char *table, sqlite3_stmt *now, sqlite3_stmt *before)
{
	char *sql = sqlite3_mprintf("UPDATE \"%w\" SET ", table);
	struct row *r = new_row(now);

	r->number = -1;
	r->among = last_of(db, table);
	for (int i = 1; i < sqlite3_column_count(now); i++)
		if (!is_same(now, before, i)) {
			sql = sqlite3_mprintf("%z%s\"%w\" = ?", sql, r->columns > 0 ? ", " : "",
			    sqlite3_column_name(now, i));
			r->value[r->columns++] = sqlite3_value_dup(sqlite3_column_value(now, i));
		}
	r->write = prepare(db, sqlite3_mprintf("%z WHERE rowid = ?", sql));
}

/* Finds rows that the write changed: they are in both databases, with other values in `before`. */
static void
take_changes(sqlite3 *db, const char *table, int64_t until)
{
	sqlite3_stmt *now = prepare(db,
	    sqlite3_mprintf("SELECT rowid, * FROM main.\"%w\" WHERE rowid <= %lld EXCEPT SELECT "
			    "rowid, * FROM before.\"%w\"",
		table, until, table));
	sqlite3_stmt *old = prepare(
	    db, sqlite3_mprintf("SELECT rowid, * FROM before.\"%w\" WHERE rowid = ?", table));

	while (sqlite3_step(now) == SQLITE_ROW) {
		sqlite3_bind_int64(old, 1, sqlite3_column_int64(now, 0));
		if (sqlite3_step(old) == SQLITE_ROW)
			take_change(db, table, now, old);
		sqlite3_reset(old);
	}
	sqlite3_finalize(now);
	sqlite3_finalize(old);
}

static void
attach(sqlite3 *db, const char *before)
{
	char *sql = sqlite3_mprintf("ATTACH %Q AS before", before);

	run(db, sql);
	sqlite3_free(sql);
}

static void
read_rows(sqlite3 *db, const char *marks, const char *before)
{
	FILE *file = fopen(marks, "r");
	char table[200];
	long long last;

	if (file == NULL)
		die(NULL, marks);
	attach(db, before);
	while (fscanf(file, "%199s %lld", table, &last) == 2) {
		take_rows(db, table, last);
		take_changes(db, table, last);
	}
	fclose(file);
	run(db, "DETACH before");
	if (row_count == 0)
		die(NULL, "there are no rows after these marks");
}

/* ---- writing them ---- */

/* Returns true if the text is an id, or the slug of an item, which must be unique. Ids of users and
 * collections are not replaced, since nothing checks them here. */
static bool
is_id(const unsigned char *text, int len)
{
	return len == ID && strspn((const char *)text, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ID;
}

static bool
is_slug(const unsigned char *text, int len)
{
	return len > 4 && strncmp((const char *)text, "new-", 4) == 0;
}

static void
bind(struct row *r, int i, long number)
{
	sqlite3_value *v = r->value[i];
	const unsigned char *text =
	    sqlite3_value_type(v) == SQLITE_TEXT ? sqlite3_value_text(v) : NULL;
	int len = text != NULL ? sqlite3_value_bytes(v) : 0;
	char other[ID + 20];

	if (i == r->number) {
		sqlite3_bind_null(r->write, i + 1);
	} else if (text != NULL && is_id(text, len)) {
		/* Ids begin with the time, so new ones sort last. */
		snprintf(other, sizeof(other), "%.10sZ%015ld", text, number);
		sqlite3_bind_text(r->write, i + 1, other, ID, SQLITE_TRANSIENT);
	} else if (text != NULL && is_slug(text, len)) {
		snprintf(other, sizeof(other), "floor-%ld", number);
		sqlite3_bind_text(r->write, i + 1, other, -1, SQLITE_TRANSIENT);
	} else {
		sqlite3_bind_value(r->write, i + 1, v);
	}
}

static void
write_rows(sqlite3 *db, long number)
{
	for (int k = 0; k < row_count; k++) {
		for (int i = 0; i < rows[k].columns; i++)
			bind(&rows[k], i, number);
		if (rows[k].among > 0)
			sqlite3_bind_int64(
			    rows[k].write, rows[k].columns + 1, 1 + number * STEP % rows[k].among);
		if (sqlite3_step(rows[k].write) != SQLITE_DONE)
			die(db, sqlite3_sql(rows[k].write));
		sqlite3_reset(rows[k].write);
	}
}

static double
seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static double
used(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return seconds_of(&u.ru_utime) + seconds_of(&u.ru_stime);
}

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
measure(sqlite3 *db, double seconds)
{
	double begun = now(), before = used(), took = 0;
	long count = 0;

	while (took < seconds) {
		run(db, "BEGIN IMMEDIATE");
		for (int i = 0; i < GROUP; i++)
			write_rows(db, ++count);
		run(db, "COMMIT");
		took = now() - begun;
	}
	printf("floor_cost=%.2f floor_rate=%.0f floor_rows=%d\n",
	    (used() - before) * 1e6 / (double)count, (double)count / took, row_count);
}

int
main(int argc, char **argv)
{
	sqlite3 *db;

	if (argc != 2 && argc != 5) {
		fprintf(stderr, "usage: floor_write DB [MARKS SECONDS BEFORE]\n");
		return 2;
	}
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		die(db, argv[1]);
	/* Opens the database with the daemon's settings (core/db/db.c). A checkpoint copies the WAL
	 * when it has 16 MiB. */
	run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;"
		"PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4096;");
	if (argc == 2) {
		print_marks(db);
	} else {
		read_rows(db, argv[2], argv[4]);
		measure(db, strtod(argv[3], NULL));
	}
	for (int k = 0; k < row_count; k++) {
		for (int i = 0; i < rows[k].columns; i++)
			sqlite3_value_free(rows[k].value[i]);
		sqlite3_finalize(rows[k].write);
	}
	sqlite3_close(db);
	return 0;
}
