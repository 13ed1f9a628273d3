/*
 * backup.h - a site as one file: an archive of its database, of one moment, and of the files that
 * belong to it, with a sum of each. A site that is served goes on meanwhile.
 *
 * The archive is pax tar: stet-backup.json (what made it, of what, when, the migrations), stet.db,
 * the key of the site if the archive is sealed, the files, and last B2SUMS, which `b2sum -c` reads
 * too: without it, the archive is cut off. Then zstd, then seal.h. Files are never changed under
 * their names, only added, and removed later than their records: so they are read after the
 * database's moment, and none of it is missing.
 */
#ifndef CORE_BACKUP_H
#define CORE_BACKUP_H

#include "archive/seal.h"
#include "base/buf.h"
#include "base/pace.h"
#include <sodium.h>
#include <sys/types.h>

#define BACKUP_HEAD "stet-backup.json"
#define BACKUP_SUMS "B2SUMS"
#define BACKUP_FORMAT 2 /* the newest: with the key of the site; without it 1 */
#define BACKUP_SUM 64 /* bytes of BLAKE2b */
#define BACKUP_RATE (64u << 20) /* bytes a second, where nobody says another */

struct backup {
	const char *site, *data; /* name, and data directory */
	const char *key_file; /* of the site's key, as configured; NULL: DATA/key */
	int fd; /* where to; backup_file opens it */
	bool compress;
	const struct seal_key *key;
	uint64_t rate; /* bytes a second, of reading the database and of writing; 0: any */
	const atomic_bool *stop; /* or NULL */
	void (*progress)(void *arg, const char *what, uint64_t done, uint64_t all); /* or NULL */
	void *arg;
	dev_t avoid_device; /* a directory of backups, or the file itself */
	ino_t avoid;
	/* Results. */
	char created_at[25];
	uint64_t bytes, database_bytes, files, file_bytes, log_grown;
	uint64_t left_out; /* what is neither file nor directory, or has no good name */
	char *damage; /* the first that the database's own checks found in the copy; NULL: it is
			 sound */
	char *keyless; /* why a sealed archive lacks the key of the site; NULL: it has it */
	unsigned char sum[32]; /* of what was written */
};
/* false: *why, to be freed. */
bool backup_write(struct backup *, char **why);
/* Into a file that is there whole or not at all: under another name, handed to the disk, read
 * again, renamed. An existing one is replaced with `force` only. */
bool backup_file(struct backup *, const char *path, bool force, char **why);
void backup_free(struct backup *);
/* The line of BACKUP_SUMS for what `state` has taken in; it is used up. */
void backup_sum(struct buf *sums, crypto_generichash_state *state, const char *name);

#endif
