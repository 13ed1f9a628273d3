/* range.h - the header Range (RFC 9110, 14.1 and 14.2). */
#ifndef CORE_RANGE_H
#define CORE_RANGE_H

#include <stdint.h>

enum range {
	RANGE_ALL, /* there is none that counts: all of it is answered */
	RANGE_PART, /* bytes first to last, which are there */
	RANGE_BEYOND /* nothing of what is asked for is there */
};

/* What a header asks of so many bytes. One range of bytes counts; what is malformed, other units,
 * and several ranges, which a server may answer with all of it, do not. Of no bytes at all there is
 * no part: whoever asks each time for the first so many gets all of nothing. */
enum range range_read(const char *, uint64_t size, uint64_t *first, uint64_t *last);

#endif
