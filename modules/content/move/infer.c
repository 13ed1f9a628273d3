/*
 * infer.c - infers the fields of a collection from the values of its items: for each field the
 * type that fits all values seen.
 */
#include "move/move.h"
#include <stdlib.h>
#include <string.h>

#define LINE_MAX 255 /* characters; a longer text is not a title */

enum seen {
	SEEN_TEXT = 1,
	SEEN_INTEGER = 2,
	SEEN_REAL = 4,
	SEEN_BOOLEAN = 8,
	SEEN_BLOCKS = 16,
	SEEN_OTHER = 32
};

struct guess {
	char *name;
	unsigned seen;
	bool is_long; /* a text is too long for a string field or has a line break */
	bool not_time; /* a text is not a date-time in the form that stet itself writes */
};
struct infer {
	struct guess *guess;
	size_t count, size;
};

struct infer *
infer_new(void)
{
	return calloc(1, sizeof(struct infer));
}

void
infer_free(struct infer *in)
{
	for (size_t i = 0; i < in->count; i++)
		free(in->guess[i].name);
	free(in->guess);
	free(in);
}

static struct guess *
guess_of(struct infer *in, const char *name)
{
	for (size_t i = 0; i < in->count; i++)
		if (strcmp(in->guess[i].name, name) == 0)
			return &in->guess[i];
	if (in->count == in->size) {
		struct guess *more;

		in->size = in->size > 0 ? in->size * 2 : 16;
		more = realloc(in->guess, in->size * sizeof(*more));
		if (more == NULL)
			stet_out_of_memory();
		in->guess = more;
	}
	in->guess[in->count] = (struct guess){ .name = strdup(name) };
	if (in->guess[in->count].name == NULL)
		stet_out_of_memory();
	return &in->guess[in->count++];
}

static bool
is_blocks(const json_t *v)
{
	const json_t *block;
	size_t i;

	json_array_foreach(v, i, block)
	{
		if (!json_is_string(json_object_get(block, "_type")))
			return false;
	}
	return json_array_size(v) > 0;
}

static void
look_at_text(struct guess *g, const char *s)
{
	int64_t ms;

	g->seen |= SEEN_TEXT;
	if (strchr(s, '\n') != NULL || stet_utf8_length(s) > LINE_MAX)
		g->is_long = true;
	/* A time in another form would be stored as a different text than the one sent, so it
	 * stays text. */
	if (strlen(s) != 24 || s[23] != 'Z' || s[19] != '.' || !stet_time_parse(s, &ms))
		g->not_time = true;
}

static void
look_at(struct guess *g, const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_STRING:
		look_at_text(g, json_string_value(v));
		return;
	case JSON_INTEGER:
		g->seen |= SEEN_INTEGER;
		return;
	case JSON_REAL:
		g->seen |= SEEN_REAL;
		return;
	case JSON_TRUE:
	case JSON_FALSE:
		g->seen |= SEEN_BOOLEAN;
		return;
	case JSON_NULL:
		return;
	default:
		g->seen |= is_blocks(v) ? SEEN_BLOCKS : SEEN_OTHER;
	}
}

void
infer_line(struct infer *in, const json_t *data)
{
	json_t *mutable = (json_t *)(uintptr_t)data, *v;
	const char *name;

	json_object_foreach(mutable, name, v)
	{
		look_at(guess_of(in, name), v);
	}
}

static const char *
type_of(const struct guess *g)
{
	switch (g->seen) {
	case SEEN_TEXT:
		return g->is_long ? "text" : g->not_time ? "string" : "datetime";
	case SEEN_INTEGER:
		return "integer";
	case SEEN_REAL:
	case SEEN_REAL | SEEN_INTEGER:
		return "number";
	case SEEN_BOOLEAN:
		return "boolean";
	case SEEN_BLOCKS:
		return "portableText";
	default:
		return "json";
	}
}

/* Makes a label from a slug: "featured_image" becomes "Featured image". */
static json_t *
label_of(const char *slug)
{
	char label[64] = "";

	for (size_t i = 0; slug[i] != '\0' && i < sizeof(label) - 1; i++)
		label[i] = slug[i] == '_' ? ' ' : slug[i];
	if (label[0] >= 'a' && label[0] <= 'z')
		label[0] = (char)(label[0] - 'a' + 'A');
	return json_string(label);
}

json_t *
infer_collection(const struct infer *in, const char *slug)
{
	(void)in;
	return json_pack("{s:s,s:o,s:[s,s,s]}", "slug", slug, "label", label_of(slug), "supports",
	    "drafts", "revisions", "search");
}

json_t *
infer_fields(const struct infer *in)
{
	json_t *fields = json_array();

	for (size_t i = 0; i < in->count; i++) {
		const struct guess *g = &in->guess[i];
		const char *type = type_of(g);
		bool prose = g->seen == SEEN_BLOCKS || strcmp(type, "text") == 0 ||
			     strcmp(g->name, "title") == 0;
		bool scalar = strcmp(type, "integer") == 0 || strcmp(type, "number") == 0 ||
			      strcmp(type, "boolean") == 0 || strcmp(type, "datetime") == 0;

		json_array_append_new(fields,
		    json_pack("{s:s,s:o,s:s,s:b,s:b}", "slug", g->name, "label", label_of(g->name),
			"type", type, "searchable", (int)prose, "indexed", (int)scalar));
	}
	return fields;
}
