/* whole.h - all that a site shows, for comparing it with another. */
#ifndef T_MODULE_WHOLE_H
#define T_MODULE_WHOLE_H

#include "harness.h"

/* Items with their credits and terms, terms, comments, menus, sections: JSON, in which an id is the
 * number of its first place, and what each site has of its own is left out. To be freed. At most
 * 100 items in a collection. */
char *site_told(struct harness *);

#endif
