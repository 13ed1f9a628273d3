/* patch.c - operations of content_patch: change single blocks of a Portable Text field by their
 * _key. */
#include "markdown/markdown.h"
#include "write/write.h"
#include <string.h>

#define KEYS_SHOWN 50 /* keys that an error lists */
#define OPERATIONS_MAX 200

static const struct stet_member operation[] = {
	{ "op", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("replace", "remove", "insert_before", "insert_after", "move_before",
		"move_after") },
	{ "key", STET_STRING,
	    .about = "_key of the block; insert without it: at the beginning or the end" },
	{ "to", STET_STRING, .about = "move: beside the block of this _key" },
	{ "value", STET_ANY, .about = "A block, a list of blocks, or Markdown" },
	{ 0 },
};
const struct stet_member patch_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	{ "_rev", STET_STRING, STET_REQUIRED | STET_HEADER, .about = "As content_get answered it" },
	{ "field", STET_STRING, .about = "The Portable Text field of `blocks`" },
	{ "blocks", STET_ARRAY, .of = operation, STET_RANGE(0, OPERATIONS_MAX),
	    .about = "Done in their order" },
	{ "set", STET_OBJECT, .about = "Values of whole fields" },
	VIEW_FIELDS,
	{ 0 },
};

struct work {
	struct stet_call *call;
	json_t *blocks;
	const json_t *one; /* the current operation */
	const char *path;
	json_t *lost; /* see struct update */
};

static const char *
text_of(const struct work *w, const char *name)
{
	return json_string_value(json_object_get(w->one, name));
}

static const char *
member(const struct work *w, const char *name)
{
	return stet_printf(w->call, "%s.%s", w->path, name);
}

static const char *
key_at(const json_t *blocks, size_t i)
{
	return json_string_value(json_object_get(json_array_get(blocks, i), "_key"));
}

static const char *
all_keys(struct stet_call *call, const json_t *blocks)
{
	size_t n = json_array_size(blocks);
	const char *all = "";

	for (size_t i = 0; i < n && i < KEYS_SHOWN; i++) {
		const char *key = key_at(blocks, i);

		if (key != NULL)
			all = stet_printf(call, "%s%s%.64s", all, *all != '\0' ? ", " : "", key);
	}
	return n > KEYS_SHOWN ? stet_printf(call, "%s and %zu more", all, n - KEYS_SHOWN) : all;
}

/* Finds the position of a block; records an issue if there is none. */
static bool
find(const struct work *w, const char *name, size_t *at)
{
	const char *key = text_of(w, name);

	if (key == NULL) {
		stet_issue(w->call, member(w, name), "is required: the _key of a block");
		return false;
	}
	for (size_t i = 0; i < json_array_size(w->blocks); i++) {
		const char *is = key_at(w->blocks, i);

		if (is != NULL && strcmp(is, key) == 0) {
			*at = i;
			return true;
		}
	}
	stet_issue(w->call, member(w, name), "no block has the _key \"%.64s\"; there are: %s", key,
	    all_keys(w->call, w->blocks));
	return false;
}

/* Reads `value` of an operation as a list of blocks. `was`: the blocks that it replaces, or an
 * empty list. */
static json_t *
value_of(const struct work *w, const json_t *was)
{
	json_t *value = json_object_get(w->one, "value"), *list;

	if (json_is_array(value))
		return value;
	if (json_is_string(value))
		return markdown_read_lost(
		    w->call, member(w, "value"), json_string_value(value), was, w->lost);
	if (!json_is_object(value)) {
		stet_issue(w->call, member(w, "value"),
		    "is required: a block, a list of blocks, or Markdown");
		return NULL;
	}
	list = stet_json_own(w->call, json_array());
	json_array_append(list, value);
	return list;
}

/* Inserts blocks and gives them keys that no other block has; the first one gets `key`. */
static void
insert(const struct work *w, size_t at, const json_t *list, const char *key)
{
	struct keys keys = { stet_json_own(w->call, json_object()), 0 };

	for (const char *p = stet_id(w->call); *p != '\0'; p++)
		keys.seed = keys.seed * 31 + (unsigned char)*p;
	for (size_t i = 0; i < json_array_size(w->blocks); i++)
		if (key_at(w->blocks, i) != NULL)
			key_take(&keys, key_at(w->blocks, i));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *block = json_array_get(list, i);
		json_t *copy = json_deep_copy(block);

		if (json_is_object(copy))
			key_put(
			    copy, key_at(list, i) != NULL || i > 0 ? key_at(list, i) : key, &keys);
		json_array_insert_new(w->blocks, at + i, copy);
	}
}

static void
replace(const struct work *w, size_t at)
{
	json_t *was = stet_json_own(w->call, json_array()), *list;
	const char *key = stet_strdup(w->call, key_at(w->blocks, at));

	json_array_append(was, json_array_get(w->blocks, at));
	list = value_of(w, was);
	if (list == NULL)
		return;
	json_array_remove(w->blocks, at);
	insert(w, at, list, key);
}

static void
move(const struct work *w, size_t at, bool after)
{
	json_t *block = json_array_get(w->blocks, at);
	size_t to;

	if (!find(w, "to", &to) || to == at)
		return;
	json_incref(block);
	json_array_remove(w->blocks, at);
	json_array_insert_new(w->blocks, to - (to > at) + after, block);
}

static void
operate(const struct work *w)
{
	const char *op = text_of(w, "op");
	bool inserts = strncmp(op, "insert", 6) == 0,
	     after = strcmp(op, "insert_after") == 0 || strcmp(op, "move_after") == 0;
	size_t at = 0;
	json_t *list;

	if (inserts && text_of(w, "key") == NULL)
		at = after ? json_array_size(w->blocks) : 0;
	else if (!find(w, "key", &at))
		return;
	else if (inserts)
		at += after;
	if (inserts) {
		list = value_of(w, NULL);
		if (list != NULL)
			insert(w, at, list, NULL);
	} else if (strcmp(op, "remove") == 0)
		json_array_remove(w->blocks, at);
	else if (strcmp(op, "replace") == 0)
		replace(w, at);
	else
		move(w, at, after);
}

static const struct stet_field *
field_of(struct stet_call *call, const struct patch *patch, const struct stet_collection *c)
{
	const struct stet_field *f = patch->field != NULL ? stet_field(c, patch->field) : NULL;
	const char *names = "";

	if (f != NULL && view_is_blocks(f))
		return f;
	for (size_t i = 0; i < c->field_count; i++)
		if (view_is_blocks(c->fields[i]))
			names = stet_printf(
			    call, "%s%s%s", names, *names != '\0' ? ", " : "", c->fields[i]->slug);
	stet_issue(call, "field", "must be one of: %s", names);
	return NULL;
}

enum stet_status
patch_apply(struct stet_call *call, const struct patch *patch, const struct now *now,
    const json_t **data, json_t *lost)
{
	const struct stet_field *f = field_of(call, patch, now->collection);
	const json_t *stored;
	struct work w = { .call = call, .lost = lost };
	json_t *out;

	if (f == NULL)
		return stet_issues(call);
	if (json_object_get(*data, f->slug) != NULL)
		stet_issue(call, "set", "has \"%s\", which `blocks` changes", f->slug);
	stored = json_object_get(now->data, f->slug);
	w.blocks = json_is_array(stored) ? json_copy((json_t *)(uintptr_t)stored) : json_array();
	stet_json_own(call, w.blocks);
	for (size_t i = 0; i < json_array_size(patch->operations); i++) {
		w.one = json_array_get(patch->operations, i);
		w.path = stet_printf(call, "blocks[%zu]", i);
		operate(&w);
		STET_TRY(stet_issues(call)); /* the next operations build on this one */
	}
	out = stet_json_own(call, json_copy((json_t *)(uintptr_t)*data));
	json_object_set(out, f->slug, w.blocks);
	*data = out;
	return stet_issues(call);
}
