/*
 * pgrows.t - many rows on PostgreSQL: large results come in portions, whatever else the connection
 * does; changes that are put off become statements of many rows; answers that nobody waits for keep
 * their order; lists are planned once.
 */
#include "db/batch.h"
#include "db/rows.h"
#include "pgserver.h"
#include <stet/call.h>

#define ROWS 20000
#define ROW_BYTES 5000 /* 100 MB in all */

/* The most memory that this process has had, in MiB. */
static int
peak(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[128];
	int kib = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0)
			kib = (int)strtol(line + 6, NULL, 10);
	(void)fclose(f);
	return kib / 1024;
}

/* Reads all rows; with `each`, asks for something else at each of so many. */
static void
reads_all(struct stet_call *call, int each)
{
	struct stet_rows rows, other;
	int n = 0;

	assert_int_equal(
	    stet_query(call, &rows, "SELECT id, t, e FROM large ORDER BY id", NULL, 0), STET_OK);
	while (stet_row(&rows)) {
		size_t len;
		char begin[16];
		const char *t = stet_col_text(&rows, 1, &len);

		snprintf(begin, sizeof(begin), "%d,", ++n);
		assert_int_equal(stet_col_int(&rows, 0), n);
		assert_int_equal(len, ROW_BYTES);
		assert_memory_equal(t, begin, strlen(begin));
		assert_true(n % 3 == 0 ? stet_col_null(&rows, 2) : *stet_col_str(&rows, 2) == '\0');
		if (each == 0 || n % each != 0)
			continue;
		assert_int_equal(stet_one(call, &other, STET_NOT_FOUND,
				     "SELECT id FROM large WHERE id = ?1", STET_ARGS(n)),
		    STET_OK);
		assert_int_equal(stet_col_int(&other, 0), n);
		assert_int_equal(stet_rows_end(&other), STET_OK);
	}
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	assert_int_equal(n, ROWS);
}

static void
test_many_rows_take_little_memory(void **state)
{
	static const char sql[] =
	    "CREATE TABLE large (id INTEGER PRIMARY KEY, t TEXT, e TEXT);"
	    "INSERT INTO large (id, t, e) SELECT n, rpad(n || ',', 5000, 'x'),"
	    " CASE WHEN n % 3 = 0 THEN NULL ELSE '' END FROM generate_series(1, 20000) AS s (n)";
	struct store *s = *state;
	struct stet_call *call;
	struct stet_rows rows;
	int before;

	store_sql(s, sql);
	call = store_call(s);
	call->deadline = 0;
	assert_int_equal(rows_begin_read(call), STET_OK);
	before = peak();
	reads_all(call, 0);
	reads_all(call, 1500);
	reads_all(call, 7);
	/* Who stops early, or fails within, leaves the connection usable. */
	assert_int_equal(
	    stet_query(call, &rows, "SELECT t FROM large ORDER BY id", NULL, 0), STET_OK);
	assert_true(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	reads_all(call, 0);
	/* And so does who wants none of the rows after all. */
	assert_int_equal(
	    stet_query(call, &rows, "SELECT id, t FROM large ORDER BY id", NULL, 0), STET_OK);
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	reads_all(call, 0);
	assert_int_equal(
	    stet_query(call, &rows, "SELECT 1 / (id - 5000), t FROM large ORDER BY id", NULL, 0),
	    STET_OK);
	for (int n = 1; n < 5000; n++)
		assert_true(stet_row(&rows));
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_FAULT);
	store_end(call);
	assert_int_equal(store_int(s, "SELECT count(*) FROM large"), ROWS);
	printf("# 100 MB of rows: %d MiB of memory, %d MiB more than before\n", peak(),
	    peak() - before);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which keep what was freed \
								     */
	assert_true(peak() - before < 20);
#endif
}

/* ---- what is put off ---- */

#define LATER 70 /* rows: 32 + 32 + 4 + 2 */

static enum stet_status
puts_off(struct stet_call *call, struct stet_tx *tx, void *fails)
{
	for (int i = 0; i < LATER; i++) {
		STET_TRY(stet_exec_later(call, tx, STET_LATER_ROW, "l",
		    "INSERT INTO l (t, x, kind) VALUES (?1, ?2, 'it?')",
		    STET_ARGS(stet_printf(call, "%d", i), stet_val_null())));
		STET_TRY(stet_exec_later(call, tx, STET_LATER_SUM, "k",
		    "INSERT INTO k (id, n) VALUES (?1, ?2)"
		    " ON CONFLICT (id) DO UPDATE SET n = k.n + excluded.n",
		    STET_ARGS(i % 2 == 0 ? "even" : "odd", i)));
	}
	return *(bool *)fails ? stet_fail(call, STET_SAVE_REJECTED, NULL, "no") : STET_OK;
}

static struct write_job *
next_of(void *list)
{
	struct write_job **first = list, *job = *first;

	*first = job != NULL ? job->next : NULL;
	return job;
}

/* Three jobs of a batch put changes off; the second one fails. */
static void
test_changes_that_are_put_off_run_together(void **state)
{
	struct store *s = *state;
	struct db *db;
	struct batch b;
	bool fails[] = { false, true, false };
	struct write_job job[3], *next = job;

	store_sql(s,
	    "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL);"
	    "CREATE TABLE l (id INTEGER PRIMARY KEY, t TEXT NOT NULL, x INTEGER, kind TEXT NOT NULL)");
	assert_non_null(db = db_open(s->path, DB_WRITE));
	for (int i = 0; i < 3; i++) {
		job[i] =
		    (struct write_job){ .call = call_new(), .run = puts_off, .arg = &fails[i] };
		call_enter(job[i].call, &s->site);
		job[i].next = i < 2 ? &job[i + 1] : NULL;
	}
	batch_init(&b, NULL, false);
	batch_span(60 * 1000000);
	assert_true(batch_run(db, &b, next_of, &next));
	batch_span(20000);
	assert_int_equal(b.count, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(job[i].status, fails[i] ? STET_SAVE_REJECTED : STET_OK);
		call_free(job[i].call);
	}
	db_close(db);
	assert_int_equal(
	    store_int(s, "SELECT count(*) FROM l WHERE kind = 'it?' AND x IS NULL"), 2 * LATER);
	assert_int_equal(
	    store_int(s, "SELECT count(*) FROM l WHERE t = CAST((id - 1) % 70 AS TEXT)"),
	    2 * LATER);
	assert_int_equal(store_int(s, "SELECT n FROM k WHERE id = 'odd'"), 2 * 35 * 35);
	assert_int_equal(store_int(s, "SELECT n FROM k WHERE id = 'even'"), 2 * 35 * 34);
}

static enum stet_status
asks_between(struct stet_call *call, struct stet_tx *tx, void *statements)
{
	struct stet_rows rows;
	bool no = false;

	STET_TRY(puts_off(call, tx, &no));
	/* Who names the table finds all of them. */
	STET_TRY(stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM L", STET_NO_ARGS));
	assert_int_equal(stet_col_int(&rows, 0), LATER);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(puts_off(call, tx, &no));
	STET_TRY(stet_exec(call, tx, "DELETE FROM l WHERE t = ?1", STET_ARGS("7")));
	assert_int_equal(stet_changes(call), 2);
	/* Rows of one statement have the same number of a command. */
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(DISTINCT CAST(cmin AS TEXT)) FROM l", STET_NO_ARGS));
	*(int64_t *)statements = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static void
test_what_was_put_off_is_there_for_who_asks(void **state)
{
	int64_t statements = 0;

	store_sql(*state,
	    "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL);"
	    "CREATE TABLE l (id INTEGER PRIMARY KEY, t TEXT NOT NULL, x INTEGER, kind TEXT NOT NULL)");
	assert_int_equal(store_write(*state, asks_between, &statements), STET_OK);
	assert_int_equal(statements, 8);
}

/* Looks away from the error of a change that was put off. */
static enum stet_status
ignores(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;

	(void)arg;
	STET_TRY(stet_exec(call, tx, "INSERT INTO k (id, n) VALUES ('kept', 1)", NULL, 0));
	STET_TRY(stet_exec_later(
	    call, tx, STET_LATER_ROW, "l", "INSERT INTO l (t) VALUES (?1)", STET_ARGS("bad")));
	assert_int_not_equal(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM l", STET_NO_ARGS), STET_OK);
	stet_error_clear(call);
	return STET_OK;
}

static void
test_its_error_ends_the_transaction(void **state)
{
	struct store *s = *state;

	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL);"
		     "CREATE TABLE l (t TEXT NOT NULL CHECK (t <> 'bad'))");
	assert_int_not_equal(store_write(s, ignores, NULL), STET_OK);
	assert_int_equal(store_int(s, "SELECT count(*) FROM k"), 0);
}

/* Without hope, a row that a UNIQUE index refuses is told to its call. */
static enum stet_status
insists(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	static const char sql[] = "INSERT INTO u (t) VALUES (?1)";

	(void)arg;
	STET_TRY(stet_exec_later(call, tx, STET_LATER_HOPED, "u", sql, STET_ARGS("once")));
	assert_int_equal(stet_exec_later(call, tx, STET_LATER_HOPED, "u", sql, STET_ARGS("once")),
	    STET_CONFLICT);
	return STET_OK;
}

static void
test_a_row_that_is_refused_is_told(void **state)
{
	store_sql(*state, "CREATE TABLE u (t TEXT PRIMARY KEY NOT NULL)");
	assert_int_equal(store_write(*state, insists, NULL), STET_OK);
	assert_int_equal(store_int(*state, "SELECT count(*) FROM u"), 1);
}

/* Rows of 100 values, 33 of them, and one that is too large to wait. */
static enum stet_status
is_wide(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_val v[100];
	char *large = stet_alloc(call, 100001);
	const char *sql = arg;

	memset(large, 'x', 100000);
	large[100000] = '\0';
	for (size_t i = 0; i < 100; i++)
		v[i] = stet_val_str("v");
	for (int i = 0; i < 34; i++) {
		v[0] = stet_val_int(i);
		v[99] = stet_val_str(i == 20 ? large : "v");
		STET_TRY(stet_exec_later(call, tx, STET_LATER_ROW, "w", sql, v, 100));
	}
	return STET_OK;
}

static void
test_wide_and_large_rows_are_put_off_too(void **state)
{
	struct buf table = { 0 }, sql = { 0 };

	buf_str(&table, "CREATE TABLE w (c0 INTEGER PRIMARY KEY");
	buf_str(&sql, "INSERT INTO w VALUES (?1");
	for (int i = 1; i < 100; i++) {
		buf_printf(&table, ", c%d TEXT", i);
		buf_printf(&sql, ", ?%d", i + 1);
	}
	buf_str(&table, ")");
	buf_str(&sql, ")");
	store_sql(*state, table.data);
	assert_int_equal(store_write(*state, is_wide, sql.data), STET_OK);
	assert_int_equal(store_int(*state, "SELECT count(*) FROM w WHERE c1 = 'v'"), 34);
	assert_int_equal(store_int(*state, "SELECT c0 FROM w WHERE length(c99) = 100000"), 20);
	buf_free(&table);
	buf_free(&sql);
}

/* ---- many statements that nobody waits for ---- */

#define UNREAD 300 /* more than answers are waited for at once */

static enum stet_status
waits_for_nothing(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;

	(void)arg;
	for (int n = 1; n <= UNREAD; n++) {
		STET_TRY(stet_exec(call, tx, "INSERT INTO l (n, t) VALUES (?1, ?2)",
		    STET_ARGS(n, n % 50 == 0 ? stet_printf(call, "%09000d", n) : "")));
		if (n % 97 != 0)
			continue;
		STET_TRY(stet_one(
		    call, &rows, STET_FAULT, "SELECT count(*), max(n) FROM l", STET_NO_ARGS));
		assert_int_equal(stet_col_int(&rows, 0), n);
		assert_int_equal(stet_col_int(&rows, 1), n);
		STET_TRY(stet_rows_end(&rows));
	}
	STET_TRY(stet_exec(call, tx, "DELETE FROM l WHERE n <= ?1", STET_ARGS(7)));
	STET_TRY(stet_exec(call, tx, "UPDATE l SET t = ''", NULL, 0));
	assert_int_equal(stet_changes(call), UNREAD - 7);
	return STET_OK;
}

static void
test_answers_keep_their_order_however_many_wait(void **state)
{
	store_sql(*state, "CREATE TABLE l (n INTEGER PRIMARY KEY, t TEXT NOT NULL)");
	assert_int_equal(store_write(*state, waits_for_nothing, NULL), STET_OK);
	assert_int_equal(store_int(*state, "SELECT count(*) FROM l WHERE t = ''"), UNREAD - 7);
}

/* ---- limits ---- */

static enum stet_status
lists(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;

	(void)tx;
	(void)arg;
	for (int i = 0; i < 20; i++) {
		int64_t want = i % 5 == 4 ? i : 3, found = 0;

		STET_TRY(stet_query(call, &rows,
		    "SELECT t FROM l WHERE t >= ?1 ORDER BY t LIMIT ?2", STET_ARGS("1", want)));
		while (stet_row(&rows))
			found++;
		STET_TRY(stet_rows_end(&rows));
		assert_int_equal(found, want);
	}
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%ORDER BY t LIMIT 3'",
	    STET_NO_ARGS));
	assert_int_equal(stet_col_int(&rows, 0), 1);
	return stet_rows_end(&rows);
}

/* PostgreSQL would plan it anew each time. */
static void
test_a_limit_that_comes_again_is_planned_once(void **state)
{
	store_sql(*state,
	    "CREATE TABLE l (t TEXT PRIMARY KEY NOT NULL);"
	    "INSERT INTO l (t) SELECT CAST(n AS TEXT) FROM generate_series(1, 100) AS s (n)");
	assert_int_equal(store_write(*state, lists, NULL), STET_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_many_rows_take_little_memory, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_changes_that_are_put_off_run_together, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_what_was_put_off_is_there_for_who_asks, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_its_error_ends_the_transaction, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_a_row_that_is_refused_is_told, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_wide_and_large_rows_are_put_off_too, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(test_answers_keep_their_order_however_many_wait,
		    pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(test_a_limit_that_comes_again_is_planned_once,
		    pgserver_site, pgserver_site_end),
	};
	const char *why = pgserver_begin();

	if (why != NULL && getenv("CI") == NULL) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	return why == NULL ? cmocka_run_group_tests_name("pgrows", tests, NULL, pgserver_end) : 1;
}
