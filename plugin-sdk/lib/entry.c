/*
 * entry.c - an item as the hooks of a save see it.
 *
 * A save makes a struct stet_entry with the field values that it is about to store. FILTER hooks
 * may change values with stet_entry_set; the first change copies the data, so that the caller's
 * object stays as it was. Then the entry is sealed, and later hooks only read it.
 * stet_value_text makes plain text of a field's value, for search and the like.
 */
#include "base/buf.h"
#include "base/log.h"
#include <stdlib.h>
#include <stet/content.h>
#include <string.h>

struct member {
	struct member *next;
	const char *name, *value;
};

struct stet_entry {
	struct stet_call *call;
	const struct stet_collection *collection;
	const char *id;
	const json_t *data;
	json_t *own; /* the copy of data, once a filter has changed it */
	struct member *members;
	bool *told; /* of an unknown name: one line in the log is enough */
	bool is_new, sealed;
};

const struct stet_field *
stet_field(const struct stet_collection *collection, const char *slug)
{
	for (size_t i = 0; i < collection->field_count; i++)
		if (strcmp(collection->fields[i]->slug, slug) == 0)
			return collection->fields[i];
	return NULL;
}

struct stet_entry *
stet_entry_new(struct stet_call *call, const struct stet_collection *collection, const char *id,
    bool is_new, const json_t *data)
{
	struct stet_entry *entry = stet_alloc(call, sizeof *entry);

	stet_assert(json_is_object(data));
	*entry = (struct stet_entry){ .call = call,
		.collection = collection,
		.id = id,
		.data = data,
		.is_new = is_new,
		.told = stet_alloc(call, sizeof(bool)) };
	return entry;
}

static struct member *
find(const struct stet_entry *entry, const char *name)
{
	struct member *m = entry->members;

	while (m != NULL && strcmp(m->name, name) != 0)
		m = m->next;
	return m;
}

void
stet_entry_put(struct stet_entry *entry, const char *name, const char *value)
{
	struct member *m = find(entry, name);

	if (m == NULL) {
		m = stet_alloc(entry->call, sizeof *m);
		m->name = name;
		m->next = entry->members;
		entry->members = m;
	}
	m->value = value;
}

void
stet_entry_seal(struct stet_entry *entry)
{
	entry->sealed = true;
}

const struct stet_collection *
stet_entry_collection(const struct stet_entry *entry)
{
	return entry->collection;
}

const char *
stet_entry_id(const struct stet_entry *entry)
{
	return entry->id;
}

bool
stet_entry_is_new(const struct stet_entry *entry)
{
	return entry->is_new;
}

/* A hook that asks for a field that does not exist would never find out. */
static const json_t *
value_of(const struct stet_entry *entry, const char *name, const char *what)
{
	const json_t *value = json_object_get(entry->data, name);

	if (value == NULL && !*entry->told && stet_field(entry->collection, name) == NULL) {
		*entry->told = true;
		stet_log(entry->call, STET_WARN, "asked for \"%s\", which is no %s of %s", name,
		    what, entry->collection->slug);
	}
	return value;
}

const char *
stet_entry_str(const struct stet_entry *entry, const char *name)
{
	const struct member *m = find(entry, name);
	const char *s;

	/* A field cannot have the name of a system member: those names are reserved. */
	s = m != NULL ? m->value : json_string_value(value_of(entry, name, "field or member"));
	return s != NULL ? s : "";
}

const json_t *
stet_entry_get(const struct stet_entry *entry, const char *field)
{
	return value_of(entry, field, "field");
}

const json_t *
stet_entry_data(const struct stet_entry *entry)
{
	return entry->data;
}

void
stet_entry_set(struct stet_entry *entry, const char *field, json_t *value)
{
	stet_assert(!entry->sealed);
	if (entry->own == NULL) {
		entry->own = json_copy((json_t *)(uintptr_t)entry->data);
		stet_assert(entry->own != NULL);
		entry->data = stet_json_own(entry->call, entry->own);
	}
	stet_assert(
	    json_object_set_new(entry->own, field, value != NULL ? value : json_null()) == 0);
}

/* ---- plain text ---- */

#define TEXT_DEPTH 32

struct prose {
	struct buf out;
	bool apart; /* the next text begins a new line */
};

static void
begin_line(struct prose *p)
{
	if (p->out.len > 0 && p->out.data[p->out.len - 1] != '\n')
		buf_char(&p->out, '\n');
	p->apart = false;
}

static void
add_string(struct prose *p, const json_t *text, bool apart)
{
	if (apart || p->apart)
		begin_line(p);
	buf_add(&p->out, json_string_value(text), json_string_length(text));
	p->apart = apart;
}

static bool
is_description(const char *key)
{
	return strcmp(key, "alt") == 0 || strcmp(key, "caption") == 0 || strcmp(key, "code") == 0;
}

static void
add_object(struct prose *p, const json_t *object, int depth)
{
	const json_t *v, *text = json_object_get(object, "text"),
			 *children = json_object_get(object, "children");
	const char *key;
	size_t i;

	if (depth > TEXT_DEPTH)
		return;
	if (json_is_string(text))
		add_string(p, text, false);
	json_array_foreach(children, i, v) add_object(p, v, depth + 1);
	json_object_foreach((json_t *)(uintptr_t)object, key, v)
	{
		const json_t *part;

		if (json_is_string(v) && is_description(key))
			add_string(p, v, true);
		if (json_is_object(v))
			add_object(p, v, depth + 1);
		if (v == children)
			continue;
		json_array_foreach(v, i, part)
		{
			p->apart = true;
			add_object(p, part, depth + 1);
		}
	}
}

static void add_text(struct prose *, const json_t *, int depth);

/* Writes one line for each element that has text. */
static void
add_lines(struct prose *p, const json_t *array, int depth)
{
	struct buf *out = &p->out;
	const json_t *v;
	size_t i;

	json_array_foreach(array, i, v)
	{
		size_t before = out->len, begin;

		begin_line(p);
		begin = out->len;
		add_text(p, v, depth + 1);
		if (out->len == begin && before > 0)
			out->data[out->len = before] = '\0';
	}
}

static void
add_text(struct prose *p, const json_t *v, int depth)
{
	char *text;

	if (v == NULL || depth > TEXT_DEPTH)
		return;
	switch (json_typeof(v)) {
	case JSON_STRING:
		add_string(p, v, false);
		return;
	case JSON_ARRAY:
		add_lines(p, v, depth);
		return;
	case JSON_OBJECT:
		add_object(p, v, depth);
		return;
	case JSON_NULL:
		return;
	default:
		text = json_dumps(v, JSON_ENCODE_ANY);
		stet_assert(text != NULL);
		buf_str(&p->out, text);
		free(text);
	}
}

char *
stet_value_text(struct stet_call *call, const json_t *value)
{
	struct prose p = { 0 };
	char *text;

	add_text(&p, value, 0);
	text = stet_strndup(call, p.out.len > 0 ? p.out.data : "", p.out.len);
	buf_free(&p.out);
	return text;
}

char *
stet_entry_text(struct stet_call *call, const struct stet_entry *entry, const char *field)
{
	return stet_value_text(call, stet_entry_get(entry, field));
}
