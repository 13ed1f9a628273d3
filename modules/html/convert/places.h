/*
 * places.h - handlers of the blocks with inner blocks, and of files and buttons.
 */
#ifndef HTML_PLACES_H
#define HTML_PLACES_H

#include "handle.h"

void put_group(struct work *, const struct block *, json_t *to);
void put_columns(struct work *, const struct block *, json_t *to);
void put_media_text(struct work *, const struct block *, json_t *to);
void put_cover(struct work *, const struct block *, json_t *to);
void put_buttons(struct work *, const struct block *, json_t *to);
void put_button(struct work *, const struct block *, json_t *to);
void put_social(struct work *, const struct block *, json_t *to);
void put_file(struct work *, const struct block *, json_t *to);
/* kept.c: restores the value of a stet/block. */
void put_kept(struct work *, const struct block *, json_t *to);

#endif
