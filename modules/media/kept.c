/* kept.c - counts and removes the cached renditions. */
#include "image/rendition.h"
#include "media.h"

const struct stet_member kept_in[] = {
	{ "id", STET_STRING, STET_QUERY, .about = "Only those of this item",
	    STET_RANGE(1, ID_MAX) },
	{ 0 },
};

const struct stet_member kept_out[] = {
	{ "count", STET_INTEGER, STET_REQUIRED },
	{ "bytes", STET_INTEGER, STET_REQUIRED },
	{ "cacheBytes", STET_INTEGER, STET_REQUIRED,
	    .about = "Bytes that the file cache of the site may have, other files included" },
	{ 0 },
};

/* Finds the key of the item that the request names; NULL: it names none. */
static enum stet_status
key_of(struct stet_call *call, const char **key)
{
	const char *id = stet_arg(call, "id");
	struct stet_rows rows;

	*key = NULL;
	if (id == NULL)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT kept_key FROM media_items WHERE id = ?1 AND status = 'ready'", STET_ARGS(id)));
	if (stet_row(&rows))
		*key = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return *key != NULL ? STET_OK
			    : stet_fail(call, STET_NOT_FOUND, NULL, "Media item not found");
}

static enum stet_status
answer(struct stet_call *call, bool drop)
{
	struct stet_renditions kept;
	struct stet_json *out;
	const char *key;

	STET_TRY(key_of(call, &key));
	STET_TRY(rendition_kept(call, key, drop, &kept, sizeof(kept)));
	out = stet_reply(call);
	stet_object(out, NULL);
	stet_put_int(out, "count", kept.count);
	stet_put_int(out, "bytes", kept.bytes);
	stet_put_int(out, "cacheBytes", kept.most);
	stet_close(out);
	return STET_OK;
}

enum stet_status
media_renditions(struct stet_call *call)
{
	return answer(call, false);
}

enum stet_status
media_renditions_clear(struct stet_call *call)
{
	return answer(call, true);
}
