/* jsontext.h - what JSON's strings hold as it is. */
#ifndef CORE_JSONTEXT_H
#define CORE_JSONTEXT_H

#include <stdint.h>

#define JSON_EACH(byte) (~0ULL / 255 * (byte))

/* The top bit of each of eight bytes that is special; a borrow can make a false alarm above a true
 * one. */
static inline uint64_t
json_specials(uint64_t x)
{
	uint64_t quote = x ^ JSON_EACH('"'), slash = x ^ JSON_EACH('\\');

	return ((x - JSON_EACH(0x20)) | (quote - JSON_EACH(1)) | (slash - JSON_EACH(1)) | x) &
	       JSON_EACH(0x80);
}

#endif
