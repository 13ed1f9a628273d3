/*
 * widen.h - converts lists of struct stet_member between sizes. A module may be built with a header
 * in which the struct was shorter. It passes lists of its own size and gets lists of that size;
 * such a list is copied, and the lists that its members refer to (`of`) too.
 */
#ifndef CORE_WIDEN_H
#define CORE_WIDEN_H

#include "base/arena.h"
#include <stet/shape.h>

/* Zero-initialised except for the sizes. */
struct widening {
	size_t from, to; /* size of a member in the given lists and in the copies */
	struct arena arena; /* holds the copies; freed by the user */
	struct widened *done;
};

/* Returns the list itself if the sizes are equal. */
const struct stet_member *widen(struct widening *, const struct stet_member *);
/* The reverse: returns the list or member of which this one is a copy; for anything else,
 * itself. */
const struct stet_member *widened_from(const struct widening *, const struct stet_member *);

#endif
