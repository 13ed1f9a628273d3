/*
 * publish.c - publishes and unpublishes items, and discards drafts. Publishing copies the values
 * of the draft to the row and sets live_revision_id; the version check of now.c makes a
 * concurrent write fail with CONFLICT.
 */
#include "write/write.h"
#include <string.h>

#define WHICH(rev_)                                                                      \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	    { "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },     \
	    { "locale", STET_STRING, STET_QUERY,                                         \
		    .about = "Locale, when it is looked up by slug" },                   \
	{                                                                                \
		"_rev", STET_STRING, rev_,                                               \
		    .about = "As content_get answered it: fail when the "                \
			     "item is another by now"                                    \
	}
#define PUBLISHED_AT                                                  \
	{                                                             \
		"publishedAt", STET_TIME,                             \
		    .about = "Needs content:publish_any; by default " \
			     "the date it had, or now"                \
	}

const struct stet_member publish_in[] = { WHICH(STET_HEADER), PUBLISHED_AT, { 0 } };
const struct stet_member publish_tool_in[] = { WHICH(STET_REQUIRED), PUBLISHED_AT, VIEW_FIELDS,
	{ 0 } };
const struct stet_member item_in[] = { WHICH(STET_HEADER), { 0 } };
const struct stet_member item_part_in[] = { WHICH(STET_HEADER), VIEW_FIELDS, { 0 } };
const struct stet_member item_tool_in[] = { WHICH(STET_REQUIRED), VIEW_FIELDS, { 0 } };

/* ---- publish ---- */

enum stet_status
publish_check(struct stet_call *call, const struct now *now, const json_t *data)
{
	for (size_t i = 0; i < now->collection->field_count; i++) {
		const struct stet_field *f = now->collection->fields[i];

		if (f->required && values_is_empty(json_object_get(data, f->slug)))
			stet_issue(
			    call, stet_printf(call, "data.%s", f->slug), "is required to publish");
	}
	return stet_issues(call);
}

/* Returns the revision that becomes live: the draft, or the newest revision if it has the same
 * values, or a new one. */
static enum stet_status
live_revision(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const struct publish *p, const char **id)
{
	struct revision r;
	bool found;

	*id = p->edited ? NULL : now->draft != NULL ? now->draft : now->live;
	if (!now->collection->revisions || *id != NULL)
		return STET_OK;
	if (!p->edited) {
		STET_TRY(revision_newest(call, now->id, &r, &found));
		if (found &&
		    json_equal(fit_revision(call, now->collection, now->plan, r.data, r.created),
			p->data)) {
			*id = r.id;
			return STET_OK;
		}
	}
	return revision_replace(
	    call, tx, now, staged_with(call, p->data, p->staged), p->staged_slug, id);
}

/* Returns true if the item is published with these values already. */
static bool
is_live(const struct now *now, const struct publish *p)
{
	return now->is_published && now->draft == NULL && !p->edited && now->scheduled == NULL &&
	       !now->is_overdue && !p->author.given &&
	       (!p->published_at.given || (p->published_at.text != NULL && now->published != NULL &&
					      strcmp(p->published_at.text, now->published) == 0));
}

/* Returns the time at which the publication ends; NULL: it has no end. A user who publishes an
 * item after that time wants it to be public. */
static const char *
end_of(struct stet_call *call, const struct now *now, const struct publish *p)
{
	bool passed = now->unpublish != NULL &&
		      strcmp(now->unpublish, stet_time_text(call, stet_now(call))) <= 0;

	return passed && p->due == NULL ? NULL : now->unpublish;
}

static enum stet_status
write_live(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const struct publish *p, const struct change *c, const char *revision)
{
	struct stet_sql *sql = now_update(call, now);
	const char *at = stet_time_text(call, stet_now(call));
	const char *published = p->published_at.text;
	struct values values;

	if (published == NULL)
		published = now->published != NULL ? now->published : p->due != NULL ? p->due : at;
	now_diff(call, now, p->data, &values);
	now_set(sql, ", updated_at = ", at);
	now_turn(sql, ", published_at = ", now->published, published);
	now_turn(sql, ", status = ", now->status, "published");
	now_turn_schedule(sql, now, NULL, end_of(call, now, p));
	if (now->collection->revisions) {
		now_set(sql, ", live_revision_id = ", revision);
		stet_sql_add(sql, ", draft_revision_id = NULL");
	}
	if (p->author.given)
		now_turn(sql, ", author_id = ", now->author, c->author);
	now_turn(sql, ", slug = ", now->slug, p->slug);
	now_set_fields(call, sql, now, &values);
	STET_TRY(now_write(call, tx, sql, now, c, &values, "publish"));
	if (!p->edited)
		STET_TRY(revision_lasts(call, tx, now));
	STET_TRY(translation_share(call, tx, c, now->group, NULL, p->data));
	return hook_after_publish(call, tx, c, published, p->due != NULL);
}

enum stet_status
item_publish(
    struct stet_call *call, struct stet_tx *tx, const struct now *now, const struct publish *p)
{
	struct change c = now_change(now, p->slug, "published");
	const char *revision = NULL;

	if (p->author.given)
		c.author = p->author.text;
	if (is_live(now, p))
		return STET_OK;
	if (!now->is_published || now->draft != NULL || p->edited)
		STET_TRY(publish_check(call, now, p->data));
	STET_TRY(save_publishable(call, &c));
	STET_TRY(hook_before_publish(call, tx, &c, p->data));
	STET_TRY(staged_publish(call, tx, now, p->staged));
	STET_TRY(live_revision(call, tx, now, p, &revision));
	return write_live(call, tx, now, p, &c, revision);
}

static enum stet_status
publish(struct stet_call *call, now_answer *answer)
{
	struct publish p = { .published_at = { stet_arg(call, "publishedAt") != NULL,
				 stet_arg(call, "publishedAt") } };
	struct now now = { 0 };

	STET_TRY(now_find(call, &now));
	STET_TRY(
	    stet_require_owned(call, "content:publish_own", "content:publish_any", now.author));
	if (p.published_at.given)
		STET_TRY(stet_require(call, "content:publish_any"));
	STET_TRY(now_is(call, &now, stet_arg(call, "_rev")));
	p.data = now.data;
	p.slug = now.newest_slug;
	p.staged = now.staged;
	STET_TRY(item_publish(call, stet_write_tx(call), &now, &p));
	return answer(call, &now);
}

enum stet_status
content_publish(struct stet_call *call)
{
	return publish(call, now_reply);
}

enum stet_status
content_publish_tool(struct stet_call *call)
{
	return publish(call, now_reply_part);
}

/* ---- unpublish ---- */

/* A draft has a time at which it would be unpublished. */
static enum stet_status
drop_end(struct stet_call *call, struct stet_tx *tx, const struct now *now)
{
	struct stet_sql *sql = now_update_hidden(call, now);
	struct change c = now_change(now, now->slug, now->status);

	now_turn_schedule(sql, now, NULL, NULL);
	return now_write(call, tx, sql, now, &c, NULL, "schedule");
}

enum stet_status
item_unpublish(struct stet_call *call, struct stet_tx *tx, const struct now *now, bool due)
{
	struct stet_sql *sql = now_update(call, now);
	struct change c = now_change(now, now->slug, "draft");

	if (strcmp(now->status, "draft") == 0 && now->scheduled == NULL)
		return now->unpublish == NULL ? STET_OK : drop_end(call, tx, now);
	STET_TRY(hook_before_unpublish(call, tx, &c, now->columns));
	now_set(sql, ", updated_at = ", stet_time_text(call, stet_now(call)));
	/* Keeps published_at, for when the item is published again, and keeps a draft. */
	if (!now->stale_pointers) /* now_update has it; PostgreSQL takes a column once */
		stet_sql_add(sql, ", live_revision_id = NULL");
	now_turn(sql, ", status = ", now->status, "draft");
	now_turn_schedule(sql, now, NULL, NULL);
	STET_TRY(now_write(call, tx, sql, now, &c, NULL, "unpublish"));
	STET_TRY(revision_lasts(call, tx, now));
	return hook_after_unpublish(call, tx, &c, due);
}

static enum stet_status
unpublish(struct stet_call *call, now_answer *answer)
{
	struct now now = { 0 };

	STET_TRY(now_find(call, &now));
	STET_TRY(
	    stet_require_owned(call, "content:publish_own", "content:publish_any", now.author));
	STET_TRY(now_is(call, &now, stet_arg(call, "_rev")));
	STET_TRY(item_unpublish(call, stet_write_tx(call), &now, false));
	return answer(call, &now);
}

enum stet_status
content_unpublish(struct stet_call *call)
{
	return unpublish(call, now_reply);
}

enum stet_status
content_unpublish_tool(struct stet_call *call)
{
	return unpublish(call, now_reply_part);
}

/* ---- discard ---- */

static enum stet_status
drop_draft(struct stet_call *call, struct stet_tx *tx, const struct now *now)
{
	struct change c = now_change(now, now->slug, now->status);
	struct stet_sql *sql = now_update_hidden(call, now);

	stet_sql_add(sql, ", draft_revision_id = NULL");
	/* A schedule of a published item belongs to its draft. */
	if (now->is_published)
		now_turn_schedule(sql, now, NULL, now->unpublish);
	STET_TRY(now_write(call, tx, sql, now, &c, NULL, "discard"));
	if (now->is_published && now->scheduled != NULL)
		scheduler_wake(call);
	return hook_after_save(call, tx, &c);
}

static enum stet_status
discard(struct stet_call *call, now_answer *answer)
{
	struct now now = { 0 };

	STET_TRY(now_find(call, &now));
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", now.author));
	STET_TRY(now_is(call, &now, stet_arg(call, "_rev")));
	/* The item was never published, so the draft has its only values. */
	if (now.published == NULL && !now.is_published)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "The item was never published: there is nothing live to go back to. Trash it, "
		    "or restore a revision");
	if (now.scheduled != NULL && stet_drafts_only(call))
		return stet_refuse_public(call);
	if (now.draft != NULL)
		STET_TRY(drop_draft(call, stet_write_tx(call), &now));
	return answer(call, &now);
}

enum stet_status
item_discard(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	struct now now = { 0 };
	struct stet_rows rows;

	STET_TRY(plan_get(call, collection, &now.collection, &now.plan));
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND, now.plan->by_id, STET_ARGS(id)));
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", now.author));
	return now.is_published && now.draft != NULL ? drop_draft(call, tx, &now) : STET_OK;
}

enum stet_status
content_discard(struct stet_call *call)
{
	return discard(call, now_reply);
}

enum stet_status
content_discard_tool(struct stet_call *call)
{
	return discard(call, now_reply_part);
}
