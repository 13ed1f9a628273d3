/*
 * handlers.c - handlers of the blocks of WordPress that hold text, pictures or players.
 */
#include "handle.h"
#include "places.h"
#include <string.h>

/* ---- attributes ---- */

static int64_t
number(const json_t *attributes, const char *name)
{
	return json_integer_value(json_object_get(attributes, name));
}

static void
run_flow(struct flow *f, const struct block *b)
{
	flow_html(f, b->begin, (size_t)(b->end - b->begin));
}

/* ---- text ---- */

static void
put_text(struct work *w, const struct block *b, json_t *to)
{
	put_html(w, to, b->begin, b->end, false);
}

static void
put_classic(struct work *w, const struct block *b, json_t *to)
{
	put_html(w, to, b->begin, b->end, true);
}

static void
put_heading(struct work *w, const struct block *b, json_t *to)
{
	static const char *const styles[] = { "h1", "h2", "h3", "h4", "h5", "h6" };
	json_t *attributes = block_attributes(b);
	int64_t level = number(attributes, "level");
	struct flow f;

	json_decref(attributes);
	flow_begin(&f, &w->conv, to);
	f.style.name = styles[level >= 1 && level <= 6 ? level - 1 : 1];
	run_flow(&f, b);
	flow_end(&f);
}

static void
put_quote(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b);
	const char *citation = member_text(attributes, "citation");
	struct flow f;

	flow_begin(&f, &w->conv, to);
	f.style.name = "blockquote";
	run_flow(&f, b);
	flow_break(&f);
	if (*citation != '\0') {
		f.style.name = "normal";
		para_text(&f.para, "\xe2\x80\x94 ", 4, 0, NULL, true);
		flow_html(&f, citation, strlen(citation));
	}
	flow_end(&f);
	json_decref(attributes);
}

static void
put_pullquote(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b);
	size_t before = json_array_size(to);
	struct flow f;

	flow_begin(&f, &w->conv, to);
	f.pull = true;
	run_flow(&f, b);
	flow_end(&f);
	if (json_array_size(to) > before && is_type(last_of(to), "pullquote") &&
	    *member_text(last_of(to), "citation") == '\0')
		set_text(last_of(to), "citation", member_text(attributes, "citation"));
	json_decref(attributes);
}

/* The whole content of a code block is code, even if it has no <pre>. */
struct code {
	struct flow *flow;
	const char *language;
};

static void
on_code(void *arg, const struct piece *piece)
{
	struct code *code = arg;

	flow_code(code->flow, piece->root, code->language);
}

static void
put_code(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b);
	const char *language = member_text(attributes, "language");
	struct flow f;
	struct code code = { &f, *language != '\0' ? language : NULL };

	if (block_is(b, "verse"))
		code.language = "text";
	flow_begin(&f, &w->conv, to);
	f.exact = true;
	html_each(w->conv.trees, b->begin, (size_t)(b->end - b->begin), on_code, &code);
	flow_end(&f);
	json_decref(attributes);
}

/* ---- breaks ---- */

static void
put_break(struct work *w, const struct block *b, json_t *to)
{
	size_t before = json_array_size(to);
	json_t *rule;

	put_html(w, to, b->begin, b->end, false);
	for (size_t i = before; i < json_array_size(to); i++)
		if (is_type(json_array_get(to, i), "break"))
			return;
	rule = conv_new(&w->conv, "break");
	(void)json_object_set_new(rule, "style", json_string("lineBreak"));
	(void)json_array_append_new(to, rule);
}

/* ---- pictures ---- */

static void
put_image(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b), *image = NULL;
	const char *align = member_text(attributes, "align");
	size_t before = json_array_size(to);
	json_t *url;

	put_html(w, to, b->begin, b->end, false);
	for (size_t i = before; i < json_array_size(to) && image == NULL; i++)
		if (is_type(json_array_get(to, i), "image"))
			image = json_array_get(to, i);
	if (image != NULL && number(attributes, "id") > 0) {
		url = json_incref(json_object_get(json_object_get(image, "asset"), "url"));
		set_asset(&w->conv, image, number(attributes, "id"), json_string_value(url));
		json_decref(url);
	}
	if (image != NULL && name_in(" left center right wide full ", align, strlen(align)))
		set_text(image, "alignment", align);
	json_decref(attributes);
}

/* Appends a gallery of the pictures in a block, and after it whatever else the block has. */
static void
put_gallery(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b), *inner = json_array(), *images = json_array();
	json_t *gallery = conv_new(&w->conv, "gallery"), *part;
	struct flow f;
	size_t i;

	flow_begin(&f, &w->conv, inner);
	f.gallery = true;
	run_flow(&f, b);
	flow_break(&f);
	json_array_foreach(inner, i, part)
	{
		if (is_type(part, "image"))
			(void)json_array_append(images, part);
	}
	(void)json_object_set(gallery, "images", images);
	if (number(attributes, "columns") > 0)
		(void)json_object_set_new(
		    gallery, "columns", json_integer(number(attributes, "columns")));
	if (f.caption.len > 0) {
		text_collapse(&f.caption);
		(void)json_object_set_new(
		    gallery, "caption", json_bytes(f.caption.s, f.caption.len));
	}
	if (json_array_size(images) > 0 || f.caption.len > 0)
		(void)json_array_append(to, gallery);
	json_array_foreach(inner, i, part)
	{
		if (!is_type(part, "image"))
			(void)json_array_append(to, part);
	}
	flow_end(&f);
	json_decref(gallery);
	json_decref(images);
	json_decref(inner);
	json_decref(attributes);
}

/* ---- players ---- */

/* Finds the first address in a text. Returns its length; 0: none. */
static size_t
first_address(const char *p, const char *end, const char **address)
{
	const char *found = memmem(p, (size_t)(end - p), "http", 4);

	*address = found;
	if (found == NULL)
		return 0;
	for (p = found; p < end && strchr(" \t\r\n<\"'", *p) == NULL && *p != '\0';)
		p++;
	return (size_t)(p - found);
}

static void
put_embedded(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b), *url, *embed = NULL;
	const char *provider = member_text(attributes, "providerNameSlug"), *address;
	size_t len, own = json_array_size(to);
	struct flow f;

	url = json_incref(json_object_get(attributes, "url"));
	if (*member_text(attributes, "url") == '\0') {
		json_decref(url);
		len = first_address(b->begin, b->end, &address);
		url = json_bytes(address, len);
	}
	if (*json_string_value(url) != '\0')
		embed = put_embed(&w->conv, to, json_string_value(url), NULL);
	if (embed != NULL && *member_text(embed, "provider") == '\0')
		set_text(embed, "provider", provider);
	flow_begin(&f, &w->conv, to);
	f.own = own;
	f.skip = embed != NULL ? member_text(embed, "url") : NULL;
	run_flow(&f, b);
	flow_end(&f);
	json_decref(url);
	json_decref(attributes);
}

static void
put_player(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b);
	const char *src = member_text(attributes, "src");
	size_t before = json_array_size(to);
	const char *provider = block_is(b, "video") ? "video" : "audio";

	put_html(w, to, b->begin, b->end, false);
	if (*src != '\0') {
		for (; before < json_array_size(to); before++)
			if (is_type(json_array_get(to, before), "embed"))
				break;
		if (before == json_array_size(to))
			(void)put_embed(&w->conv, to, src, provider);
	}
	json_decref(attributes);
}

/* ---- raw ---- */

/* Shortcodes that classic text expands become the same blocks here; others stay as they are. */
static void
put_shortcode(struct work *w, const struct block *b, json_t *to)
{
	struct text expanded = { 0 };

	if (shortcodes(b->begin, (size_t)(b->end - b->begin), &expanded))
		put_html(w, to, b->begin, b->end, true);
	else
		put_raw(w, b, to);
	text_free(&expanded);
}

static void
put_dropped(struct work *w, const struct block *b, json_t *to)
{
	w->conv.report->references += block_is(b, "block");
	put_html(w, to, b->begin, b->end, false);
}

/* ---- all ---- */

static const struct handler handlers[] = {
	{ "paragraph", put_text },
	{ "heading", put_heading },
	{ "list", put_text },
	{ "list-item", put_text },
	{ "quote", put_quote },
	{ "image", put_image },
	{ "code", put_code },
	{ "preformatted", put_code },
	{ "verse", put_code },
	{ "pullquote", put_pullquote },
	{ "gallery", put_gallery },
	{ "file", put_file },
	{ "media-text", put_media_text },
	{ "cover", put_cover },
	{ "columns", put_columns },
	{ "column", put_group },
	{ "group", put_group },
	{ "separator", put_break },
	{ "spacer", put_break },
	{ "more", put_break },
	{ "nextpage", put_break },
	{ "table", put_text },
	{ "buttons", put_buttons },
	{ "button", put_button },
	{ "html", put_raw },
	{ "shortcode", put_shortcode },
	{ "embed", put_embedded },
	{ "video", put_player },
	{ "audio", put_player },
	{ "block", put_dropped },
	{ "pattern", put_dropped },
	{ "template-part", put_dropped },
	{ "details", put_group },
	{ "footnotes", put_text },
	{ "freeform", put_classic },
	{ "subhead", put_text },
	{ "text-columns", put_text },
	{ "social-links", put_group },
	{ "social-link", put_social },
	{ "stet/block", put_kept },
};

const struct handler *
handler_of(const struct block *b)
{
	static const struct handler embed = { "embed", put_embedded };

	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (block_is(b, handlers[i].name))
			return &handlers[i];
	if (b->name_len > 11 && memcmp(b->name, "core-embed/", 11) == 0)
		return &embed;
	return NULL;
}
