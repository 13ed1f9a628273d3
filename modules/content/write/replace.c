/*
 * replace.c - content_replace: replaces a text in the fields of many items. Items are read in the
 * order of their ids, a part of the collection in each call; each item that has the text is updated
 * by content_update, so what is published gets a draft. An item that cannot be updated is told, and
 * stays as it is; the others are updated. Limits of a token count each of them (STET_MORE_EACH): if
 * no more writes are allowed, the call ends there, with a cursor.
 */
#include "write/write.h"
#include <string.h>

#define LOOKED_MOST 500 /* items that a call reads */
#define AROUND 40 /* characters before and after a place that are shown */
#define PLACES_SHOWN 5 /* of an item */
#define GROWS_MOST (1 << 20) /* bytes by which an item may become longer */
/* Bytes of the values of all items of a call, which are in memory until it ends: it answers a
 * cursor when it has read as many. */
#define HELD_MOST (8 << 20)
#define NODE_BYTES 64 /* of a JSON value, beside its text */
#define ANSWER_MAX ((size_t)8 << 20) /* of one content_update */

const struct stet_member replace_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "find", STET_STRING, STET_REQUIRED, .about = "Exact text, in letters of the same case",
	    STET_RANGE(1, 500) },
	{ "with", STET_STRING, STET_REQUIRED, .about = "The text in its place",
	    STET_RANGE(0, 5000) },
	{ "fields", STET_STRING, .about = "Slugs of fields, by commas; all texts when omitted" },
	{ "status", STET_STRING, STET_CHOICES("draft", "published") },
	{ "locale", STET_STRING },
	{ "limit", STET_INTEGER, .about = "Items to change", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the call before" },
	{ 0 },
};
static const struct stet_member place_shape[] = {
	{ "field", STET_STRING, STET_REQUIRED },
	{ "before", STET_STRING, STET_REQUIRED, .about = "40 characters" },
	{ "after", STET_STRING, STET_REQUIRED, .about = "40 characters" },
	{ 0 },
};
static const struct stet_member replaced_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "_rev", STET_STRING, STET_REQUIRED, .about = "As it is now" },
	{ "count", STET_INTEGER, STET_REQUIRED, .about = "Places" },
	{ "places", STET_ARRAY, STET_REQUIRED, .of = place_shape, .about = "The first of them" },
	{ 0 },
};
static const struct stet_member why_shape[] = {
	{ "code", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member failed_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "error", STET_OBJECT, STET_REQUIRED, .of = why_shape },
	{ 0 },
};
const struct stet_member replace_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = replaced_shape, .about = "Those that changed" },
	{ "failed", STET_ARRAY, STET_REQUIRED, .of = failed_shape,
	    .about = "Those that have the text and could not be changed" },
	{ "looked", STET_INTEGER, STET_REQUIRED, .about = "Items that were read" },
	{ "nextCursor", STET_STRING, .about = "There are more items to read" },
	{ 0 },
};

struct replacing {
	struct stet_call *call;
	const char *find, *with, *fields;
	size_t find_len, with_len;
	struct stet_json *failed;
	uint64_t held; /* bytes of the values of all items */
	/* Of one item: */
	const char *field;
	struct stet_json *places;
	int count;
	uint64_t grown; /* bytes by which its texts become longer */
};

/* ---- texts ---- */

/* Moves by up to AROUND characters of UTF-8, back to `from` or on to the end. */
static const char *
around(const char *at, const char *from, bool back)
{
	for (int n = 0; n < AROUND && (back ? at > from : *at != '\0'); n++)
		do
			at += back ? -1 : 1;
		while ((*at & 0xc0) == 0x80);
	return at;
}

static void
put_place(struct replacing *r, const char *text, const char *at)
{
	const char *before, *after = at + r->find_len;

	if (r->count++ >= PLACES_SHOWN)
		return;
	before = around(at, text, true);
	stet_object(r->places, NULL);
	stet_put_str(r->places, "field", r->field);
	stet_put_strn(r->places, "before", before, (size_t)(at - before));
	stet_put_strn(r->places, "after", after, (size_t)(around(after, after, false) - after));
	stet_close(r->places);
}

/* Returns the text with all places replaced. NULL: it has none, or the item would grow too much. */
static const char *
replaced(struct replacing *r, const char *text)
{
	const char *at, *from = text;
	size_t count = 0;
	char *out, *to;

	for (at = strstr(text, r->find); at != NULL; at = strstr(at + r->find_len, r->find)) {
		put_place(r, text, at);
		count++;
	}
	if (r->with_len > r->find_len)
		r->grown += (uint64_t)count * (r->with_len - r->find_len);
	if (count == 0 || r->grown > GROWS_MOST)
		return NULL;
	out = to =
	    stet_alloc(r->call, strlen(text) - count * r->find_len + count * r->with_len + 1);
	while ((at = strstr(from, r->find)) != NULL) {
		memcpy(to, from, (size_t)(at - from));
		to += at - from;
		memcpy(to, r->with, r->with_len);
		to += r->with_len;
		from = at + r->find_len;
	}
	memcpy(to, from, strlen(from) + 1);
	return out;
}

/* Replaces in the texts of all spans of the blocks. Returns true if one has changed. */
static bool
in_spans(struct replacing *r, json_t *value)
{
	const char *type = json_string_value(json_object_get(value, "_type")), *name, *text;
	bool changed = false;
	json_t *v;
	size_t i;

	json_array_foreach(value, i, v) changed |= in_spans(r, v);
	json_object_foreach(value, name, v) changed |= in_spans(r, v);
	text = type != NULL && strcmp(type, "span") == 0
		   ? json_string_value(json_object_get(value, "text"))
		   : NULL;
	text = text != NULL ? replaced(r, text) : NULL;
	if (text != NULL)
		json_object_set_new(value, "text", json_string(text));
	return changed || text != NULL;
}

static bool
is_wanted(const struct replacing *r, const struct stet_field *f)
{
	size_t len = strlen(f->slug), n;

	for (const char *at = r->fields; at != NULL && *at != '\0';
	     at += n + strspn(at + n, ", ")) {
		n = strcspn(at, ", ");
		if (n == len && memcmp(at, f->slug, n) == 0)
			return true;
	}
	return r->fields == NULL;
}

static bool
is_text(const struct stet_field *f)
{
	return strcmp(f->type->name, "string") == 0 || strcmp(f->type->name, "text") == 0;
}

/* Returns the values that change, or NULL. */
static const json_t *
changes(struct replacing *r, const struct now *now)
{
	json_t *out = stet_json_own(r->call, json_object());

	for (size_t i = 0; i < now->collection->field_count; i++) {
		const struct stet_field *f = now->collection->fields[i];
		json_t *value = json_object_get(now->data, f->slug), *copy;
		const char *text = is_text(f) ? json_string_value(value) : NULL;

		r->field = f->slug;
		if (value == NULL || !is_wanted(r, f))
			continue;
		text = text != NULL ? replaced(r, text) : NULL;
		if (text != NULL)
			json_object_set_new(out, f->slug, json_string(text));
		if (f->type->holds != STET_HOLDS_BLOCKS)
			continue;
		copy = stet_json_own(r->call, json_deep_copy(value));
		if (in_spans(r, copy))
			json_object_set(out, f->slug, copy);
	}
	return json_object_size(out) > 0 ? out : NULL;
}

/* Returns about the bytes of memory that a value needs. */
static uint64_t
weight(json_t *value)
{
	uint64_t sum = NODE_BYTES + json_string_length(value);
	const char *name;
	json_t *v;
	size_t i;

	json_array_foreach(value, i, v) sum += weight(v);
	json_object_foreach(value, name, v) sum += weight(v);
	return sum;
}

/* ---- items ---- */

static void
put_item(struct replacing *r, struct stet_json *out, const struct now *now, const json_t *answer)
{
	const json_t *item = json_object_get(answer, "item");
	const char *text;
	size_t len;

	stet_close(r->places);
	text = stet_json_text(r->places, &len);
	stet_object(out, NULL);
	stet_put_str(out, "id", now->id);
	stet_put_str(out, "slug", now->newest_slug);
	stet_put_str(out, "status", json_string_value(json_object_get(item, "status")));
	stet_put_str(out, "_rev", json_string_value(json_object_get(answer, "_rev")));
	stet_put_int(out, "count", r->count);
	stet_put_raw(out, "places", text, len);
	stet_close(out);
}

/* Tells an item that stays as it is. Returns an error that the other items would have, too. */
static enum stet_status
put_failed(struct replacing *r, const char *id, enum stet_status status)
{
	if (status == STET_RATE_LIMITED || status == STET_REQUEST_TIMEOUT ||
	    stet_status_http(status) >= 500)
		return status;
	stet_object(r->failed, NULL);
	stet_put_str(r->failed, "id", id);
	stet_object(r->failed, "error");
	stet_put_str(r->failed, "code", stet_status_name(status));
	stet_put_str(r->failed, "message", stet_error_text(r->call));
	stet_close(r->failed);
	stet_close(r->failed);
	stet_error_clear(r->call);
	return STET_OK;
}

/* Updates the item by an op of its own, so that it alone is undone if that fails. */
static enum stet_status
update(struct replacing *r, const struct now *now, const json_t *data, const json_t **answer)
{
	const char *rev = item_rev(r->call, now->version, now->updated), *text;
	json_t *args;
	size_t len;

	if (r->grown > GROWS_MOST)
		return stet_fail(r->call, STET_VALIDATION_ERROR, "with",
		    "The item would become longer by more than 1 MiB");
	args = json_pack("{ss ss ss ss sO}", "collection", now->plan->slug, "id", now->id, "_rev",
	    rev, "fields", "status", "data", data);
	STET_TRY(stet_invoke_alone(
	    r->call, "content_update", stet_json_own(r->call, args), ANSWER_MAX, &text, &len));
	*answer = stet_json_stored(r->call, text, len);
	return STET_OK;
}

/* Replaces in one item. An item that the caller may not edit stays as it is. */
static enum stet_status
replace_in_item(
    struct replacing *r, struct stet_json *out, struct now *now, const char *id, int64_t *tried)
{
	const struct stet_principal *who = stet_principal(r->call);
	const json_t *data, *answer = NULL;
	struct stet_rows rows;
	enum stet_status status;

	STET_TRY(stet_one(r->call, &rows, STET_FAULT, now->plan->by_id, STET_ARGS(id)));
	now_row(r->call, &rows, now);
	STET_TRY(now_values(r->call, &rows, now));
	r->held += weight(now->data);
	if (!stet_may(r->call, "content:edit_any") &&
	    (now->author == NULL || who == NULL || strcmp(now->author, who->id) != 0))
		return STET_OK;
	r->count = 0;
	r->grown = 0;
	r->places = stet_json_new(r->call);
	stet_array(r->places, NULL);
	data = changes(r, now);
	if (r->count == 0)
		return STET_OK;
	++*tried;
	r->held += weight((json_t *)(uintptr_t)data);
	status = update(r, now, data, &answer);
	if (status != STET_OK)
		return put_failed(r, id, status);
	put_item(r, out, now, answer);
	return STET_OK;
}

/* Returns the ids of the next items, in order; *more tells whether there are others behind them. */
static enum stet_status
next_ids(struct stet_call *call, const struct plan *plan, const char *after, const char **ids,
    size_t *count, bool *more)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, plan->slug);
	now_set(sql, " WHERE id > ", after);
	stet_sql_add(sql, " AND " STET_UNINDEXED("deleted_at") " IS NULL");
	if (stet_arg(call, "status") != NULL)
		now_set(sql, " AND " STET_UNINDEXED("status") " = ", stet_arg(call, "status"));
	if (stet_arg(call, "locale") != NULL)
		now_set(sql, " AND " STET_UNINDEXED("locale") " = ", stet_arg(call, "locale"));
	stet_sql_add(sql, " ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(LOOKED_MOST + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	for (*count = 0; *count < LOOKED_MOST && stet_row(&rows); ++*count)
		ids[*count] = stet_col_dup(&rows, 0);
	*more = *count == LOOKED_MOST && stet_row(&rows);
	return stet_rows_end(&rows);
}

/* The items that the call may change: as asked for, and as the token may write in a batch. */
static int64_t
most_items(struct stet_call *call)
{
	int64_t asked = stet_arg_int(call, "limit"),
		allowed = stet_token_limit(call, STET_LIMIT_ITEMS);

	return allowed > 0 && allowed < asked ? allowed : asked;
}

enum stet_status
content_replace(struct stet_call *call)
{
	struct replacing r = { .call = call,
		.find = stet_arg(call, "find"),
		.with = stet_arg(call, "with"),
		.fields = stet_arg(call, "fields") };
	const char *cursor = stet_arg(call, "cursor"), *after = "", *listing, *text;
	const char **ids = stet_alloc(call, LOOKED_MOST * sizeof(*ids));
	struct stet_json *out = stet_reply(call);
	int64_t limit = most_items(call), tried = 0;
	struct now now = { 0 };
	size_t count, i, len;
	const json_t *key;
	bool more;

	r.failed = stet_json_new(call);
	stet_array(r.failed, NULL);
	r.find_len = strlen(r.find);
	r.with_len = strlen(r.with);
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &now.collection, &now.plan));
	listing = stet_printf(call, "replace:%s", now.plan->slug);
	if (cursor != NULL)
		STET_TRY(stet_cursor_read(call, cursor, listing, &key, &after));
	STET_TRY(next_ids(call, now.plan, after, ids, &count, &more));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (i = 0; i < count && tried < limit && r.held < HELD_MOST; i++) {
		struct now item = { .collection = now.collection, .plan = now.plan };
		enum stet_status status = replace_in_item(&r, out, &item, ids[i], &tried);

		if (status == STET_RATE_LIMITED && tried > 1) {
			stet_error_clear(call);
			break;
		}
		STET_TRY(status);
	}
	stet_close(out);
	stet_close(r.failed);
	text = stet_json_text(r.failed, &len);
	stet_put_raw(out, "failed", text, len);
	stet_put_int(out, "looked", (int64_t)i);
	if (i > 0 && (more || i < count))
		stet_put_str(
		    out, "nextCursor", stet_cursor_make(call, listing, json_null(), ids[i - 1]));
	stet_close(out);
	return STET_OK;
}
