/* ranking.h - all constants of the ranking. `make bench-search` tries other values on questions
 * that experts have answered (t/bench/questions.c); modules/search/README has the results. */
#ifndef SEARCH_RANKING_H
#define SEARCH_RANKING_H

#include <stddef.h>

struct ranking {
	double saturation; /* k1 of BM25: after so many occurrences further ones add little */
	double length; /* b of BM25: 0 would ignore the length of fields */
	double beginning; /* weight of a longer word that begins with the word of the query */
	double title; /* weight of the title unless configured; other fields have 1 */
	size_t best; /* best hits from which words are added to a question; 0: no feedback */
	size_t used; /* how many words are added */
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
