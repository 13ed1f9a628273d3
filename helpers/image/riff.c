/* riff.c - removes metadata from WebP files. libvips 8.14 writes an Exif chunk into every file. */
#include "riff.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HEAD ((size_t)12) /* "RIFF", the size, "WEBP" */
#define CHUNK ((size_t)8) /* a name of four bytes, and a size */
#define HAS_METADATA (4 | 8) /* bits of VP8X: XMP, Exif */

static uint32_t
get_32(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool
is_metadata(const unsigned char *chunk)
{
	return memcmp(chunk, "EXIF", 4) == 0 || memcmp(chunk, "XMP ", 4) == 0;
}

size_t
riff_strip(unsigned char *bytes, size_t len)
{
	size_t at = HEAD, to = HEAD, size;

	if (len < HEAD || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WEBP", 4) != 0)
		return len;
	for (; len - at > CHUNK; at += size) {
		uint64_t said = (uint64_t)get_32(bytes + at + 4) + CHUNK;

		size = said + said % 2 < len - at ? (size_t)(said + said % 2) : len - at;
		if (is_metadata(bytes + at))
			continue;
		memmove(bytes + to, bytes + at, size);
		if (memcmp(bytes + to, "VP8X", 4) == 0)
			bytes[to + CHUNK] &= (unsigned char)~HAS_METADATA;
		to += size;
	}
	for (int i = 0; i < 4; i++)
		bytes[4 + i] = (unsigned char)((to - CHUNK) >> 8 * i);
	return to;
}
