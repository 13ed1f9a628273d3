/* read.c - bylines as they are read: a list, one, its translations. */
#include "bylines.h"
#include <string.h>
#include <strings.h>

#define LISTING "bylines" /* as cursors know it */

const struct stet_member list_in[] = {
	{ "search", STET_STRING, .about = "Text that the name or the slug holds",
	    STET_RANGE(1, 200) },
	{ "isGuest", STET_BOOLEAN, .about = "Guests, or those who are none" },
	{ "userId", STET_STRING, .about = "Bylines of this user", STET_RANGE(1, 64) },
	{ "locale", STET_STRING, .about = "One of the site's locales" },
	{ "limit", STET_INTEGER, .about = "Bylines a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = byline_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the byline" },
	{ 0 },
};
const struct stet_member translations_out[] = {
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ "translations", STET_ARRAY, STET_REQUIRED, .of = byline_shape,
	    .about = "In the order of their locales" },
	{ 0 },
};

/* ---- the list ---- */

/* In the site's spelling. An unknown one is recorded as an issue. */
static const char *
known_locale(struct stet_call *call)
{
	const char *text = stet_arg(call, "locale");

	if (text == NULL)
		return NULL;
	for (const char *const *l = stet_locales(call); *l != NULL; l++)
		if (strcasecmp(*l, text) == 0)
			return *l;
	stet_issue(call, "locale", "is not a locale of this site");
	return NULL;
}

static void
add_filters(struct stet_call *call, struct stet_sql *sql, const char *locale)
{
	const char *search = stet_arg(call, "search"), *user = stet_arg(call, "userId");

	if (user != NULL) {
		stet_sql_add(sql, " AND user_id = ");
		stet_sql_bind(sql, stet_val_str(user));
	}
	if (stet_has(call, "isGuest")) {
		stet_sql_add(sql, " AND is_guest = ");
		stet_sql_bind(sql, stet_val_int(stet_arg_bool(call, "isGuest")));
	}
	if (locale != NULL) {
		stet_sql_add(sql, " AND locale = ");
		stet_sql_bind(sql, stet_val_str(locale));
	}
	if (search != NULL) {
		search = stet_like(call, search, strlen(search));
		stet_sql_add(sql, " AND (lower(display_name) LIKE lower(");
		stet_sql_bind(sql, stet_val_str(search));
		stet_sql_add(sql, ") ESCAPE '\\' OR slug LIKE lower(");
		stet_sql_bind(sql, stet_val_str(search));
		stet_sql_add(sql, ") ESCAPE '\\')");
	}
}

static enum stet_status
add_cursor(struct stet_call *call, struct stet_sql *sql)
{
	const char *cursor = stet_arg(call, "cursor"), *id;
	const json_t *key;

	if (cursor == NULL)
		return STET_OK;
	STET_TRY(stet_cursor_read(call, cursor, LISTING, &key, &id));
	if (!json_is_string(key))
		return stet_fail(call, STET_INVALID_CURSOR, "cursor", "Invalid pagination cursor");
	stet_sql_add(sql, " AND (created_at, id) < (");
	stet_sql_bind(sql, stet_val_str(json_string_value(key)));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, ")");
	return STET_OK;
}

static char *
cursor_of(struct stet_call *call, struct stet_rows *rows)
{
	json_t *key = stet_json_own(call, json_string(stet_col_str(rows, B_CREATED)));

	return stet_cursor_make(call, LISTING, key, stet_col_str(rows, B_ID));
}

enum stet_status
byline_list(struct stet_call *call)
{
	const char *locale = known_locale(call), *next = NULL;
	int64_t limit = stet_arg_int(call, "limit"), count = 0;
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	bool more = false;

	STET_TRY(stet_issues(call));
	stet_sql_add(sql, "SELECT " BYLINE_COLUMNS " FROM byline AS b WHERE 1 = 1");
	add_filters(call, sql, locale);
	STET_TRY(add_cursor(call, sql));
	stet_sql_add(sql, " ORDER BY created_at DESC, id DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(limit + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (!more && stet_row(&rows)) {
		more = count++ == limit;
		if (more)
			break;
		stet_put_row(out, &rows, byline_shape);
		if (count == limit)
			next = cursor_of(call, &rows);
	}
	stet_close(out);
	if (more)
		stet_put_str(out, "nextCursor", next);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- one ---- */

enum stet_status
byline_get(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(byline_find(call, stet_arg(call, "id"), &rows));
	stet_put_row(stet_reply(call), &rows, byline_shape);
	return stet_rows_end(&rows);
}

enum stet_status
byline_translations(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	const char *group;

	STET_TRY(byline_find(call, stet_arg(call, "id"), &rows));
	group = stet_col_dup(&rows, B_GROUP);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_query(call, &rows,
	    "SELECT " BYLINE_COLUMNS
	    " FROM byline AS b WHERE b.translation_group = ?1 ORDER BY b.locale",
	    STET_ARGS(group)));
	stet_object(out, NULL);
	stet_put_str(out, "translationGroup", group);
	stet_array(out, "translations");
	while (stet_row(&rows))
		stet_put_row(out, &rows, byline_shape);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}
