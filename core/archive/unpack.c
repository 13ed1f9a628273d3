/* unpack.c - reads what pack.c wrote, and trusts nothing in it. */
#include "archive/unpack.h"
#include "archive/pack.h"
#include "archive/seal.h"
#include "base/arena.h"
#include "base/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM (128 * 1024)
#define RAW (SEAL_BLOCK + SEAL_MORE)
#define WINDOW_LOG_MAX 24 /* 16 MiB; level 3 needs 2 */

static const unsigned char zstd_magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

static bool
fail(struct unpack *u, char *why)
{
	if (u->why == NULL)
		u->why = why;
	else
		free(why);
	return false;
}

/* ---- the file ---- */

/* Reads as many bytes as there are. Returns false on failure. */
static bool
read_file(struct unpack *u, unsigned char *out, size_t want, size_t *got)
{
	*got = 0;
	while (*got < want && u->head_at < u->head_len)
		out[(*got)++] = u->head[u->head_at++];
	while (*got < want && !u->file_end) {
		ssize_t n = read(u->fd, out + *got, want - *got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(
			    u, words_format("the archive cannot be read: %s", strerror(errno)));
		u->file_end = n == 0;
		*got += (size_t)n;
	}
	return true;
}

/* Returns true if the file ends here, as it must after the last encrypted block. */
static bool
at_end(struct unpack *u)
{
	unsigned char more;
	size_t got;

	return read_file(u, &more, 1, &got) && got == 0;
}

static bool
read_sealed(struct unpack *u, size_t *len)
{
	bool first = !u->seal->begun, last;
	size_t got;

	*len = 0;
	if (u->seal->ended)
		return true;
	if (!read_file(u, u->raw, RAW, &got))
		return false;
	if (got == 0)
		return fail(u, words_format("the archive is cut off"));
	if (!seal_unblock(u->seal, u->raw, got, u->text, &last))
		return fail(u, words_format(first ? "wrong passphrase, or the archive is damaged"
					    : got < RAW ? "the archive is cut off, or damaged"
							: "the archive is damaged"));
	if (!last && got < RAW)
		return fail(u, words_format("the archive is cut off"));
	if (last && !at_end(u))
		return fail(u, words_format("there is something behind the archive's end"));
	*len = got - SEAL_MORE;
	return true;
}

/* Reads the next part of the plain text; its length is 0 at the end. */
static bool
read_packed(struct unpack *u, size_t *len)
{
	if (u->seal != NULL)
		return read_sealed(u, len);
	return read_file(u, u->text, SEAL_BLOCK, len);
}

/* ---- the head of the archive ---- */

bool
unpack_begin(struct unpack *u, int fd)
{
	size_t got;

	*u = (struct unpack){ .fd = fd };
	u->raw = xmalloc(RAW);
	u->text = xmalloc(RAW);
	u->room = xmalloc(ROOM);
	if (!read_file(u, u->head, SEAL_HEAD, &got))
		return false;
	u->head_len = got;
	return got > 0 || fail(u, words_format("the archive is empty"));
}

int
unpack_sealed(const struct unpack *u)
{
	return seal_kind(u->head, u->head_len);
}

bool
unpack_open(struct unpack *u, const struct seal_key *key)
{
	const char *why;
	size_t len;

	if (unpack_sealed(u) != SEAL_NONE) {
		u->seal = xcalloc(1, sizeof(*u->seal));
		u->head_at = SEAL_HEAD;
		if ((why = seal_open(u->seal, u->head, key)) != NULL)
			return fail(u, words_format("%s", why));
	}
	if (!read_packed(u, &len))
		return false;
	u->in = (ZSTD_inBuffer){ u->text, len, 0 };
	if (len < sizeof(zstd_magic) || memcmp(u->text, zstd_magic, sizeof(zstd_magic)) != 0)
		return true;
	u->zstd = ZSTD_createDCtx();
	if (u->zstd == NULL)
		return fail(u, words_format("there is no memory for zstd"));
	ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return true;
}

/* ---- the stream ---- */

static bool
fill(struct unpack *u)
{
	size_t len;

	if (u->in.pos < u->in.size)
		return true;
	if (!read_packed(u, &len))
		return false;
	u->in = (ZSTD_inBuffer){ u->text, len, 0 };
	return true;
}

/* Decompresses the next bytes. An archive is one zstd frame; bytes behind its end are an error. */
static bool
decompress(struct unpack *u)
{
	ZSTD_outBuffer out = { u->room, ROOM, 0 };
	size_t left;

	while (out.pos == 0 && !u->frame_end) {
		if (!fill(u))
			return false;
		if (u->in.size == 0)
			return fail(u, words_format("the archive is cut off"));
		left = ZSTD_decompressStream(u->zstd, &out, &u->in);
		if (ZSTD_isError(left))
			return fail(
			    u, words_format("the archive is damaged: %s", ZSTD_getErrorName(left)));
		u->frame_end = left == 0;
	}
	u->at = 0;
	u->len = out.pos;
	if (out.pos > 0 || !fill(u))
		return out.pos > 0;
	return u->in.size == 0 ||
	       fail(u, words_format("there is something behind the archive's end"));
}

static bool
plain(struct unpack *u)
{
	if (!fill(u))
		return false;
	u->len = u->in.size < ROOM ? u->in.size : ROOM;
	memcpy(u->room, u->text, u->len);
	u->at = 0;
	u->in.pos = u->in.size;
	return true;
}

long
unpack_get(struct unpack *u, void *data, size_t want)
{
	unsigned char *out = data;
	size_t got = 0;

	while (got < want) {
		size_t n = u->len - u->at;

		if (n == 0) {
			if (!(u->zstd != NULL ? decompress(u) : plain(u)))
				return -1;
			if (u->len == 0)
				break;
			continue;
		}
		if (n > want - got)
			n = want - got;
		memcpy(out + got, u->room + u->at, n);
		u->at += n;
		got += n;
	}
	return (long)got;
}

void
unpack_free(struct unpack *u)
{
	ZSTD_freeDCtx(u->zstd);
	if (u->seal != NULL)
		sodium_memzero(u->seal, sizeof(*u->seal));
	free(u->seal);
	free(u->raw);
	free(u->text);
	free(u->room);
	free(u->why);
	*u = (struct unpack){ .fd = -1 };
}
