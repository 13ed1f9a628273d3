/* address.h - the addresses of items on this site, and links between items. */
#ifndef IMPORT_ADDRESS_H
#define IMPORT_ADDRESS_H

#include "item/members.h"

/* *out: the path of an item here: by the pattern of its collection, or /collection/slug; NULL:
 * there is no such collection. Owned by the call. */
STET_MUST enum stet_status address_here(struct stet_call *, const char *collection, const char *id,
    const char *slug, const char *locale, const char **out);

/*
 * Replaces links to items of the source (GIVEN_ITEM) by the addresses that these have here. Returns
 * the value with them, a new reference; *out NULL: it has none of those that can be replaced. Ids
 * of items that are not here yet are added to `missing`. If `missing` is NULL, nothing comes any
 * more: then such a link becomes a path, as the source may have it.
 */
STET_MUST enum stet_status address_links(
    struct stet_call *, const struct run *, const json_t *value, json_t *missing, json_t **out);

#endif
