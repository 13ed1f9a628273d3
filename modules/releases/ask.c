/* ask.c - runs ops of other modules: a release allows nothing that a request would not. */
#include "releases.h"
#include <stdint.h>
#include <stdlib.h>
#include <stet/users.h>
#include <string.h>

const char *const kind_names[KINDS + 1] = {
	[ITEM] = "item", [TERM] = "term", [MENU] = "menu", [SETTINGS] = "settings"
};

const char *
caller(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	return p != NULL && *p->id != '\0' ? p->id : NULL;
}

enum stet_status
act_as(struct stet_call *call, const char *id)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	struct stet_principal who = { .id = id, .via = STET_VIA_SYSTEM };
	struct stet_rows rows;

	STET_TRY(users->role(call, id, &who.role));
	if (who.role == 0)
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "The user who scheduled it is disabled or deleted: schedule it again");
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT email, COALESCE(name, '') FROM users WHERE id = ?1", STET_ARGS(id)));
	who.email = stet_col_dup(&rows, 0);
	who.name = stet_col_dup(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	stet_principal_set(call, &who);
	return STET_OK;
}

static int
by_name(const void *name, const void *op)
{
	return strcmp(name, (*(const struct stet_op_info *const *)op)->name);
}

enum stet_status
op_find(struct stet_call *call, const char *name, const struct stet_op_info **out)
{
	const struct stet_op_info *const *all, *const *found;
	size_t count = stet_ops(call, &all);

	found = bsearch(name, all, count, sizeof(*all), by_name);
	*out = found != NULL ? *found : NULL;
	return found != NULL
		   ? STET_OK
		   : stet_fail(call, STET_NOT_FOUND, NULL, "There is no operation %s", name);
}

enum stet_status
may_ask(struct stet_call *call, const char *op)
{
	const struct stet_op_info *info;

	STET_TRY(op_find(call, op, &info));
	if (stet_op_open(call, info, NULL))
		return STET_OK;
	STET_TRY(stet_require(call, info->op->permission));
	return stet_fail(
	    call, STET_INSUFFICIENT_SCOPE, NULL, "Token lacks required scope: %s", info->op->scope);
}

const char *
text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

json_t *
again(const json_t *value)
{
	return json_incref((json_t *)(uintptr_t)value);
}
