/*
 * markdown_in.c - the blocks of a text, line by line: CommonMark as far as Portable Text goes, and
 * what markdown_out.c writes. Linear in the length of the text.
 */
#include "markdown/markdown.h"
#include <string.h>

struct reader {
	struct stet_call *call;
	const char *s, *end; /* the rest */
	struct block *block;
	size_t count, room;
	struct block open; /* a block whose text is being collected */
	struct text text;
	bool is_open, hard; /* hard: its line ended with a break */
	bool was_quote; /* the line before was one of a quote */
	int indent[LEVEL_MAX]; /* of the items that the next one may be below */
	int levels;
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
flush(struct reader *r)
{
	struct block *b;

	if (!r->is_open)
		return;
	b = add(r, &r->open);
	if (r->text.len > 0 && !line_read(r->call, r->text.s, r->text.len, &b->line))
		r->why = "a " INLINE_MARK "... " MARK_END " is damaged: leave it as it was";
	r->is_open = r->hard = r->was_quote = false;
}

/* A text block begins. */
static void
begin(struct reader *r, const struct block *b)
{
	flush(r);
	r->open = *b;
	r->text = (struct text){ .call = r->call };
	r->is_open = true;
}

/* ---- lines ---- */

struct span {
	const char *s, *end; /* without blanks on either side */
	int indent; /* columns */
	bool hard; /* ends with two blanks or a backslash: a line break */
};

static bool
next_line(struct reader *r, struct span *line, const char **raw_end)
{
	const char *nl;

	if (r->s >= r->end)
		return false;
	nl = memchr(r->s, '\n', (size_t)(r->end - r->s));
	*raw_end = nl != NULL ? nl : r->end;
	*line = (struct span){ .s = r->s, .end = *raw_end };
	r->s = nl != NULL ? nl + 1 : r->end;
	if (line->end > line->s && line->end[-1] == '\r')
		line->end--;
	*raw_end = line->end;
	for (; line->s < line->end && (*line->s == ' ' || *line->s == '\t'); line->s++)
		line->indent += *line->s == ' ' ? 1 : 4 - line->indent % 4;
	line->hard = line->end - line->s > 2 && memcmp(line->end - 2, "  ", 2) == 0;
	while (line->end > line->s && (line->end[-1] == ' ' || line->end[-1] == '\t'))
		line->end--;
	return true;
}

static void
skip_blanks(struct span *line)
{
	while (line->s < line->end && (*line->s == ' ' || *line->s == '\t'))
		line->s++;
}

static size_t
length(const struct span *line)
{
	return (size_t)(line->end - line->s);
}

/* How often its first byte is repeated. */
static size_t
repeated(const struct span *line)
{
	size_t n = 0;

	while (n < length(line) && line->s[n] == *line->s)
		n++;
	return n;
}

static bool
starts(const struct span *line, const char *with)
{
	size_t len = strlen(with);

	return length(line) >= len && memcmp(line->s, with, len) == 0;
}

/* One more line of the text that is open. */
static void
append(struct reader *r, struct span line)
{
	bool slash = length(&line) > 1 && line.end[-1] == '\\' && line.end[-2] != '\\';

	if (r->text.len > 0) /* rows of a table stay apart */
		text_str(&r->text, r->hard || *line.s == '|' ? "\n" : " ");
	r->hard = line.hard || slash;
	text_add(&r->text, line.s, length(&line) - slash);
}

/* ---- kinds of blocks: each says whether the line was its beginning ---- */

static bool
heading(struct span *line, struct block *b)
{
	size_t n = length(line) > 0 && *line->s == '#' ? repeated(line) : 0;

	if (n < 1 || n > 6 || (n < length(line) && line->s[n] != ' ' && line->s[n] != '\t'))
		return false;
	b->heading = (int)n;
	line->s += n;
	skip_blanks(line);
	return true;
}

static bool
quote(struct span *line)
{
	bool is = false;

	while (line->s < line->end && *line->s == '>') {
		is = true;
		line->s++;
		skip_blanks(line);
	}
	return is;
}

/* The sign of a list item; *first: does it begin its list? */
static bool
marker(struct span *line, struct block *b, bool *first)
{
	size_t n = 0, len = length(line);

	*first = true;
	if (len == 0)
		return false;
	if (strchr("-*+", *line->s) != NULL)
		b->bullet = true;
	else {
		while (n < len && n < 9 && line->s[n] >= '0' && line->s[n] <= '9')
			n++;
		if (n == 0 || n >= len || (line->s[n] != '.' && line->s[n] != ')'))
			return false;
		*first = n == 1 && *line->s == '1';
		b->number = true;
	}
	n++;
	if (n < len && line->s[n] != ' ' && line->s[n] != '\t') {
		b->bullet = b->number = false;
		return false;
	}
	line->s += n;
	skip_blanks(line);
	return true;
}

/* The level by the columns of the items above. */
static int
level(struct reader *r, int indent)
{
	while (r->levels > 0 && indent < r->indent[r->levels - 1])
		r->levels--;
	if (r->levels == 0 || (indent >= r->indent[r->levels - 1] + 2 && r->levels < LEVEL_MAX))
		r->indent[r->levels++] = indent;
	return r->levels;
}

static bool
rule(const struct span *line)
{
	size_t n = 0;

	if (length(line) < 3 || strchr("-*_", *line->s) == NULL)
		return false;
	for (const char *p = line->s; p < line->end; p++) {
		if (*p != *line->s && *p != ' ' && *p != '\t')
			return false;
		n += *p == *line->s;
	}
	return n >= 3;
}

/* A line under a paragraph that makes it a heading. */
static bool
underline(struct reader *r, const struct span *line)
{
	const struct block *b = &r->open;

	if (!r->is_open || length(line) < 3 || strchr("=-", *line->s) == NULL ||
	    repeated(line) != length(line) || b->heading > 0 || b->quote || b->bullet || b->number)
		return false;
	r->open.heading = *line->s == '=' ? 1 : 2;
	flush(r);
	return true;
}

/* ![alt](address) and nothing else. */
static bool
image(struct reader *r, const struct span *line)
{
	struct block b = { .kind = B_IMAGE };
	const char *p = line->s + 2;
	char *alt, *to;

	if (!starts(line, "!["))
		return false;
	alt = to = stet_alloc(r->call, length(line));
	for (; p < line->end && *p != ']' && *p != '['; p++) {
		if (*p == '\\' && p + 1 < line->end && strchr("\\[]", p[1]) != NULL)
			p++;
		*to++ = *p;
	}
	if (p >= line->end || *p != ']' ||
	    href_read(r->call, p + 1, line->end, &b.src) != line->end)
		return false;
	b.alt = *alt != '\0' ? alt : NULL;
	flush(r);
	add(r, &b);
	return true;
}

static bool
is_fence_end(const struct span *line, char c, size_t n)
{
	return length(line) >= n && *line->s == c && repeated(line) == length(line);
}

static bool
fence(struct reader *r, const struct span *first)
{
	size_t n = length(first) >= 3 && strchr("`~", *first->s) != NULL ? repeated(first) : 0;
	struct span info = *first, line;
	struct block b = { .kind = B_CODE };
	struct text code = { .call = r->call };
	const char *from = r->s, *raw_end;
	bool any = false;

	info.s += n;
	if (n < 3 || memchr(info.s, '`', length(&info)) != NULL)
		return false;
	skip_blanks(&info);
	flush(r);
	for (; next_line(r, &line, &raw_end); from = r->s, any = true) {
		if (line.indent < 4 && is_fence_end(&line, *first->s, n))
			break;
		for (int i = 0; i < first->indent && from < raw_end && *from == ' '; i++)
			from++;
		text_str(&code, any ? "\n" : "");
		text_add(&code, from, (size_t)(raw_end - from));
	}
	text_str(&code, "");
	b.code = code.s;
	if (length(&info) > 0)
		b.language = stet_strndup(r->call, info.s, length(&info));
	add(r, &b);
	return true;
}

/* What Markdown cannot hold. */
static bool
placeholder(struct reader *r, const struct span *line)
{
	struct block b = { .kind = B_OTHER };
	const char *end = NULL;

	if (!starts(line, BLOCK_MARK))
		return false;
	flush(r);
	b.json = mark_read(r->call, line->s + strlen(BLOCK_MARK), line->end, &end);
	if (b.json == NULL || end != line->end)
		r->why = "a " BLOCK_MARK "... " MARK_END " is damaged: leave it as it was";
	else
		add(r, &b);
	return true;
}

/* ---- the walk ---- */

static void
list_item(struct reader *r, struct block *b, struct span *line)
{
	b->level = level(r, line->indent);
	if (!heading(line, b))
		b->quote = quote(line);
	begin(r, b);
	append(r, *line);
}

static void
paragraph(struct reader *r, const struct span *line)
{
	static const struct block normal = { .kind = B_TEXT };

	if (!r->is_open) {
		if (line->indent == 0)
			r->levels = 0;
		begin(r, &normal);
	}
	append(r, *line);
}

static void
quoted(struct reader *r, struct span *line)
{
	static const struct block quoted_text = { .kind = B_TEXT, .quote = true };

	r->levels = 0;
	if (length(line) == 0) {
		flush(r);
		return;
	}
	if (!r->was_quote)
		begin(r, &quoted_text);
	append(r, *line);
	r->was_quote = true;
}

/* A block that is no text, and is whole by its end. */
static bool
whole(struct reader *r, const struct span *line)
{
	static const struct block line_break = { .kind = B_RULE }, empty = { .kind = B_TEXT };

	if (starts(line, EMPTY_MARK) && length(line) == strlen(EMPTY_MARK)) {
		flush(r);
		add(r, &empty);
		return true;
	}
	if (underline(r, line) || placeholder(r, line) || fence(r, line))
		return true;
	if (rule(line)) {
		flush(r);
		add(r, &line_break);
		return true;
	}
	return !r->is_open && image(r, line);
}

static void
take(struct reader *r, struct span *line)
{
	struct block b = { .kind = B_TEXT };
	const struct span given = *line;
	bool first;

	if (length(line) == 0)
		flush(r);
	else if (whole(r, line)) {
		if (given.indent == 0)
			r->levels = 0;
	} else if (heading(line, &b)) {
		r->levels = 0;
		begin(r, &b);
		append(r, *line);
		flush(r);
	} else if (quote(line))
		quoted(r, line);
	/* A number at the beginning of a line of prose is none of a list. */
	else if (marker(line, &b, &first) && (first || !r->is_open || r->levels > 0))
		list_item(r, &b, line);
	else
		paragraph(r, &given);
}

struct block *
markdown_blocks(
    struct stet_call *call, const char *text, size_t len, size_t *count, const char **why)
{
	struct reader r = { .call = call, .s = text, .end = text + len };
	struct span line;
	const char *raw_end;

	while (r.why == NULL && next_line(&r, &line, &raw_end))
		take(&r, &line);
	flush(&r);
	*count = r.count;
	*why = r.why;
	return r.block;
}
