/* read.c - reads bylines: a list, one, its translations. */
#include "bylines.h"
#include <string.h>
#include <strings.h>

#define LISTING "bylines" /* its name in cursors */

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

/* The argument `locale` in the site's spelling. An unknown locale is recorded as an issue. */
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
		stet_sql_add(sql, " AND b.user_id = ");
		stet_sql_bind(sql, stet_val_str(user));
	}
	if (stet_has(call, "isGuest")) {
		stet_sql_add(sql, " AND b.is_guest = ");
		stet_sql_bind(sql, stet_val_int(stet_arg_bool(call, "isGuest")));
	}
	if (locale != NULL) {
		stet_sql_add(sql, " AND b.locale = ");
		stet_sql_bind(sql, stet_val_str(locale));
	}
	if (search != NULL) {
		search = stet_fold(call, search, strlen(search));
		stet_sql_add(sql, " AND (");
		stet_sql_has(sql, "", "display_name", search);
		stet_sql_add(sql, " OR ");
		stet_sql_has(sql, "", "slug", search);
		stet_sql_add(sql, ")");
	}
}

enum stet_status
byline_list(struct stet_call *call)
{
	struct stet_page page = {
		.listing = LISTING, .key = "created_at", .key_column = B_CREATED, .id_column = B_ID
	};
	const char *locale = known_locale(call);
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	stet_sql_add(sql, "SELECT ");
	byline_columns(call, sql);
	stet_sql_add(sql, " FROM byline AS b");
	byline_avatar(call, sql);
	stet_sql_add(sql, " WHERE 1 = 1");
	add_filters(call, sql, locale);
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, byline_shape);
	stet_close(out);
	stet_page_end(out, &page);
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
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	const char *group;

	STET_TRY(byline_find(call, stet_arg(call, "id"), &rows));
	group = stet_col_dup(&rows, B_GROUP);
	STET_TRY(stet_rows_end(&rows));
	stet_sql_add(sql, "SELECT ");
	byline_columns(call, sql);
	stet_sql_add(sql, " FROM byline AS b");
	byline_avatar(call, sql);
	stet_sql_add(sql, " WHERE b.translation_group = ");
	stet_sql_bind(sql, stet_val_str(group));
	stet_sql_add(sql, " ORDER BY b.locale");
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_put_str(out, "translationGroup", group);
	STET_TRY(stet_put_rows(out, "translations", &rows, byline_shape));
	stet_close(out);
	return STET_OK;
}
