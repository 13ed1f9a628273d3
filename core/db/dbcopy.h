/*
 * dbcopy.h - a consistent copy of a database that others go on writing to. One read transaction
 * sees one state from the first page to the last, so nothing ever begins anew, and nobody waits;
 * what is written meanwhile stays in the log until the copy is made.
 */
#ifndef CORE_DBCOPY_H
#define CORE_DBCOPY_H

#include "base/pace.h"
#include <jansson.h>
#include <stet/status.h>

struct dbcopy {
	const char *from, *to; /* `to` is there, empty, and nobody else's */
	int fd; /* of `to` */
	struct pace pace; /* no rate any more when the log grows long */
	void (*progress)(void *arg, uint64_t done, uint64_t all); /* pages; or NULL */
	void *arg;
	/* Results. */
	uint64_t bytes;
	uint64_t log_grown; /* bytes by which the log grew meanwhile */
};
/* false: *why, to be freed. The copy is one file without a log of its own, handed to the disk. */
bool dbcopy_run(struct dbcopy *, char **why);

/* How many bytes the copy of a database may take. */
uint64_t dbcopy_room(const char *path);

/* What journals of migrations say: {"module": {"version": n, "digest": "…"}} of the newest of each.
 * NULL: *why, to be freed. The file must be a copy, or one that nobody has open. */
json_t *dbcopy_journal(const char *path, char **why);

#endif
