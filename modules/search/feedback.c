/*
 * feedback.c - ranks the best hits of a question again, by the words that they have in common.
 *
 * The items that answer a question best usually share more words than those of the question. So the
 * words that are typical of the very best hits are added to the question, the most typical one with
 * its rarity, and the best hits are ranked by their texts. This reads a bounded number of texts,
 * and no further lists of the index.
 */
#include "find.h"
#include "ranking.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

#define RANKED 50 /* hits that are ranked again */
#define WORDS 1024 /* slots of the table of the best hits' words */
#define MEASURED 64 /* words whose rarity is looked up */
#define KNOWN 128 /* slots of the table of the words that are used */

struct text {
	const char **column; /* NULL: no text */
	double length; /* words */
};
struct feedback {
	struct find *find;
	struct text text[RANKED];
	size_t count;
	double mean; /* length */
};

static size_t
columns_of(const struct find *f, size_t i)
{
	return f->stream[f->hits.hit[i].stream].index.columns;
}

/* Reads the texts of the hits, with one statement for each shard. */
static enum stet_status
read_texts(struct feedback *b)
{
	struct find *f = b->find;

	for (size_t i = 0; i < b->count; i++) {
		size_t mate[RANKED], count = 0, columns = columns_of(f, i);
		int64_t n[RANKED], shard = f->hits.hit[i].shard;
		const char **text;

		if (b->text[i].column != NULL || f->stream[f->hits.hit[i].stream].trigram)
			continue;
		for (size_t k = i; k < b->count; k++)
			if (f->hits.hit[k].shard == shard) {
				mate[count] = k;
				n[count++] = f->hits.hit[k].n;
			}
		text = stet_alloc(f->call, count * columns * sizeof(*text));
		STET_TRY(shard_texts(f->call, shard, n, count, columns, text));
		for (size_t k = 0; k < count; k++)
			b->text[mate[k]].column = text + k * columns;
	}
	return STET_OK;
}

static void
count_words(const struct feedback *b, size_t i, struct words *w, bool known, double *length)
{
	const struct find *f = b->find;
	const struct stream *s = &f->stream[f->hits.hit[i].stream];

	*length = 0;
	for (size_t c = 0; b->text[i].column != NULL && c < s->index.columns; c++) {
		const struct stet_field *field = index_field(s->collection, &s->index, c);

		if (b->text[i].column[c] != NULL && field != NULL && field->searchable)
			words_count(w, b->text[i].column[c], 1, known, length);
	}
}

static double
saturated(const struct feedback *b, double count, double length)
{
	return rank_saturated(count / (1 - ranking.length + ranking.length * length / b->mean));
}

/* Collects the words of the best hits, the most frequent first. */
static size_t
take_words(struct feedback *b, struct counted *out, size_t max)
{
	const struct find *f = b->find;
	struct words all = words_new(f->call, WORDS), one = words_new(f->call, WORDS);
	struct counted *c;
	size_t n = 0;

	for (size_t i = 0; i < b->count && i < ranking.best; i++) {
		double share = f->hits.hit[i].score / f->hits.hit[0].score, length;

		words_clear(&one);
		count_words(b, i, &one, false, &length);
		for (size_t at = 0; (c = words_next(&one, &at)) != NULL;)
			words_add(&all, c->text, c->len, share * saturated(b, c->count, length));
	}
	for (size_t at = 0; (c = words_next(&all, &at)) != NULL;)
		all.word[n++] = *c;
	qsort(all.word, n, sizeof(*all.word), words_by_count);
	n = n < max ? n : max;
	memcpy(out, all.word, n * sizeof(*out));
	return n;
}

/* Keeps the words with the greatest product of count and rarity. Their `count` becomes the weight
 * with which they add to a score. */
static enum stet_status
weigh(struct feedback *b, struct counted *word, size_t *count)
{
	double rarity[MEASURED], most = 0;
	size_t n = 0;

	for (size_t i = 0; i < *count; i++) {
		struct query_term t = { .text = word[i].text, .len = word[i].len };
		double share;

		STET_TRY(plan_share(b->find, &t, false, false, &share));
		rarity[i] = rank_rarity(share);
		most = word[i].count * rarity[i] > most ? word[i].count * rarity[i] : most;
	}
	for (size_t i = 0; i < *count && most > 0; i++)
		word[i].count *= rarity[i] * rarity[i] / most;
	if (*count > 1)
		qsort(word, *count, sizeof(*word), words_by_count);
	while (n < *count && n < ranking.used && word[n].count > 0)
		n++;
	*count = n;
	return STET_OK;
}

static void
rank(struct feedback *b, const struct counted *word, size_t count)
{
	struct words known = words_new(b->find->call, KNOWN);
	double ignored = 0;

	for (size_t k = 0; k < count; k++)
		words_add(&known, word[k].text, word[k].len, 0);
	for (size_t i = 0; i < b->count; i++) {
		for (size_t k = 0; k < count; k++)
			words_find(&known, word[k].text, word[k].len)->count = 0;
		count_words(b, i, &known, true, &ignored);
		for (size_t k = 0; k < count; k++) {
			double n = words_find(&known, word[k].text, word[k].len)->count;

			if (n > 0)
				b->find->hits.hit[i].score +=
				    word[k].count * saturated(b, n, b->text[i].length);
		}
	}
}

/* Measures how long the texts are. */
static void
measure(struct feedback *b)
{
	b->mean = 0;
	for (size_t i = 0; i < b->count; i++) {
		count_words(b, i, NULL, true, &b->text[i].length);
		b->mean += b->text[i].length / (double)b->count;
	}
}

enum stet_status
feedback_rank(struct find *f)
{
	struct feedback b = { .find = f, .count = f->hits.count < RANKED ? f->hits.count : RANKED };
	struct counted word[MEASURED];
	size_t count;

	if (b.count < 2)
		return STET_OK;
	STET_TRY(read_texts(&b));
	measure(&b);
	if (b.mean <= 0 || f->hits.hit[0].score <= 0) /* all fields have weight 0 */
		return STET_OK;
	count = take_words(&b, word, MEASURED);
	STET_TRY(weigh(&b, word, &count));
	rank(&b, word, count);
	qsort(f->hits.hit, b.count, sizeof(*f->hits.hit), hit_order);
	return STET_OK;
}
