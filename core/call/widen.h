/*
 * widen.h - lists of members from modules that were built when struct stet_member was shorter: read
 * as zero-extended, through every `of`.
 */
#ifndef CORE_WIDEN_H
#define CORE_WIDEN_H

#include "base/arena.h"
#include <stet/shape.h>

/* Zero-initialised but for size. */
struct widening {
	size_t size; /* of a member in the given lists */
	struct arena arena; /* what the lists lie in: to be freed */
	struct widened *done;
};

/* The list itself when its members have our size. */
const struct stet_member *widen(struct widening *, const struct stet_member *);

#endif
