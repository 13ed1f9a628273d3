/*
 * codes.c - layouts of Divi, WPBakery, Avada and Enfold: sections, rows, columns and modules are
 * shortcodes ([et_pb_row], [vc_row]). They become a tree, in one pass. A shortcode without an end
 * has nothing inside; an end without a beginning is text.
 */
#include "layout/layout.h"
#include "layout/module.h"
#include "read/text.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 40
#define NODES_MAX 50000
#define NAME_MAX_LENGTH 60
#define NONE ((size_t)-1)

struct node {
	char name[NAME_MAX_LENGTH];
	const char *open; /* its [ */
	const char *settings; /* up to before the ] */
	const char *begin, *end; /* its content */
	const char *close; /* behind the ] of its end */
	size_t first, last, next; /* indexes of nodes */
};

struct tree {
	struct node *list;
	size_t count, room;
	size_t stack[DEPTH_MAX + 1]; /* open nodes */
	size_t depth;
	bool full; /* too deep, or too many nodes */
};

static const struct builder {
	const char *name, *prefix;
} builders[] = { { "Divi", "et_pb_" }, { "WPBakery", "vc_" }, { "Avada", "fusion_" },
	{ "Enfold", "av_" } };
#define BUILDERS (sizeof(builders) / sizeof(builders[0]))

static const struct builder *
builder_of(const char *name)
{
	for (size_t i = 0; i < BUILDERS; i++)
		if (strncmp(name, builders[i].prefix, strlen(builders[i].prefix)) == 0)
			return &builders[i];
	return NULL;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ---- the tree ---- */

static struct node *
add_node(struct tree *t)
{
	if (t->count == NODES_MAX) {
		t->full = true;
		return NULL;
	}
	if (t->count == t->room) {
		t->room = t->room > 0 ? t->room * 2 : 64;
		t->list = reallocarray(t->list, t->room, sizeof(*t->list));
		if (t->list == NULL)
			stet_out_of_memory();
	}
	t->list[t->count] = (struct node){ .first = NONE, .last = NONE, .next = NONE };
	return &t->list[t->count++];
}

/* Adds a node to those inside of the innermost open one. */
static void
append(struct tree *t, size_t i)
{
	struct node *around = &t->list[t->stack[t->depth - 1]];

	if (around->last == NONE)
		around->first = i;
	else
		t->list[around->last].next = i;
	around->last = i;
}

/* The innermost open node has no end: what is inside of it follows it. */
static void
drop_open(struct tree *t)
{
	struct node *n = &t->list[t->stack[--t->depth]];
	struct node *around = &t->list[t->stack[t->depth - 1]];

	n->end = n->close = n->begin;
	if (n->first == NONE)
		return;
	n->next = n->first;
	around->last = n->last;
	n->first = n->last = NONE;
}

static void
close_node(struct tree *t, const char *name, const char *at, const char *behind)
{
	size_t depth = t->depth;

	while (depth > 1 && strcmp(t->list[t->stack[depth - 1]].name, name) != 0)
		depth--;
	if (depth <= 1)
		return;
	while (t->depth > depth)
		drop_open(t);
	t->list[t->stack[t->depth - 1]].end = at;
	t->list[t->stack[--t->depth]].close = behind;
}

/* Returns the length of the name of a shortcode of a builder; 0: it is none. */
static size_t
name_length(const char *p, const char *close)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
	size_t len = 0;

	if (builder_of(p) == NULL)
		return 0;
	while (len < NAME_MAX_LENGTH && p[len] != '\0' && strchr(letters, p[len]) != NULL)
		len++;
	if (len == NAME_MAX_LENGTH || (p + len != close && p[len] != '/' && !is_blank(p[len])))
		return 0;
	return len;
}

/* Reads the shortcode at a [, which ends at `close`, a ]. Returns false if it is none. */
static bool
read_code(struct tree *t, const char *at, const char *close)
{
	bool end = at[1] == '/';
	const char *p = at + 1 + end;
	char name[NAME_MAX_LENGTH] = "";
	struct node *n;
	size_t len = name_length(p, close);

	if (len == 0)
		return false;
	memcpy(name, p, len);
	if (end) {
		close_node(t, name, at, close + 1);
		return true;
	}
	if ((n = add_node(t)) == NULL)
		return true;
	memcpy(n->name, name, sizeof(name));
	n->open = at;
	n->settings = p + len;
	n->begin = n->end = n->close = close + 1;
	append(t, t->count - 1);
	if (close[-1] != '/' && t->depth <= DEPTH_MAX)
		t->stack[t->depth++] = t->count - 1;
	else
		t->full |= close[-1] != '/';
	return true;
}

static bool
read_tree(struct tree *t, const char *text)
{
	const char *p = text, *close = NULL;
	struct node *root = add_node(t);

	root->begin = text;
	root->end = text + strlen(text);
	t->stack[t->depth++] = 0;
	while (!t->full && (p = strchr(p, '[')) != NULL) {
		if ((close == NULL || close < p) && (close = strchr(p, ']')) == NULL)
			break;
		/* [[name]] is text. */
		if ((p == text || p[-1] != '[' || close[1] != ']') && read_code(t, p, close))
			p = close;
		p++;
	}
	while (t->depth > 1)
		drop_open(t);
	return !t->full && t->count > 1;
}

/* ---- settings ---- */

/* Builders write quotes and brackets in other ways, since a setting cannot have them. */
static const char *
decoded(struct stet_call *call, const char *text, size_t len)
{
	static const struct {
		const char *written, *read;
	} codes[] = { { "%22", "\"" }, { "%91", "[" }, { "%93", "]" }, { "`{`", "[" },
		{ "`}`", "]" }, { "``", "\"" }, { "&#8221;", "\"" }, { "&#8243;", "\"" } };
	char *out = stet_alloc(call, len + 1), *to = out;
	bool encoded = len > 6 && strncmp(text, "%5B%7B", 6) == 0;

	for (size_t i = 0, n; i < len; i += n) {
		n = 0;
		for (size_t k = 0; k < sizeof(codes) / sizeof(codes[0]) && n == 0 && !encoded; k++)
			if (strncmp(text + i, codes[k].written, strlen(codes[k].written)) == 0) {
				n = strlen(codes[k].written);
				*to++ = *codes[k].read;
			}
		if (n == 0) {
			*to++ = text[i];
			n = 1;
		}
	}
	*to = '\0';
	return out;
}

/* Reads a value behind its =, and adds it to the settings. Returns the position behind it. */
static const char *
read_value(
    struct stet_call *call, json_t *settings, const char *name, const char *p, const char *end)
{
	char quote = p < end && (*p == '"' || *p == '\'') ? *p : '\0';
	const char *value = quote != '\0' ? p + 1 : p;

	for (p = value; p < end && (quote != '\0' ? *p != quote : !is_blank(*p)); p++)
		continue;
	(void)json_object_set_new(
	    settings, name, json_string(decoded(call, value, (size_t)(p - value))));
	return p < end && quote != '\0' ? p + 1 : p;
}

static const json_t *
settings_of(struct stet_call *call, const struct node *n)
{
	json_t *settings = stet_json_own(call, json_object());
	const char *p = n->settings, *end = n->begin - 1, *name;

	while (p < end) {
		for (name = p; p < end && *p != '=' && *p != '/' && !is_blank(*p);)
			p++;
		if (p < end && *p == '=' && p > name)
			p = read_value(call, settings,
			    stet_printf(call, "%.*s", (int)(p - name), name), p + 1, end);
		else if (p < end)
			p++;
	}
	return settings;
}

/* ---- writing ---- */

struct place {
	const struct tree *tree;
	const struct node *node;
};

static void put_node(struct writing *, const struct tree *, const struct node *);

/* Returns the name without its prefixes: "row" for et_pb_row, vc_row and fusion_builder_row. */
static const char *
bare_name(const char *name)
{
	static const char *const prefixes[] = { "et_pb_", "fusion_builder_", "fusion_", "av_cell_",
		"av_", "vc_" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return name + strlen(prefixes[i]);
	return name;
}

static bool
is_one_of(const char *name, const char *const *names)
{
	for (name = bare_name(name); *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* Columns of Enfold, which are named by their widths, have no row around them. */
static bool
is_width(const char *name)
{
	static const char *const widths[] = { "one_full", "one_half", "one_third", "two_third",
		"one_fourth", "three_fourth", "one_fifth", "two_fifth", "three_fifth", "four_fifth",
		NULL };

	return strncmp(name, "av_", 3) == 0 && is_one_of(name, widths);
}

static bool
is_column(const struct node *n)
{
	static const char *const columns[] = { "column", "column_inner", NULL };

	return is_one_of(n->name, columns) || is_width(n->name);
}

/* Is it the first column of a row of Enfold? */
static bool
is_first(const struct node *n)
{
	const char *at = memmem(n->settings, (size_t)(n->begin - n->settings), "first", 5);

	return at != NULL && is_blank(at[-1]) && at[5] != '=';
}

/* Returns the node behind the columns that begin with `i`; *count: their number. */
static size_t
behind_columns(const struct tree *t, size_t i, size_t *count)
{
	*count = 0;
	do {
		++*count;
		i = t->list[i].next;
	} while (i != NONE && is_width(t->list[i].name) && !is_first(&t->list[i]));
	return i;
}

static size_t
count_columns(const struct tree *t, const struct node *n)
{
	size_t count = 0;

	for (size_t i = n->first; i != NONE; i = t->list[i].next)
		count += is_column(&t->list[i]);
	return count;
}

/* The nodes from `first` up to before `stop` as columns, with what is between them in the column
 * before. Returns the position behind them. */
static const char *
put_columns(struct writing *w, const struct tree *t, const char *p, size_t first, size_t stop)
{
	bool open = false;

	layout_columns(w, true);
	for (size_t i = first; i != stop; i = t->list[i].next) {
		const struct node *inner = &t->list[i];

		if (!open || is_column(inner)) {
			if (open)
				layout_column(w, false);
			layout_column(w, true);
			open = true;
		}
		layout_text(w, p, (size_t)(inner->open - p));
		put_node(w, t, inner);
		p = inner->close;
	}
	return p;
}

static void
end_columns(struct writing *w, const char *p, const char *end)
{
	layout_text(w, p, (size_t)(end - p));
	layout_column(w, false);
	layout_columns(w, false);
}

static void
put_inside(struct writing *w, const void *arg)
{
	const struct place *at = arg;
	const struct tree *t = at->tree;
	const char *p = at->node->begin;

	for (size_t i = at->node->first, next; i != NONE; i = next) {
		const struct node *n = &t->list[i];
		size_t count = 0;

		layout_text(w, p, (size_t)(n->open - p));
		next = is_width(n->name) ? behind_columns(t, i, &count) : n->next;
		if (count > 1) {
			p = put_columns(w, t, n->open, i, next);
			end_columns(w, p, p);
			continue;
		}
		put_node(w, t, n);
		p = n->close;
	}
	layout_text(w, p, (size_t)(at->node->end - p));
}

/* The content of a raw module of WPBakery is base64 of percent-encoding, that of Avada base64. */
static void
put_encoded(struct writing *w, const struct node *n)
{
	size_t len = (size_t)(n->end - n->begin), made = 0;
	char *text = stet_alloc(w->call, len + 1);

	if (sodium_base642bin((unsigned char *)text, len, n->begin, len, " \t\r\n", &made, NULL,
		sodium_base64_VARIANT_ORIGINAL) != 0) {
		layout_text(w, n->begin, len);
		return;
	}
	text[made] = '\0';
	layout_raw(w, strcmp(n->name, "fusion_code") == 0 ? text : text_unescape(w->call, text));
}

/* Divi writes the ends of lines of code as comments. */
static void
put_code(struct writing *w, const struct node *n)
{
	static const char *const breaks[] = { "<!-- [et_pb_line_break_holder] -->",
		"<!\xe2\x80\x93- [et_pb_line_break_holder] -\xe2\x80\x93>",
		"<!\xe2\x80\x93 [et_pb_line_break_holder] \xe2\x80\x93>" };
	char *text = stet_printf(w->call, "%.*s", (int)(n->end - n->begin), n->begin), *to = text;

	for (const char *p = text; *p != '\0';) {
		size_t len = 0;

		for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]) && len == 0; i++)
			if (*p == '<' && strncmp(p, breaks[i], strlen(breaks[i])) == 0)
				len = strlen(breaks[i]);
		*to++ = len > 0 ? '\n' : *p;
		p += len > 0 ? len : 1;
	}
	*to = '\0';
	layout_raw(w, text);
}

/* A shortcode that is not known here stays text, so that none of its words is lost. */
static void
put_unknown(struct writing *w, const struct place *at)
{
	const struct node *n = at->node;

	layout_count(w->unknown, n->name);
	layout_text(w, n->open, (size_t)(n->begin - n->open));
	put_inside(w, at);
	layout_text(w, n->end, (size_t)(n->close - n->end));
}

/* Modules of Avada whose content is no text but their heading, their label or the address of their
 * picture. Returns false if it is none. */
static bool
put_avada(struct writing *w, const struct node *n, const char *inside)
{
	const json_t *settings = settings_of(w->call, n);
	const char *size = text_member(w->call, settings, "size");
	char *number = stet_strdup(w->call, text_member(w->call, settings, "image_id"));
	struct picture p = { inside, number, text_member(w->call, settings, "alt"), "",
		text_member(w->call, settings, "link") };

	if (strcmp(n->name, "fusion_title") == 0) {
		layout_heading(w, *size >= '1' && *size <= '6' ? *size - '0' : 2, inside, "");
		return true;
	}
	number[strspn(number, "0123456789")] = '\0'; /* "12|full" */
	if (strcmp(n->name, "fusion_imageframe") != 0 || strpbrk(inside, " <[\n") != NULL ||
	    (*inside == '\0' && *number == '\0'))
		return false;
	layout_picture(w, &p);
	return true;
}

static void
put_module(struct writing *w, const struct place *at)
{
	static const char *const labelled[] = { "et_pb_social_media_follow_network",
		"fusion_button" };
	const struct node *n = at->node;
	struct module m = { n->name, settings_of(w->call, n), put_inside, at, "" };
	const char *inside = stet_printf(w->call, "%.*s", (int)(n->end - n->begin), n->begin);

	if (put_avada(w, n, inside))
		return;
	for (size_t i = 0; i < sizeof(labelled) / sizeof(labelled[0]); i++)
		if (strcmp(n->name, labelled[i]) == 0) {
			m.label = inside;
			m.inside = NULL;
		}
	module_put(w, &m);
}

static const char *const sections[] = { "section", "row", "row_inner", "column", "column_inner",
	"container", "layout_row", NULL };
static const char *const codes[] = { "code", "fullwidth_code", "codeblock", NULL };
static const char *const raws[] = { "raw_html", "raw_js", NULL };
static const char *const modules[] = { "text", "image", "button", "blurb", "heading", "divider",
	"slider", "slide", "fullwidth_slider", "fullwidth_header", "fullwidth_image", "accordion",
	"accordion_item", "toggle", "tabs", "tab", "testimonial", "cta", "team_member", "counters",
	"counter", "number_counter", "circle_counter", "pricing_tables", "pricing_table", "gallery",
	"video", "video_slider", "video_slider_item", "audio", "map", "map_pin", "fullwidth_map",
	"contact_form", "contact_field", "signup", "social_media_follow",
	"social_media_follow_network", "sidebar", "blog", "portfolio", "fullwidth_portfolio",
	"filterable_portfolio", "shop", "search", "login", "comments", "post_slider",
	"fullwidth_post_slider", "post_title", "fullwidth_post_title", "post_nav",
	"countdown_timer", "icon", "menu", "fullwidth_menu", "column_text", "custom_heading",
	"single_image", "btn", "button2", "cta_button", "cta_button2", "images_carousel",
	"separator", "text_separator", "empty_space", "message", "tour", "accordion_tab",
	"tta_tabs", "tta_tour", "tta_accordion", "tta_pageable", "tta_toggle", "tta_section",
	"progress_bar", "pie", "round_chart", "line_chart", "widget_sidebar", "posts_slider",
	"basic_grid", "gmaps", "facebook", "tweetmeme", "pinterest", "googleplus", "flickr",
	"hoverbox", "zigzag", "wp_text", "wp_search", "wp_meta", "wp_recentcomments", "wp_calendar",
	"wp_pages", "wp_tagcloud", "wp_custommenu", "wp_posts", "wp_categories", "wp_archives",
	"wp_rss", /* those of Avada: */ "title", "imageframe", "section_separator", "tagline_box",
	"content_boxes", "content_box", "checklist", "li_item", "testimonials", "person", "alert",
	"youtube", "vimeo", "counters_box", "counter_box", "counters_circle", "counter_circle",
	"progress", "countdown", "recent_posts", "table", "flip_boxes", "flip_box",
	"pricing_column", "pricing_price", "pricing_row", "pricing_footer", "social_links",
	"sharing", "menu_anchor", "gallery_image", "images", "widget_area",
	/* those of Enfold: */ "textblock", "hr", "tab_container", "toggle_container", "iconlist",
	"iconlist_item", "icon_box", "font_icon", "promobox", "notification", "testimonial_single",
	"slideshow", "slideshow_full", "slide_full", "catalogue", "catalogue_item", "contact",
	"google_map", "social_share", "progress_bar", "masonry_gallery", "masonry_entries",
	"horizontal_gallery", "postslider", "magazine", "partner", "partner_logo", "content_slider",
	"content_slide", "cell", "buttonrow", "buttonrow_item", "timeline", "timeline_item", NULL };

static void
put_node(struct writing *w, const struct tree *t, const struct node *n)
{
	const struct place at = { t, n };

	if (is_one_of(n->name, sections) || is_width(n->name)) {
		const json_t *settings = settings_of(w->call, n);
		const char *href = module_address(w, settings), *around = layout_around(w, href);

		module_background(w, settings);
		if (strncmp(n->name, "av_", 3) != 0 && count_columns(t, n) > 1)
			end_columns(w, put_columns(w, t, n->begin, n->first, NONE), n->end);
		else
			put_inside(w, &at);
		layout_behind(w, href, around);
	} else if (is_one_of(n->name, raws) || strcmp(n->name, "fusion_code") == 0) {
		put_encoded(w, n);
	} else if (is_one_of(n->name, codes)) {
		put_code(w, n);
	} else if (is_one_of(n->name, modules)) {
		put_module(w, &at);
	} else {
		put_unknown(w, &at);
	}
}

/* ---- a text ---- */

bool
layout_codes(struct stet_call *call, const char *text, struct layout *l)
{
	struct tree t = { 0 };
	bool any = false;

	if (strchr(text, '[') == NULL) /* most texts */
		return false;
	for (size_t i = 0; i < BUILDERS; i++)
		any |= strstr(text, stet_printf(call, "[%s", builders[i].prefix)) != NULL;
	any = any && read_tree(&t, text);
	if (any) {
		const struct place at = { &t, &t.list[0] };
		struct writing w;
		char *markup;
		size_t len;

		l->builder = builder_of(t.list[1].name)->name;
		layout_begin(&w, call, &markup, &len);
		put_inside(&w, &at);
		layout_end(&w, &markup, l);
	}
	free(t.list);
	return any;
}
