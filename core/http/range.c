/* range.c - reads the header Range. Numbers are of any length and saturate. */
#include "http/range.h"
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"

/* Reads a decimal number; larger ones than UINT64_MAX become UINT64_MAX. Returns false if there
 * is no digit. */
static bool
read_number(const char **s, uint64_t *out)
{
	size_t len = strspn(*s, DIGITS);
	uint64_t n = 0;

	for (size_t i = 0; i < len; i++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)((*s)[i] - '0'), &n))
			n = UINT64_MAX; /* the next digits overflow again */
	*s += len;
	*out = n;
	return len > 0;
}

/* A suffix range, "-500": the last 500 bytes. */
static enum range
read_suffix(const char *s, uint64_t size, uint64_t *first, uint64_t *last)
{
	uint64_t many;

	if (!read_number(&s, &many) || *s != '\0')
		return RANGE_ALL;
	if (many == 0)
		return RANGE_BEYOND;
	*first = many < size ? size - many : 0;
	*last = size - 1;
	return RANGE_PART;
}

enum range
range_read(const char *s, uint64_t size, uint64_t *first, uint64_t *last)
{
	if (size == 0 || strncasecmp(s, "bytes=", 6) != 0)
		return RANGE_ALL;
	s += 6;
	s += strspn(s, " \t");
	if (*s == '-')
		return read_suffix(s + 1, size, first, last);
	if (!read_number(&s, first) || *s++ != '-')
		return RANGE_ALL;
	if (*s == '\0')
		*last = UINT64_MAX;
	else if (!read_number(&s, last) || *s != '\0' || *last < *first)
		return RANGE_ALL;
	if (*last >= size)
		*last = size - 1;
	return *first < size ? RANGE_PART : RANGE_BEYOND;
}
