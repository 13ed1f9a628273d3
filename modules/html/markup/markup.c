/*
 * markup.c - writes blocks as markup. Each unit (a block, a list, a quote of several paragraphs) is
 * read back after it is written. If that gives a different value, the unit is written as
 * stet/block.
 */
#include "markup/part.h"
#include <string.h>

#define LIST_LEVEL_MAX 10

/* ---- text ---- */

static bool
put_inline(struct mk *m, const json_t *block)
{
	return mk_spans(
	    m->out, json_object_get(block, "children"), json_object_get(block, "markDefs"));
}

/* A paragraph or a heading. */
static bool
put_text_block(struct mk *m, const json_t *block)
{
	const char *style = member_text(block, "style");
	bool heading = style[0] == 'h' && style[1] >= '1' && style[1] <= '6' && style[2] == '\0';
	const char *name = heading ? "heading" : "paragraph", *element = heading ? style : "p";
	bool good;

	mk_open(m->out, name,
	    heading && style[1] != '2' ? json_pack("{si}", "level", style[1] - '0') : NULL);
	text_str(m->out, "\n<");
	text_str(m->out, element);
	text_str(m->out, heading ? " class=\"wp-block-heading\">" : ">");
	good = put_inline(m, block);
	text_str(m->out, "</");
	text_str(m->out, element);
	text_str(m->out, ">\n");
	mk_close(m->out, name);
	return good;
}

static bool
put_quote(struct mk *m, const json_t *unit)
{
	const json_t *block;
	bool good = true;
	size_t i;

	mk_open(m->out, "quote", NULL);
	text_str(m->out, "\n<blockquote class=\"wp-block-quote\">");
	json_array_foreach(unit, i, block) good = put_text_block(m, block) && good;
	text_str(m->out, "</blockquote>\n");
	mk_close(m->out, "quote");
	return good;
}

/* ---- lists ---- */

static int64_t
level_of(const json_t *block)
{
	const json_t *level = json_object_get(block, "level");

	return level != NULL ? json_integer_value(level) : 1;
}

struct list {
	struct mk *mk;
	const json_t *items;
	size_t at;
	bool good;
};

static bool
is_number(const json_t *block)
{
	return strcmp(member_text(block, "listItem"), "number") == 0;
}

/* Writes a list from item l->at on: items of this level, as long as they are of one kind, and
 * deeper items as lists in them. */
static void
put_list(struct list *l, int64_t level)
{
	struct text *out = l->mk->out;
	const json_t *item = json_array_get(l->items, l->at);
	bool numbers = is_number(item);

	mk_open(out, "list", numbers ? json_pack("{sb}", "ordered", 1) : NULL);
	text_str(
	    out, numbers ? "\n<ol class=\"wp-block-list\">" : "\n<ul class=\"wp-block-list\">");
	while (item != NULL && level_of(item) >= level &&
	       (level_of(item) > level || is_number(item) == numbers)) {
		mk_open(out, "list-item", NULL);
		text_str(out, "\n<li>");
		if (level_of(item) == level) {
			l->good = put_inline(l->mk, item) && l->good;
			item = json_array_get(l->items, ++l->at);
		}
		while (item != NULL && level_of(item) > level) {
			put_list(l, level + 1);
			item = json_array_get(l->items, l->at);
		}
		text_str(out, "</li>\n");
		mk_close(out, "list-item");
	}
	text_str(out, numbers ? "</ol>\n" : "</ul>\n");
	mk_close(out, "list");
}

static bool
put_lists(struct mk *m, const json_t *unit)
{
	struct list l = { .mk = m, .items = unit, .good = true };
	const json_t *item;
	size_t i;

	json_array_foreach(unit, i, item)
	{
		if (level_of(item) < 1 || level_of(item) > LIST_LEVEL_MAX)
			return false;
	}
	while (l.at < json_array_size(unit)) {
		text_str(m->out, l.at > 0 ? "\n\n" : "");
		put_list(&l, 1);
	}
	return l.good;
}

/* ---- units ---- */

static const struct {
	const char *type;
	mk_writer *write;
} writers[] = {
	{ "image", mk_image },
	{ "gallery", mk_gallery },
	{ "embed", mk_embed },
	{ "code", mk_code },
	{ "pullquote", mk_pullquote },
	{ "htmlBlock", mk_html },
	{ "break", mk_break },
	{ "table", mk_table },
	{ "columns", mk_columns },
	{ "cover", mk_cover },
	{ "buttons", mk_buttons },
	{ "file", mk_file },
};

static bool
is_item(const json_t *block)
{
	return is_type(block, "block") && *member_text(block, "listItem") != '\0';
}

static bool
is_quote(const json_t *block)
{
	return is_type(block, "block") && strcmp(member_text(block, "style"), "blockquote") == 0;
}

static bool
put_unit(struct mk *m, const json_t *unit)
{
	const json_t *first = json_array_get(unit, 0);

	if (is_item(first))
		return put_lists(m, unit);
	if (is_quote(first))
		return put_quote(m, unit);
	if (is_type(first, "block"))
		return put_text_block(m, first);
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (is_type(first, writers[i].type))
			return writers[i].write(m, first);
	return false;
}

/* Replaces the markup from `from` on by a stet/block with the value, which contains the markup, if
 * it then still reads back. If it does not in either form, restores the markup alone. */
static void
keep_unit(struct mk *m, size_t from, const json_t *unit)
{
	struct text shown = { 0 };
	bool good = false;

	text_add(&shown, m->out->s + from, m->out->len - from);
	for (int with_text = 1; with_text >= 0 && !good; with_text--) {
		m->out->len = from;
		mk_open(m->out, "stet/block", json_pack("{sO}", "blocks", unit));
		if (with_text)
			text_add(m->out, shown.s, shown.len);
		mk_close(m->out, "stet/block");
		good = mk_same(m, from, unit, true);
	}
	if (good) {
		m->report->kept++;
	} else {
		m->out->len = from;
		text_add(m->out, shown.s, shown.len);
		m->report->changed++;
	}
	text_free(&shown);
}

static void
write_unit(struct mk *m, const json_t *unit)
{
	size_t from;

	if (m->out->len > 0)
		text_str(m->out, "\n\n");
	from = m->out->len;
	if (!put_unit(m, unit) || !mk_same(m, from, unit, false))
		keep_unit(m, from, unit);
}

/* Returns true if the block belongs to the unit of the block before it. */
static bool
joins(const json_t *before, const json_t *block)
{
	if (is_item(before))
		return is_item(block);
	return is_quote(before) && is_quote(block) && !is_item(block);
}

static void
write_blocks(struct mk *m, const json_t *blocks)
{
	json_t *unit = json_array();
	const json_t *block;
	size_t i;

	json_array_foreach(blocks, i, block)
	{
		if (json_array_size(unit) > 0 && !joins(last_of(unit), block)) {
			write_unit(m, unit);
			(void)json_array_clear(unit);
		}
		(void)json_array_append(unit, (json_t *)(uintptr_t)block);
	}
	if (json_array_size(unit) > 0)
		write_unit(m, unit);
	json_decref(unit);
}

void
markup_write(struct text *out, const json_t *blocks, const struct markup_rules *rules,
    struct markup_report *report)
{
	struct markup_report unused = { 0 };
	struct mk m = { .out = out,
		.rules = rules,
		.report = report != NULL ? report : &unused,
		.blocks = write_blocks };

	text_add(out, "", 0);
	write_blocks(&m, blocks);
}
