/*
 * addresses.c - takes addresses out of a value that a field of Portable Text refuses: data:, file:,
 * a mistyped scheme. A picture or a player without any other address goes with it. The check of the
 * text (check.c) tells them as lost.
 */
#include "addresses.h"
#include <stet/portabletext.h>
#include <string.h>

#define DEPTH_MAX 60

static void clean(json_t *value, const char *holder, int depth);

static void
clean_object(json_t *object, const char *holder, int depth)
{
	const char *name, *ref;
	json_t *member;
	void *next;

	json_object_foreach_safe(object, next, name, member)
	{
		if (!json_is_string(member)) {
			clean(member, name, depth + 1);
			continue;
		}
		if (stet_block_address_good(object, holder, name, json_string_value(member)))
			continue;
		/* Without an id at the source, a picture refers to its address. */
		ref = json_string_value(json_object_get(object, "_ref"));
		if (ref != NULL && strcmp(ref, json_string_value(member)) == 0)
			(void)json_object_del(object, "_ref");
		(void)json_object_del(object, name);
	}
}

static bool
has(const json_t *object, const char *member)
{
	return json_string_length(json_object_get(object, member)) > 0;
}

/* Returns true for a picture or a player that shows nothing. */
static bool
is_void(const json_t *block)
{
	const char *type = json_string_value(json_object_get(block, "_type"));
	const json_t *asset = json_object_get(block, "asset");

	if (type == NULL || has(block, "caption"))
		return false;
	if (strcmp(type, "image") == 0)
		return asset != NULL && !has(asset, "_ref") && !has(asset, "url");
	return strcmp(type, "embed") == 0 && !has(block, "url") && !has(block, "html");
}

static void
clean(json_t *value, const char *holder, int depth)
{
	if (depth == DEPTH_MAX)
		return;
	if (json_is_object(value))
		clean_object(value, holder, depth);
	for (size_t i = json_array_size(value); i-- > 0;) {
		json_t *element = json_array_get(value, i);

		clean(element, NULL, depth + 1);
		if (is_void(element))
			(void)json_array_remove(value, i);
	}
}

void
addresses_clean(json_t *blocks)
{
	clean(blocks, NULL, 0);
}
