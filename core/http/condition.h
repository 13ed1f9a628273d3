/*
 * condition.h - conditional requests: If-Match, If-None-Match, If-Modified-Since,
 * If-Unmodified-Since and If-Range (RFC 9110, 13). These functions compare headers with the
 * validators of a representation; the caller answers 304, 412 or the whole.
 */
#ifndef CORE_CONDITION_H
#define CORE_CONDITION_H

#include "http/http1.h"

/* The validators of the current representation. */
struct condition_of {
	const char *tag; /* entity tag without quotes, always a strong one; NULL: none */
	int64_t modified; /* seconds since the epoch; CONDITION_UNDATED: not known */
};
#define CONDITION_UNDATED INT64_MIN

enum condition {
	CONDITION_NONE, /* no condition decides: answer as usual */
	CONDITION_UNMODIFIED, /* the client's copy is current: 304 */
	CONDITION_FAILED /* a precondition does not hold: 412 */
};

/* Returns true if the text can stand between the quotes of an entity tag (RFC 9110, 8.8.3). */
bool condition_good_tag(const char *);
/* Evaluates the conditions of a GET or HEAD whose answer would be 200, in the order of RFC 9110,
 * 13.2.2. Other methods always get CONDITION_NONE. */
enum condition condition_judge(const struct http1_head *, const struct condition_of *);
/* Returns true if If-Match allows a change of the resource with this tag. It does if it is "*",
 * or if it names the tag itself, the tag with a dot and one of the `coding`s behind it (as the
 * compressed response has it; NULL entries are skipped), or the part of the tag before its first
 * dot. Weak tags never match (RFC 9110, 13.1.1). A single tag may come without quotes. */
bool condition_if_match(
    const struct http1_head *, const char *tag, const char *const *coding, int codings);
/* Returns true if Range counts: If-Range is absent or matches the representation (RFC 9110,
 * 13.1.5). `now` is in seconds since the epoch. A date that is not older than `now` does not
 * match: within that second the representation may have changed twice. */
bool condition_range(const struct http1_head *, const struct condition_of *, int64_t now);

#endif
