/*
 * filecache.h - files of a distant driver, and renditions, kept in the data directory of the site,
 * up to file-cache bytes: DATA/file-cache/MODULE@KEY. A file never changes, so what is here is
 * right. The ones not opened for longest are removed first. Any thread.
 */
#ifndef CORE_FILES_FILECACHE_H
#define CORE_FILES_FILECACHE_H

#include "files/filedriver.h"

/* Returns a descriptor, or -1: it is not here. */
int filecache_open(const struct file_place *);
bool filecache_has(const struct file_place *);
/* Makes this file of the same file system the cached one: it is moved, or left where it is if it is
 * larger than the cache. */
void filecache_add(const struct file_place *, const char *path);
void filecache_drop(const struct file_place *);
/* How many bytes are kept, as counted since the daemon began to use the cache: never too few. */
uint64_t filecache_bytes(const struct conf_site *);
/* The files of this module whose keys begin with that of the place; with `drop` they are removed.
 */
struct filecache_sum {
	uint64_t count, bytes;
};
struct filecache_sum filecache_all(const struct file_place *, bool drop);
/* What is made of a stored file is a file of the module MODULE.renditions whose key begins with
 * that of the file and a hyphen. */
#define FILECACHE_MADE ".renditions"
/* Removes what was made of this file. */
void filecache_forget(const struct file_place *);
/* Removes all of it: the disk is full. */
void filecache_clear(const struct conf_site *);

/* Fetching, once however many ask. Returns true if the caller is to fetch the file: then it calls
 * filecache_landed in any case. Returns false after another thread has fetched it, or failed. */
bool filecache_fly(const struct file_place *);
void filecache_landed(const struct file_place *);
/* Is it being fetched? */
bool filecache_flies(const struct file_place *);

#endif
