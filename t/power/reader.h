/* reader.h - a record (record.h) in memory. */
#ifndef T_POWER_READER_H
#define T_POWER_READER_H

#include "record.h"

#include <stdbool.h>
#include <stddef.h>

struct reader {
	unsigned char *bytes;
	size_t size;
	size_t *at; /* position of each entry */
	size_t count;
};
/* Returns false if the record cannot be read, or its last entry is not complete. Free it in either
 * case. */
bool reader_open(struct reader *, const char *path);
void reader_free(struct reader *);
/* Return the head of an entry, its paths and its bytes. */
struct record_head reader_entry(
    const struct reader *, size_t i, const char **paths, const void **bytes);

#endif
