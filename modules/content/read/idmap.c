/* idmap.c - a hash table of values by id (open addressing), in the memory of the call, for some
 * thousand ids. */
#include "read/include.h"
#include <string.h>

#define SIZE 64 /* slots of the first table; a power of two */

struct idmap_slot {
	const char *id; /* NULL: free */
	void *value;
};

/* Returns the slot of the id, or the free slot for it. */
static struct idmap_slot *
find(const struct idmap *map, const char *id)
{
	size_t i = (size_t)stet_hash(id) & (map->size - 1);

	while (map->slot[i].id != NULL && strcmp(map->slot[i].id, id) != 0)
		i = (i + 1) & (map->size - 1);
	return &map->slot[i];
}

static void
grow(struct stet_call *call, struct idmap *map)
{
	const struct idmap old = *map;

	map->size = old.size > 0 ? 2 * old.size : SIZE;
	map->slot = stet_alloc(call, map->size * sizeof(*map->slot));
	for (size_t i = 0; i < old.size; i++)
		if (old.slot[i].id != NULL)
			*find(map, old.slot[i].id) = old.slot[i];
}

void **
idmap_at(struct stet_call *call, struct idmap *map, const char *id)
{
	struct idmap_slot *slot;

	if (2 * map->count >= map->size)
		grow(call, map);
	slot = find(map, id);
	if (slot->id == NULL) {
		slot->id = stet_strdup(call, id);
		map->count++;
	}
	return &slot->value;
}

void *
idmap_find(const struct idmap *map, const char *id)
{
	return map->size > 0 ? find(map, id)->value : NULL;
}

const char *
idmap_id(const struct idmap *map, const char *id)
{
	return map->size > 0 ? find(map, id)->id : NULL;
}
