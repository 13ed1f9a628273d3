/*
 * markdown_inline.c - the text of a block as it is collected: marks from signs, which md4c has
 * paired, and from tags, which are paired here; links, objects, entities.
 */
#include "markdown/markdown.h"
#include <gumbo.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX 40 /* bytes of an entity; the longest of HTML has 33 */

static struct token *
add(struct inlines *in)
{
	if (in->count == in->room) {
		struct token *more;

		in->room = in->room > 0 ? in->room * 2 : 8;
		more = stet_alloc(in->call, in->room * sizeof(*more));
		if (in->count > 0)
			memcpy(more, in->token, in->count * sizeof(*more));
		in->token = more;
	}
	in->token[in->count] = (struct token){ .run = { .text = "", .link = in->link } };
	for (unsigned bit = 0; bit < MARKS; bit++)
		in->token[in->count].run.marks |= in->depth[bit] > 0 ? 1U << bit : 0;
	return &in->token[in->count++];
}

void
inline_text(struct inlines *in, const char *s, size_t len)
{
	struct token *t = add(in);

	t->run.text = stet_strndup(in->call, s, len);
	t->run.len = len;
}

/* ---- entities ---- */

static size_t
put_utf8(char s[4], unsigned long c)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		s[i] = (char)(0x80 | (c & 0x3f));
	s[0] = (char)(n == 1 ? c : (0xf00UL >> n & 0xff) | c);
	return n;
}

/* "&#32;" or "&#x20;", whose digits md4c has checked. */
static const char *
number_entity(struct stet_call *call, const char *s)
{
	bool hex = s[2] == 'x' || s[2] == 'X';
	unsigned long c = strtoul(s + (hex ? 3 : 2), NULL, hex ? 16 : 10);
	char out[4];

	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return "\xef\xbf\xbd"; /* U+FFFD, as CommonMark says */
	return stet_strndup(call, out, put_utf8(out, c));
}

/* The characters of a named one as HTML has them; NULL: there is no such name. HTML also knows the
 * beginnings of some names, so that a semicolon stays. */
static const char *
named_entity(struct stet_call *call, const char *s, size_t len)
{
	GumboOutput *html = gumbo_parse_with_options(&kGumboDefaultOptions, s, len);
	const GumboVector *body = &html->root->v.element.children, *in;
	const GumboNode *node = body->length > 0 ? body->data[body->length - 1] : NULL;
	const char *text = NULL, *out = NULL;

	in = node != NULL ? &node->v.element.children : NULL;
	node = in != NULL && in->length == 1 ? in->data[0] : NULL;
	if (node != NULL && (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE))
		text = node->v.text.text;
	if (text != NULL && *text != '\0' && text[strlen(text) - 1] != ';')
		out = stet_strdup(call, text);
	gumbo_destroy_output(&kGumboDefaultOptions, html);
	return out;
}

const char *
entity_text(struct stet_call *call, const char *s, size_t len)
{
	static const struct {
		const char *name, *text;
	} names[] = { { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" },
		{ "&apos;", "'" }, { "&nbsp;", "\xc2\xa0" }, { "&semi;", ";" }, { "&Tab;", "\t" },
		{ "&NewLine;", "\n" } };
	const char *text = stet_strndup(call, s, len), *out = NULL;

	if (len > 3 && s[1] == '#')
		return number_entity(call, text);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].name, text) == 0)
			return names[i].text;
	if (len <= NAME_MAX)
		out = named_entity(call, text, len);
	return out != NULL ? out : text;
}

/* ---- tags ---- */

const json_t *
mark_read(struct stet_call *call, const char *s, const char *mark, size_t len)
{
	size_t head = strlen(mark), tail = strlen(MARK_END);
	const json_t *json;
	const char *why;

	if (len < head + tail || memcmp(s + len - tail, MARK_END, tail) != 0)
		return NULL;
	json = stet_json_parse(call, s + head, len - head - tail, &why);
	return json_is_string(json_object_get(json, "_type")) ? json : NULL;
}

void
inline_put(struct inlines *in, const json_t *object)
{
	struct token *t = add(in);

	t->run = (struct run){ .text = "", .object = object };
}

bool
inline_object(struct inlines *in, const char *s, size_t len)
{
	const json_t *json = mark_read(in->call, s, INLINE_MARK, len);

	if (json != NULL)
		inline_put(in, json);
	return json != NULL;
}

static unsigned
bit_of(const char *name, size_t len)
{
	for (unsigned bit = 0; bit < MARKS; bit++) {
		const struct mark *m = &mark_table[bit];

		if ((strlen(m->tag) == len && memcmp(m->tag, name, len) == 0) ||
		    (m->tag2 != NULL && strlen(m->tag2) == len && memcmp(m->tag2, name, len) == 0))
			return bit;
	}
	return MARKS;
}

static bool
is_break(const char *s, size_t len)
{
	return (len == 4 && memcmp(s, "<br>", 4) == 0) ||
	       (len == 5 && memcmp(s, "<br/>", 5) == 0) ||
	       (len == 6 && memcmp(s, "<br />", 6) == 0);
}

/* An element that HTML has, a tag that cannot be anything else, a comment, or a declaration? Other
 * words in angle brackets are text: a type with its parameter, a place to fill in. */
static bool
is_html(const char *s, size_t len)
{
	bool closing = len > 2 && s[1] == '/';
	const char *name = s + 1 + closing;
	size_t n = 0;

	if (len < 3 || s[1] == '!' || s[1] == '?')
		return len >= 3;
	while (name + n < s + len && strchr(" \t\r\n/>", name[n]) == NULL)
		n++;
	return closing || memchr(name, '-', n) != NULL || memchr(s, '=', len) != NULL ||
	       s[len - 2] == '/' || gumbo_tagn_enum(name, (unsigned)n) != GUMBO_TAG_UNKNOWN;
}

/* A tag of a mark has no text once its partner is found. */
void
inline_tag(struct inlines *in, const char *s, size_t len)
{
	bool closing = len > 2 && s[1] == '/';
	unsigned bit = len > 2 ? bit_of(s + 1 + closing, len - 2 - closing) : MARKS;
	size_t open;

	if (is_break(s, len)) {
		inline_text(in, "\n", 1);
		return;
	}
	/* The end of a mark that did not begin, such as that of <i class="x">, is an object, too.
	 */
	if ((bit == MARKS || (closing && in->tags[bit] == 0)) && is_html(s, len)) {
		inline_put(in, stet_json_own(in->call, json_pack("{s:s, s:o}", "_type", "html",
							   "html", json_stringn(s, len))));
		return;
	}
	inline_text(in, s, len);
	if (bit == MARKS || (closing ? in->tags[bit] == 0 : in->tags[bit] == OPEN_MAX))
		return;
	if (!closing) {
		in->tag[bit][in->tags[bit]++] = in->count - 1;
		return;
	}
	open = in->tag[bit][--in->tags[bit]];
	in->token[open].begin[bit]++;
	in->token[in->count - 1].end[bit]++;
	in->token[open].run.len = in->token[in->count - 1].run.len = 0;
}

/* ---- runs ---- */

void
inline_runs(const struct inlines *in, struct line *line)
{
	int depth[MARKS] = { 0 };

	for (size_t i = 0; i < in->count; i++) {
		const struct token *t = &in->token[i];
		struct run run = t->run;

		for (unsigned bit = 0; bit < MARKS; bit++) {
			depth[bit] -= t->end[bit];
			run.marks |= depth[bit] > 0 && run.object == NULL ? 1U << bit : 0;
		}
		line_add(in->call, line, &run);
		for (unsigned bit = 0; bit < MARKS; bit++)
			depth[bit] += t->begin[bit];
	}
}
