/*
 * snippet.c - the part of a text that shows best why a full-text query finds it.
 *
 * FTS5 has such a function, which splits all of a text into words twice. This one chooses the words
 * by the places that FTS5 knows already, and splits the text as far as them.
 */
#include "match.h"
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SEEN_MAX 64 /* phrases that are distinguished */

struct place {
	int column, first, last; /* words */
	int phrase;
};

struct word {
	int begin, end; /* bytes */
};

struct snippet {
	int count;
	struct place place[MATCH_PLACES]; /* sorted by column and word */
	int most; /* words of a snippet */
	int only; /* the column to show; -1: any */
	int reach; /* only phrases that end before this word are shown */
	int column, first, last; /* the words to show */
	/* While the text is split: */
	const char *text;
	int from; /* the first word that it may begin with */
	int words; /* words of the text so far */
	int sentence; /* the last word until `first` that begins a sentence; -1: none */
	struct word word[2 * SNIPPET_WORDS + 1]; /* from `from` on */
};

/* ---- which words ---- */

static int
by_word(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->column != y->column)
		return x->column - y->column;
	return x->first != y->first ? x->first - y->first : x->last - y->last;
}

static int
find_places(const Fts5ExtensionApi *api, Fts5Context *fts, struct snippet *s)
{
	const int phrases = api->xPhraseCount(fts);
	int rc = SQLITE_OK;

	for (int i = 0; rc == SQLITE_OK && i < phrases && i < MATCH_PLACES; i++) {
		const int size = api->xPhraseSize(fts, i);
		int share = MATCH_PLACES / phrases, column, word;
		Fts5PhraseIter at;

		if (share < 1)
			share = 1;
		rc = api->xPhraseFirst(fts, i, &at, &column, &word);
		while (rc == SQLITE_OK && column >= 0 && share > 0 && size > 0) {
			if ((s->only < 0 || column == s->only) && word + size <= s->reach) {
				s->place[s->count++] =
				    (struct place){ column, word, word + size - 1, i };
				share--;
			}
			api->xPhraseNext(fts, &at, &column, &word);
		}
	}
	return rc;
}

/* Takes the places of a row from those of some rows (match.h). */
static void
take_places(struct snippet *s, int64_t rowid, const int32_t *at, size_t numbers, int columns)
{
	const int32_t *end = at + numbers;

	while (end - at >= 2 && at[1] >= 0 && at[1] <= (end - at - 2) / MATCH_PLACE) {
		const int32_t *place = at + 2, *next = place + at[1] * MATCH_PLACE;

		for (; at[0] == rowid && place < next && s->count < MATCH_PLACES;
		     place += MATCH_PLACE)
			if (place[1] >= 0 && place[1] < columns && place[2] >= 0 &&
			    place[3] >= place[2] && place[3] < INT32_MAX - SNIPPET_WORDS)
				s->place[s->count++] =
				    (struct place){ place[1], place[2], place[3], place[0] };
		at = next;
	}
}

/* Chooses the words that have the most different phrases, then the most places; of equal ones the
 * first. */
static void
choose(struct snippet *s)
{
	int best = -1;

	qsort(s->place, (size_t)s->count, sizeof(s->place[0]), by_word);
	for (int i = 0; i < s->count; i++) {
		const struct place *p = &s->place[i];
		uint64_t seen = 0;
		int score = 0, last = p->last;

		for (int k = i; k < s->count && s->place[k].column == p->column &&
				s->place[k].first < p->first + s->most;
		     k++) {
			const struct place *q = &s->place[k];
			const uint64_t bit = UINT64_C(1) << (q->phrase % SEEN_MAX);

			if (k > i && q->last >= p->first + s->most)
				continue;
			score += (seen & bit) != 0 ? 1 : MATCH_PLACES;
			seen |= bit;
			last = q->last > last ? q->last : last;
		}
		if (score <= best)
			continue;
		best = score;
		s->column = p->column;
		s->first = p->first;
		s->last = last < p->first + s->most ? last : p->first + s->most - 1;
	}
}

/* ---- where they stand in the text ---- */

static bool
begins_sentence(const char *text, int at)
{
	while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\t'))
		at--;
	return at == 0 || strchr(".:!?", text[at - 1]) != NULL;
}

static int
on_word(void *arg, int flags, const char *word, int len, int begin, int end)
{
	struct snippet *s = arg;

	(void)word;
	(void)len;
	if ((flags & FTS5_TOKEN_COLOCATED) != 0)
		return SQLITE_OK;
	if (s->words >= s->from) {
		s->word[s->words - s->from] = (struct word){ begin, end };
		if (s->words <= s->first && begins_sentence(s->text, begin))
			s->sentence = s->words;
	}
	/* One word more than the longest snippet, to know whether the text continues. */
	return s->words++ < s->first + s->most ? SQLITE_OK : SQLITE_DONE;
}

static int
split(const Fts5ExtensionApi *api, Fts5Context *fts, struct snippet *s, int *len)
{
	int rc = api->xColumnText(fts, s->column, &s->text, len);

	s->from = s->last + 1 > s->most ? s->last + 1 - s->most : 0;
	s->sentence = -1;
	if (rc == SQLITE_OK && s->text != NULL)
		rc = api->xTokenize(fts, s->text, *len, s, on_word);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* The first word that is shown: a sentence's, or else one that leaves as much before as behind. */
static int
begin_of(const struct snippet *s)
{
	const int spare = s->most - (s->last - s->first + 1);
	const int middle = s->first - spare / 2;

	if (s->sentence >= 0)
		return s->sentence;
	return middle > s->from ? middle : s->from;
}

/* ---- the snippet ---- */

/* Appends the text from *at on, and the end of a mark there. */
static void
end_mark(sqlite3_str *out, const struct snippet *s, int *at, int end)
{
	sqlite3_str_append(out, s->text + *at, end - *at);
	sqlite3_str_appendall(out, SNIPPET_OFF);
	*at = end;
}

/* Appends the text with marks: from the byte `at` on, up to the end of the word `last`. */
static void
put_marked(sqlite3_str *out, const struct snippet *s, int first, int last, int at)
{
	int open = -1; /* the end of the mark that is open */

	for (int i = 0; i < s->count; i++) {
		const struct place *p = &s->place[i];
		const int from = p->first > first ? p->first : first,
			  to = p->last < last ? p->last : last;
		struct word w;

		if (p->column != s->column || from > to)
			continue;
		w = (struct word){ s->word[from - s->from].begin, s->word[to - s->from].end };
		/* Places may overlap, as may the words of the tokenizer trigram. */
		if (open >= 0 && w.begin < open) {
			open = w.end > open ? w.end : open;
			continue;
		}
		if (open >= 0)
			end_mark(out, s, &at, open);
		sqlite3_str_append(out, s->text + at, w.begin - at);
		sqlite3_str_appendall(out, SNIPPET_ON);
		at = w.begin;
		open = w.end;
	}
	if (open >= 0)
		end_mark(out, s, &at, open);
	sqlite3_str_append(out, s->text + at, s->word[last - s->from].end - at);
}

static void
put(sqlite3_str *out, const struct snippet *s, int len)
{
	const int first = begin_of(s);
	const int last = (first + s->most < s->words ? first + s->most : s->words) - 1;
	const bool whole = last + 1 == s->words && s->words <= s->first + s->most;

	if (last < first) { /* no words, or other ones than FTS5 knows */
		sqlite3_str_append(out, s->text, len < SNIPPET_WORDS ? len : 0);
		return;
	}
	if (first > 0)
		sqlite3_str_appendall(out, SNIPPET_MORE);
	put_marked(out, s, first, last, first > 0 ? s->word[first - s->from].begin : 0);
	if (whole)
		sqlite3_str_append(
		    out, s->text + s->word[last - s->from].end, len - s->word[last - s->from].end);
	else
		sqlite3_str_appendall(out, SNIPPET_MORE);
}

static struct snippet *
new_snippet(int most)
{
	struct snippet *s = sqlite3_malloc(sizeof(*s));

	if (s == NULL)
		return NULL;
	s->count = 0;
	s->most = most < 1 ? 1 : most > SNIPPET_WORDS ? SNIPPET_WORDS : most;
	s->only = -1;
	s->reach = INT_MAX;
	s->column = s->first = s->last = 0;
	s->text = NULL;
	s->words = 0;
	return s;
}

/* Makes the snippet from the places, and returns it to SQL. `rc` is the code of what was done until
 * now. */
static void
finish(
    const Fts5ExtensionApi *api, Fts5Context *fts, struct snippet *s, int rc, sqlite3_context *out)
{
	sqlite3_str *text = NULL;
	int len = 0;

	if (rc == SQLITE_OK && (s->count > 0 || s->only < 0)) {
		choose(s);
		rc = split(api, fts, s, &len);
	}
	if (rc == SQLITE_OK && s->text != NULL) {
		text = sqlite3_str_new(NULL);
		put(text, s, len);
		rc = sqlite3_str_errcode(text);
		len = sqlite3_str_length(text);
	}
	if (rc == SQLITE_OK)
		sqlite3_result_text(out, sqlite3_str_finish(text), len, sqlite3_free);
	else
		sqlite3_free(sqlite3_str_finish(text));
	if (rc == SQLITE_NOMEM)
		sqlite3_result_error_nomem(out);
	else if (rc != SQLITE_OK)
		sqlite3_result_error_code(out, rc);
	sqlite3_free(s);
}

void
snippet(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *out, int n,
    sqlite3_value **args)
{
	struct snippet *s = new_snippet(n > 0 ? sqlite3_value_int(args[0]) : SNIPPET_WORDS);

	if (s == NULL) {
		sqlite3_result_error_nomem(out);
		return;
	}
	if (n > 1)
		s->only = sqlite3_value_int(args[1]);
	if (n > 2)
		s->reach = sqlite3_value_int(args[2]);
	finish(api, fts, s, find_places(api, fts, s), out);
}

void
snippet_of(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *out, int n,
    sqlite3_value **args)
{
	struct snippet *s;

	if (n != 3) {
		sqlite3_result_error(out, "stet_snippet_of takes a table, n, rowid and rows", -1);
		return;
	}
	s = new_snippet(sqlite3_value_int(args[0]));
	if (s == NULL) {
		sqlite3_result_error_nomem(out);
		return;
	}
	take_places(s, sqlite3_value_int64(args[1]), sqlite3_value_blob(args[2]),
	    (size_t)sqlite3_value_bytes(args[2]) / sizeof(int32_t), api->xColumnCount(fts));
	finish(api, fts, s, SQLITE_OK, out);
}
