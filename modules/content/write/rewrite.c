/*
 * rewrite.c - replaces parts of an item's values, for importers: in the live values and in those of
 * a draft, which stays a draft. It runs hooks, writes a revision and changes _rev like any save,
 * but keeps the author, publishedAt and the schedule.
 */
#include "write/write.h"
#include <string.h>

struct rewrite {
	const struct now *now;
	stet_rewrite_fn *fn;
	void *arg;
	/* The new values; equal to the old ones if nothing changes there. */
	const json_t *live, *draft;
	struct values values; /* validated values of the row */
};

/* Returns the values that fn changes in `data`; NULL: none. */
static json_t *
changes_of(struct stet_call *call, const struct rewrite *r, const json_t *data)
{
	const struct stet_collection *c = r->now->collection;
	json_t *out = NULL;

	for (size_t i = 0; i < c->field_count; i++) {
		const json_t *value = json_object_get(data, c->fields[i]->slug);
		json_t *changed = value != NULL ? r->fn(call, c->fields[i], value, r->arg) : NULL;

		if (changed == NULL)
			continue;
		if (out == NULL)
			out = stet_json_own(call, json_object());
		(void)json_object_set_new(out, c->fields[i]->slug, changed);
	}
	return out;
}

/* Returns the validated values after the changes; `data` itself if nothing changed. */
static enum stet_status
changed_values(struct stet_call *call, const struct rewrite *r, const json_t *data,
    struct values *values, const json_t **out)
{
	const json_t *changes = changes_of(call, r, data);

	*out = data;
	if (changes == NULL)
		return STET_OK;
	STET_TRY(values_check(call, r->now->collection, changes, false,
	    (struct held){ r->now->data, r->now->columns, false }, values));
	*out = fit_merge(call, r->now->plan, data, values);
	return STET_OK;
}

static enum stet_status
check_rights(struct stet_call *call, const struct now *now)
{
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", now->author));
	return now->is_published ? stet_require_owned(call, "content:publish_own",
				       "content:publish_any", now->author)
				 : STET_OK;
}

/* Writes revisions of the new values: first of the live values, so that the draft's revision is the
 * newest. */
static enum stet_status
write_revisions(struct stet_call *call, struct stet_tx *tx, const struct rewrite *r,
    const char **live, const char **draft)
{
	const struct now *now = r->now;
	const char *written = NULL;

	*live = now->live;
	*draft = now->draft;
	if (!now->collection->revisions)
		return STET_OK;
	if (r->live != now->columns)
		STET_TRY(revision_replace(call, tx, now, r->live, NULL, &written));
	if (now->is_published && written != NULL)
		*live = written;
	if (now->draft == NULL)
		return STET_OK;
	return revision_write(call, tx, now, staged_with(call, r->draft, now->staged),
	    now->staged_slug, *live, draft);
}

static enum stet_status
write_row(struct stet_call *call, struct stet_tx *tx, struct rewrite *r, const struct change *c)
{
	const struct now *now = r->now;
	bool visible = r->live != now->columns;
	struct stet_sql *sql = visible ? now_update(call, now) : now_update_hidden(call, now);
	const char *live, *draft;

	STET_TRY(write_revisions(call, tx, r, &live, &draft));
	if (visible) {
		now_set(sql, ", updated_at = ", stet_time_text(call, stet_now(call)));
		now_set_fields(call, sql, now, &r->values);
	}
	now_turn(sql, ", live_revision_id = ", now->live, live);
	now_turn(sql, ", draft_revision_id = ", now->draft, draft);
	STET_TRY(now_write(
	    call, tx, sql, now, c, visible ? &r->values : NULL, visible ? "update" : "stage"));
	if (visible && now->draft != NULL)
		STET_TRY(hook_changed(call, tx, c, "stage"));
	return visible ? translation_share(call, tx, c, now->group, now->columns, r->live)
		       : STET_OK;
}

static enum stet_status
save(struct stet_call *call, struct stet_tx *tx, struct rewrite *r)
{
	struct change c = now_change(r->now, r->now->newest_slug, r->now->status);

	c.live = r->now->is_published && r->live != r->now->columns;
	STET_TRY(hook_before_save(call, tx, &c, c.live ? r->live : r->draft));
	STET_TRY(write_row(call, tx, r, &c));
	return hook_after_save(call, tx, &c);
}

enum stet_status
item_rewrite(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    stet_rewrite_fn *fn, void *arg, bool *changed)
{
	struct now now = { 0 };
	struct rewrite r = { .now = &now, .fn = fn, .arg = arg };
	struct values draft;
	struct stet_rows rows;

	*changed = false;
	STET_TRY(plan_get(call, collection, &now.collection, &now.plan));
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND, now.plan->by_id, STET_ARGS(id)));
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	STET_TRY(check_rights(call, &now));
	STET_TRY(changed_values(call, &r, now.columns, &r.values, &r.live));
	r.draft = r.live;
	if (now.draft != NULL)
		STET_TRY(changed_values(call, &r, now.data, &draft, &r.draft));
	*changed = r.live != now.columns || (now.draft != NULL && r.draft != now.data);
	return *changed ? save(call, tx, &r) : STET_OK;
}
