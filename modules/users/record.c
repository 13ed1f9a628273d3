/*
 * record.c - users in the database: finds and changes them, and refuses to remove the last
 * administrator.
 */
#include "users.h"
#include <string.h>

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

/* Without an administrator, nobody could give anybody the role again. */
static enum stet_status
keep_an_admin(struct stet_call *call, const struct user *from, const struct user *to)
{
	bool was = from->role == ROLE_ADMIN && !from->disabled;
	bool stays = to->role == ROLE_ADMIN && !to->disabled, other;
	struct stet_rows rows;

	if (!was || stays)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM users WHERE role = ?1 AND disabled = 0 AND id <> ?2 LIMIT 1",
	    STET_ARGS(ROLE_ADMIN, from->id)));
	other = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (!other)
		return stet_fail(call, stet_code(call, "LAST_ADMIN"), NULL,
		    "%s is the last administrator who is enabled", from->email);
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
	return status;
}
