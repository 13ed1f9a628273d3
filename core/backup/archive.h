/*
 * archive.h - a backup read: each member in its place, each sum compared, nothing in it trusted.
 * What is wrong with it is said in words.
 */
#ifndef CORE_ARCHIVE_H
#define CORE_ARCHIVE_H

#include "archive/pack.h"
#include <jansson.h>

struct archive {
	struct unpack *from; /* opened */
	int directory; /* where its files go: empty, and nobody else's */
	const char *owner; /* whose owner they get: dir_give */
	bool database_only; /* the other files are only looked at */
	void (*progress)(void *arg, const char *what, uint64_t done, uint64_t all); /* or NULL */
	void *arg;
	const atomic_bool *stop; /* or NULL */
	/* Results. */
	json_t *head; /* stet-backup.json; owned */
	bool sealed; /* set by whoever opens `from` */
	uint64_t files, bytes; /* without the archive's own */
};
/* Read it to its end. false: *why, to be freed; what was written so far is the caller's to
 * remove. */
bool archive_read(struct archive *, char **why);
void archive_free(struct archive *);

#endif
