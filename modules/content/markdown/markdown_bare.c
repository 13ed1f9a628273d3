/*
 * markdown_bare.c - bare addresses of the web in a text, which GitHub's Markdown links. md4c links
 * them, too, but its versions do not agree where an address ends, so this is done here.
 */
#include "markdown/markdown_reader.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* What may stand before an address, beside a blank. */
#define BEFORE "*_~([{"

static const char *const schemes[] = { "https://", "http://", "ftp://" };

/* The bytes that say that an address begins: a scheme, or "www."; 0: none does. */
static size_t
head_of(const char *s)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strncasecmp(s, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	return strncasecmp(s, "www.", 4) == 0 ? 4 : 0;
}

static bool
is_name(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '-' || c == '_';
}

/* Returns the end of the name of a host, whose last two parts have no underscore; NULL: it is none.
 */
static const char *
host_end(const char *s)
{
	bool before = false, under = false; /* an underscore in the part before, and in this one */

	if (!is_name(*s))
		return NULL;
	for (; is_name(*s) || (*s == '.' && is_name(s[1])); s++) {
		under |= *s == '_';
		if (*s == '.') {
			before = under;
			under = false;
		}
	}
	return before || under ? NULL : s;
}

static size_t
count(const char *s, const char *end, char c)
{
	size_t n = 0;

	for (; s < end; s++)
		n += *s == c;
	return n;
}

/* Does an entity end here? Returns where it begins, or NULL. */
static const char *
entity_before(const char *s, const char *end)
{
	const char *p = end - 1;

	while (p > s && isalnum((unsigned char)p[-1]))
		p--;
	return p > s && p < end - 1 && p[-1] == '&' ? p - 1 : NULL;
}

/* What ends a sentence, or closes what was opened before the address, is not part of it. */
static const char *
trim(const char *s, const char *end)
{
	size_t round = count(s, end, ')'), square = count(s, end, ']');
	const size_t opened = count(s, end, '('), squares = count(s, end, '[');

	while (end > s) {
		const char c = end[-1], *entity = c == ';' ? entity_before(s, end) : NULL;

		if (entity != NULL)
			end = entity;
		else if (strchr("?!.,:;*_~'\"", c) != NULL)
			end--;
		else if (c == ')' && round > opened) {
			round--;
			end--;
		} else if (c == ']' && square > squares) {
			square--;
			end--;
		} else
			break;
	}
	return end;
}

static const char *
address_end(const char *s, bool cell)
{
	const size_t head = head_of(s);
	const char *end = head > 0 ? host_end(s + head) : NULL;

	if (end == NULL)
		return NULL;
	/* Blanks, and the signs of markdown_source.c. */
	while ((unsigned char)*end > ' ' && *end != '<' && *end != '`' &&
	       !(cell && *end == '|' && end[-1] != '\\') &&
	       !(end[0] == NOTE_BEGIN[0] && end[1] == NOTE_BEGIN[1]))
		end++;
	return trim(s, end);
}

/* The first address between these places of the source, or NULL. *to: its end, which may be behind
 * `end`, where entities and escaped signs are pieces by themselves. */
static const char *
next(const struct reader *r, const char *s, const char *end, const char **to)
{
	for (; s < end; s++) {
		if (strchr("hHwWfF", *s) == NULL ||
		    (s > r->source && (unsigned char)s[-1] > ' ' && strchr(BEFORE, s[-1]) == NULL))
			continue;
		*to = address_end(s, r->table != NULL);
		if (*to != NULL)
			return s;
	}
	return NULL;
}

/* The address as the text says it: without backslashes, with entities as characters. */
static const char *
href_of(struct reader *r, const char *s, const char *end)
{
	struct text href = { .call = r->call };
	const char *semi;

	text_str(&href, head_of(s) == 4 ? "http://" : "");
	for (; s < end; s++) {
		semi = *s == '&' ? memchr(s, ';', (size_t)(end - s)) : NULL;
		if (semi != NULL && entity_before(s, semi + 1) == s) {
			text_str(&href, entity_text(r->call, s, (size_t)(semi + 1 - s)));
			s = semi;
		} else if (*s != '\\' || s + 1 == end || !ispunct((unsigned char)s[1]))
			text_add(&href, s, 1);
	}
	return href.s;
}

void
reader_bare_end(struct reader *r, const char *at)
{
	/* Ends of lines are no part of the source. */
	if (r->bare_end == NULL || (at >= r->source && at < r->bare_end))
		return;
	r->bare_end = NULL;
	r->in.link = 0;
}

static void
put_clean(struct reader *r, const char *s, size_t len)
{
	s = source_clean(r->call, s, &len);
	inline_text(&r->in, s, len);
}

void
reader_bare(struct reader *r, const char *s, size_t len)
{
	const char *const end = s + len, *at, *to;

	while (s < end) {
		reader_bare_end(r, s);
		to = r->bare_end != NULL && r->bare_end < end ? r->bare_end : end;
		if (r->in.link > 0) {
			put_clean(r, s, (size_t)(to - s));
			s = to;
			continue;
		}
		at = next(r, s, end, &to);
		put_clean(r, s, (size_t)((at != NULL ? at : end) - s));
		if (at == NULL)
			return;
		r->in.link = line_link(r->call, &r->open.line, href_of(r, at, to), NULL);
		r->bare_end = to;
		s = at;
	}
}
