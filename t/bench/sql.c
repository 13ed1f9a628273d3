/*
 * sql.c - the other floor of `make bench`: a prepared statement, stepped in a loop, its row read.
 *
 *   sql FILE SECONDS SQL IDS   runs SQL with ?1 bound to each line of the file IDS in turn, and
 * prints rows/s
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define IDS_MAX 1000

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t
read_ids(const char *path, char ids[IDS_MAX][32])
{
	FILE *f = fopen(path, "r");
	size_t n = 0;

	while (f != NULL && n < IDS_MAX && fgets(ids[n], 32, f) != NULL) {
		ids[n][strcspn(ids[n], "\n")] = '\0';
		n++;
	}
	if (f != NULL)
		fclose(f);
	return n;
}

/* Step through all rows and touch every column. */
static long
step_all(sqlite3_stmt *stmt, unsigned long *bytes)
{
	long rows = 0;

	while (sqlite3_step(stmt) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++)
			if (sqlite3_column_text(stmt, i) != NULL)
				*bytes += (unsigned long)sqlite3_column_bytes(stmt, i);
		rows++;
	}
	sqlite3_reset(stmt);
	return rows;
}

int
main(int argc, char **argv)
{
	static char ids[IDS_MAX][32];
	unsigned long bytes = 0, runs = 0;
	double begin, end;
	sqlite3 *db;
	sqlite3_stmt *stmt;
	size_t n;

	if (argc != 5 || (n = read_ids(argv[4], ids)) == 0) {
		fputs("usage: sql FILE SECONDS SQL IDS\n", stderr);
		return 2;
	}
	if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) !=
		SQLITE_OK ||
	    sqlite3_prepare_v2(db, argv[3], -1, &stmt, NULL) != SQLITE_OK) {
		fprintf(stderr, "sql: %s\n", sqlite3_errmsg(db));
		return 1;
	}
	begin = seconds();
	end = begin + strtod(argv[2], NULL);
	while (seconds() < end) {
		sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
		sqlite3_bind_text(stmt, 1, ids[runs % n], -1, SQLITE_STATIC);
		if (step_all(stmt, &bytes) == 0) {
			fputs("sql: no row\n", stderr);
			return 1;
		}
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
		runs++;
	}
	printf("rate=%.0f bytes=%lu\n", (double)runs / (seconds() - begin), bytes / runs);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return 0;
}
