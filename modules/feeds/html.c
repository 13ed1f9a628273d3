/*
 * html.c - Portable Text as HTML for readers of feeds: paragraphs, headings, quotations, lists,
 * links, marks, pictures, code and rules. Of any other block its plain text is shown (alt, caption
 * and text, as search indexes them). All text is escaped, and links have a scheme that is harmless
 * on a page of another site.
 */
#include "feeds.h"
#include <string.h>

#define MARKS_MAX 16 /* marks of one span */
#define LEVELS_MAX 10 /* of nested lists */

struct html {
	struct out out;
	const char *base;
	const char *list[LEVELS_MAX]; /* the elements of the open lists */
	int level;
};

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
		{ "sup", "sup" }, { "sub", "sub" } };

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
put_children(struct html *h, const json_t *block)
{
	const json_t *definitions = json_object_get(block, "markDefs"), *child;
	size_t i;

	json_array_foreach(json_object_get(block, "children"), i, child)
	    put_span(h, child, definitions);
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

static void
put_item(struct html *h, const json_t *block)
{
	const char *kind = strcmp(member(block, "listItem"), "number") == 0 ? "ol" : "ul";
	json_int_t level = json_integer_value(json_object_get(block, "level"));
	int wanted = level < 1 ? 1 : level > LEVELS_MAX ? LEVELS_MAX : (int)level;

	close_lists(h, wanted);
	if (h->level == wanted && strcmp(h->list[wanted - 1], kind) != 0)
		close_lists(h, wanted - 1);
	else if (h->level == wanted)
		out_raw(&h->out, "</li>");
	while (h->level < wanted) {
		tag(h, "<", kind);
		h->list[h->level++] = kind;
		if (h->level < wanted)
			out_raw(&h->out, "<li>");
	}
	out_raw(&h->out, "<li>");
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

static const char *
picture(const struct html *h, const json_t *block)
{
	const json_t *asset = json_object_get(block, "asset");
	const char *url = member(block, "url");

	if (*url == '\0')
		url = *member(asset, "url") != '\0' ? member(asset, "url") : member(block, "src");
	return *url != '\0' ? address(h, url) : NULL;
}

static void
put_picture(struct html *h, const json_t *block, const char *url)
{
	out_raw(&h->out, "<figure><img");
	attribute(h, "src", url);
	attribute(h, "alt", member(block, "alt"));
	out_raw(&h->out, ">");
	if (*member(block, "caption") != '\0') {
		out_raw(&h->out, "<figcaption>");
		put_text(h, member(block, "caption"));
		out_raw(&h->out, "</figcaption>");
	}
	out_raw(&h->out, "</figure>");
}

/* Writes any other block as its text, a paragraph for each line. */
static void
put_other(struct html *h, const json_t *block)
{
	const json_t *one = stet_json_own(h->out.call, json_pack("[O]", block));
	const char *text = stet_value_text(h->out.call, one);

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
put_block(struct html *h, const json_t *block)
{
	const char *type = member(block, "_type"), *url;

	if (strcmp(type, "block") == 0 && *member(block, "listItem") != '\0') {
		put_item(h, block);
		return;
	}
	close_lists(h, 0);
	if (strcmp(type, "block") == 0) {
		tag(h, "<", style_of(block));
		put_children(h, block);
		tag(h, "</", style_of(block));
	} else if (strcmp(type, "code") == 0) {
		out_raw(&h->out, "<pre><code>");
		out_text(&h->out, member(block, "code"));
		out_raw(&h->out, "</code></pre>");
	} else if (strcmp(type, "break") == 0) {
		out_raw(&h->out, "<hr>");
	} else if (strcmp(type, "image") == 0 && (url = picture(h, block)) != NULL) {
		put_picture(h, block, url);
	} else {
		put_other(h, block);
	}
}

const char *
html_write(struct stet_call *call, const json_t *blocks, const char *base)
{
	struct html h = { .base = base };
	const json_t *block;
	size_t i;

	out_memory(&h.out, call);
	json_array_foreach(blocks, i, block) put_block(&h, block);
	close_lists(&h, 0);
	return out_all(&h.out);
}
