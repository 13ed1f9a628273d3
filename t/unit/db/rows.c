/* rows.t - parameters and rows; statements that a call may not run; constraint violations and
 * faults. */
#include "store.h"
#include <sys/wait.h>

static int
setup(void **state)
{
	struct store *s = store_new();

	store_sql(s,
	    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, n INTEGER NOT NULL);"
	    "INSERT INTO item VALUES (1, 'one', 10), (2, 'two', 20), (3, 'three', 30)");
	*state = s;
	return 0;
}

static int
teardown(void **state)
{
	store_free(*state);
	return 0;
}

/* ---- values ---- */

static void
values_come_back_as_they_went_in(void **state)
{
	struct stet_call *call = store_call(*state);

	for (int kept = 0; kept < 2; kept++) {
		struct stet_rows rows;
		const char *text;
		const void *blob;
		size_t len;

		if (kept)
			call->op = NULL;
		assert_int_equal(
		    stet_one(call, &rows, STET_FAULT, "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8",
			STET_ARGS(INT64_MAX, 0.1, "caf\xc3\xa9", (const char *)NULL,
			    stet_val_strn("a\0b", 3), stet_val_blob("\0\1\2", 3),
			    stet_val_blob("", 0), true)),
		    STET_OK);
		assert_true(stet_col_int(&rows, 0) == INT64_MAX);
		assert_true(stet_col_real(&rows, 1) == 0.1);
		assert_string_equal(stet_col_str(&rows, 2), "caf\xc3\xa9");
		assert_true(stet_col_null(&rows, 3));
		assert_null(stet_col_str(&rows, 3));
		assert_null(stet_col_dup(&rows, 3));
		text = stet_col_text(&rows, 4, &len);
		assert_int_equal(len, 3);
		assert_memory_equal(text, "a\0b", 3);
		blob = stet_col_blob(&rows, 5, &len);
		assert_int_equal(len, 3);
		assert_memory_equal(blob, "\0\1\2", 3);
		assert_false(stet_col_null(&rows, 6));
		assert_int_equal(stet_col_int(&rows, 7), 1);
		assert_string_equal(stet_col_dup(&rows, 2), "caf\xc3\xa9");
		assert_string_equal(stet_col_str(&rows, 0), "9223372036854775807");
	}
	store_end(call);
}

static void
identifiers_are_quoted_and_values_bound(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, "", "name");
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, "it", "em");
	stet_sql_add(sql, " WHERE id IN (0");
	for (int i = 1; i < 40; i++) {
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_int(i == 39 ? 2 : i + 100));
	}
	stet_sql_add(sql, ")");
	assert_non_null(
	    strstr(stet_sql_text(sql), "SELECT \"name\" FROM \"item\" WHERE id IN (0, ?1"));
	assert_int_equal(stet_sql_one(sql, &rows, STET_NOT_FOUND), STET_OK);
	assert_string_equal(stet_col_str(&rows, 0), "two");
	store_end(call);
}

/* Returns true if fn aborts the process. */
static bool
stops(void (*fn)(struct stet_call *, const char *), struct stet_call *call, const char *arg)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		fn(call, arg);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
quote_name(struct stet_call *call, const char *name)
{
	stet_sql_ident(stet_sql_new(call), "", name);
}

static void
prefix_name(struct stet_call *call, const char *name)
{
	stet_sql_ident(stet_sql_new(call), "c_", name);
}

static void
take_tx(struct stet_call *call, const char *arg)
{
	(void)arg;
	stet_write_tx(call);
}

static void
identifiers_that_are_not_plain_stop_the_process(void **state)
{
	static const char *const bad[] = { "", "Item", "a b", "a\"b", "1a", "a-b", "caf\xc3\xa9" };
	struct stet_call *call = store_call(*state);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_true(stops(quote_name, call, bad[i]));
	assert_false(stops(quote_name, call, "_a9"));
	assert_false(stops(prefix_name, call, "9a"));
	assert_true(stops(take_tx, call, ""));
	store_end(call);
}

/* ---- refusals ---- */

static void
a_reader_only_reads(void **state)
{
	static const char *const bad[] = { "INSERT INTO item VALUES (9, 'x', 1)",
		"DELETE FROM item", "UPDATE item SET n = 1", "CREATE TABLE t (a)",
		"CREATE TEMP TABLE t (a)", "DROP TABLE item", "ATTACH 'x.db' AS x", "COMMIT",
		"BEGIN", "SAVEPOINT a", "PRAGMA query_only = OFF", "PRAGMA journal_mode = DELETE",
		"PRAGMA writable_schema = 1", "VACUUM", "ANALYZE", "REINDEX", "DETACH main" };
	struct store *s = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct stet_call *call = store_call(s);
		struct stet_rows rows;

		if (stet_query(call, &rows, bad[i], STET_NO_ARGS) == STET_OK)
			assert_false(stet_row(&rows)); /* VACUUM fails inside a transaction */
		assert_int_equal(stet_rows_end(&rows), STET_FAULT);
		assert_int_equal(call->error.status, STET_FAULT);
		assert_null(call->error.text);
		store_end(call);
	}
	assert_int_equal(store_int(s, "SELECT sum(n) FROM item"), 60);
}

static enum stet_status
meddle(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return stet_exec(call, tx, arg, STET_NO_ARGS);
}

static void
a_writer_leaves_transactions_alone(void **state)
{
	static const char *const bad[] = { "COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT a",
		"RELEASE call", "ATTACH 'x.db' AS x", "PRAGMA synchronous = OFF",
		"PRAGMA foreign_keys = OFF", "VACUUM" };
	struct store *s = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(store_write(s, meddle, (void *)(uintptr_t)bad[i]), STET_FAULT);
}

static void
double_quotes_are_not_strings(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_rows rows;

	assert_int_equal(
	    stet_query(call, &rows, "SELECT \"nothing_of_this_name\" FROM item", STET_NO_ARGS),
	    STET_FAULT);
	store_end(call);
}

static void
a_wrong_number_of_values_is_a_fault(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	struct stet_rows rows;

	assert_int_equal(stet_query(call, &rows, "SELECT ?1, ?2", STET_ARGS(1)), STET_FAULT);
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, "SELECT 1; SELECT 2", STET_NO_ARGS), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, " ", STET_NO_ARGS), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, "SELECT nonsense", STET_NO_ARGS), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, "SELECT 1 ; \n", STET_NO_ARGS), STET_OK);
	store_end(call);
	assert_true(store_logged(s, "no such column: nonsense"));
	assert_true(store_logged(s, "1 values for: SELECT ?1, ?2"));
}

/* ---- violations and faults ---- */

static enum stet_status
add_twice(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	static const char sql[] = "INSERT INTO item VALUES (?1, ?2, ?3)";

	(void)arg;
	assert_int_equal(stet_exec(call, tx, sql, STET_ARGS(7, "one", 1)), STET_CONFLICT);
	assert_int_equal(stet_exec(call, tx, sql, STET_ARGS(1, "x", 1)), STET_CONFLICT);
	assert_int_equal(call->error.status, STET_OK);
	assert_int_equal(stet_exec(call, tx, sql, STET_ARGS(7, "x", stet_val_null())), STET_FAULT);
	assert_int_equal(call->error.status, STET_FAULT);
	memset(&call->error, 0, sizeof(call->error));
	STET_TRY(stet_exec(call, tx, sql, STET_ARGS(7, "seven", 70)));
	assert_int_equal(stet_changes(call), 1);
	STET_TRY(stet_exec(call, tx, "UPDATE item SET n = n + 1 WHERE id < ?1", STET_ARGS(3)));
	assert_int_equal(stet_changes(call), 2);
	return STET_OK;
}

/* ---- rows that no statement has read ---- */

static void
a_row_is_made_of_values(void **state)
{
	struct stet_call *call = store_call(*state);
	const struct stet_val v[] = { stet_val_null(), stet_val_int(7), stet_val_real(1.5),
		stet_val_str("text"), stet_val_blob("b", 1) };
	struct stet_rows rows;
	size_t len;

	stet_rows_made(call, &rows, v, 5);
	assert_true(stet_row(&rows)); /* the first row is current before, too */
	assert_true(stet_col_null(&rows, 0));
	assert_null(stet_col_str(&rows, 0));
	assert_int_equal(stet_col_int(&rows, 0), 0);
	assert_int_equal(stet_col_int(&rows, 1), 7);
	assert_true(stet_col_real(&rows, 2) == 1.5);
	assert_string_equal(stet_col_dup(&rows, 3), "text");
	assert_memory_equal(stet_col_blob(&rows, 4, &len), "b", 1);
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	store_end(call);
}

static void
a_taken_key_is_a_conflict_and_others_are_faults(void **state)
{
	struct store *s = *state;

	assert_int_equal(store_write(s, add_twice, NULL), STET_OK);
	assert_int_equal(store_int(s, "SELECT count(*) FROM item"), 4);
	assert_int_equal(store_int(s, "SELECT n FROM item WHERE id = 1"), 11);
	assert_true(store_logged(s, "NOT NULL constraint failed"));
	/* A conflict is an expected result, so it is not logged. */
	assert_false(store_logged(s, "error test [] UNIQUE"));
}

static enum stet_status
insert_returning(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;

	(void)tx;
	STET_TRY(stet_query(call, &rows,
	    "INSERT INTO item (name, n) VALUES ('new', 5) RETURNING id", STET_NO_ARGS));
	assert_true(stet_row(&rows));
	*(int64_t *)arg = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static void
returning_gives_rows(void **state)
{
	int64_t id = 0;

	assert_int_equal(store_write(*state, insert_returning, &id), STET_OK);
	assert_int_equal(id, 4);
	assert_int_equal(store_int(*state, "SELECT n FROM item WHERE id = 4"), 5);
}

static void
a_query_stops_at_the_deadline(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_rows rows;

	call->deadline = clock_monotonic() - 1;
	assert_int_equal(stet_query(call, &rows,
			     "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
			     " SELECT count(*) FROM n",
			     STET_NO_ARGS),
	    STET_OK);
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_REQUEST_TIMEOUT);
	assert_int_equal(call->error.status, STET_REQUEST_TIMEOUT);
	store_end(call);
}

static void
many_short_queries_stop_at_the_deadline(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_rows rows;
	enum stet_status status = STET_OK;
	int n = 0;

	call->deadline = clock_monotonic() - 1;
	for (; n < 100 && status == STET_OK; n++)
		if ((status = stet_query(call, &rows, "SELECT 1", STET_NO_ARGS)) == STET_OK)
			status = stet_rows_end(&rows);
	assert_int_equal(status, STET_REQUEST_TIMEOUT);
	assert_true(n <= 16);
	store_end(call);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* ---- a query of many texts ---- */

static int64_t
named(struct stet_call *call, const char *const *name, size_t count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT count(*) FROM item WHERE name IN (");
	stet_sql_select(sql, name, count);
	stet_sql_add(sql, ")");
	assert_int_equal(stet_sql_one(sql, &rows, STET_FAULT), STET_OK);
	return stet_col_int(&rows, 0);
}

static void
texts_are_rows(void **state)
{
	static const char *const names[] = { "one", "a\"b,]\\", "", "three", "one" };
	struct stet_call *call = store_call(*state);

	assert_int_equal(named(call, names, 5), 2);
	assert_int_equal(named(call, names, 1), 1);
	assert_int_equal(named(call, names, 0), 0);
	store_end(call);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(values_come_back_as_they_went_in),
		TEST(identifiers_are_quoted_and_values_bound),
		TEST(identifiers_that_are_not_plain_stop_the_process),
		TEST(a_reader_only_reads),
		TEST(a_writer_leaves_transactions_alone),
		TEST(double_quotes_are_not_strings),
		TEST(a_wrong_number_of_values_is_a_fault),
		TEST(a_taken_key_is_a_conflict_and_others_are_faults),
		TEST(returning_gives_rows),
		TEST(a_row_is_made_of_values),
		TEST(texts_are_rows),
		TEST(a_query_stops_at_the_deadline),
		TEST(many_short_queries_stop_at_the_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
