/*
 * filecache.h - files of a remote driver, and files derived from stored ones, kept in the site's
 * data directory, up to file-cache bytes: DATA/file-cache/MODULE@KEY. A file never changes, so a
 * cached file is always valid. The least recently opened files are removed first. Any thread.
 */
#ifndef CORE_FILES_FILECACHE_H
#define CORE_FILES_FILECACHE_H

#include "files/filedriver.h"

/* Returns a descriptor, or -1 if the file is not cached. */
int filecache_open(const struct stet_file_place *);
bool filecache_has(const struct stet_file_place *);
/* Moves this file, which must be on the same file system, into the cache. A file larger than the
 * cache stays where it is. */
void filecache_add(const struct stet_file_place *, const char *path);
void filecache_drop(const struct stet_file_place *);
/* Returns the bytes in the cache, as counted since the daemon began to use it; never too few. */
uint64_t filecache_bytes(const struct conf_site *);
/* Counts the module's files whose keys begin with the key of the place. With `drop` they are
 * removed. */
struct filecache_sum {
	uint64_t count, bytes;
};
struct filecache_sum filecache_all(const struct stet_file_place *, bool drop);
/* Files derived from a stored file (derived.c) belong to the module MODULE.renditions; their keys
 * begin with the file's key and a hyphen. */
#define FILECACHE_MADE ".renditions"
/* Removes all files derived from this one. */
void filecache_forget(const struct stet_file_place *);
/* Empties the cache, because the disk is full. */
void filecache_clear(const struct conf_site *);

/* Begins a fetch, so that concurrent callers fetch a file only once. Returns true if the caller
 * must fetch it; the caller then calls filecache_landed in any case. Returns false after another
 * thread has fetched it or failed. */
bool filecache_fly(const struct stet_file_place *);
void filecache_landed(const struct stet_file_place *);

#endif
