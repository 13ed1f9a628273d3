/* body.h - request bodies: where their bytes go, and how many there may be. */
#ifndef CORE_BODY_H
#define CORE_BODY_H

#include "call/call.h"

struct spool;

struct body {
	struct stet_call *call;
	enum { TO_MEMORY, TO_SPOOL, TO_NOBODY } to;
	uint64_t max, seen, left; /* bytes of Content-Length still to come */
	struct http1_chunks chunks;
	struct buf text; /* freed with the call */
	size_t held; /* bytes in memory, counted against max-body-memory */
	struct spool *spool;
	bool done;
};

/* Counts the memory that the parsed body will take, until the call ends; or fails if there is not
 * enough. */
STET_MUST enum stet_status body_weigh(struct stet_call *, const char *, size_t);

bool body_follows(const struct http1_head *);
/* Prepares to read the body of an admitted call. If the call has failed, the body is read and
 * discarded. Returns NULL if the body is not read; the call then has its error. */
struct body *body_open(struct stet_call *);
/* Returns true if the whole body is among the `available` bytes, so that it can be used where it
 * lies. */
bool body_is_whole(const struct body *, size_t available);
/* Takes some bytes. Returns how many it used, 0 if more must come first, -1 if the call has its
 * error. */
long body_feed(struct body *, const char *, size_t);
/* The body is complete. Returns false if the call has its error. */
bool body_end(struct body *);

#endif
