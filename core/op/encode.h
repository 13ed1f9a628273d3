/*
 * encode.h - content codings (RFC 9110, 8.4 and 12.5.3): chooses the one to answer in, and
 * compresses.
 */
#ifndef CORE_ENCODE_H
#define CORE_ENCODE_H

#include "call/call.h"
#include "op/reply.h"
#include <sys/uio.h>

enum coding { CODING_NONE, CODING_GZIP, CODING_ZSTD, CODINGS };

#define ENCODE_LEAST 1024 /* bytes; a smaller body fits into one or two packets uncompressed */
#define ENCODE_HERE \
	65536 /* a larger body would block its worker for too long: the slow lane compresses it */
#define ENCODE_MOST ((size_t)16 << 20)

extern const char *const encode_name[CODINGS]; /* names in headers; NULL for CODING_NONE */

/* Returns true if this answer may be compressed. An answer that contains a secret may not: its
 * compressed length reveals how much of the secret equals text that an attacker can place in the
 * same answer (the BREACH attack). */
bool encode_may(const struct stet_call *, const struct rendered *);

/* Chooses the coding for an answer of `len` bytes by the client's Accept-Encoding. A compressed
 * answer has another entity tag: the original, a dot and the coding's name. If-Match ignores that
 * suffix. */
enum coding encode_choose(struct stet_call *, struct rendered *, uint64_t len);

/* The state that compressors keep between bodies, for one thread. */
struct encoder;
struct encoder *encoder_new(void);
void encoder_free(struct encoder *);
/* Compresses the pieces into an empty buffer. Returns false if there is not enough memory. */
bool encode(struct encoder *, enum coding, const struct iovec *, int pieces, struct buf *out);

#endif
