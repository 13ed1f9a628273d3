/*
 * spell.c - corrects words of a query that no item has.
 *
 * A word that no document of the searched streams has is compared with terms of the index that
 * begin like it, in a few shards. The tokenizer may have cut the endings of terms (porter), so a
 * term is compared with the best beginning of the word, and this is only a guess: the nearest terms
 * are looked up in documents, and the full word found there is compared with the query's word; then
 * documents are searched for the term with the ending of the query's word ("experimental" from
 * "experiment" for "expxriment-al"). So a correction is always a real word, of a document and a
 * field that the caller may read.
 *
 * Distances are edits: a letter added, removed or replaced, or two neighbours exchanged. One edit
 * is allowed, two from six letters on. In a question most words that no item has are right ("there
 * exist", "papers"), and items are found without them: only words of six letters and more are
 * corrected there, by one edit that keeps the first letter. Everything is bounded: the words, the
 * shards, the terms.
 */
#include "find.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define LETTERS_MIN 4
#define LETTERS_MAX 32 /* longer words are not corrected */
#define TWO_EDITS 6 /* letters */
#define ENDING_MAX 7 /* letters that porter may have cut */
#define WORDS_MAX 5 /* words of a query that are tried */
#define LOOKUPS_MAX 1024 /* lookups of words in shards, to know that no document has them */
#define FAR ((size_t)1000) /* a distance of too many edits */
#define SHARDS 4 /* shards whose terms are read */
#define GUESSES 32 /* terms that are kept */
#define GUESSES_TRIED 6 /* guesses that are looked up after each step */
#define ENDINGS_TRIED 6 /* terms that are looked up with the ending of a word */

/* A word and its letters, folded as in the index (stet_fold). */
struct word {
	const char *text;
	size_t len;
	utf8proc_int32_t letter[LETTERS_MAX];
	size_t letters;
	bool stem; /* made by the tokenizer porter, which writes i for a y at the end */
};
/* A term that may be the word. */
struct guess {
	char term[4 * LETTERS_MAX + 1];
	const struct stream *stream;
	int64_t shard, docs;
	size_t cost; /* the lower, the more likely */
	size_t edits; /* a lower bound of the distance of words with this term */
	size_t ending; /* letters at the end of the word to append to the term; SIZE_MAX: none */
	bool is_tried;
};
struct spelling {
	struct find *find;
	struct word word;
	size_t edits_max;
	struct guess guess[GUESSES];
	size_t count;
	const struct stream *stream; /* the stream whose terms are read */
	int64_t shard;
	const struct guess *tried; /* the guess that is being looked up */
	size_t forms; /* words that were found for this guess */
	size_t endings; /* terms that were looked up with the word's ending */
	/* The best word until now. */
	char best[4 * LETTERS_MAX + 1];
	size_t edits; /* more than edits_max: there is none */
	int64_t docs;
};

/* ---- letters ---- */

/* Reads a word, ignoring other characters around it. Returns false if there is no word, it has
 * other characters inside, or too many letters. */
static bool
read_word(const char *text, size_t len, struct word *w)
{
	const char *p = text, *end = text + len;
	int32_t c, folded[STET_FOLD_MAX];
	bool ended = false;
	size_t n, count;

	*w = (struct word){ 0 };
	for (; p < end; p += n) {
		n = query_character(p, end, &c);
		count = stet_fold_char(c, folded);
		if (!words_letter(c) && utf8proc_category(c) == UTF8PROC_CATEGORY_ND)
			return false;
		if (count > 0 && !words_letter(folded[0])) {
			ended = w->letters > 0;
			continue;
		}
		/* Folding drops this mark: it belongs to the letter before it. */
		if (count == 0 && (ended || w->letters == 0))
			continue;
		if (ended || w->letters + count > LETTERS_MAX)
			return false;
		w->text = w->letters == 0 ? p : w->text;
		for (size_t i = 0; i < count; i++)
			w->letter[w->letters++] = folded[i];
		w->len = (size_t)(p + n - w->text);
	}
	return w->letters > 0;
}

/* ---- distances ---- */

static bool
is_same(const struct word *term, size_t i, const struct word *w, size_t k)
{
	return term->letter[i] == w->letter[k] ||
	       (term->stem && i + 1 == term->letters && term->letter[i] == 'i' &&
		   w->letter[k] == 'y');
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Computes cell k of row i of the table of distances. */
static size_t
cell(const struct word *term, const struct word *w, size_t i, size_t k, const size_t *before,
    const size_t *last, const size_t *now)
{
	size_t n = least(last[k], now[k - 1]) + 1;

	n = least(n, last[k - 1] + !is_same(term, i - 1, w, k - 1));
	if (i > 1 && k > 1 && is_same(term, i - 1, w, k - 2) && is_same(term, i - 2, w, k - 1))
		n = least(n, before[k - 2] + 1);
	return n;
}

/* Computes the edits from each beginning of the word to the term: out[letters of the beginning], or
 * FAR if there are more than `most`. So it computes only cells near the diagonal, and stops after
 * two rows without a cell within `most`. */
static void
measure(const struct word *term, const struct word *w, size_t most, size_t out[LETTERS_MAX + 1])
{
	size_t row[3][LETTERS_MAX + 1], *before = row[0], *last = row[1], *now = row[2], *free;
	size_t near = 0, near_before = 0;

	for (size_t k = 0; k <= w->letters; k++) {
		last[k] = k;
		before[k] = now[k] = FAR;
	}
	for (size_t i = 1; i <= term->letters; i++) {
		const size_t first = i > most ? i - most : 0, end = least(i + most, w->letters);

		if (near > most && near_before > most)
			break;
		near_before = near;
		near = FAR;
		for (size_t k = 0; k <= w->letters; k++)
			now[k] = FAR;
		for (size_t k = first; k <= end; k++) {
			now[k] = k == 0 ? i : cell(term, w, i, k, before, last, now);
			near = least(near, now[k]);
		}
		free = before;
		before = last;
		last = now;
		now = free;
	}
	for (size_t k = 0; k <= w->letters; k++)
		out[k] = near > most || last[k] > most ? FAR : last[k];
}

/* ---- terms ---- */

static int
by_cost(const void *x, const void *y)
{
	const struct guess *a = x, *b = y;

	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (a->docs != b->docs)
		return a->docs > b->docs ? -1 : 1;
	return strcmp(a->term, b->term);
}

/* Keeps the guess; if there are too many, it replaces the worst. A term of several shards is one
 * guess. */
static void
keep(struct spelling *s, const struct guess *g)
{
	size_t worst = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (strcmp(s->guess[i].term, g->term) == 0) {
			s->guess[i].docs += g->docs;
			return;
		}
		if (by_cost(&s->guess[i], &s->guess[worst]) > 0)
			worst = i;
	}
	if (s->count < GUESSES)
		s->guess[s->count++] = *g;
	else if (by_cost(g, &s->guess[worst]) < 0)
		s->guess[worst] = *g;
}

static void
take_term(void *arg, const char *term, int64_t docs)
{
	struct spelling *s = arg;
	struct guess g = { .stream = s->stream, .shard = s->shard, .docs = docs };
	size_t edits[LETTERS_MAX + 1],
	    len = strlen(term), letters = s->word.letters,
	    endings = strstr(s->stream->index.tokenizer, "porter") != NULL ? ENDING_MAX : 0;
	struct word w;

	if (len >= sizeof(g.term) || !read_word(term, len, &w) || w.len != len ||
	    w.letters > letters + s->edits_max || w.letters + endings + s->edits_max < letters)
		return;
	w.stem = endings > 0;
	measure(&w, &s->word, s->edits_max, edits);
	g.cost = g.edits = g.ending = SIZE_MAX;
	for (size_t cut = 0; cut <= endings && cut < letters; cut++) {
		size_t some = edits[letters - cut];

		if (some > s->edits_max)
			continue;
		g.cost = least(g.cost, 2 * some + cut);
		g.edits = least(g.edits, some);
		if (some > 0 && (g.ending == SIZE_MAX || some < edits[letters - g.ending]))
			g.ending = cut;
	}
	if (g.cost == SIZE_MAX)
		return;
	memcpy(g.term, term, len + 1);
	keep(s, &g);
}

/* Reads the terms of a range in some of the newest shards of each stream. */
static enum stet_status
read_terms(struct spelling *s, size_t shards, const char *low, const char *high)
{
	struct find *f = s->find;
	size_t taken = 0;
	bool any = true;

	for (size_t k = 0; any && taken < shards; k++) {
		any = false;
		for (size_t i = 0; i < f->count && taken < shards; i++) {
			s->stream = &f->stream[i];
			if (s->stream->trigram || k >= s->stream->count)
				continue;
			s->shard = s->stream->shard[k].id;
			STET_TRY(learned_terms(f->call, s->shard, low, high, take_term, s));
			any = true;
			taken++;
		}
	}
	return STET_OK;
}

/* ---- real words ---- */

/* Returns true if the word is nearer to the query's word than the best so far, or as near and in
 * more documents. *out is its distance in edits. */
static bool
is_better(const struct spelling *s, const struct word *w, size_t *out)
{
	size_t edits[LETTERS_MAX + 1];

	measure(w, &s->word, s->edits_max, edits);
	*out = edits[s->word.letters];
	return *out > 0 && *out <= s->edits_max && *out <= s->edits &&
	       (*out < s->edits || s->tried->docs > s->docs);
}

static void
put_best(struct spelling *s, const struct word *w, size_t edits)
{
	const char *p = w->text, *end = w->text + w->len;
	utf8proc_int32_t c;
	size_t at = 0;

	while (p < end && at + 4 < sizeof(s->best)) {
		p += query_character(p, end, &c);
		at += (size_t)utf8proc_encode_char(
		    utf8proc_tolower(c), (utf8proc_uint8_t *)s->best + at);
	}
	s->best[at] = '\0';
	s->edits = edits;
	s->docs = s->tried->docs;
}

static void
take_form(void *arg, const char *form, size_t len)
{
	struct spelling *s = arg;
	struct word w;
	size_t edits;

	if (!read_word(form, len, &w))
		return;
	s->forms++;
	if (is_better(s, &w, &edits))
		put_best(s, &w, edits);
}

/* Tries the term with the ending of the query's word, if documents have that word: a common term
 * has many endings, and the few documents of shard_forms show only some. */
static enum stet_status
try_ending(struct spelling *s, const struct guess *g)
{
	struct find *f = s->find;
	char text[8 * LETTERS_MAX + 1], *p = stpcpy(text, g->term);
	struct query_term t = { .text = text };
	const char *match;
	struct word w;
	size_t edits;
	bool has;

	if (g->ending == SIZE_MAX || g->ending == 0 || s->endings == ENDINGS_TRIED)
		return STET_OK;
	for (size_t i = s->word.letters - g->ending; i < s->word.letters; i++)
		p += utf8proc_encode_char(s->word.letter[i], (utf8proc_uint8_t *)p);
	*p = '\0';
	t.len = (size_t)(p - text);
	if (!read_word(text, t.len, &w) || !is_better(s, &w, &edits))
		return STET_OK;
	match = plan_term(f, g->stream, &t, false);
	if (match == NULL)
		return STET_OK;
	s->endings++;
	STET_TRY(shard_writes(f->call, g->shard, match, plan_columns(f->call, g->stream, f->titles),
	    g->stream->index.columns, text, &has));
	if (has)
		put_best(s, &w, edits);
	return STET_OK;
}

/* Looks the term up in documents. The tokenizer cuts the ending of the term, too; if that changes
 * it, the term is looked up as a beginning. */
static enum stet_status
try_guess(struct spelling *s, struct guess *g)
{
	struct find *f = s->find;
	struct query_term t = { .text = g->term, .len = strlen(g->term) };

	g->is_tried = true;
	s->tried = g;
	s->forms = 0;
	for (int prefix = 0; prefix < 2 && s->forms == 0; prefix++) {
		const char *match = plan_term(f, g->stream, &t, prefix != 0);

		if (match == NULL)
			return STET_OK;
		STET_TRY(
		    shard_forms(f->call, g->shard, match, g->stream->index.columns, take_form, s));
	}
	return try_ending(s, g);
}

static enum stet_status
try_guesses(struct spelling *s)
{
	size_t tried = 0;

	qsort(s->guess, s->count, sizeof(*s->guess), by_cost);
	for (size_t i = 0; i < s->count && tried < GUESSES_TRIED; i++) {
		struct guess *g = &s->guess[i];

		if (g->is_tried || g->edits > s->edits || (s->edits == 1 && s->docs >= g->docs))
			continue;
		STET_TRY(try_guess(s, g));
		tried++;
	}
	return STET_OK;
}

/* ---- a word ---- */

/* Makes a beginning of up to three letters; 0: no letter. */
static char *
beginning(struct stet_call *call, utf8proc_int32_t a, utf8proc_int32_t b, utf8proc_int32_t c)
{
	const utf8proc_int32_t letter[] = { a, b, c };
	char *out = stet_alloc(call, 13);
	size_t n = 0;

	for (size_t i = 0; i < 3 && letter[i] != 0; i++)
		n += (size_t)utf8proc_encode_char(letter[i], (utf8proc_uint8_t *)out + n);
	out[n] = '\0';
	return out;
}

/* Returns the upper bound of texts that begin with this one: no byte of UTF-8 is 0xff. */
static char *
after(struct stet_call *call, const char *text)
{
	char *out = stet_strndup(call, text, strlen(text));

	out[strlen(out) - 1]++;
	return out;
}

static enum stet_status
read_beginning(struct spelling *s, size_t shards, const char *text)
{
	return read_terms(s, shards, text, after(s->find->call, text));
}

/* Tries terms whose first letter is another one of the alphabet, or with a letter added before it.
 * Such terms are spread over the whole index, so only the newest shard is read. */
static enum stet_status
find_first_letter(struct spelling *s)
{
	static const utf8proc_int32_t alphabet[][2] = { { 'a', 'z' }, { 0x3b1, 0x3c9 }, /* Greek */
		{ 0x430, 0x44f } /* Cyrillic */ };
	struct stet_call *call = s->find->call;
	const utf8proc_int32_t *letter = s->word.letter;

	for (size_t i = 0; i < sizeof(alphabet) / sizeof(alphabet[0]); i++) {
		if (letter[0] < alphabet[i][0] || letter[0] > alphabet[i][1])
			continue;
		for (utf8proc_int32_t c = alphabet[i][0]; c <= alphabet[i][1]; c++) {
			if (c == letter[0]) /* has been tried */
				continue;
			if (c != letter[1])
				STET_TRY(read_beginning(s, 1, beginning(call, c, letter[1], 0)));
			STET_TRY(read_beginning(s, 1, beginning(call, c, letter[0], letter[1])));
		}
	}
	return try_guesses(s);
}

/* Tries terms with the same first two letters; then with the same first letter; then those that
 * begin with the second letter, since the first two may be exchanged; then those with another first
 * letter. */
static enum stet_status
find_word(struct spelling *s)
{
	struct stet_call *call = s->find->call;
	const utf8proc_int32_t *letter = s->word.letter;
	char *one = beginning(call, letter[0], 0, 0),
	     *two = beginning(call, letter[0], letter[1], 0);

	STET_TRY(read_beginning(s, SHARDS, two));
	STET_TRY(try_guesses(s));
	if (s->edits <= 1)
		return STET_OK;
	STET_TRY(read_terms(s, SHARDS, one, two));
	STET_TRY(read_terms(s, SHARDS, after(call, two), after(call, one)));
	STET_TRY(try_guesses(s));
	if (s->edits <= s->edits_max)
		return STET_OK;
	if (letter[0] != letter[1]) {
		STET_TRY(read_beginning(s, SHARDS, beginning(call, letter[1], 0, 0)));
		STET_TRY(try_guesses(s));
	}
	return s->edits <= s->edits_max || plan_is_question(s->find) ? STET_OK
								     : find_first_letter(s);
}

/* Returns in *out whether no item of the streams has a word that begins so. */
static enum stet_status
is_nowhere(struct find *f, const struct query_term *t, size_t *lookups, bool *out)
{
	struct query_text x = { .text = stet_alloc(f->call, QUERY_SIZE(t->len)) };
	bool has = false;

	*out = false;
	query_one(t, t->prefix, &x);
	for (size_t i = 0; i < f->count; i++) {
		const struct stream *s = &f->stream[i];
		const char *match = plan_filter(f->call, s, f->titles, x.text);

		for (size_t k = 0; match != NULL && k < s->count; k++) {
			if (++*lookups > LOOKUPS_MAX)
				return STET_OK;
			STET_TRY(shard_has(f->call, s->shard[k].id, match, &has));
			if (has)
				return STET_OK;
		}
	}
	*out = true;
	return STET_OK;
}

/* ---- the query ---- */

/* Writes the text with another word in the place of the word w of the term t. The parsed query has
 * a repeated term once, so all its occurrences in the text are replaced. */
static const char *
replaced(struct stet_call *call, const char *text, const struct query_term *t, const struct word *w,
    const char *word)
{
	const char *at = text, *end = text + strlen(text), *copied = text, *out = "";
	struct query_term one;

	while (query_next(&at, end, &one)) {
		const char *from;

		if (one.phrase || one.exclude || one.len != t->len ||
		    memcmp(one.text, t->text, t->len) != 0)
			continue;
		from = one.text + (w->text - t->text);
		out = stet_printf(call, "%s%.*s%s", out, (int)(from - copied), copied, word);
		copied = from + w->len;
	}
	return stet_printf(call, "%s%s", out, copied);
}

/* Returns true if the word may be corrected, and no item is known to have it. */
static bool
is_suspect(const struct find *f, size_t i, struct word *w)
{
	const struct plan *p = &f->plan[0];
	const struct query_term *t = &p->query.term[i];

	return !t->phrase && !t->exclude && !p->seen[i] && read_word(t->text, t->len, w) &&
	       w->letters >= (plan_is_question(f) ? TWO_EDITS : LETTERS_MIN);
}

/* Returns in *out whether the indexes may have words of items that are not public any more. */
static enum stet_status
is_stale(struct find *f, bool *out)
{
	const struct stet_collection *last = NULL;

	STET_TRY(missed_any(f->call, out));
	if (!*out)
		STET_TRY(pending_any(f->call, out));
	for (size_t i = 0; i < f->count && !*out; i++) {
		const struct stet_collection *c = f->stream[i].collection;

		if (c != last)
			STET_TRY(failed_any(f->call, c->slug, out));
		last = c;
	}
	return STET_OK;
}

/* Returns in *out whether no item has the word i of the query. */
static enum stet_status
is_wrong(struct find *f, size_t i, size_t *lookups, bool *out)
{
	const struct plan *p = &f->plan[0];

	*out = true;
	/* The search has looked this word up in all shards, and has not found it. */
	if (f->plan[1].query.count > 0 || (p->query.count > 1 && i != p->rare))
		STET_TRY(is_nowhere(f, &p->query.term[i], lookups, out));
	return STET_OK;
}

enum stet_status
spell_correct(struct find *f, const char *q, const char **out)
{
	const struct plan *p = &f->plan[0];
	struct spelling *s = stet_alloc(f->call, sizeof(*s));
	size_t lookups = 0, words = 0, len = strlen(q);
	const char *text = q;
	bool wrong, stale = false;

	*out = NULL;
	for (size_t i = 0; len <= CORRECTED_MAX && i < p->query.count && words < WORDS_MAX; i++) {
		*s = (struct spelling){ .find = f };
		if (!is_suspect(f, i, &s->word))
			continue;
		STET_TRY(is_wrong(f, i, &lookups, &wrong));
		if (!wrong)
			continue;
		if (words++ == 0)
			STET_TRY(is_stale(f, &stale));
		if (stale)
			return STET_OK;
		s->edits_max = s->word.letters < TWO_EDITS || plan_is_question(f) ? 1 : 2;
		s->edits = s->edits_max + 1;
		STET_TRY(find_word(s));
		if (s->edits <= s->edits_max)
			text = replaced(f->call, text, &p->query.term[i], &s->word, s->best);
	}
	if (text != q && strlen(text) <= CORRECTED_MAX)
		*out = text;
	return STET_OK;
}
