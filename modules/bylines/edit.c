/* edit.c - creates, translates, changes and deletes bylines. */
#include "bylines.h"
#include <stet/changes.h>
#include <string.h>
#include <strings.h>

#define SLUG_PATTERN "^[a-z][a-z0-9-]*(?![\\s\\S])"

/* clang-format off */
#define PERSON \
	{ "bio", STET_STRING, STET_NULLABLE, .about = "A few words about the person", \
	    STET_RANGE(0, 5000) }, \
	{ "avatarMediaId", STET_STRING, STET_NULLABLE, .about = "Id of a media item", \
	    STET_RANGE(1, 64) }, \
	{ "websiteUrl", STET_STRING, STET_NULLABLE, .about = "http or https", \
	    .pattern = STET_WEB_URL, STET_RANGE(1, 2048) }, \
	{ "userId", STET_STRING, STET_NULLABLE, .about = "The user whom it stands for", \
	    STET_RANGE(1, 64) }, \
	{ "isGuest", STET_BOOLEAN, \
	    .about = "Default: true without a userId" }
#define SLUG(about_) \
	{ "slug", STET_STRING, .about = (about_), .pattern = SLUG_PATTERN, STET_RANGE(1, 80) }
#define NAME(about_) \
	{ "displayName", STET_STRING, .about = (about_), .pattern = "\\S", STET_RANGE(1, 200) }
/* clang-format on */

const struct stet_member create_in[] = {
	SLUG("a-z, 0-9 and hyphens; made from the name when omitted"),
	NAME("As it is shown; required unless translationOf is given"),
	PERSON,
	{ "locale", STET_STRING, .about = "The site's default when omitted" },
	{ "translationOf", STET_STRING,
	    .about = "Id of the byline of the same person in another locale; what is omitted is "
		     "copied from it" },
	{ 0 },
};
const struct stet_member translate_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the byline to translate" },
	{ "locale", STET_STRING, STET_REQUIRED, .about = "Of the new one" },
	SLUG("That of the other when omitted"),
	NAME("That of the other when omitted"),
	PERSON,
	{ 0 },
};
const struct stet_member update_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the byline" },
	SLUG("a-z, 0-9 and hyphens"),
	NAME("As it is shown"),
	PERSON,
	{ 0 },
};
const struct stet_member deleted_out[] = {
	{ "deleted", STET_STRING, STET_REQUIRED, .about = "Its id" },
	{ 0 },
};

/* ---- arguments ---- */

static void
take(struct stet_call *call, const char *name, const char **to)
{
	if (stet_has(call, name))
		*to = stet_arg(call, name);
}

/* Replaces the values of *b that the request gives. */
static enum stet_status
take_all(struct stet_call *call, struct byline *b)
{
	const char *was = b->avatar;

	take(call, "slug", &b->slug);
	take(call, "displayName", &b->name);
	take(call, "bio", &b->bio);
	take(call, "avatarMediaId", &b->avatar);
	take(call, "websiteUrl", &b->url);
	take(call, "userId", &b->user);
	if (stet_has(call, "isGuest"))
		b->guest = stet_arg_bool(call, "isGuest");
	else if (stet_has(call, "userId"))
		b->guest = b->user == NULL;
	if (b->guest && b->user != NULL)
		stet_issue(call, "isGuest", "must be false for a byline of a user");
	if (stet_has(call, "userId"))
		STET_TRY(byline_check_user(call, b->user));
	/* A client may send back an unchanged avatar, also after the media item was deleted. */
	if (b->avatar != NULL && (was == NULL || strcmp(b->avatar, was) != 0))
		STET_TRY(byline_check_avatar(call, b->avatar));
	return STET_OK;
}

/* ---- creating, translating ---- */

static enum stet_status
reply(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(byline_find(call, id, &rows));
	stet_put_row(stet_reply(call), &rows, byline_shape);
	return stet_rows_end(&rows);
}

/* Creates a row with the values of *b and those of the request. */
static enum stet_status
make(struct stet_call *call, struct byline *b)
{
	struct stet_tx *tx = stet_write_tx(call);

	b->locale = stet_locale_stored(call, stet_arg(call, "locale"));
	STET_TRY(take_all(call, b));
	if (b->name == NULL)
		stet_issue(call, "displayName", "is required");
	STET_TRY(stet_issues(call));
	b->id = stet_id(call);
	if (b->group == NULL)
		b->group = b->id;
	if (!stet_has(call, "slug"))
		STET_TRY(
		    byline_number(call, b->slug != NULL ? b->slug : byline_slugify(call, b->name),
			b->locale, &b->slug));
	STET_TRY(byline_save(call, tx, b, true));
	return reply(call, b->id);
}

static enum stet_status
load(struct stet_call *call, const char *id, struct byline *b)
{
	struct stet_rows rows;

	STET_TRY(byline_find(call, id, &rows));
	byline_load(&rows, b);
	return stet_rows_end(&rows);
}

enum stet_status
byline_create(struct stet_call *call)
{
	const char *of = stet_arg(call, "translationOf");
	struct byline b = { .guest = true };
	enum stet_status status;

	if (of == NULL)
		return make(call, &b);
	status = load(call, of, &b);
	if (status == STET_NOT_FOUND)
		return stet_fail(call, STET_VALIDATION_ERROR, "translationOf",
		    "Source byline for translation not found");
	STET_TRY(status);
	return make(call, &b);
}

enum stet_status
byline_translate(struct stet_call *call)
{
	struct byline b = { 0 };

	STET_TRY(load(call, stet_arg(call, "id"), &b));
	return make(call, &b);
}

/* ---- changing ---- */

enum stet_status
byline_update(struct stet_call *call)
{
	struct byline b = { 0 };

	STET_TRY(load(call, stet_arg(call, "id"), &b));
	STET_TRY(take_all(call, &b));
	STET_TRY(stet_issues(call));
	STET_TRY(byline_save(call, stet_write_tx(call), &b, false));
	return reply(call, b.id);
}

/* ---- deleting ---- */

static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, const struct byline *b)
{
	if (!stet_hooked(call, STET_AT_byline_after_delete))
		return STET_OK;
	return stet_notify(call, tx, STET_AT_byline_after_delete,
	    stet_json_own(call, json_pack("{ss ss ss ss}", "id", b->id, "slug", b->slug, "locale",
				    b->locale, "translationGroup", b->group)));
}

enum stet_status
byline_delete(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	struct byline b;
	bool last;

	STET_TRY(load(call, stet_arg(call, "id"), &b));
	STET_TRY(stet_exec(call, tx, "DELETE FROM byline WHERE id = ?1", STET_ARGS(b.id)));
	STET_TRY(stet_run_media_holder_changed(call, tx, "byline", b.id));
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM byline WHERE translation_group = ?1 LIMIT 1", STET_ARGS(b.group)));
	last = !stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (last)
		STET_TRY(credits_drop(call, tx, b.group));
	STET_TRY(byline_bump(call, tx));
	STET_TRY(stet_note(call, tx, "byline", b.id, "delete"));
	STET_TRY(tell(call, tx, &b));
	stet_object(out, NULL);
	stet_put_str(out, "deleted", b.id);
	stet_close(out);
	return STET_OK;
}
