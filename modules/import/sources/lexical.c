/* lexical.c - documents of Lexical, the editor of Ghost, as HTML. */
#include "sources/lexical.h"
#include "sources/markup.h"
#include <string.h>

#define DEPTH_MAX 60

/* Bits of the format of a text. */
static const struct {
	json_int_t bit;
	const char *element;
} formats[] = { { 1, "strong" }, { 2, "em" }, { 4, "s" }, { 8, "u" }, { 16, "code" } };

/* Adds the types of cards that are not known to `left`. */
static void put_nodes(FILE *, const json_t *nodes, json_t *left, int depth);

static const char *
member(const json_t *node, const char *name)
{
	const char *text = json_string_value(json_object_get(node, name));

	return text != NULL ? text : "";
}

static bool
is(const json_t *node, const char *type)
{
	return strcmp(member(node, "type"), type) == 0;
}

static void
put_span(FILE *out, const json_t *node)
{
	json_int_t format = json_integer_value(json_object_get(node, "format"));
	size_t count = sizeof(formats) / sizeof(formats[0]);

	for (size_t i = 0; i < count; i++)
		if ((format & formats[i].bit) != 0)
			(void)fprintf(out, "<%s>", formats[i].element);
	markup_text(out, member(node, "text"));
	for (size_t i = count; i-- > 0;)
		if ((format & formats[i].bit) != 0)
			(void)fprintf(out, "</%s>", formats[i].element);
}

static void
put_element(FILE *out, const char *name, const json_t *node, json_t *left, int depth)
{
	(void)fprintf(out, "<%s>", name);
	put_nodes(out, json_object_get(node, "children"), left, depth);
	(void)fprintf(out, "</%s>", name);
}

static void
put_link(FILE *out, const char *url, const json_t *node, json_t *left, int depth)
{
	(void)fputs("<a", out);
	markup_attribute(out, "href", url);
	(void)fputc('>', out);
	if (json_array_size(json_object_get(node, "children")) > 0)
		put_nodes(out, json_object_get(node, "children"), left, depth);
	else
		markup_text(out, *member(node, "title") != '\0' ? member(node, "title") : url);
	(void)fputs("</a>", out);
}

/* ---- cards ---- */

/* Texts of cards, in the order of their pages. They are HTML, except where `plain` is set. */
static const struct {
	const char *card, *member, *element;
	bool plain;
} parts[] = {
	{ "callout", "calloutEmoji", "p", true },
	{ "callout", "calloutText", "div", false },
	{ "toggle", "heading", "h4", false },
	{ "toggle", "content", "div", false },
	{ "header", "header", "h2", false },
	{ "header", "subheader", "h3", false },
	{ "signup", "header", "h2", false },
	{ "signup", "subheader", "h3", false },
	{ "signup", "disclaimer", "p", false },
	{ "product", "productTitle", "h4", false },
	{ "product", "productDescription", "div", false },
	{ "email", "html", "div", false },
	{ "email-cta", "html", "div", false },
	{ "call-to-action", "sponsorLabel", "div", false },
	{ "call-to-action", "textValue", "div", false },
	{ "audio", "title", "p", true },
	{ "file", "fileCaption", "p", true },
};

/* Pictures and buttons of cards; a button is shown if its switch is on. */
static const struct {
	const char *card, *picture, *text, *url, *enabled;
} extras[] = {
	{ "button", "", "buttonText", "buttonUrl", NULL },
	{ "header", "backgroundImageSrc", "buttonText", "buttonUrl", "buttonEnabled" },
	{ "signup", "backgroundImageSrc", "", "", NULL },
	{ "product", "productImageSrc", "productButton", "productUrl", "productButtonEnabled" },
	{ "email-cta", "", "buttonText", "buttonUrl", "showButton" },
	{ "call-to-action", "imageUrl", "buttonText", "buttonUrl", "showButton" },
};

static void
put_image(FILE *out, const char *url, const char *alt)
{
	(void)fputs("<figure><img", out);
	markup_attribute(out, "src", url);
	markup_attribute(out, "alt", alt);
	(void)fputc('>', out);
}

static void
end_figure(FILE *out, const char *caption) /* it is HTML */
{
	if (*caption != '\0')
		(void)fprintf(out, "<figcaption>%s</figcaption>", caption);
	(void)fputs("</figure>", out);
}

static void
put_button(FILE *out, const char *text, const char *url)
{
	(void)fputs("<!-- wp:buttons --><div class=\"wp-block-buttons\"><!-- wp:button -->"
		    "<div class=\"wp-block-button\"><a class=\"wp-block-button__link\"",
	    out);
	markup_attribute(out, "href", url);
	(void)fputc('>', out);
	markup_text(out, text);
	(void)fputs("</a></div><!-- /wp:button --></div><!-- /wp:buttons -->", out);
}

/* Writes the picture, the texts and the button of a card. Returns false if it is of another type.
 */
static bool
put_card(FILE *out, const json_t *node)
{
	bool found = false;

	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++)
		if (is(node, extras[i].card) && *member(node, extras[i].picture) != '\0') {
			put_image(out, member(node, extras[i].picture), "");
			end_figure(out, "");
		}
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const char *text = member(node, parts[i].member);

		if (!is(node, parts[i].card))
			continue;
		found = true;
		if (*text == '\0')
			continue;
		(void)fprintf(out, "<%s>", parts[i].element);
		if (parts[i].plain)
			markup_text(out, text);
		else
			(void)fputs(text, out);
		(void)fprintf(out, "</%s>", parts[i].element);
	}
	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		if (!is(node, extras[i].card))
			continue;
		found = true;
		if (*member(node, extras[i].text) != '\0' &&
		    (extras[i].enabled == NULL ||
			json_is_true(json_object_get(node, extras[i].enabled))))
			put_button(out, member(node, extras[i].text), member(node, extras[i].url));
	}
	return found;
}

static void
put_file(FILE *out, const json_t *node)
{
	const char *title = member(node, "fileTitle");

	(void)fputs("<!-- wp:file --><div class=\"wp-block-file\"><a", out);
	markup_attribute(out, "href", member(node, "src"));
	(void)fputc('>', out);
	markup_text(out, *title != '\0' ? title : member(node, "fileName"));
	(void)fputs("</a></div><!-- /wp:file -->", out);
}

static void
put_gallery(FILE *out, const json_t *node)
{
	const json_t *image;
	size_t i;

	json_array_foreach(json_object_get(node, "images"), i, image)
	{
		put_image(out, member(image, "src"), member(image, "alt"));
		end_figure(out, member(image, "caption"));
	}
	if (*member(node, "caption") != '\0')
		(void)fprintf(out, "<p>%s</p>", member(node, "caption"));
}

/* A link with the title of the page, and what else the card says about the page. */
static void
put_bookmark(FILE *out, const json_t *node)
{
	static const char *const names[] = { "description", "author", "publisher" };
	const json_t *about = json_object_get(node, "metadata");
	const char *url = member(node, "url"), *title = member(about, "title");

	(void)fputs("<p><a", out);
	markup_attribute(out, "href", url);
	(void)fputc('>', out);
	markup_text(out, *title != '\0'                   ? title
			 : *member(node, "title") != '\0' ? member(node, "title")
							  : url);
	(void)fputs("</a></p>", out);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (*member(about, names[i]) != '\0') {
			(void)fputs("<p>", out);
			markup_text(out, member(about, names[i]));
			(void)fputs("</p>", out);
		}
	if (*member(node, "caption") != '\0')
		(void)fprintf(out, "<p>%s</p>", member(node, "caption"));
}

/* Writes a card that has a file, or is about a page. Returns false for other types. */
static bool
put_media(FILE *out, const json_t *node)
{
	if (is(node, "image")) {
		put_image(out, member(node, "src"), member(node, "alt"));
		end_figure(out, member(node, "caption"));
	} else if (is(node, "video") || is(node, "audio")) {
		(void)fprintf(out, "<figure><%s controls", member(node, "type"));
		markup_attribute(out, "src", member(node, "src"));
		(void)fprintf(out, "></%s>", member(node, "type"));
		end_figure(out, member(node, "caption"));
	} else if (is(node, "file"))
		put_file(out, node);
	else if (is(node, "gallery"))
		put_gallery(out, node);
	else if (is(node, "bookmark"))
		put_bookmark(out, node);
	else
		return false;
	return true;
}

static void
put_code(FILE *out, const char *text)
{
	(void)fputs("<pre><code>", out);
	markup_text(out, text);
	(void)fputs("</code></pre>", out);
}

/* Writes a node that is not just an element around its children. Returns false for other types. */
static bool
put_leaf(FILE *out, const json_t *node, json_t *left, int depth)
{
	if (is(node, "text") || is(node, "extended-text"))
		put_span(out, node);
	else if (is(node, "linebreak"))
		(void)fputs("<br>", out);
	else if (is(node, "horizontalrule"))
		(void)fputs("<hr>", out);
	else if (is(node, "html") || is(node, "embed"))
		(void)fputs(member(node, "html"), out);
	else if (is(node, "codeblock") || is(node, "markdown"))
		put_code(out, member(node, is(node, "markdown") ? "markdown" : "code"));
	else if (is(node, "link"))
		put_link(out, member(node, "url"), node, left, depth);
	else
		return is(node, "tab");
	return true;
}

static const char *
element_of(const json_t *node)
{
	const char *tag = member(node, "tag");

	if (is(node, "paragraph"))
		return "p";
	if (is(node, "quote") || is(node, "extended-quote") || is(node, "aside"))
		return "blockquote";
	if (is(node, "list"))
		return strcmp(tag, "ol") == 0 ? "ol" : "ul";
	if (is(node, "listitem"))
		return "li";
	if (is(node, "heading") || is(node, "extended-heading"))
		return strlen(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' ? tag
											   : "h2";
	return NULL;
}

static void
put_nodes(FILE *out, const json_t *nodes, json_t *left, int depth)
{
	const json_t *node;
	size_t i;

	if (depth == DEPTH_MAX)
		return;
	json_array_foreach(nodes, i, node)
	{
		const char *element = element_of(node);

		if (element != NULL)
			put_element(out, element, node, left, depth + 1);
		else if (put_media(out, node))
			(void)put_card(out, node); /* the other texts of files and recordings */
		else if (put_card(out, node) || put_leaf(out, node, left, depth + 1))
			continue;
		/* A node with children is more than a card: its texts are kept. */
		else if (json_object_get(node, "children") != NULL)
			put_nodes(out, json_object_get(node, "children"), left, depth + 1);
		else if (*member(node, "type") != '\0')
			(void)json_object_set_new(left, member(node, "type"), json_true());
	}
}

const char *
lexical_html(struct stet_call *call, const char *json, json_t *left)
{
	json_t *document = stet_json_own(call, json_loads(json, 0, NULL));
	char *text;
	size_t len;
	FILE *out = markup_begin(&text, &len);

	put_nodes(out, json_object_get(json_object_get(document, "root"), "children"), left, 0);
	return markup_end(call, out, &text);
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
