/*
 * changes.h - the change feed: the service of the changes module. Items and definitions are noted
 * by themselves; a module whose records shape what a site shows notes its own. The module may be
 * disabled: without the service there is no feed.
 */
#ifndef STET_CHANGES_H
#define STET_CHANGES_H

#include <stet/call.h>

#define STET_CHANGES_1 "changes/1"
struct stet_changes_1 {
	/* A record was changed, in the transaction that changes it: its kind ("menu", "term",
	 * "settings" …), what its route calls it (NULL: the kind has one only), and "create",
	 * "update" or "delete"; of what has locales, any of them. Told to all who may read content:
	 * what only editors know of is not for here.
	 */
	enum stet_status (*note)(struct stet_call *, struct stet_tx *, const char *kind,
	    const char *id, const char *change);
	/* It was changed, and is called `id` now: when it was called otherwise, that is a delete
	 * and a create. */
	enum stet_status (*renamed)(struct stet_call *, struct stet_tx *, const char *kind,
	    const char *was, const char *id);
	/* New functions go here, and nowhere else. */
};

/* `note`, if there is a feed. */
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

#endif
