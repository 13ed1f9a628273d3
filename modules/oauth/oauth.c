/* oauth - an authorization server (OAuth 2.1): programs act for users who have agreed to it. */
#include "clients.h"
#include <string.h>

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
	    " expires_at TEXT NOT NULL," /* that of its refresh token */
	    " family BLOB UNIQUE," /* SHA-256 of the first half of its refresh tokens */
	    " refresh BLOB," /* SHA-256 of the present refresh token */
	    " previous BLOB," /* SHA-256 of the refresh token before it */
	    " rotated_at TEXT," /* when the refresh token before was used */
	    " cnf TEXT);" /* JSON: the key that tokens are bound to (RFC 7800); not used yet */
	    "CREATE INDEX oauth_grants_user ON oauth_grants (user_id, id);"
	    "CREATE INDEX oauth_grants_client ON oauth_grants (client_id, user_id);"
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
	{ 2, "device codes",
	    "CREATE INDEX oauth_clients_created ON oauth_clients (created_at, id);"
	    "CREATE TABLE oauth_devices ("
	    " hash BLOB NOT NULL PRIMARY KEY," /* SHA-256 of the device code */
	    " user_code TEXT NOT NULL UNIQUE," /* without its hyphen */
	    " client_id TEXT NOT NULL,"
	    " client TEXT NOT NULL," /* JSON: the client at the time of the request */
	    " scopes TEXT NOT NULL,"
	    " resource TEXT,"
	    " address TEXT NOT NULL," /* where the request came from */
	    " created_at TEXT NOT NULL,"
	    " expires_at TEXT NOT NULL,"
	    " poll_interval INTEGER NOT NULL," /* seconds */
	    " polled INTEGER NOT NULL," /* time of the last poll, ms since the epoch */
	    " denied INTEGER NOT NULL,"
	    " grant_id TEXT REFERENCES oauth_grants (id) ON DELETE CASCADE);" /* NULL: none */
	    "CREATE INDEX oauth_devices_expires ON oauth_devices (expires_at);"
	    "CREATE INDEX oauth_devices_grant ON oauth_devices (grant_id);"
	    "CREATE TABLE oauth_device_tries (" /* wrong codes of a user */
	    " user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,"
	    " tries INTEGER NOT NULL,"
	    " ends_at TEXT NOT NULL);"
	    "CREATE INDEX oauth_device_tries_ends ON oauth_device_tries (ends_at);",
	    NULL },
	/* As the user has narrowed it (narrow.c). */
	{ 3, "collections and ends of grants",
	    "ALTER TABLE oauth_grants ADD COLUMN collections TEXT;"
	    "ALTER TABLE oauth_grants ADD COLUMN ends_at TEXT;",
	    .flags = STET_ADDITIVE },
	{ 4, "limits of grants", "ALTER TABLE oauth_grants ADD COLUMN limits TEXT;", /* limits.c */
	    .flags = STET_ADDITIVE },
};

/* clang-format off */
#define BODY_MAX 65536
#define PROTOCOL .flags = STET_PUBLIC | STET_FOR_ALL | STET_ANY_ORIGIN | STET_RAW | \
	STET_ANY_QUERY | STET_UNTOLD | STET_SECRET, .body_max = BODY_MAX, .answers = "application/json", \
	.refuse = oauth_refused
#define ADMIN .permission = "users:manage", .scope = "admin"
#define DOCUMENT .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT | STET_ANY_ORIGIN, \
	.lane = STET_READ, .answers = "application/json", .cached = true
#define BODY_MAX 65536
#define OWN .permission = "auth:manage_own_credentials", .scope = "admin"
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
	/* Clients of earlier revisions of the tool protocol look here. */
	{ "oauth_server_root", "Authorization Server", .about = ABOUT_SERVER,
	    .route = "GET /.well-known/oauth-authorization-server", DOCUMENT,
	    .run = server_metadata },
	{ "oauth_server_mcp", "Authorization Server", .about = ABOUT_SERVER,
	    .route = "GET /.well-known/oauth-authorization-server/_cms/api/mcp", DOCUMENT,
	    .run = server_metadata },
	{ "oauth_server_below", "Authorization Server", .about = ABOUT_SERVER,
	    .route = "GET /_cms/.well-known/oauth-authorization-server", DOCUMENT,
	    .run = server_metadata },

	{ "oauth_register", "Register Client", .about = "A client registers itself (RFC 7591).",
	    .route = "POST /oauth/register", PROTOCOL, .lane = STET_WRITE, .run = client_register },
	{ "oauth_device_code", "Get Device Code",
	    .about = "Codes for a program without a browser (RFC 8628).",
	    .route = "POST /oauth/device/code", PROTOCOL, .lane = STET_SLOW, .run = device_code },
	{ "oauth_device_token", "Poll Device Code",
	    .about = "Tokens for a device code, once a user has approved it (RFC 8628).",
	    .route = "POST /oauth/device/token", PROTOCOL, .lane = STET_WRITE,
	    .run = device_token },
	{ "oauth_device_authorize", "Approve Device",
	    .about = "Let a device in, or refuse it, by the code that it shows. Needs a session.",
	    .route = "POST /oauth/device/authorize", .flags = STET_UNTOLD, .lane = STET_SLOW,
	    .in = device_authorize_in, .out = device_authorize_out, .run = device_authorize },
	{ "oauth_device_page", "Device Page", .about = "The page on which users let devices in.",
	    .route = "GET " DEVICE_PAGE_PATH, .flags = STET_PUBLIC | STET_AT_ROOT,
	    .lane = STET_READ, .answers = "text/html text/plain", .run = device_page },
	{ "oauth_device_post", "Device Form", .about = "The form of that page.",
	    .route = "POST " DEVICE_PAGE_PATH,
	    .flags = STET_PUBLIC | STET_AT_ROOT | STET_FORM | STET_RAW | STET_UNTOLD,
	    .lane = STET_SLOW, .body_max = 65536, .answers = "text/html text/plain",
	    .run = device_post },

	{ "oauth_client_list", "List OAuth Clients", .about = "OAuth clients, newest first.",
	    .route = "GET /admin/oauth-clients", .lane = STET_READ, ADMIN, .in = clients_in,
	    .out = clients_out, .run = client_list },
	{ "oauth_client_get", "Get OAuth Client", .about = "One OAuth client by id.",
	    .route = "GET /admin/oauth-clients/:id", .lane = STET_READ, ADMIN, .in = client_by_id,
	    .out = client_out, .run = client_get },
	{ "oauth_client_create", "Add OAuth Client",
	    .about = "Enter an OAuth client that users may agree to.",
	    .route = "POST /admin/oauth-clients", .flags = STET_CREATED | STET_RECENT,
	    .lane = STET_WRITE, ADMIN, .in = client_in, .out = client_out, .run = client_create },
	{ "oauth_client_update", "Change OAuth Client",
	    .about = "Change an OAuth client; what is omitted stays.",
	    .route = "PUT /admin/oauth-clients/:id", .flags = STET_RECENT, .lane = STET_WRITE,
	    ADMIN, .in = client_change_in, .out = client_out, .run = client_update },
	{ "oauth_client_delete", "Delete OAuth Client",
	    .about = "Delete an OAuth client with all that users have granted it.",
	    .route = "DELETE /admin/oauth-clients/:id", .flags = STET_DESTRUCTIVE | STET_RECENT,
	    .lane = STET_WRITE, ADMIN, .in = client_by_id, .out = client_deleted_out,
	    .run = client_delete },

	{ "oauth_authorize", "Authorize",
	    .about = "The page on which a user agrees (RFC 6749 4.1.1).",
	    .route = "GET " AUTHORIZE_PATH, .flags = STET_PUBLIC | STET_AT_ROOT | STET_SECRET,
	    .lane = STET_SLOW, /* the metadata of the client may have to be fetched */
	    .answers = "text/html text/plain", .run = authorize_show },
	{ "oauth_consent", "Consent", .about = "The user's decision on that page.",
	    .route = "POST " AUTHORIZE_PATH, .body_max = BODY_MAX,
	    .flags = STET_PUBLIC | STET_AT_ROOT | STET_SECRET | STET_RAW | STET_FORM | STET_UNTOLD,
	    .lane = STET_SLOW, .answers = "text/html text/plain", .run = authorize_decide },
	{ "oauth_token", "Token", .about = "Codes and refresh tokens for access tokens (RFC 6749).",
	    .route = "POST /oauth/token", PROTOCOL, .lane = STET_WRITE, .run = oauth_token },
	{ "oauth_token_refresh", "Refresh Token",
	    .about = "A refresh token for an access token, in the envelope as well.",
	    .route = "POST /oauth/token/refresh", PROTOCOL, .lane = STET_WRITE,
	    .run = oauth_token_refresh },
	{ "oauth_token_revoke", "Revoke Token", .about = "End a token (RFC 7009).",
	    .route = "POST /oauth/token/revoke", PROTOCOL, .lane = STET_WRITE,
	    .run = oauth_token_revoke },
	{ "grant_list", "List Grants", .about = "The programs that act for oneself, newest first.",
	    .route = "GET /auth/grants", .lane = STET_READ, OWN, .out = grants_out,
	    .run = grants_list },
	{ "grant_end", "Withdraw Grant",
	    .about = "Withdraw what a program was allowed, and all its tokens.",
	    .route = "DELETE /auth/grants/:id", .flags = STET_DESTRUCTIVE, .lane = STET_WRITE, OWN,
	    .in = grant_by_id, .out = grant_ended_out, .run = grants_end },
	{ "grant_limit", "Limit Grant",
	    .about =
		"Set how much a program may do: calls a minute, writes an hour, calls in a batch, "
		"deletions a day. A program cannot change its own limits.",
	    .route = "PUT /auth/grants/:id", .flags = STET_IDEMPOTENT, .lane = STET_WRITE, OWN,
	    .in = limits_in, .out = limits_set_out, .run = limits_set },
	{ "oauth_apps", "Programs with Access", .about = "The same list as a page.",
	    .route = "GET " APPS_PATH, .flags = STET_PUBLIC | STET_AT_ROOT | STET_SECRET,
	    .lane = STET_READ, .answers = "text/html text/plain", .run = apps_show },
	{ "oauth_apps_end", "Withdraw Access", .about = "A button of that page.",
	    .route = "POST " APPS_PATH, .body_max = BODY_MAX,
	    .flags = STET_PUBLIC | STET_AT_ROOT | STET_SECRET | STET_RAW | STET_FORM,
	    .lane = STET_WRITE, .answers = "text/plain", .run = apps_end },
};

#define ORDER_BEARER 10 /* below 100 (modules/auth/README) */

/* Ends all grants of a user who is disabled or enabled again: no program may act for them once they
 * are back. */
static enum stet_status
user_changed(struct stet_call *call, struct stet_tx *tx, const char *user_id, const char *change)
{
	if (strcmp(change, "disable") != 0 && strcmp(change, "enable") != 0)
		return STET_OK;
	return stet_exec(
	    call, tx, "DELETE FROM oauth_grants WHERE user_id = ?1", STET_ARGS(user_id));
}

static const struct stet_hook hooks[] = {
	STET_ON(request_authenticate, ORDER_BEARER, bearer_authenticate),
	STET_ON(user_changed, 0, user_changed),
};

static const struct stet_setting_def settings[] = {
	{ { ACCESS_MINUTES, STET_INTEGER, STET_BOUNDED,
	    "Minutes after which an access token of OAuth expires", STET_RANGE(1, 1440),
	    .fallback = "60" } },
	{ { REFRESH_DAYS, STET_INTEGER, STET_BOUNDED,
	    "Days after which a refresh token of OAuth expires that is not used",
	    STET_RANGE(1, 365), .fallback = "90" } },
	{ { CODE_MINUTES, STET_INTEGER, STET_BOUNDED,
	    "Minutes after which an authorization code of OAuth expires", STET_RANGE(1, 10),
	    .fallback = "10" } },
	{ { DEVICE_MINUTES, STET_INTEGER, STET_BOUNDED,
	    "Minutes after which the codes of the device flow expire", STET_RANGE(5, 60),
	    .fallback = "15" } },
	{ { LIMIT_CALLS, STET_INTEGER, STET_BOUNDED,
	    "Calls a minute of a program that acts for a user; 0: any number",
	    STET_RANGE(0, LIMIT_MOST), .fallback = "0" } },
	{ { LIMIT_WRITES, STET_INTEGER, STET_BOUNDED,
	    "Writes an hour of a program that acts for a user; 0: any number",
	    STET_RANGE(0, LIMIT_MOST), .fallback = "1000" } },
	{ { LIMIT_ITEMS, STET_INTEGER, STET_BOUNDED,
	    "Calls in a batch of a program that acts for a user; 0: any number",
	    STET_RANGE(0, LIMIT_MOST), .fallback = "0" } },
	{ { LIMIT_DELETIONS, STET_INTEGER, STET_BOUNDED,
	    "Deletions a day of a program that acts for a user; 0: any number",
	    STET_RANGE(0, LIMIT_MOST), .fallback = "100" } },
	{ { REGISTRATION, STET_BOOLEAN, 0, "Whether OAuth clients may register themselves",
	    .fallback = "true" } },
};

/* The module signin declares INVALID_CODE; users enter codes in a session, so signin is loaded. */
static const struct stet_status_def statuses[] = {
	{ "EXPIRED_CODE", 400, "The code has expired" },
	{ "INSUFFICIENT_ROLE", 403, "The role supports none of the requested scopes" },
};

static const struct stet_job jobs[] = {
	{ "oauth_clients", clients_due, clients_sweep },
	{ "oauth_sweep", sweep_due, sweep_run },
	{ USED_JOB, used_due, used_write, STET_JOB_EVERYWHERE },
};

static enum stet_status
oauth_open(struct stet_call *call, void *state)
{
	struct oauth_state *s = state;

	if (sodium_init() < 0)
		return stet_fault(call, "libsodium does not start");
	if ((s->used = stet_usage_new()) == NULL)
		return stet_fault(call, "no memory for the use of grants");
	s->documents = documents_new();
	return STET_OK;
}

static void
oauth_close(void *state)
{
	struct oauth_state *s = state;

	stet_usage_free(s->used);
	documents_free(s->documents);
}

static const struct stet_service_def services[] = { STET_SERVICE(STET_OAUTH_1, apps_service) };
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
	.jobs = STET_TABLE(jobs),
	.services = STET_TABLE(services),
	.statuses = STET_TABLE(statuses),
	.state_size = sizeof(struct oauth_state),
	.open = oauth_open,
	.close = oauth_close,
	.hooks = STET_TABLE(hooks),
};
