/* commands.c - users for `stet`: users are named by their addresses, roles by their names. */
#include "users.h"
#include <string.h>

static const struct role {
	const char *name;
	int number;
} roles[] = {
	{ "subscriber", 10 },
	{ "contributor", 20 },
	{ "author", 30 },
	{ "editor", 40 },
	{ "admin", ROLE_ADMIN },
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

/* clang-format off */
#define EMAIL \
	{ "email", STET_STRING, STET_REQUIRED, .about = "Address of the user", \
	    STET_RANGE(1, STET_EMAIL_MAX) }
/* clang-format on */
const struct stet_member by_email[] = { EMAIL, { 0 } };
const struct stet_member set_role_in[] = {
	EMAIL,
	{ "role", STET_STRING, STET_REQUIRED, .about = "What the user may", ROLE_CHOICES },
	{ 0 },
};
const struct stet_member rename_in[] = {
	EMAIL,
	{ "name", STET_STRING, STET_REQUIRED, .about = "Full name", STET_RANGE(1, USER_NAME_MAX) },
	{ 0 },
};
const struct stet_member user_add_in[] = {
	{ "email", STET_STRING, STET_REQUIRED, .about = "Address", .pattern = STET_EMAIL,
	    STET_RANGE(3, STET_EMAIL_MAX) },
	{ "name", STET_STRING, .about = "Full name", STET_RANGE(1, USER_NAME_MAX) },
	{ "role", STET_STRING, STET_REQUIRED, .about = "What the user may", ROLE_CHOICES },
	{ 0 },
};
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

static void
put_user(struct stet_json *out, struct stet_rows *rows)
{
	stet_object(out, NULL);
	stet_put_columns(out, rows, U_ID, user_out, 3);
	stet_put_str(out, "role", role_name(stet_col_int(rows, U_ROLE)));
	stet_put_columns(out, rows, U_DISABLED, user_out + 4, 2);
	stet_put_columns(out, rows, U_LOGIN, user_out + 6, 1);
	stet_close(out);
}

static enum stet_status
put_one(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(user_find(call, id, &rows));
	put_user(stet_reply(call), &rows);
	return stet_rows_end(&rows);
}

/* ---- add, list, show ---- */

enum stet_status
user_add(struct stet_call *call)
{
	const char *id;

	STET_TRY(user_insert(call, stet_write_tx(call),
	    &(struct stet_user_new){ .email = stet_arg(call, "email"),
		.name = stet_arg(call, "name"),
		.role = role_number(stet_arg(call, "role")) },
	    &id));
	return put_one(call, id);
}

enum stet_status
user_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, USER_COLUMNS " ORDER BY email", STET_NO_ARGS));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows))
		put_user(out, &rows);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
user_show(struct stet_call *call)
{
	struct user u;

	STET_TRY(user_load_by_email(call, &u));
	return put_one(call, u.id);
}

/* ---- changes ---- */

static enum stet_status
change(struct stet_call *call, const struct user *from, const struct user *to)
{
	STET_TRY(user_store(call, stet_write_tx(call), from, to));
	return put_one(call, from->id);
}

enum stet_status
user_set_role(struct stet_call *call)
{
	struct user from, to;

	STET_TRY(user_load_by_email(call, &from));
	to = from;
	to.role = role_number(stet_arg(call, "role"));
	return change(call, &from, &to);
}

enum stet_status
user_rename(struct stet_call *call)
{
	struct user from, to;

	STET_TRY(user_load_by_email(call, &from));
	to = from;
	to.name = user_name(call, stet_arg(call, "name"));
	STET_TRY(stet_issues(call));
	return change(call, &from, &to);
}

static enum stet_status
enable(struct stet_call *call, bool enabled)
{
	struct user from, to;

	STET_TRY(user_load_by_email(call, &from));
	to = from;
	to.disabled = !enabled;
	return change(call, &from, &to);
}

enum stet_status
user_enable(struct stet_call *call)
{
	return enable(call, true);
}

enum stet_status
user_disable(struct stet_call *call)
{
	return enable(call, false);
}
