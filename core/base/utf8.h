/* utf8.h - checks of text for the core: UTF-8 (Unicode 15, table 3-7), hexadecimal digits. */
#ifndef CORE_BASE_UTF8_H
#define CORE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length in bytes of the well-formed sequence at s, of which `left` bytes are there,
 * or 0. In a NUL-terminated text `left` may be 4 anywhere, because a NUL ends the sequence. */
size_t utf8_sequence(const unsigned char *s, size_t left);
/* The value of a hexadecimal digit, or -1. */
int utf8_hex(char);

static inline bool
utf8_digit(char c)
{
	return c >= '0' && c <= '9';
}

#endif
