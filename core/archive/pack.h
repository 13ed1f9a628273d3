/*
 * pack.h - a stream of bytes into a file and out of it: compressed with zstd and sealed, as wished.
 * What went wrong is said once, in words, in `why`.
 */
#ifndef CORE_PACK_H
#define CORE_PACK_H

#include "archive/seal.h"
#include "base/pace.h"
#include <zstd.h>

#define PACK_LEVEL 3 /* of zstd: as fast as a disk */

/* Into a file. Everything but why is pack.c's. */
struct pack {
	int fd;
	struct pace *pace;
	ZSTD_CCtx *zstd; /* NULL: as it is */
	struct seal *seal; /* NULL: open to all */
	unsigned char *room, *sealed, *held; /* for zstd, for a block, for what waits for one */
	size_t held_len;
	uint64_t written; /* bytes of the file */
	uint64_t unsynced;
	crypto_generichash_state sum; /* of them */
	char *why; /* NULL: all is well; to be freed */
};
/* false: why; pack_free it all the same. */
bool pack_begin(struct pack *, int fd, bool compress, const struct seal_key *, struct pace *pace);
bool pack_put(struct pack *, const void *, size_t);
/* All of it is handed to the system. */
bool pack_end(struct pack *);
void pack_free(struct pack *);

/* Out of a file: what it is like is seen from its first bytes. */
struct unpack {
	int fd;
	ZSTD_DCtx *zstd;
	struct seal *seal;
	unsigned char *raw, *text; /* a block of the file, and what it says */
	unsigned char *room; /* what zstd made of it */
	ZSTD_inBuffer in; /* of text, not yet taken */
	size_t at, len; /* of room, not yet taken */
	unsigned char head[SEAL_HEAD];
	size_t head_len, head_at; /* what was read to see what it is */
	bool file_end, frame_end;
	char *why;
};

#endif
