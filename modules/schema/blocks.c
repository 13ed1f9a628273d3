/*
 * blocks.c - addresses in Portable Text: what a page may load, and what it may link to. Front ends
 * put them into src and href as they are, so javascript:, data:, file: and others are refused.
 */
#include "schema.h"
#include <stet/portabletext.h>
#include <string.h>

/* A place in a value. */
struct place {
	const struct place *around; /* NULL: the field */
	const char *name; /* of a member; NULL: an element of an array */
	size_t index;
};

struct walk {
	struct stet_call *call;
	const char *field;
	bool good;
};

static const char *
path_of(const struct walk *w, const struct place *at)
{
	if (at == NULL)
		return w->field;
	if (at->name == NULL)
		return stet_printf(w->call, "%s[%zu]", path_of(w, at->around), at->index);
	return stet_printf(w->call, "%s.%s", path_of(w, at->around), at->name);
}

static void walk(struct walk *, const struct place *, const json_t *);

static void
check_member(struct walk *w, const json_t *object, const struct place *holder,
    const struct place *at, const char *text)
{
	if (stet_block_address_good(object, holder != NULL ? holder->name : NULL, at->name, text))
		return;
	stet_issue(w->call, path_of(w, at),
	    "must be an address of http or https, or begin with /%s",
	    stet_is_link(text) ? "" : "; a link may also be mailto, tel, a path or a fragment");
	w->good = false;
}

static void
walk_object(struct walk *w, const struct place *at, const json_t *object)
{
	const char *name;
	json_t *member;

	json_object_foreach((json_t *)(uintptr_t)object, name, member)
	{
		const struct place inner = { at, name, 0 };

		if (json_is_string(member))
			check_member(w, object, at, &inner, json_string_value(member));
		else
			walk(w, &inner, member);
	}
}

static void
walk(struct walk *w, const struct place *at, const json_t *value)
{
	const json_t *element;
	size_t i;

	if (json_is_object(value))
		walk_object(w, at, value);
	json_array_foreach(value, i, element)
	{
		const struct place inner = { at, NULL, i };

		walk(w, &inner, element);
	}
}

bool
blocks_check_addresses(struct stet_call *call, const char *path, const json_t *blocks)
{
	struct walk w = { call, path, true };

	walk(&w, NULL, blocks);
	return w.good;
}
