/* whole.h - all data that a site shows, for comparing two sites. */
#ifndef T_MODULE_WHOLE_H
#define T_MODULE_WHOLE_H

#include "harness.h"

/* Returns, as JSON text to be freed: items with their credits and terms, terms, comments, menus,
 * sections. Each id is replaced by the number of its first occurrence; members that differ between
 * any two sites are left out. At most 100 items in a collection. */
char *site_told(struct harness *);
/* The same of items alone: what formats hold that have no terms by themselves. malloc. */
char *site_items_told(struct harness *);

#endif
