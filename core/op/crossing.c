/* crossing.c - the way of a call from the slow lane into the write lane. */
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/writer.h"
#include "module/running.h"
#include "op/dispatch.h"
#include "op/part.h"
#include <pthread.h>

/* A write job of a slow call that waits for it. The error and the reply that the call had before
 * are kept here and restored, also before a second run. */
struct crossing {
	enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *);
	void *arg;
	const char *name; /* of the running op or job; NULL: no module runs on this thread */
	struct call_error error;
	struct stet_json out; /* lengths and nesting; the bytes stay in the call */
	size_t raw;
	struct call_pair *headers;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool done;
};

static enum stet_status
cross(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct crossing *x = arg;
	struct running running;
	enum stet_status status;

	running_enter(&running, call, call->owner, RUNNING_WRITE, x->name);
	status = x->fn(call, tx, x->arg);
	running_leave(&running);
	return status == STET_OK && !op_part(call)->told ? dispatch_written(call) : status;
}

static void
step_back(struct stet_call *call, void *arg)
{
	struct crossing *x = arg;
	struct buf bytes = call->out.buf;

	call->error = x->error;
	if (call->error.issues != NULL)
		*call->error.issues_tail = NULL;
	bytes.len = x->out.buf.len;
	call->out = x->out;
	call->out.buf = bytes;
	call->reply.raw.len = x->raw;
	call->reply.headers = x->headers;
	call_limits_rewind(call);
}

static void
arrived(struct stet_call *call, enum stet_status status, void *arg)
{
	struct crossing *x = arg;

	(void)call;
	(void)status;
	pthread_mutex_lock(&x->lock);
	x->done = true;
	pthread_cond_signal(&x->over);
	pthread_mutex_unlock(&x->lock);
}

/* Runs the job on the writers' pool, if there is one, together with other jobs in one
 * transaction. */
static enum stet_status
cross_over(struct stet_call *call, struct crossing *x)
{
	struct write_job job = {
		.call = call, .run = cross, .arg = x, .done = arrived, .rewind = step_back
	};

	if (!writer_pooled())
		return writer_run(call->site->writer, &job);
	STET_TRY(writer_submit(call->site->writer, &job));
	pthread_mutex_lock(&x->lock);
	while (!x->done)
		pthread_cond_wait(&x->over, &x->lock);
	pthread_mutex_unlock(&x->lock);
	return job.status;
}

enum stet_status
stet_write_lane(struct stet_call *call,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	const struct running *here = running_here();
	struct crossing x = { .fn = fn,
		.arg = arg,
		.name = here != NULL ? here->name : NULL,
		.error = call->error,
		.out = call->out,
		.raw = call->reply.raw.len,
		.headers = call->reply.headers,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.over = PTHREAD_COND_INITIALIZER };
	struct db_part *part = db_part(call);
	struct stmt *open = part->open;
	struct db *db = part->db;
	struct call_commit *on_commit = call->on_commit;
	enum stet_status status;

	stet_assert(!call->writing);
	STET_TRY(dispatch_writable(call));
	/* Later reads of the call must see the write, so its read transaction ends. While the call
	 * reads rows of a statement, all its reads keep the old snapshot until that ends. */
	if (open == NULL) {
		rows_end_call(call);
		db = NULL;
	}
	part->open = NULL;
	part->db = NULL;
	call_limits_mark(call);
	status = cross_over(call, &x);
	part->open = open;
	part->db = db;
	call->on_commit = on_commit;
	op_part(call)->told |= status == STET_OK;
	pthread_cond_destroy(&x.over);
	pthread_mutex_destroy(&x.lock);
	return status;
}
