/*
 * rich.c - rich texts of Contentful, Strapi and Payload as HTML. All are trees of nodes: Contentful
 * has `nodeType`, `content` and lists of marks, Strapi `type`, `children` and members like `bold`,
 * Payload the same nodes as Lexical, with marks as bits of `format`.
 */
#include "sources/rich.h"
#include "read/text.h"
#include "sources/markup.h"
#include <string.h>

#define DEPTH_MAX 60

static const struct {
	const char *name, *element;
	json_int_t bit; /* of Lexical */
} marks[] = { { "bold", "strong", 1 }, { "italic", "em", 2 }, { "underline", "u", 8 },
	{ "code", "code", 16 }, { "superscript", "sup", 64 }, { "subscript", "sub", 32 },
	{ "strikethrough", "s", 4 } };
#define MARKS (sizeof(marks) / sizeof(marks[0]))
static const char *const elements[][2] = { { "paragraph", "p" }, { "heading-1", "h1" },
	{ "heading-2", "h2" }, { "heading-3", "h3" }, { "heading-4", "h4" }, { "heading-5", "h5" },
	{ "heading-6", "h6" }, { "ordered-list", "ol" }, { "unordered-list", "ul" },
	{ "list-item", "li" }, { "blockquote", "blockquote" }, { "quote", "blockquote" },
	{ "listitem", "li" }, { "code", "pre" }, { "table", "table" }, { "table-row", "tr" },
	{ "table-cell", "td" }, { "table-header-cell", "th" }, { "tablerow", "tr" } };

struct writing {
	FILE *out;
	struct rich *rich;
};

static void put_node(const struct writing *, const json_t *node, int depth);
static void put_nodes(const struct writing *, const json_t *nodes, int depth);

static const char *
look_up(const char *const (*table)[2], size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(table[i][0], name) == 0)
			return table[i][1];
	return NULL;
}
#define LOOK_UP(table, name) look_up(table, sizeof(table) / sizeof((table)[0]), name)

/* Is this mark set, as a bit, as a member, or in the list `marks`? */
static bool
has_mark(const json_t *node, size_t i)
{
	json_int_t format = json_integer_value(json_object_get(node, "format"));
	const json_t *mark;
	size_t k;

	json_array_foreach(json_object_get(node, "marks"), k, mark)
	{
		if (strcmp(text_in(mark, "type"), marks[i].name) == 0)
			return true;
	}
	return (format & marks[i].bit) != 0 || json_is_true(json_object_get(node, marks[i].name));
}

static void
put_span(FILE *out, const json_t *node)
{
	for (size_t i = 0; i < MARKS; i++)
		if (has_mark(node, i))
			(void)fprintf(out, "<%s>", marks[i].element);
	markup_text(out, text_in(node, "value"));
	markup_text(out, text_in(node, "text"));
	for (size_t i = MARKS; i-- > 0;)
		if (has_mark(node, i))
			(void)fprintf(out, "</%s>", marks[i].element);
}

static const json_t *
inside(const json_t *node)
{
	const json_t *content = json_object_get(node, "content");

	return content != NULL ? content : json_object_get(node, "children");
}

static const char *
element_of(const json_t *node, const char *type)
{
	static const char *const headings[] = { "h1", "h2", "h3", "h4", "h5", "h6" };
	const char *tag = text_in(node, "tag");
	json_int_t level = json_integer_value(json_object_get(node, "level"));

	if (strcmp(type, "heading") == 0 && tag[0] == 'h')
		level = tag[1] - '0';
	if (strcmp(type, "heading") == 0)
		return headings[level >= 1 && level <= 6 ? level - 1 : 1];
	if (strcmp(type, "list") == 0)
		return strcmp(text_in(node, "format"), "ordered") == 0 || strcmp(tag, "ol") == 0
			   ? "ol"
			   : "ul";
	/* Of Lexical: a bit for a head of a column, and one for a head of a row. */
	if (strcmp(type, "tablecell") == 0)
		return json_integer_value(json_object_get(node, "headerState")) > 0 ? "th" : "td";
	return LOOK_UP(elements, type);
}

static const char *
asset_of(const struct writing *w, const json_t *node, const char **alt)
{
	const json_t *target = json_object_get(json_object_get(node, "data"), "target"),
		     *image = json_object_get(node, "image");

	if (image != NULL)
		*alt = text_in(image, "alternativeText");
	if (image != NULL)
		return w->rich->asset(w->rich->arg, text_in(image, "url"), alt);
	if (w->rich->upload != NULL)
		return w->rich->upload(w->rich->arg, node, alt);
	return w->rich->asset(w->rich->arg, text_in(json_object_get(target, "sys"), "id"), alt);
}

static void
put_picture(const struct writing *w, const json_t *node)
{
	const char *alt = "", *url = asset_of(w, node, &alt);

	if (url == NULL) {
		w->rich->left++;
		return;
	}
	(void)fputs("<figure><img", w->out);
	markup_attribute(w->out, "src", url);
	markup_attribute(w->out, "alt", alt);
	(void)fputs("></figure>", w->out);
}

static bool
is_link(const char *type)
{
	return strcmp(type, "link") == 0 || strcmp(type, "autolink") == 0;
}

/* Nodes that show what is not in the text. */
static bool
is_embedded(const char *type)
{
	static const char *const kinds[] = { "block", "inlineBlock", "relationship" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(type, kinds[i]) == 0)
			return true;
	return strncmp(type, "embedded-", 9) == 0;
}

static bool
is_picture(const char *type)
{
	return strcmp(type, "embedded-asset-block") == 0 || strcmp(type, "image") == 0 ||
	       strcmp(type, "upload") == 0;
}

/* Returns the address of the document to which a link leads; NULL: it is unknown, or none. */
static const char *
item_of(const struct writing *w, const json_t *node)
{
	const json_t *fields = json_object_get(node, "fields"), *target;

	target = json_object_get(fields != NULL ? fields : node, "doc"); /* of Payload */
	if (target == NULL)
		target = json_object_get(json_object_get(node, "data"), "target");
	return target != NULL && w->rich->item != NULL ? w->rich->item(w->rich->arg, target) : NULL;
}

/* A link to an asset, a document or an address. Where that is not known, its words remain. */
static void
put_link(const struct writing *w, const json_t *node, const char *type, int depth)
{
	const char *alt = "", *url = text_in(json_object_get(node, "data"), "uri");

	if (is_link(type))
		url = text_in(json_object_get(node, "fields") != NULL
				  ? json_object_get(node, "fields")
				  : node,
		    "url");
	else if (strcmp(type, "asset-hyperlink") == 0)
		url = asset_of(w, node, &alt);
	if (url == NULL || *url == '\0')
		url = item_of(w, node);
	if (url == NULL || *url == '\0') {
		w->rich->left++;
		put_nodes(w, inside(node), depth);
		return;
	}
	(void)fputs("<a", w->out);
	markup_attribute(w->out, "href", url);
	(void)fputc('>', w->out);
	put_nodes(w, inside(node), depth);
	(void)fputs("</a>", w->out);
}

/* A document or a block that the text shows. Where it is not known, its words remain. */
static void
put_embedded(const struct writing *w, const json_t *node, int depth)
{
	const char *html =
	    w->rich->embed != NULL ? w->rich->embed(w->rich->arg, node, depth == 1) : NULL;

	if (html != NULL)
		(void)fputs(html, w->out);
	else {
		w->rich->left++;
		put_nodes(w, inside(node), depth);
	}
}

/* A paragraph of the text. A text has no blocks within a line: they stand between two paragraphs.
 */
static void
put_paragraph(const struct writing *w, const json_t *node)
{
	const char *html;
	const json_t *one;
	size_t i;

	(void)fputs("<p>", w->out);
	json_array_foreach(inside(node), i, one)
	{
		html = strcmp(text_in(one, "type"), "inlineBlock") == 0 && w->rich->embed != NULL
			   ? w->rich->embed(w->rich->arg, one, true)
			   : NULL;
		if (html != NULL)
			(void)fprintf(w->out, "</p>%s<p>", html);
		else
			put_node(w, one, 2);
	}
	(void)fputs("</p>", w->out);
}

static const char *
type_of(const json_t *node)
{
	const char *contentful = text_in(node, "nodeType");

	return *contentful != '\0' ? contentful : text_in(node, "type");
}

/* Is it a row of heads of columns? */
static bool
is_head(const json_t *row)
{
	const json_t *cell;
	size_t i;

	json_array_foreach(inside(row), i, cell)
	{
		const char *element = element_of(cell, type_of(cell));

		if (element == NULL || strcmp(element, "th") != 0)
			return false;
	}
	return json_array_size(inside(row)) > 0;
}

static void
put_table(const struct writing *w, const json_t *node, int depth)
{
	const json_t *row;
	size_t i;

	(void)fputs("<table>", w->out);
	json_array_foreach(inside(node), i, row)
	{
		bool head = i == 0 && is_head(row);

		(void)fputs(head ? "<thead>" : "", w->out);
		put_node(w, row, depth + 1);
		(void)fputs(head ? "</thead>" : "", w->out);
	}
	(void)fputs("</table>", w->out);
}

/* Opens an element. Lists of Lexical have the number of their first item, items of its check lists
 * a state. */
static void
open_element(FILE *out, const json_t *node, const char *element)
{
	json_int_t start = json_integer_value(json_object_get(node, "start"));
	const json_t *checked = json_object_get(node, "checked");

	if (strcmp(element, "ol") == 0 && start > 1)
		(void)fprintf(out, "<ol start=\"%lld\">", (long long)start);
	else
		(void)fprintf(out, "<%s>", element);
	if (strcmp(element, "li") == 0 && json_is_boolean(checked))
		(void)fprintf(
		    out, "<input type=\"checkbox\"%s>", json_is_true(checked) ? " checked" : "");
}

/* Writes a node that holds others; element NULL: these alone. */
static void
put_element(const struct writing *w, const json_t *node, const char *element, int depth)
{
	if (element == NULL)
		put_nodes(w, inside(node), depth);
	else if (depth == 1 && strcmp(element, "p") == 0)
		put_paragraph(w, node);
	else if (strcmp(element, "table") == 0 && depth < DEPTH_MAX)
		put_table(w, node, depth);
	else {
		open_element(w->out, node, element);
		put_nodes(w, inside(node), depth);
		(void)fprintf(w->out, "</%s>", element);
	}
}

static void
put_node(const struct writing *w, const json_t *node, int depth)
{
	const char *type = type_of(node);

	if (strcmp(type, "text") == 0)
		put_span(w->out, node);
	else if (strcmp(type, "hr") == 0 || strcmp(type, "horizontalrule") == 0)
		(void)fputs("<hr>", w->out);
	else if (strcmp(type, "linebreak") == 0)
		(void)fputs("<br>", w->out);
	else if (is_picture(type))
		put_picture(w, node);
	else if (is_link(type) || strstr(type, "hyperlink") != NULL)
		put_link(w, node, type, depth);
	else if (is_embedded(type))
		put_embedded(w, node, depth);
	else
		put_element(w, node, element_of(node, type), depth);
}

static void
put_nodes(const struct writing *w, const json_t *nodes, int depth)
{
	const json_t *node;
	size_t i;

	w->rich->left += depth == DEPTH_MAX && json_array_size(nodes) > 0;
	if (depth == DEPTH_MAX)
		return;
	json_array_foreach(nodes, i, node) put_node(w, node, depth + 1);
}

const char *
rich_html(struct stet_call *call, const json_t *document, struct rich *rich)
{
	char *text;
	size_t len;
	const struct writing w = { markup_begin(&text, &len), rich };

	rich->left = 0;
	if (json_object_get(document, "root") != NULL)
		document = json_object_get(document, "root");
	put_nodes(&w, json_is_array(document) ? document : inside(document), 0);
	return markup_end(call, w.out, &text);
}
