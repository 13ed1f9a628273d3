/*
 * event.c - events become deliveries: a row for each target that subscribes to the event.
 *
 * Events of items and definitions are stored in the transaction of the change, so none is lost,
 * and none is sent for a change that was rolled back. Events of comments, bylines and
 * overdue items come through the outbox after their commit (NOTIFY hooks).
 */
#include "webhooks.h"
#include <string.h>

static const char *const known[] = { "content.*", "content.create", "content.update",
	"content.stage", "content.publish", "content.unpublish", "content.schedule",
	"content.overdue", "content.discard", "content.delete", "content.restore", "content.purge",
	"collection.*", "collection.create", "collection.update", "collection.delete", "comment.*",
	"comment.create", "comment.moderate", "byline.*", "byline.save", "byline.delete", "cache.*",
	EVENT_PURGE };

bool
event_known(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i], name) == 0)
			return true;
	return false;
}

const char *
event_names(struct stet_call *call)
{
	const char *all = known[0];

	for (size_t i = 1; i < sizeof(known) / sizeof(known[0]); i++)
		all = stet_printf(call, "%s, %s", all, known[i]);
	return all;
}

/* Families of events, each with the member of their data whose order counts. Comments are of their
 * item, so that a reply follows what it replies to. */
static const struct {
	const char *family, *kind, *member;
} subjects[] = {
	{ "content.", "i", "id" },
	{ "comment.", "i", "contentId" },
	{ "collection.", "c", "collection" },
	{ "byline.", "b", "id" },
};

const char *
event_subject(struct stet_call *call, const char *event, const json_t *data)
{
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		const char *id = json_string_value(json_object_get(data, subjects[i].member));

		if (id != NULL &&
		    strncmp(event, subjects[i].family, strlen(subjects[i].family)) == 0)
			return stet_printf(call, "%s:%s", subjects[i].kind, id);
	}
	return "";
}

const char *
event_body(struct stet_call *call, const char *delivery, const char *event, const char *now,
    const char *data)
{
	struct stet_json *out = stet_json_new(call);

	stet_object(out, NULL);
	stet_put_str(out, "id", delivery);
	stet_put_str(out, "event", event);
	stet_put_str(out, "createdAt", now);
	stet_put_str(out, "site", stet_base_url(call));
	stet_put_raw(out, "data", data, strlen(data));
	stet_close(out);
	return stet_json_text(out, NULL);
}

/* ---- which targets subscribe ---- */

/* Returns true if the stored list has this name. Names contain nothing that JSON escapes, so a
 * search in the text is enough. */
static bool
lists(struct stet_call *call, const char *list, const char *name)
{
	return strstr(list, stet_printf(call, "\"%s\"", name)) != NULL;
}

/* An empty list is all events but purges, which only caches have a use for. */
static bool
wants(struct stet_call *call, const struct subscriber *s, const struct happening *h)
{
	const char *family = stet_printf(call, "%.*s.*", (int)strcspn(h->event, "."), h->event);
	bool all = strcmp(s->events, "[]") == 0 && strcmp(h->event, EVENT_PURGE) != 0;

	if (!all && !lists(call, s->events, h->event) && !lists(call, s->events, family))
		return false;
	return strcmp(s->collections, "[]") == 0 ||
	       (h->collection != NULL && lists(call, s->collections, h->collection));
}

enum stet_status
event_subscribers(struct stet_call *call, struct subscriber **out)
{
	struct stet_rows rows;

	*out = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, events, collections, waiting, failing, retry_at, due_at FROM webhook"
	    " WHERE enabled = 1 ORDER BY created_at, id",
	    STET_NO_ARGS));
	while (stet_row(&rows)) {
		struct subscriber *s = stet_alloc(call, sizeof(*s));

		*s = (struct subscriber){ .next = *out,
			.id = stet_col_dup(&rows, 0),
			.events = stet_col_dup(&rows, 1),
			.collections = stet_col_dup(&rows, 2),
			.waiting = stet_col_int(&rows, 3),
			.backoff = { stet_col_int(&rows, 4), stet_col_dup(&rows, 5) },
			.due_at = stet_col_dup(&rows, 6) };
		*out = s;
	}
	return stet_rows_end(&rows);
}

bool
event_wanted(struct stet_call *call, const struct subscriber *all, const struct happening *h)
{
	while (all != NULL && !wants(call, all, h))
		all = all->next;
	return all != NULL;
}

/* ---- storing deliveries ---- */

enum stet_status
event_deliver(struct stet_call *call, struct stet_tx *tx, const struct subscriber *all,
    const struct happening *h)
{
	for (; all != NULL; all = all->next)
		if (wants(call, all, h))
			STET_TRY(queue_add(call, tx, all, h));
	return STET_OK;
}

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
	{ 0 },
};

/* Reads the item after the change; of a deleted item, its id and slug. */
static enum stet_status
read_item(struct stet_call *call, const struct stet_collection *collection, const char *id,
    const char **out, bool *published)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *text = stet_json_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT ");
	stet_sql_bind(sql, stet_val_str(collection->slug));
	stet_sql_add(sql,
	    ", id, slug, status, locale, translation_group, version, published_at, scheduled_at"
	    " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
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
event_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	struct happening h = { .event = stet_printf(call, "content.%s", change),
		.collection = collection->slug },
			 more = { .event = "content.publish", .collection = collection->slug };
	const bool created = strcmp(change, "create") == 0;
	struct subscriber *all;
	bool published;

	(void)version; /* the row has its own */
	STET_TRY(event_subscribers(call, &all));
	if (event_wanted(call, all, &h) || (created && event_wanted(call, all, &more))) {
		h.subject = more.subject = stet_printf(call, "i:%s", id);
		STET_TRY(read_item(call, collection, id, &h.data, &published));
		STET_TRY(event_deliver(call, tx, all, &h));
		/* Who builds a site anew at each content.publish need not know how an item became
		 * public. */
		more.data = h.data;
		if (created && published)
			STET_TRY(event_deliver(call, tx, all, &more));
	}
	return purge_entry(call, tx, all, collection, id, change);
}

/* A change of a field is reported as one of its collection. */
enum stet_status
event_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	struct happening h = { .event = stet_printf(
				   call, "collection.%s", field != NULL ? "update" : change),
		.collection = collection,
		.subject = stet_printf(call, "c:%s", collection) };
	struct subscriber *all;
	struct stet_json *data;

	STET_TRY(event_subscribers(call, &all));
	STET_TRY(purge_schema(call, tx, all, collection));
	if (!event_wanted(call, all, &h))
		return STET_OK;
	data = stet_json_new(call);
	stet_object(data, NULL);
	stet_put_str(data, "collection", collection);
	if (field != NULL)
		stet_put_str(data, "field", field);
	stet_close(data);
	h.data = stet_json_text(data, NULL);
	return event_deliver(call, tx, all, &h);
}

/* ---- events after their commit ---- */

static enum stet_status
write_down(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct happening *h = arg;
	struct subscriber *all;

	STET_TRY(event_subscribers(call, &all));
	return event_deliver(call, tx, all, h);
}

/* Stores an event with these members of its payload. */
static enum stet_status
told(struct stet_call *call, const char *event, const char *collection, const json_t *payload,
    const char *const *members)
{
	struct happening h = { .event = event,
		.collection = collection,
		.subject = event_subject(call, event, payload) };
	struct stet_json *data = stet_json_new(call);
	struct subscriber *all;

	STET_TRY(event_subscribers(call, &all));
	if (!event_wanted(call, all, &h))
		return STET_OK;
	stet_object(data, NULL);
	for (; *members != NULL; members++)
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
event_overdue(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "collection", "id", "slug", "status", "locale",
		"version", "scheduledAt", "scheduleError", NULL };

	return told(call, "content.overdue", collection_of(payload), payload, members);
}

/* Without the author's address, which must not leave the daemon. */
enum stet_status
event_comment_created(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "collection", "contentId", "parentId",
		"authorName", "body", "status", NULL };

	return told(call, "comment.create", collection_of(payload), payload, members);
}

enum stet_status
event_comment_moderated(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "collection", "contentId", "previousStatus",
		"status", NULL };

	return told(call, "comment.moderate", collection_of(payload), payload, members);
}

enum stet_status
event_byline_saved(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "slug", "displayName", "locale",
		"translationGroup", "isNew", NULL };

	return told(call, "byline.save", NULL, payload, members);
}

enum stet_status
event_byline_deleted(struct stet_call *call, const json_t *payload)
{
	static const char *const members[] = { "id", "slug", "locale", "translationGroup", NULL };

	return told(call, "byline.delete", NULL, payload, members);
}
