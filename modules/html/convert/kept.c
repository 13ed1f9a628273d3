/*
 * kept.c - reads stet/block: a value that no block of WordPress can express, which markup/ has put
 * into the attributes of a block of our own.
 *
 * The text is not trusted: the value gets new keys, and loses addresses that a field refuses
 * (addresses.c). Where it is nested too deeply, or has too many objects, the content of the block
 * is converted.
 */
#include "places.h"
#include <string.h>

#define KEPT_DEPTH 50 /* nesting of the value */

struct kept {
	struct conv *conv;
	size_t objects;
	int depth;
	bool good;
};

static void check(struct kept *, const json_t *);

static void
check_object(struct kept *k, const json_t *object)
{
	json_t *member;
	const char *name;

	k->objects++;
	json_object_foreach((json_t *)(uintptr_t)object, name, member) check(k, member);
}

static void
check(struct kept *k, const json_t *value)
{
	const json_t *member;
	size_t i;

	if (!k->good)
		return;
	k->good = ++k->depth < KEPT_DEPTH && k->conv->keys + k->objects < KEYS_MAX;
	if (json_is_object(value))
		check_object(k, value);
	json_array_foreach(value, i, member) check(k, member);
	k->depth--;
}

/* ---- keys ---- */

static void
rename_marks(json_t *spans, const json_t *keys)
{
	json_t *span, *mark;
	size_t i, n;

	json_array_foreach(spans, i, span)
	{
		json_t *marks = json_object_get(span, "marks");

		json_array_foreach(marks, n, mark)
		{
			json_t *to = json_is_string(mark)
					 ? json_object_get(keys, json_string_value(mark))
					 : NULL;

			if (to != NULL)
				(void)json_array_set(marks, n, to);
		}
	}
}

static void
rename_key(struct conv *c, json_t *object)
{
	json_t *fresh = conv_new(c, "");

	(void)json_object_set(object, "_key", json_object_get(fresh, "_key"));
	json_decref(fresh);
}

/* Gives mark definitions new keys, also in the spans that refer to them. */
static void
rename_definitions(struct conv *c, json_t *object)
{
	json_t *defs = json_object_get(object, "markDefs"), *keys = json_object(), *def;
	size_t i;

	json_array_foreach(defs, i, def)
	{
		const char *was = json_string_value(json_object_get(def, "_key"));
		json_t *old = json_incref(json_object_get(def, "_key"));

		if (was != NULL) {
			rename_key(c, def);
			(void)json_object_set(keys, was, json_object_get(def, "_key"));
		}
		json_decref(old);
	}
	rename_marks(json_object_get(object, "children"), keys);
	rename_marks(json_object_get(object, "content"), keys);
	json_decref(keys);
}

static void
rename_all(struct conv *c, json_t *value)
{
	json_t *member;
	const char *name;
	size_t i;

	if (json_is_string(json_object_get(value, "_key")))
		rename_key(c, value);
	json_object_foreach(value, name, member)
	{
		if (strcmp(name, "markDefs") != 0)
			rename_all(c, member);
	}
	if (json_is_array(json_object_get(value, "markDefs")))
		rename_definitions(c, value);
	json_array_foreach(value, i, member) rename_all(c, member);
}

/* ---- the block ---- */

static bool
are_blocks(const json_t *blocks)
{
	const json_t *block;
	size_t i;

	json_array_foreach(blocks, i, block)
	{
		if (*member_text(block, "_type") == '\0')
			return false;
	}
	return json_array_size(blocks) > 0;
}

void
put_kept(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b), *block;
	json_t *blocks = json_object_get(attributes, "blocks");
	struct kept k = { .conv = &w->conv, .good = are_blocks(blocks) };
	size_t i;

	check(&k, blocks);
	if (!k.good)
		put_group(w, b, to);
	json_array_foreach(k.good ? blocks : NULL, i, block)
	{
		if (json_object_get(block, "_key") == NULL)
			rename_key(&w->conv, block);
		rename_all(&w->conv, block);
		(void)json_array_append(to, block);
	}
	json_decref(attributes);
}
