/* decode.h - images by libvips. For a process that is confined. */
#ifndef HELPERS_IMAGE_DECODE_H
#define HELPERS_IMAGE_DECODE_H

#include "image/imagewire.h"
#include <stdbool.h>
#include <stdint.h>

/* Starts libvips: one thread, no cache, and no loaders but those of the formats in imagewire.h. */
bool decode_open(const char *program);
/* Returns a bit 1 << FORMAT for each format that can be decoded; after decode_open. */
uint32_t decode_formats(void);
/* What the image is: size, format, blurhash and color. Fails if its pixels cannot be decoded. */
void decode_look(int in, const struct imagewire_ask *, struct imagewire_answer *);
/* Writes a copy to `out`, not larger, without metadata. */
void decode_make(int in, int out, const struct imagewire_ask *, struct imagewire_answer *);

#endif
