/*
 * query.c - parses the words of a search, and writes FTS5 expressions for them. All text is quoted,
 * so that no character has a special meaning for FTS5.
 */
#include "query.h"
#include <stet/call.h>
#include <string.h>
#include <utf8proc.h>

#define BROAD 2 /* letters; very many words begin with words as short as this */

struct reader {
	const char *at, *end;
};

bool
query_blank(int32_t c)
{
	return c <= ' ' || c == 0x7f || utf8proc_category(c) == UTF8PROC_CATEGORY_ZS ||
	       utf8proc_category(c) == UTF8PROC_CATEGORY_ZL ||
	       utf8proc_category(c) == UTF8PROC_CATEGORY_ZP ||
	       utf8proc_category(c) == UTF8PROC_CATEGORY_CC;
}

size_t
query_character(const char *p, const char *end, int32_t *c)
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
		size_t n = query_character(r->at, r->end, &c);

		if (!query_blank(c))
			return;
		r->at += n;
	}
}

/* Reads up to a blank or a quote; in a phrase, up to the closing quote. */
static void
read_text(struct reader *r, struct query_term *t)
{
	utf8proc_int32_t c;

	t->text = r->at;
	while (r->at < r->end) {
		size_t n = query_character(r->at, r->end, &c);

		if (c == '"' || (!t->phrase && query_blank(c)))
			break;
		r->at += n;
	}
	t->len = (size_t)(r->at - t->text);
}

static bool
next_term(struct reader *r, struct query_term *t)
{
	skip_blanks(r);
	if (r->at == r->end)
		return false;
	*t = (struct query_term){ .exclude = *r->at == '-' };
	while (r->at < r->end && *r->at == '-')
		r->at++;
	t->phrase = r->at < r->end && *r->at == '"';
	r->at += t->phrase;
	read_text(r, t);
	if (t->phrase && r->at < r->end)
		r->at++;
	return true;
}

bool
query_next(const char **at, const char *end, struct query_term *out)
{
	struct reader r = { *at, end };
	const bool any = next_term(&r, out);

	*at = r.at;
	return any;
}

/* Returns the number of the term's characters that the index has. */
static size_t
count_characters(const struct query_term *t)
{
	const char *p = t->text, *end = t->text + t->len;
	int32_t c, out[STET_FOLD_MAX];
	size_t n = 0;

	while (p < end) {
		p += query_character(p, end, &c);
		n += stet_fold_char(c, out);
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
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
	case UTF8PROC_CATEGORY_CO:
		return true;
	default:
		return false;
	}
}

/* The number of letters in the term's last word, whose completions the index looks up. A
 * character of a script with thousands of letters counts as four. */
static size_t
last_letters(const struct query_term *t)
{
	const char *p = t->text, *end = t->text + t->len;
	int32_t c, out[STET_FOLD_MAX];
	size_t n = 0;
	bool in_word = false;

	while (p < end) {
		p += query_character(p, end, &c);
		for (size_t i = 0, count = stet_fold_char(c, out); i < count; i++) {
			if (!is_letter(out[i])) {
				in_word = false;
				continue;
			}
			n = in_word ? n : 0;
			n += out[i] >= 0x2e80 ? 4 : 1;
			in_word = true;
		}
	}
	return n;
}

static bool
counts(const struct query_term *t, bool trigram)
{
	return trigram ? count_characters(t) >= QUERY_TRIGRAM_MIN : last_letters(t) > 0;
}

static bool
is_repeated(const struct query *q, const struct query_term *t)
{
	for (size_t i = 0; i < q->count; i++)
		if (q->term[i].len == t->len && q->term[i].phrase == t->phrase &&
		    q->term[i].exclude == t->exclude &&
		    memcmp(q->term[i].text, t->text, t->len) == 0)
			return true;
	return false;
}

void
query_parse(const char *text, size_t len, bool trigram, struct query *q)
{
	struct reader r = { text, text + len };
	struct query_term t;

	*q = (struct query){ 0 };
	while (q->count < QUERY_WORDS_MAX && next_term(&r, &t)) {
		if (!counts(&t, trigram) || is_repeated(q, &t))
			continue;
		if (!t.exclude)
			*(t.phrase ? &q->phrases : &q->words) += 1;
		t.prefix = !t.exclude && !t.phrase && !trigram && last_letters(&t) >= BROAD;
		t.broad = t.prefix && last_letters(&t) == BROAD;
		q->term[q->count++] = t;
	}
}

/* ---- expressions ---- */

static void
put(struct query_text *x, const char *text)
{
	size_t len = strlen(text);

	memcpy(x->text + x->len, text, len);
	x->len += len;
}

/* Writes the term as an FTS5 string; bytes that are not valid become blanks. */
static void
put_string(struct query_text *x, const struct query_term *t, int number, bool prefix)
{
	const char *p = t->text, *end = t->text + t->len;
	utf8proc_int32_t c;

	put(x, "\"");
	while (p < end) {
		size_t n = query_character(p, end, &c);

		if (query_blank(c))
			put(x, " ");
		else {
			memcpy(x->text + x->len, p, n);
			x->len += n;
		}
		p += n;
	}
	put(x, prefix ? "\" *" : "\"");
	x->string[x->count++] =
	    (struct query_string){ .term = (signed char)number, .prefix = prefix };
}

/* Writes a word; twice if it also matches beginnings, so that the ranking can tell the exact word
 * from longer ones. */
static void
put_word(struct query_text *x, const struct query_term *t, int number, bool prefix)
{
	put(x, "(");
	put_string(x, t, number, false);
	if (prefix) {
		x->string[x->count - 1].begins = true;
		put(x, " OR ");
		put_string(x, t, number, true);
	}
	put(x, ")");
}

static void
finish(const struct query *q, struct query_text *x)
{
	if (x->len > 0)
		for (size_t i = 0; i < q->count; i++)
			if (q->term[i].exclude) {
				put(x, " NOT ");
				put_string(x, &q->term[i], -1, false);
			}
	x->text[x->len] = '\0';
}

static void
put_phrases(const struct query *q, struct query_text *x)
{
	for (size_t i = 0; i < q->count; i++)
		if (q->term[i].phrase && !q->term[i].exclude) {
			put(x, x->len > 1 ? " AND " : "");
			put_string(x, &q->term[i], (int)i, false);
		}
}

static void
begin(struct query_text *x)
{
	x->len = x->count = 0;
	put(x, "(");
}

void
query_all(const struct query *q, struct query_text *x)
{
	begin(x);
	put_phrases(q, x);
	for (size_t i = 0; i < q->count; i++)
		if (!q->term[i].phrase && !q->term[i].exclude) {
			put(x, x->len > 1 ? " AND " : "");
			put_word(x, &q->term[i], (int)i, q->term[i].prefix);
		}
	if (x->len > 1)
		put(x, ")");
	else
		x->len = 0;
	finish(q, x);
}

/* Writes the words of this use, one of which must match. `again`: the expression has them already,
 * so these copies do not count. Returns their number. */
static size_t
put_any(const struct query *q, const enum query_use *use, enum query_use wanted, const bool *prefix,
    bool again, struct query_text *x)
{
	size_t n = 0;

	put(x, "(");
	for (size_t i = 0; i < q->count; i++) {
		if (q->term[i].phrase || q->term[i].exclude || use[i] != wanted)
			continue;
		put(x, n++ > 0 ? " OR " : "");
		put_word(x, &q->term[i], again ? -1 : (int)i, prefix[i]);
	}
	put(x, ")");
	return n;
}

static bool
has_use(const struct query *q, const enum query_use *use, enum query_use wanted)
{
	for (size_t i = 0; i < q->count; i++)
		if (!q->term[i].phrase && !q->term[i].exclude && use[i] == wanted)
			return true;
	return false;
}

void
query_some(
    const struct query *q, const enum query_use *use, const bool *prefix, struct query_text *x)
{
	begin(x);
	put_phrases(q, x);
	if (has_use(q, use, QUERY_FINDS)) {
		put(x, x->len > 1 ? " AND (" : "(");
		put_any(q, use, QUERY_FINDS, prefix, false, x);
		/* FTS5 advances in the lists of the words that only count at the matches of the
		 * words that find. */
		if (has_use(q, use, QUERY_COUNTS)) {
			put(x, " OR (");
			put_any(q, use, QUERY_FINDS, prefix, true, x);
			put(x, " AND ");
			put_any(q, use, QUERY_COUNTS, prefix, false, x);
			put(x, ")");
		}
		put(x, ")");
	}
	if (x->len > 1)
		put(x, ")");
	else
		x->len = 0;
	finish(q, x);
}

void
query_one(const struct query_term *t, bool prefix, struct query_text *x)
{
	x->len = x->count = 0;
	put_string(x, t, 0, prefix);
	x->text[x->len] = '\0';
}
