/*
 * clean.h - a document on its way to the parser: decoded to UTF-8, without what XML forbids but
 * WordPress writes (control characters), and refused where markup is larger than an honest file's.
 */
#ifndef IMPORT_CLEAN_H
#define IMPORT_CLEAN_H

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLEAN_TAG_MAX 65536 /* bytes of a tag with its attributes */
#define CLEAN_ATTRIBUTES_MAX 128
#define CLEAN_ASIDE_MAX (1u << 20) /* of a comment or a processing instruction */

enum clean_state {
	CLEAN_TEXT,
	CLEAN_OPEN, /* behind a < */
	CLEAN_BANG, /* behind <! */
	CLEAN_DASH, /* behind <!- */
	CLEAN_TAG,
	CLEAN_VALUE, /* of an attribute */
	CLEAN_COMMENT,
	CLEAN_MARK, /* behind <![ */
	CLEAN_CDATA,
	CLEAN_PI,
};

struct clean {
	/* decoding; (iconv_t)-1: it is UTF-8 already */
	iconv_t coding;
	char rest[16]; /* bytes of a character that is not complete yet */
	size_t rest_len;
	/* markup */
	enum clean_state state;
	size_t length, attributes;
	unsigned run; /* how many ] or - or ? came last; in CLEAN_MARK, how many bytes */
	char quote;
	bool returned; /* a carriage return came last */
	/* what was found */
	int64_t line; /* from 1 */
	uint64_t repaired; /* characters */
	int64_t repaired_line; /* of the last */
	const char *why; /* why the document is refused, or NULL */
};

void clean_begin(struct clean *);
void clean_end(struct clean *);
/* The first bytes of a document say how it is encoded: *skip bytes of them are no part of it (a
 * byte order mark, blanks before its declaration). Returns false if it is refused. */
bool clean_head(struct clean *, const char *, size_t len, size_t *skip);
/* Decodes up to *len bytes to at most `room` bytes of UTF-8, whole characters only. Sets *len to
 * the bytes taken, *out_len to those written. `last`: the input ends here. `room`: 64 or more. */
bool clean_decode(struct clean *, const char *in, size_t *len, bool last, char *out, size_t room,
    size_t *out_len);
/* Repairs UTF-8 in place, and follows the markup. *len shrinks if characters are removed. */
bool clean_repair(struct clean *, char *, size_t *len);

#endif
