/*
 * record.c - users in the database: finds and changes them, and refuses to remove the last
 * administrator.
 */
#include "users.h"
#include <string.h>
#include <strings.h>

#define HAS STET_REQUIRED
#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)

const struct stet_member user_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "email", STET_STRING, HAS, .about = "In lower case" },
	{ "name", STET_STRING, MAY_BE_NULL },
	{ "avatarUrl", STET_STRING, MAY_BE_NULL },
	{ "role", STET_INTEGER, HAS },
	{ "emailVerified", STET_BOOLEAN, HAS },
	{ "disabled", STET_BOOLEAN, HAS },
	{ "createdAt", STET_TIME, HAS },
	{ "updatedAt", STET_TIME, HAS },
	{ "lastLogin", STET_TIME, MAY_BE_NULL },
	{ 0 },
};

enum stet_status
user_find(struct stet_call *call, const char *id, struct stet_rows *rows)
{
	STET_TRY(stet_query(call, rows, USER_COLUMNS " WHERE id = ?1", STET_ARGS(id)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, NULL, "User not found: %s", id);
}

static enum stet_status
load(struct stet_rows *rows, struct user *u)
{
	u->id = stet_col_dup(rows, U_ID);
	u->email = stet_col_dup(rows, U_EMAIL);
	u->name = stet_col_dup(rows, U_NAME);
	u->role = (int)stet_col_int(rows, U_ROLE);
	u->disabled = stet_col_int(rows, U_DISABLED) != 0;
	return stet_rows_end(rows);
}

enum stet_status
user_load(struct stet_call *call, const char *id, struct user *u)
{
	struct stet_rows rows;

	STET_TRY(user_find(call, id, &rows));
	return load(&rows, u);
}

enum stet_status
user_load_by_email(struct stet_call *call, struct user *u)
{
	const char *email = stet_arg(call, "email");
	struct stet_rows rows;

	STET_TRY(
	    stet_query(call, &rows, USER_COLUMNS " WHERE email = lower(?1)", STET_ARGS(email)));
	if (stet_row(&rows))
		return load(&rows, u);
	STET_TRY(stet_rows_end(&rows));
	return stet_fail(call, STET_NOT_FOUND, "email", "No user has the address %s", email);
}

/* Returns true in *out if an administrator other than this user is enabled. */
static enum stet_status
other_admin(struct stet_call *call, const char *id, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM users WHERE role = ?1 AND disabled = 0 AND id <> ?2 LIMIT 1",
	    STET_ARGS(ROLE_ADMIN, id)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* Without an administrator, nobody could give anybody the role again. */
static enum stet_status
keep_an_admin(struct stet_call *call, const struct user *from, const struct user *to)
{
	bool was = from->role == ROLE_ADMIN && !from->disabled;
	bool stays = to->role == ROLE_ADMIN && !to->disabled, other;

	if (!was || stays)
		return STET_OK;
	STET_TRY(other_admin(call, from->id, &other));
	if (!other)
		return stet_fail(call, stet_code(call, "LAST_ADMIN"), NULL,
		    "%s is the last administrator who is enabled", from->email);
	return STET_OK;
}

/* Tells the modules that keep something for users. */
static enum stet_status
tell_changes(
    struct stet_call *call, struct stet_tx *tx, const struct user *from, const struct user *to)
{
	if (strcasecmp(from->email, to->email) != 0)
		STET_TRY(stet_run_user_changed(call, tx, from->id, "address"));
	if (from->role != to->role)
		STET_TRY(stet_run_user_changed(call, tx, from->id, "role"));
	if (from->disabled != to->disabled)
		STET_TRY(
		    stet_run_user_changed(call, tx, from->id, to->disabled ? "disable" : "enable"));
	return STET_OK;
}

enum stet_status
user_store(
    struct stet_call *call, struct stet_tx *tx, const struct user *from, const struct user *to)
{
	enum stet_status status;

	STET_TRY(keep_an_admin(call, from, to));
	/* A new address is not verified yet. */
	status = stet_exec(call, tx,
	    "UPDATE users SET email_verified = CASE WHEN email = lower(?2) THEN email_verified"
	    " ELSE 0 END, email = lower(?2), name = ?3, role = ?4, disabled = ?5, updated_at = ?6"
	    " WHERE id = ?1",
	    STET_ARGS(from->id, to->email, to->name, to->role, to->disabled,
		stet_time_text(call, stet_now(call))));
	if (status == STET_CONFLICT)
		return stet_fail(call, stet_code(call, "EMAIL_IN_USE"), "email",
		    "Another user has the address %s", to->email);
	STET_TRY(status);
	return tell_changes(call, tx, from, to);
}

const char *
user_name(struct stet_call *call, const char *text)
{
	const char *name = stet_user_name(call, text != NULL ? text : "");

	if (name == NULL)
		stet_issue(call, "name", "%s", STET_USER_NAME_BAD);
	return name != NULL && *name != '\0' ? name : NULL;
}

/* ---- the service ---- */

enum stet_status
user_insert(
    struct stet_call *call, struct stet_tx *tx, const struct stet_user_new *u, const char **id)
{
	const char *now = stet_time_text(call, stet_now(call));
	const char *name = user_name(call, u->name);
	enum stet_status status;

	STET_TRY(stet_issues(call));
	*id = u->id != NULL ? u->id : stet_id(call);
	status = stet_exec(call, tx,
	    "INSERT INTO users (id, email, name, role, email_verified, created_at, updated_at)"
	    " VALUES (?1, lower(?2), ?3, ?4, ?5, ?6, ?6)",
	    STET_ARGS(*id, u->email, name, u->role, u->verified, now));
	if (status == STET_CONFLICT)
		return stet_fail(call, stet_code(call, "USER_EXISTS"), "email",
		    "%s is a user already", u->email);
	STET_TRY(status);
	return stet_run_user_changed(call, tx, *id, "add");
}

static enum stet_status
add(struct stet_call *call, struct stet_tx *tx, const struct stet_user_new *given, size_t size,
    const char **id)
{
	struct stet_user_new u;
	const char *why;
	bool good;

	stet_extend(&u, sizeof(u), given, size);
	STET_TRY(stet_match(call, STET_EMAIL, u.email, &good, &why));
	if (!good || stet_utf8_length(u.email) > STET_EMAIL_MAX)
		stet_issue(call, "email", "is not an address");
	if (u.name != NULL && stet_utf8_length(u.name) > STET_USER_NAME_MAX)
		stet_issue(call, "name", "has more than %d characters", STET_USER_NAME_MAX);
	if (u.id != NULL && !stet_is_id(u.id))
		stet_issue(call, "id", "is not an id");
	if (u.role < 10 || u.role > ROLE_ADMIN || u.role % 10 != 0)
		stet_issue(call, "role", "must be 10, 20, 30, 40 or 50");
	if (u.id != NULL && !stet_is_id(u.id))
		stet_issue(call, "id", "is not an id");
	STET_TRY(stet_issues(call));
	return user_insert(call, tx, &u, id);
}

static enum stet_status
find(struct stet_call *call, const char *email, const char **id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, "SELECT id FROM users WHERE email = lower(?1)", STET_ARGS(email)));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

static enum stet_status
has_admin(struct stet_call *call, bool *out)
{
	return other_admin(call, "", out);
}

static enum stet_status
role_now(struct stet_call *call, const char *id, int *role)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, "SELECT role FROM users WHERE id = ?1 AND disabled = 0", STET_ARGS(id)));
	*role = stet_row(&rows) ? (int)stet_col_int(&rows, 0) : 0;
	return stet_rows_end(&rows);
}

static enum stet_status
language(struct stet_call *call, const char *id, const char **out)
{
	struct stet_rows rows;

	STET_TRY(
	    stet_query(call, &rows, "SELECT language FROM users WHERE id = ?1", STET_ARGS(id)));
	*out = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

const struct stet_users_1 user_service = { add, find, has_admin, role_now, language };
