/* batch.c - many small writes in few transactions. */
#include "batch.h"

struct run {
	const struct batch *batch;
	size_t from, until, at; /* at: the step that runs */
};

static enum stet_status
run_steps(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct run *r = arg;

	for (r->at = r->from; r->at < r->until; r->at++)
		STET_TRY(r->batch->step(call, tx, r->batch->arg, r->at));
	return STET_OK;
}

/* Does the error concern this step alone? Others would come again at the next one. */
static bool
is_refusal(enum stet_status status)
{
	int http = stet_status_http(status);

	return (http >= 400 && http < 500) || status == STET_CONTENT_HOOK_ERROR;
}

enum stet_status
batch_write(struct stet_call *call, const struct batch *batch)
{
	struct run r = { .batch = batch };

	while (r.from < batch->count) {
		enum stet_status status;
		size_t bad;
		char *why;

		r.until = batch->count;
		status = stet_write_lane(call, run_steps, &r);
		if (status == STET_OK)
			break;
		bad = r.at;
		if (!is_refusal(status) || bad >= batch->count)
			return status;
		why = stet_error_text(call);
		stet_error_clear(call);
		r.until = bad;
		if (bad > r.from)
			STET_TRY(stet_write_lane(call, run_steps, &r));
		STET_TRY(batch->refused(call, batch->arg, bad, why));
		r.from = bad + 1;
	}
	return STET_OK;
}
