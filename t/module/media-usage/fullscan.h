/* fullscan.h - the expected index of uses, computed from the items as clients get them. */
#ifndef T_MEDIA_USAGE_FULLSCAN_H
#define T_MEDIA_USAGE_FULLSCAN_H

#include "used.h"

/* Both return objects that map "MEDIA COLLECTION ITEM" to {active, sources}; COLLECTION is a slug.
 * New references. */

/* Returns the index. */
json_t *index_dump(struct harness *);
/* Returns the uses by all items, including those in the trash. */
json_t *items_scan(struct harness *);

/* Returns the number of uses of this media item in such an object; `active`: only active ones. */
int uses_in(json_t *, const char *media, bool active);

#endif
