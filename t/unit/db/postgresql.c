/*
 * postgresql.t - the driver of PostgreSQL does what the core expects of an engine: values, rows,
 * errors, transactions, the state, and what becomes of all that when the connection is lost.
 */
#include "db/batch.h"
#include "db/catalogue.h"
#include "db/driver.h"
#include "db/reader.h"
#include "db/stamp.h"
#include "pgserver.h"
#include "site/exclusive.h"
#include <stet/call.h>

/* ---- values ---- */

static enum stet_status
writes_values(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	STET_TRY(stet_exec(call, tx, "INSERT INTO v (id, i, r, t, b) VALUES (?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(1, INT64_MIN, 1.5, "a'b\xc3\xbc", stet_val_blob("\0\1", 2))));
	assert_int_equal(stet_changes(call), 1);
	STET_TRY(stet_exec(call, tx, "INSERT INTO v (i, t) VALUES (?1, ?2)",
	    STET_ARGS(INT64_MAX, stet_val_null())));
	return stet_exec(
	    call, tx, "UPDATE v SET r = ? WHERE r IS NULL AND id > ?", STET_ARGS(2, 0));
}

static enum stet_status
reads_values(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;
	size_t len;

	(void)tx;
	(void)arg;
	assert_int_equal(stet_query(call, &rows,
			     "SELECT id, i, r, t, b, EXISTS (SELECT 1 FROM v WHERE id = ?1),"
			     " (SELECT SUM(i) FROM v WHERE id = 1), CAST(r AS INTEGER)"
			     " FROM v ORDER BY id",
			     STET_ARGS(2)),
	    STET_OK);
	assert_true(stet_row(&rows));
	assert_int_equal(stet_col_int(&rows, 0), 1);
	assert_true(stet_col_int(&rows, 1) == INT64_MIN);
	assert_string_equal(stet_col_str(&rows, 1), "-9223372036854775808");
	assert_true(stet_col_real(&rows, 2) == 1.5);
	assert_string_equal(stet_col_str(&rows, 2), "1.5");
	assert_string_equal(stet_col_str(&rows, 3), "a'b\xc3\xbc");
	assert_memory_equal(stet_col_blob(&rows, 4, &len), "\0\1", 2);
	assert_int_equal(len, 2);
	assert_int_equal(stet_col_int(&rows, 5), 1);
	assert_true(stet_col_int(&rows, 6) == INT64_MIN);
	assert_true(stet_row(&rows));
	assert_int_equal(stet_col_int(&rows, 0), 2); /* numbered by the engine */
	assert_true(stet_col_int(&rows, 1) == INT64_MAX);
	assert_string_equal(stet_col_str(&rows, 2), "2.0");
	assert_true(stet_col_null(&rows, 3));
	assert_null(stet_col_str(&rows, 3));
	assert_int_equal(stet_col_int(&rows, 7), 2);
	assert_false(stet_row(&rows));
	return stet_rows_end(&rows);
}

static void
test_values(void **state)
{
	store_sql(
	    *state, "CREATE TABLE v (id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB)");
	assert_int_equal(store_write(*state, writes_values, NULL), STET_OK);
	assert_int_equal(store_write(*state, reads_values, NULL), STET_OK);
}

/* ---- errors ---- */

struct jobs {
	int ran;
	enum stet_status inner;
};

/* Goes on after a conflict, as several modules do. */
static enum stet_status
goes_on(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct jobs *j = arg;

	j->ran++;
	STET_TRY(stet_exec(call, tx, "INSERT INTO k (id) VALUES (?1)", STET_ARGS("new")));
	j->inner = stet_exec(call, tx, "INSERT INTO k (id) VALUES (?1)", STET_ARGS("old"));
	STET_TRY(stet_exec(call, tx, "UPDATE k SET n = n + 1 WHERE id = ?1", STET_ARGS("old")));
	return STET_OK;
}

static void
test_a_conflict_does_not_end_a_careful_transaction(void **state)
{
	struct jobs j = { 0 };

	store_sql(*state,
	    "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL DEFAULT 0);"
	    "INSERT INTO k (id) VALUES ('old')");
	assert_int_equal(store_write(*state, goes_on, &j), STET_OK);
	assert_int_equal(j.inner, STET_CONFLICT);
	assert_int_equal(store_int(*state, "SELECT n FROM k WHERE id = 'old'"), 1);
	assert_int_equal(store_int(*state, "SELECT count(*) FROM k"), 2);
}

static struct write_job *
take(void *arg)
{
	struct write_job **next = arg, *job = *next;

	if (job != NULL)
		*next = job->next;
	return job;
}

/* In a batch, the first conflict ends the transaction: the job runs again, and succeeds. */
static void
test_a_batch_that_an_error_ends_runs_again(void **state)
{
	struct jobs j = { 0 };
	struct store *s = *state;
	struct db *db;
	struct batch b;
	struct write_job job = { .run = goes_on, .arg = &j }, *next = &job;

	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL DEFAULT 0);"
		     "INSERT INTO k (id) VALUES ('old')");
	assert_non_null(db = db_open(s->path, DB_WRITE));
	job.call = call_new();
	call_enter(job.call, &s->site);
	batch_init(&b, NULL, false);
	assert_false(batch_run(db, &b, take, &next));
	assert_true(db_broken(db));
	assert_true(batch_replay(db, &b));
	assert_int_equal(job.status, STET_OK);
	assert_int_equal(j.ran, 2);
	call_free(job.call);
	db_close(db);
	assert_int_equal(store_int(s, "SELECT n FROM k WHERE id = 'old'"), 1);
}

static enum stet_status
runs(struct stet_call *call, struct stet_tx *tx, void *sql)
{
	(void)tx;
	return stet_exec(call, stet_write_tx(call), sql, STET_NO_ARGS);
}

static void
test_errors_are_classes(void **state)
{
	static const char *const faults[] = {
		"INSERT INTO missing (id) VALUES (1)",
		"INSERT INTO k (id) VALUES (NULL)",
		"INSERT INTO k (id) VALUES ('a'); INSERT INTO k (id) VALUES ('b')",
		"COMMIT",
		"SET search_path = public",
		"COPY k FROM PROGRAM 'true'",
		"",
	};

	store_sql(*state, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL)");
	assert_int_equal(store_write(*state, runs,
			     (void *)"INSERT INTO k (id) SELECT string_agg(md5(n || ''), '') FROM"
				     " generate_series(1, 100) AS s (n)"),
	    STET_VALIDATION_ERROR);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (store_write(*state, runs, (void *)(uintptr_t)faults[i]) != STET_FAULT)
			fail_msg("%s", faults[i]);
	assert_true(store_logged(*state, "\"missing\" does not exist (postgresql 42P01)"));
	assert_true(store_logged(*state, "not one statement"));
	assert_int_equal(store_int(*state, "SELECT count(*) FROM k"), 0);
}

/* ---- the state ---- */

/* Who closes a site for others can write; they can read. */
static void
test_a_site_can_be_closed_for_others(void **state)
{
	struct store *s = *state, other = { .site.lock = PTHREAD_MUTEX_INITIALIZER };
	char *why;

	snprintf(other.path, sizeof(other.path), "%s", s->path);
	store_open(&other);
	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL)");
	assert_true(exclusive_begin(&s->site, &why));
	assert_int_equal(store_write(s, runs, (void *)"INSERT INTO k (id) VALUES ('a')"), STET_OK);
	assert_int_equal(
	    store_write(&other, runs, (void *)"INSERT INTO k (id) VALUES ('b')"), STET_UNAVAILABLE);
	assert_int_equal(store_int(&other, "SELECT count(*) FROM k"), 1);
	assert_false(exclusive_begin(&other.site, &why));
	free(why);
	exclusive_end(&s->site);
	assert_int_equal(
	    store_write(&other, runs, (void *)"INSERT INTO k (id) VALUES ('b')"), STET_OK);
	assert_true(exclusive_begin(&other.site, &why));
	assert_int_equal(
	    store_write(s, runs, (void *)"INSERT INTO k (id) VALUES ('c')"), STET_UNAVAILABLE);
	exclusive_end(&other.site);
	store_close(&other);
}

static void
test_each_commit_changes_the_state(void **state)
{
	struct store *s = *state;
	struct stamp before, after;
	struct db *reader;

	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL)");
	assert_non_null(reader = db_open(s->path, DB_READ));
	assert_true(stamp_read(reader, &before));
	assert_true(stamp_read(reader, &after));
	assert_true(stamp_same(&before, &after));
	assert_int_equal(store_write(s, runs, (void *)"INSERT INTO k (id) VALUES ('a')"), STET_OK);
	assert_true(stamp_read(reader, &after));
	assert_false(stamp_same(&before, &after));
	before = after;
	assert_int_equal(
	    store_write(s, runs, (void *)"INSERT INTO k (id) VALUES ('a')"), STET_CONFLICT);
	assert_true(stamp_read(reader, &after));
	assert_true(stamp_same(&before, &after));
	db_close(reader);
}

/* ---- tables ---- */

static enum stet_status
looks(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;
	bool there;
	int n = 0;

	(void)tx;
	(void)arg;
	STET_TRY(stet_table_exists(call, "k", &there));
	assert_true(there);
	STET_TRY(stet_table_exists(call, "site_state2", &there));
	assert_false(there);
	STET_TRY(db_tables_like(call, &rows, "%"));
	while (stet_row(&rows))
		n++;
	assert_int_equal(n, 1);
	STET_TRY(stet_index_names(call, &rows, "k%"));
	assert_true(stet_row(&rows));
	assert_string_equal(stet_col_str(&rows, 0), "k_n");
	assert_string_equal(stet_col_str(&rows, 1), "k");
	assert_false(stet_row(&rows));
	return stet_rows_end(&rows);
}

static void
test_tables_are_those_of_the_site(void **state)
{
	struct store *s = *state;

	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL, n INTEGER);"
		     "-- a comment; with a semicolon\n"
		     "CREATE INDEX k_n ON k (n) WHERE n > 0;"
		     "INSERT INTO k (id) VALUES ('a;b')");
	assert_int_equal(store_write(s, looks, NULL), STET_OK);
	assert_int_equal(store_int(s, "SELECT count(*) FROM site_ddl WHERE sql LIKE 'CREATE%'"), 2);
	assert_int_equal(store_int(s, "SELECT count(*) FROM k WHERE id = 'a;b'"), 1);
}

/* ---- what is kept with a transaction ---- */

static const char key;

static bool
empties(struct stet_call *call, struct stet_tx *tx, const char *sql)
{
	void **slot = stet_tx_slot(call, &key, "item");
	bool empty;

	*slot = stet_tx_alloc(call, 16);
	assert_int_equal(stet_exec(call, tx, sql, STET_NO_ARGS), STET_OK);
	empty = *slot == NULL;
	return empty;
}

static enum stet_status
changes_tables(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	assert_false(empties(call, tx, "INSERT INTO note (id) VALUES (1)"));
	assert_false(empties(call, tx, "DELETE FROM note WHERE id = 1"));
	assert_true(empties(call, tx, "UPDATE item SET parent = NULL"));
	assert_true(empties(call, tx, "DELETE FROM root"));
	assert_true(
	    empties(call, tx, "WITH gone AS (DELETE FROM item RETURNING id) SELECT id FROM gone"));
	return STET_OK;
}

/* Rows that refer to those that are deleted may be deleted with them. */
static void
test_a_change_empties_the_slots_of_its_tables(void **state)
{
	store_sql(*state,
	    "CREATE TABLE root (id INTEGER PRIMARY KEY);"
	    "CREATE TABLE middle (id INTEGER PRIMARY KEY REFERENCES root (id) ON DELETE CASCADE);"
	    "CREATE TABLE item (parent INTEGER REFERENCES middle (id) ON DELETE CASCADE, id TEXT);"
	    "CREATE TABLE note (id INTEGER)");
	assert_int_equal(store_write(*state, changes_tables, NULL), STET_OK);
}

/* ---- plugins ---- */

static void
test_a_plugin_defines_only_what_is_its_own(void **state)
{
	static const struct {
		const char *sql;
		bool good;
	} cases[] = {
		{ "CREATE TABLE mine_a (id INTEGER PRIMARY KEY)", true },
		{ "CREATE TABLE IF NOT EXISTS \"mine_b\" (id TEXT)", true },
		{ "CREATE UNIQUE INDEX mine_i ON mine_a (id)", true },
		{ "ALTER TABLE mine_a ADD COLUMN n INTEGER", true },
		{ "ALTER TABLE mine_b RENAME TO mine_c", true },
		{ "DROP INDEX mine_i", true },
		{ "DROP TABLE mine_c", true },
		{ "CREATE TABLE other (id INTEGER)", false },
		{ "CREATE TABLE public.mine_x (id INTEGER)", false },
		{ "CREATE INDEX mine_i ON k (id)", false },
		{ "CREATE INDEX other_i ON mine_a (id)", false },
		{ "ALTER TABLE k ADD COLUMN n INTEGER", false },
		{ "ALTER TABLE mine_a RENAME TO k2", false },
		{ "DROP TABLE mine_a, k", false },
		{ "DROP TABLE k", false },
		{ "CREATE FUNCTION mine_f() RETURNS int LANGUAGE sql AS 'SELECT 1'", false },
		{ "CREATE TABLE mine_a.b (id INTEGER)", false },
	};
	struct store *s = *state;
	struct db *db;

	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL)");
	assert_non_null(db = db_open(s->path, DB_WRITE));
	db_set_plugin(db, "mine");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *why = NULL;
		enum stet_status status;

		assert_int_equal(db_begin(db, DB_WRITE), STET_OK);
		status = db_script(db, cases[i].sql, &why);
		if ((status == STET_OK) != cases[i].good)
			fail_msg("%s: %s", cases[i].sql, why != NULL ? why : "allowed");
		free(why);
		if (status == STET_OK)
			assert_int_equal(db_commit(db), STET_OK);
	}
	db_close(db);
}

/* ---- lost connections ---- */

/* Ends all sessions of the server but one's own. */
static void
end_sessions(struct store *s)
{
	struct db *db = db_open(s->path, DB_WRITE);

	assert_non_null(db);
	assert_int_equal(db_begin(db, DB_WRITE), STET_OK);
	(void)db_script(db,
	    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
	    " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
	    &(char *){ NULL });
	db_rollback(db);
	db_close(db);
}

static void
test_a_lost_connection_is_opened_again(void **state)
{
	struct store *s = *state;

	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL)");
	assert_int_equal(store_int(s, "SELECT count(*) FROM k"), 0);
	end_sessions(s);
	/* The first call after that may fail; the next may not. */
	(void)store_write(s, runs, (void *)"INSERT INTO k (id) VALUES ('a')");
	assert_int_equal(store_write(s, runs, (void *)"INSERT INTO k (id) VALUES ('b')"), STET_OK);
	assert_int_equal(store_int(s, "SELECT count(*) FROM k WHERE id = 'b'"), 1);
}

/* ---- tables that change ---- */

/* A transaction that reads sees rows as they were, but tables as they are. */
static void
test_a_read_of_what_was_dropped_may_run_again(void **state)
{
	struct store *s = *state;
	struct stet_call *call;
	struct stet_rows rows;

	store_sql(s, "CREATE TABLE k (id TEXT PRIMARY KEY NOT NULL, n INTEGER);"
		     "CREATE TABLE other (id INTEGER)");
	call = store_call(s);
	assert_int_equal(
	    stet_one(call, &rows, STET_OK, "SELECT id FROM other", STET_NO_ARGS), STET_OK);
	store_sql(s, "ALTER TABLE k DROP COLUMN n");
	assert_int_equal(
	    stet_one(call, &rows, STET_OK, "SELECT n FROM k", STET_NO_ARGS), STET_UNAVAILABLE);
	assert_true(db_part(call)->again);
	store_end(call);
	assert_int_equal(store_int(s, "SELECT count(*) FROM k"), 0);
}

/* ---- waiting ---- */

static void
test_a_call_is_interrupted_at_its_deadline(void **state)
{
	struct store *s = *state;
	struct stet_call *call;
	struct stet_rows rows;
	int64_t began;

	call = store_call(s);
	call->deadline = clock_monotonic() + 200;
	began = clock_monotonic();
	assert_int_equal(
	    stet_one(call, &rows, STET_NOT_FOUND, "SELECT 1 FROM pg_sleep(20)", STET_NO_ARGS),
	    STET_REQUEST_TIMEOUT);
	assert_true(clock_monotonic() - began < 10000);
	store_end(call);
	assert_int_equal(store_int(s, "SELECT 1"), 1);
}

/* ---- several daemons ---- */

#define DAEMONS 3
#define STARTS 10

/* What a daemon does first, in a process of its own. */
static pid_t
starts(const char *place)
{
	struct store *s;
	char *why = NULL;
	pid_t child = fork();

	if (child != 0)
		return child;
	s = xcalloc(1, sizeof(*s));
	(void)snprintf(s->path, sizeof(s->path), "%.*s", (int)sizeof(s->path) - 1, place);
	store_open(s);
	_exit(migrate_core(&s->site, &why) == STET_OK ? 0 : 1);
}

static void
test_daemons_that_start_together_make_one_journal(void **state)
{
	struct store *s = *state;

	for (int i = 0; i < STARTS; i++) {
		pid_t child[DAEMONS];
		char place[512], sql[160];
		int status;

		(void)snprintf(place, sizeof(place),
		    "postgresql:///postgres?host=%s/pg%s&stet_schema=first%d", pgserver.dir,
		    pgserver.user, i);
		for (int k = 0; k < DAEMONS; k++)
			child[k] = starts(place);
		for (int k = 0; k < DAEMONS; k++) {
			assert_int_equal(waitpid(child[k], &status, 0), child[k]);
			assert_int_equal(status, 0);
		}
		(void)snprintf(
		    sql, sizeof(sql), "SELECT count(*) = max(version) FROM first%d.migration", i);
		assert_int_equal(store_int(s, sql), 1);
	}
}

/* ---- places ---- */

static void
test_what_is_no_site_is_refused(void **state)
{
	struct store *s = *state;
	char place[512];

	assert_null(db_open(
	    "postgresql:///postgres?host=/nowhere&stet_schema=s&stet_timeout=2000", DB_READ));
	/* A schema without a site, to be read. */
	snprintf(place, sizeof(place), "postgresql:///postgres?host=%s/pg%s&stet_schema=none",
	    pgserver.dir, pgserver.user);
	assert_null(db_open(place, DB_READ));
	assert_true(store_logged(s, "the schema none of the database holds no site"));
	/* One with tables of something else. */
	snprintf(place, sizeof(place), "postgresql:///postgres?host=%s/pg%s&stet_schema=pg_catalog",
	    pgserver.dir, pgserver.user);
	assert_null(db_open(place, DB_WRITE));
	assert_true(store_logged(s, "has tables, but not those of a site"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_values, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(test_a_conflict_does_not_end_a_careful_transaction,
		    pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_a_batch_that_an_error_ends_runs_again, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_errors_are_classes, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_each_commit_changes_the_state, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(test_a_change_empties_the_slots_of_its_tables,
		    pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_a_site_can_be_closed_for_others, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_tables_are_those_of_the_site, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_a_plugin_defines_only_what_is_its_own, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_a_lost_connection_is_opened_again, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(test_a_read_of_what_was_dropped_may_run_again,
		    pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_a_call_is_interrupted_at_its_deadline, pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(test_daemons_that_start_together_make_one_journal,
		    pgserver_site, pgserver_site_end),
		cmocka_unit_test_setup_teardown(
		    test_what_is_no_site_is_refused, pgserver_site, pgserver_site_end),
	};
	const char *why = pgserver_begin();

	if (why != NULL && getenv("CI") == NULL) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	return why == NULL ? cmocka_run_group_tests_name("postgresql", tests, NULL, pgserver_end)
			   : 1;
}
