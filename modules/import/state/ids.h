/*
 * ids.h - the table import_source: the ids that items and attachments have in their source. The
 * rows stay after the import. By them a later import finds an item again under another slug, and
 * updates it if the source has changed.
 */
#ifndef IMPORT_IDS_H
#define IMPORT_IDS_H

#include "state/run.h"

#define IDS_SLUG "slug:" /* begins the id of a row that has a slug only */

/* The row of an id of the source. */
struct kept {
	const char *collection; /* "": an attachment; `item` is the one of the library */
	const char *item; /* id here; NULL: there is no row */
	const char *slug; /* its slug in the source */
	const char *hash; /* of the imported entry; "": an attachment, or not made by an import */
	int64_t version; /* of the item after the import's last write; 0 if `hash` is "" */
	int64_t comment; /* the highest source id of its comments that were imported */
};

/* Returns the name under which the ids of a site are stored: its URL without scheme, "www." and
 * slashes at the end. NULL: the source names no site, so no ids are stored. Owned by the call. */
const char *ids_origin(struct stet_call *, const struct wxr_site *);
/* Returns the hash of a JSON value and of a text that goes with it, or "". Owned by the call. */
const char *ids_hash_of(struct stet_call *, const json_t *, const char *text);

/* The next five functions do nothing, or find nothing, in a run without an origin. */
STET_MUST enum stet_status ids_find(
    struct stet_call *, const struct run *, const char *source, struct kept *);
STET_MUST enum stet_status ids_put(struct stet_call *, struct stet_tx *, const struct run *,
    const char *source, const struct kept *);
/* Rows without an id have a slug as id, and files of rows may have another name each time. Takes
 * over the id of such a row from the source by which the item was imported. */
STET_MUST enum stet_status ids_move(struct stet_call *, struct stet_tx *, const struct run *,
    const char *source, const char *collection, const char *item);
/* *others: the item belongs to another id of the same source. */
STET_MUST enum stet_status ids_taken(struct stet_call *, const struct run *, const char *source,
    const char *collection, const char *item, bool *others);
/* Stores the source id of an attachment that was copied into the library. */
STET_MUST enum stet_status ids_put_media(struct stet_call *, struct stet_tx *, const struct run *,
    const char *source, const char *media);

/* Reads the version of an item; 0: it does not exist. */
STET_MUST enum stet_status ids_version(
    struct stet_call *, const char *collection, const char *item, int64_t *version);
/* To be called after the import itself, or its schedule, has changed an item, which had the version
 * `was`: the stored version follows, so that this does not pass for a change by a user. */
STET_MUST enum stet_status ids_follow(
    struct stet_call *, struct stet_tx *, const char *collection, const char *item, int64_t was);

#endif
