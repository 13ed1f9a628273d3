/*
 * open.h - public reads: ops whose row has `open` (module.h), which admits callers without
 * credentials, and the headers with which caches in front of the site keep their replies.
 */
#ifndef CORE_OP_OPEN_H
#define CORE_OP_OPEN_H

#include "op/reply.h"

/* Returns true if the op says that its call is public. For callers without credentials. */
bool open_asks(struct stet_call *, const struct op *);
/* Before the head is written: adds the header Surrogate-Key to the reply of a public read. */
void open_name(struct stet_call *);
/* Writes Cache-Control and Vary of a reply that caches may keep: 200 or 304 of a public read.
 * Returns false for any other. */
bool open_put(struct buf *, const struct stet_call *, const struct rendered *);

#endif
