/* records.c - bylines in the database: finds and saves them, and makes their slugs. */
#include "bylines.h"
#include <stet/changes.h>
#include <stet/media.h>
#include <string.h>

#define SLUG_BYTES 60 /* of a generated slug; leaves room for a number */

#define HAS STET_REQUIRED
#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)

const struct stet_member byline_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "slug", STET_STRING, HAS },
	{ "displayName", STET_STRING, HAS },
	{ "bio", STET_STRING, MAY_BE_NULL },
	{ "avatarMediaId", STET_STRING, MAY_BE_NULL },
	{ "websiteUrl", STET_STRING, MAY_BE_NULL },
	{ "userId", STET_STRING, MAY_BE_NULL, .about = "The user whom it stands for" },
	{ "isGuest", STET_BOOLEAN, HAS },
	{ "locale", STET_STRING, HAS },
	{ "translationGroup", STET_STRING, HAS, .about = "Shared by the locales of one person" },
	{ "createdAt", STET_TIME, HAS },
	{ "updatedAt", STET_TIME, HAS },
	{ "avatarStorageKey", STET_STRING, MAY_BE_NULL },
	{ "avatarAlt", STET_STRING, MAY_BE_NULL, .about = "What the avatar shows, in words" },
	{ "avatarBlurhash", STET_STRING, MAY_BE_NULL },
	{ "avatarDominantColor", STET_STRING, MAY_BE_NULL, .about = "#rrggbb" },
	{ "avatarUrl", STET_STRING, MAY_BE_NULL,
	    .about = "Where its file is, below the host of the site" },
	{ 0 },
};

void
byline_columns(struct stet_call *call, struct stet_sql *sql)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);

	stet_sql_add(sql, BYLINE_COLUMNS ", ");
	if (media != NULL)
		media->columns(sql, "avatar");
	else
		stet_sql_add(sql, "NULL, NULL, NULL, NULL, NULL");
}

void
byline_avatar(struct stet_call *call, struct stet_sql *sql)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);

	if (media != NULL)
		media->join(sql, "avatar", "b.avatar_media_id");
}

enum stet_status
byline_find(struct stet_call *call, const char *id, struct stet_rows *rows)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT ");
	byline_columns(call, sql);
	stet_sql_add(sql, " FROM byline AS b");
	byline_avatar(call, sql);
	stet_sql_add(sql, " WHERE b.id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, rows));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, NULL, "Byline not found: %s", id);
}

void
byline_load(struct stet_rows *rows, struct byline *b)
{
	b->id = stet_col_dup(rows, B_ID);
	b->slug = stet_col_dup(rows, B_SLUG);
	b->name = stet_col_dup(rows, B_NAME);
	b->bio = stet_col_dup(rows, B_BIO);
	b->avatar = stet_col_dup(rows, B_AVATAR);
	b->url = stet_col_dup(rows, B_URL);
	b->user = stet_col_dup(rows, B_USER);
	b->guest = stet_col_int(rows, B_GUEST) != 0;
	b->locale = stet_col_dup(rows, B_LOCALE);
	b->group = stet_col_dup(rows, B_GROUP);
}

/* ---- slugs ---- */

static bool
is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

const char *
byline_slugify(struct stet_call *call, const char *text)
{
	char *slug = stet_slugify(call, text), *to = slug;

	for (const char *p = slug; *p != '\0' && to - slug < SLUG_BYTES; p++) {
		bool hyphen = *p == '-' && to > slug && to[-1] != '-';

		if (is_letter(*p) || (*p >= '0' && *p <= '9') || hyphen)
			*to++ = *p;
	}
	while (to > slug && to[-1] == '-')
		to--;
	*to = '\0';
	if (to == slug)
		return "byline";
	return is_letter(*slug) ? slug : stet_printf(call, "byline-%s", slug);
}

static enum stet_status
has_row(struct stet_call *call, bool *found, const char *sql, const struct stet_val *v, size_t n)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, sql, v, n));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
byline_number(struct stet_call *call, const char *base, const char *locale, const char **out)
{
	return stet_free_name(
	    call, base, 2, "byline WHERE locale = ?2 AND slug = ", STET_ARGS(locale), out);
}

/* ---- saving ---- */

enum stet_status
byline_check_user(struct stet_call *call, const char *user)
{
	bool found = true;

	if (user != NULL)
		STET_TRY(
		    has_row(call, &found, "SELECT 1 FROM users WHERE id = ?1", STET_ARGS(user)));
	if (!found)
		stet_issue(call, "userId", "is not a user");
	return STET_OK;
}

enum stet_status
byline_check_avatar(struct stet_call *call, const char *id)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	struct stet_media_item item;
	struct stet_table found;

	if (id == NULL)
		return STET_OK;
	if (media == NULL) {
		stet_issue(call, "avatarMediaId", "needs media, which is not enabled");
		return STET_OK;
	}
	STET_TRY(media->find(call, &id, 1, &found));
	stet_table_row(&found, 0, &item, sizeof(item));
	if (item.id == NULL || strcmp(item.id, id) != 0)
		stet_issue(call, "avatarMediaId", "There is no media item %s", id);
	return STET_OK;
}

enum stet_status
byline_bump(struct stet_call *call, struct stet_tx *tx)
{
	return stet_exec(
	    call, tx, "UPDATE byline_state SET version = version + 1 WHERE id = 1", STET_NO_ARGS);
}

enum stet_status
byline_media(struct stet_call *call, struct stet_tx *tx, const char *id, const char *change)
{
	(void)change;
	return stet_exec(call, tx,
	    "UPDATE byline_state SET version = version + 1 WHERE id = 1"
	    " AND EXISTS (SELECT 1 FROM byline WHERE avatar_media_id = ?1)",
	    STET_ARGS(id));
}

/* After a UNIQUE index refused a write: fails with an error that names the value. */
static enum stet_status
conflict(struct stet_call *call, const struct byline *b)
{
	bool found;

	STET_TRY(has_row(call, &found,
	    "SELECT 1 FROM byline WHERE slug = ?1 AND locale = ?2 AND id <> ?3",
	    STET_ARGS(b->slug, b->locale, b->id)));
	if (found)
		return stet_fail(call, STET_SLUG_CONFLICT, "slug",
		    "Another byline has the slug \"%s\" in \"%s\"", b->slug, b->locale);
	STET_TRY(has_row(call, &found,
	    "SELECT 1 FROM byline WHERE user_id = ?1 AND locale = ?2 AND id <> ?3",
	    STET_ARGS(b->user, b->locale, b->id)));
	if (found)
		return stet_fail(call, STET_CONFLICT, "userId",
		    "The user has another byline in \"%s\"", b->locale);
	STET_TRY(has_row(call, &found,
	    "SELECT 1 FROM byline WHERE translation_group = ?1 AND locale = ?2 AND id <> ?3",
	    STET_ARGS(b->group, b->locale, b->id)));
	if (found)
		return stet_fail(call, STET_CONFLICT, "locale",
		    "The byline has a translation in \"%s\" already", b->locale);
	return stet_fault(call, "a unique index of byline refused, but no row holds the value");
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct byline *b, const char *now)
{
	return stet_exec(call, tx,
	    "INSERT INTO byline (id, slug, display_name, bio, avatar_media_id, website_url,"
	    " user_id, is_guest, locale, translation_group, created_at, updated_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)",
	    STET_ARGS(b->id, b->slug, b->name, b->bio, b->avatar, b->url, b->user, b->guest,
		b->locale, b->group, now));
}

static enum stet_status
update(struct stet_call *call, struct stet_tx *tx, const struct byline *b, const char *now)
{
	return stet_exec(call, tx,
	    "UPDATE byline SET slug = ?2, display_name = ?3, bio = ?4, avatar_media_id = ?5,"
	    " website_url = ?6, user_id = ?7, is_guest = ?8, updated_at = ?9 WHERE id = ?1",
	    STET_ARGS(b->id, b->slug, b->name, b->bio, b->avatar, b->url, b->user, b->guest, now));
}

enum stet_status
byline_save(struct stet_call *call, struct stet_tx *tx, const struct byline *b, bool is_new)
{
	const char *now = stet_time_text(call, stet_now(call));
	enum stet_status status = is_new ? insert(call, tx, b, now) : update(call, tx, b, now);

	if (status == STET_CONFLICT)
		return conflict(call, b);
	STET_TRY(status);
	STET_TRY(stet_run_media_holder_changed(call, tx, "byline", b->id));
	STET_TRY(byline_bump(call, tx));
	STET_TRY(stet_note(call, tx, "byline", b->id, is_new ? "create" : "update"));
	if (!stet_hooked(call, STET_AT_byline_after_save))
		return STET_OK;
	return stet_notify(call, tx, STET_AT_byline_after_save,
	    stet_json_own(call, json_pack("{ss ss ss ss? ss ss sb}", "id", b->id, "slug", b->slug,
				    "displayName", b->name, "userId", b->user, "locale", b->locale,
				    "translationGroup", b->group, "isNew", is_new)));
}
