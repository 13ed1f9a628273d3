/*
 * tar.h - the archive of a backup: files in the pax format, which any tar unpacks. Read strictly:
 * plain files with clean relative names, as written here; all else is refused.
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
/* May a file of an archive be called so? Relative, without "." and "..", no control characters. */
bool tar_name_good(const char *);
/* What stands before a file. */
void tar_head(struct buf *, const struct tar_entry *);
/* What stands behind a file of this size, and behind the last: zeros. */
size_t tar_padding(uint64_t size);
#define TAR_END (2 * TAR_BLOCK)

enum tar_outcome { TAR_ENTRY, TAR_DONE, TAR_BAD };
/* Reads so many bytes, fewer at the end; -1: it cannot. */
typedef long tar_get(void *arg, void *, size_t);
/* The next file, whose content and padding the caller reads. TAR_BAD: *why, in words that need no
 * freeing; NULL when it was `get` that failed. */
enum tar_outcome tar_next(tar_get *get, void *arg, struct tar_entry *, const char **why);

#endif
