/* users.c - who there is: addresses, names, roles. */
#include "auth.h"
#include <string.h>

#define USER_NAME_MAX 200

/* Lower case is enough: letters of the address are matched in either case below. */
const char user_email_pattern[] =
    "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\\.)@"
    "([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])"
    "(?![\\s\\S])";

static const struct role {
	const char *name;
	int number;
} roles[] = {
	{ "subscriber", 10 },
	{ "contributor", 20 },
	{ "author", 30 },
	{ "editor", 40 },
	{ "admin", 50 },
};
#define ROLE_CHOICES STET_CHOICES("admin", "editor", "author", "contributor", "subscriber")

static int
role_number(const char *name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(roles[i].name, name) == 0)
			return roles[i].number;
	return 0;
}

static const char *
role_name(int64_t number)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (roles[i].number == number)
			return roles[i].name;
	return NULL;
}

/* Addresses are stored and compared in lower case; they are ASCII (user_email_pattern). */
static char *
lower(struct stet_call *call, const char *email)
{
	char *out = stet_strdup(call, email);

	for (char *p = out; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
	return out;
}

/* ---- the user who is signed in ---- */

const struct stet_member me_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "email", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_NULLABLE },
	{ "role", STET_INTEGER, STET_REQUIRED },
	{ "avatarUrl", STET_STRING, STET_NULLABLE },
	{ "isFirstLogin", STET_BOOLEAN, STET_REQUIRED,
	    .about = "The welcome page was not put away yet" },
	{ 0 },
};

enum stet_status
me_get(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT id, email, name, role, avatar_url, welcomed_at IS NULL FROM users WHERE id = ?1",
	    STET_ARGS(stet_principal(call)->id)));
	stet_put_row(stet_reply(call), &rows, me_out);
	return stet_rows_end(&rows);
}

const struct stet_member me_update_in[] = {
	{ "action", STET_STRING, STET_REQUIRED, STET_CHOICES("dismissWelcome") },
	{ 0 },
};
const struct stet_member done_out[] = { { "success", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

enum stet_status
me_update(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE users SET welcomed_at = coalesce(welcomed_at, ?1) WHERE id = ?2",
	    STET_ARGS(stet_time_text(call, stet_now(call)), stet_principal(call)->id)));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "User not found");
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}

/* ---- all users ---- */

enum stet_status
user_by_email(struct stet_call *call, const char *email, const char **id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, "SELECT id FROM users WHERE email = ?1", STET_ARGS(lower(call, email))));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	STET_TRY(stet_rows_end(&rows));
	if (*id == NULL)
		return stet_fail(
		    call, STET_NOT_FOUND, "email", "No user has the address %s", email);
	return STET_OK;
}

const struct stet_member user_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "email", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_NULLABLE },
	{ "role", STET_STRING, STET_REQUIRED, ROLE_CHOICES },
	{ "disabled", STET_BOOLEAN, STET_REQUIRED },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "lastLogin", STET_TIME, STET_NULLABLE },
	{ 0 },
};
const struct stet_member users_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = user_out },
	{ 0 },
};

#define USER_COLUMNS "SELECT id, email, name, role, disabled, created_at, last_login_at FROM users "

static void
put_user(struct stet_json *out, struct stet_rows *rows)
{
	stet_object(out, NULL);
	stet_put_columns(out, rows, 0, user_out, 3);
	stet_put_str(out, "role", role_name(stet_col_int(rows, 3)));
	stet_put_columns(out, rows, 4, user_out + 4, 3);
	stet_close(out);
}

const struct stet_member user_add_in[] = {
	{ "email", STET_STRING, STET_REQUIRED, .about = "Address", .pattern = user_email_pattern,
	    STET_RANGE(3, USER_EMAIL_MAX) },
	{ "name", STET_STRING, .about = "Full name", STET_RANGE(1, USER_NAME_MAX) },
	{ "role", STET_STRING, STET_REQUIRED, .about = "What the user may", ROLE_CHOICES },
	{ 0 },
};

enum stet_status
user_add(struct stet_call *call)
{
	const char *id = stet_id(call), *now = stet_time_text(call, stet_now(call));
	const char *email = lower(call, stet_arg(call, "email"));
	struct stet_rows rows;
	enum stet_status status;

	status = stet_exec(call, stet_write_tx(call),
	    "INSERT INTO users (id, email, name, role, created_at, updated_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
	    STET_ARGS(id, email, stet_arg(call, "name"), role_number(stet_arg(call, "role")), now));
	if (status == STET_CONFLICT)
		return stet_fail(call, STET_USER_EXISTS, "email", "%s is a user already", email);
	STET_TRY(status);
	STET_TRY(stet_one(call, &rows, STET_FAULT, USER_COLUMNS "WHERE id = ?1", STET_ARGS(id)));
	put_user(stet_reply(call), &rows);
	return stet_rows_end(&rows);
}

enum stet_status
user_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, USER_COLUMNS "ORDER BY email", STET_NO_ARGS));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows))
		put_user(out, &rows);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}
