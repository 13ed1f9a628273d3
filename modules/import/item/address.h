/* address.h - the addresses of items on this site, and links between items. */
#ifndef IMPORT_ADDRESS_H
#define IMPORT_ADDRESS_H

#include "item/members.h"

/* *out: the path of an item here: by the pattern of its collection, or /collection/slug; NULL:
 * there is no such collection. Owned by the call. */
STET_MUST enum stet_status address_here(struct stet_call *, const char *collection, const char *id,
    const char *slug, const char *locale, const char **out);

/* What address_links has found. The lists are made by the caller. */
struct address_found {
	json_t *missing; /* [id in the source]: links lead to these items, which are not here yet */
	json_t *refs; /* the same for references */
	int64_t set; /* references whose items are here */
};
/*
 * Replaces links to items of the source (GIVEN_ITEM) by the addresses that these have here, and
 * references ({_ref: GIVEN_ITEM and the id}) by {_ref: id here, collection}; a reference with a
 * member href also gets the address and the title of its item. *out: the value with them, a new
 * reference; NULL: it has none of those that can be replaced. If `found` is NULL, nothing comes any
 * more: then a link becomes a path, as the source may have it, and a reference has the id of the
 * source.
 */
STET_MUST enum stet_status address_links(struct stet_call *, const struct run *,
    const json_t *value, struct address_found *, json_t **out);

#endif
