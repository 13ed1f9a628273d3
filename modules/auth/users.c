/* users.c - the user who is signed in, and users by their e-mail addresses. */
#include "auth.h"
#include <stet/users.h>

/* ---- the user who is signed in ---- */

const struct stet_member me_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "email", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_NULLABLE },
	{ "role", STET_INTEGER, STET_REQUIRED },
	{ "avatarUrl", STET_STRING, STET_NULLABLE },
	{ "isFirstLogin", STET_BOOLEAN, STET_REQUIRED,
	    .about = "The welcome page was not put away yet" },
	{ "language", STET_STRING,
	    .about = "Of the admin pages and of mails; absent: none was chosen" },
	{ 0 },
};

enum stet_status
me_get(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT id, email, name, role, avatar_url, welcomed_at IS NULL, language FROM users"
	    " WHERE id = ?1",
	    STET_ARGS(stet_principal(call)->id)));
	stet_put_row(stet_reply(call), &rows, me_out);
	return stet_rows_end(&rows);
}

const struct stet_member me_update_in[] = {
	{ "action", STET_STRING, STET_REQUIRED, STET_CHOICES("dismissWelcome") },
	{ 0 },
};
const struct stet_member me_rename_in[] = {
	{ "name", STET_STRING, .about = "Full name", STET_RANGE(1, STET_USER_NAME_MAX) },
	{ "language", STET_STRING, STET_NULLABLE,
	    .about = "Of the admin pages and of mails; null: as browsers and the site have it",
	    STET_CHOICES("en", "de", "es", "fr") },
	{ 0 },
};
const struct stet_member done_out[] = { { "success", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

static enum stet_status
reply_done(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "User not found");
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}

enum stet_status
me_rename(struct stet_call *call)
{
	bool renames = stet_has(call, "name"), speaks = stet_has(call, "language");
	const char *name = renames ? stet_user_name(call, stet_arg(call, "name")) : NULL;

	if (renames && (name == NULL || *name == '\0'))
		stet_issue(call, "name", "%s", name == NULL ? STET_USER_NAME_BAD : "is empty");
	if (!renames && !speaks)
		stet_issue(call, "name", "or language is required");
	STET_TRY(stet_issues(call));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE users SET name = CASE WHEN ?1 = 0 THEN name ELSE ?2 END,"
	    " language = CASE WHEN ?3 = 0 THEN language ELSE ?4 END, updated_at = ?5"
	    " WHERE id = ?6",
	    STET_ARGS(renames, name, speaks, stet_arg(call, "language"),
		stet_time_text(call, stet_now(call)), stet_principal(call)->id)));
	return reply_done(call);
}

enum stet_status
me_update(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE users SET welcomed_at = coalesce(welcomed_at, ?1) WHERE id = ?2",
	    STET_ARGS(stet_time_text(call, stet_now(call)), stet_principal(call)->id)));
	return reply_done(call);
}

/* ---- any user ---- */

enum stet_status
user_by_email(struct stet_call *call, const char *email, const char **id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, "SELECT id FROM users WHERE email = lower(?1)", STET_ARGS(email)));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	STET_TRY(stet_rows_end(&rows));
	if (*id == NULL)
		return stet_fail(
		    call, STET_NOT_FOUND, "email", "No user has the address %s", email);
	return STET_OK;
}
