/* admin.c - users over REST: lists, shows and changes users, and disables or enables them. */
#include "users.h"
#include <string.h>

const struct stet_member admin_list_in[] = {
	{ "search", STET_STRING, .about = "Text that the address or the name holds",
	    STET_RANGE(1, 200) },
	{ "role", STET_INTEGER, .about = "10, 20, 30, 40 or 50" },
	{ "limit", STET_INTEGER, .about = "Users a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member admin_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = user_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member admin_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the user" },
	{ 0 },
};
const struct stet_member admin_update_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the user" },
	{ "name", STET_STRING, .about = "Full name; \"\" for none", STET_RANGE(0, USER_NAME_MAX) },
	{ "email", STET_STRING, .about = "Address", .pattern = STET_EMAIL,
	    STET_RANGE(3, STET_EMAIL_MAX) },
	{ "role", STET_INTEGER, .about = "10, 20, 30, 40 or 50; not one's own" },
	{ 0 },
};
const struct stet_member admin_item_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = user_shape },
	{ 0 },
};
const struct stet_member admin_done_out[] = { { "success", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

/* The argument `role`, validated; 0 if it is absent. */
static int
take_role(struct stet_call *call)
{
	int64_t role = stet_arg_int(call, "role");

	if (!stet_has(call, "role"))
		return 0;
	if (role < 10 || role > ROLE_ADMIN || role % 10 != 0)
		stet_issue(call, "role", "must be 10, 20, 30, 40 or 50");
	return (int)role;
}

/* ---- read ---- */

static void
add_filters(struct stet_call *call, struct stet_sql *sql, int role)
{
	const char *search = stet_arg(call, "search");

	if (role != 0) {
		stet_sql_add(sql, " AND role = ");
		stet_sql_bind(sql, stet_val_int(role));
	}
	if (search == NULL)
		return;
	search = stet_fold(call, search, strlen(search));
	stet_sql_add(sql, " AND (");
	stet_sql_has(sql, "", "email", search);
	stet_sql_add(sql, " OR ");
	stet_sql_has(sql, "", "name", search);
	stet_sql_add(sql, ")");
}

enum stet_status
admin_list(struct stet_call *call)
{
	struct stet_page page = {
		.listing = "users", .key = "created_at", .key_column = U_CREATED, .id_column = U_ID
	};
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	int role = take_role(call);

	STET_TRY(stet_issues(call));
	stet_sql_add(sql, USER_COLUMNS " WHERE 1 = 1");
	add_filters(call, sql, role);
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, user_shape);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
put_item(struct stet_call *call, const char *id)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(user_find(call, id, &rows));
	stet_object(out, NULL);
	stet_object(out, "item");
	stet_put_columns(out, &rows, 0, user_shape, U_LOGIN + 1);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
admin_get(struct stet_call *call)
{
	return put_item(call, stet_arg(call, "id"));
}

/* ---- write ---- */

static bool
is_self(struct stet_call *call, const struct user *u)
{
	return strcmp(stet_principal(call)->id, u->id) == 0;
}

enum stet_status
admin_update(struct stet_call *call)
{
	int role = take_role(call);
	struct user from, to;

	STET_TRY(stet_issues(call));
	STET_TRY(user_load(call, stet_arg(call, "id"), &from));
	if (role != 0 && is_self(call, &from))
		return stet_fail(call, stet_code(call, "SELF_ROLE_CHANGE"), "role",
		    "Users cannot change their own role: ask another administrator");
	to = from;
	if (role != 0)
		to.role = role;
	if (stet_has(call, "email"))
		to.email = stet_arg(call, "email");
	if (stet_has(call, "name"))
		to.name = user_name(call, stet_arg(call, "name"));
	STET_TRY(stet_issues(call));
	STET_TRY(user_store(call, stet_write_tx(call), &from, &to));
	return put_item(call, from.id);
}

static enum stet_status
enable(struct stet_call *call, const struct user *from, bool enabled)
{
	struct stet_json *out = stet_reply(call);
	struct user to = *from;

	to.disabled = !enabled;
	STET_TRY(user_store(call, stet_write_tx(call), from, &to));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}

enum stet_status
admin_enable(struct stet_call *call)
{
	struct user u;

	STET_TRY(user_load(call, stet_arg(call, "id"), &u));
	return enable(call, &u, true);
}

enum stet_status
admin_disable(struct stet_call *call)
{
	struct user u;

	STET_TRY(user_load(call, stet_arg(call, "id"), &u));
	if (is_self(call, &u))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "id", "Users cannot disable themselves");
	return enable(call, &u, false);
}
