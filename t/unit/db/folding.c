/* folding.t - folded texts in SQL: stet_has, and the tokens that the tokenizer stet_fold makes. */
#include "db/sqlite/folding.h"

/* cmocka.h needs these headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
setup(void **state)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(folding_install(db), SQLITE_OK);
	*state = db;
	return 0;
}

static int
teardown(void **state)
{
	assert_int_equal(sqlite3_close(*state), SQLITE_OK);
	return 0;
}

static void
run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

/* Returns the first column of the first row, as text; static buffer. */
static const char *
answer(sqlite3 *db, const char *sql)
{
	static char out[400];
	sqlite3_stmt *s;

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	snprintf(out, sizeof(out), "%s",
	    sqlite3_column_type(s, 0) == SQLITE_NULL ? "NULL"
						     : (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return out;
}

static void
a_text_has_another_without_regard_to_case_and_accents(void **state)
{
	assert_string_equal(answer(*state, "SELECT stet_has('In Łódź', 'lodz')"), "1");
	assert_string_equal(answer(*state, "SELECT stet_has('In Łódź', 'Łódź')"), "0");
	assert_string_equal(answer(*state, "SELECT stet_has('ABC', 'bc')"), "1");
	assert_string_equal(answer(*state, "SELECT stet_has('ABC', '')"), "1");
	assert_string_equal(answer(*state, "SELECT stet_has('', 'a')"), "0");
	assert_string_equal(answer(*state, "SELECT stet_has(NULL, 'a')"), "NULL");
	assert_string_equal(answer(*state, "SELECT stet_has(x'c3', ' ')"), "1");
	/* The buffer of a statement is reused for rows of any length. */
	assert_string_equal(
	    answer(*state,
		"WITH t(x) AS (VALUES ('Ä'), (replace(hex(zeroblob(5000)), '00', 'É')), ('ä'))"
		" SELECT sum(stet_has(x, 'a')) FROM t"),
	    "2");
}

/* Checks the position of each token, by the words that highlight() marks. */
static void
tokens_stand_where_they_stood_in_the_text(void **state)
{
	static const char *const cases[][2] = { { "strasse", "die [Straße]," },
		{ "zurich", "[Zu\u0308rich\u0301]!" }, { "wasallam", "Zürich, \uff26\uff35" },
		{ "fu", "Zürich, [\uff26\uff35]" }, { "aesop", "[\u00c6sop]" },
		{ "soft", "[so\u00adft]" }, { "ガギ", "[\uff76\uff9e\uff77\uff9e]" },
		{ "한국", "[\u1112\u1161\u11ab\u1100\u116e\u11a8]" },
		{ "x", "\xff[x]\xc3 \xe2\x82" } };
	sqlite3 *db = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char plain[100], *to = plain, *sql;

		for (const char *p = cases[i][1]; *p != '\0'; p++)
			if (*p != '[' && *p != ']')
				*to++ = *p;
		*to = '\0';
		run(db, "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = 'stet_fold unicode61')");
		sql = sqlite3_mprintf("INSERT INTO t VALUES (%Q)", plain);
		run(db, sql);
		sqlite3_free(sql);
		sql = sqlite3_mprintf("SELECT coalesce((SELECT highlight(t, 0, '[', ']') FROM t "
				      "WHERE t MATCH '\"%s\"'), a) FROM t",
		    cases[i][0]);
		assert_string_equal(answer(db, sql), cases[i][1]);
		sqlite3_free(sql);
		run(db, "INSERT INTO t(t) VALUES ('integrity-check')");
		run(db, "DROP TABLE t");
	}
}

static void
a_tokenizer_that_is_not_there_is_an_error(void **state)
{
	assert_int_not_equal(
	    sqlite3_exec(*state, "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = 'stet_fold')",
		NULL, NULL, NULL),
	    SQLITE_OK);
	assert_int_not_equal(
	    sqlite3_exec(*state,
		"CREATE VIRTUAL TABLE t USING fts5(a, tokenize = 'stet_fold nothing')", NULL, NULL,
		NULL),
	    SQLITE_OK);
}

/* A text is folded in parts. Trigrams that span two parts occur exactly once. */
static void
no_trigram_is_lost_between_parts(void **state)
{
	sqlite3 *db = *state;

	run(db,
	    "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = 'stet_fold trigram');"
	    "CREATE VIRTUAL TABLE v USING fts5vocab(t, instance);"
	    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59999)"
	    "INSERT INTO t SELECT group_concat(CASE i % 7 WHEN 0 THEN 'é ' ELSE 'ab' || (i % 10) || ' ' "
	    "END, '') FROM n;");
	assert_string_equal(answer(db, "SELECT count(*) > 200000 FROM v"), "1");
	assert_string_equal(
	    answer(db, "SELECT (SELECT count(*) FROM v) = (SELECT length(a) - 2 FROM t)"), "1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define each(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		each(a_text_has_another_without_regard_to_case_and_accents),
		each(tokens_stand_where_they_stood_in_the_text),
		each(a_tokenizer_that_is_not_there_is_an_error),
		each(no_trigram_is_lost_between_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
