/*
 * element.c - converts elements and the text in them: paragraphs, headings, quotes and lists.
 * Pictures, players, code and tables go to figure.c and table.c; the text of an unknown element is
 * kept.
 */
#include "flow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define START_DIGITS 9 /* of the number with which a list begins; longer ones are left out */
#define LEVEL_MAX 10 /* of lists; deeper items get this level */

/* Appends the content of an element as separate blocks of this style. */
static void
in_style(struct flow *f, const GumboNode *node, struct style style)
{
	struct style around = f->style;
	bool parted = f->parted;

	flow_break(f);
	f->style = style;
	f->parted = false;
	flow_children(f, node);
	flow_break(f);
	f->style = around;
	f->parted = parted;
}

/* ---- text ---- */

static void
add_text(struct flow *f, const char *s, size_t len)
{
	if (len == 0)
		return;
	if (f->href != NULL && f->link == NULL)
		f->link = para_link(&f->para, f->href, f->blank);
	para_text(&f->para, s, len, f->marks, f->link, f->exact);
}

/* Adds classic text: an empty line ends the paragraph, any other end of a line is a line break. */
static void
add_lines(struct flow *f, const char *s)
{
	for (;;) {
		size_t len = strcspn(s, "\r\n"), blank;

		add_text(f, s, len);
		s += len;
		if (*s == '\0')
			return;
		blank = strspn(s, " \t\r\n");
		len = strspn(s, "\r") + 1;
		if (memchr(s + len, '\n', blank > len ? blank - len : 0) != NULL &&
		    f->c->keys < KEYS_MAX)
			flow_break(f);
		else
			para_newline(&f->para);
		s += blank;
	}
}

static bool
is_skipped(const char *text, const char *skip)
{
	size_t len = strlen(skip);

	text += strspn(text, " \t\r\n");
	return strncmp(text, skip, len) == 0 && text[len + strspn(text + len, " \t\r\n")] == '\0';
}

static void
flow_text(struct flow *f, const char *text)
{
	if (f->skip != NULL && is_skipped(text, f->skip))
		return;
	if (f->classic && !f->cell && !f->exact)
		add_lines(f, text);
	else
		add_text(f, text, strlen(text));
}

/* ---- elements ---- */

static void
flow_link(struct flow *f, const GumboNode *node)
{
	const char *href = node_attribute(node, "href"), *target = node_attribute(node, "target");
	const char *around = f->href;

	if (href == NULL || around != NULL) {
		flow_children(f, node);
		return;
	}
	href += strspn(href, " \t\r\n");
	f->href = stet_is_link(href) ? href : NULL;
	f->blank = target != NULL && strcasecmp(target, "_blank") == 0;
	f->link = NULL;
	flow_children(f, node);
	f->href = NULL;
	f->link = NULL;
}

static void
flow_list(struct flow *f, const GumboNode *node, bool numbers)
{
	struct style style = f->style;
	const char *number = numbers ? node_attribute(node, "start") : NULL;
	int start =
	    number != NULL && strlen(number) <= START_DIGITS ? (int)strtol(number, NULL, 10) : 0;

	if (start < 2) /* a list counts from 1 by itself */
		start = 0;
	style.start = &start;
	style.box = NULL;
	style.name = "normal";
	style.item = numbers ? "number" : "bullet";
	style.level = f->style.item == NULL     ? 1
		      : style.level < LEVEL_MAX ? style.level + 1
						: LEVEL_MAX;
	in_style(f, node, style);
}

/* Returns the checkbox with which an item begins, perhaps in a paragraph; or NULL. */
static const GumboNode *
box_of(const GumboNode *item)
{
	const GumboVector *children = node_children(item);

	for (unsigned i = 0; i < children->length; i++) {
		const GumboNode *child = children->data[i];
		const char *text = node_text(child);

		if (text != NULL && strspn(text, " \t\r\n") == strlen(text))
			continue;
		if (node_is(child, "input") && node_attribute(child, "type") != NULL &&
		    strcasecmp(node_attribute(child, "type"), "checkbox") == 0)
			return child;
		return node_is(child, "p") || node_is(child, "label") ? box_of(child) : NULL;
	}
	return NULL;
}

static void
flow_item(struct flow *f, const GumboNode *node)
{
	struct style style = f->style;
	const GumboNode *input = box_of(node);
	enum box box = input == NULL                              ? NO_BOX
		       : node_attribute(input, "checked") != NULL ? BOX_CHECKED
								  : BOX;

	style.box = &box;
	if (style.item == NULL) {
		style.item = "bullet";
		style.level = 1;
	}
	in_style(f, node, style);
}

static void
flow_quote(struct flow *f, const GumboNode *node)
{
	if (f->pull && !f->cell)
		flow_pullquote(f, node);
	else
		in_style(f, node, (struct style){ .name = "blockquote" });
}

/* The source of a quote: a paragraph after the quote; elsewhere, emphasized text. */
static void
flow_cite(struct flow *f, const GumboNode *node)
{
	struct style around = f->style;

	if (f->cell || strcmp(around.name, "blockquote") != 0) {
		f->marks |= MARK_EM;
		flow_children(f, node);
		f->marks &= ~(unsigned)MARK_EM;
		return;
	}
	flow_break(f);
	f->style = (struct style){ .name = "normal" };
	add_text(f, "\xe2\x80\x94 ", 4);
	f->para.blank = true;
	flow_children(f, node);
	flow_break(f);
	f->style = around;
}

static void
flow_summary(struct flow *f, const GumboNode *node)
{
	unsigned marks = f->marks;

	flow_break(f);
	f->marks |= MARK_STRONG;
	flow_children(f, node);
	flow_break(f);
	f->marks = marks;
}

static void
flow_rule(struct flow *f)
{
	json_t *rule;

	flow_break(f);
	if (f->cell)
		return;
	rule = conv_new(f->c, "break");
	(void)json_object_set_new(rule, "style", json_string("lineBreak"));
	(void)json_array_append_new(f->to, rule);
}

/* Handles an inline element. Returns false if the element is not inline. */
static bool
flow_inline(struct flow *f, const GumboNode *node, const char *name)
{
	unsigned mark = mark_of(name), around = f->marks;

	if (strcmp(name, "br") == 0) {
		para_newline(&f->para);
		return true;
	}
	if (strcmp(name, "a") == 0) {
		flow_link(f, node);
		return true;
	}
	if (strcmp(name, "cite") == 0) {
		flow_cite(f, node);
		return true;
	}
	f->marks |= mark;
	if (mark != 0)
		flow_children(f, node);
	f->marks = around;
	return mark != 0;
}

/* Returns false if the element has no style of its own. */
static bool
flow_styled(struct flow *f, const GumboNode *node, const char *name)
{
	if (name[0] == 'h' && name[1] >= '1' && name[1] <= '6' && name[2] == '\0') {
		static const char *const styles[] = { "h1", "h2", "h3", "h4", "h5", "h6" };

		in_style(f, node, (struct style){ .name = styles[name[1] - '1'] });
	} else if (strcmp(name, "blockquote") == 0) {
		flow_quote(f, node);
	} else if (strcmp(name, "ul") == 0 || strcmp(name, "ol") == 0) {
		flow_list(f, node, name[0] == 'o');
	} else if (strcmp(name, "li") == 0) {
		flow_item(f, node);
	} else if (strcmp(name, "hr") == 0) {
		flow_rule(f);
	} else if (strcmp(name, "summary") == 0) {
		flow_summary(f, node);
	} else {
		return false;
	}
	return true;
}

static const struct {
	const char *name;
	void (*flow)(struct flow *, const GumboNode *);
} objects[] = {
	{ "img", flow_image },
	{ "figure", flow_figure },
	{ "table", flow_table },
	{ "video", flow_media },
	{ "audio", flow_media },
	{ "iframe", flow_media },
	{ "object", flow_media },
	{ "embed", flow_media },
	{ "stet-gallery", flow_gallery },
	{ "stet-embed", flow_address },
	{ "stet-span", flow_split },
};

static bool
flow_object(struct flow *f, const GumboNode *node, const char *name)
{
	if (strcmp(name, "pre") == 0 && !f->cell) {
		flow_code(f, node, NULL);
		return true;
	}
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		if (strcmp(objects[i].name, name) != 0)
			continue;
		objects[i].flow(f, node);
		return true;
	}
	return false;
}

void
element_convert(struct flow *f, const GumboNode *node)
{
	const char *text = node_text(node), *name = node_name(node);
	char own[32];

	if (text != NULL)
		flow_text(f, text);
	if (name == NULL || node_is_hidden(node))
		return;
	/* Copy the name: the next call of node_name overwrites it. */
	(void)snprintf(own, sizeof(own), "%s", name);
	if (flow_inline(f, node, own) || flow_object(f, node, own) || flow_styled(f, node, own))
		return;
	if (node_is_block(node))
		in_style(f, node, f->style);
	else
		flow_children(f, node);
}
