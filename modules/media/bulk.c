/* bulk.c - ops that move many items to a folder, or delete them: all of them, or none. */
#include "media.h"
#include <string.h>

#define MANY 100

/* clang-format off */
#define IDS \
	{ "ids", STET_ARRAY, STET_REQUIRED, .item = STET_STRING, .about = "Ids of items", \
	    STET_RANGE(1, MANY) }
/* clang-format on */
const struct stet_member bulk_delete_in[] = { IDS, { 0 } };
const struct stet_member bulk_move_in[] = {
	IDS,
	{ "folderId", STET_STRING, STET_REQUIRED | STET_NULLABLE,
	    .about = "Id of a folder; null or unfiled: the Main library", STET_RANGE(1, ID_MAX) },
	{ 0 },
};
const struct stet_member bulk_deleted_out[] = {
	{ "deleted", STET_INTEGER, STET_REQUIRED, .about = "How many" },
	{ 0 },
};
const struct stet_member bulk_moved_out[] = {
	{ "moved", STET_INTEGER, STET_REQUIRED, .about = "How many" },
	{ 0 },
};

/* Returns true if the id occurs earlier in the list, too. */
static bool
came_before(const json_t *ids, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (json_equal(json_array_get(ids, k), json_array_get(ids, i)))
			return true;
	return false;
}

/* Runs fn for each id once, and answers how many there were. */
static enum stet_status
each(struct stet_call *call, const char *answer,
    enum stet_status (*fn)(struct stet_call *, const char *id))
{
	const json_t *ids = stet_arg_json(call, "ids");
	struct stet_json *out = stet_reply(call);
	int64_t count = 0;

	for (size_t i = 0; i < json_array_size(ids); i++) {
		if (came_before(ids, i))
			continue;
		STET_TRY(fn(call, json_string_value(json_array_get(ids, i))));
		count++;
	}
	stet_object(out, NULL);
	stet_put_int(out, answer, count);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
move_one(struct stet_call *call, const char *id)
{
	return item_move(call, id, stet_arg(call, "folderId"));
}

enum stet_status
media_bulk_move(struct stet_call *call)
{
	return each(call, "moved", move_one);
}

enum stet_status
media_bulk_delete(struct stet_call *call)
{
	return each(call, "deleted", item_delete);
}
