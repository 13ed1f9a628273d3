/*
 * users - administration of users: lists, roles, disabling; over REST for administrators, and as
 * commands.
 */
#include "users.h"

/* clang-format off */
#define READS .lane = STET_READ, .permission = "users:read", .scope = "admin"
#define WRITES .lane = STET_WRITE, .permission = "users:manage", .scope = "admin"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "admin_user_list", "List Users",
	    .about = "Users, newest first, a page at a time: of a role, by address or name.",
	    .route = "GET /admin/users", READS, .in = admin_list_in, .out = admin_list_out,
	    .run = admin_list, .fault = "USER_LIST_ERROR" },
	{ "admin_user_get", "Get User", .about = "One user by id.", .route = "GET /admin/users/:id",
	    READS, .in = admin_by_id, .out = admin_item_out, .run = admin_get,
	    .fault = "USER_DETAIL_ERROR" },
	{ "admin_user_update", "Update User",
	    .about = "Change name, address or role of a user; what is omitted stays.",
	    .route = "PUT /admin/users/:id", .flags = STET_RECENT, WRITES, .in = admin_update_in,
	    .out = admin_item_out, .run = admin_update, .fault = "USER_UPDATE_ERROR" },
	{ "admin_user_enable", "Enable User", .about = "Let a user in again.",
	    .route = "POST /admin/users/:id/enable", .flags = STET_IDEMPOTENT | STET_BODY_OPTIONAL,
	    WRITES, .in = admin_by_id, .out = admin_done_out, .run = admin_enable,
	    .fault = "USER_ENABLE_ERROR" },
	{ "admin_user_disable", "Disable User",
	    .about = "Let a user in no more: their tokens stop working at once.",
	    .route = "POST /admin/users/:id/disable", .flags = STET_IDEMPOTENT | STET_BODY_OPTIONAL,
	    WRITES, .in = admin_by_id, .out = admin_done_out, .run = admin_disable,
	    .fault = "USER_DISABLE_ERROR" },

	{ "user_add", "Add User", .about = "Add a user with a role.", WRITES, .in = user_add_in,
	    .out = user_out, .run = user_add, .fault = "USER_CREATE_ERROR" },
	{ "user_list", "List Users", .about = "All users, in the order of their addresses.", READS,
	    .out = users_out, .run = user_list, .fault = "USER_LIST_ERROR" },
	{ "user_show", "Show User", .about = "One user by address.", READS, .in = by_email,
	    .out = user_out, .run = user_show, .fault = "USER_DETAIL_ERROR" },
	{ "user_set_role", "Set Role", .about = "Give a user another role.", WRITES,
	    .in = set_role_in, .out = user_out, .run = user_set_role,
	    .fault = "USER_UPDATE_ERROR" },
	{ "user_rename", "Rename User", .about = "Change the full name of a user.", WRITES,
	    .in = rename_in, .out = user_out, .run = user_rename, .fault = "USER_UPDATE_ERROR" },
	{ "user_enable", "Enable User", .about = "Let a user in again.", WRITES, .in = by_email,
	    .out = user_out, .run = user_enable, .fault = "USER_ENABLE_ERROR" },
	{ "user_disable", "Disable User",
	    .about = "Let a user in no more: their tokens stop working at once.", WRITES,
	    .in = by_email, .out = user_out, .run = user_disable, .fault = "USER_DISABLE_ERROR" },
};

static const struct stet_command commands[] = {
	{ "user add", "user_add", .operands = "email", .about = "Add a user with a role." },
	{ "user list", "user_list", .about = "List all users." },
	{ "user show", "user_show", .operands = "email", .about = "Show one user." },
	{ "user set-role", "user_set_role", .operands = "email role",
	    .about = "Give a user another role." },
	{ "user rename", "user_rename", .operands = "email name",
	    .about = "Change the full name of a user." },
	{ "user enable", "user_enable", .operands = "email", .about = "Let a user in again." },
	{ "user disable", "user_disable", .operands = "email",
	    .about = "Let a user in no more; their tokens stop working at once." },
};

static const char *const needs[] = { "auth", NULL };

static const struct stet_permission permissions[] = {
	{ "users:read", 50 },
	{ "users:invite", 50 },
	{ "users:manage", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "SELF_ROLE_CHANGE", 400, "Users cannot change their own role" },
	{ "USER_EXISTS", 409, "The user already exists" },
	{ "EMAIL_IN_USE", 409, "The address is in use" },
	{ "LAST_ADMIN", 409, "The last administrator must stay" },
	{ "USER_LIST_ERROR", 500, "Failed to list users" },
	{ "USER_CREATE_ERROR", 500, "Failed to create the user" },
	{ "USER_DETAIL_ERROR", 500, "Failed to read the user" },
	{ "USER_UPDATE_ERROR", 500, "Failed to update the user" },
	{ "USER_ENABLE_ERROR", 500, "Failed to enable the user" },
	{ "USER_DISABLE_ERROR", 500, "Failed to disable the user" },
};

static const struct stet_service_def services[] = { STET_SERVICE(STET_USERS_1, user_service) };

STET_MODULE(users) = {
	STET_MODULE_HEAD(users),
	.version = "1.0",
	.summary = "Users: lists, roles, who is let in",
	.license = "MIT",
	.flags = STET_ESSENTIAL,
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.commands = STET_TABLE(commands),
	.services = STET_TABLE(services),
	.includes = STET_TABLE(user_includes),
	.statuses = STET_TABLE(statuses),
};
