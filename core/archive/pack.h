/*
 * pack.h - a stream of bytes to a file and back: compressed with zstd and encrypted if asked.
 * After a failure `why` says what went wrong.
 */
#ifndef CORE_PACK_H
#define CORE_PACK_H

#include "archive/seal.h"
#include "base/pace.h"
#include <zstd.h>

#define PACK_LEVEL 3 /* zstd's level: about as fast as a disk */

/* Writing to a file. All members but `why` are private to pack.c. */
struct pack {
	int fd;
	struct pace *pace;
	ZSTD_CCtx *zstd; /* NULL: not compressed */
	struct seal *seal; /* NULL: not encrypted */
	unsigned char *room, *sealed, *held; /* for zstd's output, for an encrypted block, for bytes
						that wait for a full block */
	size_t held_len;
	uint64_t written; /* bytes of the file */
	uint64_t unsynced;
	crypto_generichash_state sum; /* checksum of the bytes written */
	char *why; /* NULL: no failure; to be freed */
};
/* Returns false on failure; call pack_free in any case. */
bool pack_begin(struct pack *, int fd, bool compress, const struct seal_key *, struct pace *pace);
bool pack_put(struct pack *, const void *, size_t);
/* Writes the bytes still buffered. */
bool pack_end(struct pack *);
void pack_free(struct pack *);

/* Reading from a file. Its first bytes tell whether it is compressed and encrypted. */
struct unpack {
	int fd;
	ZSTD_DCtx *zstd;
	struct seal *seal;
	unsigned char *raw, *text; /* a block of the file, and its plain text */
	unsigned char *room; /* output of zstd */
	ZSTD_inBuffer in; /* input for zstd that it has not consumed yet */
	size_t at, len; /* output that was not taken yet */
	unsigned char head[SEAL_HEAD];
	size_t head_len, head_at; /* bytes that were read to recognise the format */
	bool file_end, frame_end;
	char *why;
};

#endif
