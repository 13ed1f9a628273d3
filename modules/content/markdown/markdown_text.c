/*
 * markdown_text.c - the text of a block as md4c gives it, piece by piece: with our comments, and
 * with footnotes, which markdown_source.c has marked.
 */
#include "markdown/markdown_reader.h"
#include <string.h>

#define DAMAGED(mark) "a " mark "... " MARK_END " is damaged: leave it as it was"

/* A line that ended is a blank before what follows. */
void
reader_line_end(struct reader *r)
{
	if (r->soft)
		inline_text(&r->in, " ", 1);
	r->soft = false;
}

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
		reader_flush(r);
	r->is_open = false;
	reader_add(r, &b);
}

static void
html(struct reader *r, const char *s, size_t len)
{
	if (r->table != NULL && (starts(s, len, BLOCK_MARK) || starts(s, len, EMPTY_MARK)))
		inline_text(&r->in, s, len);
	else if (starts(s, len, BLOCK_MARK))
		placeholder(r, s, len);
	else if (starts(s, len, EMPTY_MARK)) {
		if (!r->is_open || r->in.count > 0)
			reader_paragraph(r);
		reader_flush(r);
	} else if (!starts(s, len, INLINE_MARK))
		inline_tag(&r->in, s, len);
	else if (!inline_object(&r->in, s, len))
		r->why = DAMAGED(INLINE_MARK);
}

/* In the cell of a table, a bar in code has a backslash, which md4c leaves there. */
static void
put_code(struct reader *r, const char *s, size_t len)
{
	const char *bar;

	s = source_clean(r->call, s, &len);
	while (r->table != NULL && (bar = memmem(s, len, "\\|", 2)) != NULL) {
		inline_text(&r->in, s, (size_t)(bar - s));
		len -= (size_t)(bar + 1 - s);
		s = bar + 1;
		inline_text(&r->in, s, 1);
		s++;
		len--;
	}
	inline_text(&r->in, s, len);
}

/* The length of the label between marks that a piece begins with, or 0. */
static size_t
label_of(const char *s, size_t len)
{
	const char *end =
	    len > 2 && memcmp(s, NOTE_BEGIN, 2) == 0 ? memmem(s + 2, len - 2, NOTE_END, 2) : NULL;

	return end != NULL ? (size_t)(end - s) - 2 : 0;
}

/* Goes on with the footnote before this paragraph, which has no text yet. */
static size_t
resume_note(struct reader *r)
{
	if (r->count == 0 || r->block[r->count - 1].kind != B_NOTE)
		return 0;
	r->open = r->block[--r->count];
	r->open.line.run = NULL;
	r->open.line.count = r->open.line.room = 0;
	r->in = r->note;
	inline_text(&r->in, "\n\n", 2);
	return 1;
}

static size_t
open_note(struct reader *r, const char *s, size_t len, size_t label)
{
	r->is_open &= r->in.count > 0;
	reader_begin(
	    r, &(struct block){ .kind = B_NOTE, .label = stet_strndup(r->call, s + 2, label) });
	return label + 5 + (label + 5 < len && s[label + 5] == ' ');
}

/* Does the piece begin a footnote, or another paragraph of one? Returns the bytes that say so. */
static size_t
begin_note(struct reader *r, const char *s, size_t len)
{
	size_t n = label_of(s, len);
	const bool fresh = r->is_open && r->in.count == 0 && r->open.heading == 0;

	if (r->table != NULL || r->lists > 0 || r->quotes > 0 || !(fresh || r->soft))
		return 0;
	if (n > 0)
		return n + 4 < len && s[n + 4] == ':' ? open_note(r, s, len, n) : 0;
	if (!fresh || len == 0 || *s != *NOTE_MORE)
		return 0;
	return resume_note(r);
}

/* Puts text with its references to footnotes. */
static void
put_pieces(struct reader *r, const char *s, size_t len)
{
	const char *from = s, *end = s + len;
	size_t n;

	for (; s < end; s++) {
		n = label_of(s, (size_t)(end - s));
		if (n == 0)
			continue;
		reader_bare(r, from, (size_t)(s - from));
		inline_put(&r->in,
		    stet_json_own(r->call, json_pack("{s:s, s:o}", "_type", "footnoteReference",
					       "label", json_stringn(s + 2, n))));
		s += n + 3;
		from = s + 1;
	}
	reader_bare(r, from, (size_t)(end - from));
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
		put_pieces(r, s, len);
}

/* The text of a picture. */
static void
add_alt(struct reader *r, MD_TEXTTYPE type, const char *s, size_t len)
{
	if (type == MD_TEXT_ENTITY)
		text_str(&r->alt, entity_text(r->call, s, len));
	else if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
		text_str(&r->alt, " ");
	else if (type != MD_TEXT_HTML)
		text_add(&r->alt, s, len);
}

/* Puts a tag or comment, which comes line by line. */
static void
put_tag(struct reader *r, const char *s, size_t len)
{
	size_t all;

	if (r->tag.len > 0 || len == 0 || s[len - 1] != '>') {
		text_add(&r->tag, s, len);
		if (len == 0 || s[len - 1] != '>')
			return;
		s = r->tag.s;
		len = r->tag.len;
		r->tag = (struct text){ .call = r->call };
	}
	all = len;
	s = source_clean(r->call, s, &all);
	html(r, s, all);
}

static void
put(struct reader *r, MD_TEXTTYPE type, const char *s, size_t len)
{
	const char *entity;

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
	case MD_TEXT_NULLCHAR:
		inline_text(&r->in, "\xef\xbf\xbd", 3);
		break;
	case MD_TEXT_HTML:
		put_tag(r, s, len);
		break;
	case MD_TEXT_CODE:
		put_code(r, s, len);
		break;
	default:
		plain(r, s, len);
		break;
	}
}

int
reader_text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE size, void *arg)
{
	struct reader *r = arg;
	size_t len = size, begun;

	losses_at(r->lost, s);
	reader_bare_end(r, s);
	if (r->is_code || r->is_html) {
		text_add(&r->code, s, len);
		return 0;
	}
	if (len == 1 && *s == *GUARD)
		return 0;
	if (r->images > 0) {
		add_alt(r, type, s, len);
		return 0;
	}
	begun = type == MD_TEXT_NORMAL ? begin_note(r, s, len) : 0;
	if (begun == 0) {
		if (!r->is_open || r->in.count == 0)
			reader_paragraph(r);
		reader_line_end(r);
	}
	put(r, type, s + begun, len - begun);
	return r->why != NULL;
}
