/*
 * markdown_span.c - the children and markDefs of a text, in blocks, cells and footnotes: from JSON
 * to runs in a line, and back. Also keys.
 */
#include "markdown/markdown.h"
#include <string.h>

/* ---- from JSON ---- */

const char *
member_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static bool
listed(const char *const *names, const char *name)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* Returns true if the object has no other members than these. */
bool
members_only(const json_t *object, const char *const *names)
{
	json_t *mutable = (json_t *)(uintptr_t)object, *value;
	const char *name;

	json_object_foreach(mutable, name, value)
	{
		if (!listed(names, name))
			return false;
	}
	return true;
}

static unsigned
mark_bit(const char *name)
{
	for (unsigned i = 0; i < MARKS; i++)
		if (strcmp(mark_table[i].name, name) == 0)
			return 1U << i;
	return 0;
}

/* Reads markDefs to an object of numbers by key: index + 1 of a link's href, or 0 for other
 * annotations. Returns NULL if the keys are invalid. */
static json_t *
read_defs(struct stet_call *call, const json_t *defs, struct line *line, bool *lossy)
{
	static const char *const members[] = { "_key", "_type", "href", "title", NULL };
	json_t *by_key = stet_json_own(call, json_object());

	for (size_t i = 0; i < json_array_size(defs); i++) {
		const json_t *def = json_array_get(defs, i);
		const char *key = member_text(def, "_key"), *type = member_text(def, "_type"),
			   *href = member_text(def, "href");
		const json_t *title = json_object_get(def, "title");
		bool link = type != NULL && strcmp(type, "link") == 0 && href != NULL;
		size_t n = 0;

		if (key == NULL || type == NULL || json_object_get(by_key, key) != NULL)
			return NULL;
		if (link)
			n = line_link(call, line, href, json_string_value(title));
		if (!link || !members_only(def, members) ||
		    (title != NULL && json_string_length(title) == 0))
			*lossy = true;
		json_object_set_new(by_key, key, json_integer((json_int_t)n));
	}
	return by_key;
}

static bool
read_marks(const json_t *marks, const json_t *defs, struct run *run, bool *lossy)
{
	for (size_t i = 0; i < json_array_size(marks); i++) {
		const char *name = json_string_value(json_array_get(marks, i));
		const json_t *def;

		if (name == NULL)
			return false;
		def = json_object_get(defs, name);
		if (def == NULL && mark_bit(name) != 0)
			run->marks |= mark_bit(name);
		else if (def != NULL && json_integer_value(def) > 0 && run->link == 0)
			run->link = (size_t)json_integer_value(def);
		else
			*lossy = true;
	}
	return marks == NULL || json_is_array(marks);
}

static bool
read_child(
    struct stet_call *call, const json_t *child, const json_t *defs, struct line *line, bool *lossy)
{
	static const char *const members[] = { "_key", "_type", "text", "marks", NULL };
	const char *type = member_text(child, "_type");
	const json_t *text = json_object_get(child, "text");
	struct run run = { 0 };

	if (type == NULL)
		return false;
	if (strcmp(type, "span") != 0)
		run.object = child;
	else if (!json_is_string(text) ||
		 !read_marks(json_object_get(child, "marks"), defs, &run, lossy))
		return false;
	else {
		run.text = json_string_value(text);
		run.len = json_string_length(text);
		if (!members_only(child, members))
			*lossy = true;
	}
	line_add(call, line, &run);
	return true;
}

bool
spans_read(struct stet_call *call, const json_t *children, const json_t *defs, struct line *line,
    bool *lossy)
{
	json_t *by_key;

	if (!json_is_array(children) || (defs != NULL && !json_is_array(defs)))
		return false;
	by_key = read_defs(call, defs, line, lossy);
	if (by_key == NULL)
		return false;
	for (size_t i = 0; i < json_array_size(children); i++)
		if (!read_child(call, json_array_get(children, i), by_key, line, lossy))
			return false;
	return true;
}

/* ---- to JSON ---- */

bool
key_take(struct keys *keys, const char *key)
{
	if (json_object_get(keys->taken, key) != NULL)
		return false;
	json_object_set_new(keys->taken, key, json_true());
	return true;
}

/* Gives the object a new key: eight hexadecimal digits (splitmix64 of the seed). */
static void
put_new_key(json_t *object, struct keys *keys)
{
	static const char digits[] = "0123456789abcdef";
	char key[9];

	do {
		uint64_t z = keys->seed += 0x9e3779b97f4a7c15ULL;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
		z ^= z >> 31;
		for (int i = 0; i < 8; i++, z >>= 4)
			key[i] = digits[z & 15];
		key[8] = '\0';
	} while (!key_take(keys, key));
	json_object_set_new(object, "_key", json_string(key));
}

void
key_put(json_t *object, const char *key, struct keys *keys)
{
	if (key != NULL && key_take(keys, key))
		json_object_set_new(object, "_key", json_string(key));
	else
		put_new_key(object, keys);
}

json_t *
json_typed(const char *type)
{
	json_t *object = json_object();

	json_object_set_new(object, "_type", json_string(type));
	return object;
}

/* The stored definition of a link: the first with this href whose key is not in use. */
static const json_t *
def_of(const json_t *defs, const struct target *link, const struct keys *keys)
{
	for (size_t i = 0; i < json_array_size(defs) && i < 64; i++) {
		const json_t *def = json_array_get(defs, i);
		const char *is = member_text(def, "href"), *key = member_text(def, "_key");

		if (is != NULL && key != NULL && strcmp(is, link->href) == 0 &&
		    json_object_get(keys->taken, key) == NULL)
			return def;
	}
	return NULL;
}

static json_t *
write_defs(const struct line *line, const json_t *was, struct keys *keys)
{
	json_t *defs = json_array();

	for (size_t i = 0; i < line->links; i++) {
		json_t *def = json_typed("link");

		key_put(def, member_text(def_of(was, &line->link[i], keys), "_key"), keys);
		json_object_set_new(def, "href", json_string(line->link[i].href));
		if (line->link[i].title != NULL)
			json_object_set_new(def, "title", json_string(line->link[i].title));
		json_array_append_new(defs, def);
	}
	return defs;
}

/* An inline object that Markdown has written keeps its key. One that it has made gets the stored
 * object of its kind at this place, with all that Markdown cannot say, if it is the same picture.
 */
static json_t *
write_object(const json_t *object, const json_t *was, struct keys *keys)
{
	const char *type = member_text(object, "_type"), *before = member_text(was, "_type");
	bool alike = before != NULL && strcmp(type, before) == 0;
	json_t *out = json_deep_copy(object), *asset = json_object_get(out, "asset");
	const char *url = member_text(asset, "url");
	const json_t *stored = alike ? json_object_get(was, "asset") : NULL;

	if (json_object_get(out, "_key") != NULL)
		return out;
	key_put(out, alike ? member_text(was, "_key") : NULL, keys);
	if (url != NULL && member_text(stored, "url") != NULL &&
	    strcmp(url, member_text(stored, "url")) == 0)
		json_object_set(out, "asset", (json_t *)(uintptr_t)stored);
	return out;
}

static json_t *
write_run(const struct run *run, const json_t *defs, const json_t *was, struct keys *keys)
{
	json_t *span, *marks;

	if (run->object != NULL)
		return write_object(run->object, was, keys);
	span = json_typed("span");
	key_put(span, member_text(was, "_key"), keys);
	json_object_set_new(span, "text", json_stringn(run->text, run->len));
	marks = json_array();
	for (unsigned i = 0; i < MARKS; i++)
		if ((run->marks & 1U << i) != 0)
			json_array_append_new(marks, json_string(mark_table[i].name));
	if (run->link > 0)
		json_array_append(
		    marks, json_object_get(json_array_get(defs, run->link - 1), "_key"));
	json_object_set_new(span, "marks", marks);
	return span;
}

void
spans_write(
    json_t *out, const char *name, const struct line *line, const json_t *was, struct keys *keys)
{
	static const struct run empty = { .text = "" };
	const json_t *before = json_object_get(was, name);
	json_t *defs = write_defs(line, json_object_get(was, "markDefs"), keys);
	json_t *children = json_array();

	for (size_t i = 0; i < line->count; i++)
		json_array_append_new(
		    children, write_run(&line->run[i], defs, json_array_get(before, i), keys));
	if (line->count == 0)
		json_array_append_new(
		    children, write_run(&empty, defs, json_array_get(before, 0), keys));
	json_object_set_new(out, "markDefs", defs);
	json_object_set_new(out, name, children);
}

uint64_t
keys_seed(const char *key)
{
	uint64_t seed = 0;

	for (; key != NULL && *key != '\0'; key++)
		seed = seed * 31 + (unsigned char)*key;
	return seed;
}
