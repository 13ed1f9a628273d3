/* range.h - reads the header Range (RFC 9110, 14.1 and 14.2). */
#ifndef CORE_RANGE_H
#define CORE_RANGE_H

#include <stdint.h>

enum range {
	RANGE_ALL, /* no range that counts: answer with 200 and all bytes */
	RANGE_PART, /* answer with 206 and the bytes *first to *last */
	RANGE_BEYOND /* no byte of the range exists: answer with 416 */
};

/* Reads the header's value for a representation of `size` bytes. Only a single range of bytes
 * counts. Malformed headers, other units and several ranges are ignored (RANGE_ALL), as a server
 * may. If size is 0 every range is ignored, so that a client that always asks for the first part
 * gets an empty 200 and no error. With RANGE_PART, *first and *last (inclusive) are within the
 * size. */
enum range range_read(const char *, uint64_t size, uint64_t *first, uint64_t *last);

#endif
