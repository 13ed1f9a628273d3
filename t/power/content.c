/* content.c - the bytes of a file, changed by a whole write or by some of its blocks. */
#include "content.h"

#include <stdlib.h>
#include <string.h>

uint64_t
disk_random(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void
content_resize(struct content *c, size_t size)
{
	if (size > c->room) {
		c->room = size + size / 2;
		c->bytes = realloc(c->bytes, c->room);
		if (c->bytes == NULL)
			abort();
	}
	if (size > c->size)
		memset(c->bytes + c->size, 0, size - c->size);
	c->size = size;
}

void
content_put(struct content *c, uint64_t at, const unsigned char *bytes, uint64_t len)
{
	if (at + len > c->size)
		content_resize(c, at + len);
	memcpy(c->bytes + at, bytes, len);
}

void
content_change(struct content *c, const struct change *change)
{
	if (change->bytes != NULL)
		content_put(c, change->at, change->bytes, change->len);
	else
		content_resize(c, change->at);
}

/* Applies a random half of the blocks of one write, as a power cut may do. `block` is the block
 * size of the file. */
static void
apply_torn(struct content *c, const struct change *change, uint64_t block, uint64_t *seed)
{
	uint64_t at = change->at, end = change->at + change->len;

	while (at < end) {
		uint64_t next = (at / block + 1) * block < end ? (at / block + 1) * block : end;

		if (disk_random(seed) % 2 == 0)
			content_put(c, at, change->bytes + (at - change->at), next - at);
		at = next;
	}
}

void
content_change_some(
    struct content *c, const struct change *change, enum disk_mode mode, uint64_t *seed)
{
	if (mode == DISK_KEPT)
		content_change(c, change);
	else if (mode == DISK_DROPPED)
		return;
	else if (mode == DISK_SOME || change->bytes == NULL) {
		if (disk_random(seed) % 2 == 0)
			content_change(c, change);
	} else
		apply_torn(c, change, mode == DISK_TORN_512 ? 512 : 4096, seed);
}
