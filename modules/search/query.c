/*
 * query.c - parses what people type into a search box, and makes an FTS5 expression of it. All
 * text is quoted, so that no character of it has a meaning for FTS5.
 */
#include "query.h"
#include <string.h>
#include <utf8proc.h>

#define BROAD 2 /* words of at most so many letters are the beginning of very many words */

struct term {
	const char *text;
	size_t len;
	bool phrase, exclude;
};

struct reader {
	const char *at, *end;
};

static bool
is_blank(utf8proc_int32_t c)
{
	return c <= ' ' || c == 0x7f || utf8proc_category(c) == UTF8PROC_CATEGORY_ZS ||
	       utf8proc_category(c) == UTF8PROC_CATEGORY_ZL ||
	       utf8proc_category(c) == UTF8PROC_CATEGORY_ZP ||
	       utf8proc_category(c) == UTF8PROC_CATEGORY_CC;
}

/* The length of the character at p. *c is a blank for a byte that is not valid UTF-8. */
static size_t
character(const char *p, const char *end, utf8proc_int32_t *c)
{
	utf8proc_ssize_t n =
	    utf8proc_iterate((const utf8proc_uint8_t *)p, (utf8proc_ssize_t)(end - p), c);

	if (n > 0)
		return (size_t)n;
	*c = ' ';
	return 1;
}

static void
skip_blanks(struct reader *r)
{
	utf8proc_int32_t c;

	while (r->at < r->end) {
		size_t n = character(r->at, r->end, &c);

		if (!is_blank(c))
			return;
		r->at += n;
	}
}

/* Reads up to a blank or a quote; in a phrase, up to the closing quote. */
static void
read_text(struct reader *r, struct term *t)
{
	utf8proc_int32_t c;

	t->text = r->at;
	while (r->at < r->end) {
		size_t n = character(r->at, r->end, &c);

		if (c == '"' || (!t->phrase && is_blank(c)))
			break;
		r->at += n;
	}
	t->len = (size_t)(r->at - t->text);
}

static bool
next_term(struct reader *r, struct term *t)
{
	skip_blanks(r);
	if (r->at == r->end)
		return false;
	*t = (struct term){ .exclude = *r->at == '-' };
	while (r->at < r->end && *r->at == '-')
		r->at++;
	t->phrase = r->at < r->end && *r->at == '"';
	r->at += t->phrase;
	read_text(r, t);
	if (t->phrase && r->at < r->end)
		r->at++;
	return true;
}

static size_t
count_characters(const struct term *t)
{
	const char *p = t->text, *end = t->text + t->len;
	utf8proc_int32_t c;
	size_t n = 0;

	while (p < end) {
		p += character(p, end, &c);
		n++;
	}
	return n;
}

/* Returns true for characters that the tokenizer keeps. */
static bool
is_letter(utf8proc_int32_t c)
{
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
		return true;
	default:
		return false;
	}
}

/* The number of letters in the term's last word, whose completions the index looks up. A
 * character of a script with thousands of letters counts as four. */
static size_t
last_letters(const struct term *t)
{
	const char *p = t->text, *end = t->text + t->len;
	utf8proc_int32_t c;
	size_t n = 0;
	bool in_word = false;

	while (p < end) {
		p += character(p, end, &c);
		if (!is_letter(c)) {
			in_word = false;
			continue;
		}
		n = in_word ? n : 0;
		n += c >= 0x2e80 ? 4 : 1;
		in_word = true;
	}
	return n;
}

/* Writes the term as an FTS5 string; bytes that are not valid become blanks. A term contains no
 * quotes. */
static size_t
put_string(char *out, const struct term *t)
{
	const char *p = t->text, *end = t->text + t->len;
	utf8proc_int32_t c;
	char *start = out;

	*out++ = '"';
	while (p < end) {
		size_t n = character(p, end, &c);

		if (is_blank(c))
			*out++ = ' ';
		else {
			memcpy(out, p, n);
			out += n;
		}
		p += n;
	}
	*out++ = '"';
	return (size_t)(out - start);
}

static bool
counts(const struct term *t, bool trigram)
{
	return trigram ? count_characters(t) >= QUERY_TRIGRAM_MIN : last_letters(t) > 0;
}

/* Writes all terms of one kind. */
static void
put_terms(const char *text, size_t len, bool exclude, bool trigram, char *out, struct query *q)
{
	struct reader r = { text, text + len };
	struct term t;
	unsigned n = 0;

	while (n < QUERY_WORDS_MAX && next_term(&r, &t)) {
		if (!counts(&t, trigram))
			continue;
		n++;
		if (t.exclude != exclude)
			continue;
		if (exclude) {
			memcpy(out + q->len, " NOT ", 5);
			q->len += 5;
		} else if (q->words++ > 0)
			out[q->len++] = ' ';
		q->len += put_string(out + q->len, &t);
		if (exclude || t.phrase || trigram || last_letters(&t) < BROAD)
			continue;
		out[q->len++] = '*';
		q->broad += last_letters(&t) == BROAD;
	}
}

void
query_parse(const char *text, size_t len, bool trigram, char *out, struct query *q)
{
	*q = (struct query){ 0 };
	put_terms(text, len, false, trigram, out, q);
	if (q->words > 0)
		put_terms(text, len, true, trigram, out, q);
	out[q->len] = '\0';
}
