/*
 * markdown_out.c - writes blocks as Markdown. What was printed is parsed again: if the result
 * differs, the block is printed with tags instead of delimiters, and if it still differs, as JSON.
 */
#include "markdown/markdown.h"
#include <string.h>

/* ---- JSON in a comment ---- */

static void
put_mark(struct text *text, const char *mark, const json_t *json)
{
	struct stet_json *out = stet_json_new(text->call);
	const char *s, *from;
	size_t len;

	stet_put_json(out, NULL, json);
	s = stet_json_text(out, &len);
	text_str(text, mark);
	/* Before version 0.31, CommonMark does not allow "--" inside a comment. */
	for (from = s; (s = strstr(s, "--")) != NULL; from = s += 2) {
		text_add(text, from, (size_t)(s - from) + 1);
		text_str(text, "\\u002d");
	}
	text_str(text, from);
	text_str(text, MARK_END);
}

char *
block_print_json(struct stet_call *call, const json_t *json)
{
	struct text text = { .call = call };

	put_mark(&text, BLOCK_MARK, json);
	return text.s;
}

/* ---- the text of a run ---- */

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (unsigned char)c >= 0x80;
}

static bool
needs_escape(const struct run *run, size_t i)
{
	char c = run->text[i], before = i > 0 ? run->text[i - 1] : '\0',
	     after = i + 1 < run->len ? run->text[i + 1] : '\0';

	switch (c) {
	case '\\':
	case '`':
	case '*':
	case '[':
	case ']':
		return true;
	case '_':
		return !is_alnum(before) || !is_alnum(after);
	case '~': /* a single ~ begins struck-out text */
		return true;
	case '<':
		return after == '\0' || after == '/' || after == '!' || after == '?' ||
		       is_alnum(after);
	case '&':
		return after == '\0' || after == '#' || is_alnum(after);
	case '!':
		return after == '\0';
	default:
		return false;
	}
}

/* Checks if the text would begin another kind of block. Returns the number of bytes before the
 * character to escape, or -1. */
static int
begins_block(const struct run *run)
{
	size_t n = 0;

	if (run->len > 0 && strchr("#>-+=|", run->text[0]) != NULL)
		return 0;
	while (n < run->len && run->text[n] >= '0' && run->text[n] <= '9')
		n++;
	return n > 0 && n < run->len && (run->text[n] == '.' || run->text[n] == ')') ? (int)n : -1;
}

struct place {
	bool first, last; /* the first or last run of the block */
};

static void
put_text(struct text *text, const struct run *run, struct place at)
{
	int begin = at.first ? begins_block(run) : -1;

	for (size_t i = 0; i < run->len; i++) {
		char c = run->text[i];
		bool edge = (at.first && i == 0) || (at.last && i + 1 == run->len);

		if (c == '\n')
			text_str(text, "<br>");
		else if (c == '\r')
			text_str(text, "&#13;");
		else if (edge && (c == ' ' || c == '\t'))
			text_str(text, c == ' ' ? "&#32;" : "&#9;");
		else {
			if ((int)i == begin || needs_escape(run, i))
				text_str(text, "\\");
			text_add(text, &c, 1);
		}
	}
}

static void
put_code(struct text *text, const struct run *run)
{
	size_t most = 0, n = 0;
	bool pad = run->text[0] == '`' || run->text[run->len - 1] == '`' ||
		   (run->text[0] == ' ' && run->text[run->len - 1] == ' ');

	for (size_t i = 0; i < run->len; i++) {
		n = run->text[i] == '`' ? n + 1 : 0;
		most = n > most ? n : most;
	}
	for (n = 0; n <= most; n++)
		text_str(text, "`");
	text_str(text, pad ? " " : "");
	for (size_t i = 0; i < run->len; i++)
		text_add(text, run->text[i] == '\n' ? " " : &run->text[i], 1);
	text_str(text, pad ? " " : "");
	for (n = 0; n <= most; n++)
		text_str(text, "`");
}

static void
put_href(struct text *text, const char *href)
{
	bool plain = *href == '\0' || strpbrk(href, " ()<>\\\t") == NULL;

	text_str(text, plain ? "(" : "(<");
	for (const char *p = href; *p != '\0'; p++) {
		if (!plain && strchr("<>\\", *p) != NULL)
			text_str(text, "\\");
		text_add(text, *p == '\n' || *p == '\r' ? " " : p, 1);
	}
	text_str(text, plain ? ")" : ">)");
}

/* ---- runs ---- */

struct printing {
	struct text *text;
	bool tags;
	size_t link; /* the open link */
	unsigned open; /* the open marks */
	unsigned stack[MARKS], depth; /* the open marks in their order */
};

static void
put_sign(struct printing *p, unsigned bit, bool begin)
{
	const struct mark *mark = &mark_table[bit];

	if (!p->tags && mark->sign != NULL) {
		text_str(p->text, mark->sign);
		return;
	}
	text_str(p->text, begin ? "<" : "</");
	text_str(p->text, mark->tag);
	text_str(p->text, ">");
}

static void
close_but(struct printing *p, unsigned stay)
{
	while ((p->open & ~stay) != 0) {
		unsigned bit = p->stack[--p->depth];

		p->open &= ~(1U << bit);
		put_sign(p, bit, false);
	}
}

static void
open_marks(struct printing *p, unsigned marks)
{
	for (unsigned bit = 0; bit < MARKS; bit++) {
		if ((marks & ~p->open & 1U << bit) == 0)
			continue;
		p->stack[p->depth++] = bit;
		p->open |= 1U << bit;
		put_sign(p, bit, true);
	}
}

/* Closes and opens links. A link encloses all marks. */
static void
turn_link(struct printing *p, const struct line *line, size_t link)
{
	if (p->link == link)
		return;
	close_but(p, 0);
	if (p->link > 0) {
		text_str(p->text, "]");
		put_href(p->text, line->href[p->link - 1]);
	}
	if (link > 0)
		text_str(p->text, "[");
	p->link = link;
}

static void
put_line(struct text *text, const struct line *line, bool tags)
{
	struct printing p = { .text = text, .tags = tags };

	for (size_t i = 0; i < line->count; i++) {
		const struct run *run = &line->run[i];
		bool code = (run->marks & M_CODE) != 0 && !tags;
		unsigned marks = code ? run->marks & ~(unsigned)M_CODE : run->marks;

		turn_link(&p, line, run->link);
		close_but(&p, marks);
		open_marks(&p, marks);
		if (run->object != NULL)
			put_mark(text, INLINE_MARK, run->object);
		else if (code)
			put_code(text, run);
		else
			put_text(text, run,
			    (struct place){ i == 0 && p.depth == 0 && p.link == 0,
				i + 1 == line->count && p.depth == 0 && p.link == 0 });
	}
	turn_link(&p, line, 0);
	close_but(&p, 0);
}

/* ---- blocks ---- */

static void
put_text_block(struct text *text, const struct block *b, bool tags)
{
	if (b->line.count == 0 && !b->bullet && !b->number && !b->quote && b->heading == 0) {
		text_str(text, EMPTY_MARK);
		return;
	}
	text_str(text, b->bullet ? "- " : b->number ? "1. " : "");
	text_add(text, "######", (size_t)b->heading);
	text_str(text, b->heading > 0 ? " " : b->quote ? "> " : "");
	if (b->line.count > 0)
		put_line(text, &b->line, tags);
	else if (b->level > 1) /* a "-" alone would make the item above a heading */
		text_str(text, EMPTY_MARK);
	else /* the blank behind the marker would be trimmed */
		text->s[--text->len] = '\0';
}

static void
put_code_block(struct text *text, const struct block *b)
{
	size_t most = 2, n = 0;

	for (const char *p = b->code; *p != '\0'; p++) {
		n = *p == '`' ? n + 1 : 0;
		most = n > most ? n : most;
	}
	for (n = 0; n <= most; n++)
		text_str(text, "`");
	text_str(text, b->language != NULL ? b->language : "");
	text_str(text, "\n");
	text_str(text, b->code);
	text_str(text, "\n");
	for (n = 0; n <= most; n++)
		text_str(text, "`");
}

static void
put_image(struct text *text, const struct block *b)
{
	text_str(text, "![");
	for (const char *p = b->alt; p != NULL && *p != '\0'; p++) {
		if (strchr("\\[]", *p) != NULL)
			text_str(text, "\\");
		text_add(text, p, 1);
	}
	text_str(text, "]");
	put_href(text, b->src);
}

char *
block_print_as(struct stet_call *call, const struct block *b, bool tags)
{
	struct text text = { .call = call };

	switch (b->kind) {
	case B_TEXT:
		put_text_block(&text, b, tags);
		break;
	case B_CODE:
		put_code_block(&text, b);
		break;
	case B_IMAGE:
		put_image(&text, b);
		break;
	case B_RULE:
		text_str(&text, "---");
		break;
	case B_OTHER:
		return block_print_json(call, b->json);
	}
	return text.s;
}

/* ---- comparing blocks that were read back ---- */

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static const char *
href_of(const struct line *line, size_t i)
{
	return line->run[i].link > 0 ? line->href[line->run[i].link - 1] : NULL;
}

/* Returns true if the link of the previous run continues. */
static bool
goes_on(const struct line *line, size_t i)
{
	return i > 0 && line->run[i].link == line->run[i - 1].link;
}

static bool
same_line(const struct line *a, const struct line *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct run *x = &a->run[i], *y = &b->run[i];

		if ((x->object != NULL) != (y->object != NULL) || goes_on(a, i) != goes_on(b, i) ||
		    !same_text(href_of(a, i), href_of(b, i)))
			return false;
		if (x->object != NULL) {
			if (!json_equal(
				(json_t *)(uintptr_t)x->object, (json_t *)(uintptr_t)y->object))
				return false;
		} else if (x->marks != y->marks || x->len != y->len ||
			   memcmp(x->text, y->text, x->len) != 0)
			return false;
	}
	return true;
}

static bool
same(const struct block *a, const struct block *b)
{
	return a->kind == b->kind && a->heading == b->heading && a->quote == b->quote &&
	       a->bullet == b->bullet && a->number == b->number && same_text(a->code, b->code) &&
	       same_text(a->language, b->language) && same_text(a->src, b->src) &&
	       same_text(a->alt, b->alt) && same_line(&a->line, &b->line);
}

static bool
comes_back(struct stet_call *call, const struct block *b, const char *text)
{
	const char *why;
	size_t count;
	const struct block *back =
	    markdown_blocks(call, text, strlen(text), true, NULL, &count, &why);

	return why == NULL && count == 1 && same(b, &back[0]);
}

char *
block_print(struct stet_call *call, const json_t *json, struct block *b)
{
	char *text = block_print_as(call, b, false);

	if (b->kind == B_OTHER || comes_back(call, b, text))
		return text;
	if (b->kind == B_TEXT) {
		text = block_print_as(call, b, true);
		if (json == NULL || comes_back(call, b, text))
			return text;
	}
	if (json == NULL)
		return text;
	*b = (struct block){ .kind = B_OTHER, .json = json };
	return block_print_json(call, json);
}
