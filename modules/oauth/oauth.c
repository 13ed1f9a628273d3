/* oauth - an authorization server (OAuth 2.1): programs act for users who have agreed to it. */
#include "oauth.h"

static const struct stet_migration migrations[] = {
	{ 1, "clients, grants, codes and tokens",
	    "CREATE TABLE oauth_clients ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " kind TEXT NOT NULL," /* CLIENT_... */
	    " name TEXT NOT NULL,"
	    " redirect_uris TEXT NOT NULL," /* JSON array */
	    " scopes TEXT," /* space separated; NULL: not limited */
	    " metadata TEXT," /* JSON: what the client said of itself */
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL,"
	    " used_at TEXT);" /* when a user last agreed to it */
	    "CREATE INDEX oauth_clients_kind ON oauth_clients (kind, created_at, id);"
	    "CREATE TABLE oauth_grants ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
	    " client_id TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,"
	    " scopes TEXT NOT NULL," /* space separated */
	    " resource TEXT," /* NULL: the whole API */
	    " created_at TEXT NOT NULL,"
	    " used_at TEXT NOT NULL,"
	    " expires_at TEXT NOT NULL," /* with its refresh token */
	    " family BLOB UNIQUE," /* SHA-256 of the first half of its refresh tokens */
	    " refresh BLOB," /* SHA-256 of the present refresh token */
	    " previous BLOB," /* of the one before */
	    " rotated_at TEXT," /* when that was used */
	    " cnf TEXT);" /* JSON: the key that tokens are bound to (RFC 7800); not used yet */
	    "CREATE INDEX oauth_grants_user ON oauth_grants (user_id, client_id, id);"
	    "CREATE INDEX oauth_grants_client ON oauth_grants (client_id, id);"
	    "CREATE INDEX oauth_grants_expires ON oauth_grants (expires_at);"
	    "CREATE TABLE oauth_codes ("
	    " hash BLOB NOT NULL PRIMARY KEY,"
	    " grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,"
	    " redirect_uri TEXT NOT NULL,"
	    " challenge TEXT NOT NULL," /* S256 */
	    " expires_at TEXT NOT NULL,"
	    " used_at TEXT);"
	    "CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);"
	    "CREATE INDEX oauth_codes_expires ON oauth_codes (expires_at);"
	    "CREATE TABLE oauth_tokens (" /* access tokens */
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " hash BLOB NOT NULL UNIQUE," /* SHA-256 of the whole token */
	    " grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,"
	    " scopes TEXT NOT NULL,"
	    " resource TEXT,"
	    " created_at TEXT NOT NULL,"
	    " expires_at TEXT NOT NULL);"
	    "CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id, id);"
	    "CREATE INDEX oauth_tokens_expires ON oauth_tokens (expires_at);",
	    NULL },
};

/* clang-format off */
#define DOCUMENT .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT | STET_ANY_ORIGIN, \
	.lane = STET_READ, .answers = "application/json", .cached = true
/* clang-format on */
#define ABOUT_RESOURCE "Which authorization server protects the tool server (RFC 9728)."
#define ABOUT_SERVER "What the authorization server can do (RFC 8414)."
static const struct stet_op ops[] = {
	{ "oauth_resource", "Protected Resource", .about = ABOUT_RESOURCE,
	    .route = "GET /.well-known/oauth-protected-resource", DOCUMENT,
	    .run = resource_metadata },
	{ "oauth_resource_mcp", "Protected Resource", .about = ABOUT_RESOURCE,
	    .route = "GET /.well-known/oauth-protected-resource/_cms/api/mcp", DOCUMENT,
	    .run = resource_metadata },
	{ "oauth_server", "Authorization Server", .about = ABOUT_SERVER,
	    .route = "GET /.well-known/oauth-authorization-server/_cms", DOCUMENT,
	    .run = server_metadata },
	/* Where clients look that follow earlier revisions of the tool protocol. */
	{ "oauth_server_root", "Authorization Server", .about = ABOUT_SERVER,
	    .route = "GET /.well-known/oauth-authorization-server", DOCUMENT,
	    .run = server_metadata },
	{ "oauth_server_mcp", "Authorization Server", .about = ABOUT_SERVER,
	    .route = "GET /.well-known/oauth-authorization-server/_cms/api/mcp", DOCUMENT,
	    .run = server_metadata },
	{ "oauth_server_below", "Authorization Server", .about = ABOUT_SERVER,
	    .route = "GET /_cms/.well-known/oauth-authorization-server", DOCUMENT,
	    .run = server_metadata },
};

static const struct stet_setting_def settings[] = {
	{ { ACCESS_MINUTES, STET_INTEGER, STET_BOUNDED,
	    "Minutes after which an access token of OAuth expires", STET_RANGE(1, 1440),
	    .fallback = "60" } },
	{ { REFRESH_DAYS, STET_INTEGER, STET_BOUNDED,
	    "Days after which a refresh token of OAuth expires that is not used",
	    STET_RANGE(1, 365), .fallback = "90" } },
};

static enum stet_status
oauth_open(struct stet_call *call, void *state)
{
	(void)state;
	if (sodium_init() < 0)
		return stet_fault(call, "libsodium does not start");
	return STET_OK;
}

static const char *const needs[] = { "auth", NULL };

STET_MODULE(oauth) = {
	STET_MODULE_HEAD(oauth),
	.version = "1.0",
	.summary = "Authorization server: programs act for users who agree (OAuth 2.1)",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
	.settings = STET_TABLE(settings),
	.state_size = sizeof(struct oauth_state),
	.open = oauth_open,
};
