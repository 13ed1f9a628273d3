/* find.c - the service media/1: items that other modules refer to. */
#include "media.h"
#include <string.h>

#define AT_ONCE 100

static enum stet_status
find_some(
    struct stet_call *call, const char *const *ids, size_t count, struct stet_media_item *item)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql,
	    "SELECT id, '/_cms/api" FILE_PATH "' || storage_key, mime_type, width, height"
	    " FROM media_items WHERE status = 'ready' AND id IN (");
	for (size_t i = 0; i < count; i++) {
		stet_sql_add(sql, i > 0 ? ", " : "");
		stet_sql_bind(sql, stet_val_str(ids[i]));
	}
	stet_sql_add(sql, ")");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const struct stet_media_item found = { .id = stet_col_dup(&rows, 0),
			.url = stet_col_dup(&rows, 1),
			.content_type = stet_col_dup(&rows, 2),
			.width = stet_col_int(&rows, 3),
			.height = stet_col_int(&rows, 4) };

		for (size_t i = 0; i < count; i++)
			if (ids[i] != NULL && strcmp(ids[i], found.id) == 0)
				item[i] = found;
	}
	return stet_rows_end(&rows);
}

static enum stet_status
find(struct stet_call *call, const char *const *ids, size_t count, struct stet_table *out)
{
	struct stet_media_item *item = stet_alloc(call, (count + 1) * sizeof(*item));

	for (size_t i = 0; i < count; i += AT_ONCE)
		STET_TRY(
		    find_some(call, ids + i, count - i < AT_ONCE ? count - i : AT_ONCE, item + i));
	*out = (struct stet_table){ item, (uint32_t)count, sizeof(*item) };
	return STET_OK;
}

const struct stet_media_1 media_service = { .find = find };
