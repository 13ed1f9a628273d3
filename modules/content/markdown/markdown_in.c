/*
 * markdown_in.c - the blocks of a text: what md4c, which reads CommonMark and tables, calls back.
 */
#include "markdown/markdown_reader.h"
#include <string.h>

#define DEPTH_MAX 100 /* lists and quotations that begin in one line */

static int
enter_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;
	const MD_BLOCK_CODE_DETAIL *code = detail;

	switch (type) {
	case MD_BLOCK_QUOTE:
		if (r->in.count > 0)
			reader_flush(r);
		if (r->quotes++ > 0)
			losses_add(r->lost, "a quotation in a quotation");
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
		reader_list(r, type == MD_BLOCK_OL ? detail : NULL);
		break;
	case MD_BLOCK_LI:
		reader_item(r, detail);
		break;
	case MD_BLOCK_TABLE:
		return reader_table(r, detail);
	case MD_BLOCK_TR:
		r->table->rows++;
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD:
		return reader_cell(r, detail);
	case MD_BLOCK_HTML:
		reader_flush(r);
		r->is_html = true;
		r->code = (struct text){ .call = r->call };
		text_str(&r->code, "");
		break;
	case MD_BLOCK_HR:
		reader_flush(r);
		reader_leaves(r, "a rule in a list", "a rule in a quotation");
		reader_add(r, &(struct block){ .kind = B_RULE });
		break;
	case MD_BLOCK_H:
		reader_paragraph(r);
		if (r->quotes > 0)
			losses_add(r->lost, "a quotation around a heading");
		r->open.heading = (int)((const MD_BLOCK_H_DETAIL *)detail)->level;
		r->open.quote = false;
		break;
	case MD_BLOCK_CODE:
		reader_flush(r);
		reader_leaves(r, "code in a list", "code in a quotation");
		r->is_code = true;
		r->code = (struct text){ .call = r->call };
		text_str(&r->code, "");
		r->language = code->info.size > 0 ? reader_attribute(r, &code->info) : NULL;
		break;
	case MD_BLOCK_P:
		reader_paragraph(r);
		break;
	default:
		break;
	}
	return 0;
}

static int
leave_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;

	(void)detail;
	switch (type) {
	case MD_BLOCK_CODE:
		reader_code(r);
		break;
	case MD_BLOCK_HTML:
		reader_html(r);
		break;
	case MD_BLOCK_TABLE:
		reader_add(r, &(struct block){ .kind = B_TABLE, .table = r->table });
		r->table = NULL;
		break;
	case MD_BLOCK_TD:
	case MD_BLOCK_TH:
		reader_cell_end(r);
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
		reader_flush(r);
		r->lists--;
		break;
	case MD_BLOCK_QUOTE:
		reader_flush(r);
		r->quotes--;
		break;
	case MD_BLOCK_LI:
	case MD_BLOCK_P:
	case MD_BLOCK_H:
		reader_flush(r);
		break;
	default:
		break;
	}
	return 0;
}

static unsigned
bit_of(MD_SPANTYPE type)
{
	return type == MD_SPAN_DEL ? 0 : type == MD_SPAN_STRONG ? 1 : type == MD_SPAN_EM ? 2 : 6;
}

/* Counts the bytes of addresses, which references repeat. */
static bool
is_too_much(struct reader *r, const MD_ATTRIBUTE *to, const MD_ATTRIBUTE *title)
{
	r->hrefs += to->size + title->size;
	if (r->hrefs > r->href_max)
		r->why = "has references that would repeat too much";
	return r->why != NULL;
}

static int
enter_link(struct reader *r, const MD_ATTRIBUTE *to, const MD_ATTRIBUTE *title)
{
	const char *href = reader_attribute(r, to);

	if (is_too_much(r, to, title))
		return 1;
	r->link_first = r->in.count;
	r->bare_end = NULL;
	r->in.link = 0;
	if (r->foreign && *href != '\0' && !stet_is_link(href))
		losses_count(r->lost, "a link to an address that pages must not have", "links");
	else
		r->in.link = line_link(r->call, &r->open.line, href,
		    title->size > 0 ? reader_attribute(r, title) : NULL);
	return 0;
}

static int
enter_image(struct reader *r, const MD_SPAN_IMG_DETAIL *image)
{
	if (is_too_much(r, &image->src, &image->title))
		return 1;
	r->image = (struct block){ .kind = B_IMAGE,
		.src = reader_attribute(r, &image->src),
		.title = image->title.size > 0 ? reader_attribute(r, &image->title) : NULL };
	r->alt = (struct text){ .call = r->call };
	text_str(&r->alt, "");
	return 0;
}

static void
leave_image(struct reader *r)
{
	const char *alt = reader_clean(r, r->alt.s, r->alt.len);
	const struct target *link = r->in.link > 0 ? &r->open.line.link[r->in.link - 1] : NULL;
	json_t *object;

	if (r->foreign && !stet_is_source(r->image.src) && !stet_is_link(r->image.src)) {
		losses_count(
		    r->lost, "a picture with an address that pages must not have", "pictures");
		inline_text(&r->in, alt, strlen(alt));
		return;
	}
	object = stet_json_own(r->call, json_typed("image"));
	json_object_set_new(object, "asset", json_pack("{s:s}", "url", r->image.src));
	if (*alt != '\0')
		json_object_set_new(object, "alt", json_string(alt));
	if (r->image.title != NULL && *r->image.title != '\0')
		json_object_set_new(object, "title", json_string(r->image.title));
	if (link != NULL) {
		json_object_set_new(object, "link", json_string(link->href));
		if (link->title != NULL)
			losses_add(r->lost, "the title of a link around a picture");
	}
	inline_put(&r->in, object);
}

static int
enter_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;
	const MD_SPAN_A_DETAIL *a = detail;

	if (!r->is_open || r->in.count == 0)
		reader_paragraph(r);
	reader_line_end(r);
	if (type == MD_SPAN_IMG && r->images++ == 0)
		return enter_image(r, detail);
	if (r->images > 0)
		return 0;
	if (type == MD_SPAN_A)
		return enter_link(r, &a->href, &a->title);
	r->in.depth[bit_of(type)]++;
	return 0;
}

/* A link without a text shows where it goes. */
static void
leave_link(struct reader *r)
{
	const struct target *link = r->in.link > 0 ? &r->open.line.link[r->in.link - 1] : NULL;

	if (r->in.count == r->link_first && link != NULL)
		inline_text(&r->in, link->href, strlen(link->href));
	r->in.link = 0;
}

static int
leave_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;

	(void)detail;
	if (type == MD_SPAN_IMG) {
		if (--r->images == 0)
			leave_image(r);
	} else if (r->images > 0)
		return 0;
	else if (type == MD_SPAN_A)
		leave_link(r);
	else
		r->in.depth[bit_of(type)]--;
	return 0;
}

/*
 * Does a line begin with more signs of lists and quotations than any text has? md4c looks at each
 * open list again for every empty line: 6 s for 65,536 lists and as many lines.
 */
static bool
is_deep(const char *s)
{
	for (; *s != '\0'; s += *s == '\n') {
		int depth = 0;

		for (; *s != '\0' && strchr(" \t>-+*.)0123456789", *s) != NULL; s++)
			depth += *s == '>' ||
				 (strchr("-+*.)", *s) != NULL && (s[1] == ' ' || s[1] == '\t'));
		if (depth > DEPTH_MAX)
			return true;
		s = strchrnul(s, '\n');
	}
	return false;
}

struct block *
markdown_blocks(struct stet_call *call, const char *s, int how, struct losses *lost, size_t *count,
    const char **why)
{
	static const MD_PARSER parser = { .flags = MD_FLAG_STRIKETHROUGH | MD_FLAG_TABLES |
						   MD_FLAG_TASKLISTS |
						   MD_FLAG_PERMISSIVEEMAILAUTOLINKS,
		.enter_block = enter_block,
		.leave_block = leave_block,
		.enter_span = enter_span,
		.leave_span = leave_span,
		.text = reader_text };
	const char *marked = source_mark(call, s, (how & READ_PART) != 0);
	size_t len = strlen(marked);
	struct reader r = { .call = call,
		.source = marked,
		.in = { .call = call },
		.foreign = (how & READ_FOREIGN) != 0,
		.lost = lost,
		.cell_max = 4096 + len / 2,
		.href_max = 2 * len + 4096 };

	if (lost != NULL)
		losses_text(lost, marked);
	if (is_deep(s))
		r.why = "has lists or quotations within each other that are too many";
	else if (md_parse(marked, (MD_SIZE)len, &parser, &r) != 0 && r.why == NULL)
		stet_out_of_memory();
	*count = r.count;
	*why = r.why;
	return r.block;
}
