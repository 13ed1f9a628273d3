/* blocks.h - random Portable Text, made from bytes, for properties that must hold for any
 * document. */
#ifndef T_MODULE_BLOCKS_H
#define T_MODULE_BLOCKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	const uint8_t *at, *end;
};
/* Makes a document from the bytes: of valid blocks and of some that no editor makes. */
json_t *blocks_make(struct bytes *);
/* Returns the document without keys, with equal adjacent spans joined: what Markdown can express.
 * *whole: false if something was left out. */
json_t *blocks_plain(const json_t *, bool *whole);

#endif
