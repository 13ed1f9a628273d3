/* plain.c - Portable Text without its keys, for comparing. */
#include "plain.h"
#include <stdbool.h>
#include <stdint.h>

static json_t *
address_of(const json_t *defs, const json_t *mark)
{
	const json_t *def;
	size_t i;

	json_array_foreach(defs, i, def)
	{
		if (json_equal(json_object_get(def, "_key"), mark))
			return json_sprintf("%s %d",
			    json_string_value(json_object_get(def, "href")),
			    json_is_true(json_object_get(def, "blank")));
	}
	return json_incref((json_t *)(uintptr_t)mark);
}

/* Replaces the keys of links by their URLs. */
static void
name_links(const json_t *defs, json_t *spans)
{
	json_t *span, *mark;
	size_t i, n;

	json_array_foreach(spans, i, span)
	    json_array_foreach(json_object_get(span, "marks"), n, mark)(void)
		json_array_set_new(json_object_get(span, "marks"), n, address_of(defs, mark));
}

void
plain_make(json_t *value)
{
	const json_t *defs = json_object_get(value, "markDefs");
	json_t *member;
	const char *name;
	size_t i;

	name_links(defs, json_object_get(value, "children"));
	name_links(defs, json_object_get(value, "content"));
	if (json_is_object(value)) {
		(void)json_object_del(value, "markDefs");
		(void)json_object_del(value, "_key");
	}
	json_object_foreach(value, name, member) plain_make(member);
	json_array_foreach(value, i, member) plain_make(member);
}
