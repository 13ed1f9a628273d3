/*
 * activate.c - activates the index, once for a site, and reports the progress. Every write of
 * content updates the index, active or not. Activation registers the collections, one in each step,
 * so that their existing items are scanned.
 */
#include "media-usage.h"
#include <string.h>

#define SOON 0
#define LATER 30000

const struct stet_member progress_out[] = {
	{ "status", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("indexing", "ready", "needs_attention") },
	{ "readyCollections", STET_INTEGER, STET_REQUIRED },
	{ "totalCollections", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
const struct stet_member activate_in[] = {
	{ "writersDrained", STET_BOOLEAN, STET_REQUIRED,
	    .about = "true: nothing writes the database directly" },
	{ 0 },
};
const struct stet_member activate_out[] = {
	{ "outcome", STET_STRING, STET_REQUIRED, STET_CHOICES("activating", "active") },
	{ "processedCollections", STET_INTEGER, STET_REQUIRED },
	{ "activation", STET_OBJECT, STET_REQUIRED, .of = activation_out },
	{ 0 },
};
const struct stet_member advance_out[] = {
	{ "activation", STET_OBJECT, STET_REQUIRED, .of = activation_out },
	{ "progress", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .of = progress_out,
	    .about = "null until activation is active" },
	{ "nextRequestInMs", STET_INTEGER, STET_REQUIRED | STET_NULLABLE,
	    .about = "When to ask again; null: nothing more comes of asking" },
	{ 0 },
};

/* ---- a step of activating ---- */

/* Registers a collection. One that was scanned before is not scanned again: its uses are up to
 * date. */
static enum stet_status
prepare(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c)
{
	return stet_exec(call, tx,
	    "INSERT INTO media_coverage (collection_id, slug, state, shape, cursor, indexed, "
	    "failed, deleted) VALUES (?1, ?2, 'never', ?3, '', 0, 0, 0) ON CONFLICT "
	    "(collection_id) DO NOTHING",
	    STET_ARGS(c->id, c->slug, coverage_shape(call, c, NULL)));
}

static enum stet_status
end_step(struct stet_call *call, struct stet_tx *tx, const char *cursor, bool last, bool all)
{
	const char *now = stet_time_text(call, stet_now(call));

	stet_job_wake(call, USAGE_JOB);
	if (last && all)
		return stet_exec(call, tx,
		    "UPDATE media_activation SET state = 'active', activated_at = ?1, "
		    "collection_cursor = NULL, updated_at = ?1 WHERE one = 1",
		    STET_ARGS(now));
	return stet_exec(call, tx,
	    "UPDATE media_activation SET collection_cursor = ?1, updated_at = ?2 WHERE one = 1",
	    STET_ARGS(last ? NULL : cursor, now));
}

/* Registers the next collection. If a collection before the cursor was made meanwhile, the next
 * step starts over. */
static enum stet_status
step(struct stet_call *call, struct stet_tx *tx, const struct activation *a, int *processed)
{
	const struct stet_collection *next = NULL;
	struct covered_all list;
	bool last = true, all = true;

	*processed = 0;
	STET_TRY(stet_exec(call, tx,
	    "UPDATE media_activation SET state = 'activating', drain_confirmed_at = "
	    "COALESCE(drain_confirmed_at, ?1), attempts = attempts + 1, attempted_at = ?1, error "
	    "= NULL, lease_until = NULL, updated_at = ?1 WHERE one = 1",
	    STET_ARGS(stet_time_text(call, stet_now(call)))));
	STET_TRY(coverage_all(call, &list));
	for (size_t i = 0; i < list.collections; i++) {
		const struct covered *c = &list.list[i];
		bool ahead = a->cursor == NULL || strcmp(c->collection->slug, a->cursor) > 0;

		if (ahead && next == NULL)
			next = c->collection;
		else if (ahead)
			last = false;
		else
			all = all && c->row.there;
	}
	if (next != NULL)
		STET_TRY(prepare(call, tx, next));
	*processed = next != NULL;
	if (last && all)
		STET_TRY(scan_holders(call, tx, &list));
	return end_step(call, tx, next != NULL ? next->slug : NULL, last, all);
}

struct request {
	int processed;
};

static enum stet_status
activate(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct request *r = arg;
	struct activation a;
	enum stet_status status;

	STET_TRY(activation_read(call, &a));
	if (activation_is(&a, "active"))
		return STET_OK;
	if (!activation_is_leased(call, &a))
		return step(call, tx, &a, &r->processed);
	status = stet_fail(call, stet_code(call, "MEDIA_USAGE_ACTIVATION_BUSY"), NULL,
	    "Another request prepares a collection until %s", a.until);
	stet_detail(call, "leaseExpiresAt", a.until);
	return status;
}

static enum stet_status
note_failure(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	return stet_exec(call, tx,
	    "UPDATE media_activation SET error = 'MEDIA_USAGE_ACTIVATION_FAILED', updated_at = ?1 "
	    "WHERE one = 1 AND state <> 'active'",
	    STET_ARGS(stet_time_text(call, stet_now(call))));
}

enum stet_status
usage_activate(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct request r = { 0 };
	struct activation a;
	enum stet_status status;

	if (!stet_arg_bool(call, "writersDrained"))
		return stet_fail(call, STET_VALIDATION_ERROR, "writersDrained", "must be true");
	status = stet_write_lane(call, activate, &r);
	if (status == STET_FAULT) {
		stet_error_clear(call);
		STET_TRY(stet_write_lane(call, note_failure, NULL));
		return stet_fault(call, "a step of activation has failed");
	}
	STET_TRY(status);
	STET_TRY(activation_read(call, &a));
	stet_object(out, NULL);
	stet_put_str(out, "outcome", a.state);
	stet_put_int(out, "processedCollections", r.processed);
	activation_put(out, "activation", &a);
	stet_close(out);
	return STET_OK;
}

/* ---- progress ---- */

struct progress {
	const char *status;
	int64_t ready, total;
	int64_t when; /* time of the next task; -1: none */
};

static bool
needs_attention(const struct covered *c)
{
	static const char *const bad[] = { "partial", "failed", "unknown" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (strcmp(c->status, bad[i]) == 0)
			return true;
	return c->failed;
}

static enum stet_status
measure(struct stet_call *call, struct progress *p)
{
	int64_t work, deletion;
	struct covered_all all;
	bool bad = false, failed;

	*p = (struct progress){ .when = -1 };
	STET_TRY(coverage_all(call, &all));
	STET_TRY(work_when(call, &work));
	STET_TRY(deletion_when(call, &deletion, &failed));
	for (size_t i = 0; i < all.count; i++) {
		p->ready += i < all.collections && strcmp(all.list[i].status, "complete") == 0;
		bad = bad || needs_attention(&all.list[i]);
	}
	p->total = (int64_t)all.collections;
	p->status = bad || failed                         ? "needs_attention"
		    : strcmp(all.status, "complete") == 0 ? "ready"
							  : "indexing";
	if (scan_next(&all, true) != NULL || all.missed)
		p->when = 0;
	else
		p->when = work < 0 || (deletion >= 0 && deletion < work) ? deletion : work;
	return STET_OK;
}

static void
put_progress(struct stet_json *out, const char *key, const struct progress *p)
{
	stet_object(out, key);
	stet_put_str(out, "status", p->status);
	stet_put_int(out, "readyCollections", p->ready);
	stet_put_int(out, "totalCollections", p->total);
	stet_close(out);
}

static enum stet_status
not_active(struct stet_call *call)
{
	return stet_fail(call, stet_code(call, "MEDIA_USAGE_PROGRESS_NOT_ACTIVE"), NULL,
	    "Media usage is not active: POST /admin/media-usage/activation first");
}

enum stet_status
usage_progress(struct stet_call *call)
{
	struct progress p;
	bool active;

	STET_TRY(activation_is_active(call, &active));
	if (!active)
		return not_active(call);
	STET_TRY(measure(call, &p));
	put_progress(stet_reply(call), NULL, &p);
	return STET_OK;
}

/* Does one step: of activation, or of deletions, queued items and scans. */
static enum stet_status
advance(struct stet_call *call, struct stet_tx *tx, const struct activation *a)
{
	bool more;
	int processed;

	if (activation_is(a, "activating"))
		return a->error != NULL || activation_is_leased(call, a)
			   ? STET_OK
			   : step(call, tx, a, &processed);
	STET_TRY(deletion_step(call, tx, &more));
	STET_TRY(work_step(call, tx, stet_now(call), &more));
	return scan_any(call, tx, &more);
}

static void
put_next(struct stet_call *call, const struct activation *a, const struct progress *p)
{
	struct stet_json *out = stet_reply(call);

	if (activation_is(a, "activating") && a->error == NULL)
		stet_put_int(out, "nextRequestInMs", activation_is_leased(call, a) ? LATER : SOON);
	else if (!activation_is(a, "active") || strcmp(p->status, "needs_attention") == 0 ||
		 p->when < 0)
		stet_put_null(out, "nextRequestInMs");
	else
		stet_put_int(out, "nextRequestInMs", p->when <= stet_now(call) ? SOON : LATER);
}

enum stet_status
usage_advance(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct progress p = { .when = -1 };
	struct activation a;

	STET_TRY(activation_read(call, &a));
	if (activation_is(&a, "expanded"))
		return not_active(call);
	STET_TRY(advance(call, stet_write_tx(call), &a));
	STET_TRY(activation_read(call, &a));
	stet_object(out, NULL);
	activation_put(out, "activation", &a);
	if (activation_is(&a, "active")) {
		STET_TRY(measure(call, &p));
		put_progress(out, "progress", &p);
	} else
		stet_put_null(out, "progress");
	put_next(call, &a, &p);
	stet_close(out);
	return STET_OK;
}
