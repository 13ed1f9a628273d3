/* oidc - sign-in with an account at an OpenID Connect provider. */
#include "oidc.h"
#include <sodium.h>

static const struct stet_migration migrations[] = {
	{ 1, "providers and accounts",
	    "CREATE TABLE oidc_providers ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " label TEXT NOT NULL,"
	    " issuer TEXT NOT NULL,"
	    " client_id TEXT NOT NULL,"
	    " secret TEXT," /* sealed */
	    " domains TEXT NOT NULL," /* JSON array */
	    " role INTEGER," /* role of users created at sign-in; NULL: none are */
	    " enabled INTEGER NOT NULL,"
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL);"
	    "CREATE TABLE oidc_accounts ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " provider_id TEXT NOT NULL REFERENCES oidc_providers (id) ON DELETE CASCADE,"
	    " issuer TEXT NOT NULL,"
	    " subject TEXT NOT NULL," /* the issuer's permanent id of the account */
	    " user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
	    " email TEXT," /* shown to people, never used to find a user */
	    " created_at TEXT NOT NULL,"
	    " last_used_at TEXT NOT NULL,"
	    " UNIQUE (issuer, subject));"
	    "CREATE INDEX oidc_accounts_user ON oidc_accounts (user_id, id);"
	    "CREATE INDEX oidc_accounts_provider ON oidc_accounts (provider_id);"
	    "CREATE TABLE oidc_used (" /* attempts that have succeeded: each can do so once */
	    " attempt BLOB NOT NULL PRIMARY KEY,"
	    " expires_at TEXT NOT NULL);"
	    "CREATE INDEX oidc_used_expires ON oidc_used (expires_at);",
	    NULL },
};

static const struct stet_sealed_column sealed[] = { PROVIDER_SECRET };

/* clang-format off */
#define READS .lane = STET_READ, .permission = "auth:manage_connections", .scope = "admin"
#define WRITES .lane = STET_WRITE, .permission = "auth:manage_connections", .scope = "admin"
#define OWN .permission = "auth:manage_own_credentials", .scope = "admin"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "provider_list", "List Identity Providers", .about = "The providers of the site, by id.",
	    .route = "GET /admin/identity-providers", READS, .out = provider_list_out,
	    .run = provider_list },
	{ "provider_create", "Add Identity Provider",
	    .about =
		"Let people sign in by an OpenID Connect provider. The secret is stored sealed.",
	    .route = "POST /admin/identity-providers", .flags = STET_CREATED | STET_RECENT, WRITES,
	    .in = provider_create_in, .out = provider_out, .run = provider_create },
	{ "provider_get", "Get Identity Provider", .about = "One provider by id.",
	    .route = "GET /admin/identity-providers/:id", READS, .in = provider_by_id,
	    .out = provider_out, .run = provider_get },
	{ "provider_update", "Update Identity Provider",
	    .about = "Change a provider; what is omitted stays.",
	    .route = "PUT /admin/identity-providers/:id", .flags = STET_RECENT, WRITES,
	    .in = provider_update_in, .out = provider_out, .run = provider_update },
	{ "provider_delete", "Delete Identity Provider",
	    .about = "Delete a provider and the links of users to their accounts there.",
	    .route = "DELETE /admin/identity-providers/:id",
	    .flags = STET_DESTRUCTIVE | STET_RECENT, WRITES, .in = provider_by_id,
	    .out = provider_done_out, .run = provider_delete },
	{ "provider_public", "Ways to Sign In by a Provider",
	    .about = "The providers that people can sign in by, for the sign-in page.",
	    .route = "GET /auth/oauth", .flags = STET_PUBLIC | STET_FOR_ALL, .lane = STET_READ,
	    .out = provider_public_out, .run = provider_public },
	{ "oidc_start", "Sign In by a Provider",
	    .about = "Send the browser to a provider, to sign in there.",
	    .route = "GET /auth/oauth/:provider",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_ANY_QUERY | STET_SECRET, .lane = STET_SLOW,
	    .in = start_in, .answers = "text/plain", .run = start_signin },
	{ "oidc_callback", "Return from a Provider",
	    .about = "Where a provider sends the browser back to: signs in with a cookie.",
	    .route = "GET /auth/oauth/:provider/callback",
	    .flags = STET_PUBLIC | STET_ANY_QUERY | STET_SECRET, .lane = STET_SLOW,
	    .in = callback_in, .answers = "text/plain", .run = callback },
	{ "account_link", "Link an Account",
	    .about = "Begin to link an account at a provider to the user who is signed in.",
	    .route = "POST /auth/accounts/:provider",
	    .flags = STET_RECENT | STET_SECRET | STET_BODY_OPTIONAL, .lane = STET_SLOW, OWN,
	    .in = link_in, .out = link_out, .run = start_link },
	{ "account_list", "List Linked Accounts", .about = "One's own accounts at providers.",
	    .route = "GET /auth/accounts", .lane = STET_READ, OWN, .out = account_list_out,
	    .run = account_list },
	{ "account_remove", "Remove Linked Account", .about = "Sign in by this account no more.",
	    .route = "DELETE /auth/accounts/:id", .flags = STET_DESTRUCTIVE | STET_RECENT,
	    .lane = STET_WRITE, OWN, .in = account_by_id, .out = account_done_out,
	    .run = account_remove },
};

static const struct stet_command commands[] = {
	{ "oidc list", "provider_list", .print = "id label issuer clientId domains role enabled",
	    .about = "List the identity providers of the site." },
	{ "oidc add", "provider_create", .operands = "id issuer clientId",
	    .about = "Let people sign in by an OpenID Connect provider." },
	{ "oidc secret", "provider_update", .operands = "id clientSecret", .print = "item",
	    .about = "Store another secret of this site for a provider." },
	{ "oidc remove", "provider_delete", .operands = "id",
	    .about = "Remove a provider and the links of users to their accounts there." },
};

static const struct stet_job jobs[] = { { "oidc_sweep", sweep_due, sweep_run } };
static const char *const needs[] = { "auth", "users", "signin", NULL };

static enum stet_status
oidc_open(struct stet_call *call, void *state)
{
	if (sodium_init() < 0)
		return stet_fault(call, "libsodium does not start");
	return discover_open(call, state);
}

STET_MODULE(oidc) = {
	STET_MODULE_HEAD(oidc),
	.version = "1.0",
	.summary = "Signing in by accounts elsewhere (OpenID Connect)",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
	.commands = STET_TABLE(commands),
	.jobs = STET_TABLE(jobs),
	.sealed = STET_TABLE(sealed),
	.state_size = sizeof(struct oidc_state),
	.open = oidc_open,
	.close = discover_close,
};
