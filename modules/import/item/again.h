/* again.h - custom fields that an item has more than once. */
#ifndef IMPORT_AGAIN_H
#define IMPORT_AGAIN_H

#include "read/wxr.h"

#define AGAIN_MOST 100 /* values of a custom field */

/* Returns the custom fields that have several values, {key: [different values]}; a new reference.
 * NULL: there is none. */
json_t *again_read(const struct wxr_item *);

#endif
