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

/* ---- parts.c: sections and menus, which have ids of the source, too, but no versions ---- */

#define PART_SECTION "section:" /* as `collection`: no collection is called so */
#define PART_MENU "menu:"

/* What is known of it: `item` is its slug or name here, `slug` the time of its last change when the
 * import had written it. */
STET_MUST enum stet_status part_find(
    struct stet_call *, const struct run *, const char *kind, const char *source, struct kept *);
/* The run has written it, and it has this hash and time of change now. */
STET_MUST enum stet_status part_put(struct stet_call *, struct stet_tx *, const struct run *,
    const char *kind, const char *source, const char *item, const char *hash, const char *changed);
/* What becomes of one that is known: OUTCOME_UPDATED: it is to be written; NULL: it is to be made
 * again. `changed`: the time of its last change here, NULL: it is gone. */
const char *part_outcome(const struct run *, const struct kept *, const char *hash,
    const char *changed, const char **reason);

/* ---- renew.c: items that are there already, by their ids ---- */

/*
 * Looks whether the entry is there: *there. If so, it has its outcome then: it is left as it is, or
 * changed, as the run wants it. `body`: of the request. `by_slug`: the item of its slug, or NULL.
 */
STET_MUST enum stet_status renew_known(struct stet_call *, struct stet_tx *, const struct run *,
    json_t *entry, json_t *body, const char *by_slug, bool *there);
/* The item of an id, which is there and stays as it is: nothing of it need be read. *entry: what is
 * to be written of it, a new reference; NULL: it is not there, or may have to change. */
STET_MUST enum stet_status renew_stays(struct stet_call *, struct run *, const struct wxr_item *,
    const char *collection, json_t **entry);
/* The entry was made as this item. */
STET_MUST enum stet_status renew_made(
    struct stet_call *, struct stet_tx *, const struct run *, const json_t *entry, const char *id);

#endif
