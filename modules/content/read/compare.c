/*
 * compare.c - compares the live values of an item with its draft, and writes the differences.
 */
#include "read/read.h"
#include <string.h>

static const struct stet_member difference_shape[] = {
	{ "field", STET_STRING, STET_REQUIRED },
	{ "change", STET_STRING, STET_REQUIRED, STET_CHOICES("added", "removed", "changed") },
	{ "live", STET_ANY, .about = "Absent when added, and where blocks tell" },
	{ "draft", STET_ANY, .about = "Absent when removed, and where blocks tell" },
	{ "blocks", STET_ARRAY, .item = STET_OBJECT,
	    .about = "Of Portable Text, block by block: {key, change, live, draft, from, to}" },
	{ 0 },
};
const struct stet_member compare_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	VIEW_FIELDS,
	{ 0 },
};
const struct stet_member compare_out[] = {
	{ "hasChanges", STET_BOOLEAN, STET_REQUIRED,
	    .about = "Would publishing change what the public sees?" },
	{ "live", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .about = "null: it is not live" },
	{ "draft", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .about = "null: there is none" },
	{ "differences", STET_ARRAY, STET_REQUIRED, .of = difference_shape },
	{ 0 },
};

/* ---- blocks ---- */

static const char *
key_of(const json_t *block)
{
	return json_string_value(json_object_get(block, "_key"));
}

/* Returns the blocks by their keys; NULL if not every block has a unique key. Such lists are
 * compared as a whole. */
static json_t *
by_key(struct stet_call *call, const json_t *blocks)
{
	json_t *out = stet_json_own(call, json_object()), *block;
	size_t i;

	if (!json_is_array(blocks))
		return NULL;
	json_array_foreach(blocks, i, block)
	{
		const char *key = key_of(block);

		if (key == NULL || json_object_get(out, key) != NULL)
			return NULL;
		json_object_set_new(out, key, json_integer((json_int_t)i));
	}
	return out;
}

static void
put_block(struct stet_json *out, const char *key, const char *change, const json_t *live,
    const json_t *draft, const json_t *from, const json_t *to)
{
	stet_object(out, NULL);
	stet_put_str(out, "key", key);
	stet_put_str(out, "change", change);
	if (live != NULL)
		stet_put_json(out, "live", live);
	if (draft != NULL)
		stet_put_json(out, "draft", draft);
	if (from != NULL)
		stet_put_json(out, "from", from);
	if (to != NULL)
		stet_put_json(out, "to", to);
	stet_close(out);
}

/* Returns true if a block has moved. Called for the blocks that both lists have, in the order of
 * one list: a block has moved if its place in the other list is below the highest place so far. */
static bool
moved(const json_t *from, json_int_t *highest)
{
	json_int_t place = json_integer_value(from);

	if (place < *highest)
		return true;
	*highest = place;
	return false;
}

static void
put_blocks(struct stet_json *out, const json_t *live, const json_t *draft, const json_t *live_keys,
    const json_t *draft_keys)
{
	json_int_t highest = -1;
	json_t *block;
	size_t i;

	stet_array(out, "blocks");
	json_array_foreach(live, i, block)
	{
		const char *key = key_of(block);

		if (json_object_get(draft_keys, key) == NULL)
			put_block(out, key, "removed", block, NULL, json_object_get(live_keys, key),
			    NULL);
	}
	json_array_foreach(draft, i, block)
	{
		const char *key = key_of(block);
		const json_t *from = json_object_get(live_keys, key), *to, *old;
		bool has_moved;

		to = json_object_get(draft_keys, key);
		if (from == NULL) {
			put_block(out, key, "added", NULL, block, NULL, to);
			continue;
		}
		old = json_array_get(live, (size_t)json_integer_value(from));
		has_moved = moved(from, &highest);
		if (!json_equal(old, block))
			put_block(out, key, "changed", old, block, from, to);
		else if (has_moved)
			put_block(out, key, "moved", NULL, NULL, from, to);
	}
	stet_close(out);
}

/* ---- fields ---- */

static void
put_difference(struct stet_call *call, struct stet_json *out, const char *name, bool is_text,
    const json_t *live, const json_t *draft)
{
	const json_t *live_keys = NULL, *draft_keys = NULL;

	if (live == draft || (live != NULL && draft != NULL && json_equal(live, draft)))
		return;
	stet_object(out, NULL);
	stet_put_str(out, "field", name);
	stet_put_str(out, "change", live == NULL ? "added" : draft == NULL ? "removed" : "changed");
	if (is_text && live != NULL && draft != NULL) {
		live_keys = by_key(call, live);
		draft_keys = by_key(call, draft);
	}
	if (live_keys != NULL && draft_keys != NULL)
		put_blocks(out, live, draft, live_keys, draft_keys);
	else {
		if (live != NULL)
			stet_put_json(out, "live", live);
		if (draft != NULL)
			stet_put_json(out, "draft", draft);
	}
	stet_close(out);
}

static json_t *
text(struct stet_call *call, const char *s)
{
	return s == NULL ? NULL : stet_json_own(call, json_string(s));
}

/* The bylines and terms that a draft stages, in the form of replies. */
struct links {
	json_t *live, *draft;
};

static bool
shows_link(const struct view *view, const char *name)
{
	if (strcmp(name, BYLINES) == 0)
		return view_shows(view, I_BYLINES);
	return view_shows(view, I_DATA) && view->field == NULL; /* terms are not members of items */
}

/* Returns the values with the bylines and terms that the view shows. */
static const json_t *
with_links(struct stet_call *call, const struct view *view, const json_t *data, json_t *links)
{
	json_t *shown = stet_json_own(call, json_object()), *v;
	const char *name;

	json_object_foreach(links, name, v)
	{
		if (shows_link(view, name))
			json_object_set(shown, name, v);
	}
	return staged_with(call, data, json_object_size(shown) > 0 ? shown : NULL);
}

static void
put_links(struct stet_call *call, struct stet_json *out, const struct links *links,
    const struct view *view)
{
	const char *name;
	json_t *v;

	json_object_foreach(links->draft, name, v)
	{
		if (shows_link(view, name))
			put_difference(
			    call, out, name, false, json_object_get(links->live, name), v);
	}
}

static void
put_differences(struct stet_call *call, struct stet_json *out, const struct now *now,
    const struct links *links, const struct view *view)
{
	stet_array(out, "differences");
	if (now->is_published && now->draft != NULL) {
		if (view_shows(view, I_SLUG))
			put_difference(call, out, "_slug", false, text(call, now->slug),
			    text(call, now->newest_slug));
		for (size_t i = now->plan->fields; i < now->plan->count; i++) {
			const char *name = now->plan->field[i].slug;

			if (view_shows(view, now->plan->field[i].extra->member))
				put_difference(call, out, name, false,
				    json_object_get(now->columns, name),
				    json_object_get(now->data, name));
		}
		for (size_t i = 0; i < now->collection->field_count; i++) {
			const struct stet_field *f = now->collection->fields[i];

			if (view_shows(view, I_DATA) && view_shows_field(view, i))
				put_difference(call, out, f->slug, view_is_blocks(f),
				    json_object_get(now->columns, f->slug),
				    json_object_get(now->data, f->slug));
		}
		put_links(call, out, links, view);
	}
	stet_close(out);
}

static void
put_draft(struct stet_call *call, struct stet_json *out, const struct now *now,
    const struct links *links, const struct view *view)
{
	const json_t *data = view_data(view, now->plan, now->data);
	const struct revision r = {
		.data = (json_t *)(uintptr_t)with_links(call, view, data, links->draft),
		.slug = view_shows(view, I_SLUG) ? now->staged_slug : NULL,
	};

	if (now->draft == NULL && now->is_published)
		stet_put_null(out, "draft");
	else
		revision_put_data(out, "draft", &r);
}

enum stet_status
content_compare(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct now now = { 0 };
	struct links links;
	struct view view;

	STET_TRY(now_find(call, &now));
	STET_TRY(staged_compare(call, &now, &links.live, &links.draft));
	STET_TRY(view_fields(call, now.collection, &view));
	stet_object(out, NULL);
	stet_put_bool(out, "hasChanges", now.draft != NULL || !now.is_published);
	if (now.is_published)
		stet_put_json(out, "live",
		    with_links(call, &view, view_data(&view, now.plan, now.columns), links.live));
	else
		stet_put_null(out, "live");
	put_draft(call, out, &now, &links, &view);
	put_differences(call, out, &now, &links, &view);
	stet_close(out);
	return STET_OK;
}
