/*
 * invite.c - invitations: administrators make, list and withdraw them; whoever has the link becomes
 * a user.
 *
 * If mail is configured, the token exists only in the mail, and using it shows that the address is
 * the user's own. If not, the inviter sees the link once and passes it on; the new user's address
 * is then not verified.
 */
#include "passkey.h"
#include <stet/mail.h>
#include <stet/settings.h>
#include <stet/users.h>
#include <string.h>

#define OPEN_MAX 500 /* invitations of a site */
#define DEFAULT_ROLE 30
#define PASSKEY_NAME "Initial passkey"
#define TRIES 30 /* tries from one address in TRIES_SECONDS */
#define TRIES_SECONDS 300

/* ---- making one ---- */

const struct stet_member invite_in[] = {
	{ "email", STET_STRING, STET_REQUIRED, .about = "Whom to invite",
	    STET_RANGE(1, STET_MAIL_ADDRESS_MAX) },
	{ "role", STET_INTEGER, .about = "10, 20, 30 (unless given), 40 or 50; at most one's own",
	    STET_RANGE(10, ROLE_ADMIN) },
	{ 0 },
};
const struct stet_member invite_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ "inviteUrl", STET_STRING,
	    .about = "The link, shown this once, if the site cannot send mail" },
	{ 0 },
};

static enum stet_status
check_role(struct stet_call *call, int64_t role)
{
	const struct stet_principal *p = stet_principal(call);

	if (role % 10 != 0)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "role", "is none of 10, 20, 30, 40 and 50");
	if (*p->id != '\0' && role > p->role)
		return stet_fail(
		    call, STET_FORBIDDEN, "role", "Nobody may invite with a role above their own");
	return STET_OK;
}

static enum stet_status
check_new(struct stet_call *call, const char *email)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const char *id;

	STET_TRY(users->find(call, email, &id));
	if (id != NULL)
		return stet_fail(call, stet_code(call, "USER_EXISTS"), "email",
		    "A user with this address exists");
	return STET_OK;
}

static enum stet_status
check_room(struct stet_call *call)
{
	struct stet_rows rows;
	int64_t count;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COUNT(*) FROM (SELECT 1 FROM signin_links WHERE kind IN (?1, ?2) LIMIT ?3)"
	    " AS few",
	    STET_ARGS(LINK_INVITE, LINK_HANDED, OPEN_MAX)));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= OPEN_MAX)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "%d invitations are open: withdraw some first", OPEN_MAX);
	return STET_OK;
}

static enum stet_status
ask_for_mail(struct stet_call *call, struct stet_tx *tx, const struct link *link)
{
	json_t *values = json_pack(
	    "{s:s,s:I}", "invite", link->id, "days", (json_int_t)(link->lifetime / LINK_DAY));
	enum stet_status status;

	if (values == NULL)
		return stet_fault(call, "no memory for a mail");
	status = stet_mail(call, tx,
	    &(struct stet_mail){ .name = MAIL_INVITE, .to = link->email, .values = values });
	json_decref(values);
	return status;
}

/* Sets *may if the inviter still has the right to make this invitation. Invitations made by a
 * command have no inviter and stay valid. */
static enum stet_status
still_given(struct stet_call *call, const char *inviter, int role, bool *may)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	int now;

	*may = inviter == NULL;
	if (inviter == NULL)
		return STET_OK;
	STET_TRY(users->role(call, inviter, &now));
	*may = now >= role && stet_role_may(call, now, "users:manage");
	return STET_OK;
}

enum stet_status
invite_judge(struct stet_call *call, const struct link *link)
{
	bool may;

	STET_TRY(still_given(call, link->inviter, link->role, &may));
	return may ? STET_OK
		   : stet_fail(call, stet_code(call, "INVALID_TOKEN"), NULL,
			 "Whoever made this invitation may not invite any more: ask for another");
}

enum stet_status
invite_withdraw_of(struct stet_call *call, struct stet_tx *tx, const char *inviter)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	int role;

	STET_TRY(users->role(call, inviter, &role));
	if (!stet_role_may(call, role, "users:manage"))
		role = 0;
	return stet_exec(call, tx,
	    "DELETE FROM signin_links WHERE kind IN (?1, ?2) AND inviter = ?3 AND role > ?4",
	    STET_ARGS(LINK_INVITE, LINK_HANDED, inviter, role));
}

/* Replaces earlier invitations of the address. If there is a mail, this token is given to nobody:
 * the mail's token replaces it. */
static enum stet_status
make_one(struct stet_call *call, const struct link *link, char token[SECRET_LEN + 1])
{
	struct stet_tx *tx = stet_write_tx(call);

	STET_TRY(link_drop(call, tx, LINK_INVITE, NULL, link->email));
	STET_TRY(link_drop(call, tx, LINK_HANDED, NULL, link->email));
	STET_TRY(check_room(call));
	secret_make(token);
	return link_make(call, tx, link, token);
}

enum stet_status
invite_make(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	int64_t given = stet_arg_int(call, "role"), role = given != 0 ? given : DEFAULT_ROLE;
	bool mail = stet_mail_configured(call);
	struct link link = { .id = stet_id(call),
		.kind = mail ? LINK_INVITE : LINK_HANDED,
		.role = (int)role,
		.lifetime = json_integer_value(stet_setting(call, DAYS_OF_INVITES)) * LINK_DAY,
		.inviter = *p->id != '\0' ? p->id : NULL };
	char token[SECRET_LEN + 1];
	const char *url = NULL;

	STET_TRY(transport_check(call));
	STET_TRY(check_role(call, role));
	STET_TRY(mail_address(call, stet_arg(call, "email"), &link.email));
	STET_TRY(check_new(call, link.email));
	STET_TRY(make_one(call, &link, token));
	if (mail)
		STET_TRY(ask_for_mail(call, stet_write_tx(call), &link));
	else
		url = stet_printf(call, "%s" PAGE_INVITE "#%s", stet_base_url(call), token);
	return mail_reply(call, mail ? "The invitation is sent" : "Hand the link over", url);
}

/* ---- listing and withdrawing ---- */

static const struct stet_member invite_item[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "email", STET_STRING, STET_REQUIRED },
	{ "role", STET_INTEGER, STET_REQUIRED },
	{ "invitedBy", STET_STRING, STET_NULLABLE, .about = "Id of the user; null: a command" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "expiresAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member invite_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = invite_item },
	{ 0 },
};
const struct stet_member invite_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the invitation" },
	{ 0 },
};

enum stet_status
invite_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, email, role, inviter, created_at, expires_at FROM signin_links"
	    " WHERE kind IN (?1, ?2) AND expires_at > ?3 ORDER BY id DESC",
	    STET_ARGS(LINK_INVITE, LINK_HANDED, stet_time_text(call, stet_now(call)))));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows)) {
		stet_object(out, NULL);
		stet_put_columns(out, &rows, 0, invite_item, 6);
		stet_close(out);
	}
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
invite_withdraw(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM signin_links WHERE id = ?1 AND kind IN (?2, ?3)",
	    STET_ARGS(id, LINK_INVITE, LINK_HANDED)));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Invitation not found: %s", id);
	stet_object(stet_reply(call), NULL);
	stet_put_bool(stet_reply(call), "success", true);
	stet_close(stet_reply(call));
	return STET_OK;
}

/* ---- accepting ---- */

const struct stet_member invite_accept_in[] = {
	{ "token", STET_STRING, STET_REQUIRED, .about = "The token of the link",
	    STET_RANGE(1, 200) },
	{ 0 },
};
const struct stet_member invite_accept_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "email", STET_STRING, STET_REQUIRED },
	{ "role", STET_INTEGER, STET_REQUIRED },
	{ "roleName", STET_STRING, STET_REQUIRED },
	{ "siteTitle", STET_STRING, .about = "Absent: the site has none" },
	{ "passkeyRequired", STET_BOOLEAN, STET_REQUIRED,
	    .about = "The site cannot send mail, so a passkey is the only way to sign in again" },
	{ 0 },
};

/* The first step of every route with an invitation's token: checks the request and finds the
 * invitation. Does not use it. */
static enum stet_status
find_invite(struct stet_call *call, struct link *out)
{
	STET_TRY(cookie_check_source(call));
	STET_TRY(transport_check(call));
	STET_TRY(stet_limit(call, "signin-invite", NULL, TRIES, TRIES_SECONDS));
	STET_TRY(link_find(call, NULL, stet_arg(call, "token"), out));
	if (strcmp(out->kind, LINK_INVITE) != 0 && strcmp(out->kind, LINK_HANDED) != 0)
		return stet_fail(
		    call, stet_code(call, "INVALID_TOKEN"), NULL, "This link is no invitation");
	return invite_judge(call, out);
}

static const char *
name_of_role(int role)
{
	static const char *const names[] = { "Subscriber", "Contributor", "Author", "Editor",
		"Admin" };

	return role >= 10 && role <= ROLE_ADMIN ? names[role / 10 - 1] : "";
}

enum stet_status
invite_accept(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *title;
	struct link link;

	STET_TRY(find_invite(call, &link));
	STET_TRY(stet_setting_text(call, "title", &title));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_str(out, "email", link.email);
	stet_put_int(out, "role", link.role);
	stet_put_str(out, "roleName", name_of_role(link.role));
	if (title != NULL && *title != '\0')
		stet_put_str(out, "siteTitle", title);
	stet_put_bool(out, "passkeyRequired", !stet_mail_configured(call));
	stet_close(out);
	return STET_OK;
}

/* ---- becoming a user ---- */

#define TOKEN_AND_NAME_IN                                                                          \
	{ "token", STET_STRING, STET_REQUIRED, .about = "The token of the link",                   \
		STET_RANGE(1, 200) },                                                              \
	{                                                                                          \
		"name", STET_STRING, .about = "Of the new user", STET_RANGE(0, STET_USER_NAME_MAX) \
	}

const struct stet_member invite_options_in[] = { TOKEN_AND_NAME_IN, { 0 } };
const struct stet_member invite_options_out[] = {
	{ "options", STET_OBJECT, STET_REQUIRED,
	    .about = "For navigator.credentials.create, as JSON (WebAuthn Level 3, 5.4)" },
	{ 0 },
};
const struct stet_member invite_complete_in[] = {
	TOKEN_AND_NAME_IN,
	PASSKEY_CREDENTIAL_IN,
	{ 0 },
};

enum stet_status
invite_options(struct stet_call *call)
{
	const char *name = stet_arg(call, "name"), *token = stet_arg(call, "token");
	struct stet_json *out = stet_reply(call);
	struct link link;

	STET_TRY(find_invite(call, &link));
	stet_object(out, NULL);
	STET_TRY(passkey_join_options(call, out, link.email, name != NULL ? name : "", token));
	stet_close(out);
	return STET_OK;
}

struct joining {
	const char *token;
	struct stet_user_new user;
	struct passkey_new passkey; /* user_id NULL: no passkey */
	struct stet_signin *session;
};

static enum stet_status
join(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	struct joining *j = arg;
	struct link link;
	const char *id;

	STET_TRY(link_find(call, NULL, j->token, &link)); /* again, in this transaction */
	STET_TRY(invite_judge(call, &link));
	STET_TRY(link_take(call, tx, link.kind, j->token, &link));
	j->user.email = link.email;
	j->user.role = link.role;
	j->user.verified = strcmp(link.kind, LINK_INVITE) == 0;
	j->user.id = j->passkey.user_id;
	STET_TRY(users->add(call, tx, &j->user, sizeof(j->user), &id));
	if (j->passkey.user_id != NULL)
		STET_TRY(passkey_store(call, tx, &j->passkey));
	return session_start(call, tx, j->session, id, METHOD_INVITE, j->passkey.id);
}

/* Reads the passkey of the request. It may be missing only if mail is configured. */
static enum stet_status
read_passkey(struct stet_call *call, struct joining *j)
{
	if (stet_arg_json(call, "credential") == NULL && stet_arg_json(call, "response") == NULL)
		return stet_mail_configured(call)
			   ? STET_OK
			   : stet_fail(call, STET_VALIDATION_ERROR, "credential",
				 "Without mail a passkey is the only way to sign in again");
	STET_TRY(passkey_join_read(call, j->token, &j->passkey));
	j->passkey.name = PASSKEY_NAME;
	return STET_OK;
}

enum stet_status
invite_complete(struct stet_call *call)
{
	struct joining j = { .token = stet_arg(call, "token"),
		.user = { .name = stet_arg(call, "name") },
		.session = session_begin(call) };
	struct link link;

	STET_TRY(find_invite(call, &link));
	STET_TRY(read_passkey(call, &j));
	STET_TRY(stet_write_lane(call, join, &j));
	session_finish(call, j.session);
	return session_reply(call, j.session);
}
