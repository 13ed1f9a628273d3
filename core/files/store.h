/*
 * store.h - the files that modules keep, wherever a driver keeps them (filedriver.h).
 * A file is there before the row that names it, and goes after it: what is in between is a file
 * that no row names, and removed when it is an hour old.
 */
#ifndef CORE_STORE_H
#define CORE_STORE_H

#include "call/call.h"
#include <stet/file.h>

/* SHA-256 of an open file, as text. false: it cannot be read. */
bool store_sum(int fd, char out[STET_SHA256_SIZE]);
/* The same of at most `len` bytes from `at` on. */
bool store_sum_of(int fd, off_t at, uint64_t len, char out[STET_SHA256_SIZE]);
#endif
