/* place.c - writes blocks with inner blocks (columns, covers), buttons and files. */
#include "markup/part.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static bool
put_content(struct mk *m, const json_t *content)
{
	size_t before = m->out->len;
	struct text inner = { 0 }, *around = m->out;

	if (m->depth >= DEEP_MAX)
		return false;
	/* A separate buffer, since blocks after the first text of a buffer begin with an empty
	 * line. */
	m->depth++;
	m->out = &inner;
	text_add(&inner, "", 0);
	m->blocks(m, content);
	m->out = around;
	m->depth--;
	text_add(around, inner.s, inner.len);
	text_free(&inner);
	return around->len >= before;
}

bool
mk_columns(struct mk *m, const json_t *block)
{
	const json_t *column;
	bool good = true;
	size_t i;

	mk_open(m->out, "columns", NULL);
	text_str(m->out, "\n<div class=\"wp-block-columns\">");
	json_array_foreach(json_object_get(block, "columns"), i, column)
	{
		mk_open(m->out, "column", NULL);
		text_str(m->out, "\n<div class=\"wp-block-column\">");
		good = put_content(m, json_object_get(column, "content")) && good;
		text_str(m->out, "</div>\n");
		mk_close(m->out, "column");
	}
	text_str(m->out, "</div>\n");
	mk_close(m->out, "columns");
	return good;
}

/* ---- covers ---- */

static void
set_height(json_t *attributes, const char *height)
{
	char *unit;
	double number = strtod(height, &unit);

	if (unit == height || !isfinite(number))
		return;
	(void)json_object_set_new(attributes, "minHeight",
	    number == floor(number) && fabs(number) < 1e9 ? json_integer((json_int_t)number)
							  : json_real(number));
	set_text(attributes, "minHeightUnit", unit);
}

static json_t *
cover_attributes(const struct mk *m, const json_t *cover)
{
	const json_t *opacity = json_object_get(cover, "overlayOpacity");
	const char *color = member_text(cover, "overlayColor"),
		   *side = member_text(cover, "alignment");
	json_t *out = json_object();
	struct text buffer = { 0 };
	double percent = json_number_value(opacity) * 100;

	set_text(out, "url", mk_address(m, member_text(cover, "backgroundImage"), &buffer));
	text_free(&buffer);
	if (json_is_number(opacity) && fabs(percent - round(percent)) < 1e-9)
		(void)json_object_set_new(
		    out, "dimRatio", json_integer((json_int_t)round(percent)));
	else if (json_is_number(opacity))
		(void)json_object_set_new(out, "dimRatio", json_real(percent));
	set_text(out, *color == '#' ? "customOverlayColor" : "overlayColor", color);
	set_height(out, member_text(cover, "minHeight"));
	if (*side != '\0')
		(void)json_object_set_new(out, "contentPosition", json_sprintf("center %s", side));
	return out;
}

bool
mk_cover(struct mk *m, const json_t *cover)
{
	const char *picture = member_text(cover, "backgroundImage");
	struct text buffer = { 0 };
	bool good;

	mk_open(m->out, "cover", cover_attributes(m, cover));
	text_str(m->out, "\n<div class=\"wp-block-cover\">");
	text_str(m->out, "<span aria-hidden=\"true\" class=\"wp-block-cover__background\"></span>");
	if (*picture != '\0') {
		text_str(m->out, "<img class=\"wp-block-cover__image-background\"");
		mk_attribute(m->out, "alt", member_text(cover, "alt"));
		mk_attribute(m->out, "src", mk_address(m, picture, &buffer));
		text_str(m->out, " data-object-fit=\"cover\"/>");
	}
	text_free(&buffer);
	text_str(m->out, "<div class=\"wp-block-cover__inner-container\">");
	good = put_content(m, json_object_get(cover, "content"));
	text_str(m->out, "</div></div>\n");
	mk_close(m->out, "cover");
	return good;
}

/* ---- buttons ---- */

static void
put_button(struct mk *m, const json_t *button)
{
	const char *style = member_text(button, "style"), *url = member_text(button, "url");
	const json_t *links = json_object_get(button, "links"), *link;
	bool styled = strcmp(style, "fill") == 0 || strcmp(style, "outline") == 0;
	size_t i;

	mk_open(m->out, "button",
	    styled ? json_pack("{so}", "className", json_sprintf("is-style-%s", style)) : NULL);
	text_str(m->out, "\n<div class=\"wp-block-button");
	text_str(m->out, styled ? " is-style-" : "");
	text_str(m->out, styled ? style : "");
	text_str(m->out, "\"><a class=\"wp-block-button__link wp-element-button\"");
	if (*url != '\0')
		mk_attribute(m->out, "href", url);
	text_str(m->out, ">");
	mk_text(m->out, member_text(button, "text"));
	text_str(m->out, "</a>");
	json_array_foreach(links, i, link)
	{
		if (i == 0)
			continue;
		text_str(m->out, "<a");
		mk_attribute(m->out, "href", member_text(link, "href"));
		text_str(m->out, "></a>");
	}
	text_str(m->out, "</div>\n");
	mk_close(m->out, "button");
}

bool
mk_buttons(struct mk *m, const json_t *block)
{
	bool vertical = strcmp(member_text(block, "layout"), "vertical") == 0;
	const json_t *button;
	size_t i;

	mk_open(m->out, "buttons",
	    vertical ? json_pack("{s{ssss}}", "layout", "type", "flex", "orientation", "vertical")
		     : NULL);
	text_str(m->out, "\n<div class=\"wp-block-buttons\">");
	json_array_foreach(json_object_get(block, "buttons"), i, button) put_button(m, button);
	text_str(m->out, "</div>\n");
	mk_close(m->out, "buttons");
	return true;
}

/* ---- files ---- */

bool
mk_file(struct mk *m, const json_t *file)
{
	const char *name = member_text(file, "filename"),
		   *label = member_text(file, "downloadButtonText");
	bool button = json_is_true(json_object_get(file, "showDownloadButton"));
	struct text buffer = { 0 };
	const char *url = mk_address(m, member_text(file, "url"), &buffer);

	mk_open(m->out, "file", json_pack("{ss}", "href", url));
	text_str(m->out, "\n<div class=\"wp-block-file\">");
	if (*name != '\0' || !button) {
		text_str(m->out, "<a");
		mk_attribute(m->out, "href", url);
		text_str(m->out, ">");
		mk_text(m->out, name);
		text_str(m->out, "</a>");
	}
	if (button) {
		text_str(m->out, "<a");
		mk_attribute(m->out, "href", url);
		text_str(m->out, " class=\"wp-block-file__button wp-element-button\" download>");
		mk_text(m->out, label);
		text_str(m->out, "</a>");
	}
	text_str(m->out, "</div>\n");
	mk_close(m->out, "file");
	text_free(&buffer);
	return true;
}
