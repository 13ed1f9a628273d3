/* rewrite.h - addresses of a source become those here. */
#ifndef IMPORT_REWRITE_H
#define IMPORT_REWRITE_H

#include <jansson.h>
#include <stet/module.h>

extern const struct stet_member rewrite_in[], rewrite_out[];
stet_handler import_rewrite;
struct rewritten {
	int64_t updated, urls, failed; /* items, addresses, items that stay as they were */
	const json_t *by_collection, *errors; /* owned by the call */
};
/* {old: new}, which was checked; collections NULL: all. */
STET_MUST enum stet_status rewrite_content(
    struct stet_call *, const json_t *map, const json_t *collections, struct rewritten *);

#endif
