/*
 * encode.c - chooses a content coding, and compresses with gzip and zstd at their fastest levels.
 */
#include "op/encode.h"
#include "base/arena.h"
#include "base/buf.h"
#include "http/http1.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

#define LEVEL_GZIP 1
#define LEVEL_ZSTD 1
#define GZIP_FORMAT (15 + 16) /* windowBits of zlib: a window of 32 KiB, in the gzip format */
#define ASKED 1000 /* the quality 1, in thousandths */

const char *const encode_name[CODINGS] = { [CODING_GZIP] = "gzip", [CODING_ZSTD] = "zstd" };

/* ---- Accept-Encoding ---- */

/* Reads "0", "1" or "0.5" as thousandths, at most 1000. */
static int
thousandths(const char *s, const char *end)
{
	int unit = 1000, n = (*s - '0') * unit;

	if (++s < end && *s == '.')
		for (s++; s < end && *s >= '0' && *s <= '9' && unit > 1; s++)
			n += (*s - '0') * (unit /= 10);
	return n < ASKED ? n : ASKED;
}

/* The quality value behind a coding (RFC 9110, 12.4.2) in thousandths. Text that is not one counts
 * as absent, which means 1. */
static int
quality_of(const char *s, const char *end)
{
	s += strspn(s, " \t");
	if (s >= end || *s != ';')
		return ASKED;
	s++;
	s += strspn(s, " \t");
	if (end - s < 3 || strncasecmp(s, "q=", 2) != 0 || (s[2] != '0' && s[2] != '1'))
		return ASKED;
	return thousandths(s + 2, end);
}

/* Parsed Accept-Encoding: the quality of each coding in thousandths, -1 if the header does not name
 * it. `rest` is the quality of "*", for codings that it does not name. */
struct accept_encoding {
	int of[CODINGS], rest;
};

static void
note_coding(struct accept_encoding *a, const char *name, size_t len, int quality)
{
	static const struct {
		const char *name;
		enum coding coding;
	} known[] = { { "identity", CODING_NONE }, { "gzip", CODING_GZIP },
		{ "x-gzip", CODING_GZIP }, { "zstd", CODING_ZSTD } };

	if (len == 1 && *name == '*')
		a->rest = quality;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (len == strlen(known[i].name) && strncasecmp(name, known[i].name, len) == 0)
			a->of[known[i].coding] = quality;
}

static void
read_list(struct accept_encoding *a, const char *s)
{
	while (*(s += strspn(s, " \t,")) != '\0') {
		const char *end = s + strcspn(s, ",");
		size_t len = strcspn(s, " \t;,");

		note_coding(a, s, len, quality_of(s + len, end));
		s = end;
	}
}

/* The coding that the client prefers. `small`: the body is not worth compressing, so a coding is
 * used only if the client refuses identity. */
static enum coding
accepted(const struct http1_head *head, bool small)
{
	struct accept_encoding a = { { -1, -1, -1 }, -1 };
	enum coding best = CODING_NONE;
	int least;

	for (size_t i = 0; i < head->header_count; i++)
		if (strcmp(head->header[i].name, "accept-encoding") == 0)
			read_list(&a, head->header[i].value);
	/* Identity is acceptable unless it is refused. If the header does not name it, any coding
	 * that it names is preferred. */
	least = a.of[CODING_NONE] >= 0 ? a.of[CODING_NONE] : a.rest == 0 ? 0 : 1;
	if (small && least > 0)
		return CODING_NONE;
	for (int i = CODING_NONE + 1; i < CODINGS; i++) {
		int quality = a.of[i] >= 0 ? a.of[i] : a.rest;

		if (quality > 0 && quality >= least) {
			best = (enum coding)i;
			least = quality;
		}
	}
	return best;
}

/* ---- what may be compressed ---- */

static bool
ends(const char *type, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && strncasecmp(type + len - n, end, n) == 0;
}

static bool
is_text(const char *type)
{
	static const char *const known[] = { "application/json", "application/xml",
		"application/javascript" };
	size_t len = strcspn(type, "; \t");

	/* Server-sent events must leave at once; a compressor would hold them back. */
	if (strncasecmp(type, "text/", 5) == 0)
		return len != 17 || strncasecmp(type, "text/event-stream", len) != 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (len == strlen(known[i]) && strncasecmp(type, known[i], len) == 0)
			return true;
	return ends(type, len, "+json") || ends(type, len, "+xml");
}

bool
encode_may(const struct stet_call *call, const struct rendered *r)
{
	/* Files are not compressed: ranges count the bytes of the file itself, and the kernel
	 * sends them. */
	if (call->head == NULL || r->type == NULL || r->file != NULL || !is_text(r->type) ||
	    (call->op != NULL && (call->op->row.flags & STET_SECRET) != 0))
		return false;
	for (const struct call_pair *p = r->headers; p != NULL; p = p->next)
		if (strcasecmp(p->name, "content-encoding") == 0 ||
		    strcasecmp(p->name, "content-range") == 0 ||
		    strcasecmp(p->name, "set-cookie") == 0 ||
		    (strcasecmp(p->name, "cache-control") == 0 &&
			(strstr(p->value, "no-store") != NULL ||
			    strstr(p->value, "no-transform") != NULL)))
			return false;
	return true;
}

enum coding
encode_choose(struct stet_call *call, struct rendered *r, uint64_t len)
{
	enum coding coding;

	if (len == 0 || len > ENCODE_MOST || !encode_may(call, r) ||
	    call->head->method == HTTP_HEAD)
		return CODING_NONE;
	coding = accepted(call->head, len < ENCODE_LEAST);
	if (coding != CODING_NONE && r->etag != NULL)
		r->etag = stet_printf(call, "%s.%s", r->etag, encode_name[coding]);
	return coding;
}

/* ---- compressing ---- */

struct encoder {
	z_stream gzip;
	bool has_gzip;
	ZSTD_CCtx *zstd;
};

struct encoder *
encoder_new(void)
{
	return xcalloc(1, sizeof(struct encoder));
}

void
encoder_free(struct encoder *e)
{
	if (e->has_gzip)
		deflateEnd(&e->gzip);
	ZSTD_freeCCtx(e->zstd);
	free(e);
}

static bool
gzip(struct encoder *e, const struct iovec *v, int pieces, size_t len, struct buf *out)
{
	z_stream *z = &e->gzip;
	int rc = Z_OK;

	if (!e->has_gzip &&
	    deflateInit2(z, LEVEL_GZIP, Z_DEFLATED, GZIP_FORMAT, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	e->has_gzip = true;
	(void)deflateReset(z);
	buf_reserve(out, deflateBound(z, len));
	z->next_out = (unsigned char *)out->data;
	z->avail_out = (uInt)(out->cap - 1);
	for (int i = 0; i < pieces && rc == Z_OK; i++) {
		z->next_in = v[i].iov_base;
		z->avail_in = (uInt)v[i].iov_len;
		rc = deflate(z, i == pieces - 1 ? Z_FINISH : Z_NO_FLUSH);
	}
	out->len = z->total_out;
	return rc == Z_STREAM_END;
}

static bool
zstd(struct encoder *e, const struct iovec *v, int pieces, size_t len, struct buf *out)
{
	ZSTD_outBuffer to;
	size_t left = 0;

	if (e->zstd == NULL && (e->zstd = ZSTD_createCCtx()) == NULL)
		return false;
	(void)ZSTD_CCtx_reset(e->zstd, ZSTD_reset_session_only);
	(void)ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_compressionLevel, LEVEL_ZSTD);
	(void)ZSTD_CCtx_setPledgedSrcSize(e->zstd, len);
	buf_reserve(out, ZSTD_compressBound(len));
	to = (ZSTD_outBuffer){ out->data, out->cap - 1, 0 };
	for (int i = 0; i < pieces; i++) {
		ZSTD_inBuffer from = { v[i].iov_base, v[i].iov_len, 0 };

		left = ZSTD_compressStream2(
		    e->zstd, &to, &from, i == pieces - 1 ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left) || from.pos < from.size)
			return false;
	}
	out->len = to.pos;
	return left == 0;
}

bool
encode(struct encoder *e, enum coding coding, const struct iovec *v, int pieces, struct buf *out)
{
	size_t len = 0;

	for (int i = 0; i < pieces; i++)
		len += v[i].iov_len;
	return coding == CODING_GZIP ? gzip(e, v, pieces, len, out) : zstd(e, v, pieces, len, out);
}
