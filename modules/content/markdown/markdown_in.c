/*
 * markdown_in.c - parses Markdown to blocks. md4c parses CommonMark and reports its tree by
 * callbacks, which flatten it to a list of blocks: a list item has a level, and a paragraph in a
 * quotation is a block of its own.
 */
#include "markdown/markdown.h"
#include <ctype.h>
#include <md4c.h>
#include <string.h>

#define DEPTH_MAX 100 /* lists and quotations that may begin on one line */
#define DAMAGED(mark) "a " mark "... " MARK_END " is damaged: leave it as it was"

struct reader {
	struct stet_call *call;
	struct block *block;
	size_t count, room;
	struct block open; /* the block whose text is being collected */
	bool is_open, is_heading;
	struct inlines in;
	bool soft; /* a line has ended; the next text follows after a blank */
	size_t quotes, lists; /* open quotations and lists */
	bool number[LEVEL_MAX + 1]; /* whether the list of this level is numbered */
	bool is_code;
	struct text code;
	const char *language;
	bool scripts; /* links that run scripts stay links */
	/* An image becomes a block if it is the whole content of a paragraph. */
	size_t images; /* open images */
	const char *src;
	size_t image_first, image_end; /* tokens of the image */
	bool is_image;
	/* The loss "image inside a text", dropped if the image becomes a block. */
	size_t image_loss;
	struct losses *lost; /* may be NULL */
	bool is_task_possible; /* a list item begins here */
	size_t hrefs, href_max; /* total bytes of link targets, which references repeat */
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

/* Records losses: Portable Text blocks cannot be nested, so a block inside a list or quotation is
 * moved out of it. */
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
	r->in.link = 0; /* the link of the previous block */
	r->in.count = r->in.room = 0;
	r->in.token = NULL;
	r->open.line = (struct line){ 0 };
	memset(r->in.tags, 0, sizeof(r->in.tags));
}

/* Begins a paragraph: the text of a list item that has none yet, or a block of its own. */
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

/* Returns the text of an attribute: a link target, or the info string of a code fence. */
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
	if (r->code.len > 0) /* Removes the last line break. */
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

/* Returns true if a browser would run the link target as a script. Browsers ignore case, spaces and
 * control characters in it. */
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

/* Ends a link. A link without a text shows its target. */
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

/* Adds text that may be a comment which md4c does not recognize, for example an unterminated one.
 * Fails if it has one of our marks. */
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

/* Records syntax of other Markdown dialects, which is plain text here. */
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
	if (r->soft) /* a line break separates rows of a table */
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
 * Returns true if a line begins with more list and quotation markers than real texts have. md4c
 * examines each open list for every empty line: 6 s for 65,536 lists and as many lines.
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
