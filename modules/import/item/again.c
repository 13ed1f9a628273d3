/* again.c - custom fields that an item has more than once. */
#include "item/again.h"
#include "plan/suggest.h"
#include <string.h>

static bool
has(const json_t *list, const char *text)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
			return true;
	return false;
}

json_t *
again_read(const struct wxr_item *item)
{
	json_t *all = item->meta_count > 1 ? json_object() : NULL, *list;
	const char *key;
	void *next;

	for (size_t i = 0; i < item->meta_count && all != NULL; i++) {
		const struct wxr_meta *meta = &item->meta[i];

		if (*meta->value == '\0' || suggest_internal_field(meta->key))
			continue;
		list = json_object_get(all, meta->key);
		if (list == NULL) {
			list = json_array();
			(void)json_object_set_new(all, meta->key, list);
		}
		if (json_array_size(list) < AGAIN_MOST && !has(list, meta->value))
			(void)json_array_append_new(list, json_string(meta->value));
	}
	json_object_foreach_safe(all, next, key, list)
	{
		if (json_array_size(list) < 2)
			(void)json_object_del(all, key);
	}
	if (json_object_size(all) > 0)
		return all;
	json_decref(all);
	return NULL;
}
