/* lexical.c - documents of Lexical, the editor of Ghost, as HTML. */
#include "sources/lexical.h"
#include "read/text.h"
#include "sources/cards.h"
#include "sources/markup.h"
#include <string.h>

#define DEPTH_MAX 60

/* Bits of the format of a text. */
static const struct {
	json_int_t bit;
	const char *element;
} formats[] = { { 1, "strong" }, { 2, "em" }, { 4, "s" }, { 8, "u" }, { 16, "code" }, { 32, "sub" },
	{ 64, "sup" } };

static void put_nodes(struct cards *, const json_t *nodes, int depth);

static void
put_span(FILE *out, const json_t *node)
{
	json_int_t format = json_integer_value(json_object_get(node, "format"));
	size_t count = sizeof(formats) / sizeof(formats[0]);

	for (size_t i = 0; i < count; i++)
		if ((format & formats[i].bit) != 0)
			(void)fprintf(out, "<%s>", formats[i].element);
	markup_text(out, text_in(node, "text"));
	for (size_t i = count; i-- > 0;)
		if ((format & formats[i].bit) != 0)
			(void)fprintf(out, "</%s>", formats[i].element);
}

static void
put_element(struct cards *c, const char *name, const json_t *node, int depth)
{
	(void)fprintf(c->out, "<%s>", name);
	put_nodes(c, json_object_get(node, "children"), depth);
	(void)fprintf(c->out, "</%s>", name);
}

static void
put_link(struct cards *c, const char *url, const json_t *node, int depth)
{
	(void)fputs("<a", c->out);
	markup_attribute(c->out, "href", url);
	(void)fputc('>', c->out);
	if (json_array_size(json_object_get(node, "children")) > 0)
		put_nodes(c, json_object_get(node, "children"), depth);
	else
		markup_text(c->out, *text_in(node, "title") != '\0' ? text_in(node, "title") : url);
	(void)fputs("</a>", c->out);
}

/* Writes what is in a line. Returns false for other types. */
static bool
put_inline(struct cards *c, const json_t *node, int depth)
{
	if (is_node(node, "text") || is_node(node, "extended-text") || is_node(node, "tk"))
		put_span(c->out, node);
	else if (is_node(node, "linebreak"))
		(void)fputs("<br>", c->out);
	else if (is_node(node, "tab"))
		(void)fputc('\t', c->out);
	else if (is_node(node, "link") || is_node(node, "autolink"))
		put_link(c, text_in(node, "url"), node, depth);
	else
		return false;
	return true;
}

static const char *
element_of(const json_t *node)
{
	const char *tag = text_in(node, "tag");

	if (is_node(node, "paragraph"))
		return "p";
	if (is_node(node, "quote") || is_node(node, "extended-quote") || is_node(node, "aside"))
		return "blockquote";
	if (is_node(node, "list"))
		return strcmp(tag, "ol") == 0 ? "ol" : "ul";
	if (is_node(node, "listitem"))
		return "li";
	if (is_node(node, "heading") || is_node(node, "extended-heading"))
		return strlen(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' ? tag
											   : "h2";
	return NULL;
}

static void
put_nodes(struct cards *c, const json_t *nodes, int depth)
{
	const json_t *node;
	size_t i;

	if (depth == DEPTH_MAX) {
		(void)json_object_set_new(c->left, "text below 60 levels", json_true());
		return;
	}
	json_array_foreach(nodes, i, node)
	{
		const char *element = element_of(node);

		if (element != NULL)
			put_element(c, element, node, depth + 1);
		else if (put_inline(c, node, depth + 1) || cards_put(c, node))
			continue;
		/* A node with children is more than a card: its texts are kept. */
		else if (json_object_get(node, "children") != NULL)
			put_nodes(c, json_object_get(node, "children"), depth + 1);
		else if (*text_in(node, "type") != '\0')
			(void)json_object_set_new(c->left, text_in(node, "type"), json_true());
	}
}

const char *
lexical_html(struct stet_call *call, const char *json, json_t *left, json_t *lost)
{
	json_t *document = stet_json_own(call, json_loads(json, 0, NULL));
	struct cards c = { .call = call, .left = left, .lost = lost };
	char *text;
	size_t len;

	if (!json_is_object(json_object_get(document, "root")))
		return NULL;
	c.out = markup_begin(&text, &len);
	put_nodes(&c, json_object_get(json_object_get(document, "root"), "children"), 0);
	return markup_end(call, c.out, &text);
}

const char *
lexical_plain(struct stet_call *call, const char *plain)
{
	char *text;
	size_t len;
	FILE *out = markup_begin(&text, &len);

	while (*plain != '\0') {
		const char *end = strstr(plain, "\n\n");
		size_t n = end != NULL ? (size_t)(end - plain) : strlen(plain);

		(void)fputs("<p>", out);
		markup_text(out, stet_strndup(call, plain, n));
		(void)fputs("</p>", out);
		plain += n + strspn(plain + n, "\n");
	}
	return markup_end(call, out, &text);
}
