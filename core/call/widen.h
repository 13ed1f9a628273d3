/*
 * widen.h - lists of members from modules that were built when struct stet_member had another size.
 * A module is given lists of its own size, and gives such lists: what is longer or shorter is
 * copied, through every `of`.
 */
#ifndef CORE_WIDEN_H
#define CORE_WIDEN_H

#include "base/arena.h"
#include <stet/shape.h>

/* Zero-initialised but for the sizes. */
struct widening {
	size_t from, to; /* sizes of a member, in the given lists and in the copies */
	struct arena arena; /* what the copies lie in: to be freed */
	struct widened *done;
};

/* The list itself when the sizes are equal. */
const struct stet_member *widen(struct widening *, const struct stet_member *);
/* What was widened: the list that this one is a copy of, and the member that this one of a copy is
 * a copy of; anything else is itself. */
const struct stet_member *widened_from(const struct widening *, const struct stet_member *);

#endif
