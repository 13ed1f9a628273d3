/* lane.t - the write lane: the size of the WAL, jobs from the slow lane, and many threads at
 * once. */
#include "base/arena.h"
#include "call/call.h"
#include "db/db.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/writer.h"
#include "gate.h"
#include <sched.h>
#include <stdatomic.h>

static int
setup(void **state)
{
	struct store *s = store_new();

	store_sql(s, "CREATE TABLE item (id INTEGER PRIMARY KEY, body BLOB)");
	writer_start(2);
	*state = s;
	return 0;
}

static int
teardown(void **state)
{
	writer_stop();
	store_free(*state);
	return 0;
}

static int64_t
items(struct store *s)
{
	return store_int(s, "SELECT count(*) FROM item");
}

/* ---- the log of the database ---- */

static off_t
wal_size(struct store *s)
{
	char path[200];
	struct stat st;

	snprintf(path, sizeof(path), "%s-wal", s->path);
	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

static enum stet_status
replace_body(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return stet_exec(call, tx,
	    "INSERT INTO item VALUES (?1, randomblob(1000000)) ON CONFLICT (id) DO UPDATE"
	    " SET body = excluded.body",
	    STET_ARGS(*(int *)arg % 5));
}

struct reading {
	struct store *store;
	atomic_bool stop;
};

static void *
read_on(void *arg)
{
	struct reading *r = arg;

	while (!atomic_load(&r->stop)) {
		struct stet_call *call = store_call(r->store);
		struct stet_rows rows;
		int64_t n;

		stet_assert(stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item",
				STET_NO_ARGS) == STET_OK);
		n = stet_col_int(&rows, 0);
		stet_assert(n <= 5);
		store_end(call);
	}
	reader_close(NULL);
	return NULL;
}

static void
the_log_does_not_grow_while_readers_come_and_go(void **state)
{
	struct store *s = *state;
	struct reading reading = { .store = s };
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, read_on, &reading), 0);
	for (int i = 0; i < 120; i++)
		assert_int_equal(store_write(s, replace_body, &i), STET_OK);
	atomic_store(&reading.stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	/* 120 MB were written. On a busy machine a reader may delay the reset of the WAL, until the
	 * WAL is so long that the writer waits for readers. */
	assert_true(wal_size(s) < 96 << 20);
}

static void
the_log_is_cut_when_a_long_reader_is_gone(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	struct stet_rows rows;

	assert_int_equal(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item", STET_NO_ARGS), STET_OK);
	for (int i = 0; i < 110; i++)
		assert_int_equal(store_write(s, replace_body, &i), STET_OK);
	assert_true(wal_size(s) > 100 << 20);
	assert_int_equal(stet_col_int(&rows, 0), 0);
	store_end(call);
	/* The WAL is truncated in pieces when it is reset, and wholly when no writes come for a
	 * moment. */
	for (int i = 0; i < 400 && wal_size(s) > 64 << 20; i++)
		assert_int_equal(store_write(s, replace_body, &i), STET_OK);
	assert_true(wal_size(s) <= 64 << 20);
	assert_int_equal(items(s), 5);
}

static void
the_log_that_a_reader_held_goes_when_nothing_is_written(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	struct stet_rows rows;
	int64_t until = clock_monotonic() + 30000;
	struct gate gate;

	assert_int_equal(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item", STET_NO_ARGS), STET_OK);
	for (int i = 0; i < 110; i++)
		assert_int_equal(store_write(s, replace_body, &i), STET_OK);
	store_end(call);
	gate_close(s, &gate); /* the writer has handled this site, and gets no more jobs */
	gate_open(&gate);
	while (wal_size(s) > 64 << 20 && clock_monotonic() < until)
		sched_yield();
	assert_true(wal_size(s) <= 64 << 20);
}

/* ---- from the slow lane ---- */

struct crossing {
	struct store *store;
	int runs;
	bool destroy;
};

static enum stet_status
write_from_slow(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct crossing *x = arg;

	x->runs++;
	stet_put_int(stet_reply(call), "run", x->runs);
	STET_TRY(stet_exec(call, tx, "INSERT INTO item VALUES (900, NULL)", STET_NO_ARGS));
	if (x->destroy && x->runs == 1)
		return stet_exec(
		    call, tx, "INSERT OR ROLLBACK INTO item VALUES (900, NULL)", STET_NO_ARGS);
	return STET_OK;
}

static void *
slow_op(void *arg)
{
	struct crossing *x = arg;
	struct stet_call *call = call_new();
	struct stet_rows rows;

	call_enter(call, &x->store->site);
	stet_object(stet_reply(call), NULL);
	stet_put_str(stet_reply(call), "before", "kept");
	stet_assert(stet_one(call, &rows, STET_FAULT, "SELECT count(*), 'text' FROM item",
			STET_NO_ARGS) == STET_OK);
	stet_assert(stet_write_lane(call, write_from_slow, x) == STET_OK);
	stet_assert(strcmp(stet_col_str(&rows, 1), "text") == 0);
	/* The call sees its own write. */
	stet_assert(stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item WHERE id = 900",
			STET_NO_ARGS) == STET_OK);
	stet_assert(stet_col_int(&rows, 0) == 1);
	stet_assert(stet_write_lane(call, write_from_slow, x) == STET_CONFLICT);
	stet_close(stet_reply(call));
	stet_assert(strcmp(stet_json_text(stet_reply(call), NULL),
			x->destroy ? "{\"before\":\"kept\",\"run\":2,\"run\":3}"
				   : "{\"before\":\"kept\",\"run\":1,\"run\":2}") == 0);
	rows_end_call(call);
	call_free(call);
	reader_close(NULL);
	return NULL;
}

static void
the_slow_lane_writes_and_sees_it(void **state)
{
	struct crossing x = { .store = *state };
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, slow_op, &x), 0);
	pthread_join(thread, NULL);
	assert_int_equal(items(x.store), 1);
}

static enum stet_status
do_nothing(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)call;
	(void)tx;
	(void)arg;
	return STET_OK;
}

static void
a_replay_forgets_what_the_first_run_replied(void **state)
{
	struct crossing x = { .store = *state, .destroy = true };
	struct write_job other;
	struct gate gate;
	pthread_t thread;

	/* Run it with another job, so that the batch is run again. */
	gate_close(x.store, &gate);
	other = (struct write_job){ .call = call_new(), .run = do_nothing, .done = stood };
	call_enter(other.call, &x.store->site);
	assert_int_equal(writer_submit(x.store->site.writer, &other), STET_OK);
	assert_int_equal(pthread_create(&thread, NULL, slow_op, &x), 0);
	for (struct writer_stats st = { 0 }; st.depth < 2; writer_stats(x.store->site.writer, &st))
		sched_yield();
	gate_open(&gate);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&gate.barrier);
	assert_int_equal(x.runs, 3);
	assert_int_equal(items(x.store), 1);
}

/* ---- many at once ---- */

#define STORM_THREADS 4
#define STORM_JOBS 500
#define STORM_SITES 3

struct storm {
	struct store *store[STORM_SITES];
	int thread;
	int good;
};

struct storm_job {
	struct write_job job;
	pthread_mutex_t *lock;
	pthread_cond_t *change;
	int *left, *good;
	int n;
};

static enum stet_status
storm_run(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct storm_job *j = arg;

	STET_TRY(stet_exec(call, tx, "INSERT INTO item (body) VALUES (?1)", STET_ARGS(j->n)));
	if (j->n % 97 == 0)
		return stet_exec(
		    call, tx, "INSERT OR ROLLBACK INTO item VALUES (1, NULL)", STET_NO_ARGS);
	return j->n % 7 == 0 ? stet_fail(call, STET_SAVE_REJECTED, NULL, "no") : STET_OK;
}

static void
storm_done(struct stet_call *call, enum stet_status status, void *arg)
{
	struct storm_job *j = arg;

	(void)call;
	pthread_mutex_lock(j->lock);
	--*j->left;
	*j->good += status == STET_OK;
	pthread_cond_signal(j->change);
	pthread_mutex_unlock(j->lock);
}

static void *
storm_thread(void *arg)
{
	struct storm *storm = arg;
	struct storm_job *job = xcalloc(STORM_JOBS, sizeof(*job));
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t change = PTHREAD_COND_INITIALIZER;
	int left = STORM_JOBS;

	for (int i = 0; i < STORM_JOBS; i++) {
		struct store *s = storm->store[i % STORM_SITES];

		job[i] = (struct storm_job){ .lock = &lock,
			.change = &change,
			.left = &left,
			.good = &storm->good,
			.n = storm->thread * STORM_JOBS + i + 1,
			.job = { .call = call_new(),
			    .run = storm_run,
			    .arg = &job[i],
			    .done = storm_done } };
		call_enter(job[i].job.call, &s->site);
		if (i % 50 == 0) {
			storm_done(NULL, writer_run(s->site.writer, &job[i].job), &job[i]);
			continue;
		}
		stet_assert(writer_submit(s->site.writer, &job[i].job) == STET_OK);
	}
	pthread_mutex_lock(&lock);
	while (left > 0)
		pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < STORM_JOBS; i++)
		call_free(job[i].job.call);
	free(job);
	return NULL;
}

static void
a_storm_loses_nothing(void **state)
{
	struct store *s = *state;
	struct storm storm[STORM_THREADS];
	pthread_t thread[STORM_THREADS];
	struct store *other[STORM_SITES] = { s };
	int64_t good = 0, rows = 0;

	for (int i = 1; i < STORM_SITES; i++)
		other[i] = store_new();
	for (int i = 0; i < STORM_SITES; i++)
		store_sql(other[i],
		    "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, body);"
		    "INSERT INTO item VALUES (1, NULL)");
	for (int i = 0; i < STORM_THREADS; i++) {
		storm[i] = (struct storm){ .thread = i };
		memcpy(storm[i].store, other, sizeof(other));
		assert_int_equal(pthread_create(&thread[i], NULL, storm_thread, &storm[i]), 0);
	}
	for (int i = 0; i < STORM_THREADS; i++) {
		pthread_join(thread[i], NULL);
		good += storm[i].good;
	}
	for (int i = 0; i < STORM_SITES; i++)
		rows += store_int(other[i], "SELECT count(*) FROM item") - 1;
	assert_int_equal(rows, good);
	assert_true(good > STORM_THREADS * STORM_JOBS * 8 / 10);
	for (int i = 1; i < STORM_SITES; i++)
		store_free(other[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_log_does_not_grow_while_readers_come_and_go),
		TEST(the_log_is_cut_when_a_long_reader_is_gone),
		TEST(the_log_that_a_reader_held_goes_when_nothing_is_written),
		TEST(the_slow_lane_writes_and_sees_it),
		TEST(a_replay_forgets_what_the_first_run_replied),
		TEST(a_storm_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
