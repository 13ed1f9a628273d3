/*
 * same.c - checks that markup reads back as the value that it was written from. Both are brought
 * into one form: no keys, definitions of links in place of their keys, no empty members, and blanks
 * as HTML collapses them.
 */
#include "markup/part.h"
#include <string.h>

#define NESTED_MAX 60 /* deeper values are not compared and count as different */

struct canon {
	const struct mk *mk;
	/* this is the value that was written: collapses blanks, sets addresses of the export */
	bool written;
	bool failed;
	int depth;
};

static json_t *canon_of(struct canon *, const json_t *);

static bool
is_empty(const char *name, const json_t *value)
{
	static const char optional[] =
	    " caption title poster citation language provider style filename alignment ";

	if (json_is_null(value) || strcmp(name, "_key") == 0 || strcmp(name, "markDefs") == 0)
		return true;
	if (json_is_array(value) && json_array_size(value) == 0)
		return name_in(" marks links ", name, strlen(name));
	if (json_is_false(value))
		return name_in(" isHeader isFooter blank ", name, strlen(name));
	return json_is_string(value) && json_string_length(value) == 0 &&
	       name_in(optional, name, strlen(name));
}

static json_t *
canon_spans(struct canon *c, const json_t *spans, const json_t *defs)
{
	json_t *out = c->written ? mk_canon_spans(spans, defs) : mk_bare_spans(spans, defs);

	c->failed |= out == NULL;
	return out;
}

/* Sets the asset as it reads back: _ref is its number in the export, or else its address. */
static void
set_asset_form(struct canon *c, json_t *asset)
{
	int64_t number = mk_number(c->mk, asset);
	struct text buffer = { 0 };
	const char *url = mk_address(c->mk, member_text(asset, "url"), &buffer);

	if (*url != '\0')
		(void)json_object_set_new(asset, "url", json_string(url));
	else
		(void)json_object_del(asset, "url");
	if (number > 0)
		(void)json_object_set_new(asset, "_ref", json_sprintf("%lld", (long long)number));
	else
		set_text(asset, "_ref", url);
	text_free(&buffer);
}

static void
set_address(struct canon *c, json_t *object, const char *member)
{
	struct text buffer = { 0 };
	const char *url = mk_address(c->mk, member_text(object, member), &buffer);

	if (*url != '\0')
		(void)json_object_set_new(object, member, json_string(url));
	text_free(&buffer);
}

/* Sets defaults for members that blocks may omit, and addresses as in the export. */
static void
set_usual(struct canon *c, json_t *object)
{
	json_t *opacity = json_object_get(object, "overlayOpacity");

	if (is_type(object, "block")) {
		if (json_object_get(object, "style") == NULL)
			set_text(object, "style", "normal");
		if (json_object_get(object, "listItem") == NULL)
			(void)json_object_del(object, "level");
		else if (json_object_get(object, "level") == NULL)
			(void)json_object_set_new(object, "level", json_integer(1));
	}
	if (is_type(object, "htmlBlock") && json_object_get(object, "originalBlockName") == NULL)
		set_text(object, "originalBlockName", "core/html");
	if (json_is_integer(opacity))
		(void)json_object_set_new(
		    object, "overlayOpacity", json_real(json_number_value(opacity)));
	if (!c->written)
		return;
	if (is_type(object, "image") && json_is_object(json_object_get(object, "asset")))
		set_asset_form(c, json_object_get(object, "asset"));
	if (is_type(object, "embed") || is_type(object, "file"))
		set_address(c, object, "url");
	if (is_type(object, "cover"))
		set_address(c, object, "backgroundImage");
}

static json_t *
canon_object(struct canon *c, const json_t *object)
{
	const json_t *defs = json_object_get(object, "markDefs");
	const char *spans = is_type(object, "block")       ? "children"
			    : is_type(object, "tableCell") ? "content"
							   : "";
	json_t *out = json_object(), *member;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)object, name, member)
	{
		if (is_empty(name, member))
			continue;
		(void)json_object_set_new(out, name,
		    strcmp(name, spans) == 0 ? canon_spans(c, member, defs) : canon_of(c, member));
	}
	set_usual(c, out);
	return out;
}

/* Returns true for a block without text, which does not read back at all. */
static bool
is_nothing(const struct canon *c, const json_t *value)
{
	const json_t *children = json_object_get(value, "children");

	return c->written && is_type(value, "block") && json_is_array(children) &&
	       json_array_size(children) == 0;
}

static json_t *
canon_array(struct canon *c, const json_t *array)
{
	json_t *out = json_array(), *one;
	const json_t *member;
	size_t i;

	json_array_foreach(array, i, member)
	{
		one = canon_of(c, member);
		if (is_nothing(c, one))
			json_decref(one);
		else
			(void)json_array_append_new(out, one);
	}
	return out;
}

/* Returns a value in the form to compare, a new reference. */
static json_t *
canon_of(struct canon *c, const json_t *value)
{
	json_t *out;

	if (c->depth >= NESTED_MAX) {
		c->failed = true;
		return json_null();
	}
	c->depth++;
	if (json_is_object(value))
		out = canon_object(c, value);
	else if (json_is_array(value))
		out = canon_array(c, value);
	else
		out = json_incref((json_t *)(uintptr_t)value);
	c->depth--;
	return out;
}

bool
mk_same(const struct mk *m, size_t from, const json_t *blocks, bool exact)
{
	struct canon ours = { .mk = m, .written = !exact }, theirs = { .mk = m };
	json_t *read = NULL, *a, *b;
	bool same;

	if (convert_text(NULL, m->out->s + from, m->out->len - from, NULL, NULL, &read) != STET_OK)
		return false;
	a = canon_of(&ours, blocks);
	b = canon_of(&theirs, read);
	same = !ours.failed && !theirs.failed && json_equal(a, b);
	json_decref(a);
	json_decref(b);
	json_decref(read);
	return same;
}
