/* writer.t - the write lane: batches, savepoints, replay, full disks, and the way in from the slow
 * lane. */
#include "writer.h"
#include "slow.h"
#include "store.h"
#include <pthread.h>
#include <stdatomic.h>

#define MANY 200

/* cmocka's assertions belong to the main thread; elsewhere it is stet_assert. */

/* A job that a test waits for. */
struct task {
	struct write_job job;
	struct lot *lot;
	int key, runs, committed;
	int order; /* of being done */
	enum stet_status outcome;
	enum { PLAIN, FAILS, CONFLICTS, DESTROYS, ONCE_DESTROYS, DANGLES, HUGE, SWALLOWS } kind;
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
	STET_TRY(insert(call, tx, t->key, "body", 4));
	return act(call, tx, t);
}

static void
done(struct stet_call *call, enum stet_status status, void *arg)
{
	struct task *t = arg;

	stet_assert(!call->writing);
	stet_assert(call->db == NULL);
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

/* A job that keeps the writer busy, so that what follows makes one batch. */
struct gate {
	struct write_job job;
	pthread_barrier_t barrier;
	bool open;
};

static enum stet_status
stand(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct gate *g = arg;

	(void)call;
	(void)tx;
	if (g->open) /* run again */
		return STET_OK;
	pthread_barrier_wait(&g->barrier);
	pthread_barrier_wait(&g->barrier);
	g->open = true;
	return STET_OK;
}

static void
stood(struct stet_call *call, enum stet_status status, void *arg)
{
	(void)status;
	(void)arg;
	call_free(call);
}

static void
gate_close(struct lot *lot, struct gate *g)
{
	pthread_barrier_init(&g->barrier, NULL, 2);
	g->open = false;
	g->job = (struct write_job){ .call = call_new(), .run = stand, .arg = g, .done = stood };
	call_enter(g->job.call, &lot->store->site);
	assert_int_equal(writer_submit(lot->store->site.writer, &g->job), STET_OK);
	pthread_barrier_wait(&g->barrier);
}

static void
gate_open(struct gate *g)
{
	pthread_barrier_wait(&g->barrier);
}

/* The gate and what follows it run in one batch: the jobs that this test's tasks are. */
static void
run_together(struct lot *lot, const int *kinds, int n)
{
	struct gate gate;

	gate_close(lot, &gate);
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
a_fault_of_the_batch_runs_the_jobs_again(void **state)
{
	static const int kinds[] = { PLAIN, FAILS, ONCE_DESTROYS, PLAIN, DESTROYS, PLAIN };
	struct lot *lot = *state;

	run_together(lot, kinds, 6);
	assert_int_equal(replays(lot), 2); /* what stood behind the first was another batch */
	assert_int_equal(items(lot), 4);
	assert_int_equal(store_int(lot->store, "SELECT sum(id) FROM item"), 1 + 3 + 4 + 6);
	assert_int_equal(lot->task[0].runs, 2);
	assert_int_equal(lot->task[0].committed, 1);
	assert_int_equal(lot->task[1].runs, 2);
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
	submit(lot, 2, SWALLOWS); /* alone */
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
	call->db->trusted = true;
	assert_int_equal(sqlite3_exec(call->db->handle, sql, NULL, NULL, NULL), SQLITE_OK);
	call->db->trusted = false;
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
a_job_whose_time_is_over_does_not_run(void **state)
{
	struct lot *lot = *state;
	struct gate gate;

	gate_close(lot, &gate);
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
	call->deadline = clock_monotonic() - 1; /* it passes while the job runs */
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

	gate_close(lot, &gate);
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

	gate_close(lot, &gate);
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
	assert_int_equal(sqlite3_busy_timeout(call->db->handle, 1), SQLITE_OK);
	return STET_OK;
}

static void
a_database_that_another_keeps_is_unavailable(void **state)
{
	struct lot *lot = *state;
	struct db *other = db_open(lot->store->path, DB_WRITE);

	assert_non_null(other);
	assert_int_equal(store_write(lot->store, be_impatient, NULL), STET_OK);
	assert_int_equal(db_begin(other, true), STET_OK);
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

/* ---- the log of the database ---- */

static off_t
wal_size(struct lot *lot)
{
	char path[200];
	struct stat st;

	snprintf(path, sizeof(path), "%s-wal", lot->store->path);
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
	db_reader_close(NULL);
	return NULL;
}

static void
the_log_does_not_grow_while_readers_come_and_go(void **state)
{
	struct lot *lot = *state;
	struct reading reading = { .store = lot->store };
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, read_on, &reading), 0);
	for (int i = 0; i < 120; i++)
		assert_int_equal(store_write(lot->store, replace_body, &i), STET_OK);
	atomic_store(&reading.stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	assert_true(wal_size(lot) < 40 << 20);
}

static void
the_log_is_cut_when_a_long_reader_is_gone(void **state)
{
	struct lot *lot = *state;
	struct stet_call *call = store_call(lot->store);
	struct stet_rows rows;

	assert_int_equal(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item", STET_NO_ARGS), STET_OK);
	for (int i = 0; i < 70; i++)
		assert_int_equal(store_write(lot->store, replace_body, &i), STET_OK);
	assert_true(wal_size(lot) > 64 << 20);
	assert_int_equal(stet_col_int(&rows, 0), 0);
	store_end(call);
	for (int i = 0; i < 10; i++)
		assert_int_equal(store_write(lot->store, replace_body, &i), STET_OK);
	assert_true(wal_size(lot) < 40 << 20);
	assert_int_equal(items(lot), 5);
}

/* ---- from the slow lane ---- */

struct crossing {
	struct lot *lot;
	int runs;
	bool destroy;
};

static enum stet_status
write_from_slow(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct crossing *x = arg;

	x->runs++;
	stet_put_int(stet_reply(call), "run", x->runs);
	STET_TRY(insert(call, tx, 900, "x", 1));
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

	call_enter(call, &x->lot->store->site);
	stet_object(stet_reply(call), NULL);
	stet_put_str(stet_reply(call), "before", "kept");
	stet_assert(stet_one(call, &rows, STET_FAULT, "SELECT count(*), 'text' FROM item",
			STET_NO_ARGS) == STET_OK);
	stet_assert(stet_write_lane(call, write_from_slow, x) == STET_OK);
	stet_assert(strcmp(stet_col_str(&rows, 1), "text") == 0);
	/* It sees what it wrote. */
	stet_assert(stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item WHERE id = 900",
			STET_NO_ARGS) == STET_OK);
	stet_assert(stet_col_int(&rows, 0) == 1);
	stet_assert(stet_write_lane(call, write_from_slow, x) == STET_CONFLICT);
	stet_close(stet_reply(call));
	stet_assert(strcmp(stet_json_text(stet_reply(call), NULL),
			x->destroy ? "{\"before\":\"kept\",\"run\":2,\"run\":3}"
				   : "{\"before\":\"kept\",\"run\":1,\"run\":2}") == 0);
	db_call_end(call);
	call_free(call);
	db_reader_close(NULL);
	return NULL;
}

static void
the_slow_lane_writes_and_sees_it(void **state)
{
	struct crossing x = { .lot = *state };
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, slow_op, &x), 0);
	pthread_join(thread, NULL);
	assert_int_equal(items(x.lot), 1);
}

static void
a_replay_forgets_what_the_first_run_replied(void **state)
{
	struct crossing x = { .lot = *state, .destroy = true };
	struct gate gate;
	pthread_t thread;

	/* Beside another job, so that the batch is run again. */
	gate_close(x.lot, &gate);
	submit(x.lot, 0, PLAIN);
	assert_int_equal(pthread_create(&thread, NULL, slow_op, &x), 0);
	for (struct writer_stats st = { 0 }; st.depth < 2;
	     writer_stats(x.lot->store->site.writer, &st))
		sched_yield();
	gate_open(&gate);
	pthread_join(thread, NULL);
	wait_for(x.lot, 1);
	pthread_barrier_destroy(&gate.barrier);
	assert_int_equal(items(x.lot), 2);
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
	struct lot *lot = *state;
	struct storm storm[STORM_THREADS];
	pthread_t thread[STORM_THREADS];
	struct store *other[STORM_SITES] = { lot->store };
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
		TEST(what_waits_is_one_transaction),
		TEST(a_job_that_fails_rolls_back_alone),
		TEST(a_fault_of_the_batch_runs_the_jobs_again),
		TEST(a_lost_transaction_is_no_success_whatever_the_handler_says),
		TEST(a_commit_that_fails_fails_only_whose_fault_it_is),
		TEST(a_full_disk_fails_what_does_not_fit),
		TEST(a_job_whose_time_is_over_does_not_run),
		TEST(a_job_that_runs_too_long_is_stopped),
		TEST(a_full_queue_refuses),
		TEST(a_database_that_another_keeps_is_unavailable),
		TEST(the_log_does_not_grow_while_readers_come_and_go),
		TEST(the_log_is_cut_when_a_long_reader_is_gone),
		TEST(the_slow_lane_writes_and_sees_it),
		TEST(a_replay_forgets_what_the_first_run_replied),
		TEST(a_storm_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
