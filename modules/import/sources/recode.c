/*
 * recode.c - reads a file of another encoding as UTF-8. Spreadsheet programs write UTF-16 with a
 * byte order mark, or the encoding of their system.
 */
#include "sources/recode.h"
#include "read/source.h"
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 65536
#define NONE ((iconv_t)-1)

struct recode {
	struct stet_call *call;
	struct source *file;
	iconv_t to;
	char in[PIECE], out[2 * PIECE];
	size_t left; /* bytes at the beginning of `in`: read, but not handed on */
	bool ended;
};

/* Fills `in` until it has a few bytes, since a mark may come in pieces. */
static enum stet_status
fill(struct recode *r)
{
	size_t got;

	if (r->ended)
		return STET_OK;
	do {
		STET_TRY(source_read(r->file, r->in + r->left, PIECE - r->left, &got));
		r->left += got;
		r->ended = got == 0;
	} while (!r->ended && r->left < 4);
	return STET_OK;
}

static void
drop(struct recode *r, size_t len)
{
	r->left -= len;
	memmove(r->in, r->in + len, r->left);
}

enum stet_status
recode_begin(struct stet_call *call, struct source *file, const char *encoding, struct recode **out)
{
	static const struct {
		const char *mark, *encoding;
	} marks[] = { { "\xef\xbb\xbf", NULL }, { "\xff\xfe", "UTF-16LE" },
		{ "\xfe\xff", "UTF-16BE" } };
	struct recode *r = *out = calloc(1, sizeof(*r));

	if (r == NULL)
		stet_out_of_memory();
	r->call = call;
	r->file = file;
	r->to = NONE;
	STET_TRY(fill(r));
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t len = strlen(marks[i].mark);

		if (r->left < len || memcmp(r->in, marks[i].mark, len) != 0)
			continue;
		drop(r, len);
		encoding = marks[i].encoding;
		break;
	}
	if (encoding != NULL && (r->to = iconv_open("UTF-8", encoding)) == NONE)
		return stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "There is no encoding %.100s here", encoding);
	return STET_OK;
}

static enum stet_status
convert(struct recode *r, const char **piece, size_t *got)
{
	char *in = r->in, *out = r->out;
	size_t left = r->left, room = sizeof(r->out);
	bool good = iconv(r->to, &in, &left, &out, &room) != (size_t)-1 || errno == E2BIG ||
		    (errno == EINVAL && !r->ended);

	*piece = r->out;
	*got = (size_t)(out - r->out);
	drop(r, (size_t)(in - r->in));
	return good ? STET_OK
		    : stet_fail(r->call, STET_VALIDATION_ERROR, "file",
			  "The file has bytes that are not of its encoding");
}

enum stet_status
recode_read(struct recode *r, const char **piece, size_t *got)
{
	*got = 0;
	if (r->to == NONE) {
		if (r->left == 0 && !r->ended)
			STET_TRY(fill(r));
		*piece = r->in;
		*got = r->left;
		r->left = 0;
		return STET_OK;
	}
	while (*got == 0 && !(r->ended && r->left == 0)) {
		STET_TRY(fill(r));
		if (r->left > 0)
			STET_TRY(convert(r, piece, got));
	}
	return STET_OK;
}

void
recode_end(struct recode *r)
{
	if (r == NULL)
		return;
	if (r->to != NONE)
		(void)iconv_close(r->to);
	free(r);
}
