/*
 * rank.c - the score of an item for a query.
 *
 * A word adds to the score by its rarity and by how often it occurs in the item. An occurrence
 * counts by the weight of its field, and less in a field that is longer than usual (BM25F). Two
 * words that follow each other in the query add the rarity of the commoner one, divided by their
 * distance in the item. No list of stop words is needed: the rarity of common words is close to 0.
 */
#include "rank.h"
#include "fulltext/match.h"
#include "ranking.h"
#include <math.h>

#define PLACES 24 /* occurrences of a word that are compared for nearness */

struct word {
	double times;
	int32_t column[PLACES], at[PLACES];
	size_t places;
	int string; /* the string whose occurrences these are; -1: none yet */
};

double
rank_rarity(double share)
{
	share = share < 1e-9 ? 1e-9 : share > 1 ? 1 : share;
	return log(1 + (1 - share + 1e-4) / share);
}

double
rank_saturated(double times)
{
	return times * (ranking.saturation + 1) / (times + ranking.saturation);
}

/* Returns the weight of one occurrence of a string. A word that also matches beginnings has two
 * strings, and its exact occurrence is one of both. */
static double
counts(const struct query_string *s)
{
	return s->prefix ? ranking.beginning : s->begins ? 1 - ranking.beginning : 1;
}

static void
add_place(const struct rank *r, const int32_t *match, const int32_t *place, struct word *words)
{
	int32_t columns = match[0], string = place[0], column = place[1];
	int term =
	    string >= 0 && (size_t)string < r->text->count ? r->text->string[string].term : -1;
	double length;
	struct word *w;

	if (term < 0 || (size_t)term >= r->terms || column < 0 || column >= columns ||
	    (size_t)column >= r->columns)
		return;
	w = &words[term];
	length = 256.0 * match[1 + column] / match[1 + columns + column];
	w->times += counts(&r->text->string[string]) * r->weight[column] /
		    (1 - ranking.length + ranking.length * length);
	if (w->places < PLACES && (w->string < 0 || w->string == string)) {
		w->string = string;
		w->column[w->places] = column;
		w->at[w->places++] = place[2];
	}
}

/* 1 for words side by side, less for a larger distance, 0 in different fields. Occurrences are in
 * ascending order. */
static double
nearness(const struct word *a, const struct word *b)
{
	int32_t best = INT32_MAX;

	for (size_t i = 0, k = 0; i < a->places && k < b->places;) {
		int32_t d;

		if (a->column[i] != b->column[k]) {
			*(a->column[i] < b->column[k] ? &i : &k) += 1;
			continue;
		}
		d = b->at[k] - a->at[i];
		if (d != 0 && (d < 0 ? -d : d) < best)
			best = d < 0 ? -d : d;
		*(d > 0 ? &i : &k) += 1;
	}
	return best == INT32_MAX ? 0 : 1.0 / best;
}

double
rank_score(const struct rank *r, const int32_t *match, size_t numbers, bool *complete)
{
	struct word words[QUERY_WORDS_MAX];
	double score = 0, most = 0;
	const struct word *before = NULL;
	double rarity = 0;

	*complete = true;
	for (size_t i = 0; i < r->terms; i++) {
		words[i].times = 0;
		words[i].places = 0;
		words[i].string = -1;
	}
	if (numbers == 0 || match[0] < 0 || numbers < 1 + 2 * (size_t)match[0])
		return 0;
	for (size_t i = 1 + 2 * (size_t)match[0]; i + MATCH_PLACE <= numbers; i += MATCH_PLACE)
		add_place(r, match, match + i, words);
	for (size_t i = 0; i < r->terms; i++) {
		if (r->rarity[i] <= 0)
			continue;
		most += r->rarity[i] * (ranking.saturation + 2);
		if (words[i].times <= 0)
			*complete = false;
		score += r->rarity[i] * rank_saturated(words[i].times);
		if (before != NULL)
			score += fmin(rarity, r->rarity[i]) * nearness(before, &words[i]);
		before = &words[i];
		rarity = r->rarity[i];
	}
	return r->whole && *complete ? score + most : score;
}
