/* copies.c - maps source URLs to media items (table import_copies). */
#include "files/media.h"
#include <stet/media.h>
#include <string.h>

#define URL_KNOWN_MAX 2048 /* bytes; longer URLs are not stored */

struct copy {
	const char *url, *id;
};

static enum stet_status
remember(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct copy *c = arg;

	return stet_exec(call, tx,
	    "INSERT INTO import_copies (url, media_id, copied_at) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT (url) DO UPDATE SET media_id = excluded.media_id,"
	    " copied_at = excluded.copied_at",
	    STET_ARGS(c->url, c->id, stet_time_text(call, stet_now(call))));
}

enum stet_status
copies_remember(struct stet_call *call, const char *url, const char *id)
{
	struct copy c = { url, id };

	return strlen(url) > URL_KNOWN_MAX ? STET_OK : stet_write_lane(call, remember, &c);
}

static enum stet_status
forget(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return stet_exec(
	    call, tx, "DELETE FROM import_copies WHERE url = ?1", STET_ARGS((const char *)arg));
}

enum stet_status
copies_forget(struct stet_call *call, const char *url)
{
	return stet_write_lane(call, forget, (void *)(uintptr_t)url);
}

/* Sets the media ids of the URLs, NULL for those that are not in the table. */
static enum stet_status
look_up(struct stet_call *call, const char *const *url, size_t count, const char **id)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT url, media_id FROM import_copies WHERE url IN ");
	stet_sql_texts(sql, url, count);
	for (size_t i = 0; i < count; i++)
		id[i] = NULL;
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < count; i++)
			if (strcmp(url[i], stet_col_str(&rows, 0)) == 0)
				id[i] = stet_col_dup(&rows, 1);
	return stet_rows_end(&rows);
}

enum stet_status
copies_known(struct stet_call *call, const char *const *url, size_t count, const char **id,
    const char **here)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	struct stet_table found;

	if (count == 0 || media == NULL)
		return STET_OK;
	STET_TRY(look_up(call, url, count, id));
	STET_TRY(media->find(call, id, count, &found));
	for (size_t i = 0; i < count; i++) {
		struct stet_media_item item;

		stet_table_row(&found, (uint32_t)i, &item, sizeof(item));
		if (item.id == NULL)
			id[i] = NULL;
		here[i] = item.url;
	}
	return STET_OK;
}
