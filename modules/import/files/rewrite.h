/* rewrite.h - replaces addresses of a source in the content by those of the copied files. */
#ifndef IMPORT_REWRITE_H
#define IMPORT_REWRITE_H

#include <jansson.h>
#include <stet/module.h>

extern const struct stet_member rewrite_in[], rewrite_out[];
stet_handler import_rewrite;
struct rewritten {
	/* items changed, addresses replaced, items that could not be written */
	int64_t updated, urls, failed;
	const json_t *by_collection, *errors; /* owned by the call */
};
/* map: {old: new}, checked with urls_check. collections NULL: all. bare: see urls.h. */
STET_MUST enum stet_status rewrite_content(struct stet_call *, const json_t *map,
    const json_t *collections, bool bare, struct rewritten *);

#endif
