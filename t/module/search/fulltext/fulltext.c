/* fulltext.t - the SQL functions stet_fts_has and stet_fts: rows of many full-text tables. */
#include "../modules/search/fulltext/fulltext.h"

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <sqlite3.h>

#define ROWS 100 /* of each table; every third has the word odd, all have any */

static int
setup(void **state)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(fulltext_install(db), SQLITE_OK);
	for (int t = 1; t <= 70; t++) {
		char *sql = sqlite3_mprintf(
		    "CREATE VIRTUAL TABLE part_%d USING fts5(a, b);"
		    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		    "INSERT INTO part_%d (rowid, a, b) SELECT i, CASE i %% 3 WHEN 0 THEN 'any odd' ELSE"
		    " 'any' END, 'table %d' FROM n;",
		    t, ROWS, t, t);

		assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_free(sql);
	}
	*state = db;
	return 0;
}

static int
teardown(void **state)
{
	/* It is busy if a statement was left in it. */
	assert_int_equal(sqlite3_close(*state), SQLITE_OK);
	return 0;
}

/* Runs a statement to its end; the number in its last row. */
static int
ask(sqlite3 *db, const char *sql, int64_t *out)
{
	sqlite3_stmt *s;
	int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);

	*out = -1;
	if (rc != SQLITE_OK)
		return rc;
	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		*out = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return rc;
}

static void
says(sqlite3 *db, const char *sql, int64_t want)
{
	int64_t n;
	int rc = ask(db, sql, &n);

	if (rc != SQLITE_DONE || n != want)
		fail_msg("%s: %d (%s), %lld", sql, rc, sqlite3_errmsg(db), (long long)n);
}

static void
fails(sqlite3 *db, const char *sql, int want)
{
	int64_t n;

	assert_int_equal(ask(db, sql, &n), want);
}

#define NUMBERS(count) \
	"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " count ") "

/* Few seeks in a table, and so many that it is read. */
static void
a_row_is_found_in_its_table(void **state)
{
	says(*state, "SELECT stet_fts_has('part_1', 3, 'odd')", 1);
	says(*state, "SELECT stet_fts_has('part_1', 4, 'odd')", 0);
	says(*state, "SELECT stet_fts_has('part_1', 4, '{b} : any')", 0);
	says(*state, "SELECT stet_fts_has('part_9', 4, '{a b} : (\"any\" AND \"9\")')", 1);
	says(*state, "SELECT stet_fts_has('part_1', 101, 'any')", 0);
	says(*state, "SELECT stet_fts_has('part_1', -1, 'any')", 0);
	says(*state, "SELECT stet_fts_has('part_1', 9223372036854775807, 'any')", 0);
	says(*state, NUMBERS("100") "SELECT sum(stet_fts_has('part_1', i, 'odd')) FROM n", 33);
	says(*state,
	    NUMBERS("7000") "SELECT sum(stet_fts_has('part_' || (1 + i % 70), 1 + i / 70, 'odd')) "
			    "FROM n WHERE i < 7000",
	    33 * 70);
	/* Two expressions in one statement. */
	says(*state,
	    NUMBERS(
		"100") "SELECT sum(stet_fts_has('part_1', i, 'any') - stet_fts_has('part_1', i, "
		       "'odd')) FROM n",
	    67);
}

static void
the_rows_of_tables_are_listed(void **state)
{
	says(*state, "SELECT count(*) FROM stet_fts('part_1', 'odd')", 33);
	says(*state, "SELECT sum(n) FROM stet_fts('part_2', 'odd AND any')", 1683);
	says(*state, "SELECT count(*) FROM stet_fts('part_2', 'nothing')", 0);
	says(*state,
	    NUMBERS("70") "SELECT count(*) FROM n CROSS JOIN stet_fts('part_' || i, 'odd') AS m",
	    33 * 70);
	says(*state,
	    NUMBERS(
		"100") "SELECT count(*) FROM n WHERE i IN (SELECT n FROM stet_fts('part_1', 'odd'))",
	    33);
}

static void
what_is_wrong_is_an_error(void **state)
{
	fails(*state, "SELECT stet_fts_has('part_99', 1, 'any')", SQLITE_ERROR);
	fails(*state, "SELECT stet_fts_has('part_1\"', 1, 'any')", SQLITE_ERROR);
	fails(*state, "SELECT stet_fts_has('', 1, 'any')", SQLITE_ERROR);
	fails(*state, "SELECT stet_fts_has(NULL, 1, 'any')", SQLITE_ERROR);
	fails(*state, "SELECT stet_fts_has('part_1', 1, NULL)", SQLITE_ERROR);
	fails(*state, "SELECT stet_fts_has('part_1', 1, '\"')", SQLITE_ERROR);
	fails(*state, "SELECT stet_fts_has('sqlite_schema', 1, 'any')", SQLITE_ERROR);
	fails(*state, "SELECT count(*) FROM stet_fts('part_99', 'any')", SQLITE_ERROR);
	fails(*state, "SELECT count(*) FROM stet_fts(NULL, 'any')", SQLITE_ERROR);
	fails(*state, "SELECT count(*) FROM stet_fts('part_1', 'a:')", SQLITE_ERROR);
	fails(*state, "SELECT count(*) FROM stet_fts('part_1')", SQLITE_ERROR);
	fails(*state, "SELECT count(*) FROM stet_fts", SQLITE_ERROR);
	fails(*state, "CREATE VIRTUAL TABLE mine USING stet_fts", SQLITE_ERROR);
	says(*state, "SELECT stet_fts_has('part_1', 3, 'odd')", 1);
}

static void
a_statement_that_asks_too_much_ends(void **state)
{
	says(*state, NUMBERS("200000") "SELECT sum(stet_fts_has('part_1', i % 100, 'odd')) FROM n",
	    66000);
	fails(*state, NUMBERS("200001") "SELECT sum(stet_fts_has('part_1', i % 100, 'odd')) FROM n",
	    SQLITE_INTERRUPT);
	fails(*state,
	    NUMBERS(
		"2001") "SELECT count(*) FROM n CROSS JOIN stet_fts('part_' || (1 + i % 70), 'any')",
	    SQLITE_INTERRUPT);
	says(*state,
	    NUMBERS(
		"2000") "SELECT count(*) FROM n CROSS JOIN stet_fts('part_' || (1 + i % 70), 'any')",
	    200000);
}

#define check(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_row_is_found_in_its_table),
		check(the_rows_of_tables_are_listed),
		check(what_is_wrong_is_an_error),
		check(a_statement_that_asks_too_much_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
