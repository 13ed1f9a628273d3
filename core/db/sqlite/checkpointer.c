/*
 * checkpointer.c - the thread that runs checkpoints, on connections of its own, so that the
 * writer's connection stays free.
 */
#include "db/sqlite/checkpointer.h"
#include "base/log.h"
#include "base/thread.h"
#include <sqlite3.h>

#define PASSES 4 /* each pass copies what was written during the one before */
#define LITTLE 256 /* pages that are not worth another pass */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t asked, over;
	struct checkpoint *head, **tail;
	pthread_t thread;
	bool stop;
	bool runs; /* changed only while no writer is at work */
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.asked = PTHREAD_COND_INITIALIZER,
	.over = PTHREAD_COND_INITIALIZER,
	.tail = &queue.head };

/* ---- copying ---- */

/* Opens a connection that writes nothing to the WAL and does not delete the WAL if it is the last
 * to close. */
static int
open_database(const char *path, sqlite3 **handle)
{
	int rc = sqlite3_open_v2(path, handle,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_db_config(*handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	if (rc == SQLITE_OK) /* any read opens the WAL */
		rc = sqlite3_exec(*handle, "PRAGMA user_version", NULL, NULL, NULL);
	return rc;
}

/* Copies until few pages are left or readers prevent more. */
static int
copy(sqlite3 *handle, int *done)
{
	int pages = -1, before = 0, rc = SQLITE_OK;

	for (int i = 0; i < PASSES; i++) {
		rc = sqlite3_wal_checkpoint_v2(
		    handle, NULL, SQLITE_CHECKPOINT_PASSIVE, &pages, done);
		if (rc != SQLITE_OK || *done < pages || *done - before < LITTLE)
			break;
		before = *done;
	}
	return rc;
}

/* Returns the number of pages that are in the database; 0: unknown. */
static int
run(const char *path)
{
	static struct log_gate gate; /* a full disk fails each checkpoint: log that once a minute */
	sqlite3 *handle = NULL;
	int done = 0, rc = open_database(path, &handle);

	if (rc == SQLITE_OK)
		rc = copy(handle, &done);
	if (rc != SQLITE_OK && (rc & 0xff) != SQLITE_BUSY)
		log_seldom(&gate, STET_WARN, "%s: checkpoint: %s", path,
		    handle != NULL ? sqlite3_errmsg(handle) : sqlite3_errstr(rc));
	sqlite3_close(handle);
	return done > 0 ? done : 0;
}

/* ---- the thread ---- */

static void *
thread(void *arg)
{
	struct checkpoint *c;

	(void)arg;
	pthread_mutex_lock(&queue.lock);
	for (;;) {
		while (queue.head == NULL && !queue.stop)
			pthread_cond_wait(&queue.asked, &queue.lock);
		if ((c = queue.head) == NULL)
			break;
		pthread_mutex_unlock(&queue.lock);
		c->done = run(c->path);
		pthread_mutex_lock(&queue.lock);
		queue.head = c->next;
		if (queue.head == NULL)
			queue.tail = &queue.head;
		c->state = CHECKPOINT_OVER;
		pthread_cond_broadcast(&queue.over);
	}
	pthread_mutex_unlock(&queue.lock);
	return NULL;
}

void
checkpointer_start(void)
{
	queue.stop = false;
	queue.runs = true;
	thread_start(&queue.thread, "stet-checkpoint", thread, NULL);
}

void
checkpointer_stop(void)
{
	pthread_mutex_lock(&queue.lock);
	queue.stop = true;
	pthread_cond_signal(&queue.asked);
	pthread_mutex_unlock(&queue.lock);
	pthread_join(queue.thread, NULL);
	queue.runs = false;
}

bool
checkpointer_runs(void)
{
	return queue.runs;
}

/* ---- called by writers ---- */

void
checkpointer_ask(struct checkpoint *c)
{
	pthread_mutex_lock(&queue.lock);
	stet_assert(c->state != CHECKPOINT_ASKED && !queue.stop);
	c->state = CHECKPOINT_ASKED;
	c->next = NULL;
	*queue.tail = c;
	queue.tail = &c->next;
	pthread_cond_signal(&queue.asked);
	pthread_mutex_unlock(&queue.lock);
}

enum checkpoint_state
checkpointer_look(struct checkpoint *c, int *done)
{
	enum checkpoint_state state;

	pthread_mutex_lock(&queue.lock);
	state = c->state;
	if (state == CHECKPOINT_OVER) {
		*done = c->done;
		c->state = CHECKPOINT_NONE;
	}
	pthread_mutex_unlock(&queue.lock);
	return state;
}

void
checkpointer_wait(struct checkpoint *c)
{
	pthread_mutex_lock(&queue.lock);
	while (c->state == CHECKPOINT_ASKED)
		pthread_cond_wait(&queue.over, &queue.lock);
	pthread_mutex_unlock(&queue.lock);
}
