/*
 * markdown_in.c - the blocks of a text. md4c reads CommonMark and calls back; here its tree becomes
 * a flat list of blocks: an item has a level, a paragraph of a quote is one by itself.
 */
#include "markdown/markdown.h"
#include <ctype.h>
#include <md4c.h>
#include <string.h>

#define DEPTH_MAX 100 /* lists and quotations that begin in one line */
#define DAMAGED(mark) "a " mark "... " MARK_END " is damaged: leave it as it was"

struct reader {
	struct stet_call *call;
	struct block *block;
	size_t count, room;
	struct block open; /* whose text is being collected */
	bool is_open, is_heading;
	struct inlines in;
	bool soft; /* a line ended */
	size_t quotes, lists; /* that are open */
	bool number[LEVEL_MAX + 1]; /* is the list of this level numbered? */
	bool is_code;
	struct text code;
	const char *language;
	bool scripts; /* links that run something are links */
	/* An image is a block if it is a paragraph's all. */
	size_t images; /* that are open */
	const char *src;
	size_t image_first, image_end; /* its tokens */
	bool is_image;
	size_t image_loss; /* that it stands in a text, which is not yet known to be true */
	struct losses *lost; /* or NULL */
	bool is_task_possible; /* an item begins */
	size_t hrefs, href_max; /* bytes of them, which references repeat */
	const char *why;
};

static struct block *
add(struct reader *r, const struct block *b)
{
	if (r->count == r->room) {
		struct block *more;

		r->room = r->room > 0 ? r->room * 2 : 8;
		more = stet_alloc(r->call, r->room * sizeof(*more));
		if (r->count > 0)
			memcpy(more, r->block, r->count * sizeof(*more));
		r->block = more;
	}
	r->block[r->count] = *b;
	return &r->block[r->count++];
}

static void
add_image(struct reader *r)
{
	struct text alt = { .call = r->call };

	for (size_t i = 0; i < r->image_end; i++)
		text_add(&alt, r->in.token[i].run.text, r->in.token[i].run.len);
	add(r, &(struct block){ .kind = B_IMAGE, .src = r->src, .alt = alt.s });
	losses_drop(r->lost, r->image_loss);
}

/* Blocks of Portable Text do not stand in each other: what is in a list or quotation leaves it. */
static void
leaves(struct reader *r, const char *list, const char *quote)
{
	if (r->lists > 0)
		losses_add(r->lost, list);
	else if (r->quotes > 0)
		losses_add(r->lost, quote);
}

static void
flush(struct reader *r)
{
	const struct block *b = &r->open;

	if (!r->is_open)
		return;
	r->is_open = false;
	if (r->is_image && r->image_end == r->in.count && !b->bullet && !b->number && !b->quote &&
	    b->heading == 0)
		add_image(r);
	else
		inline_runs(&r->in, &add(r, b)->line);
}

static void
begin(struct reader *r, const struct block *b)
{
	flush(r);
	r->open = *b;
	r->open.quote = r->quotes > 0;
	r->is_open = true;
	r->soft = r->is_image = false;
	r->in.link = 0; /* of the block before */
	r->in.count = r->in.room = 0;
	r->in.token = NULL;
	r->open.line = (struct line){ 0 };
	memset(r->in.tags, 0, sizeof(r->in.tags));
}

/* A paragraph: of an item that has no text yet, or one by itself. */
static void
paragraph(struct reader *r)
{
	static const struct block normal = { .kind = B_TEXT };

	if (!r->is_open || r->in.count > 0) {
		if (r->lists > 0)
			losses_add(r->lost, "a paragraph in a list item, which stands behind it");
		begin(r, &normal);
	}
	r->open.quote = r->quotes > 0;
}

static void
item(struct reader *r)
{
	size_t level = r->lists < LEVEL_MAX ? r->lists : LEVEL_MAX;
	bool number = r->number[level];

	begin(r, &(struct block){
		     .kind = B_TEXT, .bullet = !number, .number = number, .level = (int)level });
	r->is_task_possible = true;
	if (r->lists > LEVEL_MAX)
		losses_add(r->lost, "a list deeper than ten levels");
}

static void
list(struct reader *r, const MD_BLOCK_OL_DETAIL *number)
{
	flush(r);
	if (number != NULL && number->start != 1)
		losses_add(r->lost, "the number with which a list begins");
	r->lists++;
	if (r->lists <= LEVEL_MAX)
		r->number[r->lists] = number != NULL;
}

/* The text of an attribute: an address, or what stands behind a fence. */
static char *
attribute(struct reader *r, const MD_ATTRIBUTE *a)
{
	struct text text = { .call = r->call };

	text_str(&text, "");
	for (size_t i = 0; a->text != NULL && a->substr_offsets[i] < a->size; i++) {
		const char *s = a->text + a->substr_offsets[i];
		size_t len = a->substr_offsets[i + 1] - a->substr_offsets[i];

		if (a->substr_types[i] == MD_TEXT_ENTITY)
			text_str(&text, entity_text(r->call, s, len));
		else
			text_add(&text, s, len);
	}
	return text.s;
}

/* ---- what md4c calls ---- */

static int
enter_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;
	const MD_BLOCK_CODE_DETAIL *code = detail;

	switch (type) {
	case MD_BLOCK_QUOTE:
		if (r->in.count > 0)
			flush(r);
		if (r->quotes++ > 0)
			losses_add(r->lost, "a quotation in a quotation");
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
		list(r, type == MD_BLOCK_OL ? detail : NULL);
		break;
	case MD_BLOCK_LI:
		item(r);
		break;
	case MD_BLOCK_HR:
		flush(r);
		leaves(r, "a rule in a list", "a rule in a quotation");
		add(r, &(struct block){ .kind = B_RULE });
		break;
	case MD_BLOCK_H:
		paragraph(r);
		if (r->quotes > 0)
			losses_add(r->lost, "a quotation around a heading");
		r->open.heading = (int)((const MD_BLOCK_H_DETAIL *)detail)->level;
		r->open.quote = false;
		break;
	case MD_BLOCK_CODE:
		flush(r);
		leaves(r, "code in a list", "code in a quotation");
		r->is_code = true;
		r->code = (struct text){ .call = r->call };
		text_str(&r->code, "");
		r->language = code->info.size > 0 ? attribute(r, &code->info) : NULL;
		break;
	case MD_BLOCK_P:
		paragraph(r);
		break;
	default:
		break;
	}
	return 0;
}

static void
add_code(struct reader *r)
{
	if (r->code.len > 0) /* the last line's end */
		r->code.s[--r->code.len] = '\0';
	add(r, &(struct block){ .kind = B_CODE, .code = r->code.s, .language = r->language });
	r->is_code = false;
}

static int
leave_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;

	(void)detail;
	switch (type) {
	case MD_BLOCK_CODE:
		add_code(r);
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
		flush(r);
		r->lists--;
		break;
	case MD_BLOCK_QUOTE:
		flush(r);
		r->quotes--;
		break;
	case MD_BLOCK_LI:
	case MD_BLOCK_P:
	case MD_BLOCK_H:
		flush(r);
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

/* Would a browser run the address? It ignores case, spaces and control characters in it. */
static bool
is_script(const char *href)
{
	static const char *const schemes[] = { "javascript:", "vbscript:" };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		const char *want = schemes[i], *p = href;

		while (*want != '\0' && *p != '\0' &&
		       ((unsigned char)*p <= ' ' || tolower((unsigned char)*p) == *want))
			want += (unsigned char)*p++ > ' ';
		if (*want == '\0')
			return true;
	}
	return false;
}

static int
enter_link(struct reader *r, const MD_ATTRIBUTE *to, const MD_ATTRIBUTE *title, bool image)
{
	const char *href;
	bool runs;

	r->hrefs += to->size;
	if (r->hrefs > r->href_max) {
		r->why = "has references that would repeat too much";
		return 1;
	}
	href = attribute(r, to);
	r->is_image = image && r->in.count == 0;
	r->src = href;
	r->image_first = r->in.count;
	runs = !r->scripts && is_script(href);
	r->in.link = runs ? 0 : line_link(r->call, &r->open.line, href);
	if (runs)
		losses_add(r->lost, "a link that would run a script");
	if (title->size > 0)
		losses_add(r->lost, image ? "the title of a picture" : "the title of a link");
	if (image)
		r->image_loss = losses_add(r->lost, "a picture in a text, which is a link to it");
	return 0;
}

static int
enter_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;
	const MD_SPAN_IMG_DETAIL *image = detail;
	const MD_SPAN_A_DETAIL *a = detail;

	if (!r->is_open || r->in.count == 0)
		paragraph(r);
	r->is_task_possible = false;
	if (type == MD_SPAN_IMG && r->images++ == 0) {
		if (r->in.link == 0)
			return enter_link(r, &image->src, &image->title, true);
		losses_add(r->lost, "a picture in a link");
		return 0;
	}
	if (r->images > 0)
		return 0;
	if (type == MD_SPAN_A)
		return enter_link(r, &a->href, &a->title, false);
	r->in.depth[bit_of(type)]++;
	return 0;
}

/* A link without a text shows where it goes. */
static void
leave_link(struct reader *r)
{
	r->image_end = r->in.count;
	if (r->in.count == r->image_first && !r->is_image)
		inline_text(&r->in, r->src, strlen(r->src));
	r->in.link = 0;
}

static int
leave_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct reader *r = arg;

	(void)detail;
	if (type == MD_SPAN_IMG) {
		if (--r->images == 0)
			leave_link(r);
	} else if (r->images > 0)
		return 0;
	else if (type == MD_SPAN_A)
		leave_link(r);
	else
		r->in.depth[bit_of(type)]--;
	return 0;
}

/* ---- comments ---- */

static bool
starts(const char *s, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(s, with, strlen(with)) == 0;
}

static void
placeholder(struct reader *r, const char *s, size_t len)
{
	struct block b = { .kind = B_OTHER, .json = mark_read(r->call, s, BLOCK_MARK, len) };

	if (b.json == NULL) {
		r->why = DAMAGED(BLOCK_MARK);
		return;
	}
	if (r->in.count > 0)
		flush(r);
	r->is_open = false;
	add(r, &b);
}

static void
html(struct reader *r, const char *s, size_t len)
{
	if (starts(s, len, BLOCK_MARK))
		placeholder(r, s, len);
	else if (starts(s, len, EMPTY_MARK)) {
		if (!r->is_open || r->in.count > 0)
			paragraph(r);
		flush(r);
	} else if (!starts(s, len, INLINE_MARK))
		inline_tag(&r->in, s, len);
	else if (!inline_object(&r->in, s, len))
		r->why = DAMAGED(INLINE_MARK);
}

/* A comment that has no end, or one that md4c does not take for one, is a text to it. */
static void
plain(struct reader *r, const char *s, size_t len)
{
	if (memmem(s, len, BLOCK_MARK, strlen(BLOCK_MARK)) != NULL)
		r->why = DAMAGED(BLOCK_MARK);
	else if (memmem(s, len, INLINE_MARK, strlen(INLINE_MARK)) != NULL)
		r->why = DAMAGED(INLINE_MARK);
	else
		inline_text(&r->in, s, len);
}

/* Records signs that other readers of Markdown know, and that are text here. */
static void
unknown(struct reader *r, const char *s)
{
	if (r->soft && losses_is_table(r->lost, s))
		losses_add(r->lost, "a table, whose rows are lines of text");
	if (r->is_task_possible && losses_is_task(r->lost, s))
		losses_add(r->lost, "the box of a task, which is text");
	r->is_task_possible = false;
	losses_at(r->lost, s);
}

static int
text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE len, void *arg)
{
	struct reader *r = arg;
	const char *entity;

	losses_at(r->lost, s);
	if (r->is_code) {
		text_add(&r->code, s, len);
		return 0;
	}
	if (!r->is_open || r->in.count == 0)
		paragraph(r);
	unknown(r, s);
	if (r->soft) /* rows of a table stay apart */
		inline_text(&r->in, len > 0 && *s == '|' ? "\n" : " ", 1);
	r->soft = false;
	switch (type) {
	case MD_TEXT_BR:
		inline_text(&r->in, "\n", 1);
		break;
	case MD_TEXT_SOFTBR:
		r->soft = true;
		break;
	case MD_TEXT_ENTITY:
		entity = entity_text(r->call, s, len);
		inline_text(&r->in, entity, strlen(entity));
		break;
	case MD_TEXT_HTML:
		html(r, s, len);
		break;
	case MD_TEXT_CODE:
		inline_text(&r->in, s, len);
		break;
	default:
		plain(r, s, len);
		break;
	}
	return r->why != NULL;
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
markdown_blocks(struct stet_call *call, const char *s, size_t len, bool scripts,
    struct losses *lost, size_t *count, const char **why)
{
	static const MD_PARSER parser = { .flags = MD_FLAG_NOHTMLBLOCKS | MD_FLAG_STRIKETHROUGH,
		.enter_block = enter_block,
		.leave_block = leave_block,
		.enter_span = enter_span,
		.leave_span = leave_span,
		.text = text };
	struct reader r = { .call = call,
		.in = { .call = call },
		.scripts = scripts,
		.lost = lost,
		.href_max = 2 * len + 4096 };

	if (is_deep(s))
		r.why = "has lists or quotations within each other that are too many";
	else if (md_parse(s, (MD_SIZE)len, &parser, &r) != 0 && r.why == NULL)
		stet_out_of_memory();
	*count = r.count;
	*why = r.why;
	return r.block;
}
