/* find.c - media items that other modules refer to, by id or URL. */
#include "media.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AT_ONCE 100

/* Returns how many bytes of the URL are the base URL of this site, or 0. Letter case of scheme and
 * host does not matter. */
static size_t
base_of(struct stet_call *call, const char *url)
{
	const char *base = stet_base_url(call), *host = strstr(base, "://");
	size_t len = strlen(base), origin;

	if (host == NULL)
		return 0;
	origin = (size_t)(host - base) + 3 + strcspn(host + 3, "/");
	return strncasecmp(url, base, origin) == 0 &&
		       strncmp(url + origin, base + origin, len - origin) == 0
		   ? len
		   : 0;
}

/* Decodes percent-encoding in place. Invalid escapes stay as they are. */
static void
decode(char *text)
{
	char *to = text;

	for (const char *p = text; *p != '\0'; p++) {
		const char digits[] = { p[1], p[1] != '\0' ? p[2] : '\0', '\0' };
		char c = *p;

		if (*p == '%' && isxdigit((unsigned char)digits[0]) &&
		    isxdigit((unsigned char)digits[1]) &&
		    (c = (char)strtol(digits, NULL, 16)) != '\0')
			p += 2;
		else
			c = *p;
		*to++ = c;
	}
	*to = '\0';
}

/* Returns the key in the URL of a file of this site; NULL: it is another URL. */
static const char *
key_in_url(struct stet_call *call, const char *url)
{
	const char *path = "/_cms/api" FILE_PATH;
	char *text;

	url += base_of(call, url);
	if (*url != '/')
		return NULL;
	text = stet_strndup(call, url, strcspn(url, "?#"));
	decode(text);
	return strncmp(text, path, strlen(path)) == 0 ? text + strlen(path) : NULL;
}

static enum stet_status
find_by(struct stet_call *call, const char *column, const char *const *refs, size_t count,
    struct stet_media_item *item)
{
	const char **known = stet_alloc(call, (count + 1) * sizeof(*known));
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	size_t asked = 0;

	stet_sql_add(sql,
	    "SELECT id, '/_cms/api" FILE_PATH "' || storage_key, mime_type, width, height,"
	    " filename, kept_key, alt, blurhash, dominant_color, size"
	    " FROM media_items WHERE status = 'ready' AND ");
	stet_sql_add(sql, column);
	stet_sql_add(sql, " IN ");
	for (size_t i = 0; i < count; i++)
		if (refs[i] != NULL)
			known[asked++] = refs[i];
	if (asked == 0)
		return STET_OK;
	stet_sql_texts(sql, known, asked);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const struct stet_media_item found = { .id = stet_col_dup(&rows, 0),
			.url = stet_col_dup(&rows, 1),
			.content_type = stet_col_dup(&rows, 2),
			.width = stet_col_int(&rows, 3),
			.height = stet_col_int(&rows, 4),
			.filename = stet_col_dup(&rows, 5),
			.key = stet_col_dup(&rows, 6),
			.alt = stet_col_dup(&rows, 7),
			.blurhash = stet_col_dup(&rows, 8),
			.dominant_color = stet_col_dup(&rows, 9),
			.size = stet_col_int(&rows, 10) };
		const char *ref = strcmp(column, "id") == 0 ? found.id : found.key;

		for (size_t i = 0; i < count; i++)
			if (refs[i] != NULL && strcmp(refs[i], ref) == 0)
				item[i] = found;
	}
	return stet_rows_end(&rows);
}

static enum stet_status
find_some(
    struct stet_call *call, const char *const *refs, size_t count, struct stet_media_item *item)
{
	const char *ids[AT_ONCE], *keys[AT_ONCE];

	for (size_t i = 0; i < count; i++) {
		keys[i] = refs[i] != NULL ? key_in_url(call, refs[i]) : NULL;
		ids[i] = keys[i] == NULL ? refs[i] : NULL;
	}
	STET_TRY(find_by(call, "id", ids, count, item));
	return find_by(call, "kept_key", keys, count, item);
}

enum stet_status
media_find(struct stet_call *call, const char *const *ids, size_t count, struct stet_table *out)
{
	struct stet_media_item *item = stet_alloc(call, (count + 1) * sizeof(*item));

	for (size_t i = 0; i < count; i += AT_ONCE)
		STET_TRY(
		    find_some(call, ids + i, count - i < AT_ONCE ? count - i : AT_ONCE, item + i));
	*out = (struct stet_table){ item, (uint32_t)count, sizeof(*item) };
	return STET_OK;
}

enum stet_status
media_owners(struct stet_call *call, const char *const *keys, size_t count, const char **ids)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id, kept_key FROM media_items WHERE kept_key IN ");
	stet_sql_texts(sql, keys, count);
	for (size_t i = 0; i < count; i++)
		ids[i] = NULL;
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < count; i++)
			if (strcmp(keys[i], stet_col_str(&rows, 1)) == 0)
				ids[i] = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

/* ---- in statements of other modules ---- */

/* Joins a subquery with column names of its own, so that they cannot clash with those of the
 * statement. */
void
media_join(struct stet_sql *sql, const char *alias, const char *column)
{
	stet_sql_add(sql,
	    " LEFT JOIN (SELECT id AS media_id, storage_key AS media_key, alt AS media_alt,"
	    " blurhash AS media_blurhash, dominant_color AS media_color FROM media_items"
	    " WHERE status = 'ready') AS ");
	stet_sql_add(sql, alias);
	stet_sql_add(sql, " ON ");
	stet_sql_add(sql, alias);
	stet_sql_add(sql, ".media_id = ");
	stet_sql_add(sql, column);
}

void
media_columns(struct stet_sql *sql, const char *alias)
{
	static const char *const before[] = { "", ".media_key, ", ".media_alt, ",
		".media_blurhash, ", ".media_color, '/_cms/api" FILE_PATH "' || " };

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		stet_sql_add(sql, before[i]);
		stet_sql_add(sql, alias);
	}
	stet_sql_add(sql, ".media_key");
}
