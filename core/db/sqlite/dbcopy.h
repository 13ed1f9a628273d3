/*
 * dbcopy.h - makes a consistent copy of a database while others write to it. The copy is read in
 * one read transaction, which sees one state, so it never starts over and blocks no writer. What is
 * written meanwhile stays in the WAL, which grows until the copy is done.
 */
#ifndef CORE_DBCOPY_H
#define CORE_DBCOPY_H

#include "base/pace.h"
#include <jansson.h>
#include <stet/status.h>

struct dbcopy {
	const char *from, *to; /* `to` exists, is empty, and used by no one else */
	int fd; /* descriptor of `to` */
	struct pace pace; /* the rate is lifted if the WAL grows long */
	void (*progress)(void *arg, uint64_t done, uint64_t all); /* pages; or NULL */
	void *arg;
	/* Results. */
	uint64_t bytes;
	uint64_t log_grown; /* bytes by which the log grew meanwhile */
};
/* Returns false with *why on error, which the caller frees. The copy is one file without a WAL,
 * and is synced to disk. */
bool dbcopy_run(struct dbcopy *, char **why);

/* The number of bytes that a copy of the database may need. */
uint64_t dbcopy_room(const char *path);

#endif
