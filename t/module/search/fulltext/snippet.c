/* snippet.t - the SQL functions stet_snippet and stet_snippet_of: parts of a row that a full-text
 * query finds. */
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

/* The places of a query, as stet_match returns them, in a blob as stet_snippet_of takes it: after
 * the places of another row. */
static size_t
places(sqlite3 *db, const char *query, int32_t rowid, int32_t *out, size_t room)
{
	const int32_t other[] = { rowid + 1, 1, 0, 0, 1, 1, rowid };
	sqlite3_stmt *s;
	const int32_t *n;
	size_t count, before;

	assert_int_equal(
	    sqlite3_prepare_v2(
		db, "SELECT stet_match(part, 'part') FROM part WHERE part MATCH ?1", -1, &s, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_bind_text(s, 1, query, -1, SQLITE_STATIC), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	n = sqlite3_column_blob(s, 0);
	before = 1 + 2 * (size_t)n[0];
	count = (size_t)sqlite3_column_bytes(s, 0) / sizeof(*n) - before;
	assert_true(8 + count <= room);
	memcpy(out, other, sizeof(other));
	out[7] = (int32_t)count / MATCH_PLACE;
	memcpy(out + 8, n + before, count * sizeof(*n));
	sqlite3_finalize(s);
	return 8 + count;
}

/* The snippet of row 1 from a blob. */
static void
says_of(sqlite3 *db, const int32_t *rows, size_t numbers, const char *want)
{
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(db,
			     "SELECT replace(replace(stet_snippet_of(part, 64, rowid, ?1), "
			     "char(1), '<'), char(2), '>') FROM part WHERE rowid IN (1, 99)",
			     -1, &s, NULL),
	    SQLITE_OK);
	assert_int_equal(
	    sqlite3_bind_blob(s, 1, rows, (int)(numbers * sizeof(*rows)), SQLITE_STATIC),
	    SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(s, 0), want);
	sqlite3_finalize(s);
}

static void
from_known_places_it_is_the_same_without_a_query(void **state)
{
	static const char *const cases[][2] = {
		{ "zebra", "two three <zebra> and four <zebra>" },
		{ "one", "<one> zebra" },
		{ "\"three zebra\" OR fou*", "two <three zebra> and <four> zebra" },
	};
	int32_t rows[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		says_of(*state, rows, places(*state, cases[i][0], 1, rows, 256), cases[i][1]);
}

static void
places_that_cannot_be_are_left_out(void **state)
{
	const int32_t wrong[] = { 1, 6, 0, 3, 0, 0, 0, -1, 0, 0, 0, 2, -1, 0, 0, 2, 2, 1, 0, 2, 90,
		90, 0, 2, 5, 2147483647 };
	const int32_t cut[] = { 1, 2, 0, 2, 2, 2 }, less[] = { 1, -1, 0, 2, 2, 2 };

	says_of(*state, NULL, 0, "one zebra");
	says_of(*state, cut, 6, "one zebra");
	says_of(*state, less, 6, "one zebra");
	says_of(*state, cut, 1, "one zebra");
	says_of(*state, wrong, sizeof(wrong) / sizeof(wrong[0]), "two three zebra and four zebra");
}

#define check(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(it_is_of_the_column_with_the_most_phrases),
		check(of_one_column_it_is_what_stands_there),
		check(of_its_first_words_none_behind_them_is_marked),
		check(from_known_places_it_is_the_same_without_a_query),
		check(places_that_cannot_be_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
