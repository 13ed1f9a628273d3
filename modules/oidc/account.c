/* account.c - accounts at providers, and the users that they belong to. */
#include "oidc.h"
#include <stet/users.h>
#include <string.h>

#define ACCOUNTS_MAX 10 /* accounts of a user */

static const struct stet_member account[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "provider", STET_STRING, STET_REQUIRED, .about = "Id of the provider" },
	{ "label", STET_STRING, STET_REQUIRED, .about = "Name of the provider" },
	{ "email", STET_STRING, STET_REQUIRED | STET_NULLABLE, .about = "Address there" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "lastUsedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member account_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = account },
	{ 0 },
};
const struct stet_member account_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the link", STET_RANGE(1, 100) },
	{ 0 },
};
const struct stet_member account_done_out[] = { { "success", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

/* ---- the user's own accounts ---- */

enum stet_status
account_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT a.id, a.provider_id, p.label, a.email, a.created_at, a.last_used_at"
	    " FROM oidc_accounts a JOIN oidc_providers p ON p.id = a.provider_id"
	    " WHERE a.user_id = ?1 ORDER BY a.id",
	    STET_ARGS(stet_principal(call)->id)));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, account));
	stet_close(out);
	return STET_OK;
}

enum stet_status
account_remove(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM oidc_accounts WHERE id = ?1 AND user_id = ?2",
	    STET_ARGS(stet_arg(call, "id"), stet_principal(call)->id)));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "You have no such account");
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}

/* ---- the user of an account ---- */

static enum stet_status
refuse(struct stet_call *call, const char **word, const char *code, const char *text)
{
	*word = code;
	return stet_fail(call, STET_FORBIDDEN, NULL, "%s", text);
}

static enum stet_status
find(struct stet_call *call, const struct provider *p, const struct claims *c, const char **user)
{
	struct stet_rows rows;

	*user = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT user_id FROM oidc_accounts WHERE issuer = ?1 AND subject = ?2",
	    STET_ARGS(p->issuer, c->subject)));
	if (stet_row(&rows))
		*user = stet_strdup(call, stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

static enum stet_status
touch(struct stet_call *call, struct stet_tx *tx, const struct provider *p, const struct claims *c)
{
	return stet_exec(call, tx,
	    "UPDATE oidc_accounts SET last_used_at = ?3, email = ?4, provider_id = ?5"
	    " WHERE issuer = ?1 AND subject = ?2",
	    STET_ARGS(
		p->issuer, c->subject, stet_time_text(call, stet_now(call)), c->email, p->id));
}

static enum stet_status
add(struct stet_call *call, struct stet_tx *tx, const struct provider *p, const struct claims *c,
    const char *user)
{
	struct stet_rows rows;
	int64_t count;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM oidc_accounts WHERE user_id = ?1", STET_ARGS(user)));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= ACCOUNTS_MAX)
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "A user has at most %d accounts at providers", ACCOUNTS_MAX);
	return stet_exec(call, tx,
	    "INSERT INTO oidc_accounts (id, provider_id, issuer, subject, user_id, email,"
	    " created_at, last_used_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
	    STET_ARGS(stet_id(call), p->id, p->issuer, c->subject, user, c->email,
		stet_time_text(call, stet_now(call))));
}

static enum stet_status
verified_here(struct stet_call *call, const char *user, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT email_verified FROM users WHERE id = ?1", STET_ARGS(user)));
	*out = stet_col_int(&rows, 0) != 0;
	return stet_rows_end(&rows);
}

/* Finds or creates the user of an unknown account by its address. An address alone proves nothing:
 * otherwise anybody who can create accounts with any address at a provider could take over users.
 * So the provider must have verified the address and be listed for its domain, and the address must
 * be verified here, too. */
static enum stet_status
by_address(struct stet_call *call, struct stet_tx *tx, const struct provider *p,
    const struct claims *c, const char **user, const char **word)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	struct stet_user_new new = {
		.email = c->email, .name = c->name, .role = p->role, .verified = true
	};
	bool verified;

	if (c->email == NULL || !c->verified || !provider_trusted(p, c->email))
		return refuse(call, word, "not_allowed",
		    "No user here is linked with this account at the provider");
	STET_TRY(users->find(call, c->email, user));
	if (*user == NULL && p->role == 0)
		return refuse(call, word, "not_allowed", "Nobody here has this address");
	if (*user == NULL)
		return users->add(call, tx, &new, sizeof(new), user);
	STET_TRY(verified_here(call, *user, &verified));
	if (!verified)
		return refuse(call, word, "link_required",
		    "Sign in another way and link the account: the address is not verified here");
	return STET_OK;
}

enum stet_status
account_user(struct stet_call *call, struct stet_tx *tx, const struct provider *p,
    const struct claims *c, const char *link_user, const char **user, const char **word)
{
	STET_TRY(find(call, p, c, user));
	if (*user != NULL && link_user != NULL && strcmp(*user, link_user) != 0)
		return refuse(call, word, "linked_elsewhere",
		    "This account at the provider belongs to another user here");
	if (*user != NULL)
		return touch(call, tx, p, c);
	if (link_user != NULL)
		*user = link_user;
	else
		STET_TRY(by_address(call, tx, p, c, user, word));
	return add(call, tx, p, c, *user);
}
