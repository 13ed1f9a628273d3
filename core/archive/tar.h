/*
 * tar.h - the archive of a backup: files in the pax format, which any tar unpacks. It is read
 * strictly: only plain files with clean relative names, as stet writes them, are accepted.
 */
#ifndef CORE_TAR_H
#define CORE_TAR_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

#define TAR_BLOCK 512
#define TAR_NAME_MAX 1000 /* bytes */

struct tar_entry {
	char name[TAR_NAME_MAX + 1];
	uint64_t size;
	int64_t mtime; /* seconds */
};
/* Returns true if a file of an archive may have this name: relative, without "." and "..", no
 * control characters. */
bool tar_name_good(const char *);
/* The header before a file. */
void tar_head(struct buf *, const struct tar_entry *);
/* The number of zeros behind a file of this size, and behind the last one. */
size_t tar_padding(uint64_t size);
#define TAR_END (2 * TAR_BLOCK)

enum tar_outcome { TAR_ENTRY, TAR_DONE, TAR_BAD };
/* Reads so many bytes, fewer at the end; -1: a read error. */
typedef long tar_get(void *arg, void *, size_t);
/* Finds the next file; the caller then reads its content and padding. TAR_BAD: *why says so and
 * needs no freeing; NULL if `get` failed. */
enum tar_outcome tar_next(tar_get *get, void *arg, struct tar_entry *, const char **why);

#endif
