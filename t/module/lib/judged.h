/* judged.h - questions about 1,400 articles, which experts have answered. */
#ifndef T_JUDGED_H
#define T_JUDGED_H

#include "searched.h"

/* Makes posts of the articles and returns the questions; NULL if either is not in STET_SHARED_DATA.
 */
json_t *judged_begin(struct harness *);
/* How good the first ten items are that the public finds, as nDCG@10. 1: the best order there can
 * be. */
double judged_gain(struct harness *, const json_t *question);

#endif
