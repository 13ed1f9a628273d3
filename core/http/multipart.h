/*
 * multipart.h - parses multipart/form-data (RFC 7578) as the body arrives. The caller feeds bytes
 * in pieces of any size; the parser calls functions of the caller for each part and its content. It
 * does no I/O and keeps at most one part's head in memory.
 */
#ifndef CORE_MULTIPART_H
#define CORE_MULTIPART_H

#include <stdbool.h>
#include <stddef.h>

#define MULTIPART_PARTS_MAX 32
#define MULTIPART_HEAD_MAX 4096 /* bytes of one part's head, its empty line included */

struct multipart_events {
	/* A part begins. The strings are valid during the call; filename and type may be NULL.
	 * The client chose them: they have no control bytes, but may be any path in any encoding.
	 * Returns false to stop parsing, as the other two may. */
	bool (*part)(void *ctx, const char *name, const char *filename, const char *type);
	/* A piece of the part's content, never 0 bytes. */
	bool (*data)(void *ctx, const char *, size_t);
	bool (*end)(void *ctx);
};
struct multipart; /* one parser */

/* Takes the boundary from a value of Content-Type. Returns false if that is not
 * multipart/form-data or has no valid boundary. */
bool multipart_boundary(const char *content_type, char boundary[71]);
/* Owned by the caller, who frees it. `events` must live as long as the parser. */
struct multipart *multipart_new(const char *boundary, const struct multipart_events *, void *ctx);
/* Parses the next bytes. Returns false if the body is malformed (see multipart_why) or an event
 * stopped the parser; each later call then returns false too. */
bool multipart_feed(struct multipart *, const char *, size_t);
/* To be called after the last byte. Returns true if the body was complete. */
bool multipart_finish(struct multipart *);
/* What is wrong with the body; NULL if nothing is or an event stopped the parser. */
const char *multipart_why(const struct multipart *);
void multipart_free(struct multipart *);

#endif
