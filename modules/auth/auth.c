/* auth - users, roles and their permissions, personal access tokens. */
#include "auth.h"
#include <sodium.h>
#include <string.h>
static enum stet_status
authenticate(struct stet_call *call)
{
	const char *token = stet_request_bearer(call);

	if (token == NULL || (strncmp(token, TOKEN_PREFIX, sizeof(TOKEN_PREFIX) - 1) != 0 &&
				 strncmp(token, DELIVERY_PREFIX, sizeof(DELIVERY_PREFIX) - 1) != 0))
		return STET_DECLINED;
	return token_authenticate(call, token);
}

/* Refuses an unknown bearer token, so that the request does not fall back to a session cookie.
 * The hooks for other kinds of bearer tokens run before this one, the hook for sessions after
 * it. */
static enum stet_status
refuse_unknown(struct stet_call *call)
{
	return stet_request_bearer(call) != NULL ? token_refuse(call) : STET_DECLINED;
}

#define ORDER_TOKEN 0
#define ORDER_REFUSE 100

static const struct stet_hook hooks[] = {
	STET_ON(request_authenticate, ORDER_TOKEN, authenticate),
	STET_ON(request_authenticate, ORDER_REFUSE, refuse_unknown),
};

static const struct stet_migration migrations[] = {
	{ 1, "users and tokens",
	    "CREATE TABLE users ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " email TEXT NOT NULL UNIQUE," /* lower case */
	    " name TEXT,"
	    " avatar_url TEXT,"
	    " role INTEGER NOT NULL CHECK (role IN (10, 20, 30, 40, 50)),"
	    " email_verified INTEGER NOT NULL DEFAULT 0,"
	    " disabled INTEGER NOT NULL DEFAULT 0,"
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL,"
	    " last_login_at TEXT,"
	    " welcomed_at TEXT);" /* when the user dismissed the welcome page */
	    "CREATE INDEX users_created ON users (created_at, id);"
	    "CREATE TABLE api_tokens ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
	    " name TEXT NOT NULL,"
	    " prefix TEXT NOT NULL," /* the first characters of the token, by which users recognise
					it */
	    " hash BLOB NOT NULL UNIQUE," /* SHA-256 of the whole token */
	    " scopes TEXT NOT NULL," /* space separated */
	    " expires_at TEXT,"
	    " last_used_at TEXT,"
	    " created_at TEXT NOT NULL);"
	    "CREATE INDEX api_tokens_user ON api_tokens (user_id, id);",
	    NULL },
	{ 2, "users of a role", "CREATE INDEX users_role ON users (role, created_at, id);", NULL },
	{ 3, "tokens of nobody, that read",
	    "CREATE TABLE delivery_token ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " name TEXT NOT NULL,"
	    " prefix TEXT NOT NULL,"
	    " hash BLOB NOT NULL UNIQUE,"
	    " expires_at TEXT,"
	    " last_used_at TEXT,"
	    " created_at TEXT NOT NULL);",
	    NULL },
	/* The user who made the token; NULL: a command, or an earlier version. */
	{ 4, "makers of delivery tokens", "ALTER TABLE delivery_token ADD COLUMN maker TEXT",
	    NULL },
	{ 5, "the language of a user", "ALTER TABLE users ADD COLUMN language TEXT", NULL },
};

/* Each module declares the permissions that it requires, with the lowest role that has them. */
static const struct stet_permission permissions[] = {
	{ "auth:manage_own_credentials", 10 },
	{ "auth:manage_connections", DELIVERY_ROLE },
	/* Permissions of modules that do not exist yet; plugins may require them already. */
	{ "redirects:read", 40 },
	{ "redirects:manage", 50 },
};

static const struct stet_op ops[] = {
	{ "me_get", "Get Current User", .about = "The user who is signed in.",
	    .route = "GET /auth/me", .lane = STET_READ, .scope = "admin", .out = me_out,
	    .run = me_get },
	{ "me_update", "Update Current User",
	    .about = "Put away the welcome page of the user who is signed in.",
	    .route = "POST /auth/me", .flags = STET_UNTOLD, .lane = STET_WRITE, .scope = "admin",
	    .in = me_update_in, .out = done_out, .run = me_update },
	{ "me_rename", "Rename Current User",
	    .about = "Change one's own name, and the language of the pages and of mails.",
	    .route = "PUT /auth/me", .lane = STET_WRITE, .scope = "admin", .in = me_rename_in,
	    .out = done_out, .run = me_rename },
	{ "site_proof", "Prove Site",
	    .about = "What stet doctor asks to know whether a URL leads to this very site: 404"
		     " unless it has left a proof of this name in the site's directory.",
	    .route = "GET /auth/site/:token", .flags = STET_PUBLIC, .lane = STET_READ,
	    .in = proof_in, .out = proof_out, .run = site_proof },
	{ "token_create", "Create API Token",
	    .about = "Make a personal access token of one's own. It is shown this once.",
	    .route = "POST /admin/api-tokens", .flags = STET_CREATED | STET_SECRET | STET_RECENT,
	    .lane = STET_WRITE, .permission = "auth:manage_connections", .scope = "admin",
	    .in = token_create_in, .out = token_created_out, .run = token_create,
	    .fault = "TOKEN_CREATE_ERROR" },
	{ "token_list", "List API Tokens", .about = "One's own tokens, newest first.",
	    .route = "GET /admin/api-tokens", .lane = STET_READ,
	    .permission = "auth:manage_connections", .scope = "admin", .out = tokens_out,
	    .run = token_list, .fault = "TOKEN_LIST_ERROR" },
	{ "token_revoke", "Revoke API Token", .about = "Delete a token of one's own.",
	    .route = "DELETE /admin/api-tokens/:id", .flags = STET_DESTRUCTIVE, .lane = STET_WRITE,
	    .permission = "auth:manage_connections", .scope = "admin", .in = token_by_id,
	    .out = token_revoked_out, .run = token_revoke, .fault = "TOKEN_DELETE_ERROR" },
	{ "delivery_token_create", "Create Delivery Token",
	    .about = "Make a token that reads what is published and is nobody's. It is shown this "
		     "once.",
	    .route = "POST /admin/delivery-tokens",
	    .flags = STET_CREATED | STET_SECRET | STET_RECENT, .lane = STET_WRITE,
	    .permission = "auth:manage_connections", .scope = "admin", .in = delivery_create_in,
	    .out = token_added_out, .run = delivery_create, .fault = "TOKEN_CREATE_ERROR" },
	{ "delivery_token_list", "List Delivery Tokens",
	    .about = "The tokens of nobody that read what is published, newest first.",
	    .route = "GET /admin/delivery-tokens", .lane = STET_READ,
	    .permission = "auth:manage_connections", .scope = "admin", .out = tokens_any_out,
	    .run = delivery_list, .fault = "TOKEN_LIST_ERROR" },
	{ "delivery_token_revoke", "Revoke Delivery Token", .about = "Delete a delivery token.",
	    .route = "DELETE /admin/delivery-tokens/:id", .flags = STET_DESTRUCTIVE,
	    .lane = STET_WRITE, .permission = "auth:manage_connections", .scope = "admin",
	    .in = token_by_id, .out = token_revoked_out, .run = delivery_revoke,
	    .fault = "TOKEN_DELETE_ERROR" },
	{ "token_add", "Add Token",
	    .about = "Make a personal access token for a user, or a delivery token.",
	    .lane = STET_WRITE, .permission = "users:manage", .scope = "admin", .in = token_add_in,
	    .out = token_added_out, .run = token_add, .fault = "TOKEN_CREATE_ERROR" },
	{ "token_list_of", "List Tokens of a User",
	    .about = "The tokens of a user, or all delivery tokens, newest first.",
	    .lane = STET_READ, .permission = "users:read", .scope = "admin", .in = token_list_in,
	    .out = tokens_any_out, .run = token_list_of, .fault = "TOKEN_LIST_ERROR" },
	{ "token_revoke_any", "Revoke Token", .about = "Delete a token, whoever's it is.",
	    .lane = STET_WRITE, .permission = "users:manage", .scope = "admin", .in = token_by_id,
	    .out = token_revoked_out, .run = token_revoke_any, .fault = "TOKEN_DELETE_ERROR" },
};

static const struct stet_command commands[] = {
	{ "token add", "token_add", .operands = "email", .print = "token",
	    .about =
		"Make a token for a user, or with --delivery one that is nobody's; print it." },
	{ "token list", "token_list_of", .operands = "email",
	    .print = "id name prefix scopes expiresAt lastUsedAt createdAt",
	    .about = "List the tokens of a user, or with --delivery those of nobody." },
	{ "token revoke", "token_revoke_any", .operands = "id", .about = "Delete a token." },
};

/* Paths that a page of another site must not reach through an administrator's browser
 * (cross-site request forgery). The last one belongs to a module that does not exist yet. */
static const char *const guarded[] = { "/admin", "/import", NULL };

static const struct stet_job jobs[] = { { USAGE_JOB, token_used_due, token_used_write,
    STET_JOB_EVERYWHERE } };

static const struct stet_status_def statuses[] = {
	{ "TOKEN_LIST_ERROR", 500, "Failed to list tokens" },
	{ "TOKEN_CREATE_ERROR", 500, "Failed to create the token" },
	{ "TOKEN_DELETE_ERROR", 500, "Failed to revoke the token" },
};

static enum stet_status
auth_open(struct stet_call *call, void *state)
{
	struct auth_state *s = state;

	if (sodium_init() < 0)
		return stet_fault(call, "libsodium does not start");
	if ((s->usage = stet_usage_new()) == NULL)
		return stet_fault(call, "no memory for the usage of tokens");
	return STET_OK;
}

static void
auth_close(void *state)
{
	struct auth_state *s = state;

	stet_usage_free(s->usage);
}

STET_MODULE(auth) = {
	STET_MODULE_HEAD(auth),
	.version = "1.0",
	.summary = "Users, roles, permissions and personal access tokens",
	.license = "MIT",
	.flags = STET_ESSENTIAL,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.permissions = STET_TABLE(permissions),
	.guarded = guarded,
	.commands = STET_TABLE(commands),
	.jobs = STET_TABLE(jobs),
	.state_size = sizeof(struct auth_state),
	.open = auth_open,
	.close = auth_close,
	.statuses = STET_TABLE(statuses),
};
