/* fullscan.h - what the index of uses should say, by the items as clients get them. */
#ifndef T_MEDIA_USAGE_FULLSCAN_H
#define T_MEDIA_USAGE_FULLSCAN_H

#include "used.h"

/* Both are objects of "MEDIA COLLECTION ITEM" to {active, sources}; the collection is its slug. To
 * be released. */

/* What the index has. */
json_t *index_dump(struct harness *);
/* What all items use, those in the trash too. */
json_t *items_scan(struct harness *);

/* How many uses of this media item are in such an object; `active`: those that count. */
int uses_in(json_t *, const char *media, bool active);

#endif
