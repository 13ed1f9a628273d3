/*
 * html.c - Portable Text as HTML for readers of feeds: texts, lists, links, marks, pictures, code,
 * and the blocks that Markdown and imports have beside. Of any other block its plain text is shown
 * (alt, caption and text, as search indexes them). All text is escaped, and links have a scheme
 * that is harmless on a page of another site.
 */
#include "feeds.h"
#include <string.h>

#define MARKS_MAX 16 /* marks of one span */
#define LEVELS_MAX 10 /* of nested lists */
#define DEPTH_MAX 8 /* of blocks in blocks */

struct html {
	struct out out;
	const char *base;
	const char *list[LEVELS_MAX]; /* the elements of the open lists */
	int level;
	int depth; /* of blocks in blocks */
};

static void put_blocks(struct html *, const json_t *);

static const char *
member(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the address to show; NULL: it is not safe. */
static const char *
address(const struct html *h, const char *url)
{
	if (*url == '/' && url[1] != '/' && url[1] != '\\')
		return stet_printf(h->out.call, "%s%s", h->base, url);
	return begins(url, "https://") || begins(url, "http://") || begins(url, "mailto:") ||
		       begins(url, "tel:")
		   ? url
		   : NULL;
}

static void
attribute(struct html *h, const char *name, const char *value)
{
	out_raw(&h->out, " ");
	out_raw(&h->out, name);
	out_raw(&h->out, "=\"");
	out_text(&h->out, value);
	out_raw(&h->out, "\"");
}

static void
tag(struct html *h, const char *open, const char *name)
{
	out_raw(&h->out, open);
	out_raw(&h->out, name);
	out_raw(&h->out, ">");
}

/* ---- spans ---- */

static const char *
element_of(const char *mark)
{
	static const struct {
		const char *mark, *element;
	} known[] = { { "strong", "strong" }, { "em", "em" }, { "code", "code" },
		{ "underline", "u" }, { "strike-through", "s" }, { "strike", "s" },
		{ "superscript", "sup" }, { "subscript", "sub" }, { "sup", "sup" },
		{ "sub", "sub" } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].mark, mark) == 0)
			return known[i].element;
	return NULL;
}

/* Opens a mark and returns the element to close; NULL: nothing was opened. */
static const char *
open_mark(struct html *h, const char *mark, const json_t *definitions)
{
	const char *element = element_of(mark), *to;
	const json_t *d;
	size_t i;

	if (element != NULL) {
		tag(h, "<", element);
		return element;
	}
	json_array_foreach(definitions, i, d)
	{
		if (strcmp(member(d, "_key"), mark) != 0 || *member(d, "href") == '\0')
			continue;
		if ((to = address(h, member(d, "href"))) == NULL)
			return NULL;
		out_raw(&h->out, "<a");
		attribute(h, "href", to);
		out_raw(&h->out, ">");
		return "a";
	}
	return NULL;
}

static void
put_text(struct html *h, const char *text)
{
	for (size_t len; *text != '\0'; text += len) {
		len = strcspn(text, "\n");
		out_text(&h->out, stet_strndup(h->out.call, text, len));
		if (text[len] == '\n') {
			out_raw(&h->out, "<br>");
			len++;
		}
	}
}

static void
put_span(struct html *h, const json_t *span, const json_t *definitions)
{
	const char *open[MARKS_MAX];
	const json_t *mark;
	size_t i, count = 0;

	json_array_foreach(json_object_get(span, "marks"), i, mark)
	{
		if (count == MARKS_MAX || !json_is_string(mark))
			break;
		open[count] = open_mark(h, json_string_value(mark), definitions);
		count += open[count] != NULL;
	}
	put_text(h, member(span, "text"));
	while (count-- > 0)
		tag(h, "</", open[count]);
}

static void
put_element(struct html *h, const char *name, const char *text)
{
	tag(h, "<", name);
	out_text(&h->out, text);
	tag(h, "</", name);
}

static void
put_code(struct html *h, const char *text)
{
	out_raw(&h->out, "<pre>");
	put_element(h, "code", text);
	out_raw(&h->out, "</pre>");
}

/* Returns the address of a picture; NULL: it has none to show. */
static const char *
picture(const struct html *h, const json_t *block)
{
	const json_t *asset = json_object_get(block, "asset");
	const char *url = member(block, "url");

	if (*url == '\0')
		url = *member(asset, "url") != '\0' ? member(asset, "url") : member(block, "src");
	return *url != '\0' ? address(h, url) : NULL;
}

/* Opens a link if the address is safe; returns true if it did. */
static bool
open_link(struct html *h, const char *url)
{
	const char *to = *url != '\0' ? address(h, url) : NULL;

	if (to == NULL)
		return false;
	out_raw(&h->out, "<a");
	attribute(h, "href", to);
	out_raw(&h->out, ">");
	return true;
}

static void
put_img(struct html *h, const json_t *image, const char *url)
{
	bool link = open_link(h, member(image, "link"));

	out_raw(&h->out, "<img");
	attribute(h, "src", url);
	attribute(h, "alt", member(image, "alt"));
	out_raw(&h->out, ">");
	out_raw(&h->out, link ? "</a>" : "");
}

/* Pictures, formulas and references to footnotes in a text. Tags of HTML in it are not shown. */
static void
put_object(struct html *h, const json_t *object)
{
	const char *type = member(object, "_type"), *url;

	if (strcmp(type, "image") == 0 && (url = picture(h, object)) != NULL) {
		put_img(h, object, url);
	} else if (strcmp(type, "footnoteReference") == 0) {
		out_raw(&h->out, "<sup>[");
		out_text(&h->out, member(object, "label"));
		out_raw(&h->out, "]</sup>");
	} else if (strcmp(type, "math") == 0) {
		put_element(h, "code", member(object, "tex"));
	} else if (strcmp(type, "shortcode") == 0) {
		put_element(h, "code", member(object, "source"));
	} else if (strcmp(type, "html") != 0) {
		out_text(&h->out,
		    stet_value_text(h->out.call,
			stet_json_own(h->out.call, json_pack("[O]", (json_t *)(uintptr_t)object))));
	}
}

static void
put_spans(struct html *h, const json_t *spans, const json_t *definitions)
{
	const json_t *child;
	size_t i;

	json_array_foreach(spans, i, child)
	{
		if (json_object_get(child, "text") != NULL || *member(child, "_type") == '\0')
			put_span(h, child, definitions);
		else
			put_object(h, child);
	}
}

static void
put_children(struct html *h, const json_t *block)
{
	put_spans(h, json_object_get(block, "children"), json_object_get(block, "markDefs"));
}

/* ---- lists ---- */

static void
close_lists(struct html *h, int level)
{
	while (h->level > level) {
		out_raw(&h->out, "</li>");
		tag(h, "</", h->list[--h->level]);
	}
}

/* first: the first item of the list, or NULL */
static void
open_list(struct html *h, const char *kind, const json_t *first)
{
	json_int_t start = json_integer_value(json_object_get(first, "start"));

	out_raw(&h->out, "<");
	out_raw(&h->out, kind);
	if (start != 0 && strcmp(kind, "ol") == 0)
		attribute(h, "start", stet_printf(h->out.call, "%lld", (long long)start));
	out_raw(&h->out, ">");
}

static void
put_item(struct html *h, const json_t *block)
{
	const char *kind = strcmp(member(block, "listItem"), "number") == 0 ? "ol" : "ul";
	json_int_t level = json_integer_value(json_object_get(block, "level"));
	const json_t *checked = json_object_get(block, "checked");
	int wanted = level < 1 ? 1 : level > LEVELS_MAX ? LEVELS_MAX : (int)level;

	close_lists(h, wanted);
	if (h->level == wanted && strcmp(h->list[wanted - 1], kind) != 0)
		close_lists(h, wanted - 1);
	else if (h->level == wanted)
		out_raw(&h->out, "</li>");
	while (h->level < wanted) {
		open_list(h, kind, h->level + 1 == wanted ? block : NULL);
		h->list[h->level++] = kind;
		if (h->level < wanted)
			out_raw(&h->out, "<li>");
	}
	out_raw(&h->out, "<li>");
	if (json_is_boolean(checked))
		out_raw(&h->out, json_is_true(checked) ? "\xe2\x98\x91 " : "\xe2\x98\x90 ");
	put_children(h, block);
}

/* ---- blocks ---- */

static const char *
style_of(const json_t *block)
{
	const char *style = member(block, "style");

	if (strcmp(style, "blockquote") == 0 ||
	    (style[0] == 'h' && style[1] >= '1' && style[1] <= '6' && style[2] == '\0'))
		return style;
	return "p";
}

static void
put_caption(struct html *h, const char *element, const json_t *block)
{
	if (*member(block, "caption") == '\0')
		return;
	tag(h, "<", element);
	put_text(h, member(block, "caption"));
	tag(h, "</", element);
}

static void
put_picture(struct html *h, const json_t *block, const char *url)
{
	out_raw(&h->out, "<figure>");
	put_img(h, block, url);
	put_caption(h, "figcaption", block);
	out_raw(&h->out, "</figure>");
}

/* What people read in a block of a type that the site defines, or in any other. */
static const char *
text_in(struct stet_call *call, const json_t *block)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *text = NULL;

	if (schema != NULL && schema->block_text(call, block, &text) == STET_OK && text != NULL)
		return text;
	return stet_value_text(call, stet_json_own(call, json_pack("[O]", block)));
}

/* Writes any other block as its text, a paragraph for each line. */
static void
put_other(struct html *h, const json_t *block)
{
	const char *text = text_in(h->out.call, block);

	for (size_t len; *text != '\0'; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (len == 0)
			continue;
		out_raw(&h->out, "<p>");
		out_text(&h->out, stet_strndup(h->out.call, text, len));
		out_raw(&h->out, "</p>");
	}
}

static void
put_formula(struct html *h, const json_t *block)
{
	put_code(h, member(block, "tex"));
}

static void
put_shortcode(struct html *h, const json_t *block)
{
	put_code(h, member(block, "source"));
}

static void
put_program(struct html *h, const json_t *block)
{
	put_code(h, member(block, "code"));
}

static void
put_rule(struct html *h, const json_t *block)
{
	(void)block;
	out_raw(&h->out, "<hr>");
}

static void
put_cell(struct html *h, const json_t *cell, bool head)
{
	static const char *const sides[] = { "left", "center", "right" };
	const char *element = head || json_is_true(json_object_get(cell, "isHeader")) ? "th" : "td";

	out_raw(&h->out, "<");
	out_raw(&h->out, element);
	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
		if (strcmp(member(cell, "align"), sides[i]) == 0)
			attribute(h, "align", sides[i]);
	out_raw(&h->out, ">");
	put_spans(h, json_object_get(cell, "content"), json_object_get(cell, "markDefs"));
	tag(h, "</", element);
}

static void
put_table(struct html *h, const json_t *table)
{
	bool head = json_is_true(json_object_get(table, "hasHeaderRow"));
	const json_t *row, *cell;
	size_t i, k;

	out_raw(&h->out, "<table>");
	put_caption(h, "caption", table);
	json_array_foreach(json_object_get(table, "rows"), i, row)
	{
		out_raw(&h->out, "<tr>");
		json_array_foreach(json_object_get(row, "cells"), k, cell)
		    put_cell(h, cell, head && i == 0);
		out_raw(&h->out, "</tr>");
	}
	out_raw(&h->out, "</table>");
}

static void
put_callout(struct html *h, const json_t *block)
{
	const char *title = member(block, "title");

	out_raw(&h->out, "<blockquote><p>");
	put_element(h, "strong", *title != '\0' ? title : member(block, "kind"));
	out_raw(&h->out, "</p>");
	put_blocks(h, json_object_get(block, "content"));
	out_raw(&h->out, "</blockquote>");
}

static void
put_definitions(struct html *h, const json_t *block)
{
	const json_t *item, *line;
	size_t i, k;

	out_raw(&h->out, "<dl>");
	json_array_foreach(json_object_get(block, "items"), i, item)
	{
		out_raw(&h->out, "<dt>");
		json_array_foreach(json_object_get(item, "term"), k, line) put_children(h, line);
		out_raw(&h->out, "</dt><dd>");
		put_blocks(h, json_object_get(item, "content"));
		out_raw(&h->out, "</dd>");
	}
	out_raw(&h->out, "</dl>");
}

static void
put_footnote(struct html *h, const json_t *block)
{
	out_raw(&h->out, "<p>");
	put_element(h, "sup", member(block, "label"));
	out_raw(&h->out, " ");
	put_spans(h, json_object_get(block, "content"), json_object_get(block, "markDefs"));
	out_raw(&h->out, "</p>");
}

static void
put_columns(struct html *h, const json_t *block)
{
	const json_t *column;
	size_t i;

	json_array_foreach(json_object_get(block, "columns"), i, column)
	    put_blocks(h, json_object_get(column, "content"));
}

static void
put_gallery(struct html *h, const json_t *block)
{
	put_blocks(h, json_object_get(block, "images"));
	put_caption(h, "p", block);
}

static void
put_link(struct html *h, const char *url, const char *text)
{
	bool link;

	out_raw(&h->out, "<p>");
	link = open_link(h, url);
	out_text(&h->out, text);
	out_raw(&h->out, link ? "</a></p>" : "</p>");
}

static void
put_buttons(struct html *h, const json_t *block)
{
	const json_t *button;
	size_t i;

	json_array_foreach(json_object_get(block, "buttons"), i, button)
	    put_link(h, member(button, "url"), member(button, "text"));
}

static void
put_embed(struct html *h, const json_t *block)
{
	put_link(h, member(block, "url"), member(block, "url"));
	put_caption(h, "p", block);
}

static const struct {
	const char *type;
	void (*put)(struct html *, const json_t *);
} kinds[] = {
	{ "code", put_program },
	{ "break", put_rule },
	{ "table", put_table },
	{ "math", put_formula },
	{ "callout", put_callout },
	{ "definitionList", put_definitions },
	{ "footnote", put_footnote },
	{ "shortcode", put_shortcode },
	{ "columns", put_columns },
	{ "gallery", put_gallery },
	{ "buttons", put_buttons },
	{ "embed", put_embed },
};

static void
put_typed(struct html *h, const json_t *block, const char *type)
{
	const char *url = strcmp(type, "image") == 0 ? picture(h, block) : NULL;

	if (url != NULL) {
		put_picture(h, block, url);
		return;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].type, type) == 0) {
			kinds[i].put(h, block);
			return;
		}
	put_other(h, block);
}

static void
put_block(struct html *h, const json_t *block)
{
	const char *type = member(block, "_type");

	if (strcmp(type, "block") == 0 && *member(block, "listItem") != '\0') {
		put_item(h, block);
		return;
	}
	close_lists(h, 0);
	if (strcmp(type, "block") == 0) {
		tag(h, "<", style_of(block));
		put_children(h, block);
		tag(h, "</", style_of(block));
	} else {
		put_typed(h, block, type);
	}
}

/* Writes blocks with lists of their own, inside of a block or alone. */
static void
put_blocks(struct html *h, const json_t *blocks)
{
	struct html inner = { .out = h->out, .base = h->base, .depth = h->depth + 1 };
	const json_t *block;
	size_t i;

	json_array_foreach(blocks, i, block)
	{
		if (inner.depth > DEPTH_MAX)
			put_other(&inner, block);
		else
			put_block(&inner, block);
	}
	close_lists(&inner, 0);
	h->out = inner.out;
}

const char *
html_write(struct stet_call *call, const json_t *blocks, const char *base)
{
	struct html h = { .base = base };

	out_memory(&h.out, call);
	put_blocks(&h, blocks);
	return out_all(&h.out);
}
