/* blocks.h - Portable Text made of bytes, for what has to hold for any. */
#ifndef T_MODULE_BLOCKS_H
#define T_MODULE_BLOCKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	const uint8_t *at, *end;
};
/* A document of what editors make and of what they never would; the bytes choose. */
json_t *blocks_make(struct bytes *);
/* The same without keys, with spans joined that are alike: what Markdown can say of it. *whole:
 * there is nothing else in it. */
json_t *blocks_plain(const json_t *, bool *whole);

#endif
