/*
 * items.c - publishing and unpublishing items in a release. What is published is the draft that the
 * item has then; the item holds it, not the release.
 */
#include "releases.h"
#include <stet/content.h>
#include <string.h>

/* ---- the state: the members of the item by which it is restored, and its title ---- */

static const char *
title_field(struct stet_call *call, const char *collection)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;

	if (schema->collection(call, collection, &c) != STET_OK) {
		stet_error_clear(call);
		return NULL;
	}
	if (c->title_field != NULL)
		return c->title_field;
	for (size_t i = 0; i < c->field_count; i++)
		if (strcmp(c->fields[i]->slug, "title") == 0 ||
		    strcmp(c->fields[i]->slug, "name") == 0)
			return c->fields[i]->slug;
	return NULL;
}

static enum stet_status
state(struct stet_call *call, const struct change *c, const json_t **out)
{
	const char *title = title_field(call, c->collection);
	const char *fields = "slug,status,authorId,locale,publishedAt,scheduledAt,unpublishAt,"
			     "liveRevisionId,draftRevisionId";
	json_t *answer, *item;

	*out = NULL;
	if (title != NULL)
		fields = stet_printf(call, "%s,%s", fields, title);
	STET_TRY(stet_invoke_found(call, "content_get",
	    json_pack("{ss ss ss}", "collection", c->collection, "id", c->item, "fields", fields),
	    &answer));
	if (answer == NULL)
		return STET_OK;
	item = json_object_get(answer, "item");
	(void)json_object_set(item, "_rev", json_object_get(answer, "_rev"));
	if (title != NULL)
		(void)json_object_set(
		    item, "title", json_object_get(json_object_get(item, "data"), title));
	(void)json_object_del(item, "data");
	*out = item;
	return STET_OK;
}

static void
check(struct stet_call *call, const char *path, const struct change *c)
{
	if (c->collection == NULL)
		stet_issue(call, stet_printf(call, "%s.collection", path), "is required");
	if (c->item == NULL)
		stet_issue(call, stet_printf(call, "%s.item", path), "is required: an id");
	if (change_deletes(c))
		stet_issue(call, stet_printf(call, "%s.action", path),
		    "must be publish or unpublish: a release deletes no items");
	if (c->content != NULL)
		stet_issue(call, stet_printf(call, "%s.content", path),
		    "is not for items: a release publishes their drafts");
}

/* ---- applying ---- */

static json_t *
named(const struct change *c)
{
	return json_pack("{ss ss ss}", "collection", c->collection, "id", c->item, "fields", "id");
}

/* Runs an op that needs the present _rev. Takes the reference of `args`. */
static enum stet_status
turn_with(struct stet_call *call, const struct change *c, const char *op, json_t *args)
{
	const json_t *now;

	stet_json_own(call, args);
	STET_TRY(state(call, c, &now));
	if (now == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "The item is gone");
	(void)json_object_set(args, "_rev", json_object_get(now, "_rev"));
	return stet_invoke_unread(call, op, json_incref(args));
}

static enum stet_status
turn(struct stet_call *call, const struct change *c, const char *op)
{
	return turn_with(call, c, op, named(c));
}

static bool
unpublishes(const struct change *c)
{
	return strcmp(c->action, "unpublish") == 0;
}

static enum stet_status
apply(struct stet_call *call, const struct change *c, json_t *now)
{
	(void)now;
	return turn(call, c, unpublishes(c) ? "content_unpublish" : "content_publish");
}

/* ---- taking it back ---- */

static enum stet_status
restore(struct stet_call *call, const char *revision)
{
	return stet_invoke_unread(
	    call, "revision_restore", json_pack("{ss ss}", "revisionId", revision, "fields", "id"));
}

/* Makes the values that were live before live again, and the draft of that time the draft. */
static enum stet_status
republish(struct stet_call *call, const struct change *c)
{
	const char *live = text_of(c->before, "liveRevisionId"),
		   *draft = text_of(c->before, "draftRevisionId");
	const bool waits = draft != NULL && (live == NULL || strcmp(draft, live) != 0);

	if (waits && live != NULL)
		STET_TRY(restore(call, live));
	if (waits || unpublishes(c))
		STET_TRY(turn(call, c, "content_publish"));
	return waits && live != NULL ? restore(call, draft) : STET_OK;
}

/* Makes an item a draft again that was one before. */
static enum stet_status
withdraw(struct stet_call *call, const struct change *c)
{
	json_t *args;

	STET_TRY(turn(call, c, "content_unpublish"));
	if (text_of(c->before, "publishedAt") != NULL || !stet_may(call, "content:publish_any"))
		return STET_OK;
	/* It has never been public, as far as it tells. */
	args = named(c);
	(void)json_object_del(args, "fields");
	(void)json_object_set_new(args, "publishedAt", json_null());
	return turn_with(call, c, "content_update", args);
}

/* Sets the times that publishing or unpublishing has removed, if they have not passed. */
static enum stet_status
reschedule(struct stet_call *call, const struct change *c)
{
	static const char *const times[] = { "scheduledAt", "unpublishAt" };
	json_t *args = named(c);
	bool any = false;

	stet_json_own(call, args);
	for (size_t i = 0; i < 2; i++) {
		const char *at = text_of(c->before, times[i]);
		int64_t ms;

		if (at == NULL || !stet_time_parse(at, &ms) || ms <= stet_now(call))
			continue;
		(void)json_object_set_new(args, times[i], json_string(at));
		any = true;
	}
	return any ? stet_invoke_unread(call, "content_schedule", json_incref(args)) : STET_OK;
}

static enum stet_status
revert(struct stet_call *call, const struct change *c)
{
	const bool was_public = strcmp(text_of(c->before, "status"), "published") == 0;

	if (was_public)
		STET_TRY(republish(call, c));
	else if (!unpublishes(c))
		STET_TRY(withdraw(call, c));
	return reschedule(call, c);
}

const struct kind_row item_kind = { { "content_publish", "content_unpublish" },
	"content:read_drafts", check, state, apply, revert };
