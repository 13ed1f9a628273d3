/*
 * clean.h - a document on its way to the parser: decoded to UTF-8, with its faults of form
 * repaired, and refused where markup is larger than an honest file's.
 */
#ifndef IMPORT_CLEAN_H
#define IMPORT_CLEAN_H

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLEAN_TAG_MAX 65536 /* bytes of a tag with its attributes */
#define CLEAN_ATTRIBUTES_MAX 128
#define CLEAN_FOREIGN_MAX 10000 /* bytes that are no UTF-8; more are of another encoding */
#define CLEAN_GROWTH 3 /* bytes of UTF-8 that a byte of another encoding may become */
#define CLEAN_FAULTS_MAX 100000 /* faults of form; a file of others is no export */
#define CLEAN_AHEAD_MAX 65536 /* bytes that are read ahead to judge markup */
#define CLEAN_NAME_ROOM 40 /* more than the name of an element that holds text */
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
	char name[CLEAN_NAME_ROOM]; /* of the tag */
	size_t name_len; /* 0: too long to be of interest */
	bool named; /* the name is complete */
	bool closing, empty; /* it is an end tag; it ends in / */
	const char *leaf; /* the name of the element around, if that holds only text; NULL: no */
	size_t leaf_len;
	uint64_t faults; /* of form */
	bool returned; /* a carriage return came last */
	/* what was found */
	int64_t line; /* from 1 */
	uint64_t repaired; /* characters */
	int64_t repaired_line; /* of the last */
	uint64_t foreign; /* bytes that were read as Windows-1252 */
	int64_t foreign_line; /* of the last */
	unsigned foreign_run; /* such bytes that came last */
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
/* Repairs UTF-8 in place. *len shrinks if characters are removed, and may grow to CLEAN_GROWTH
 * times of it, which is the least that `room` must be. */
bool clean_repair(struct clean *, char *, size_t *len, size_t room);

/* A fault of form: what is repaired, and the text that replaces the next `skip` bytes. */
struct clean_fault {
	const char *what; /* NULL: there is none */
	const char *put;
	size_t skip;
};
/*
 * faults.c: follows the markup of a text, up to its first fault. Returns how many bytes are sound;
 * the caller passes the others again, with what follows: without a fault, they are fewer than
 * CLEAN_AHEAD_MAX, and 0 if the input ends here (`last`). Sets `why` if the document is refused.
 */
size_t clean_follow(struct clean *, const char *, size_t len, bool last, struct clean_fault *fault);

#endif
