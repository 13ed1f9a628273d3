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

	switch (pick(b, 24)) {
	case 20:
		return json_pack("{s:s, s:{s:s}, s:s}", "_type", "image", "asset", "url",
		    words(b, text), "alt", "x [y] | z");
	case 21:
		return json_pack("{s:s, s:s}", "_type", "footnoteReference", "label", "1");
	case 22:
		return json_pack("{s:s, s:s}", "_type", "html", "html", "<kbd>");
	case 23:
		return key(
		    json_pack("{s:s, s:s, s:i}", "_type", "widget", "text", words(b, text), "n", 3),
		    's', n);
	default:
		break;
	}
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
	if (pick(b, 8) == 7)
		json_object_set_new(out, "checked", json_boolean(pick(b, 2)));
	if (pick(b, 8) == 7)
		json_object_set_new(out, "start", json_integer(pick(b, 3)));
	if (pick(b, 16) == 15)
		json_object_set_new(out, "extra", json_true());
	return out;
}

static json_t *
table(struct bytes *b)
{
	static const char *const aligns[] = { "left", "center", "right" };
	json_t *rows = json_array();
	size_t columns = 1 + pick(b, 3), count = 1 + pick(b, 3);
	unsigned align = pick(b, 4);

	for (size_t i = 0; i < count; i++) {
		json_t *cells = json_array();

		for (size_t k = 0; k < columns; k++) {
			json_t *content = json_array(), *cell;

			for (size_t n = pick(b, 3); n > 0; n--)
				json_array_append_new(content, child(b, n));
			cell = json_pack("{s:s, s:[], s:o}", "_type", "tableCell", "markDefs",
			    "content", content);
			if (i == 0)
				json_object_set_new(cell, "isHeader", json_true());
			if (align > 0)
				json_object_set_new(cell, "align", json_string(aligns[align - 1]));
			json_array_append_new(cells, cell);
		}
		json_array_append_new(
		    rows, json_pack("{s:s, s:o}", "_type", "tableRow", "cells", cells));
	}
	return json_pack("{s:s, s:b, s:o}", "_type", "table", "hasHeaderRow", 1, "rows", rows);
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
		if (pick(b, 3) == 2)
			json_object_set_new(out, "title", json_string(words(b, text)));
		if (pick(b, 3) == 2)
			json_object_set_new(out, "link", json_string(words(b, text)));
		return out;
	case 2:
		return json_pack("{s:s, s:s}", "_type", "break", "style", "lineBreak");
	case 3:
		return json_pack("{s:s, s:s, s:[i, f, n]}", "_type", "gallery", "text",
		    words(b, text), "list", 1, 0.1);
	case 4:
		return table(b);
	case 5:
		out = json_array();
		json_array_append_new(out, child(b, 0));
		return json_pack("{s:s, s:s, s:[], s:o}", "_type", "footnote", "label", "1",
		    "markDefs", "content", out);
	case 6:
		return json_pack("{s:s, s:s}", "_type", "htmlBlock", "html", words(b, text));
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
		if ((def == NULL && (strcmp(name, "custom") == 0 || name[0] == 'm')) ||
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
		const char *type = json_string_value(json_object_get(one, "_type"));

		json_array_append_new(
		    children, strcmp(type, "widget") == 0 ? json_deep_copy(one) : bare(one));
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

/* Sets the member `name` of a copy of an object to its children without keys and empty spans. */
static void
plain_children(json_t *out, const char *name, const json_t *one, bool *whole)
{
	const json_t *from = json_object_get(one, name), *defs = json_object_get(one, "markDefs");
	json_t *children = json_array();

	for (size_t i = 0; i < json_array_size(from); i++)
		plain_child(children, json_array_get(from, i), defs, whole);
	for (size_t i = 0; i < json_array_size(defs); i++)
		*whole &= json_object_get(json_array_get(defs, i), "href") != NULL;
	json_object_set_new(out, name, children);
	json_object_del(out, "markDefs");
}

static void
plain_table(json_t *out, bool *whole)
{
	json_t *rows = json_object_get(out, "rows"), *row, *cell, *copy;
	size_t i, k;

	json_array_foreach(rows, i, row)
	{
		json_object_del(row, "_key");
		json_array_foreach(json_object_get(row, "cells"), k, cell)
		{
			copy = bare(cell);
			plain_children(copy, "content", cell, whole);
			json_array_set_new(json_object_get(row, "cells"), k, copy);
		}
	}
}

static json_t *
plain(const json_t *one, bool *whole)
{
	json_t *out = bare(one);

	if (strcmp(json_string_value(json_object_get(one, "_type")), "table") == 0)
		plain_table(out, whole);
	if (strcmp(json_string_value(json_object_get(one, "_type")), "footnote") == 0)
		plain_children(out, "content", one, whole);
	if (strcmp(json_string_value(json_object_get(one, "_type")), "block") != 0)
		return out;
	plain_children(out, "children", one, whole);
	if (json_object_get(out, "extra") != NULL ||
	    strcmp(json_string_value(json_object_get(out, "style")), "lead") == 0)
		*whole = false;
	if (json_object_get(out, "listItem") == NULL)
		*whole &= json_object_get(out, "level") == NULL &&
			  json_object_get(out, "checked") == NULL &&
			  json_object_get(out, "start") == NULL;
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
