/*
 * schedule.c - scheduled publishing: sets and removes schedules, and the job that sleeps until
 * the earliest one.
 *
 * The job publishes what is due, oldest first, in batches of one transaction each. It checks
 * each item again inside the transaction: an item that was rescheduled, unscheduled or moved to
 * the trash meanwhile is skipped. If the process is killed, the rest stays due. An item that
 * cannot be published (its slug is taken, a plugin refuses) keeps its schedule, says why
 * (item/overdue.c) and is tried again later.
 */
#include "write/write.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 50 /* items in one transaction */
#define RETRY_MS 60000

#define WHICH                                                                            \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	{                                                                                \
		"id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item"      \
	}
#define AT                                               \
	{                                                \
		"scheduledAt", STET_TIME, STET_REQUIRED, \
		    .about = "When to publish: a "       \
			     "time in the future"        \
	}
const struct stet_member schedule_in[] = {
	WHICH,
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	AT,
	{ "_rev", STET_STRING, STET_HEADER, .about = "Fail when the item is another by now" },
	{ 0 },
};
const struct stet_member schedule_tool_in[] = {
	WHICH,
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	AT,
	{ "_rev", STET_STRING, .about = "Fail when the item is another by now" },
	VIEW_FIELDS,
	{ 0 },
};

/* ---- setting and removing ---- */

/* Writes the schedule. at NULL: the item is not scheduled any more. updated NULL: the time of its
 * last change stays. */
static enum stet_status
write_schedule(struct stet_call *call, struct stet_tx *tx, const struct now *now, const char *at,
    const char *updated)
{
	const char *status = at == NULL || now->is_published ? now->status : "scheduled";
	struct change c = now_change(now, now->slug, status);
	struct stet_sql *sql = now_update_hidden(call, now);

	c.live = false;
	STET_TRY(hook_before_schedule(call, tx, &c, now->data, at));
	/* Scheduling the draft of a published item does not change its live values. */
	if (!now->is_published && updated != NULL)
		now_set(sql, ", updated_at = ", updated);
	now_turn(sql, ", status = ", now->status, status);
	now_turn_schedule(sql, now, at);
	STET_TRY(now_write(call, tx, sql, now, &c, NULL, "schedule"));
	STET_TRY(revision_lasts(call, tx, now));
	STET_TRY(scheduler_note(call, tx, now->id, at));
	scheduler_wake(call);
	return hook_after_schedule(call, tx, &c, at);
}

static enum stet_status
schedule(struct stet_call *call, now_answer *answer)
{
	const char *at = stet_arg(call, "scheduledAt");
	struct now now = { 0 };
	struct change c;
	int64_t ms;

	STET_TRY(now_find(call, &now));
	STET_TRY(
	    stet_require_owned(call, "content:publish_own", "content:publish_any", now.author));
	STET_TRY(now_is(call, &now, stet_arg(call, "_rev")));
	if (at == NULL || !stet_time_parse(at, &ms))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "scheduledAt", "Invalid scheduled date");
	if (ms <= stet_now(call))
		return stet_fail(call, STET_VALIDATION_ERROR, "scheduledAt",
		    "Scheduled date must be in the future");
	/* Fail now if the item could not be published at that time. */
	c = now_change(&now, now.newest_slug, "published");
	STET_TRY(save_publishable(call, &c));
	STET_TRY(write_schedule(call, stet_write_tx(call), &now, stet_time_text(call, ms),
	    stet_time_text(call, stet_now(call))));
	return answer(call, &now);
}

enum stet_status
item_schedule(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    const char *at)
{
	struct now now = { 0 };
	struct stet_rows rows;
	int64_t ms;

	if (!stet_time_parse(at, &ms) || ms <= stet_now(call))
		return STET_OK;
	STET_TRY(plan_get(call, collection, &now.collection, &now.plan));
	STET_TRY(stet_one(call, &rows, STET_FAULT, now.plan->by_id, STET_ARGS(id)));
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	STET_TRY(
	    stet_require_owned(call, "content:publish_own", "content:publish_any", now.author));
	return write_schedule(call, tx, &now, stet_time_text(call, ms), NULL);
}

enum stet_status
content_schedule(struct stet_call *call)
{
	return schedule(call, now_reply);
}

enum stet_status
content_schedule_tool(struct stet_call *call)
{
	return schedule(call, now_reply_part);
}

enum stet_status
content_unschedule(struct stet_call *call)
{
	struct now now = { 0 };

	STET_TRY(now_find(call, &now));
	STET_TRY(
	    stet_require_owned(call, "content:publish_own", "content:publish_any", now.author));
	STET_TRY(now_is(call, &now, stet_arg(call, "_rev")));
	if (now.scheduled != NULL)
		STET_TRY(write_schedule(
		    call, stet_write_tx(call), &now, NULL, stet_time_text(call, stet_now(call))));
	return now_reply_part(call, &now);
}

/* ---- the job ---- */

/* Returns the earliest schedule after `after` (a time as text; "": the earliest of all); NULL if
 * there is none. */
static enum stet_status
earliest(struct stet_call *call, const char *after, const char **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *collections;
	struct stet_rows rows;
	size_t count;

	*out = NULL;
	STET_TRY(schema->collections(call, &collections, &count));
	for (size_t i = 0; i < count; i++) {
		struct stet_sql *sql = stet_sql_new(call);
		const char *at;

		stet_sql_add(sql, "SELECT MIN(scheduled_at) FROM ");
		stet_sql_ident(sql, STET_ITEM_TABLE, collections[i]->slug);
		stet_sql_add(sql, " WHERE scheduled_at IS NOT NULL AND scheduled_at > ");
		stet_sql_bind(sql, stet_val_str(after));
		STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
		at = stet_col_dup(&rows, 0);
		STET_TRY(stet_rows_end(&rows));
		if (at != NULL && (*out == NULL || strcmp(at, *out) < 0))
			*out = at;
	}
	return STET_OK;
}

int64_t
schedule_due(struct stet_call *call)
{
	struct content_state *state = stet_state(call);
	int64_t tried, retry_at, due = -1, first;
	const char *at, *after = "";

	pthread_mutex_lock(&state->lock);
	if (state->tried > stet_now(call)) /* the clock was set back */
		state->tried = state->retry_at = 0;
	tried = state->tried;
	retry_at = state->retry_at;
	pthread_mutex_unlock(&state->lock);
	/* Failed items wait for retry_at; items that become due in between do not. */
	if (retry_at > 0)
		after = stet_time_text(call, tried);
	if (earliest(call, after, &at) != STET_OK) {
		stet_log(call, STET_ERROR, "cannot ask for schedules: %s", stet_error_text(call));
		return stet_now(call) + RETRY_MS;
	}
	if (at != NULL && stet_time_parse(at, &first))
		due = first;
	if (retry_at > 0 && (due < 0 || retry_at < due))
		due = retry_at;
	return due;
}

struct due {
	const struct stet_collection *collection;
	const char *id, *at;
	const char *error; /* error of an earlier attempt; NULL: none */
};
struct sweep {
	struct due item[BATCH];
	size_t count;
	const char *now; /* items that are due by this time */
	const char *after_at, *after_id; /* where the previous batch ended */
};

static int
older(const void *a, const void *b)
{
	const struct due *x = a, *y = b;
	int order = strcmp(x->at, y->at);

	return order != 0 ? order : strcmp(x->id, y->id);
}

static enum stet_status
select_due(struct stet_call *call, const struct sweep *s, const struct stet_collection *c,
    struct due *out, size_t *count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id, scheduled_at, schedule_error FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE scheduled_at IS NOT NULL AND scheduled_at <= ");
	stet_sql_bind(sql, stet_val_str(s->now));
	stet_sql_add(sql, " AND (scheduled_at, id) > (");
	stet_sql_bind(sql, stet_val_str(s->after_at));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(s->after_id));
	stet_sql_add(sql, ") ORDER BY scheduled_at, id LIMIT ");
	stet_sql_bind(sql, stet_val_int(BATCH));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		out[(*count)++] = (struct due){ c, stet_col_dup(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2) };
	return stet_rows_end(&rows);
}

/* Reads the next batch of due items, oldest first over all collections. */
static enum stet_status
next_batch(struct stet_call *call, struct sweep *s)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *collections;
	struct due *all = stet_alloc(call, 2 * BATCH * sizeof(*all));
	size_t count, n = 0;

	STET_TRY(schema->collections(call, &collections, &count));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(select_due(call, s, collections[i], all, &n));
		qsort(all, n, sizeof(*all), older);
		n = n < BATCH ? n : BATCH;
	}
	memcpy(s->item, all, n * sizeof(*all));
	s->count = n;
	if (n > 0) {
		s->after_at = all[n - 1].at;
		s->after_id = all[n - 1].id;
	}
	return STET_OK;
}

static enum stet_status
publish_due(struct stet_call *call, struct stet_tx *tx, const struct due *due)
{
	struct now now = { 0 };
	struct publish p = { .due = due->at };
	struct stet_rows rows;

	STET_TRY(plan_get(call, due->collection->slug, &now.collection, &now.plan));
	STET_TRY(stet_query(call, &rows, now.plan->by_id, STET_ARGS(due->id)));
	if (!stet_row(&rows))
		return stet_rows_end(&rows);
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	if (now.scheduled == NULL || strcmp(now.scheduled, due->at) != 0)
		return STET_OK;
	STET_TRY(scheduler_judge(call, &now));
	p.data = now.data;
	p.slug = now.newest_slug;
	p.staged = now.staged;
	STET_TRY(item_publish(call, tx, &now, &p));
	return scheduler_forget(call, tx, now.id);
}

struct part {
	const struct due *item;
	size_t count;
};

static enum stet_status
publish_part(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct part *part = arg;

	for (size_t i = 0; i < part->count; i++)
		STET_TRY(publish_due(call, tx, &part->item[i]));
	return STET_OK;
}

/* Publishes a batch in one transaction; if an item fails, publishes each item by itself. */
static void
publish_batch(struct stet_call *call, const struct sweep *s, bool *failed)
{
	if (stet_write_lane(call, publish_part, &(struct part){ s->item, s->count }) == STET_OK)
		return;
	stet_error_clear(call);
	for (size_t i = 0; i < s->count; i++) {
		const struct due *due = &s->item[i];

		if (stet_write_lane(call, publish_part, &(struct part){ due, 1 }) == STET_OK)
			continue;
		*failed = true;
		overdue_note(
		    call, &(struct overdue){ due->collection, due->id, due->at, due->error });
	}
}

struct run {
	struct sweep sweep;
	char at[32], id[32]; /* copies, since they outlive the batch */
	bool failed; /* an item is still due */
};

static enum stet_status
run_batch(struct stet_call *call, void *arg)
{
	struct run *run = arg;
	struct sweep *s = &run->sweep;

	STET_TRY(next_batch(call, s));
	if (s->count == 0)
		return STET_OK;
	publish_batch(call, s, &run->failed);
	snprintf(run->at, sizeof(run->at), "%s", s->after_at);
	snprintf(run->id, sizeof(run->id), "%s", s->after_id);
	return STET_OK;
}

static enum stet_status
run_batches(struct stet_call *call, struct run *run)
{
	do {
		run->sweep.after_at = run->at;
		run->sweep.after_id = run->id;
		STET_TRY(stet_scope(call, run_batch, run));
	} while (run->sweep.count == BATCH);
	return STET_OK;
}

enum stet_status
schedule_run(struct stet_call *call)
{
	struct content_state *state = stet_state(call);
	struct run *run = stet_alloc(call, sizeof(*run));
	int64_t now = stet_now(call);

	run->sweep.now = stet_time_text(call, now);
	STET_TRY(run_batches(call, run));
	pthread_mutex_lock(&state->lock);
	state->tried = now;
	state->retry_at = run->failed ? now + RETRY_MS : 0;
	pthread_mutex_unlock(&state->lock);
	return STET_OK;
}
