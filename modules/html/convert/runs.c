/*
 * runs.c - runs of plain text in HTML, which the parser gets as one character each.
 *
 * A run begins with a character that is no blank. All that follows in the run has the same meaning
 * for the parser as that character: text in the same place. In place of the runs are characters of
 * a private area, from U+E000 on. HTML that has such a character, or a numeric reference, which may
 * yield one, is parsed as it is.
 */
#include "runs.h"
#include <string.h>

#define RUN_LEAST 6 /* bytes; shorter runs are not worth it */
#define NAME_MOST 40 /* bytes; names of references are shorter */
#define MARK_FIRST 0xee /* first byte of the characters in place of runs; no run has it */
#define MARK_LENGTH 3 /* bytes */

void
runs_begin(struct runs *runs)
{
	runs->whole = (struct text){ 0 };
	runs_clear(runs);
}

void
runs_end(struct runs *runs)
{
	text_free(&runs->whole);
}

void
runs_clear(struct runs *runs)
{
	runs->count = 0;
}

/* ---- finding runs ---- */

static bool
is_plain(unsigned char c)
{
	return c >= ' ' ? c != '&' && c != '<' && c != 0x7f : c == '\n' || c == '\t';
}

/* Returns the length of the character at p if it may be part of a run, or 0. Others begin markup,
 * or the parser replaces them: controls, code points without a character, invalid bytes. */
static size_t
plain_length(const unsigned char *p, const unsigned char *end)
{
	size_t len = *p < 0xe0 ? 2 : 3;

	if (*p < 0x80)
		return is_plain(*p);
	if (*p < 0xc2 || *p > 0xec || (size_t)(end - p) < len)
		return 0;
	if ((*p == 0xc2 || *p == 0xe0) && p[1] < 0xa0)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

static bool
is_of_name(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Returns the position after the character at p, which is not plain; after all bytes that the
 * parser may take for a reference if it is an ampersand. */
static const unsigned char *
skip_other(const unsigned char *p, const unsigned char *end)
{
	if (*p++ != '&')
		return p;
	while (p < end && is_of_name(*p))
		p++;
	return p < end && *p == ';' ? p + 1 : p;
}

/* The text may continue a reference that a comment interrupts: the fence leaves out comments.
 * Returns the position of its ampersand, or p. */
static const unsigned char *
begin_of(const unsigned char *html, const unsigned char *p)
{
	const unsigned char *before = p;

	while (before > html && p - before < NAME_MOST && is_of_name(before[-1]))
		before--;
	return before > html && before[-1] == '&' ? before - 1 : p;
}

void
runs_add(struct runs *runs, const struct text *piece, size_t from)
{
	const unsigned char *html = (const unsigned char *)piece->s, *end = html + piece->len;
	const unsigned char *p = begin_of(html, html + from), *run;
	size_t len;

	while (p < end) {
		while (p < end && (*p == ' ' || *p == '\n' || *p == '\t'))
			p++;
		for (run = p; p < end && (len = plain_length(p, end)) > 0;)
			p += len;
		if ((size_t)(p - run) >= RUN_LEAST && runs->count < RUNS_MOST)
			runs->list[runs->count++] =
			    (struct run){ (uint32_t)(run - html), (uint32_t)(p - run) };
		if (p < end)
			p = skip_other(p, end);
	}
}

/* ---- parsing without them ---- */

/* Returns true if the HTML has a character that may be in place of a run, or numeric references. */
static bool
may_have_marks(const char *html, size_t len)
{
	const char *p = html, *end = html + len;

	while ((p = memchr(p, '&', (size_t)(end - p))) != NULL)
		if (++p < end && *p == '#')
			return true;
	return memchr(html, MARK_FIRST, len) != NULL;
}

const char *
runs_cut(struct runs *runs, const char *html, size_t *len, struct pool *pool)
{
	size_t at = 0;
	char *cut, *to;

	if (may_have_marks(html, *len))
		runs_clear(runs);
	if (runs->count == 0)
		return html;
	cut = to = pool_alloc(pool, *len);
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->list[i];

		to = mempcpy(to, html + at, run->at - at);
		*to++ = (char)MARK_FIRST;
		*to++ = (char)(0x80 | i >> 6);
		*to++ = (char)(0x80 | (i & 0x3f));
		at = run->at + run->len;
	}
	to = mempcpy(to, html + at, *len - at);
	*len = (size_t)(to - cut);
	return cut;
}

/* Adds the run of the character at p. Each run is used once, so that the texts of a tree are never
 * longer than its HTML. */
static void
add_run(struct runs *runs, const char *html, const char *p)
{
	size_t i = (size_t)(p[1] & 0x3f) << 6 | (size_t)(p[2] & 0x3f);

	if (i >= runs->count)
		return;
	text_add(&runs->whole, html + runs->list[i].at, runs->list[i].len);
	runs->list[i].len = 0;
}

static const char *
restored(struct runs *runs, const char *html, const char *text, struct pool *pool)
{
	const char *mark;
	char *copy;

	runs->whole.len = 0;
	while ((mark = strchr(text, MARK_FIRST)) != NULL) {
		text_add(&runs->whole, text, (size_t)(mark - text));
		add_run(runs, html, mark);
		text = mark + MARK_LENGTH;
	}
	text_str(&runs->whole, text);
	copy = pool_alloc(pool, runs->whole.len + 1);
	return memcpy(copy, runs->whole.s, runs->whole.len + 1);
}

/* Calls itself for the children: the depth of a tree is limited. */
static void
restore(struct runs *runs, const char *html, GumboNode *node, struct pool *pool)
{
	const char *text = node_text(node);
	const GumboVector *children = node_children(node);

	if (text != NULL && strchr(text, MARK_FIRST) != NULL)
		node->v.text.text = restored(runs, html, text, pool);
	for (unsigned i = 0; i < children->length; i++)
		restore(runs, html, children->data[i], pool);
}

void
runs_restore(struct runs *runs, const char *html, GumboNode *root, struct pool *pool)
{
	if (runs->count > 0)
		restore(runs, html, root, pool);
}
