/* stamp.t - the stamp of the database's state, which all processes read: which events change it. */
#include "db/stamp.h"
#include "db/db.h"
#include "db/reader.h"
#include "db/snapshot.h"
#include "db/sqlite/liteconn.h"
#include "store.h"
#include <sys/wait.h>

static int
setup(void **state)
{
	struct store *s = store_new();

	store_sql(s, "CREATE TABLE item (id INTEGER PRIMARY KEY); INSERT INTO item VALUES (1)");
	*state = s;
	return 0;
}

static int
teardown(void **state)
{
	store_free(*state);
	return 0;
}

static struct stamp
now(struct store *s)
{
	struct stamp stamp;

	assert_true(stamp_read(reader_get(&s->site), &stamp));
	return stamp;
}

static uint64_t
commits(const struct store *s)
{
	return atomic_load(&s->site.commits);
}

static enum stet_status
insert_and_fail(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	assert_int_equal(stet_exec(call, tx, "INSERT INTO item VALUES (7)", STET_NO_ARGS), STET_OK);
	return stet_fail(call, STET_SAVE_REJECTED, NULL, "no");
}

static void
each_commit_makes_another_state(void **state)
{
	struct store *s = *state;
	struct stamp first = now(s), second, third;

	store_sql(s, "INSERT INTO item VALUES (2)");
	second = now(s);
	assert_false(stamp_same(&first, &second));
	store_sql(s, "DELETE FROM item WHERE id = 2");
	third = now(s);
	assert_false(stamp_same(&second, &third));
	assert_false(stamp_same(&first, &third));
	store_sql(s, "CREATE TABLE other (id INTEGER PRIMARY KEY)");
	first = now(s);
	assert_false(stamp_same(&first, &third));
}

static void
what_changes_nothing_leaves_the_state_as_it_is(void **state)
{
	struct store *s = *state;
	struct stamp before = now(s), after;
	uint64_t count = commits(s);

	assert_int_equal(store_int(s, "SELECT count(*) FROM item"), 1);
	assert_int_equal(store_write(s, insert_and_fail, NULL), STET_SAVE_REJECTED);
	store_sql(s, "DELETE FROM item WHERE id = 99");
	after = now(s);
	assert_true(stamp_same(&before, &after));
	assert_int_equal(commits(s), count);
	store_sql(s, "INSERT INTO item VALUES (3)");
	assert_int_equal(commits(s), count + 1);
}

static void
all_connections_tell_the_same_state(void **state)
{
	struct store *s = *state;
	struct db *other = db_open(s->path, DB_READ);
	struct stamp a, b;

	assert_non_null(other);
	for (int i = 10; i < 20; i++) {
		char sql[64];

		snprintf(sql, sizeof(sql), "INSERT INTO item VALUES (%d)", i);
		store_sql(s, sql);
		a = now(s);
		assert_true(stamp_read(other, &b));
		assert_true(stamp_same(&a, &b));
	}
	db_close(other);
}

static void
a_log_that_starts_over_does_not_bring_an_old_state_back(void **state)
{
	struct store *s = *state;
	struct stamp seen[40];

	for (size_t i = 0; i < 40; i++) {
		struct db *writer = db_open(s->path, DB_WRITE);

		assert_non_null(writer);
		store_sql(s, "UPDATE item SET id = id + 1");
		seen[i] = now(s);
		for (size_t k = 0; k < i; k++)
			assert_false(stamp_same(&seen[k], &seen[i]));
		assert_int_equal(sqlite3_wal_checkpoint_v2(liteconn(writer)->handle, NULL,
				     SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL),
		    SQLITE_OK);
		db_close(writer);
	}
}

/* ---- another process ---- */

static int
other_process(const char *path)
{
	char *why = NULL;
	struct db *db;
	int bad;

	db_global_init();
	if ((db = db_open(path, DB_WRITE)) == NULL)
		return 1;
	bad = db_begin(db, DB_WRITE) != STET_OK ||
	      db_script(db, "INSERT INTO item VALUES (1000)", &why) != STET_OK ||
	      db_commit(db) != STET_OK;
	db_close(db);
	return bad;
}

static void
run_other_process(struct store *s)
{
	pid_t pid = fork();
	int status;

	assert_int_not_equal(pid, -1);
	if (pid == 0) {
		execl("/proc/self/exe", "stamp.t", s->path, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
the_commit_of_another_process_makes_another_state(void **state)
{
	struct store *s = *state;
	struct stamp before = now(s), after;

	run_other_process(s);
	after = now(s);
	assert_false(stamp_same(&before, &after));
}

static enum stet_status
count_items(struct stet_call *call, int64_t *count)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item", STET_NO_ARGS));
	*count = stet_col_int(&rows, 0);
	return STET_OK;
}

static void
keep_open(void *arg)
{
	(void)arg;
}

static void
calls_do_not_share_what_another_process_has_changed_since(void **state)
{
	struct store *s = *state;
	struct stet_call *call;
	int64_t count;

	snapshot_share(keep_open, NULL);
	for (int i = 0; i < 2; i++) {
		call = store_call(s);
		assert_int_equal(count_items(call, &count), STET_OK);
		assert_int_equal(count, 1);
		store_end(call);
	}
	/* Two calls that begin at the same moment; the other process ran between them. */
	call = store_call(s);
	run_other_process(s);
	assert_int_equal(count_items(call, &count), STET_OK);
	assert_int_equal(count, 2);
	store_end(call);
	snapshot_rest();
	snapshot_share(NULL, NULL);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(each_commit_makes_another_state),
		T(what_changes_nothing_leaves_the_state_as_it_is),
		T(all_connections_tell_the_same_state),
		T(a_log_that_starts_over_does_not_bring_an_old_state_back),
		T(the_commit_of_another_process_makes_another_state),
		T(calls_do_not_share_what_another_process_has_changed_since),
#undef T
	};

	if (argc == 2)
		return other_process(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
