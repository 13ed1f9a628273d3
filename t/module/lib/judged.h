/* judged.h - a collection of 1,400 articles, and questions with relevance judgments by experts. */
#ifndef T_JUDGED_H
#define T_JUDGED_H

#include "searched.h"

/* Makes posts of the articles and returns the questions; NULL if either is not in STET_SHARED_DATA.
 */
json_t *judged_begin(struct harness *);
/* Returns the nDCG@10 of an anonymous search; 1 is the best possible order. */
double judged_gain(struct harness *, const json_t *question);

#endif
