/*
 * ends.h - what runs at the end of a transaction, before its commit: once for all calls that share
 * it (stet_before_commit).
 */
#ifndef CORE_ENDS_H
#define CORE_ENDS_H

#include <stdbool.h>
#include <stet/status.h>

struct db;

struct end {
	struct end *next;
	/* Runs in a savepoint of its own. If it fails, its writes are undone, and the transaction
	 * goes on. */
	enum stet_status (*run)(struct end *, struct db *);
	/* Called once, after the commit, or with `committed` false instead of it. Frees the end. */
	void (*over)(struct end *, bool committed);
};

/* The ends of one transaction, in the order in which they run. */
struct ends {
	struct end *head, **tail;
};

void ends_init(struct ends *);
void ends_add(struct ends *, struct end *);
/* Runs them, also those that are added meanwhile. Fails if the transaction is lost. */
enum stet_status ends_run(struct ends *, struct db *);
/* Takes all of them off the list and calls `over` of each. */
void ends_over(struct ends *, bool committed);

#endif
