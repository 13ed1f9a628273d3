/* ranking.h - the constants of the ranking, all of them. `make bench-search` tries others on
 * questions that experts have answered (t/bench/questions.c); modules/search/README has what came
 * of it. */
#ifndef SEARCH_RANKING_H
#define SEARCH_RANKING_H

#include <stddef.h>

struct ranking {
	double saturation; /* k1 of BM25: after so many places further ones add little */
	double length; /* b of BM25: 0 would ignore the length of fields */
	double beginning; /* of a place where a longer word begins with the word of the query */
	double title; /* weight of the title unless configured; other fields have 1 */
	size_t best; /* hits of a question from which more words are taken; 0: none are */
	size_t used; /* these words */
};

/* The usual values of BM25 and of feedback. */
#define RANKING                                                                               \
	{                                                                                     \
		.saturation = 1.2, .length = 0.75, .beginning = 0.3, .title = 10, .best = 10, \
		.used = 20                                                                    \
	}

#ifdef SEARCH_RANKING_VARIES /* only in t/bench/varied/search.la, whose constants the benchmark \
				sets */
extern struct ranking ranking;
#else
static const struct ranking ranking = RANKING;
#endif

#endif
