/*
 * schedule.c - scheduled publishing and unpublishing: sets and removes schedules, and the job that
 * sleeps until the earliest one.
 *
 * The job publishes what is due, oldest first, and then unpublishes what is due, in batches of one
 * transaction each. It checks each item again inside the transaction: an item that was rescheduled,
 * unscheduled or moved to the trash meanwhile is skipped. If the process is killed, the rest stays
 * due. An item that cannot be published (its slug is taken, a plugin refuses) keeps its schedule,
 * says why (item/overdue.c) and is tried again later.
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
#define AT                                                                \
	{ "scheduledAt", STET_TIME, .about = "When to publish it" },      \
	{                                                                 \
		"unpublishAt", STET_TIME, STET_NULLABLE,                  \
		    .about = "When it becomes a draft again; null: never" \
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

/* A time that a schedule sets or removes (NULL), or that stays. */
struct time_of {
	bool given;
	const char *text;
};
struct times {
	struct time_of publish, unpublish;
};

static enum stet_status
note(struct stet_call *call, struct stet_tx *tx, const struct now *now, enum act act,
    const struct time_of *at)
{
	return at->given ? scheduler_note(call, tx, act, now->id, at->text) : STET_OK;
}

/* Writes the schedule. updated NULL: the time of its last change stays. */
static enum stet_status
write_schedule(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const struct times *t, const char *updated)
{
	const char *at = t->publish.given ? t->publish.text : now->scheduled;
	const char *end = t->unpublish.given ? t->unpublish.text : now->unpublish;
	const char *status = at == NULL || now->is_published ? now->status : "scheduled";
	struct change c = now_change(now, now->slug, status);
	struct stet_sql *sql = now_update_hidden(call, now);

	c.live = false;
	if (t->publish.given)
		STET_TRY(hook_before_schedule(call, tx, &c, now->data, at));
	/* Scheduling the draft of a published item does not change its live values. */
	if (!now->is_published && updated != NULL)
		now_set(sql, ", updated_at = ", updated);
	now_turn(sql, ", status = ", now->status, status);
	now_turn_schedule(sql, now, at, end);
	STET_TRY(now_write(call, tx, sql, now, &c, NULL, "schedule"));
	STET_TRY(revision_lasts(call, tx, now));
	STET_TRY(note(call, tx, now, PUBLISHES, &t->publish));
	STET_TRY(note(call, tx, now, UNPUBLISHES, &t->unpublish));
	scheduler_wake(call);
	return hook_after_schedule(call, tx, &c, at, end);
}

/* Reads an argument, a time in the future; null is none. */
static enum stet_status
read_time(struct stet_call *call, const char *name, const char *about, struct time_of *at)
{
	const char *text = stet_arg(call, name);
	int64_t ms;

	*at = (struct time_of){ .given = stet_has(call, name) };
	if (!at->given || text == NULL)
		return STET_OK;
	if (!stet_time_parse(text, &ms))
		return stet_fail(call, STET_VALIDATION_ERROR, name, "Invalid %s", about);
	if (ms <= stet_now(call))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, name, "%s must be in the future", about);
	at->text = stet_time_text(call, ms);
	return STET_OK;
}

/* Fails if the item would be published when its publication has ended already. */
static enum stet_status
check_order(struct stet_call *call, const struct now *now, const struct times *t)
{
	const char *at = t->publish.given ? t->publish.text : now->scheduled;
	const char *end = t->unpublish.given ? t->unpublish.text : now->unpublish;

	if (at == NULL || end == NULL || strcmp(at, end) < 0)
		return STET_OK;
	return stet_fail(call, STET_VALIDATION_ERROR, "unpublishAt",
	    "The item is published at %s: it cannot be unpublished at %s", at, end);
}

static enum stet_status
read_times(struct stet_call *call, const struct now *now, struct times *t)
{
	const struct change c = now_change(now, now->newest_slug, "published");

	STET_TRY(read_time(call, "scheduledAt", "Scheduled date", &t->publish));
	STET_TRY(read_time(call, "unpublishAt", "Date of unpublication", &t->unpublish));
	t->publish.given = t->publish.text != NULL;
	if (!t->publish.given && !t->unpublish.given)
		return stet_fail(call, STET_VALIDATION_ERROR, "scheduledAt",
		    "is required, or unpublishAt: when to publish the item, or to unpublish it");
	if (t->unpublish.text != NULL && !now->collection->scheduling)
		return stet_fail(call, STET_VALIDATION_ERROR, "unpublishAt",
		    "The collection %s does not support scheduling", now->collection->slug);
	STET_TRY(check_order(call, now, t));
	/* Fail now if the item could not be published at that time. */
	if (!t->publish.given)
		return STET_OK;
	if (!now->is_published || now->draft != NULL)
		STET_TRY(publish_check(call, now, now->data));
	return save_publishable(call, &c);
}

static enum stet_status
schedule(struct stet_call *call, now_answer *answer)
{
	struct now now = { 0 };
	struct times t = { 0 };

	STET_TRY(now_find(call, &now));
	STET_TRY(
	    stet_require_owned(call, "content:publish_own", "content:publish_any", now.author));
	STET_TRY(now_is(call, &now, stet_arg(call, "_rev")));
	STET_TRY(read_times(call, &now, &t));
	STET_TRY(write_schedule(
	    call, stet_write_tx(call), &now, &t, stet_time_text(call, stet_now(call))));
	return answer(call, &now);
}

/* A time of an import: one in the future. */
static struct time_of
coming(struct stet_call *call, const char *at)
{
	int64_t ms;

	if (at == NULL || !stet_time_parse(at, &ms) || ms <= stet_now(call))
		return (struct time_of){ 0 };
	return (struct time_of){ true, stet_time_text(call, ms) };
}

enum stet_status
item_schedule(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    const char *at, const char *end)
{
	const struct times t = { coming(call, at), coming(call, end) };
	struct now now = { 0 };
	struct stet_rows rows;

	if (!t.publish.given && !t.unpublish.given)
		return STET_OK;
	STET_TRY(plan_get(call, collection, &now.collection, &now.plan));
	STET_TRY(stet_one(call, &rows, STET_FAULT, now.plan->by_id, STET_ARGS(id)));
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	STET_TRY(
	    stet_require_owned(call, "content:publish_own", "content:publish_any", now.author));
	return write_schedule(call, tx, &now, &t, NULL);
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
		STET_TRY(write_schedule(call, stet_write_tx(call), &now,
		    &(struct times){ .publish.given = true },
		    stet_time_text(call, stet_now(call))));
	return now_reply_part(call, &now);
}

/* ---- the job ---- */

/* Parts of the statements of each act. */
static const struct {
	const char *earliest, *after; /* the first schedule after a time */
	const char *select, *due, *past, *order; /* what is due */
} acts[ACTS] = {
	{ "(SELECT MIN(scheduled_at) FROM ", " WHERE scheduled_at IS NOT NULL AND scheduled_at > ",
	    "SELECT id, scheduled_at, schedule_error FROM ",
	    " WHERE scheduled_at IS NOT NULL AND scheduled_at <= ", " AND (scheduled_at, id) > (",
	    ") ORDER BY scheduled_at, id LIMIT " },
	{ "(SELECT MIN(unpublish_at) FROM ", " WHERE unpublish_at IS NOT NULL AND unpublish_at > ",
	    "SELECT id, unpublish_at, schedule_error FROM ",
	    " WHERE unpublish_at IS NOT NULL AND unpublish_at <= ", " AND (unpublish_at, id) > (",
	    ") ORDER BY unpublish_at, id LIMIT " },
};

static void
put_earliest(struct stet_sql *sql, enum act act, const char *collection, const char *after)
{
	stet_sql_add(sql, acts[act].earliest);
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	now_set(sql, acts[act].after, after);
	stet_sql_add(sql, ")");
}

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

		stet_sql_add(sql, "SELECT ");
		put_earliest(sql, PUBLISHES, collections[i]->slug, after);
		stet_sql_add(sql, ", ");
		put_earliest(sql, UNPUBLISHES, collections[i]->slug, after);
		STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
		for (int act = 0; act < ACTS; act++) {
			const char *at = stet_col_dup(&rows, act);

			if (at != NULL && (*out == NULL || strcmp(at, *out) < 0))
				*out = at;
		}
		STET_TRY(stet_rows_end(&rows));
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
	enum act act;
	const struct stet_collection *collection;
	const char *id, *at;
	const char *error; /* error of an earlier attempt; NULL: none */
};
struct sweep {
	enum act act;
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

	stet_sql_add(sql, acts[s->act].select);
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	now_set(sql, acts[s->act].due, s->now);
	now_set(sql, acts[s->act].past, s->after_at);
	now_set(sql, ", ", s->after_id);
	stet_sql_add(sql, acts[s->act].order);
	stet_sql_bind(sql, stet_val_int(BATCH));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		out[(*count)++] = (struct due){ s->act, c, stet_col_dup(&rows, 0),
			stet_col_dup(&rows, 1), stet_col_dup(&rows, 2) };
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
act_on(struct stet_call *call, struct stet_tx *tx, const struct due *due, const struct now *now)
{
	const struct publish p = {
		.due = due->at, .data = now->data, .slug = now->newest_slug, .staged = now->staged
	};

	STET_TRY(scheduler_judge(call, due->act, now));
	if (due->act == PUBLISHES)
		STET_TRY(item_publish(call, tx, now, &p));
	else
		STET_TRY(item_unpublish(call, tx, now, true));
	return scheduler_forget(call, tx, due->act, now->id);
}

static enum stet_status
do_due(struct stet_call *call, struct stet_tx *tx, const struct due *due)
{
	struct now now = { 0 };
	const char *at;
	struct stet_rows rows;

	STET_TRY(plan_get(call, due->collection->slug, &now.collection, &now.plan));
	STET_TRY(stet_query(call, &rows, now.plan->by_id, STET_ARGS(due->id)));
	if (!stet_row(&rows))
		return stet_rows_end(&rows);
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	/* What waits for its publication is not public: if that succeeds later, it ends then. */
	if (due->act == UNPUBLISHES && !now.is_published && now.scheduled != NULL)
		return STET_OK;
	at = due->act == PUBLISHES ? now.scheduled : now.unpublish;
	return at != NULL && strcmp(at, due->at) == 0 ? act_on(call, tx, due, &now) : STET_OK;
}

struct part {
	const struct due *item;
	size_t count;
};

static enum stet_status
do_part(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct part *part = arg;

	for (size_t i = 0; i < part->count; i++)
		STET_TRY(do_due(call, tx, &part->item[i]));
	return STET_OK;
}

/* Publishes or unpublishes a batch in one transaction; if an item fails, each by itself. */
static void
do_batch(struct stet_call *call, const struct sweep *s, bool *failed)
{
	if (stet_write_lane(call, do_part, &(struct part){ s->item, s->count }) == STET_OK)
		return;
	stet_error_clear(call);
	for (size_t i = 0; i < s->count; i++) {
		const struct due *due = &s->item[i];

		if (stet_write_lane(call, do_part, &(struct part){ due, 1 }) == STET_OK)
			continue;
		*failed = true;
		overdue_note(call, &(struct overdue){ due->collection, due->id, due->at,
				       due->act == UNPUBLISHES, due->error });
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
	do_batch(call, s, &run->failed);
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
	/* First what is to be published, since its publication may have ended meanwhile. */
	for (int act = 0; act < ACTS; act++) {
		run->sweep.act = act;
		*run->at = *run->id = '\0';
		STET_TRY(run_batches(call, run));
	}
	pthread_mutex_lock(&state->lock);
	state->tried = now;
	state->retry_at = run->failed ? now + RETRY_MS : 0;
	pthread_mutex_unlock(&state->lock);
	return STET_OK;
}
