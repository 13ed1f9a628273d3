/* content.h - the bytes of a file on a modelled disk (disk.h). */
#ifndef T_POWER_CONTENT_H
#define T_POWER_CONTENT_H

#include "disk.h"

#include <stddef.h>

/* A buffer that only grows at its end, or is truncated. */
struct content {
	unsigned char *bytes;
	size_t size, room;
};

struct change {
	uint64_t number; /* number of this change among all changes */
	uint64_t at, len; /* if bytes is NULL, the new size is in `at` */
	const unsigned char *bytes;
};

/* New bytes are zero. */
void content_resize(struct content *, size_t size);
void content_put(struct content *, uint64_t at, const unsigned char *bytes, uint64_t len);
void content_change(struct content *, const struct change *);
/* Applies the part of the change that survives a power cut. */
void content_change_some(struct content *, const struct change *, enum disk_mode, uint64_t *seed);

#endif
