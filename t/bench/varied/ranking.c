/* ranking.c - the constants of the ranking in the search module of `make bench-search`, which sets
 * them. */
#define SEARCH_RANKING_VARIES 1 /* the same definition as in Makefile.am, for the whole module */
#include "../../../modules/search/ranking.h"
#include <stet/status.h>

STET_API struct ranking ranking = RANKING;
