/*
 * figure.c - pictures, galleries, code and pull quotes of HTML, and the captions of figures.
 */
#include "flow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- links ---- */

void
add_links(struct conv *c, json_t *block, const GumboNode *node)
{
	const GumboVector *children = node_children(node);
	const char *href = node_is(node, "a") ? node_attribute(node, "href") : NULL;
	json_t *link;

	if (href != NULL && stet_is_link(href) && node_find(node, "img") == NULL) {
		if (json_object_get(block, "links") == NULL)
			(void)json_object_set_new(block, "links", json_array());
		link = conv_new(c, "link");
		set_text(link, "href", href);
		(void)json_array_append_new(json_object_get(block, "links"), link);
	}
	for (unsigned i = 0; i < children->length; i++)
		add_links(c, block, children->data[i]);
}

/* Appends the pictures and players below a node. The caller takes the text. */
static void
add_media(struct flow *f, const GumboNode *node)
{
	const GumboVector *children = node_children(node);
	const char *around = f->href, *href = node_attribute(node, "href");

	if (node_is(node, "a") && href != NULL)
		f->href = stet_is_link(href) ? href : NULL;
	for (unsigned i = 0; i < children->length; i++)
		add_media(f, children->data[i]);
	f->href = around;
	if (node_is(node, "img"))
		flow_image(f, node);
	else if (is_player(node))
		flow_media(f, node);
}

/* ---- pictures ---- */

void
set_asset(struct conv *c, json_t *image, int64_t id, const char *url)
{
	const char *here = NULL;
	json_t *asset, *address;
	size_t len;

	url = address_trim(url != NULL ? url : "", &len);
	address = json_bytes(url, len);
	if (id > 0 && c->rules != NULL && c->rules->media != NULL)
		here = c->rules->media(c->rules->arg, id);
	asset = json_pack("{ss}", "_type", "reference");
	if (here != NULL)
		set_text(asset, "_ref", here);
	else if (id > 0)
		(void)json_object_set_new(asset, "_ref", json_sprintf("%lld", (long long)id));
	else if (len > 0)
		(void)json_object_set(asset, "_ref", address);
	if (len > 0)
		(void)json_object_set(asset, "url", address);
	json_decref(address);
	(void)json_object_set_new(image, "asset", asset);
}

/* Returns the number that follows a word in an attribute (wp-image-12), or 0. */
static int64_t
number_in(const char *text, const char *word)
{
	const char *found = text != NULL ? strstr(text, word) : NULL;
	int64_t n = found != NULL ? strtoll(found + strlen(word), NULL, 10) : 0;

	return n > 0 ? n : 0;
}

static int64_t
image_id(const GumboNode *node)
{
	int64_t id = number_in(node_attribute(node, "class"), "wp-image-");

	return id > 0 ? id : number_in(node_attribute(node, "data-id"), "");
}

static void
set_alignment(json_t *image, const GumboNode *node)
{
	static const char *const classes[] = { "alignleft", "aligncenter", "alignright",
		"alignwide", "alignfull" };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (node_has_class(node, classes[i]))
			set_text(image, "alignment", classes[i] + 5);
}

void
flow_image(struct flow *f, const GumboNode *node)
{
	const char *src = node_picture(node), *alt = node_attribute(node, "alt");
	bool named = src != NULL && *src != '\0'; /* else only its number may be known */
	json_t *image;

	if (named ? strncasecmp(src, "javascript:", 11) == 0 : image_id(node) == 0)
		return;
	flow_part(f);
	image = conv_new(f->c, "image");
	set_asset(f->c, image, image_id(node), src);
	if (alt != NULL)
		(void)json_object_set_new(image, "alt", json_bytes(alt, strlen(alt)));
	set_alignment(image, node);
	if (f->href != NULL)
		(void)json_object_set_new(image, "link", json_bytes(f->href, strlen(f->href)));
	(void)json_array_append_new(f->to, image);
}

/* ---- figures ---- */

static bool
takes_caption(const json_t *block)
{
	static const char types[] =
	    " image embed table gallery code pullquote file htmlBlock columns ";
	const char *type = member_text(block, "_type");

	return name_in(types, type, strlen(type)) && json_object_get(block, "caption") == NULL;
}

static void
give_caption(struct flow *f, const GumboNode *node)
{
	json_t *block = last_of(f->to), *text;

	add_media(f, node);
	if (json_array_size(f->to) <= f->own || !takes_caption(block)) {
		struct style around = f->style;

		flow_break(f);
		f->style = (struct style){ .name = "normal" };
		flow_children(f, node);
		flow_break(f);
		f->style = around;
		return;
	}
	text = text_of(node, false);
	if (text == NULL)
		return;
	(void)json_object_set_new(block, "caption", text);
	add_links(f->c, block, node);
}

/* Returns true if the caption belongs to a gallery: then put_gallery stores it. */
static bool
is_for_gallery(const struct flow *f, const GumboNode *figure, const GumboNode *caption)
{
	return f->gallery && (node_has_class(figure, "wp-block-gallery") ||
				 node_has_class(caption, "blocks-gallery-caption"));
}

/* The shortcode [caption] has no element for the caption: it is all text beside the picture. */
static void
flow_captioned(struct flow *f, const GumboNode *node)
{
	size_t before = json_array_size(f->to);
	json_t *block, *text;

	add_media(f, node);
	if (json_array_size(f->to) == before) { /* it has no picture */
		flow_break(f);
		flow_children(f, node);
		flow_break(f);
		return;
	}
	block = last_of(f->to);
	text = text_of(node, false);
	if (text == NULL)
		return;
	(void)json_object_set_new(block, "caption", text);
	add_links(f->c, block, node);
	set_alignment(block, node);
}

static void
caption_of(struct flow *f, const GumboNode *figure, const GumboNode *caption)
{
	if (is_for_gallery(f, figure, caption) && !node_find(caption, "a"))
		node_write(caption, &f->caption);
	else
		give_caption(f, caption);
}

void
flow_figure(struct flow *f, const GumboNode *node)
{
	const GumboVector *children = node_children(node);
	size_t own = f->own;
	json_t *block;

	flow_break(f);
	if (f->skip == NULL)
		f->own = json_array_size(f->to);
	if (node_has_class(node, "stet-caption") && node_find(node, "img") != NULL) {
		flow_captioned(f, node);
		f->own = own;
		return;
	}
	for (unsigned i = 0; i < children->length; i++)
		if (!node_is(children->data[i], "figcaption"))
			flow_node(f, children->data[i]);
	flow_break(f);
	block = last_of(f->to);
	if (json_array_size(f->to) > f->own && is_type(block, "image"))
		set_alignment(block, node);
	for (unsigned i = 0; i < children->length; i++)
		if (node_is(children->data[i], "figcaption"))
			caption_of(f, node, children->data[i]);
	f->own = own;
}

/* ---- galleries ---- */

/* [gallery ids="1,2"]: pictures of which only the ids at the source are known. With link="file", or
 * the name of a kind of page, a picture leads to the address that its number has in WordPress. */
void
flow_gallery(struct flow *f, const GumboNode *node)
{
	const char *ids = node_attribute(node, "ids"), *columns = node_attribute(node, "columns");
	const char *link = node_attribute(node, "link");
	json_t *gallery, *images, *image;

	flow_break(f);
	if (ids == NULL)
		return;
	gallery = conv_new(f->c, "gallery");
	images = json_array();
	while (*(ids += strcspn(ids, "0123456789")) != '\0') {
		char *end;
		long long id = strtoll(ids, &end, 10);

		image = conv_new(f->c, "image");
		set_asset(f->c, image, id, NULL);
		if (link != NULL && strcmp(link, "none") != 0)
			(void)json_object_set_new(
			    image, "link", json_sprintf(STET_HTML_ATTACHMENT "%lld", id));
		(void)json_array_append_new(images, image);
		ids = end;
	}
	(void)json_object_set_new(gallery, "images", images);
	if (number_in(columns, "") > 0)
		(void)json_object_set_new(gallery, "columns", json_integer(number_in(columns, "")));
	(void)json_array_append_new(f->to, gallery);
}

/* ---- code and quotes ---- */

void
flow_code(struct flow *f, const GumboNode *node, const char *language)
{
	const GumboNode *inner = node_find(node, "code");
	const char *class = inner != NULL ? node_attribute(inner, "class") : NULL;
	json_t *text = text_of(node, true), *code;
	char name[32] = "";

	flow_break(f);
	add_media(f, node);
	if (text == NULL)
		return;
	if (node_has_class(node, "wp-block-verse"))
		language = "text";
	if (language == NULL && class != NULL && strncmp(class, "language-", 9) == 0)
		(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(class + 9, " "), class + 9);
	code = conv_new(f->c, "code");
	(void)json_object_set_new(code, "code", text);
	set_text(code, "language", language != NULL ? language : name);
	add_links(f->c, code, node);
	(void)json_array_append_new(f->to, code);
}

/* Writes the text of a node to `out`, but that of elements with this name to `apart`. */
static void
write_apart(const GumboNode *node, const char *name, struct text *out, struct text *apart)
{
	const GumboVector *children = node_children(node);

	for (unsigned i = 0; i < children->length; i++) {
		const GumboNode *child = children->data[i];

		if (node_is(child, name)) {
			text_str(apart, " ");
			node_write(child, apart);
		} else if (node_text(child) != NULL || node_is_hidden(child)) {
			node_write(child, out);
		} else {
			if (node_is_block(child) || node_is(child, "br"))
				text_str(out, "\n");
			write_apart(child, name, out, apart);
			if (node_is_block(child))
				text_str(out, "\n");
		}
	}
}

void
flow_pullquote(struct flow *f, const GumboNode *node)
{
	struct text text = { 0 }, cite = { 0 };
	json_t *quote;

	flow_break(f);
	add_media(f, node);
	write_apart(node, "cite", &text, &cite);
	text_collapse(&text);
	text_collapse(&cite);
	if (text.len + cite.len > 0) {
		quote = conv_new(f->c, "pullquote");
		(void)json_object_set_new(quote, "text", json_bytes(text.s, text.len));
		if (cite.len > 0)
			(void)json_object_set_new(quote, "citation", json_bytes(cite.s, cite.len));
		add_links(f->c, quote, node);
		(void)json_array_append_new(f->to, quote);
	}
	text_free(&text);
	text_free(&cite);
}
