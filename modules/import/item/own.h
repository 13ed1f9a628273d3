/* own.h - extra data that stet's own exports, importers and co-author plugins carry beside the
 * elements of WordPress. */
#ifndef IMPORT_OWN_H
#define IMPORT_OWN_H

#include "item/members.h"

/* Adds the extra data to an entry (entry.c) that has its body already: times, values of fields, a
 * draft, a schedule, and the credits, [{slug, role?}], if the source lists any. */
STET_MUST enum stet_status own_read(struct stet_call *, const struct run *,
    const struct stet_collection *, const struct wxr_item *, struct import_item *entry);
/* Adds the description and the keywords of a section to the arguments of section_create. */
void own_section(struct stet_call *, const struct wxr_item *, json_t *args);

#endif
