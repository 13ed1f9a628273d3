/*
 * module.c - one module of a layout. Builders have hundreds of modules, which name what they show
 * in few ways. So a module is read by the names of its settings: headings, pictures, texts, films
 * and buttons. All other settings are about its looks.
 */
#include "layout/module.h"
#include "read/text.h"
#include <string.h>

#define DEPTH_MAX 4 /* of lists in settings */

/* ---- settings ---- */

static bool
in(const char *const *names, const char *name)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static bool
is_number(const char *text)
{
	return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Returns true if a text can be shown: it is not empty, no dynamic content and no switch of Divi.
 */
static bool
is_shown(const char *text)
{
	return text[strspn(text, " \t\r\n")] != '\0' && strncmp(text, "@ET-DC@", 7) != 0 &&
	       strcmp(text, "on") != 0 && strcmp(text, "off") != 0;
}

/* A text or number of a setting as text; "": it is none. */
static const char *
setting(struct writing *w, const json_t *settings, const char *name)
{
	const char *text = text_member(w->call, settings, name);

	return is_shown(text) ? text : "";
}

/* Returns an address: that of Elementor ({url}), of WPBakery (url:...|title:...), of Enfold
 * (manually,... or page,12), or the text. */
static const char *
address_at(struct writing *w, const json_t *settings, const char *name)
{
	const json_t *value = json_object_get(settings, name);
	const char *text;
	char *copy;

	if (json_is_object(value))
		return setting(w, value, "url");
	text = setting(w, settings, name);
	if (strncmp(text, "manually,", 9) == 0)
		return text + 9;
	if (strncmp(text, "page,", 5) == 0 || strncmp(text, "post,", 5) == 0)
		return stet_printf(w->call, "/?p=%s", text + 5);
	if (strncmp(text, "url:", 4) != 0)
		return text;
	copy = stet_strdup(w->call, text + 4);
	copy[strcspn(copy, "|")] = '\0';
	return text_unescape(w->call, copy);
}

static const char *
first_address(struct writing *w, const json_t *settings, const char *const *names)
{
	const char *found = "";

	for (; *names != NULL && *found == '\0'; names++)
		found = address_at(w, settings, *names);
	return strcmp(found, "#") == 0 || strcmp(found, "lightbox") == 0 ||
		       strchr(found, ' ') != NULL
		   ? ""
		   : found;
}

/* ---- pictures ---- */

static const char *const picture_names[] = { "src", "image", "image_url", "custom_src",
	"portrait_url", "testimonial_image", "graphic_image", "logo_image_url", "picture", NULL };
static const char *const gallery_names[] = { "gallery_ids", "images", "image_ids", "ids", NULL };
static const char *const list_names[] = { "gallery", "carousel", "wp_gallery", NULL };

/* Writes the picture of a setting: an address, a number, or {url, id, alt}. */
static bool
put_picture(struct writing *w, const json_t *settings, const char *name, const char *href)
{
	const json_t *value = json_object_get(settings, name);
	const char *text = address_at(w, settings, name);
	struct picture p = { text, "", setting(w, settings, "alt"), setting(w, settings, "caption"),
		href };

	if (json_is_object(value)) {
		p.number = setting(w, value, "id");
		p.alt = setting(w, value, "alt");
	} else if (is_number(text)) {
		p.number = text;
		p.address = "";
	}
	if ((*p.address == '\0' && !is_number(p.number)) || strchr(p.address, ' ') != NULL)
		return false;
	if (!is_number(p.number))
		p.number = "";
	layout_picture(w, &p);
	return true;
}

/* Films have a setting src, too. */
static bool
put_pictures(struct writing *w, const struct module *m, const char *href)
{
	bool any = false;

	if (strstr(m->name, "video") != NULL || strstr(m->name, "audio") != NULL)
		return false;
	for (size_t i = 0; picture_names[i] != NULL; i++)
		any |= put_picture(w, m->settings, picture_names[i], href);
	if (strncmp(m->name, "av_slide", 8) == 0)
		any |= put_picture(w, m->settings, "id", href);
	return any;
}

static void
put_galleries(struct writing *w, const json_t *settings)
{
	const char *columns = setting(w, settings, "columns_count");
	const json_t *image;
	size_t k;

	for (size_t i = 0; gallery_names[i] != NULL; i++) {
		const char *numbers = setting(w, settings, gallery_names[i]);

		if (*numbers != '\0' && numbers[strspn(numbers, "0123456789, ")] == '\0')
			layout_gallery(w, numbers, columns);
	}
	for (size_t i = 0; list_names[i] != NULL; i++)
		json_array_foreach(json_object_get(settings, list_names[i]), k, image)
		{
			const json_t *one = stet_json_own(
			    w->call, json_pack("{sO}", "image", (json_t *)(uintptr_t)image));

			(void)put_picture(w, one, "image", "");
		}
}

/* ---- texts ---- */

static const char *const heading_names[] = { "title", "heading", "h2", "title_text", "title_text_a",
	"title_text_b", "alert_title", "tab_title", "name", "field_title", "title_front",
	"title_back", NULL };
static const char *const text_names[] = { "sub_heading", "subhead", "subtitle", "h4",
	"description_text", "description_text_a", "description_text_b", "description", "editor",
	"text", "content", "tab_content", "blockquote_content", "testimonial_content",
	"testimonial_name", "testimonial_job", "author", "author_name", "job_title", "company_name",
	"alert_description", "item_text", "inner_text", "label", "field_label", "currency", "price",
	"sum", "per", "period", "prefix", "starting_number", "ending_number", "suffix", "number",
	"percent", "label_value", "before_text", "highlighted_text", "rotating_text", "after_text",
	"footer_additional_info", "primary_label_text", "text_front", "text_back", "company", "job",
	NULL };
static const char *const caption_names[] = { "caption", "content_caption", NULL };

/* The level that a setting asks for: "h3", or "tag:h3|..." in WPBakery. */
static int
level_of(struct writing *w, const json_t *settings)
{
	static const char *const names[] = { "header_size", "title_size", "header_level",
		"title_level", "heading_level", "font_container", "tag" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = setting(w, settings, names[i]), *tag = strstr(text, "tag:");

		text = tag != NULL ? tag + 4 : text;
		if (*text == 'h' && text[1] >= '1' && text[1] <= '6')
			return text[1] - '0';
	}
	return 3;
}

/* Writes the headings, the first as the link. Returns true if it wrote one. */
static bool
put_headings(struct writing *w, const struct module *m, const char *href)
{
	bool any = false;

	if (strcmp(m->name, "vc_custom_heading") == 0) {
		layout_heading(w, level_of(w, m->settings), setting(w, m->settings, "text"), href);
		return true;
	}
	/* The title of a picture of Divi is not shown. */
	if (strcmp(m->name, "et_pb_image") == 0 || strcmp(m->name, "et_pb_fullwidth_image") == 0)
		return false;
	for (size_t i = 0; heading_names[i] != NULL; i++) {
		const char *text = setting(w, m->settings, heading_names[i]);

		if (*text == '\0')
			continue;
		layout_heading(w, level_of(w, m->settings), text, any ? "" : href);
		any = true;
	}
	return any;
}

/* Returns true if it wrote the text that is the link. */
static bool
put_texts(struct writing *w, const json_t *settings, bool pictured, const char *href)
{
	bool linked = false;

	for (size_t i = 0; text_names[i] != NULL; i++) {
		const char *text = setting(w, settings, text_names[i]);

		if (*text != '\0' && *href != '\0' && strcmp(text_names[i], "text") == 0) {
			layout_link(w, text, href);
			linked = true;
		} else {
			layout_text(w, text, strlen(text));
		}
	}
	/* The caption of a picture is written with it. */
	for (size_t i = 0; caption_names[i] != NULL && !pictured; i++) {
		const char *text = setting(w, settings, caption_names[i]);

		layout_text(w, text, strlen(text));
	}
	return linked;
}

/* ---- buttons and films ---- */

static const char *const label_names[] = { "button_text", "button", "btn_title", "button_one_text",
	"button_two_text", "link_text", "submit_text", "linktext", NULL };
static const char *const link_names[] = { "button_url", "btn_link", "button_link",
	"link_option_url", "url", "link", "href", "img_link", "image_link", NULL };
static const char *const film_names[] = { "youtube_url", "vimeo_url", "dailymotion_url",
	"videopress_url", "external_url", "hosted_url", "link", "src", "audio", NULL };

static bool
is_button(const char *name)
{
	static const char *const buttons[] = { "button", "et_pb_button", "vc_btn", "vc_button",
		"vc_button2", "fusion_button", "av_button", "av_buttonrow_item", NULL };

	return in(buttons, name);
}

/* Writes the buttons of a module; the second of two has its own address. Returns true if one has
 * `href`. */
static bool
put_buttons(struct writing *w, const struct module *m, const char *href)
{
	bool any = false;

	for (size_t i = 0; label_names[i] != NULL; i++) {
		const char *label = setting(w, m->settings, label_names[i]), *to = href;

		if (*label == '\0')
			continue;
		if (strcmp(label_names[i], "button_one_text") == 0)
			to = address_at(w, m->settings, "button_one_url");
		else if (strcmp(label_names[i], "button_two_text") == 0)
			to = address_at(w, m->settings, "button_two_url");
		layout_button(w, label, to);
		any |= to == href;
	}
	return any;
}

/* The whole of a module that is a button. */
static void
put_button(struct writing *w, const struct module *m)
{
	static const char *const names[] = { "button_text", "title", "text", "label" };
	const char *href = first_address(w, m->settings, link_names), *label = m->label;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && *label == '\0'; i++)
		label = setting(w, m->settings, names[i]);
	if (*label != '\0' || *href != '\0')
		layout_button(w, *label != '\0' ? label : href, href);
}

/* Returns the address of a film that has an id, which may be the address. */
static const char *
film_of(struct writing *w, const json_t *settings, const char *before)
{
	const char *id = setting(w, settings, "id");

	return *id == '\0' || strstr(id, "://") != NULL ? id
							: stet_printf(w->call, "%s%s", before, id);
}

/* Writes the first film; returns true if there is one. */
static bool
put_film(struct writing *w, const struct module *m)
{
	const char *address = "";

	if (strstr(m->name, "video") != NULL || strstr(m->name, "audio") != NULL)
		address = first_address(w, m->settings, film_names);
	else if (strcmp(m->name, "fusion_youtube") == 0)
		address = film_of(w, m->settings, "https://www.youtube.com/watch?v=");
	else if (strcmp(m->name, "fusion_vimeo") == 0)
		address = film_of(w, m->settings, "https://vimeo.com/");
	if (*address != '\0')
		layout_film(w, address);
	return *address != '\0';
}

/* ---- lists ---- */

static void put_all(struct writing *, const struct module *, int depth);

/* Lists of Elementor are arrays; those of WPBakery are JSON in percent-encoding. */
static void
put_lists(struct writing *w, const struct module *m, int depth)
{
	const char *name, *why;
	const json_t *value, *one;
	size_t i;

	json_object_foreach((json_t *)(uintptr_t)m->settings, name, value)
	{
		const char *text = json_string_value(value);

		if (in(list_names, name))
			continue;
		if (text != NULL && strncmp(text, "%5B%7B", 6) == 0) {
			text = text_unescape(w->call, text);
			value = stet_json_parse(w->call, text, strlen(text), &why);
		}
		json_array_foreach(value, i, one)
		{
			const struct module part = { "", one, NULL, NULL, "" };

			if (json_is_object(one))
				put_all(w, &part, depth + 1);
		}
	}
}

/* ---- a module ---- */

/* Writes a link whose address no button, picture or heading has. */
static void
put_link(struct writing *w, const struct module *m, const char *href)
{
	const char *label = *m->label != '\0' ? m->label : href;

	if (*href != '\0')
		layout_link(w, label, href);
	else if (*m->label != '\0')
		layout_text(w, m->label, strlen(m->label));
}

/* Texts whose settings have another meaning in other builders. */
static void
put_own(struct writing *w, const struct module *m)
{
	static const char *const own[][2] = { { "et_pb_", "position" }, { "fusion_", "value" },
		{ "fusion_", "unit" }, { "fusion_", "percentage" }, { "av_progress", "progress" } };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		const char *text = setting(w, m->settings, own[i][1]);

		if (strncmp(m->name, own[i][0], strlen(own[i][0])) == 0)
			layout_text(w, text, strlen(text));
	}
}

static void
put_all(struct writing *w, const struct module *m, int depth)
{
	const char *href = first_address(w, m->settings, link_names);
	const char *code = setting(w, m->settings, "shortcode");
	bool film, taken, pictured;

	if (depth > DEPTH_MAX)
		return;
	film = put_film(w, m);
	taken = film || *setting(w, m->settings, "button_text") != '\0';
	taken |= put_headings(w, m, taken ? "" : href);
	pictured = put_pictures(w, m, taken ? "" : href);
	taken |= pictured;
	put_galleries(w, m->settings);
	put_own(w, m);
	if (strcmp(m->name, "vc_custom_heading") != 0) /* its text is the heading */
		taken |= put_texts(w, m->settings, pictured, taken ? "" : href);
	layout_raw(w, setting(w, m->settings, "html"));
	layout_text(w, code, strlen(code));
	put_lists(w, m, depth);
	if (m->inside != NULL)
		m->inside(w, m->arg);
	taken |= put_buttons(w, m, film ? "" : href);
	put_link(w, m, taken ? "" : href);
}

const char *
module_address(struct writing *w, const json_t *settings)
{
	static const char *const names[] = { "link_option_url", "link", NULL };

	return first_address(w, settings, names);
}

void
module_background(struct writing *w, const json_t *settings)
{
	if (*address_at(w, settings, "background_image") != '\0')
		layout_count(w->idle, "background_image");
}

void
module_put(struct writing *w, const struct module *m)
{
	static const char *const rules[] = { "divider", "et_pb_divider", "vc_separator",
		"fusion_separator", "av_hr", NULL };
	size_t before = w->blocks;

	module_background(w, m->settings);
	if (is_button(m->name))
		put_button(w, m);
	else
		put_all(w, m, 0);
	if (w->blocks > before)
		return;
	if (in(rules, m->name))
		layout_rule(w);
	else
		layout_count(w->idle, m->name);
}
