/*
 * backup.h - writes a site into one file: its database at one moment, and the files that belong to
 * it, with a checksum of each. The site is served meanwhile.
 *
 * The archive is pax tar: stet-backup.json (version, site, time, migrations), stet.db, the key of
 * the site if the archive is sealed, the files, and last B2SUMS, in the format of `b2sum -c`:
 * without it, the archive is cut off. The tar is compressed with zstd, then encrypted (seal.h).
 * Files are never changed under their names: they are only added, and removed later than their
 * records. So files read after the moment of the database include all that it names.
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
#define BACKUP_FORMAT 2 /* the newest format: with the key of the site; without it 1 */
#define BACKUP_SUM 64 /* bytes of BLAKE2b */
#define BACKUP_RATE (64u << 20) /* bytes a second, unless configured */

struct backup {
	const char *site, *data; /* name, and data directory */
	const char *database; /* where the database is, unless it is DATA/stet.db; NULL: there */
	const char *key_file; /* configured file of the site's key; NULL: DATA/key */
	int fd; /* output; backup_file opens it */
	bool compress;
	const struct seal_key *key;
	uint64_t rate; /* bytes a second, of reading the database and of writing; 0: no limit */
	const atomic_bool *stop; /* may be NULL */
	/* May be NULL. */
	void (*progress)(void *arg, const char *what, uint64_t done, uint64_t all);
	void *arg;
	dev_t avoid_device; /* a directory of backups, or the file itself: not packed */
	ino_t avoid;
	/* Results. */
	char created_at[25];
	uint64_t bytes, database_bytes, files, file_bytes, log_grown;
	uint64_t
	    left_out; /* entries that are neither file nor directory, or have an invalid name */
	char *damage; /* first damage that the database's checks found in the copy; NULL: none */
	char *keyless; /* why a sealed archive lacks the site's key; NULL: it has it */
	unsigned char sum[32]; /* checksum of the output */
};
/* Returns false with *why on error, to be freed. */
bool backup_write(struct backup *, char **why);
/* Writes a file that exists completely or not at all: under another name, synced, read again, then
 * renamed. An existing file is replaced only with `force`. */
bool backup_file(struct backup *, const char *path, bool force, char **why);
void backup_free(struct backup *);
/* Appends the line of BACKUP_SUMS for what `state` has hashed; ends `state`. */
void backup_sum(struct buf *sums, crypto_generichash_state *state, const char *name);

#endif
