/* multipart.h - multipart/form-data (RFC 7578), as it arrives. Bytes in, events out; no I/O. */
#ifndef CORE_MULTIPART_H
#define CORE_MULTIPART_H

#include <stdbool.h>
#include <stddef.h>

#define MULTIPART_PARTS_MAX 32
#define MULTIPART_HEAD_MAX 4096 /* bytes of one part's head, its empty line included */

struct multipart_events {
	/* A part begins. Strings are valid during the event; filename and type may be NULL. They
	 * are the client's word: no control bytes, but any path and any encoding. false: stop. */
	bool (*part)(void *ctx, const char *name, const char *filename, const char *type);
	/* Some of its content, never 0 bytes. */
	bool (*data)(void *ctx, const char *, size_t);
	bool (*end)(void *ctx);
};
struct multipart; /* one parser */

/* The boundary from a Content-Type value; false when it is not multipart/form-data or has no good
 * one. */
bool multipart_boundary(const char *content_type, char boundary[71]);
/* The events are borrowed. */
struct multipart *multipart_new(const char *boundary, const struct multipart_events *, void *ctx);
/* false: malformed (see multipart_why) or an event said stop; and so is every feed after it. */
bool multipart_feed(struct multipart *, const char *, size_t);
/* All bytes were fed: was it complete? */
bool multipart_finish(struct multipart *);
/* What is wrong with the body; NULL when nothing is, or an event said stop. */
const char *multipart_why(const struct multipart *);
void multipart_free(struct multipart *);

#endif
