/*
 * typical.c - the words that are typical of an item: frequent in it, and rare elsewhere.
 */
#include "find.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

#define WORDS 1024 /* slots of the table of the item's words */
#define MEASURED 64 /* words whose rarity is looked up: the most frequent */
#define USED 12 /* words that are searched */
#define TITLE_COUNTS 4 /* weight of a word in the title; elsewhere it is 1 */

/* Returns the number of the item's most frequent words; puts them to `out`, most frequent first. */
static size_t
frequent(struct stet_call *call, const struct like *like, struct counted *out)
{
	struct words w = words_new(call, WORDS);
	struct counted *word;
	double length = 0;
	size_t n = 0;

	for (size_t c = 0; c < like->index.columns; c++) {
		const struct stet_field *f = index_field(like->collection, &like->index, c);

		if (f != NULL && f->searchable && like->text[c] != NULL)
			words_count(&w, like->text[c],
			    f == title_of(like->collection) ? TITLE_COUNTS : 1, false, &length);
	}
	for (size_t at = 0; (word = words_next(&w, &at)) != NULL;)
		w.word[n++] = *word;
	qsort(w.word, n, sizeof(*w.word), words_by_count);
	n = n < MEASURED ? n : MEASURED;
	memcpy(out, w.word, n * sizeof(*out));
	return n;
}

/* Replaces the count of each word by its weight: 0 for a word that no other item has, since it
 * finds nothing. */
static enum stet_status
weigh(struct find *f, struct counted *word, size_t count)
{
	bool trigram = f->count > 0 && f->stream[0].trigram;
	double docs = plan_docs(f, trigram);

	for (size_t i = 0; i < count; i++) {
		const struct query_term t = { .text = word[i].text, .len = word[i].len };
		double share;

		STET_TRY(plan_share(f, &t, trigram, false, &share));
		word[i].count =
		    share * docs < 1.5 ? 0 : rank_saturated(word[i].count) * rank_rarity(share);
	}
	qsort(word, count, sizeof(*word), words_by_count);
	return STET_OK;
}

enum stet_status
typical_ask(struct find *f, struct finding *want)
{
	struct counted word[MEASURED];
	size_t count = frequent(f->call, want->like, word);

	STET_TRY(weigh(f, word, count));
	for (size_t i = 0; i < count && i < USED && word[i].count > 0; i++)
		want->q = stet_printf(f->call, "%s%s%s", want->q, i > 0 ? " " : "", word[i].text);
	f->without = (struct position){ want->like->shard, want->like->n };
	return STET_OK;
}
