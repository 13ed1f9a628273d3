/*
 * cards.c - the cards of Ghost's editors as HTML and as blocks of posts, which the module html
 * reads. Ghost has two formats of texts, with the same cards in both.
 */
#include "sources/cards.h"
#include "read/text.h"
#include "sources/dialect.h"
#include "sources/markup.h"
#include "sources/sources.h"
#include <stet/content.h>
#include <stet/portabletext.h>
#include <string.h>

#define MARKDOWN_MAX 262144 /* bytes of a card of Markdown; a longer one is code */

bool
is_node(const json_t *node, const char *type)
{
	return strcmp(text_in(node, "type"), type) == 0;
}

/* ---- blocks ---- */

/* Writes blocks so that they are read back as they are. Takes the reference. */
static void
put_blocks(struct cards *c, json_t *blocks)
{
	const struct stet_html_1 *html = stet_service(c->call, STET_HTML_1);

	(void)fputs(html->write(c->call, stet_json_own(c->call, blocks), NULL, 0), c->out);
}

/* Reads HTML as blocks, and notes what they lack. */
static json_t *
blocks_of(struct cards *c, const char *text)
{
	return source_blocks(c->call, text, strlen(text), c->lost);
}

/* ---- pictures, texts, buttons ---- */

/* Texts of cards, in the order of their pages. They are HTML, except where `plain` is set. */
static const struct {
	const char *card, *member, *element;
	bool plain;
} parts[] = {
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
put_image(FILE *out, const char *url, const char *alt, const char *link)
{
	(void)fputs("<figure>", out);
	if (*link != '\0') {
		(void)fputs("<a", out);
		markup_attribute(out, "href", link);
		(void)fputc('>', out);
	}
	(void)fputs("<img", out);
	markup_attribute(out, "src", url);
	markup_attribute(out, "alt", alt);
	(void)fprintf(out, ">%s", *link != '\0' ? "</a>" : "");
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

/* Returns true if a card is of one of the types in the two tables. */
static bool
has_parts(const json_t *node)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (is_node(node, parts[i].card))
			return true;
	return is_node(node, "button");
}

static void
put_pictures(FILE *out, const json_t *node)
{
	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++)
		if (is_node(node, extras[i].card) && *text_in(node, extras[i].picture) != '\0') {
			put_image(out, text_in(node, extras[i].picture), "", "");
			end_figure(out, "");
		}
}

static void
put_texts(FILE *out, const json_t *node)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const char *text = text_in(node, parts[i].member);

		if (!is_node(node, parts[i].card) || *text == '\0')
			continue;
		(void)fprintf(out, "<%s>", parts[i].element);
		if (parts[i].plain)
			markup_text(out, text);
		else
			(void)fputs(text, out);
		(void)fprintf(out, "</%s>", parts[i].element);
	}
}

static void
put_buttons(FILE *out, const json_t *node)
{
	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		if (is_node(node, extras[i].card) && *text_in(node, extras[i].text) != '\0' &&
		    (extras[i].enabled == NULL ||
			json_is_true(json_object_get(node, extras[i].enabled))))
			put_button(
			    out, text_in(node, extras[i].text), text_in(node, extras[i].url));
	}
}

/* Stars of a product, from none to five. */
static void
put_rating(FILE *out, const json_t *node)
{
	json_int_t stars = json_integer_value(json_object_get(node, "productStarRating"));

	if (!is_node(node, "product") ||
	    !json_is_true(json_object_get(node, "productRatingEnabled")))
		return;
	(void)fputs("<p>", out);
	for (json_int_t i = 0; i < 5; i++)
		(void)fputs(i < stars ? "\xe2\x98\x85" : "\xe2\x98\x86", out);
	(void)fputs("</p>", out);
}

static void
put_parts(FILE *out, const json_t *node)
{
	put_pictures(out, node);
	put_texts(out, node);
	put_rating(out, node);
	put_buttons(out, node);
}

/* ---- files and pages ---- */

static void
put_file(FILE *out, const json_t *node)
{
	const char *title = text_in(node, "fileTitle");

	(void)fputs("<!-- wp:file --><div class=\"wp-block-file\"><a", out);
	markup_attribute(out, "href", text_in(node, "src"));
	(void)fputc('>', out);
	markup_text(out, *title != '\0' ? title : text_in(node, "fileName"));
	(void)fputs("</a></div><!-- /wp:file -->", out);
}

static void
put_gallery(FILE *out, const json_t *node)
{
	const json_t *image;
	size_t i;

	(void)fputs(
	    "<!-- wp:gallery --><figure class=\"wp-block-gallery has-nested-images\">", out);
	json_array_foreach(json_object_get(node, "images"), i, image)
	{
		(void)fputs("<!-- wp:image -->", out);
		put_image(
		    out, text_in(image, "src"), text_in(image, "alt"), text_in(image, "href"));
		end_figure(out, text_in(image, "caption"));
		(void)fputs("<!-- /wp:image -->", out);
	}
	end_figure(out, text_in(node, "caption"));
	(void)fputs("<!-- /wp:gallery -->", out);
}

/* A link with the title of the page, and what else the card says about the page. */
static void
put_bookmark(FILE *out, const json_t *node)
{
	static const char *const names[] = { "description", "author", "publisher" };
	const json_t *about = json_object_get(node, "metadata");
	const char *url = text_in(node, "url"), *title = text_in(about, "title");

	if (*text_in(about, "thumbnail") != '\0') {
		put_image(out, text_in(about, "thumbnail"), "", "");
		end_figure(out, "");
	}
	(void)fputs("<p><a", out);
	markup_attribute(out, "href", url);
	(void)fputc('>', out);
	markup_text(out, *title != '\0'                    ? title
			 : *text_in(node, "title") != '\0' ? text_in(node, "title")
							   : url);
	(void)fputs("</a></p>", out);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (*text_in(about, names[i]) != '\0') {
			(void)fputs("<p>", out);
			markup_text(out, text_in(about, names[i]));
			(void)fputs("</p>", out);
		}
	if (*text_in(node, "caption") != '\0')
		(void)fprintf(out, "<p>%s</p>", text_in(node, "caption"));
}

/* Writes a card that has a file. Returns false for other types. */
static bool
put_media(FILE *out, const json_t *node)
{
	if (is_node(node, "image")) {
		put_image(out, text_in(node, "src"), text_in(node, "alt"), text_in(node, "href"));
		end_figure(out, text_in(node, "caption"));
	} else if (is_node(node, "video") || is_node(node, "audio")) {
		(void)fprintf(out, "<figure><%s controls", text_in(node, "type"));
		markup_attribute(out, "src", text_in(node, "src"));
		(void)fprintf(out, "></%s>", text_in(node, "type"));
		end_figure(out, text_in(node, "caption"));
	} else if (is_node(node, "file"))
		put_file(out, node);
	else if (is_node(node, "gallery"))
		put_gallery(out, node);
	else
		return false;
	return true;
}

/* ---- texts of other kinds ---- */

static void
put_code(FILE *out, const json_t *node, const char *text)
{
	(void)fputs("<pre><code class=\"language-", out);
	markup_text(out, text_in(node, "language"));
	(void)fputs("\">", out);
	markup_text(out, text);
	(void)fputs("</code></pre>", out);
	if (*text_in(node, "caption") != '\0')
		(void)fprintf(out, "<p>%s</p>", text_in(node, "caption"));
}

/* The kind of a callout is the colour of its card. */
static const char *
kind_of(const json_t *node)
{
	static const char *const kinds[][2] = { { "green", "tip" }, { "yellow", "warning" },
		{ "red", "danger" } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(text_in(node, "backgroundColor"), kinds[i][0]) == 0)
			return kinds[i][1];
	return "note";
}

static void
put_callout(struct cards *c, const json_t *node)
{
	const char *emoji = text_in(node, "calloutEmoji");

	put_blocks(c, json_pack("[{ss ss ss* so}]", "_type", "callout", "kind", kind_of(node),
			  "title", *emoji != '\0' ? emoji : NULL, "content",
			  blocks_of(c, text_in(node, "calloutText"))));
}

/* Gives pictures their address as an id, as those of HTML have it: then the file is found. */
static void
name_pictures(json_t *value)
{
	const char *type = json_string_value(json_object_get(value, "_type")), *name;
	json_t *asset = json_object_get(value, "asset"), *child;
	size_t i;

	json_array_foreach(value, i, child) name_pictures(child);
	if (type != NULL && strcmp(type, "image") == 0 && json_object_get(asset, "url") != NULL) {
		(void)json_object_set_new(asset, "_type", json_string("reference"));
		(void)json_object_set(asset, "_ref", json_object_get(asset, "url"));
	} else
		json_object_foreach(value, name, child) name_pictures(child);
}

/* Reads Markdown; what cannot be read as such is code. */
static void
put_markdown(struct cards *c, const json_t *node)
{
	const struct stet_content_1 *content = stet_service(c->call, STET_CONTENT_1);
	struct dialect dialect = {
		.call = c->call, .kept = stet_json_own(c->call, json_object()), .lost = c->lost
	};
	const char *text = text_in(node, "markdown");
	json_t *blocks = NULL;

	if (strlen(text) <= MARKDOWN_MAX)
		blocks = content->blocks_foreign(
		    c->call, "markdown", dialect_read(&dialect, text), c->lost);
	if (stet_issues(c->call) != STET_OK) {
		stet_error_clear(c->call);
		blocks = NULL;
	}
	if (blocks != NULL) {
		blocks = json_deep_copy(blocks);
		name_pictures(blocks);
		put_blocks(c, blocks);
	} else
		put_code(c->out, node, text);
}

static void
put_embed(FILE *out, const json_t *node)
{
	(void)fputs(text_in(node, "html"), out);
	if (*text_in(node, "html") == '\0' && *text_in(node, "url") != '\0') {
		(void)fputs("<p><a", out);
		markup_attribute(out, "href", text_in(node, "url"));
		(void)fputc('>', out);
		markup_text(out, text_in(node, "url"));
		(void)fputs("</a></p>", out);
	}
	if (*text_in(node, "caption") != '\0')
		(void)fprintf(out, "<p>%s</p>", text_in(node, "caption"));
}

/* Writes a card that is one text. Returns false for other types. */
static bool
put_text(struct cards *c, const json_t *node)
{
	if (is_node(node, "callout"))
		put_callout(c, node);
	else if (is_node(node, "markdown"))
		put_markdown(c, node);
	else if (is_node(node, "codeblock"))
		put_code(c->out, node, text_in(node, "code"));
	else if (is_node(node, "html"))
		(void)fputs(text_in(node, "html"), c->out);
	else if (is_node(node, "embed"))
		put_embed(c->out, node);
	else if (is_node(node, "horizontalrule"))
		(void)fputs("<hr>", c->out);
	else if (is_node(node, "paywall")) /* what stands above it is the preview */
		(void)fputs("<!--more-->", c->out);
	else
		return false;
	return true;
}

/* Writes the parts of a card as a group, so that they stay together. */
static void
put_group(struct cards *c, const json_t *node, void (*fn)(FILE *, const json_t *))
{
	const char *inner;
	char *text;
	size_t len;
	FILE *out = markup_begin(&text, &len);
	json_t *blocks;

	fn(out, node);
	inner = markup_end(c->call, out, &text);
	blocks = blocks_of(c, inner);
	if (json_array_size(blocks) > 1)
		put_blocks(c, json_pack("[{ss sO}]", "_type", "group", "content", blocks));
	else
		(void)fputs(inner, c->out);
	json_decref(blocks);
}

bool
cards_put(struct cards *c, const json_t *node)
{
	bool media = put_media(c->out, node);

	if (is_node(node, "bookmark"))
		put_group(c, node, put_bookmark);
	else if (media)
		put_parts(c->out, node); /* the other texts of files and recordings */
	else if (has_parts(node))
		put_group(c, node, put_parts);
	else
		return put_text(c, node);
	return true;
}
