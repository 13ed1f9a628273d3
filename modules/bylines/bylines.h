/* bylines.h - what the files of the bylines module share. */
#ifndef BYLINES_H
#define BYLINES_H

#include <stet/bylines.h>
#include <stet/include.h>
#include <stet/module.h>

/* ---- records.c: bylines in the database ---- */

/* The order of byline_shape. */
enum byline_column {
	B_ID,
	B_SLUG,
	B_NAME,
	B_BIO,
	B_AVATAR,
	B_URL,
	B_USER,
	B_GUEST,
	B_LOCALE,
	B_GROUP,
	B_CREATED,
	B_UPDATED,
	B_OF_AVATAR,
	B_COLUMNS = B_OF_AVATAR + 5
};
#define BYLINE_COLUMNS                                                                      \
	"b.id, b.slug, b.display_name, b.bio, b.avatar_media_id, b.website_url, b.user_id," \
	" b.is_guest, b.locale, b.translation_group, b.created_at, b.updated_at"
/* byline_columns appends the columns of byline_shape: those above, of the table `b`, and those of
 * its avatar. byline_avatar appends the join of the avatar. */
void byline_columns(struct stet_call *, struct stet_sql *);
void byline_avatar(struct stet_call *, struct stet_sql *);

extern const struct stet_member byline_shape[];

/* The values of a byline to store. */
struct byline {
	const char *id, *slug, *name, *bio, *avatar, *url, *user, *locale, *group;
	bool guest;
};

/* Finds a byline by id; fails with NOT_FOUND. On success the row is current. */
STET_MUST enum stet_status byline_find(struct stet_call *, const char *id, struct stet_rows *);
void byline_load(struct stet_rows *, struct byline *);
/* Makes a slug of ASCII letters, digits and hyphens that starts with a letter; "byline" if no
 * character is left. */
const char *byline_slugify(struct stet_call *, const char *text);
/* Returns `base`, or the first of base-2, base-3 … that no byline of the locale has. */
STET_MUST enum stet_status byline_number(
    struct stet_call *, const char *base, const char *locale, const char **out);
/* Inserts (is_new) or updates the row, and reports the change. Fails with SLUG_CONFLICT or
 * CONFLICT, and says which value is taken. */
STET_MUST enum stet_status byline_save(
    struct stet_call *, struct stet_tx *, const struct byline *, bool is_new);
/* Records an issue about avatarMediaId if there is no such media item. */
STET_MUST enum stet_status byline_check_avatar(struct stet_call *, const char *media);
/* The hook media_changed: increases the version if the item is the avatar of a byline. */
STET_MUST enum stet_status byline_media(
    struct stet_call *, struct stet_tx *, const char *id, const char *change);
/* Records an issue about userId if there is no such user. */
STET_MUST enum stet_status byline_check_user(struct stet_call *, const char *user);
/* Increases the version of all bylines, since replies that show bylines change. */
STET_MUST enum stet_status byline_bump(struct stet_call *, struct stet_tx *);

/* ---- edit.c, read.c: the operations ---- */

extern const struct stet_member create_in[], translate_in[], update_in[], deleted_out[];
stet_handler byline_create, byline_translate, byline_update, byline_delete;

extern const struct stet_member list_in[], list_out[], by_id[], translations_out[];
stet_handler byline_list, byline_get, byline_translations;

/* ---- credits.c: the credits of items; shown.c: credits in replies ---- */

extern const struct stet_bylines_1 bylines_service;

STET_MUST enum stet_status credits_read(struct stet_call *, const char *collection,
    const struct stet_table *, struct stet_byline_page **);
void credits_put(struct stet_json *, const struct stet_byline_page *, size_t i);
void credits_put_list(
    struct stet_json *, const char *key, const struct stet_byline_page *, size_t i);
extern const struct stet_include bylines_includes[1];
/* Deletes the credits of a group whose last row was deleted. The next credit of an item becomes
 * the primary one. */
STET_MUST enum stet_status credits_drop(struct stet_call *, struct stet_tx *, const char *group);
enum stet_status credits_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);

/* ---- filter.c: functions of the service ---- */

STET_MUST enum stet_status filter_read(struct stet_call *, const char *path, const char *text,
    bool inferred, struct stet_byline_filter **);
void filter_put(struct stet_sql *, const struct stet_byline_filter *, const char *collection);
bool filter_ids(struct stet_sql *, const struct stet_byline_filter *, const char *collection);
void avatars(struct stet_sql *);

/* ---- person.c ---- */

STET_MUST enum stet_status byline_person(struct stet_call *, struct stet_tx *,
    const struct stet_byline_person *, size_t, const char **id);

#endif
