/* condition.h - conditional requests (RFC 9110, 13). */
#ifndef CORE_CONDITION_H
#define CORE_CONDITION_H

#include "http/http1.h"

/* What is there, as conditions know it. */
struct condition_of {
	const char *tag; /* strong, without quotes; NULL: none */
	int64_t modified; /* seconds since the epoch; CONDITION_UNDATED: nobody knows */
};
#define CONDITION_UNDATED INT64_MIN

enum condition {
	CONDITION_NONE, /* go on */
	CONDITION_UNMODIFIED, /* the client has it: 304 */
	CONDITION_FAILED /* it is not what the client means: 412 */
};

/* May it stand between the quotes of an entity tag? */
bool condition_good_tag(const char *);
/* What a GET or HEAD says of what would be answered with 200, in the order of 13.2.2. */
enum condition condition_judge(const struct http1_head *, const struct condition_of *);
/* Does If-Match name this tag: by itself, with a dot and one of the `coding`s behind it (NULL ones
 * are passed over), by what stands before its first dot, or is it "*"? Weak tags never do. A single
 * tag may come without quotes. */
bool condition_if_match(
    const struct http1_head *, const char *tag, const char *const *coding, int codings);
/* Does If-Range, if it is there, let Range count? `now` in seconds: a date that is as young as that
 * may be of something that changed twice in it. */
bool condition_range(const struct http1_head *, const struct condition_of *, int64_t now);

#endif
