/* pack.c - writes a stream of bytes to a file, through zstd and seal if asked. */
#include "archive/pack.h"
#include "archive/seal.h"
#include "base/arena.h"
#include "base/pace.h"
#include "base/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM (128 * 1024)

static bool
fail(struct pack *p, char *why)
{
	if (p->why == NULL)
		p->why = why;
	else
		free(why);
	return false;
}

static bool
put_file(struct pack *p, const unsigned char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(p->fd, data, len);

		if (n < 0 && errno == EINTR &&
		    (p->pace->stop == NULL || !atomic_load(p->pace->stop)))
			continue;
		if (n < 0)
			return fail(
			    p, words_format("the archive cannot be written: %s", strerror(errno)));
		crypto_generichash_update(&p->sum, data, (size_t)n);
		p->written += (uint64_t)n;
		pace_write(p->fd, &p->unsynced, (uint64_t)n);
		data += n;
		len -= (size_t)n;
		if (!pace_spend(p->pace, (size_t)n))
			return fail(p, words_format("it was told to stop"));
	}
	return true;
}

/* Writes whole blocks. The rest is held back, since the last block of a stream is marked as
 * such. */
static bool
put_sealed(struct pack *p, const unsigned char *data, size_t len)
{
	while (len > 0) {
		size_t n = SEAL_BLOCK - p->held_len < len ? SEAL_BLOCK - p->held_len : len;

		if (p->held_len == SEAL_BLOCK) {
			seal_block(p->seal, p->held, SEAL_BLOCK, false, p->sealed);
			p->held_len = 0;
			if (!put_file(p, p->sealed, SEAL_BLOCK + SEAL_MORE))
				return false;
			continue;
		}
		memcpy(p->held + p->held_len, data, n);
		p->held_len += n;
		data += n;
		len -= n;
	}
	return true;
}

static bool
put_packed(struct pack *p, const void *data, size_t len)
{
	return p->seal != NULL ? put_sealed(p, data, len) : put_file(p, data, len);
}

static bool
compress(struct pack *p, const void *data, size_t len, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { data, len, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { p->room, ROOM, 0 };

		left = ZSTD_compressStream2(p->zstd, &out, &in, how);
		if (ZSTD_isError(left))
			return fail(p, words_format("zstd: %s", ZSTD_getErrorName(left)));
		if (!put_packed(p, p->room, out.pos))
			return false;
	} while (how == ZSTD_e_end ? left > 0 : in.pos < in.size);
	return true;
}

bool
pack_begin(struct pack *p, int fd, bool compressed, const struct seal_key *key, struct pace *pace)
{
	*p = (struct pack){ .fd = fd, .pace = pace };
	crypto_generichash_init(&p->sum, NULL, 0, crypto_generichash_BYTES);
	if (compressed) {
		p->room = xmalloc(ROOM);
		p->zstd = ZSTD_createCCtx();
		if (p->zstd == NULL)
			return fail(p, words_format("there is no memory for zstd"));
		ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, PACK_LEVEL);
		ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
	}
	if (key->kind == SEAL_NONE)
		return true;
	p->seal = xcalloc(1, sizeof(*p->seal));
	p->held = xmalloc(SEAL_BLOCK);
	p->sealed = xmalloc(SEAL_BLOCK + SEAL_MORE);
	if (!seal_begin(p->seal, key))
		return fail(p, words_format("there is no memory to make a key of the passphrase"));
	return put_file(p, p->seal->head, SEAL_HEAD);
}

bool
pack_put(struct pack *p, const void *data, size_t len)
{
	return p->zstd != NULL ? compress(p, data, len, ZSTD_e_continue) : put_packed(p, data, len);
}

bool
pack_end(struct pack *p)
{
	if (p->zstd != NULL && !compress(p, NULL, 0, ZSTD_e_end))
		return false;
	if (p->seal == NULL)
		return true;
	seal_block(p->seal, p->held, p->held_len, true, p->sealed);
	return put_file(p, p->sealed, p->held_len + SEAL_MORE);
}

void
pack_free(struct pack *p)
{
	ZSTD_freeCCtx(p->zstd);
	if (p->seal != NULL)
		sodium_memzero(p->seal, sizeof(*p->seal));
	if (p->held != NULL)
		sodium_memzero(p->held, SEAL_BLOCK);
	free(p->seal);
	free(p->room);
	free(p->held);
	free(p->sealed);
	free(p->why);
	*p = (struct pack){ .fd = -1 };
}
