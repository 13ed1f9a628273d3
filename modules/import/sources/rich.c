/*
 * rich.c - rich texts of Contentful and Strapi as HTML. Both are trees of nodes: Contentful has
 * `nodeType`, `content` and lists of marks, Strapi `type`, `children` and members like `bold`.
 */
#include "sources/rich.h"
#include "sources/markup.h"
#include <string.h>

#define DEPTH_MAX 60

static const char *const marks[][2] = { { "bold", "strong" }, { "italic", "em" },
	{ "underline", "u" }, { "code", "code" }, { "superscript", "sup" }, { "subscript", "sub" },
	{ "strikethrough", "s" } };
#define MARKS (sizeof(marks) / sizeof(marks[0]))
static const char *const elements[][2] = { { "paragraph", "p" }, { "heading-1", "h1" },
	{ "heading-2", "h2" }, { "heading-3", "h3" }, { "heading-4", "h4" }, { "heading-5", "h5" },
	{ "heading-6", "h6" }, { "ordered-list", "ol" }, { "unordered-list", "ul" },
	{ "list-item", "li" }, { "blockquote", "blockquote" }, { "quote", "blockquote" },
	{ "code", "pre" }, { "table", "table" }, { "table-row", "tr" }, { "table-cell", "td" },
	{ "table-header-cell", "th" } };

struct writing {
	FILE *out;
	struct rich *rich;
};

static void put_nodes(const struct writing *, const json_t *nodes, int depth);

static const char *
member(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

static const char *
look_up(const char *const (*table)[2], size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(table[i][0], name) == 0)
			return table[i][1];
	return NULL;
}
#define LOOK_UP(table, name) look_up(table, sizeof(table) / sizeof((table)[0]), name)

/* Is this mark set, as a member or in the list `marks`? */
static bool
has_mark(const json_t *node, const char *name)
{
	const json_t *mark;
	size_t i;

	json_array_foreach(json_object_get(node, "marks"), i, mark)
	{
		if (strcmp(member(mark, "type"), name) == 0)
			return true;
	}
	return json_is_true(json_object_get(node, name));
}

static void
put_span(FILE *out, const json_t *node)
{
	for (size_t i = 0; i < MARKS; i++)
		if (has_mark(node, marks[i][0]))
			(void)fprintf(out, "<%s>", marks[i][1]);
	markup_text(out, member(node, "value"));
	markup_text(out, member(node, "text"));
	for (size_t i = MARKS; i-- > 0;)
		if (has_mark(node, marks[i][0]))
			(void)fprintf(out, "</%s>", marks[i][1]);
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
	json_int_t level = json_integer_value(json_object_get(node, "level"));

	if (strcmp(type, "heading") == 0)
		return headings[level >= 1 && level <= 6 ? level - 1 : 1];
	if (strcmp(type, "list") == 0)
		return strcmp(member(node, "format"), "ordered") == 0 ? "ol" : "ul";
	return LOOK_UP(elements, type);
}

static const char *
asset_of(const struct writing *w, const json_t *node, const char **alt)
{
	const json_t *target = json_object_get(json_object_get(node, "data"), "target"),
		     *image = json_object_get(node, "image");

	if (image != NULL)
		*alt = member(image, "alternativeText");
	if (image != NULL)
		return w->rich->asset(w->rich->arg, member(image, "url"), alt);
	return w->rich->asset(w->rich->arg, member(json_object_get(target, "sys"), "id"), alt);
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

/* A link to an asset or to an address. Where that is not known, its words remain. */
static void
put_link(const struct writing *w, const json_t *node, const char *type, int depth)
{
	const char *alt = "", *url = member(json_object_get(node, "data"), "uri");

	if (strcmp(type, "link") == 0)
		url = member(node, "url");
	else if (strcmp(type, "asset-hyperlink") == 0)
		url = asset_of(w, node, &alt);
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

static void
put_node(const struct writing *w, const json_t *node, int depth)
{
	const char *contentful = member(node, "nodeType");
	const char *type = *contentful != '\0' ? contentful : member(node, "type");
	const char *element = element_of(node, type);

	if (strcmp(type, "text") == 0)
		put_span(w->out, node);
	else if (strcmp(type, "hr") == 0)
		(void)fputs("<hr>", w->out);
	else if (strcmp(type, "embedded-asset-block") == 0 || strcmp(type, "image") == 0)
		put_picture(w, node);
	else if (strstr(type, "hyperlink") != NULL || strcmp(type, "link") == 0)
		put_link(w, node, type, depth);
	else {
		w->rich->left += strncmp(type, "embedded-", 9) == 0;
		if (element != NULL)
			(void)fprintf(w->out, "<%s>", element);
		put_nodes(w, inside(node), depth);
		if (element != NULL)
			(void)fprintf(w->out, "</%s>", element);
	}
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
	put_nodes(&w, json_is_array(document) ? document : inside(document), 0);
	return markup_end(call, w.out, &text);
}
