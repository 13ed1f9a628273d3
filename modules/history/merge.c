/*
 * merge.c - compares states, and takes a change back where others have changed something since.
 *
 * States are objects. They are merged member by member; of an item also the members of its data,
 * its SEO and its terms. The change's state after it is the base of the merge: what is still like
 * that is the change's own, and gets its value from before. All else is somebody else's, and stays.
 */
#include "history.h"
#include <stdint.h>
#include <string.h>

static bool
is_one_of(const char *name, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* Members that follow from a state or name the thing; nobody changes them alone. Publication is
 * compared apart (back.c). */
static bool
is_derived(enum kind kind, const char *name)
{
	static const char *const of_item[] = { "id", "locale", "status", "publishedAt",
		"scheduledAt", "unpublishAt", "liveRevisionId", "draftRevisionId",
		"translationGroup", "version", NULL };
	static const char *const of_term[] = { "items", "group", "locale", NULL };

	return (kind == ITEM && is_one_of(name, of_item)) ||
	       (kind == BYLINE && is_one_of(name, of_item)) ||
	       (kind == TERM && is_one_of(name, of_term));
}

/* The members of an item that are merged member by member themselves. */
static bool
is_nested(enum kind kind, const char *name)
{
	static const char *const names[] = { "data", "seo", "taxonomies", NULL };

	return kind == ITEM && is_one_of(name, names);
}

/* Links and widgets that were deleted come back with other ids: compared are their places. A new
 * reference. */
static json_t *
without_ids(const json_t *list)
{
	json_t *out = json_array(), *one;
	size_t i, j;

	json_array_foreach((json_t *)(uintptr_t)list, i, one)
	{
		json_t *copy = json_copy(one), *other;
		const char *parent = text_of(one, "parentId");

		(void)json_object_del(copy, "id");
		(void)json_object_del(copy, "parentId");
		json_array_foreach((json_t *)(uintptr_t)list, j, other)
		{
			const char *id = text_of(other, "id");

			if (parent != NULL && id != NULL && strcmp(id, parent) == 0)
				(void)json_object_set_new(
				    copy, "below", json_integer((json_int_t)j));
		}
		(void)json_array_append_new(out, copy);
	}
	return out;
}

json_t *
merge_plain(struct stet_call *call, enum kind kind, const json_t *state)
{
	json_t *out = stet_json_own(call, json_object()), *value;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)state, name, value)
	{
		if (is_derived(kind, name) || json_is_null(value))
			continue;
		if ((kind == MENU && strcmp(name, "items") == 0) ||
		    (kind == AREA && strcmp(name, "widgets") == 0))
			(void)json_object_set_new(out, name, without_ids(value));
		else if (!is_nested(kind, name) || json_object_size(value) > 0)
			(void)json_object_set(out, name, value);
	}
	return out;
}

/* Null and nothing are the same value. */
static bool
equal(const json_t *a, const json_t *b)
{
	if (json_is_null(a))
		a = NULL;
	if (json_is_null(b))
		b = NULL;
	return a == b || (a != NULL && b != NULL && json_equal(a, b));
}

static void
add_changed(struct stet_call *call, json_t *out, const char *path, const json_t *a, const json_t *b)
{
	json_t *value;
	const char *name;

	for (int turn = 0; turn < 2; turn++) {
		json_object_foreach((json_t *)(uintptr_t)(turn == 0 ? a : b), name, value)
		{
			const json_t *other = json_object_get(turn == 0 ? b : a, name);

			if ((turn == 1 && other != NULL) || equal(value, other))
				continue;
			(void)json_array_append_new(
			    out, json_string(stet_printf(call, "%s%s", path, name)));
		}
	}
}

json_t *
merge_changed(struct stet_call *call, enum kind kind, const json_t *before, const json_t *after)
{
	const json_t *a = merge_plain(call, kind, before), *b = merge_plain(call, kind, after);
	json_t *out = stet_json_own(call, json_array()), *top = json_array(), *name;
	size_t i;

	stet_json_own(call, top);
	add_changed(call, top, "", a, b);
	json_array_foreach(top, i, name)
	{
		const char *text = json_string_value(name);

		if (is_nested(kind, text))
			add_changed(call, out, stet_printf(call, "%s.", text),
			    json_object_get(a, text), json_object_get(b, text));
		else
			(void)json_array_append(out, name);
	}
	return out;
}

bool
merge_same(struct stet_call *call, enum kind kind, const json_t *a, const json_t *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return json_equal(merge_plain(call, kind, a), merge_plain(call, kind, b));
}

/* ---- taking back ---- */

/* The part of a state that a path names: "title", or "data.title"; NULL: none. */
static const json_t *
at(const json_t *state, const char *path)
{
	const char *dot = strchr(path, '.');

	if (dot == NULL)
		return json_object_get(state, path);
	return json_object_get(json_object_getn(state, path, (size_t)(dot - path)), dot + 1);
}

static void
put(struct stet_call *call, json_t *state, const char *path, const json_t *value)
{
	json_t *to = state,
	       *new = value != NULL ? json_incref((json_t *)(uintptr_t)value) : json_null();
	const char *dot = strchr(path, '.'), *top;

	if (dot != NULL) {
		top = stet_strndup(call, path, (size_t)(dot - path));
		to = json_object_get(state, top);
		to = json_is_object(to) ? json_copy(to) : json_object();
		(void)json_object_set_new(state, top, to);
		path = dot + 1;
	}
	(void)json_object_set_new(to, path, new);
}

void
merge_back(struct stet_call *call, enum kind kind, const json_t *before, const json_t *after,
    const json_t *now, struct merged *out)
{
	const json_t *changed = merge_changed(call, kind, before, after), *name;
	const json_t *was = merge_plain(call, kind, after), *is = merge_plain(call, kind, now);
	json_t *result = stet_json_own(call, json_copy((json_t *)(uintptr_t)now));
	size_t i;

	out->result = result;
	out->take = stet_json_own(call, json_array());
	out->kept = stet_json_own(call, json_array());
	json_array_foreach((json_t *)(uintptr_t)changed, i, name)
	{
		const char *path = json_string_value(name);
		const bool own = json_object_get(out->theirs, path) == NULL &&
				 equal(at(is, path), at(was, path));

		if (!own && out->marks)
			(void)json_object_set_new(out->theirs, path, json_true());
		if (own) {
			put(call, result, path, at(before, path));
			(void)json_array_append(out->take, (json_t *)(uintptr_t)name);
		} else if (!equal(at(is, path), at(merge_plain(call, kind, before), path)))
			(void)json_array_append(out->kept, (json_t *)(uintptr_t)name);
	}
}
