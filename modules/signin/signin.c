/* signin - sign-in and sessions: one-time links, passkeys, recovery codes, invitations, setup. */
#include "page.h"
#include "passkey.h"
#include <stet/mail.h>
#include <string.h>

#define ORDER_SESSION 200 /* after all hooks for bearer tokens (modules/auth/README) */

/* A disabled user's sessions are refused while the user is disabled, and are deleted when the user
 * is enabled again. Mailed links end when the user is disabled or enabled or has a new address.
 * Invitations end when their inviter no longer has the right to make them. */
static enum stet_status
user_changed(struct stet_call *call, struct stet_tx *tx, const char *user_id, const char *change)
{
	bool enable = strcmp(change, "enable") == 0, disable = strcmp(change, "disable") == 0;

	if (disable || strcmp(change, "role") == 0)
		STET_TRY(invite_withdraw_of(call, tx, user_id));
	if (enable)
		STET_TRY(session_end_user(call, tx, user_id));
	if (!enable && !disable && strcmp(change, "address") != 0)
		return STET_OK;
	STET_TRY(link_drop(call, tx, LINK_MAGIC, user_id, NULL));
	return link_drop(call, tx, LINK_RECOVER, user_id, NULL);
}

static const struct stet_hook hooks[] = {
	STET_ON(request_authenticate, ORDER_SESSION, session_authenticate),
	STET_ON(user_changed, 0, user_changed),
};

static const struct stet_migration migrations[] = {
	{ 1, "sessions and links",
	    "CREATE TABLE sessions ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " hash BLOB NOT NULL UNIQUE," /* SHA-256 of the token in the cookie */
	    " user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
	    " method TEXT NOT NULL," /* how the user signed in: METHOD_... */
	    " credential_id TEXT," /* the passkey; the session ends with it */
	    " agent TEXT NOT NULL,"
	    " address TEXT NOT NULL,"
	    " created_at TEXT NOT NULL,"
	    " seen_at TEXT NOT NULL,"
	    " ends_at TEXT NOT NULL," /* if not used again; at most expires_at */
	    " expires_at TEXT NOT NULL);"
	    "CREATE INDEX sessions_user ON sessions (user_id, id);"
	    "CREATE INDEX sessions_ends ON sessions (ends_at);"
	    "CREATE INDEX sessions_credential ON sessions (credential_id);"
	    "CREATE TABLE signin_links ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " hash BLOB NOT NULL UNIQUE," /* SHA-256 of the token */
	    " kind TEXT NOT NULL," /* LINK_... */
	    " user_id TEXT REFERENCES users (id) ON DELETE CASCADE,"
	    " email TEXT," /* lower case */
	    " role INTEGER,"
	    " inviter TEXT,"
	    " created_at TEXT NOT NULL,"
	    " expires_at TEXT NOT NULL);"
	    "CREATE INDEX signin_links_user ON signin_links (user_id, kind);"
	    "CREATE INDEX signin_links_kind ON signin_links (kind, id);"
	    "CREATE INDEX signin_links_email ON signin_links (email, kind);"
	    "CREATE INDEX signin_links_expires ON signin_links (expires_at);"
	    "CREATE TABLE recovery_codes ("
	    " hash BLOB NOT NULL PRIMARY KEY," /* SHA-256 of the user's id and the code */
	    " user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
	    " created_at TEXT NOT NULL);"
	    "CREATE INDEX recovery_codes_user ON recovery_codes (user_id);",
	    NULL },
	{ 2, "passkeys", PASSKEY_MIGRATION, NULL },
	{ 3, "passkeys that verify their user", PASSKEY_VERIFIED_MIGRATION, NULL },
	{ 4, "requests for links", ASK_MIGRATION, NULL },
};

/* clang-format off */
#define PAGE(flags_) \
	.flags = STET_PUBLIC | STET_AT_ROOT | (flags_), .lane = STET_READ, \
	.answers = "text/html text/plain"
#define OWN .permission = "auth:manage_own_credentials", .scope = "admin"
#define INVITES .permission = "users:manage", .scope = "admin"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "magic_link_verify", "Sign In by Link",
	    .about = "Use a one-time link: answers with a cookie, and redirects to a path of this"
		     " site, or to the sign-in page, which says what is wrong.",
	    .route = "GET /auth/magic-link/verify",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_ANY_QUERY | STET_SECRET | STET_UNTOLD,
	    .lane = STET_WRITE, .in = magic_in, .answers = "text/plain", .run = magic_verify },
	{ "magic_link_use", "Use a Link", .about = "Use a one-time link: answers with a cookie.",
	    .route = "POST /auth/magic-link/verify",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET | STET_UNTOLD, .lane = STET_WRITE,
	    .in = magic_use_in, .out = signin_out, .run = magic_use },
	{ "magic_link_send", "Send a Link",
	    .about = "Mail a link that signs in once, and soon (linkMinutes), if a user has this"
		     " address. The answer is the same if nobody has.",
	    .route = "POST /auth/magic-link/send",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_UNTOLD, .lane = STET_WRITE, .in = send_in,
	    .out = send_out, .run = magic_send },
	{ "invite_create", "Invite",
	    .about =
		"Invite somebody by mail, for some days (inviteDays). Replaces an earlier invitation to the"
		" same address. If the site cannot send mail, the answer has the link, once.",
	    .route = "POST /auth/invite", .flags = STET_SECRET | STET_RECENT, .lane = STET_WRITE,
	    INVITES, .in = invite_in, .out = invite_out, .run = invite_make,
	    .fault = "INVITE_CREATE_ERROR" },
	{ "invite_list", "List Invitations", .about = "Open invitations, newest first.",
	    .route = "GET /auth/invite", .lane = STET_READ, INVITES, .out = invite_list_out,
	    .run = invite_list },
	{ "invite_withdraw", "Withdraw Invitation", .about = "Make the link of it useless.",
	    .route = "DELETE /auth/invite/:id", .flags = STET_DESTRUCTIVE, .lane = STET_WRITE,
	    INVITES, .in = invite_by_id, .out = done_out, .run = invite_withdraw },
	{ "invite_accept", "Look at Invitation",
	    .about = "What a link invites to. It stays usable.", .route = "GET /auth/invite/accept",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_ANY_QUERY | STET_SECRET, .lane = STET_READ,
	    .in = invite_accept_in, .out = invite_accept_out, .run = invite_accept,
	    .fault = "INVITE_VALIDATE_ERROR" },
	{ "invite_options", "Options for Invited Passkey",
	    .about = "Options for the passkey of somebody who is invited. The link stays usable.",
	    .route = "POST /auth/invite/register-options",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET, .lane = STET_READ,
	    .in = invite_options_in, .out = invite_options_out, .run = invite_options },
	{ "invite_complete", "Accept Invitation",
	    .about =
		"Use the link: adds the user, with a passkey or (if the site can send mail) without,"
		" and answers with a cookie.",
	    .route = "POST /auth/invite/complete",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET, .lane = STET_SLOW,
	    .in = invite_complete_in, .out = signin_out, .run = invite_complete,
	    .fault = "INVITE_COMPLETE_ERROR" },
	{ "logout", "Sign Out", .about = "End the session of this request.",
	    .route = "POST /auth/logout", .flags = STET_BODY_OPTIONAL, .lane = STET_WRITE,
	    .scope = "admin", .out = done_out, .run = session_logout },
	{ "session_list", "List Sessions", .about = "One's own sessions, newest first.",
	    .route = "GET /auth/sessions", .lane = STET_READ, OWN, .out = session_list_out,
	    .run = session_list },
	{ "session_end", "End Session", .about = "End a session of one's own.",
	    .route = "DELETE /auth/sessions/:id", .flags = STET_DESTRUCTIVE, .lane = STET_WRITE,
	    OWN, .in = session_by_id, .out = done_out, .run = session_end },
	{ "session_end_others", "End Other Sessions",
	    .about = "End all of one's sessions but that of this request.",
	    .route = "DELETE /auth/sessions", .flags = STET_DESTRUCTIVE, .lane = STET_WRITE, OWN,
	    .out = done_out, .run = session_end_others },
	{ "recovery_codes_make", "Make Recovery Codes",
	    .about =
		"Make ten recovery codes of one's own, in place of earlier ones. They are shown"
		" this once; each signs in once.",
	    .route = "POST /auth/recovery-codes",
	    .flags = STET_CREATED | STET_SECRET | STET_RECENT | STET_BODY_OPTIONAL,
	    .lane = STET_WRITE, OWN, .out = codes_out, .run = codes_make },
	{ "recovery_codes_count", "Count Recovery Codes",
	    .about = "How many recovery codes one has left.", .route = "GET /auth/recovery-codes",
	    .lane = STET_READ, OWN, .out = codes_count_out, .run = codes_count },
	{ "recovery_code_use", "Use Recovery Code",
	    .about = "Sign in with an address and a recovery code: answers with a cookie.",
	    .route = "POST /auth/recovery-codes/use",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET | STET_UNTOLD, .lane = STET_WRITE,
	    .in = codes_use_in, .out = signin_out, .run = codes_use },
	{ "setup_status", "Setup Status", .about = "Whether the site has an administrator yet.",
	    .route = "GET /setup/status", .flags = STET_PUBLIC | STET_FOR_ALL, .lane = STET_READ,
	    .out = setup_status_out, .run = setup_status, .fault = "SETUP_STATUS_ERROR" },
	{ "setup_site", "Set Up Site",
	    .about = "Give a new site its title. Only with the token of the setup link.",
	    .route = "POST /setup", .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET,
	    .lane = STET_WRITE, .in = setup_site_in, .out = setup_site_out, .run = setup_site,
	    .fault = "SETUP_ERROR" },
	{ "setup_admin", "Begin First Administrator",
	    .about =
		"Options for the passkey of the first administrator. Only with the token of the"
		" setup link.",
	    .route = "POST /setup/admin", .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET,
	    .lane = STET_READ, .in = founder_options_in, .out = founder_options_out,
	    .run = founder_options, .fault = "SETUP_ADMIN_ERROR" },
	{ "setup_admin_verify", "Add First Administrator",
	    .about = "Add the first administrator with a passkey, and sign them in.",
	    .route = "POST /setup/admin/verify", .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET,
	    .lane = STET_SLOW, .in = founder_in, .out = signin_out, .body_max = PASSKEY_BODY_MAX,
	    .run = founder_add, .fault = "SETUP_VERIFY_ERROR" },
	{ "setup_link", "Setup Link",
	    .about = "The link that makes the first administrator of a new site.",
	    .flags = STET_SECRET, .lane = STET_READ, .permission = "users:manage", .scope = "admin",
	    .out = setup_link_out, .run = setup_link },
	{ "passkey_options", "Begin Passkey Sign-In",
	    .about =
		"Options for signing in with a passkey. They are the same for everybody and name"
		" no credential: the authenticator knows its own.",
	    .route = "POST /auth/passkey/options",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_BODY_OPTIONAL | STET_SECRET,
	    .lane = STET_READ, .in = passkey_options_in, .out = passkey_options_out,
	    .run = passkey_options, .fault = "PASSKEY_OPTIONS_ERROR" },
	{ "passkey_verify", "Sign In with Passkey",
	    .about = "Verify the assertion of a passkey: answers with a cookie.",
	    .route = "POST /auth/passkey/verify",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_SECRET | STET_UNTOLD, .lane = STET_SLOW,
	    .in = passkey_verify_in, .out = signin_out, .run = passkey_verify,
	    .body_max = PASSKEY_BODY_MAX, .fault = "PASSKEY_VERIFY_ERROR" },
	{ "passkey_list", "List Passkeys", .about = "One's own passkeys, oldest first.",
	    .route = "GET /auth/passkey", .lane = STET_READ, OWN, .out = passkey_list_out,
	    .run = passkey_list },
	{ "passkey_register_options", "Begin Passkey Registration",
	    .about = "Options for making a passkey of one's own.",
	    .route = "POST /auth/passkey/register/options",
	    .flags = STET_BODY_OPTIONAL | STET_SECRET | STET_RECENT, .lane = STET_READ, OWN,
	    .in = passkey_add_options_in, .out = passkey_add_options_out,
	    .run = passkey_add_options, .fault = "PASSKEY_REGISTER_ERROR" },
	{ "passkey_register", "Register Passkey", .about = "Add a passkey of one's own.",
	    .route = "POST /auth/passkey/register/verify", .flags = STET_RECENT, .lane = STET_SLOW,
	    OWN, .in = passkey_add_in, .out = passkey_one_out, .run = passkey_add,
	    .body_max = PASSKEY_BODY_MAX, .fault = "PASSKEY_REGISTER_ERROR" },
	{ "passkey_rename", "Rename Passkey", .about = "Name a passkey of one's own.",
	    .route = "PATCH /auth/passkey/:id", .lane = STET_WRITE, OWN, .in = passkey_rename_in,
	    .out = passkey_one_out, .run = passkey_rename },
	{ "passkey_delete", "Delete Passkey",
	    .about = "Delete a passkey of one's own, unless it is the last one. Sessions that it"
		     " has started end.",
	    .route = "DELETE /auth/passkey/:id", .flags = STET_DESTRUCTIVE, .lane = STET_WRITE, OWN,
	    .in = passkey_by_id, .out = done_out, .run = passkey_delete },
	{ "page_signin", "Sign-In Page", .about = "The page where people sign in.",
	    .route = "GET " PAGE_SIGNIN, PAGE(STET_FOR_ALL), .in = page_in, .run = page_signin },
	{ "page_link", "Link Page",
	    .about = "Where one-time links lead to. Its button uses the link; loading it does not.",
	    .route = "GET " PAGE_LANDING, PAGE(STET_FOR_ALL), .in = page_in, .run = page_link },
	{ "page_setup", "Setup Page", .about = "Where the setup link leads to.",
	    .route = "GET /_cms/setup", PAGE(STET_FOR_ALL), .in = page_in, .run = page_setup },
	{ "page_invite", "Invitation Page", .about = "Where the link of an invitation leads to.",
	    .route = "GET /_cms/invite", PAGE(STET_FOR_ALL), .in = page_in, .run = page_invite },
	{ "page_account", "Account Page",
	    .about = "One's own passkeys, sessions, recovery codes and tokens.",
	    .route = "GET " PAGE_ACCOUNT, PAGE(0), .in = page_in, .run = page_account },
	{ "page_style", "Style of Pages", .about = "The style of the pages.",
	    .route = "GET " PAGE_STYLE, .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT,
	    .lane = STET_READ, .answers = "text/css", .run = page_style },
	{ "page_script", "Script of Pages", .about = "The script of the pages.",
	    .route = "GET " PAGE_SCRIPT, .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT,
	    .lane = STET_READ, .answers = "text/javascript", .run = page_script },
	{ "user_recover", "Recover User",
	    .about = "Make a link that signs a user in once, and soon (linkMinutes). It replaces an"
		     " earlier one.",
	    .flags = STET_SECRET, .lane = STET_WRITE, .permission = "users:manage",
	    .scope = "admin", .in = recover_in, .out = recover_out, .run = recover_make },
};

static const struct stet_command commands[] = {
	{ "setup-link", "setup_link", .print = "url", .at_init = true,
	    .about = "Print the link that makes the first administrator of a new site." },
	{ "user recover", "user_recover", .operands = "email", .print = "url",
	    .about = "Print a link that signs a user in once, and soon (linkMinutes)." },
};

static const struct stet_setting_def settings[] = {
	{ { "sessionIdleDays", STET_INTEGER, STET_BOUNDED,
	    "Days after which a session ends that is not used", STET_RANGE(1, 365),
	    .fallback = "14" } },
	{ { MINUTES_OF_LINKS, STET_INTEGER, STET_BOUNDED,
	    "Minutes after which a link expires that signs in once", STET_RANGE(5, 60),
	    .fallback = "15" } },
	{ { DAYS_OF_INVITES, STET_INTEGER, STET_BOUNDED, "Days after which an invitation expires",
	    STET_RANGE(1, 30), .fallback = "7" } },
	{ { LINKS_BESIDE_PASSKEYS, STET_BOOLEAN, 0,
	    "Whether users who have a passkey may sign in by a mailed link as well",
	    .fallback = "true" } },
	{ { HTTP_IN_LAN, STET_BOOLEAN, 0,
	    "Whether people may sign in at an address of the local network by http, where every"
	    " machine of the network can read the session and act as them",
	    .fallback = "false" } },
	{ { "sessionDays", STET_INTEGER, STET_BOUNDED,
	    "Days after which a session ends, used or not", STET_RANGE(1, 365),
	    .fallback = "90" } },
};

static const struct stet_status_def statuses[] = {
	{ "ACCOUNT_DISABLED", 403, "The account is disabled" },
	{ "INVALID_TOKEN", 404, "The link is not valid" },
	{ "INVALID_CODE", 400, "The address or the code is wrong" },
	{ "INVITE_CREATE_ERROR", 500, "Failed to invite" },
	{ "INVITE_VALIDATE_ERROR", 500, "Failed to read the invitation" },
	{ "INVITE_COMPLETE_ERROR", 500, "Failed to accept the invitation" },
	{ "TOKEN_EXPIRED", 410, "The link has expired" },
	{ "ALREADY_CONFIGURED", 409, "The site is set up already" },
	{ "SETUP_COMPLETE", 400, "The site is set up already" },
	{ "SETUP_STATUS_ERROR", 500, "Failed to read what is set up" },
	{ "SETUP_ADMIN_ERROR", 500, "Failed to begin the first administrator" },
	{ "SETUP_VERIFY_ERROR", 500, "Failed to add the first administrator" },
	{ "SETUP_ERROR", 500, "Failed to set the site up" },
	{ "CHALLENGE_EXPIRED", 400, "The challenge has expired" },
	{ "CREDENTIAL_EXISTS", 400, "This passkey is registered already" },
	{ "LAST_PASSKEY", 400, "The last passkey cannot be deleted" },
	{ "PASSKEY_LIMIT", 400, "There are too many passkeys" },
	{ "PASSKEY_OPTIONS_ERROR", 500, "Failed to make passkey options" },
	{ "PASSKEY_REGISTER_ERROR", 500, "Failed to register the passkey" },
	{ "PASSKEY_REJECTED", 400, "The passkey cannot be registered" },
	{ "PASSKEY_VERIFY_ERROR", 500, "Failed to verify the passkey" },
};

static const struct stet_job jobs[] = {
	{ SEEN_JOB, session_seen_due, session_seen_write, STET_JOB_EVERYWHERE },
	{ ASK_JOB, ask_due, ask_run },
	{ "signin_sweep", sweep_due, sweep_run },
	{ EVENT_JOB, event_due, event_run, STET_JOB_EVERYWHERE },
	{ TELL_JOB, setup_tell_due, setup_tell },
};

static const struct stet_check checks[] = { { "origin", look_origin } };

static const struct stet_mail_def mails[] = {
	{ MAIL_MAGIC, mail_magic },
	{ MAIL_INVITE, mail_invite },
};

static const struct stet_signin_1 service = {
	.begin = session_begin,
	.start = session_start_other,
	.finish = session_finish_other,
	.check_source = cookie_check_source,
};
static const struct stet_service_def services[] = { STET_SERVICE(STET_SIGNIN_1, service) };

static enum stet_status
signin_open(struct stet_call *call, void *state)
{
	struct signin_state *s = state;

	if (sodium_init() < 0)
		return stet_fault(call, "libsodium does not start");
	if ((s->seen = stet_usage_new()) == NULL || (s->events = events_new()) == NULL)
		return stet_fault(call, "no memory for the state of signin");
	return STET_OK;
}

static void
signin_close(void *state)
{
	struct signin_state *s = state;

	stet_usage_free(s->seen);
	events_free(s->events);
}

static const char *const needs[] = { "auth", "users", NULL };

STET_MODULE(signin) = {
	STET_MODULE_HEAD(signin),
	.version = "1.0",
	.summary = "Signing in: sessions, one-time links, passkeys, setup",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.commands = STET_TABLE(commands),
	.settings = STET_TABLE(settings),
	.services = STET_TABLE(services),
	.jobs = STET_TABLE(jobs),
	.checks = STET_TABLE(checks),

	.mails = STET_TABLE(mails),
	.statuses = STET_TABLE(statuses),
	.state_size = sizeof(struct signin_state),
	.open = signin_open,
	.close = signin_close,
};
