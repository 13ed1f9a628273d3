/* blocks.c - Portable Text made of bytes. */
#include "blocks.h"
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const pieces[] = { "a", "word", " ", "  ", "\t", "\n", "\r", "# ", "1. ", "2) ",
	"- ", "+ ", "* ", "*", "**", "***", "_", "__", "snake_case", "~", "~~", "~~~", "`", "``",
	"```", "[", "]", "](", ")", "(", "![", "!", "<", "<b>", "</b>", "<br>", "<https://x.org>",
	"<!--block {}-->", "<!--inline {\"_type\":\"x\"}-->", "-->", "<!--empty-->", "&", "&amp;",
	"&#32;", "\\", "\\*", "|", ">", "=", "===", "---", "#", "é", "日本", "\xc2\xa0", ".", "12",
	":", "\"" };

static unsigned
pick(struct bytes *b, size_t of)
{
	return b->at < b->end ? *b->at++ % (unsigned)of : 0;
}

static char *
words(struct bytes *b, char text[300])
{
	unsigned n = pick(b, 7);

	*text = '\0';
	while (n-- > 0)
		snprintf(
		    text + strlen(text), 300 - strlen(text), "%s", pieces[pick(b, COUNT(pieces))]);
	return text;
}

static json_t *
key(json_t *object, char kind, size_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%c%zu", kind, n);
	json_object_set_new(object, "_key", json_string(text));
	return object;
}

static json_t *
marks_of(struct bytes *b)
{
	static const char *const names[] = { "strong", "em", "code", "strike-through", "underline",
		"superscript", "subscript", "m0", "m1", "m2", "custom" };
	json_t *marks = json_array();
	unsigned n = pick(b, 8);

	for (n = n > 3 ? 0 : n; n > 0; n--)
		json_array_append_new(marks, json_string(names[pick(b, COUNT(names))]));
	return marks;
}

static json_t *
child(struct bytes *b, size_t n)
{
	char text[300];

	if (pick(b, 12) == 11)
		return key(
		    json_pack("{s:s, s:s, s:i}", "_type", "widget", "text", words(b, text), "n", 3),
		    's', n);
	return key(json_pack("{s:s, s:s, s:o}", "_type", "span", "text", words(b, text), "marks",
		       marks_of(b)),
	    's', n);
}

static json_t *
text_block(struct bytes *b)
{
	static const char *const styles[] = { "normal", "normal", "normal", "h1", "h2", "h6",
		"blockquote", "lead" };
	json_t *children = json_array(), *out, *defs;
	size_t n = pick(b, 6);
	char text[300];

	for (size_t i = 0; i < n; i++)
		json_array_append_new(children, child(b, i));
	out = json_pack("{s:s, s:s, s:o}", "_type", "block", "style",
	    styles[pick(b, COUNT(styles))], "children", children);
	defs = json_pack("[{s:s, s:s, s:s}, {s:s, s:s, s:s}]", "_type", "link", "_key", "m0",
	    "href", "https://example.org/a_(b)?c=1&d=2", "_type", "link", "_key", "m1", "href",
	    words(b, text));
	if (pick(b, 4) == 3)
		json_array_append_new(defs, json_pack("{s:s, s:s}", "_type", "note", "_key", "m2"));
	json_object_set_new(out, "markDefs", defs);
	if (pick(b, 4) == 3)
		json_object_set_new(out, "level", json_integer(1 + pick(b, 4)));
	if (pick(b, 3) == 2)
		json_object_set_new(
		    out, "listItem", json_string(pick(b, 2) == 0 ? "bullet" : "number"));
	if (pick(b, 16) == 15)
		json_object_set_new(out, "extra", json_true());
	return out;
}

static json_t *
block(struct bytes *b)
{
	char text[300];
	json_t *out;

	switch (pick(b, 12)) {
	case 0:
		out = json_pack("{s:s, s:s}", "_type", "code", "code", words(b, text));
		if (pick(b, 2) == 1)
			json_object_set_new(out, "language", json_string(words(b, text)));
		return out;
	case 1:
		out = json_pack("{s:s, s:{s:s}}", "_type", "image", "asset", "url", words(b, text));
		if (pick(b, 2) == 1)
			json_object_set_new(out, "alt", json_string(words(b, text)));
		if (pick(b, 3) == 2)
			json_object_set_new(out, "caption", json_string(words(b, text)));
		return out;
	case 2:
		return json_pack("{s:s, s:s}", "_type", "break", "style", "lineBreak");
	case 3:
		return json_pack("{s:s, s:s, s:[i, f, n]}", "_type", "gallery", "text",
		    words(b, text), "list", 1, 0.1);
	default:
		return text_block(b);
	}
}

json_t *
blocks_make(struct bytes *b)
{
	json_t *out = json_array();
	size_t n = pick(b, 6);

	for (size_t i = 0; i < n; i++) {
		json_t *one = block(b);

		json_array_append_new(out, pick(b, 16) == 15 ? one : key(one, 'b', i));
	}
	return out;
}

/* ---- without keys ---- */

static json_t *
bare(const json_t *object)
{
	json_t *copy = json_deep_copy(object);

	json_object_del(copy, "_key");
	return copy;
}

/* Returns the marks of a span as an object: a name for each mark, and `link` with its URL. */
static json_t *
plain_marks(const json_t *span, const json_t *defs, bool *whole)
{
	json_t *out = json_object();
	bool linked = false;

	for (size_t i = 0; i < json_array_size(json_object_get(span, "marks")); i++) {
		const char *name =
		    json_string_value(json_array_get(json_object_get(span, "marks"), i));
		const json_t *def = NULL;

		for (size_t j = 0; j < json_array_size(defs); j++) {
			const json_t *d = json_array_get(defs, j);

			if (strcmp(json_string_value(json_object_get(d, "_key")), name) == 0)
				def = d;
		}
		if ((def == NULL && (strcmp(name, "custom") == 0 || strcmp(name, "m2") == 0)) ||
		    (def != NULL && json_object_get(def, "href") == NULL))
			*whole = false;
		else if (def == NULL)
			json_object_set_new(out, name, json_true());
		else {
			/* Markdown cannot express two links on one span. */
			*whole &=
			    !linked || json_object_get(out, "link") == json_object_get(def, "href");
			linked = true;
			json_object_set(out, "link", json_object_get(def, "href"));
		}
	}
	return out;
}

static void
plain_child(json_t *children, const json_t *one, const json_t *defs, bool *whole)
{
	json_t *last = json_array_get(children, json_array_size(children) - 1), *marks, *text,
	       *span;

	if (strcmp(json_string_value(json_object_get(one, "_type")), "span") != 0) {
		json_array_append_new(children, json_deep_copy(one));
		return;
	}
	if (json_string_length(json_object_get(one, "text")) == 0)
		return;
	marks = plain_marks(one, defs, whole);
	if (json_array_size(children) > 0 && json_equal(json_object_get(last, "marks"), marks)) {
		text = json_sprintf("%s%s", json_string_value(json_object_get(last, "text")),
		    json_string_value(json_object_get(one, "text")));
		json_object_set_new(last, "text", text);
		json_decref(marks);
		return;
	}
	span = bare(one);
	json_object_set_new(span, "marks", marks);
	json_array_append_new(children, span);
}

static json_t *
plain(const json_t *one, bool *whole)
{
	json_t *out = bare(one), *children;
	const json_t *defs = json_object_get(one, "markDefs");

	if (strcmp(json_string_value(json_object_get(one, "_type")), "block") != 0)
		return out;
	children = json_array();
	for (size_t i = 0; i < json_array_size(json_object_get(one, "children")); i++)
		plain_child(
		    children, json_array_get(json_object_get(one, "children"), i), defs, whole);
	for (size_t i = 0; i < json_array_size(defs); i++)
		*whole &= json_object_get(json_array_get(defs, i), "href") != NULL;
	json_object_set_new(out, "children", children);
	json_object_del(out, "markDefs");
	if (json_object_get(out, "extra") != NULL ||
	    strcmp(json_string_value(json_object_get(out, "style")), "lead") == 0)
		*whole = false;
	if (json_object_get(out, "listItem") == NULL)
		*whole &= json_object_get(out, "level") == NULL;
	else if (json_object_get(out, "level") == NULL)
		json_object_set_new(out, "level", json_integer(1));
	return out;
}

json_t *
blocks_plain(const json_t *blocks, bool *whole)
{
	json_t *out = json_array();

	*whole = true;
	for (size_t i = 0; i < json_array_size(blocks); i++)
		json_array_append_new(out, plain(json_array_get(blocks, i), whole));
	return out;
}
