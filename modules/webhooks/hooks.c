/*
 * hooks.c - turns changes of the site into events, and stores deliveries for them.
 *
 * Deliveries of items and definitions are stored in the transaction of the change, so none is lost,
 * and none is sent for a change that was rolled back. Events of comments, notes, reviews, bylines
 * and overdue items come through the outbox after the commit (NOTIFY hooks).
 */
#include "webhooks.h"
#include <string.h>

/* ---- items and definitions ---- */

static const struct stet_member item[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ "version", STET_INTEGER, STET_REQUIRED },
	{ "publishedAt", STET_STRING, STET_NULLABLE },
	{ "scheduledAt", STET_STRING, STET_NULLABLE },
	{ "unpublishAt", STET_STRING },
	{ "previousSlug", STET_STRING },
	{ 0 },
};

/* The item that has left an address in this change, for the event that follows. */
struct left {
	const char *id, *slug;
};
static const char left_key;

enum stet_status
hook_left(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *slug, const char *locale)
{
	struct left *left = stet_alloc(call, sizeof(*left));

	(void)tx;
	(void)collection;
	(void)locale;
	*left = (struct left){ stet_strdup(call, id), stet_strdup(call, slug) };
	*stet_call_slot(call, &left_key) = left;
	return STET_OK;
}

/* The slug that the public saw before this change; NULL: it is the same. */
static const char *
previous_slug(struct stet_call *call, const char *id, const char *slug)
{
	const struct left *left = *stet_call_slot(call, &left_key);

	return left != NULL && strcmp(left->id, id) == 0 &&
		       (slug == NULL || strcmp(left->slug, slug) != 0)
		   ? left->slug
		   : NULL;
}

/* Makes a row of `item` of one that has been read. */
static void
take_row(struct stet_call *call, const char *collection, const struct stet_item_row *from,
    struct stet_rows *rows)
{
	const struct stet_val v[] = { stet_val_str(collection), stet_val_str(from->id),
		stet_val_str(from->slug), stet_val_str(from->status), stet_val_str(from->locale),
		stet_val_str(from->group), stet_val_int(from->version),
		stet_val_str(from->published_at), stet_val_str(from->scheduled_at),
		stet_val_str(from->unpublish_at),
		stet_val_str(previous_slug(call, from->id, from->slug)) };
	struct stet_val *row = stet_alloc(call, sizeof(v));

	memcpy(row, v, sizeof(v));
	stet_rows_made(call, rows, row, sizeof(v) / sizeof(v[0]));
}

static enum stet_status
query_row(struct stet_call *call, const struct stet_collection *collection, const char *id,
    struct stet_rows *rows)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const struct stet_item_row *row;
	struct stet_sql *sql;

	STET_TRY(content->row(call, collection, id, &row));
	if (row != NULL) {
		take_row(call, collection->slug, row, rows);
		return STET_OK;
	}
	sql = stet_sql_new(call);
	stet_sql_add(sql, "SELECT ");
	stet_sql_bind(sql, stet_val_str(collection->slug));
	stet_sql_add(sql,
	    ", id, slug, status, locale, translation_group, version, published_at, scheduled_at,"
	    " unpublish_at, NULL FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	return stet_sql_query(sql, rows);
}

/* Reads the item after the change. The result for a deleted item has only collection and id. */
static enum stet_status
read_item(struct stet_call *call, const struct stet_collection *collection, const char *id,
    const char **out, bool *published)
{
	struct stet_json *text = stet_json_new(call);
	struct stet_rows rows;

	STET_TRY(query_row(call, collection, id, &rows));
	*published = false;
	if (stet_row(&rows)) {
		*published = strcmp(stet_col_str(&rows, 3), "published") == 0;
		stet_put_row(text, &rows, item);
	} else {
		stet_object(text, NULL);
		stet_put_str(text, "collection", collection->slug);
		stet_put_str(text, "id", id);
		stet_close(text);
	}
	STET_TRY(stet_rows_end(&rows));
	*out = stet_json_text(text, NULL);
	return STET_OK;
}

enum stet_status
hook_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	struct happening h = { .event = stet_printf(call, "content.%s", change),
		.collection = collection->slug },
			 more = { .event = "content.publish", .collection = collection->slug };
	const bool created = strcmp(change, "create") == 0;
	struct subscriber *all;
	bool published;

	(void)version; /* read_item reads it from the row */
	STET_TRY(subscriber_list(call, &all));
	if (subscriber_wants(call, all, &h) || (created && subscriber_wants(call, all, &more))) {
		h.subject = more.subject = stet_printf(call, "i:%s", id);
		STET_TRY(read_item(call, collection, id, &h.data, &published));
		STET_TRY(subscriber_deliver(call, tx, all, &h));
		/* An item that was created as published also counts as published: receivers that
		 * rebuild a site need only content.publish. */
		more.data = h.data;
		if (created && published)
			STET_TRY(subscriber_deliver(call, tx, all, &more));
	}
	*stet_call_slot(call, &left_key) = NULL;
	return purge_entry(call, tx, all, collection, id, change);
}

/* Reports the change of a field as an update of its collection. */
enum stet_status
hook_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	struct happening h = { .event = stet_printf(
				   call, "collection.%s", field != NULL ? "update" : change),
		.collection = collection,
		.subject = stet_printf(call, "c:%s", collection) };
	struct subscriber *all;
	struct stet_json *data;

	STET_TRY(subscriber_list(call, &all));
	STET_TRY(purge_schema(call, tx, all, collection));
	if (!subscriber_wants(call, all, &h))
		return STET_OK;
	data = stet_json_new(call);
	stet_object(data, NULL);
	stet_put_str(data, "collection", collection);
	if (field != NULL)
		stet_put_str(data, "field", field);
	stet_close(data);
	h.data = stet_json_text(data, NULL);
	return subscriber_deliver(call, tx, all, &h);
}

/* ---- events after their commit ---- */

static enum stet_status
write_down(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct happening *h = arg;
	struct subscriber *all;

	STET_TRY(subscriber_list(call, &all));
	return subscriber_deliver(call, tx, all, h);
}

/* Stores an event whose payload has these members of the hook's payload. */
static enum stet_status
told(struct stet_call *call, const char *event, const char *collection, const json_t *payload,
    const char *const *members)
{
	struct happening h = { .event = event,
		.collection = collection,
		.subject = event_subject(call, event, payload) };
	struct stet_json *data = stet_json_new(call);
	struct subscriber *all;

	STET_TRY(subscriber_list(call, &all));
	if (!subscriber_wants(call, all, &h))
		return STET_OK;
	stet_object(data, NULL);
	for (; *members != NULL; members++)
		if (json_object_get(payload, *members) != NULL)
			stet_put_json(data, *members, json_object_get(payload, *members));
	stet_close(data);
	h.data = stet_json_text(data, NULL);
	return stet_write_lane(call, write_down, &h);
}

static const char *
collection_of(const json_t *payload)
{
	return json_string_value(json_object_get(payload, "collection"));
}

enum stet_status
hook_overdue(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "collection", "id", "slug", "status", "locale",
		"version", "scheduledAt", "unpublishAt", "scheduleError", NULL };

	return told(call, "content.overdue", collection_of(payload), payload, members);
}

enum stet_status
hook_release(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "name", "publishedAt", "undoneAt",
		"scheduledAt", "scheduled", "changes", "error", NULL };
	const char *event = json_string_value(json_object_get(payload, "event"));

	return told(call, stet_printf(call, "release.%s", event), NULL, payload, members);
}

/* Leaves out the author's address, which must not leave the daemon. */
enum stet_status
hook_comment_created(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "collection", "contentId", "parentId",
		"authorName", "body", "status", NULL };

	return told(call, "comment.create", collection_of(payload), payload, members);
}

enum stet_status
hook_comment_moderated(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "collection", "contentId", "previousStatus",
		"status", NULL };

	return told(call, "comment.moderate", collection_of(payload), payload, members);
}

/* Returns the name of the event that a member of the payload names: "note." and its change. */
static const char *
event_of(struct stet_call *call, const char *family, const json_t *payload, const char *member)
{
	const char *what = json_string_value(json_object_get(payload, member));

	return stet_printf(call, "%s.%s", family, what != NULL ? what : "");
}

enum stet_status
hook_note(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "collection", "contentId", "threadId",
		"userId", "userName", "body", "mentions", NULL };

	return told(call, event_of(call, "note", payload, "change"), collection_of(payload),
	    payload, members);
}

enum stet_status
hook_review(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "collection", "contentId", "state",
		"askedById", "userId", "userName", "message", "answer", "version", NULL };

	return told(call, event_of(call, "review", payload, "state"), collection_of(payload),
	    payload, members);
}

enum stet_status
hook_byline_saved(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "slug", "displayName", "locale",
		"translationGroup", "isNew", NULL };

	return told(call, "byline.save", NULL, payload, members);
}

enum stet_status
hook_byline_deleted(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "slug", "locale", "translationGroup", NULL };

	return told(call, "byline.delete", NULL, payload, members);
}
