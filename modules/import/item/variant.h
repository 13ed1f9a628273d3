/* variant.h - locale and translation group of an item. */
#ifndef IMPORT_VARIANT_H
#define IMPORT_VARIANT_H

#include "state/run.h"

/* *locale: one of the site's, or NULL if the site does not have the item's locale. *wanted: the
 * locale that the source names, or that of the import. *group: NULL if the source names no
 * translations. */
STET_MUST enum stet_status variant_of(struct stet_call *, const struct run *,
    const struct wxr_item *, const char **locale, const char **wanted, const char **group);
/* Like variant_of, but fails with VALIDATION_ERROR if the site does not have the locale. */
STET_MUST enum stet_status variant_need(struct stet_call *, const struct run *,
    const struct wxr_item *, const char **locale, const char **group);

#endif
