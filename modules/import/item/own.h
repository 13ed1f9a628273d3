/* own.h - what exports of ours, and co-author plugins, say beside the elements of WordPress. */
#ifndef IMPORT_OWN_H
#define IMPORT_OWN_H

#include "state/run.h"

/* Reads it into an entry (entry.c) that has its body: times, values of fields, and `credits`,
 * [{slug, role?}], if they are more than the author; a draft and a schedule. */
STET_MUST enum stet_status own_read(struct stet_call *, const struct run *,
    const struct stet_collection *, const struct wxr_item *, json_t *entry);
/* The description and the keywords of a section, as arguments of section_create. */
void own_section(struct stet_call *, const struct wxr_item *, json_t *args);

#endif
