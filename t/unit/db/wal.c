/* wal.t - the WAL: committed data persists, other data does not; rollbacks, a full disk, concurrent
 * readers. */
#include "base/arena.h"
#include "db/db.h"
#include "db/sqlite/checkpoint.h"
#include "db/sqlite/dbcheck.h"
#include "shaky.h"
#include "store.h"
#include <sys/wait.h>

#define ITEMS 200
#define ROUNDS 400

struct desk {
	struct store *store;
	struct db *db; /* a writer owned by the test */
};

static int
setup(void **state)
{
	struct desk *d = xcalloc(1, sizeof(*d));

	d->store = store_new();
	store_sql(d->store, "CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER, body TEXT);"
			    "CREATE INDEX item_n ON item (n)");
	d->db = db_open(d->store->path, DB_WRITE);
	assert_non_null(d->db);
	*state = d;
	return 0;
}

static int
teardown(void **state)
{
	struct desk *d = *state;

	shaky.room = -1;
	shaky.fails_to_sync = false;
	db_close(d->db);
	store_free(d->store);
	free(d);
	return 0;
}

/* Runs SQL on the writer without its authorizer. */
static int
say(struct desk *d, const char *sql)
{
	int rc;

	liteconn(d->db)->trusted = true;
	rc = sqlite3_exec(liteconn(d->db)->handle, sql, NULL, NULL, NULL);
	liteconn(d->db)->trusted = false;
	return rc;
}

/* Makes the page cache so small that a transaction of some hundred pages writes to the WAL before
 * it commits. */
static void
small_cache(struct desk *d)
{
	assert_int_equal(say(d, "PRAGMA cache_size = -80"), SQLITE_OK);
}

/* Inserts items of a kilobyte with this n. */
static int
fill(struct desk *d, int count, int n)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
	    "INSERT INTO item (n, body) WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1"
	    " FROM c WHERE i < %d) SELECT %d, hex(randomblob(500)) FROM c",
	    count, n);
	return say(d, sql);
}

static int64_t
count_inside(struct desk *d, int n)
{
	sqlite3_stmt *s;
	int64_t count;

	assert_int_equal(
	    sqlite3_prepare_v2(liteconn(d->db)->handle,
		"SELECT count(*) FROM item WHERE n = ?1 AND length(body) = 1000", -1, &s, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_bind_int(s, 1, n), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	count = sqlite3_column_int64(s, 0);
	assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
	return count;
}

static int64_t
count(struct desk *d)
{
	return store_int(d->store, "SELECT count(*) FROM item");
}

static void
assert_sound(struct desk *d)
{
	json_t *problems = json_array();

	dbcheck_run(d->store->path, problems, problems);
	assert_int_equal(json_array_size(problems), 0);
	json_decref(problems);
}

/* Starts another process: this program, or cp. */
static pid_t
begin(const char *program, const char *a, const char *b)
{
	pid_t pid = fork();

	if (pid == 0) {
		execlp(program, program, a, b, (char *)NULL);
		_exit(9);
	}
	assert_true(pid > 0);
	return pid;
}

static int
ended(pid_t pid)
{
	int status = -1;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Counts the items in a copy of the files. It has no WAL index, so SQLite recovers from the WAL by
 * its checksums and stops at the first wrong frame. */
static int64_t
count_as_after_a_crash(struct desk *d, int n)
{
	struct desk copy = { .store = d->store };
	char log[160], path[160], path_log[168];
	int64_t count;

	snprintf(log, sizeof(log), "%s-wal", d->store->path);
	snprintf(path, sizeof(path), "%s/copy.db", d->store->dir);
	snprintf(path_log, sizeof(path_log), "%s-wal", path);
	assert_int_equal(ended(begin("cp", d->store->path, path)), 0);
	assert_int_equal(ended(begin("cp", log, path_log)), 0);
	copy.db = db_open(path, DB_WRITE);
	assert_non_null(copy.db);
	count = count_inside(&copy, n);
	db_close(copy.db);
	return count;
}

/* ---- what is written ---- */

static void
a_transaction_larger_than_the_cache_reads_what_it_wrote(void **state)
{
	struct desk *d = *state;

	small_cache(d);
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 2000, 1), SQLITE_OK);
	assert_int_equal(count_inside(d, 1), 2000);
	assert_int_equal(db_savepoint(d->db), STET_OK);
	assert_int_equal(say(d, "UPDATE item SET n = 2"), SQLITE_OK);
	assert_int_equal(fill(d, 500, 2), SQLITE_OK);
	assert_int_equal(count_inside(d, 2), 2500);
	assert_int_equal(db_rollback_savepoint(d->db), STET_OK);
	assert_int_equal(count_inside(d, 1), 2000);
	assert_int_equal(say(d, "UPDATE item SET n = 3 WHERE id % 2 = 0"), SQLITE_OK);
	assert_int_equal(count(d), 0); /* as other connections see it */
	assert_int_equal(db_commit(d->db), STET_OK);
	assert_int_equal(count_inside(d, 1), 1000);
	assert_int_equal(count_inside(d, 3), 1000);
	assert_int_equal(store_int(d->store, "SELECT sum(n) FROM item"), 4000);
	assert_sound(d);
}

/* Pages that are in the WAL already are overwritten there, and the checksums of all later frames
 * are computed again. */
static void
pages_change_again_after_they_left_the_cache(void **state)
{
	struct desk *d = *state;

	for (int cache = 100; cache <= 1000; cache += 100) {
		char sql[64];

		snprintf(sql, sizeof(sql), "PRAGMA cache_size = -%d", cache);
		assert_int_equal(say(d, sql), SQLITE_OK);
		assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
		assert_int_equal(say(d, "DELETE FROM item"), SQLITE_OK);
		assert_int_equal(fill(d, 1500, cache), SQLITE_OK);
		for (int i = 1; i <= 3; i++)
			assert_int_equal(say(d, "UPDATE item SET n = n + 1"), SQLITE_OK);
		assert_int_equal(db_commit(d->db), STET_OK);
		assert_int_equal(count_inside(d, cache + 3), 1500);
		assert_int_equal(
		    store_int(d->store, "SELECT sum(n) FROM item"), 1500 * (cache + 3));
	}
	assert_int_equal(count_as_after_a_crash(d, 1003), 1500);
	assert_sound(d);
}

static void
a_transaction_that_is_rolled_back_leaves_nothing(void **state)
{
	struct desk *d = *state;

	small_cache(d);
	assert_int_equal(fill(d, 10, 1), SQLITE_OK);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
		assert_int_equal(fill(d, 300, 2), SQLITE_OK);
		db_rollback(d->db);
		assert_int_equal(count(d), 10);
		assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
		assert_int_equal(say(d, "UPDATE item SET n = n + 1 WHERE id = 1"), SQLITE_OK);
		assert_int_equal(db_commit(d->db), STET_OK);
	}
	assert_int_equal(store_int(d->store, "SELECT sum(n) FROM item"), 13);
	assert_sound(d);
}

/* ---- another process ---- */

/* Reads until all items are there: never part of a transaction, never fewer than before. */
static int
watch(const char *path)
{
	struct db *db;
	sqlite3_stmt *s;
	int64_t seen = 0, n;

	alarm(120);
	db_global_init();
	if ((db = db_open(path, DB_READ)) == NULL ||
	    sqlite3_prepare_v2(liteconn(db)->handle, "SELECT count(*), sum(length(body)) FROM item",
		-1, &s, NULL) != SQLITE_OK)
		return 2;
	while (seen < 5000) {
		if (sqlite3_step(s) != SQLITE_ROW)
			return 3;
		n = sqlite3_column_int64(s, 0);
		if (n < seen || n % 100 != 0 || sqlite3_column_int64(s, 1) != n * 1000)
			return 4;
		seen = n;
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	db_close(db);
	return 0;
}

static void
another_process_sees_whole_transactions_only(void **state)
{
	struct desk *d = *state;
	pid_t pid = begin("/proc/self/exe", "watch", d->store->path);

	small_cache(d);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
		assert_int_equal(fill(d, 60, 1), SQLITE_OK);
		assert_int_equal(fill(d, 40, 2), SQLITE_OK);
		assert_int_equal(db_commit(d->db), STET_OK);
		checkpoint_idle(liteconn(d->db));
	}
	assert_int_equal(ended(pid), 0);
	assert_sound(d);
}

/* ---- a disk that fills up ---- */

static void
a_full_disk_fails_the_commit_and_saves_nothing(void **state)
{
	struct desk *d = *state;

	assert_int_equal(fill(d, 10, 1), SQLITE_OK);
	shaky.room = 50000;
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 100, 2), SQLITE_OK); /* still in memory */
	assert_int_equal(db_commit(d->db), STET_INSUFFICIENT_STORAGE);
	db_rollback(d->db);
	assert_int_equal(count(d), 10);
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 1, 3), SQLITE_OK);
	assert_int_equal(db_commit(d->db), STET_INSUFFICIENT_STORAGE);
	db_rollback(d->db);
	shaky.room = -1;
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 5, 4), SQLITE_OK);
	assert_int_equal(db_commit(d->db), STET_OK);
	assert_int_equal(count(d), 15);
	assert_int_equal(store_int(d->store, "SELECT max(n) FROM item"), 4);
	assert_sound(d);
}

static void
a_disk_that_fills_up_before_the_commit_ends_the_transaction(void **state)
{
	struct desk *d = *state;

	small_cache(d);
	assert_int_equal(fill(d, 10, 1), SQLITE_OK);
	shaky.room = 400000;
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 2000, 2), SQLITE_FULL);
	db_rollback(d->db);
	shaky.room = -1;
	assert_int_equal(count(d), 10);
	assert_int_equal(fill(d, 10, 3), SQLITE_OK);
	assert_int_equal(count(d), 20);
	assert_sound(d);
}

static void
what_was_lost_needs_no_room(void **state)
{
	struct desk *d = *state;

	assert_int_equal(fill(d, 200, 1), SQLITE_OK);
	shaky.room = 0;
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 80, 2), SQLITE_OK);
	assert_int_equal(db_commit(d->db), STET_INSUFFICIENT_STORAGE);
	db_rollback(d->db);
	assert_int_equal(sqlite3_wal_checkpoint_v2(
			     liteconn(d->db)->handle, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL),
	    SQLITE_OK);
	shaky.room = 40000; /* room for new frames only */
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 1, 3), SQLITE_OK);
	assert_int_equal(db_commit(d->db), STET_OK);
	assert_int_equal(count(d), 201);
	assert_sound(d);
}

static void
a_sync_that_fails_commits_nothing(void **state)
{
	struct desk *d = *state;

	assert_int_equal(fill(d, 10, 1), SQLITE_OK);
	shaky.fails_to_sync = true;
	assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
	assert_int_equal(fill(d, 10, 2), SQLITE_OK);
	assert_int_equal(db_commit(d->db), STET_FAULT);
	db_rollback(d->db);
	shaky.fails_to_sync = false;
	assert_int_equal(count(d), 10);
	assert_int_equal(fill(d, 10, 3), SQLITE_OK);
	assert_int_equal(count(d), 20);
	assert_sound(d);
}

/* ---- anything ---- */

struct model {
	int64_t n[ITEMS], size[ITEMS]; /* 0: the item does not exist */
};

static unsigned
dice(unsigned sides)
{
	static uint64_t seed = 42;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % sides;
}

/* Returns `good`; it may be false only if the disk is full. */
static bool
fits(bool good)
{
	assert_true(good || shaky.room == 0);
	return good;
}

/* Inserts, changes or deletes an item. Returns false if the disk is full. */
static bool
change(struct desk *d, struct model *m)
{
	int id = (int)dice(ITEMS), size = 1 + (int)dice(12000);
	char sql[256];

	if (dice(5) == 0) {
		snprintf(sql, sizeof(sql), "DELETE FROM item WHERE id = %d", id);
		m->n[id] = m->size[id] = 0;
	} else {
		m->n[id] = dice(100000);
		m->size[id] = 2L * size;
		snprintf(sql, sizeof(sql),
		    "INSERT OR REPLACE INTO item VALUES (%d, %lld, hex(randomblob(%d)))", id,
		    (long long)m->n[id], size);
	}
	return fits(say(d, sql) == SQLITE_OK);
}

static bool
changes(struct desk *d, struct model *m)
{
	for (unsigned i = 1 + dice(30); i > 0; i--)
		if (!change(d, m))
			return false;
	return true;
}

/* Runs a transaction, with or without a savepoint, and commits it or rolls it back. */
static bool
transact(struct desk *d, struct model *m)
{
	struct model marked;

	if (!changes(d, m))
		return false;
	if (dice(2) == 0) {
		marked = *m;
		if (!fits(db_savepoint(d->db) == STET_OK) || !changes(d, m))
			return false;
		if (dice(2) == 0) {
			if (!fits(db_rollback_savepoint(d->db) == STET_OK))
				return false;
			*m = marked;
		} else if (!fits(db_release(d->db) == STET_OK))
			return false;
		if (!changes(d, m))
			return false;
	}
	return dice(6) != 0 && fits(db_commit(d->db) == STET_OK);
}

static void
assert_as(struct desk *d, const struct model *m)
{
	int64_t sum = 0, size = 0, have = 0;

	for (int i = 0; i < ITEMS; i++) {
		sum += i * m->n[i];
		size += m->size[i];
		have += m->size[i] > 0;
	}
	assert_int_equal(count(d), have);
	assert_int_equal(
	    store_int(d->store, "SELECT coalesce(sum(id * n), 0) FROM item NOT INDEXED"), sum);
	assert_int_equal(
	    store_int(d->store, "SELECT coalesce(sum(length(body)), 0) FROM item"), size);
}

static void
whatever_happens_what_was_committed_is_there(void **state)
{
	static const int modes[] = { SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_RESTART,
		SQLITE_CHECKPOINT_TRUNCATE };
	struct model committed = { 0 };
	struct desk *d = *state;
	int lost = 0;

	small_cache(d);
	for (int i = 0; i < ROUNDS; i++) {
		struct model m = committed;

		shaky.room = dice(4) == 0 ? (long)dice(600000) : -1;
		assert_int_equal(db_begin(d->db, DB_WRITE), STET_OK);
		if (transact(d, &m))
			committed = m;
		else
			lost++;
		db_rollback(d->db);
		shaky.room = -1;
		assert_as(d, &committed);
		if (dice(8) == 0)
			assert_int_equal(sqlite3_wal_checkpoint_v2(liteconn(d->db)->handle, NULL,
					     modes[dice(3)], NULL, NULL),
			    SQLITE_OK);
		if (i % 40 == 0)
			assert_sound(d);
	}
	assert_in_range(lost, ROUNDS / 10, ROUNDS / 2);
	assert_sound(d);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(a_transaction_larger_than_the_cache_reads_what_it_wrote),
		TEST(pages_change_again_after_they_left_the_cache),
		TEST(a_transaction_that_is_rolled_back_leaves_nothing),
		TEST(another_process_sees_whole_transactions_only),
		TEST(a_full_disk_fails_the_commit_and_saves_nothing),
		TEST(a_disk_that_fills_up_before_the_commit_ends_the_transaction),
		TEST(what_was_lost_needs_no_room),
		TEST(a_sync_that_fails_commits_nothing),
		TEST(whatever_happens_what_was_committed_is_there),
	};

	if (argc == 3 && strcmp(argv[1], "watch") == 0)
		return watch(argv[2]);
	db_global_init();
	shaky_register();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
