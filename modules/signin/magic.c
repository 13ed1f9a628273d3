/*
 * magic.c - signs in by a one-time link, from a mail or from `stet user recover`.
 *
 * Mails link to a page with a button, not to this route: programs that scan mails follow links, and
 * would use the link up.
 */
#include "signin.h"
#include <string.h>

#define TRIES 30 /* tries from one address in TRIES_SECONDS */
#define TRIES_SECONDS 300

const struct stet_member magic_in[] = {
	{ "token", STET_STRING, .about = "The token of the link", STET_RANGE(0, 200) },
	{ "redirect", STET_STRING, .about = "Where to go then: a path of this site",
	    STET_RANGE(0, 2000) },
	{ 0 },
};
const struct stet_member magic_use_in[] = {
	{ "token", STET_STRING, STET_REQUIRED, .about = "The token of the link",
	    STET_RANGE(1, 200) },
	{ 0 },
};

static enum stet_status
verify_address(struct stet_call *call, struct stet_tx *tx, const struct link *link)
{
	if (strcmp(link->kind, LINK_MAGIC) != 0)
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE users SET email_verified = 1 WHERE id = ?1 AND email = ?2",
	    STET_ARGS(link->user_id, link->email));
}

/* Uses the link and starts a session. */
static enum stet_status
sign_in(struct stet_call *call, const char *token, struct stet_signin *s)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct link link;
	bool mailed;

	STET_TRY(transport_check(call));
	STET_TRY(link_find(call, NULL, token, &link));
	if (link.user_id == NULL) /* such as an invitation: there is no user yet */
		return stet_fail(call, stet_code(call, "INVALID_TOKEN"), NULL,
		    "This link does not sign anybody in");
	STET_TRY(link_take(call, tx, link.kind, token, &link));
	mailed = strcmp(link.kind, LINK_MAGIC) == 0;
	STET_TRY(
	    session_start(call, tx, s, link.user_id, mailed ? METHOD_LINK : METHOD_RECOVERY, NULL));
	return verify_address(call, tx, &link);
}

enum stet_status
magic_use(struct stet_call *call)
{
	struct stet_signin *s = session_begin(call);
	enum stet_status status;

	STET_TRY(cookie_check_source(call));
	STET_TRY(stet_limit(call, "signin-link", NULL, TRIES, TRIES_SECONDS));
	if ((status = sign_in(call, stet_arg(call, "token"), s)) != STET_OK) {
		event_failed(call, METHOD_LINK, NULL);
		return status;
	}
	session_finish(call, s);
	return session_reply(call, s);
}

/* ---- sign-in by GET, which answers with a redirect ---- */

/* The error code for the sign-in page; NULL: the error does not come from the link. */
static const char *
word_of(struct stet_call *call, enum stet_status status)
{
	static const struct {
		const char *code, *word;
	} words[] = { { "INVALID_TOKEN", "invalid_link" }, { "TOKEN_EXPIRED", "link_expired" },
		{ "ACCOUNT_DISABLED", "account_disabled" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (status == stet_code(call, words[i].code))
			return words[i].word;
	if (status == STET_NOT_FOUND)
		return "user_not_found";
	return status == STET_FORBIDDEN || status == STET_CSRF_REJECTED ? "verification_failed"
									: NULL;
}

static enum stet_status
verify(struct stet_call *call, struct stet_signin *s)
{
	/* Otherwise a page of another site could sign its visitors in to its own account. */
	STET_TRY(cookie_check_source(call));
	return sign_in(call, stet_arg(call, "token"), s);
}

enum stet_status
magic_verify(struct stet_call *call)
{
	const char *token = stet_arg(call, "token"), *to = stet_arg(call, "redirect"), *word;
	const char *method = stet_request_method(call);
	struct stet_signin *s = session_begin(call);
	enum stet_status status;

	STET_TRY(stet_limit(call, "signin-link", NULL, TRIES, TRIES_SECONDS));
	if (method != NULL && strcmp(method, "HEAD") == 0)
		return stet_redirect(call, 302, PAGE_SIGNIN);
	if (token == NULL || *token == '\0')
		return stet_redirect(call, 302, PAGE_SIGNIN "?error=missing_token");
	if ((status = verify(call, s)) == STET_OK) {
		session_finish(call, s);
		return stet_redirect(call, 302, stet_is_local_path(to) ? to : "/_cms/account");
	}
	if ((word = word_of(call, status)) == NULL)
		return status;
	event_failed(call, METHOD_LINK, NULL);
	stet_error_clear(call);
	return stet_redirect(call, 302, stet_printf(call, PAGE_SIGNIN "?error=%s", word));
}
