/* object.c - writes pictures, players, code, pull quotes and HTML blocks. */
#include "markup/part.h"
#include <stdio.h>
#include <string.h>

#define CAPTION "wp-element-caption"
#define NAME_MAX_LENGTH 128 /* of a block */

static void
close_figure(struct mk *m, const json_t *block, const char *name)
{
	mk_caption(m, block, CAPTION);
	text_str(m->out, "</figure>\n");
	mk_close(m->out, name);
}

/* ---- pictures ---- */

static void
put_img(struct mk *m, const json_t *image)
{
	const json_t *asset = json_object_get(image, "asset"), *link, *alt;
	struct text buffer = { 0 };
	int64_t number = mk_number(m, asset);
	char class[40];

	link = json_object_get(image, "link");
	alt = json_object_get(image, "alt");
	if (json_is_string(link)) {
		text_str(m->out, "<a");
		mk_attribute(m->out, "href", json_string_value(link));
		text_str(m->out, ">");
	}
	text_str(m->out, "<img");
	mk_attribute(m->out, "src", mk_address(m, member_text(asset, "url"), &buffer));
	if (json_is_string(alt))
		mk_attribute(m->out, "alt", json_string_value(alt));
	if (number > 0) {
		(void)snprintf(class, sizeof(class), "wp-image-%lld", (long long)number);
		mk_attribute(m->out, "class", class);
	}
	text_str(m->out, json_is_string(link) ? "/></a>" : "/>");
	text_free(&buffer);
}

bool
mk_image(struct mk *m, const json_t *image)
{
	int64_t number = mk_number(m, json_object_get(image, "asset"));
	const char *align = member_text(image, "alignment");
	json_t *attributes = json_object();

	if (number > 0)
		(void)json_object_set_new(attributes, "id", json_integer(number));
	set_text(attributes, "align", align);
	mk_open(m->out, "image", attributes);
	text_str(m->out, "\n<figure class=\"wp-block-image");
	text_str(m->out, *align != '\0' ? " align" : "");
	mk_text(m->out, align);
	text_str(m->out, "\">");
	put_img(m, image);
	close_figure(m, image, "image");
	return true;
}

/* Returns true if all pictures have a number and no address: only the shortcode can express
 * that. */
static bool
is_of_numbers(struct mk *m, const json_t *images)
{
	const json_t *image;
	size_t i;

	json_array_foreach(images, i, image)
	{
		const json_t *asset = json_object_get(image, "asset");

		if (*member_text(asset, "url") != '\0' || mk_number(m, asset) == 0)
			return false;
	}
	return json_array_size(images) > 0;
}

static void
put_shortcode(struct mk *m, const json_t *gallery, const json_t *images)
{
	int64_t columns = json_integer_value(json_object_get(gallery, "columns"));
	char number[40];
	const char *link;
	const json_t *image;
	size_t i;

	mk_open(m->out, "freeform", NULL);
	text_str(m->out, "[gallery ids=\"");
	json_array_foreach(images, i, image)
	{
		(void)snprintf(number, sizeof(number), "%s%lld", i > 0 ? "," : "",
		    (long long)mk_number(m, json_object_get(image, "asset")));
		text_str(m->out, number);
	}
	text_str(m->out, "\"");
	(void)snprintf(number, sizeof(number), " columns=\"%lld\"", (long long)columns);
	text_str(m->out, columns > 0 ? number : "");
	link = member_text(json_array_get(images, 0), "link");
	if (strncmp(link, STET_HTML_ATTACHMENT, strlen(STET_HTML_ATTACHMENT)) == 0)
		text_str(m->out, " link=\"file\"");
	text_str(m->out, "]");
	mk_close(m->out, "freeform");
}

bool
mk_gallery(struct mk *m, const json_t *gallery)
{
	const json_t *images = json_object_get(gallery, "images"), *image;
	int64_t columns = json_integer_value(json_object_get(gallery, "columns"));
	size_t i;

	if (is_of_numbers(m, images)) {
		put_shortcode(m, gallery, images);
		return true;
	}
	mk_open(m->out, "gallery", columns > 0 ? json_pack("{sI}", "columns", columns) : NULL);
	text_str(m->out, "\n<figure class=\"wp-block-gallery has-nested-images\">");
	json_array_foreach(images, i, image)
	{
		(void)mk_image(m, image);
		text_str(m->out, "\n\n");
	}
	mk_caption(m, gallery, "blocks-gallery-caption " CAPTION);
	text_str(m->out, "</figure>\n");
	mk_close(m->out, "gallery");
	return true;
}

/* ---- players ---- */

static void
put_player(struct mk *m, const json_t *embed, const char *name)
{
	static const char *const others[] = { "poster", "title" };
	struct text buffer = { 0 };

	mk_open(m->out, name, NULL);
	text_str(m->out, "\n<figure class=\"wp-block-");
	text_str(m->out, name);
	text_str(m->out, "\"><");
	text_str(m->out, name);
	text_str(m->out, " controls");
	mk_attribute(m->out, "src", mk_address(m, member_text(embed, "url"), &buffer));
	for (size_t i = 0; i < 2; i++)
		if (*member_text(embed, others[i]) != '\0')
			mk_attribute(m->out, others[i], member_text(embed, others[i]));
	text_str(m->out, "></");
	text_str(m->out, name);
	text_str(m->out, ">");
	close_figure(m, embed, name);
	text_free(&buffer);
}

/* An iframe with a title is written as classic HTML: no block has a title. */
static void
put_frame(struct mk *m, const json_t *embed)
{
	struct text buffer = { 0 };

	mk_open(m->out, "freeform", NULL);
	text_str(m->out, "<figure><iframe");
	mk_attribute(m->out, "src", mk_address(m, member_text(embed, "url"), &buffer));
	mk_attribute(m->out, "title", member_text(embed, "title"));
	text_str(m->out, "></iframe>");
	close_figure(m, embed, "freeform");
	text_free(&buffer);
}

bool
mk_embed(struct mk *m, const json_t *embed)
{
	const char *provider = member_text(embed, "provider"), *url = member_text(embed, "url");
	struct text buffer = { 0 };
	json_t *attributes;

	if (strcmp(provider, "video") == 0 || strcmp(provider, "audio") == 0) {
		put_player(m, embed, provider);
		return true;
	}
	if (*member_text(embed, "title") != '\0') {
		put_frame(m, embed);
		return true;
	}
	url = mk_address(m, url, &buffer);
	attributes = json_pack("{ss}", "url", url);
	set_text(attributes, "providerNameSlug", provider);
	mk_open(m->out, "embed", attributes);
	text_str(m->out, "\n<figure class=\"wp-block-embed");
	text_str(m->out, *provider != '\0' ? " is-provider-" : "");
	mk_text(m->out, provider);
	text_str(m->out, "\"><div class=\"wp-block-embed__wrapper\">\n");
	mk_text(m->out, url);
	text_str(m->out, "\n</div>");
	close_figure(m, embed, "embed");
	text_free(&buffer);
	return true;
}

/* ---- code and quotes ---- */

bool
mk_code(struct mk *m, const json_t *code)
{
	const char *language = member_text(code, "language");
	bool figure = *member_text(code, "caption") != '\0';
	json_t *attributes = json_object();

	if (!figure)
		set_text(attributes, "language", language);
	mk_open(m->out, figure ? "freeform" : "code", attributes);
	text_str(m->out, figure ? "<figure><pre><code" : "\n<pre class=\"wp-block-code\"><code");
	if (*language != '\0') {
		text_str(m->out, " class=\"language-");
		mk_text(m->out, language);
		text_str(m->out, "\"");
	}
	text_str(m->out, ">");
	mk_linked(
	    m->out, member_text(code, "code"), figure ? NULL : json_object_get(code, "links"));
	text_str(m->out, figure ? "</code></pre>" : "</code></pre>\n");
	if (figure)
		close_figure(m, code, "freeform");
	else
		mk_close(m->out, "code");
	return true;
}

bool
mk_pullquote(struct mk *m, const json_t *quote)
{
	const char *citation = member_text(quote, "citation");

	mk_open(m->out, "pullquote", NULL);
	text_str(m->out, "\n<figure class=\"wp-block-pullquote\"><blockquote><p>");
	mk_linked(m->out, member_text(quote, "text"), json_object_get(quote, "links"));
	text_str(m->out, "</p>");
	if (*citation != '\0') {
		text_str(m->out, "<cite>");
		mk_text(m->out, citation);
		text_str(m->out, "</cite>");
	}
	text_str(m->out, "</blockquote></figure>\n");
	mk_close(m->out, "pullquote");
	return true;
}

bool
mk_break(struct mk *m, const json_t *rule)
{
	(void)rule;
	mk_open(m->out, "separator", NULL);
	text_str(m->out, "\n<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>\n");
	mk_close(m->out, "separator");
	return true;
}

/* ---- HTML ---- */

static bool
is_block_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= NAME_MAX_LENGTH &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_/") == len;
}

bool
mk_html(struct mk *m, const json_t *block)
{
	const char *name = member_text(block, "originalBlockName");
	json_t *attributes = json_object_get(block, "originalAttrs");

	if (strncmp(name, "core/", 5) == 0)
		name += 5;
	if (!is_block_name(name))
		name = "html";
	mk_open(m->out, name, json_is_object(attributes) ? json_incref(attributes) : NULL);
	text_str(m->out, member_text(block, "html"));
	mk_close(m->out, name);
	return true;
}
