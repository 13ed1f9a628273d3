/*
 * ids.h - the ids that items and attachments have in their source, kept after the import: the table
 * import_source. By them an item is found again under another slug, and changed when the source
 * has.
 */
#ifndef IMPORT_IDS_H
#define IMPORT_IDS_H

#include "state/run.h"

/* What is known of an id of the source. */
struct kept {
	const char *collection; /* "": it is an attachment, and `item` of the library */
	const char *item; /* here; NULL: the id is not known */
	const char *slug; /* that the source had for it */
	const char *hash; /* of what came of it; "": it was here before the import */
	int64_t version; /* of the item after the import's last write; 0 as above */
	int64_t comment; /* the highest id of a comment in the source that has come */
};

/* The name for the ids of a site: its address without scheme, "www." and a slash at the end. NULL:
 * it tells none, so that no ids are kept. Owned by the call. */
const char *ids_origin(struct stet_call *, const struct wxr_site *);
/* Owned by the call. */
const char *ids_hash_of(struct stet_call *, const json_t *);
/* Of an entry (entry.c), as far as it decides what is stored. Owned by the call. */
const char *ids_hash(struct stet_call *, const json_t *entry);

/* These four do nothing, or find nothing, in a run without an origin. */
STET_MUST enum stet_status ids_find(
    struct stet_call *, const struct run *, const char *source, struct kept *);
STET_MUST enum stet_status ids_put(struct stet_call *, struct stet_tx *, const struct run *,
    const char *source, const struct kept *);
/* *others: another id of the source is that item. */
STET_MUST enum stet_status ids_taken(struct stet_call *, const struct run *, const char *source,
    const char *collection, const char *item, bool *others);
/* An attachment was copied. */
STET_MUST enum stet_status ids_put_media(struct stet_call *, struct stet_tx *, const struct run *,
    const char *source, const char *media);

/* The version of an item; 0: it is not there. */
STET_MUST enum stet_status ids_version(
    struct stet_call *, const char *collection, const char *item, int64_t *version);
/* The import itself has written an item once more, which had this version: that was no change of a
 * user. */
STET_MUST enum stet_status ids_follow(
    struct stet_call *, struct stet_tx *, const char *collection, const char *item, int64_t was);

#endif
