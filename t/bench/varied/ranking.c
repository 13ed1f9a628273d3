/* ranking.c - the constants of the ranking in the search module of `make bench-search`, which sets
 * them. */
#include "../../../modules/search/ranking.h"
#include <stet/status.h>

STET_API struct ranking ranking = RANKING;
