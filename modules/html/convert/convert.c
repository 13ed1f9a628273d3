/*
 * convert.c - converts a text block by block: the name of a block selects its handler. A block of
 * text is converted from the HTML in it, so that wrong comments of inner blocks do no harm. A
 * container converts its inner blocks.
 */
#include "addresses.h"
#include "blocks.h"
#include "handle.h"
#include "trees.h"
#include <string.h>

#define VALUES_TOLD 50

/* ---- blocks without a handler ---- */

/* Appends a paragraph with a text of the attributes, as a link if `url` is not empty. */
static void
put_label(struct work *w, json_t *to, const char *label, const char *url)
{
	struct flow f;

	flow_begin(&f, &w->conv, to);
	if (*url != '\0' && stet_is_link(url))
		f.link = para_link(&f.para, url, false);
	para_text(&f.para, label, strlen(label), 0, f.link, false);
	flow_end(&f);
}

/* How deep a value is, up to `most`. */
static int
depth_of(const json_t *value, int most)
{
	json_t *mutable = (json_t *)(uintptr_t)value, *inner;
	int deepest = 0, depth;
	const char *key;
	size_t i;

	if (most == 0)
		return 0;
	json_object_foreach(mutable, key, inner) if ((depth = depth_of(inner, most - 1)) > deepest)
	    deepest = depth;
	json_array_foreach(value, i, inner) if ((depth = depth_of(inner, most - 1)) > deepest)
	    deepest = depth;
	return 1 + deepest;
}

/* Keeps a block whose words are only in its attributes, as those of ACF: they would show nothing
 * here. */
static void
put_values(struct work *w, const struct block *b, json_t *to, json_t *attributes)
{
	put_raw(w, b, to);
	w->conv.report->unknown++;
	if (depth_of(attributes, 16) < 16)
		(void)json_object_set(last_of(to), "originalAttrs", attributes);
}

/* A dynamic block, whose content the site renders. Keeps what the editor typed: the texts and the
 * url in its attributes. */
static void
put_dynamic(struct work *w, const struct block *b, json_t *to)
{
	static const char *const texts[] = { "label", "content", "text", "title", "placeholder",
		"buttonText", "moreText" };
	json_t *attributes = block_attributes(b);
	const char *url = member_text(attributes, "url");
	bool any = false;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *text = member_text(attributes, texts[i]);

		if (*text == '\0')
			continue;
		put_label(w, to, text, url);
		any = true;
	}
	if (!any && *url != '\0')
		put_label(w, to, url, url);
	else if (!any && json_object_size(json_object_get(attributes, "data")) > 0)
		put_values(w, b, to, attributes);
	json_decref(attributes);
}

static bool
is_empty(const struct block *b)
{
	for (const char *p = b->begin; p < b->end; p++)
		if (*p == '\0' || strchr(" \t\r\n", *p) == NULL)
			return false;
	return true;
}

static void
put_unknown(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes;

	if (b->first != NO_BLOCK) {
		put_children(w, b, to, to, false);
		return;
	}
	if (is_empty(b)) {
		put_dynamic(w, b, to);
		return;
	}
	put_raw(w, b, to);
	w->conv.report->unknown++;
	attributes = block_attributes(b);
	if (json_object_size(attributes) > 0 && depth_of(attributes, 16) < 16)
		(void)json_object_set(last_of(to), "originalAttrs", attributes);
	json_decref(attributes);
}

static void
convert_block(struct work *w, const struct block *b, json_t *to)
{
	const struct handler *h = handler_of(b);

	if (w->conv.keys >= KEYS_MAX) {
		if (!is_empty(b))
			put_raw(w, b, to);
	} else if (h == NULL) {
		put_unknown(w, b, to);
	} else {
		h->put(w, b, to);
	}
}

/* ---- the whole ---- */

/* Text outside of blocks is classic text: all of it, if the text has no comments of blocks. The
 * caller frees w->blocks. */
static json_t *
convert(const char *text, size_t len, struct work *w)
{
	struct convert_report *counts = w->conv.report;
	json_t *out = json_array();

	*counts = (struct convert_report){ 0 };
	blocks_read(&w->blocks, text, len);
	put_children(w, &w->blocks.list[0], out, out, true);
	addresses_clean(out);
	counts->flattened += (int64_t)w->blocks.passed;
	counts->blocks = (int64_t)json_array_size(out);
	return out;
}

enum stet_status
convert_text(struct stet_call *call, const char *text, size_t len,
    const struct convert_rules *rules, struct convert_report *report, json_t **out)
{
	struct convert_report unused;
	struct work w = { .conv = { .rules = rules,
			      .report = report != NULL ? report : &unused,
			      .element = element_convert },
		.block = convert_block };

	(void)call;
	*out = convert(text, len, &w);
	blocks_free(&w.blocks);
	return STET_OK;
}

/* Adds the blocks that are kept by their attributes alone to the list, which may be NULL. */
static void
tell_values(const json_t *blocks, json_t **list)
{
	for (size_t i = 0; i < json_array_size(blocks); i++) {
		const json_t *block = json_array_get(blocks, i);

		if (!is_type(block, "htmlBlock") || *member_text(block, "html") != '\0' ||
		    json_object_get(block, "originalAttrs") == NULL)
			continue;
		if (*list == NULL)
			*list = json_array();
		if (json_array_size(*list) < VALUES_TOLD)
			(void)json_array_append_new(
			    *list, json_sprintf("block: %s, whose words are kept in its attributes",
				       member_text(block, "originalBlockName")));
	}
}

void
convert_checked(const char *text, size_t len, json_t **out, json_t **lost,
    struct stet_html_counts *shown, struct stet_html_counts *missing)
{
	struct convert_report unused;
	struct work w = { .conv = { .report = &unused, .element = element_convert },
		.block = convert_block };
	struct trees trees;

	trees_begin(&trees, text, len);
	w.conv.trees = &trees;
	*out = convert(text, len, &w);
	*lost = check_value(text, len, &w.blocks, *out, &trees, shown, missing);
	blocks_free(&w.blocks);
	tell_values(*out, lost);
	trees_end(&trees);
}
