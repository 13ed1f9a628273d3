/* talk.c - comments of an item, and their threads. */
#include "item/talk.h"
#include "item/times.h"
#include "read/text.h"
#include "state/map.h"
#include <stdlib.h>
#include <stet/comments.h>
#include <string.h>

/* Is it a note that a shop or a spam filter stores as a comment? No visitor has written it. */
static bool
is_internal(const char *type)
{
	static const char *const types[] = { "order_note", "action_log", "webhook_delivery" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return false;
}

static int
by_id(const void *x, const void *y)
{
	const struct wxr_comment *const *a = x, *const *b = y;

	return ((*a)->id > (*b)->id) - ((*a)->id < (*b)->id);
}

/* Sorted by id, so that each comment comes before its replies. */
json_t *
talk_of(struct stet_call *call, const struct wxr_item *item, struct import_item *entry)
{
	const struct wxr_comment **sorted =
	    stet_alloc(call, (item->comment_count + 1) * sizeof(*sorted));
	json_t *out = json_array();

	for (size_t i = 0; i < item->comment_count; i++)
		sorted[i] = &item->comments[i];
	qsort(sorted, item->comment_count, sizeof(*sorted), by_id);
	for (size_t i = 0; i < item->comment_count; i++) {
		const struct wxr_comment *c = sorted[i];

		if (!is_internal(c->type))
			(void)json_array_append_new(out,
			    json_pack("{sI sI ss ss ss ss ss*}", "id", (json_int_t)c->id, "parent",
				(json_int_t)c->parent, "author", text_decode(call, c->author),
				"email", c->email, "body", text_plain(call, c->content), "status",
				c->approved, "at", times_comment(call, c, entry)));
	}
	return out;
}

static enum stet_comment_status
status_of(const char *approved)
{
	if (strcmp(approved, "1") == 0 || strcmp(approved, "approve") == 0)
		return STET_COMMENT_APPROVED;
	if (strcmp(approved, "spam") == 0)
		return STET_COMMENT_SPAM;
	if (strcmp(approved, "trash") == 0 || strcmp(approved, "post-trashed") == 0)
		return STET_COMMENT_TRASH;
	return STET_COMMENT_PENDING;
}

/* `ids`: {id of the source: id of ours} of this item's comments so far. */
static enum stet_status
store_one(struct stet_call *call, struct stet_tx *tx, struct stet_comment_import *c,
    const json_t *from, json_t *ids, bool *added)
{
	const struct stet_comments_1 *comments = stet_service(call, STET_COMMENTS_1);
	json_int_t parent = json_integer_value(json_object_get(from, "parent"));
	const char *id = NULL, *at = text_in(from, "at");

	c->author_name = text_in(from, "author");
	c->author_email = text_in(from, "email");
	c->body = text_in(from, "body");
	c->status = status_of(text_in(from, "status"));
	c->created_at = stet_now(call);
	c->parent_id = NULL;
	if (*at != '\0')
		(void)stet_time_parse(at, &c->created_at);
	if (parent != 0)
		c->parent_id = json_string_value(json_object_get(ids, map_id(call, parent)));
	STET_TRY(comments->import(call, tx, c, sizeof(*c), &id, added));
	(void)json_object_set_new(
	    ids, map_id(call, json_integer_value(json_object_get(from, "id"))), json_string(id));
	return STET_OK;
}

static int64_t
id_of(const json_t *comment)
{
	return json_integer_value(json_object_get(comment, "id"));
}

int64_t
talk_last(const json_t *comments)
{
	size_t count = json_array_size(comments);

	return count > 0 ? id_of(json_array_get(comments, count - 1)) : 0;
}

int64_t
talk_known(const json_t *comments, int64_t last)
{
	const json_t *one;
	int64_t known = 0;
	size_t i;

	json_array_foreach(comments, i, one) known += id_of(one) <= last;
	return known;
}

/* Returns the set of ids of comments to which comments above `after` reply. */
static const json_t *
answered(struct stet_call *call, const json_t *comments, int64_t after)
{
	json_t *out = stet_json_own(call, json_object()), *one;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)comments, i, one)
	{
		if (after > 0 && id_of(one) > after)
			(void)json_object_set_new(out,
			    map_id(call, json_integer_value(json_object_get(one, "parent"))),
			    json_true());
	}
	return out;
}

enum stet_status
talk_store(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *entry,
    const json_t *comments, int64_t after, int64_t *count)
{
	struct stet_comment_import c = { .collection = collection, .entry_id = entry };
	const json_t *wanted;
	json_t *ids, *from;
	size_t i;

	if (talk_last(comments) <= after || stet_service(call, STET_COMMENTS_1) == NULL)
		return STET_OK;
	ids = stet_json_own(call, json_object());
	wanted = answered(call, comments, after);
	json_array_foreach(comments, i, from)
	{
		bool added = false;

		if (id_of(from) <= after &&
		    json_object_get(wanted, map_id(call, id_of(from))) == NULL)
			continue;
		STET_TRY(store_one(call, tx, &c, from, ids, &added));
		*count += added;
	}
	return STET_OK;
}
