/* encode.h - content codings (RFC 9110, 8.4 and 12.5.3): which one a client takes, and its bytes.
 */
#ifndef CORE_ENCODE_H
#define CORE_ENCODE_H

#include "call/call.h"
#include "op/reply.h"
#include <sys/uio.h>

enum coding { CODING_NONE, CODING_GZIP, CODING_ZSTD, CODINGS };

#define ENCODE_LEAST 1024 /* bytes; a smaller body fits into a packet or two as it is */
#define ENCODE_HERE \
	65536 /* a larger one would hold up its worker for too long: it goes elsewhere */
#define ENCODE_MOST ((size_t)16 << 20)

extern const char *const encode_name[CODINGS]; /* as headers say it; NULL for none */

/* May this answer of the call be sent in a coding, and so in none as well, as clients like? Not
 * what holds a secret: the size of what is compressed tells about it, to who can have some of the
 * same answer be what they like. */
bool encode_may(const struct stet_call *, const struct rendered *);

/* The coding that this answer of `len` bytes is sent in, if its client takes one; in a coding it
 * has another tag, its own with the name behind a dot: If-Match takes no notice of what follows
 * one. */
enum coding encode_choose(struct stet_call *, struct rendered *, uint64_t len);

/* What compressors keep between two bodies; of one thread. */
struct encoder;
struct encoder *encoder_new(void);
void encoder_free(struct encoder *);
/* The pieces in a coding, into an empty buffer. false: there was no memory for it. */
bool encode(struct encoder *, enum coding, const struct iovec *, int pieces, struct buf *out);

#endif
