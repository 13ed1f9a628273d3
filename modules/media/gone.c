/* gone.c - the function `gone` of the service media/1: ids in values whose media items are gone. */
#include "media.h"
#include <string.h>

#define DEPTH_MAX 64 /* deeper objects and arrays are not searched */

struct ids {
	const char **id;
	size_t count, room;
};

static void
add(struct stet_call *call, struct ids *ids, const json_t *id)
{
	const char *text = json_string_value(id);

	if (text == NULL || *text == '\0')
		return;
	if (ids->count == ids->room) {
		const char **more = stet_alloc(call, (2 * ids->room + 8) * sizeof(*more));

		if (ids->count > 0)
			memcpy(more, ids->id, ids->count * sizeof(*more));
		ids->id = more;
		ids->room = 2 * ids->room + 8;
	}
	ids->id[ids->count++] = text;
}

static bool
is_local(const json_t *asset)
{
	const char *provider = json_string_value(json_object_get(asset, "provider"));

	return provider == NULL || strcmp(provider, "local") == 0;
}

/* The id of an asset is its _ref, or else its id. */
static void
add_asset(struct stet_call *call, struct ids *ids, const json_t *object)
{
	const json_t *asset = json_object_get(object, "asset"),
		     *ref = json_object_get(asset, "_ref");

	if (is_local(asset))
		add(call, ids, ref != NULL ? ref : json_object_get(asset, "id"));
	add(call, ids, json_object_get(object, "mediaId"));
}

static void
collect(struct stet_call *call, struct ids *ids, const json_t *value, int depth)
{
	const char *name;
	json_t *one;
	size_t i;

	if (depth == DEPTH_MAX)
		return;
	json_array_foreach(value, i, one)
	{
		collect(call, ids, one, depth + 1);
	}
	if (!json_is_object(value))
		return;
	add_asset(call, ids, value);
	json_object_foreach((json_t *)(uintptr_t)value, name, one)
	{
		collect(call, ids, one, depth + 1);
	}
}

enum stet_status
media_gone(struct stet_call *call, const char *path, const json_t *value)
{
	struct ids ids = { 0 };
	struct stet_table found;

	collect(call, &ids, value, 0);
	if (ids.count == 0)
		return STET_OK;
	STET_TRY(media_find(call, ids.id, ids.count, &found));
	for (size_t i = 0; i < ids.count; i++) {
		struct stet_media_item item = { 0 };

		stet_table_row(&found, i, &item, sizeof(item));
		if (item.id == NULL)
			stet_issue(call, path, "there is no media item '%s'", ids.id[i]);
	}
	return STET_OK;
}
