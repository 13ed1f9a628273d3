/*
 * changes.h - the service of the changes module: the change feed. The feed lists changes of
 * items and definitions by itself. A module with other records that affect what a site shows
 * reports their changes here. The changes module may be disabled: then there is no feed.
 */
#ifndef STET_CHANGES_H
#define STET_CHANGES_H

#include <stet/call.h>

#define STET_CHANGES_1 "changes/1"
struct stet_changes_1 {
	/* Reports the change of a record, in the transaction that changes it. `kind` is "menu",
	 * "term", "settings" …; `id` is the record's name in its route (NULL: the kind has a single
	 * record); `change` is "create", "update" or "delete". For a record with locales, report a
	 * change of any of them. Everybody who may read content sees the feed: do not report
	 * changes that only editors may know of. */
	enum stet_status (*note)(struct stet_call *, struct stet_tx *, const char *kind,
	    const char *id, const char *change);
	/* Reports a change of a record that is now named `id`. If its old name `was` is different,
	 * the feed shows a delete and a create. */
	enum stet_status (*renamed)(struct stet_call *, struct stet_tx *, const char *kind,
	    const char *was, const char *id);
	/* Reports changed terms of the items of a translation group: `had` and `has` are arrays of
	 * the groups of their terms. Reports each item outside the trash as updated, except `item`
	 * (NULL: none), which entry_changed reports later in this transaction. */
	enum stet_status (*retagged)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *entry_group, const char *item, const json_t *had, const json_t *has);
	/* Reports what happened to something of an item that only readers of drafts may know of: a
	 * note, a request for review. `kind` is "note"; `id` is that of the item. */
	enum stet_status (*within)(struct stet_call *, struct stet_tx *, const char *kind,
	    const char *collection, const char *id, const char *change);
	/* New functions go here, and nowhere else. */
};

/* Calls `note` if the feed is enabled. */
STET_MUST static inline enum stet_status
stet_note(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *id,
    const char *change)
{
	const struct stet_changes_1 *changes = stet_service(call, STET_CHANGES_1);

	return changes != NULL ? changes->note(call, tx, kind, id, change) : STET_OK;
}

STET_MUST static inline enum stet_status
stet_note_renamed(
    struct stet_call *call, struct stet_tx *tx, const char *kind, const char *was, const char *id)
{
	const struct stet_changes_1 *changes = stet_service(call, STET_CHANGES_1);

	return changes != NULL ? changes->renamed(call, tx, kind, was, id) : STET_OK;
}

STET_MUST static inline enum stet_status
stet_note_within(struct stet_call *call, struct stet_tx *tx, const char *kind,
    const char *collection, const char *id, const char *change)
{
	const struct stet_changes_1 *changes = stet_service(call, STET_CHANGES_1);

	return changes != NULL && changes->within != NULL
		   ? changes->within(call, tx, kind, collection, id, change)
		   : STET_OK;
}

#endif
