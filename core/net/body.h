/* body.h - request bodies: where they go as they come, and how large they may be. */
#ifndef CORE_BODY_H
#define CORE_BODY_H

#include "call/call.h"

struct spool;

struct body {
	struct stet_call *call;
	enum { TO_MEMORY, TO_SPOOL, TO_NOBODY } to;
	uint64_t max, seen, left; /* left: of Content-Length */
	struct http1_chunks chunks;
	struct buf text; /* freed with the call */
	size_t held; /* of it, as counted against what all may hold */
	struct spool *spool;
	bool done;
};

/* How much memory all bodies that are kept there may take together, from now on. */
void body_memory(uint64_t most);

bool body_follows(const struct http1_head *);
/* For the op of an admitted call; for a call with an error, to read it away. NULL: the body will
 * not be read, and the call has its error. */
struct body *body_open(struct stet_call *);
/* Is all of it among `available` bytes that have come, so that it can be used where it lies? */
bool body_is_whole(const struct body *, size_t available);
/* Some bytes. Returns how many were used, 0 when more must come first, -1 when the call has its
 * error. */
long body_feed(struct body *, const char *, size_t);
/* It is done. false: the call has its error. */
bool body_end(struct body *);

#endif
