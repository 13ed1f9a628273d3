/* writer.t - the write lane: batches, savepoints, running jobs again, transactions that are too
 * large or too slow. */
#include "db/writer.h"
#include "base/arena.h"
#include "call/call.h"
#include "db/db.h"
#include "db/part.h"
#include "db/sqlite/liteconn.h"
#include "gate.h"
#include <signal.h>
#include <sys/resource.h>

#define MANY 200

/* cmocka's assertions work in the main thread only; other threads use stet_assert. */

/* A job that a test waits for. */
struct task {
	struct write_job job;
	struct lot *lot;
	int key, runs, committed;
	int order; /* the order in which tasks were done */
	enum stet_status outcome;
	enum {
		PLAIN,
		FAILS,
		CONFLICTS,
		DESTROYS,
		ONCE_DESTROYS,
		DANGLES,
		HUGE,
		SWALLOWS,
		EARLY,
		MAKES
	} kind;
};

struct lot {
	struct store *store;
	pthread_mutex_t lock;
	pthread_cond_t change;
	int done;
	struct task task[MANY];
};

static int
setup(void **state)
{
	struct store *s = store_new();
	struct lot *lot = xcalloc(1, sizeof(*lot));

	store_sql(s, "CREATE TABLE item (id INTEGER PRIMARY KEY, body BLOB);"
		     "CREATE TABLE child (id INTEGER PRIMARY KEY,"
		     " item INTEGER REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)");
	lot->store = s;
	pthread_mutex_init(&lot->lock, NULL);
	pthread_cond_init(&lot->change, NULL);
	writer_start(2);
	*state = lot;
	return 0;
}

static int
teardown(void **state)
{
	struct lot *lot = *state;

	writer_stop();
	for (int i = 0; i < MANY; i++)
		if (lot->task[i].job.call != NULL)
			call_free(lot->task[i].job.call);
	store_free(lot->store);
	free(lot);
	return 0;
}

static void
note_commit(struct stet_call *call, void *arg)
{
	struct task *t = arg;

	stet_assert(!call->writing);
	t->committed++;
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, int id, const char *body, size_t len)
{
	return stet_exec(
	    call, tx, "INSERT INTO item VALUES (?1, ?2)", STET_ARGS(id, stet_val_blob(body, len)));
}

static enum stet_status
act(struct stet_call *call, struct stet_tx *tx, struct task *t)
{
	switch (t->kind) {
	case PLAIN:
		return STET_OK;
	case FAILS:
		return stet_fail(call, STET_SAVE_REJECTED, NULL, "no");
	case CONFLICTS:
		STET_TRY(insert(call, tx, t->key, "", 0));
		return STET_OK;
	case DESTROYS:
	case SWALLOWS:
		if (stet_exec(call, tx, "INSERT OR ROLLBACK INTO item VALUES (?1, NULL)",
			STET_ARGS(t->key)) == STET_OK)
			return STET_OK;
		return t->kind == SWALLOWS ? STET_OK
					   : stet_fail(call, STET_SLUG_CONFLICT, NULL, "taken");
	case ONCE_DESTROYS:
		if (t->runs > 1)
			return STET_OK;
		return stet_exec(
		    call, tx, "INSERT OR ROLLBACK INTO item VALUES (?1, NULL)", STET_ARGS(t->key));
	case DANGLES:
		return stet_exec(
		    call, tx, "INSERT INTO child VALUES (?1, ?2)", STET_ARGS(t->key, 1000000));
	case HUGE:
		return stet_exec(call, tx, "UPDATE item SET body = zeroblob(8000000) WHERE id = ?1",
		    STET_ARGS(t->key));
	case EARLY:
	case MAKES:
		break;
	}
	return STET_FAULT;
}

static enum stet_status
run(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct task *t = arg;

	t->runs++;
	stet_assert(call->writing);
	stet_assert(call->error.status == STET_OK);
	stet_assert(call->on_commit == NULL);
	call_on_commit(call, note_commit, t);
	if (t->kind == MAKES)
		STET_TRY(stet_exec(call, tx, "CREATE TABLE made (id INTEGER)", STET_NO_ARGS));
	if (t->kind == EARLY || t->kind == MAKES)
		return stet_fail(call, STET_SAVE_REJECTED, NULL, "no");
	STET_TRY(insert(call, tx, t->key, "body", 4));
	return act(call, tx, t);
}

static void
done(struct stet_call *call, enum stet_status status, void *arg)
{
	struct task *t = arg;

	stet_assert(!call->writing);
	stet_assert(db_part(call)->db == NULL);
	pthread_mutex_lock(&t->lot->lock);
	t->outcome = status;
	t->order = ++t->lot->done;
	pthread_cond_signal(&t->lot->change);
	pthread_mutex_unlock(&t->lot->lock);
}

static struct task *
submit(struct lot *lot, int i, int kind)
{
	struct task *t = &lot->task[i];

	t->lot = lot;
	t->key = i + 1;
	t->kind = kind;
	t->job = (struct write_job){ .call = call_new(), .run = run, .arg = t, .done = done };
	call_enter(t->job.call, &lot->store->site);
	assert_int_equal(writer_submit(lot->store->site.writer, &t->job), STET_OK);
	return t;
}

static void
wait_for(struct lot *lot, int n)
{
	pthread_mutex_lock(&lot->lock);
	while (lot->done < n)
		pthread_cond_wait(&lot->change, &lot->lock);
	pthread_mutex_unlock(&lot->lock);
}

/* Runs the tasks in one batch, behind a gate. */
static void
run_together(struct lot *lot, const int *kinds, int n)
{
	struct gate gate;

	gate_close(lot->store, &gate);
	for (int i = 0; i < n; i++)
		submit(lot, i, kinds[i]);
	gate_open(&gate);
	wait_for(lot, n);
	pthread_barrier_destroy(&gate.barrier);
}

static int64_t
items(struct lot *lot)
{
	return store_int(lot->store, "SELECT count(*) FROM item");
}

static uint64_t
replays(struct lot *lot)
{
	struct writer_stats stats;

	writer_stats(lot->store->site.writer, &stats);
	return stats.replays;
}

/* ---- batches ---- */

static void
what_waits_is_one_transaction(void **state)
{
	static const int kinds[100];
	struct lot *lot = *state;
	struct writer_stats before, after;

	writer_stats(lot->store->site.writer, &before);
	run_together(lot, kinds, 100);
	writer_stats(lot->store->site.writer, &after);
	assert_int_equal(after.batches - before.batches, 1);
	assert_int_equal(after.jobs - before.jobs, 101);
	assert_int_equal(after.depth, 0);
	assert_int_equal(items(lot), 100);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(lot->task[i].outcome, STET_OK);
		assert_int_equal(lot->task[i].order, i + 1);
		assert_int_equal(lot->task[i].committed, 1);
		assert_int_equal(lot->task[i].runs, 1);
	}
}

static void
a_job_that_fails_rolls_back_alone(void **state)
{
	static const int kinds[] = { PLAIN, FAILS, PLAIN, CONFLICTS, PLAIN };
	struct lot *lot = *state;

	run_together(lot, kinds, 5);
	assert_int_equal(items(lot), 3);
	assert_int_equal(store_int(lot->store, "SELECT sum(id) FROM item"), 1 + 3 + 5);
	assert_int_equal(lot->task[1].outcome, STET_SAVE_REJECTED);
	assert_string_equal(lot->task[1].job.call->error.text, "no");
	assert_int_equal(lot->task[3].outcome, STET_CONFLICT);
	assert_int_equal(lot->task[1].committed, 0);
	assert_int_equal(lot->task[4].outcome, STET_OK);
	assert_int_equal(replays(lot), 0);
}

static void
who_fails_late_has_those_before_run_again_once(void **state)
{
	static const int kinds[] = { PLAIN, FAILS, PLAIN, FAILS, PLAIN };
	static const int runs[] = { 2, 2, 1, 1, 1 };
	struct lot *lot = *state;

	run_together(lot, kinds, 5);
	for (int i = 0; i < 5; i++)
		assert_int_equal(lot->task[i].runs, runs[i]);
	assert_int_equal(items(lot), 3);
	/* The next batches use savepoints, so that no job has to be run again. */
	submit(lot, 5, PLAIN);
	submit(lot, 6, FAILS);
	wait_for(lot, 7);
	assert_int_equal(lot->task[5].runs, 1);
	assert_int_equal(lot->task[6].runs, 1);
	assert_int_equal(items(lot), 4);
}

static void
who_fails_before_it_writes_has_nobody_run_again(void **state)
{
	static const int kinds[] = { PLAIN, EARLY, PLAIN };
	struct lot *lot = *state;

	run_together(lot, kinds, 3);
	assert_int_equal(lot->task[1].outcome, STET_SAVE_REJECTED);
	for (int i = 0; i < 3; i++)
		assert_int_equal(lot->task[i].runs, 1);
	assert_int_equal(items(lot), 2);
}

static void
a_table_that_a_job_made_goes_when_it_fails(void **state)
{
	static const int kinds[] = { PLAIN, MAKES, PLAIN };
	struct lot *lot = *state;

	run_together(lot, kinds, 3);
	assert_int_equal(lot->task[1].outcome, STET_SAVE_REJECTED);
	assert_int_equal(items(lot), 2);
	assert_int_equal(
	    store_int(lot->store, "SELECT count(*) FROM sqlite_master WHERE name = 'made'"), 0);
}

static void
a_fault_of_the_batch_runs_the_jobs_again(void **state)
{
	static const int kinds[] = { PLAIN, FAILS, ONCE_DESTROYS, PLAIN, DESTROYS, PLAIN };
	struct lot *lot = *state;

	run_together(lot, kinds, 6);
	/* The jobs behind the first fault were run in another batch. Before that, the failure of
	 * the second job caused the first two to be run again, with savepoints. */
	assert_int_equal(replays(lot), 2);
	assert_int_equal(items(lot), 4);
	assert_int_equal(store_int(lot->store, "SELECT sum(id) FROM item"), 1 + 3 + 4 + 6);
	assert_int_equal(lot->task[0].runs, 3);
	assert_int_equal(lot->task[0].committed, 1);
	assert_int_equal(lot->task[1].runs, 3);
	assert_int_equal(lot->task[1].outcome, STET_SAVE_REJECTED);
	assert_int_equal(lot->task[2].outcome, STET_OK);
	assert_int_equal(lot->task[2].committed, 1);
	assert_int_equal(lot->task[4].outcome, STET_SLUG_CONFLICT);
	assert_int_equal(lot->task[4].committed, 0);
	assert_int_equal(lot->task[5].outcome, STET_OK);
}

static void
a_lost_transaction_is_no_success_whatever_the_handler_says(void **state)
{
	static const int kinds[] = { SWALLOWS, PLAIN };
	struct lot *lot = *state;

	run_together(lot, kinds, 2);
	assert_int_equal(lot->task[0].outcome, STET_FAULT);
	assert_int_equal(lot->task[1].outcome, STET_OK);
	assert_int_equal(items(lot), 1);
	submit(lot, 2, SWALLOWS); /* alone in its batch */
	wait_for(lot, 3);
	assert_int_equal(lot->task[2].outcome, STET_FAULT);
	assert_int_equal(lot->task[2].committed, 0);
	assert_int_equal(items(lot), 1);
}

static void
a_commit_that_fails_fails_only_whose_fault_it_is(void **state)
{
	static const int kinds[] = { PLAIN, DANGLES, PLAIN };
	struct lot *lot = *state;

	run_together(lot, kinds, 3);
	assert_int_equal(lot->task[0].outcome, STET_OK);
	assert_int_equal(lot->task[1].outcome, STET_FAULT);
	assert_int_equal(lot->task[1].committed, 0);
	assert_int_equal(lot->task[2].outcome, STET_OK);
	assert_int_equal(items(lot), 2);
	assert_int_equal(store_int(lot->store, "SELECT count(*) FROM child"), 0);
}

static enum stet_status
limit_pages(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	char sql[64];

	(void)tx;
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count = %d", *(int *)arg);
	liteconn(db_part(call)->db)->trusted = true;
	assert_int_equal(
	    sqlite3_exec(liteconn(db_part(call)->db)->handle, sql, NULL, NULL, NULL), SQLITE_OK);
	liteconn(db_part(call)->db)->trusted = false;
	return STET_OK;
}

static void
a_full_disk_fails_what_does_not_fit(void **state)
{
	static const int kinds[] = { PLAIN, HUGE, PLAIN };
	struct lot *lot = *state;

	assert_int_equal(store_write(lot->store, limit_pages, &(int){ 100 }), STET_OK);
	run_together(lot, kinds, 3);
	assert_int_equal(lot->task[0].outcome, STET_OK);
	assert_int_equal(lot->task[1].outcome, STET_INSUFFICIENT_STORAGE);
	assert_int_equal(lot->task[1].job.call->error.status, STET_INSUFFICIENT_STORAGE);
	assert_int_equal(lot->task[2].outcome, STET_OK);
	assert_int_equal(items(lot), 2);
	assert_int_equal(store_write(lot->store, limit_pages, &(int){ 100000 }), STET_OK);
	submit(lot, 3, HUGE);
	wait_for(lot, 4);
	assert_int_equal(lot->task[3].outcome, STET_OK);
}

static void
a_file_that_may_not_grow_is_a_full_disk(void **state)
{
	static const int kinds[] = { PLAIN, HUGE, PLAIN };
	struct rlimit was, small;
	struct lot *lot = *state;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = 1 << 20;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	run_together(lot, kinds, 3);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_int_equal(lot->task[0].outcome, STET_OK);
	assert_int_equal(lot->task[1].outcome, STET_INSUFFICIENT_STORAGE);
	assert_int_equal(lot->task[2].outcome, STET_OK);
	assert_int_equal(items(lot), 2);
	submit(lot, 3, HUGE);
	wait_for(lot, 4);
	assert_int_equal(lot->task[3].outcome, STET_OK);
}

static void
a_job_whose_time_is_over_does_not_run(void **state)
{
	struct lot *lot = *state;
	struct gate gate;

	gate_close(lot->store, &gate);
	submit(lot, 0, PLAIN)->job.call->deadline = clock_monotonic() - 1;
	submit(lot, 1, PLAIN)->job.call->deadline = clock_monotonic() + 60000;
	gate_open(&gate);
	wait_for(lot, 2);
	pthread_barrier_destroy(&gate.barrier);
	assert_int_equal(lot->task[0].outcome, STET_REQUEST_TIMEOUT);
	assert_int_equal(lot->task[0].job.call->error.status, STET_REQUEST_TIMEOUT);
	assert_int_equal(lot->task[0].runs, 0);
	assert_int_equal(lot->task[1].outcome, STET_OK);
	assert_int_equal(items(lot), 1);
}

static enum stet_status
run_forever(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	STET_TRY(insert(call, tx, 500, "x", 1));
	call->deadline = clock_monotonic() - 1; /* the deadline passes while the job runs */
	return stet_exec(call, tx,
	    "INSERT INTO child WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
	    " SELECT i, NULL FROM n",
	    STET_NO_ARGS);
}

static void
a_job_that_runs_too_long_is_stopped(void **state)
{
	struct lot *lot = *state;
	struct task *t = &lot->task[1];
	struct gate gate;

	gate_close(lot->store, &gate);
	submit(lot, 0, PLAIN);
	t->lot = lot;
	t->job =
	    (struct write_job){ .call = call_new(), .run = run_forever, .arg = t, .done = done };
	call_enter(t->job.call, &lot->store->site);
	assert_int_equal(writer_submit(lot->store->site.writer, &t->job), STET_OK);
	submit(lot, 2, PLAIN);
	gate_open(&gate);
	wait_for(lot, 3);
	pthread_barrier_destroy(&gate.barrier);
	assert_int_equal(lot->task[0].outcome, STET_OK);
	assert_int_equal(t->outcome, STET_REQUEST_TIMEOUT);
	assert_int_equal(lot->task[2].outcome, STET_OK);
	assert_int_equal(items(lot), 2);
}

static void
count_done(struct stet_call *call, enum stet_status status, void *arg)
{
	struct lot *lot = arg;

	(void)call;
	stet_assert(status == STET_OK);
	pthread_mutex_lock(&lot->lock);
	lot->done++;
	pthread_cond_signal(&lot->change);
	pthread_mutex_unlock(&lot->lock);
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
a_full_queue_refuses(void **state)
{
	struct lot *lot = *state;
	struct stet_call *call = store_call(lot->store);
	struct write_job *jobs = xcalloc(10001, sizeof(*jobs));
	struct gate gate;

	gate_close(lot->store, &gate);
	for (int i = 0; i <= 10000; i++) {
		jobs[i] = (struct write_job){
			.call = call, .run = do_nothing, .arg = lot, .done = count_done
		};
		if (i < 10000)
			assert_int_equal(writer_submit(lot->store->site.writer, &jobs[i]), STET_OK);
	}
	assert_int_equal(writer_submit(lot->store->site.writer, &jobs[10000]), STET_UNAVAILABLE);
	assert_int_equal(call->error.status, STET_UNAVAILABLE);
	memset(&call->error, 0, sizeof(call->error));
	gate_open(&gate);
	wait_for(lot, 10000);
	pthread_barrier_destroy(&gate.barrier);
	free(jobs);
	store_end(call);
}

static enum stet_status
be_impatient(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)tx;
	(void)arg;
	assert_int_equal(sqlite3_busy_timeout(liteconn(db_part(call)->db)->handle, 1), SQLITE_OK);
	return STET_OK;
}

static void
a_database_that_another_keeps_is_unavailable(void **state)
{
	struct lot *lot = *state;
	struct db *other = db_open(lot->store->path, DB_WRITE);

	assert_non_null(other);
	assert_int_equal(store_write(lot->store, be_impatient, NULL), STET_OK);
	assert_int_equal(db_begin(other, DB_WRITE), STET_OK);
	assert_int_equal(store_write(lot->store, do_nothing, NULL), STET_UNAVAILABLE);
	submit(lot, 0, PLAIN);
	wait_for(lot, 1);
	assert_int_equal(lot->task[0].outcome, STET_UNAVAILABLE);
	assert_int_equal(db_commit(other), STET_OK);
	db_close(other);
	submit(lot, 1, PLAIN);
	wait_for(lot, 2);
	assert_int_equal(lot->task[1].outcome, STET_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_waits_is_one_transaction),
		TEST(a_job_that_fails_rolls_back_alone),
		TEST(who_fails_late_has_those_before_run_again_once),
		TEST(who_fails_before_it_writes_has_nobody_run_again),
		TEST(a_table_that_a_job_made_goes_when_it_fails),
		TEST(a_fault_of_the_batch_runs_the_jobs_again),
		TEST(a_lost_transaction_is_no_success_whatever_the_handler_says),
		TEST(a_commit_that_fails_fails_only_whose_fault_it_is),
		TEST(a_full_disk_fails_what_does_not_fit),
		TEST(a_file_that_may_not_grow_is_a_full_disk),
		TEST(a_job_whose_time_is_over_does_not_run),
		TEST(a_job_that_runs_too_long_is_stopped),
		TEST(a_full_queue_refuses),
		TEST(a_database_that_another_keeps_is_unavailable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
