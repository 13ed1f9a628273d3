/* rank.h - the score of an item for a query. It does no input or output. */
#ifndef SEARCH_RANK_H
#define SEARCH_RANK_H

#include "query.h"
#include <stdint.h>

struct rank {
	const struct query_text *text; /* the expression */
	size_t terms; /* terms of the query */
	double rarity[QUERY_WORDS_MAX]; /* rarity of each term; 0: does not count */
	const double *weight; /* by column */
	size_t columns;
	bool whole; /* items with all terms come before all others */
};

/* The rarity of a word that this share of the items has. */
double rank_rarity(double share);
/* What one word adds to the score of an item: `times` is the weighted number of its occurrences. */
double rank_saturated(double times);
/* Returns the score of a row, from the result of stet_match (fulltext/match.h). *complete: the
 * item has all terms that count. */
double rank_score(const struct rank *, const int32_t *match, size_t numbers, bool *complete);

#endif
