/*
 * floor_sql.c - the SQL floor of `make bench`: what the database alone costs. The statements of GET
 * one item and of a list of 50, prepared once and stepped in a loop, every column copied.
 *
 *   floor_sql DB TABLE [SECONDS]   DB is a site's stet.db, TABLE a collection's ("c_articles");
 *                                  prints for each statement its microseconds a run
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define IDS_MAX 20000
#define LIST 50
#define LOOK 64 /* runs between two checks of the clock */

static struct {
	char id[IDS_MAX][27];
	int count;
} items;

static _Noreturn void
die(sqlite3 *db, const char *what)
{
	fprintf(stderr, "floor_sql: %s: %s\n", what, db != NULL ? sqlite3_errmsg(db) : "");
	exit(1);
}

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static sqlite3_stmt *
prepare(sqlite3 *db, const char *fmt, const char *table)
{
	sqlite3_stmt *s;
	char *sql = sqlite3_mprintf(fmt, table);

	if (sql == NULL || sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL))
		die(db, sql);
	sqlite3_free(sql);
	return s;
}

/* Returns ids from the whole table, in an order that does not follow its pages. */
static void
read_ids(sqlite3 *db, const char *table)
{
	sqlite3_stmt *s =
	    prepare(db, "SELECT id FROM \"%w\" WHERE deleted_at IS NULL LIMIT 2000000", table);
	uint64_t random = 88172645463325252U;
	int seen = 0;

	while (sqlite3_step(s) == SQLITE_ROW) {
		int at = items.count < IDS_MAX ? items.count++ : (int)(random % (uint64_t)++seen);

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		seen = seen < IDS_MAX ? IDS_MAX : seen;
		if (at < IDS_MAX)
			snprintf(items.id[at], sizeof(items.id[at]), "%s",
			    (const char *)sqlite3_column_text(s, 0));
	}
	sqlite3_finalize(s);
	for (int i = items.count - 1; i > 0; i--) {
		char swap[27];
		int k;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		k = (int)(random % (uint64_t)(i + 1));
		memcpy(swap, items.id[i], sizeof(swap));
		memcpy(items.id[i], items.id[k], sizeof(swap));
		memcpy(items.id[k], swap, sizeof(swap));
	}
	if (items.count == 0)
		die(NULL, "the table is empty");
}

/* Runs the statement once, and copies each column as a reply would. Returns the bytes copied. */
static size_t
step_all(sqlite3 *db, sqlite3_stmt *s)
{
	static char copy[1 << 22];
	int columns = sqlite3_column_count(s), rc;
	size_t total = 0;

	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		for (int i = 0; i < columns; i++) {
			const unsigned char *text = sqlite3_column_text(s, i);
			size_t len = (size_t)sqlite3_column_bytes(s, i);

			if (text != NULL && total + len < sizeof(copy))
				memcpy(copy + total, text, len);
			total += len;
		}
	if (rc != SQLITE_DONE)
		die(db, "step");
	sqlite3_reset(s);
	return total;
}

static void
measure(sqlite3 *db, const char *name, sqlite3_stmt *s, bool by_id, double seconds)
{
	double begun = now(), took = 0;
	long runs = 0;

	while (took < seconds) {
		for (int i = 0; i < LOOK; i++, runs++) {
			if (by_id)
				sqlite3_bind_text(
				    s, 1, items.id[runs % items.count], -1, SQLITE_STATIC);
			(void)step_all(db, s);
		}
		took = now() - begun;
	}
	printf("%s=%.2f\n", name, took * 1e6 / (double)runs);
	sqlite3_finalize(s);
}

int
main(int argc, char **argv)
{
	double seconds = argc > 3 ? strtod(argv[3], NULL) : 2;
	sqlite3 *db;
	char list[128];

	if (argc < 3) {
		fprintf(stderr, "usage: floor_sql DB TABLE [SECONDS]\n");
		return 2;
	}
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		die(db, argv[1]);
	read_ids(db, argv[2]);
	snprintf(list, sizeof(list),
	    "SELECT * FROM \"%%w\" WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC"
	    " LIMIT %d",
	    LIST);
	measure(db, "item",
	    prepare(db, "SELECT * FROM \"%w\" WHERE id = ?1 AND deleted_at IS NULL", argv[2]), true,
	    seconds);
	measure(db, "list", prepare(db, list, argv[2]), false, seconds);
	sqlite3_close(db);
	return 0;
}
