/* snippet.t - the SQL function stet_snippet: parts of a row that a full-text query finds. */
#include "../modules/search/fulltext/lengths.h"
#include "../modules/search/fulltext/match.h"

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdlib.h>
#include <string.h>

static struct lengths *lengths;

static int
setup(void **state)
{
	sqlite3 *db;

	lengths = lengths_new();
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(match_install(db, lengths), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db,
		"CREATE VIRTUAL TABLE part USING fts5(a, b, c);"
		"INSERT INTO part VALUES ('one zebra', 'no', 'two three zebra and four zebra')",
		NULL, NULL, NULL),
	    SQLITE_OK);
	*state = db;
	return 0;
}

static int
teardown(void **state)
{
	assert_int_equal(sqlite3_close(*state), SQLITE_OK);
	lengths_free(lengths);
	return 0;
}

/* The snippet of the row, with arguments after the table; "NULL" if it is that. */
static void
says(sqlite3 *db, const char *args, const char *query, const char *want)
{
	char *sql = sqlite3_mprintf(
	    "SELECT replace(replace(stet_snippet(part%s), char(1), '<'), char(2), '>') "
	    "FROM part WHERE part MATCH %Q",
	    args, query);
	const char *got;
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	got = (const char *)sqlite3_column_text(s, 0);
	if (strcmp(got != NULL ? got : "NULL", want) != 0)
		fail_msg("%s: %s", sql, got != NULL ? got : "NULL");
	sqlite3_finalize(s);
	sqlite3_free(sql);
}

static void
it_is_of_the_column_with_the_most_phrases(void **state)
{
	says(*state, ", 64", "zebra", "two three <zebra> and four <zebra>");
	says(*state, "", "one", "<one> zebra");
	says(*state, ", 2", "four", "...<four> zebra");
}

static void
of_one_column_it_is_what_stands_there(void **state)
{
	says(*state, ", 64, 0, 99", "zebra", "one <zebra>");
	says(*state, ", 64, 1, 99", "zebra", "NULL");
	says(*state, ", 64, 2, 99", "zebra", "two three <zebra> and four <zebra>");
	says(*state, ", 64, 3, 99", "zebra", "NULL");
	says(*state, ", 64, 2, 99", "one", "NULL");
}

static void
of_its_first_words_none_behind_them_is_marked(void **state)
{
	says(*state, ", 64, 2, 5", "zebra", "two three <zebra> and four zebra");
	says(*state, ", 64, 2, 3", "zebra", "two three <zebra> and four zebra");
	says(*state, ", 64, 2, 2", "zebra", "NULL");
	says(*state, ", 64, 2, 2", "\"three zebra\"", "NULL");
	says(*state, ", 64, 2, 0", "zebra", "NULL");
	says(*state, ", 64, 2, -2147483648", "zebra", "NULL");
}

#define check(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(it_is_of_the_column_with_the_most_phrases),
		check(of_one_column_it_is_what_stands_there),
		check(of_its_first_words_none_behind_them_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
