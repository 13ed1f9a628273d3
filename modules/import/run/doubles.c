/*
 * doubles.c - different items of a source that have one id, as files that were joined by hand have.
 * The first pass finds the ids that occur again, by a set of bits; the second pass gives later
 * items a key of their own. An item that is the same twice stays one.
 */
#include "run/doubles.h"
#include "state/map.h"
#include <stdlib.h>
#include <string.h>

#define ID_MOST (1 << 26) /* higher ids are not looked at */
#define DOUBLES_MOST 10000

void
doubles_note(struct run *run, const struct wxr_item *item)
{
	size_t at = (size_t)(item->id > 0 ? item->id : 0) / 8, room = 2 * at + 4096;
	unsigned char bit = (unsigned char)(1u << (item->id & 7));

	if (item->key != NULL || item->id <= 0 || item->id >= ID_MOST)
		return;
	if (at >= run->ids_room) {
		run->ids = realloc(run->ids, room);
		if (run->ids == NULL)
			stet_out_of_memory();
		memset(run->ids + run->ids_room, 0, room - run->ids_room);
		run->ids_room = room;
	}
	if ((run->ids[at] & bit) != 0 && json_object_size(run->doubles) < DOUBLES_MOST)
		(void)json_object_set_new(
		    run->doubles, map_id(run->call, item->id), json_string(""));
	run->ids[at] |= bit;
}

const struct wxr_item *
doubles_tell(struct run *run, const struct wxr_item *item, struct wxr_item *copy, bool *again)
{
	const char *id, *name, *first;

	*again = false;
	if (item->key != NULL || json_object_size(run->doubles) == 0)
		return item;
	id = map_id(run->call, item->id);
	first = json_string_value(json_object_get(run->doubles, id));
	if (first == NULL)
		return item;
	name = stet_printf(
	    run->call, "%s:%s", item->type, *item->slug != '\0' ? item->slug : item->title);
	if (*first == '\0') {
		(void)json_object_set_new(run->doubles, id, json_string(name));
		return item;
	}
	*again = strcmp(first, name) == 0;
	if (*again)
		return item;
	*copy = *item;
	copy->key = stet_printf(run->call, "%s:%s", id, name);
	copy->parent_key = item->parent > 0 ? map_id(run->call, item->parent) : NULL;
	return copy;
}

void
doubles_end(struct run *run)
{
	free(run->ids);
	run->ids = NULL;
	run->ids_room = 0;
}
