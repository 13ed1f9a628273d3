/* variant.h - locale and translation group of an item. */
#ifndef IMPORT_VARIANT_H
#define IMPORT_VARIANT_H

#include "state/run.h"

/* *locale is one of the site's, or NULL: the item is in a locale that the site does not have, which
 * is *wanted. *group: NULL if it is not known to have translations. */
STET_MUST enum stet_status variant_of(struct stet_call *, const struct run *,
    const struct wxr_item *, const char **locale, const char **wanted, const char **group);

#endif
