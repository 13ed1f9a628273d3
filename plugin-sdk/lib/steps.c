/* steps.c - many writes in few transactions, and one large DELETE in several. */
#include <stet/steps.h>
#include <stet/table.h>

struct run {
	struct stet_steps steps;
	size_t from, until, at; /* at: the step that runs */
};

static enum stet_status
run_steps(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct run *r = arg;

	for (r->at = r->from; r->at < r->until; r->at++)
		STET_TRY(r->steps.step(call, tx, r->steps.arg, r->at));
	return STET_OK;
}

bool
stet_is_refusal(enum stet_status status)
{
	int http = stet_status_http(status);

	return (http >= 400 && http < 500) || status == STET_CONTENT_HOOK_ERROR;
}

/* Runs the steps from r->from on to the first that is refused, which is tried alone no more. */
static enum stet_status
run_some(struct stet_call *call, struct run *r)
{
	enum stet_status status;
	size_t bad;
	char *why;

	r->until = r->steps.count;
	status = stet_write_lane(call, run_steps, r);
	bad = r->at;
	if (status == STET_OK || !stet_is_refusal(status) || bad >= r->steps.count) {
		r->from = r->steps.count;
		return status;
	}
	why = stet_error_text(call);
	stet_error_clear(call);
	r->until = bad;
	if (bad > r->from)
		STET_TRY(stet_write_lane(call, run_steps, r));
	r->from = bad + 1;
	return r->steps.refused(call, r->steps.arg, bad, status, why);
}

enum stet_status
stet_write_steps_sized(struct stet_call *call, const struct stet_steps *theirs, size_t size)
{
	struct run r = { .from = 0 };

	stet_extend(&r.steps, sizeof(r.steps), theirs, size);
	while (r.from < r.steps.count)
		STET_TRY(run_some(call, &r));
	return STET_OK;
}

/* ---- deleting ---- */

struct deletion {
	const char *sql;
	const struct stet_val *values;
	size_t count;
	int64_t gone;
};

static enum stet_status
delete_some(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct deletion *d = arg;

	STET_TRY(stet_exec(call, tx, d->sql, d->values, d->count));
	d->gone = stet_changes(call);
	return STET_OK;
}

static enum stet_status
delete_scope(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, delete_some, arg);
}

enum stet_status
stet_delete_steps(struct stet_call *call, const char *sql, const struct stet_val *values,
    size_t count, int64_t most)
{
	struct deletion d = { sql, values, count, 0 };

	do
		STET_TRY(stet_scope(call, delete_scope, &d));
	while (d.gone == most);
	return STET_OK;
}
