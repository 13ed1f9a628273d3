/* text.h - UTF-8 for the core's own use (Unicode 15, table 3-7). */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stddef.h>

/* The length in bytes of the well-formed sequence at s, of which `left` bytes are there, or 0. In a
 * NUL-terminated text `left` may be 4 anywhere: a NUL ends the look. */
size_t text_sequence(const unsigned char *s, size_t left);

#endif
