/*
 * archive.h - reads a backup: writes each member to its place and checks its checksum. The content
 * is not trusted. Problems are described in words.
 */
#ifndef CORE_ARCHIVE_H
#define CORE_ARCHIVE_H

#include "archive/pack.h"
#include <jansson.h>

struct archive {
	struct unpack *from; /* opened */
	int directory; /* where the files go: an empty directory that no one else uses */
	const char *owner; /* a path whose owner the files get (dir_give) */
	bool database_only; /* other files are checked but not written */
	/* May be NULL. */
	void (*progress)(void *arg, const char *what, uint64_t done, uint64_t all);
	void *arg;
	const atomic_bool *stop; /* may be NULL */
	/* Results. */
	json_t *head; /* stet-backup.json; owned */
	bool sealed; /* set by the caller that opens `from` */
	uint64_t files, bytes; /* without members that the backup itself adds */
};
/* Reads the archive to its end. Returns false with *why, to be freed; the caller removes what was
 * written so far. */
bool archive_read(struct archive *, char **why);
void archive_free(struct archive *);

#endif
