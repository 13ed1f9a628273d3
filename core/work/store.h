/*
 * store.h - the files that modules keep: DATA/files/MODULE/xx/KEY, where xx follows from the key.
 * A file is there before the row that names it, and goes after it: what is in between is a file
 * that no row names, and removed when it is an hour old.
 */
#ifndef CORE_STORE_H
#define CORE_STORE_H

#include "call/call.h"
#include <stet/file.h>

/* SHA-256 of an open file, as text. false: it cannot be read. */
bool store_sum(int fd, char out[STET_SHA256_SIZE]);
/* Remove a file that no row names any more, below this directory. false: it is there still (a
 * backup is under way: then it is for the sweep), or was gone. */
bool store_unlink(const char *data, int dir, const char *path);

#endif
