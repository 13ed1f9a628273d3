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
	 * "setting" …), what its route calls it (NULL: the kind has one only), and "create",
	 * "update" or "delete". Told to all who may read content: what only editors know of is not
	 * for here.
	 */
	enum stet_status (*note)(struct stet_call *, struct stet_tx *, const char *kind,
	    const char *id, const char *change);
};

#endif
