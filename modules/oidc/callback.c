/*
 * callback.c - the provider sends the browser back: exchanges the code for an ID token, which says
 * who has signed in (OpenID Connect Core 1.0, section 3.1). On every error the browser goes to the
 * sign-in page or the account page, with an error code that the page explains. The log has the
 * details.
 */
#include "idtoken.h"
#include "oidc.h"
#include <sodium.h>
#include <stet/fetch.h>
#include <stet/form.h>
#include <stet/signin.h>
#include <stet/users.h>
#include <string.h>

#define ANSWER_MAX 65536 /* bytes */
#define TIMEOUT 8000 /* milliseconds */
#define CALLBACKS 60 /* requests from one address in CALLBACK_SECONDS */
#define CALLBACK_SECONDS 300
#define NAME_MAX_CHARS 200
#define SWEEP_EVERY (INT64_C(10) * 60 * 1000)

const struct stet_member callback_in[] = {
	{ "provider", STET_STRING, STET_REQUIRED, .about = "Id of the provider",
	    STET_RANGE(1, PROVIDER_ID_MAX) },
	{ "code", STET_STRING, .about = "What the provider issued", STET_RANGE(0, 4096) },
	{ "state", STET_STRING, .about = "What the sign-in began with", STET_RANGE(0, 400) },
	{ "iss", STET_STRING, .about = "Who answers (RFC 9207)", STET_RANGE(0, 1000) },
	{ "error", STET_STRING, .about = "Why there is no code", STET_RANGE(0, 200) },
	{ 0 },
};

/* ---- asking the provider ---- */

static const char *
text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static const char *
encoded(struct stet_call *call, const char *value)
{
	const char *parts[] = { "v", value, NULL };

	return stet_path_fill(call, "/{v}", parts) + 1;
}

static bool
supports(const json_t *metadata, const char *member, const char *value)
{
	const json_t *list = json_object_get(metadata, member);

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *one = json_string_value(json_array_get(list, i));

		if (one != NULL && strcmp(one, value) == 0)
			return true;
	}
	return false;
}

/* RFC 6749, section 2.3.1: both parts are form-encoded first. */
static const char *
basic(struct stet_call *call, const struct provider *p)
{
	const char *text =
	    stet_printf(call, "%s:%s", encoded(call, p->client_id), encoded(call, p->secret));
	size_t len = strlen(text);
	size_t size = sodium_base64_ENCODED_LEN(len, sodium_base64_VARIANT_ORIGINAL);
	char *base64 = stet_alloc(call, size);

	sodium_bin2base64(
	    base64, size, (const unsigned char *)text, len, sodium_base64_VARIANT_ORIGINAL);
	return stet_printf(call, "Authorization: Basic %s", base64);
}

static enum stet_status
read_answer(
    struct stet_call *call, const char *what, const struct stet_fetched *got, const json_t **out)
{
	const char *why, *error;

	*out = stet_json_parse(call, got->body, got->len, &why);
	if (got->status == 200 && json_is_object(*out))
		return STET_OK;
	error = text_of(*out, "error");
	return stet_fail(call, STET_UPSTREAM_ERROR, NULL, "%s answers %d%s%.100s", what,
	    got->status, error != NULL ? ": " : "", error != NULL ? error : "");
}

static enum stet_status
exchange(struct stet_call *call, const struct provider *p, const json_t *metadata,
    const struct attempt *a, const json_t **answer)
{
	/* client_secret_basic is the default if the metadata names no method (Discovery, section
	 * 3). */
	bool post =
	    supports(metadata, "token_endpoint_auth_methods_supported", "client_secret_post") &&
	    !supports(metadata, "token_endpoint_auth_methods_supported", "client_secret_basic");
	const char *headers[] = { "Content-Type: application/x-www-form-urlencoded",
		"Accept: application/json", NULL, NULL };
	struct stet_fetch how = {
		.method = "POST", .headers = headers, .timeout = TIMEOUT, .most = ANSWER_MAX
	};
	struct stet_fetched got;
	const char *body = stet_printf(call,
	    "grant_type=authorization_code&code=%s&redirect_uri=%s&code_verifier=%s",
	    encoded(call, stet_arg(call, "code")), encoded(call, redirect_uri(call, p->id)),
	    a->verifier);

	if (p->secret != NULL && !post)
		headers[2] = basic(call, p);
	else
		body = stet_printf(call, "%s&client_id=%s", body, encoded(call, p->client_id));
	if (p->secret != NULL && post)
		body = stet_printf(call, "%s&client_secret=%s", body, encoded(call, p->secret));
	how.body = body;
	how.body_len = strlen(body);
	STET_TRY(stet_fetch(call, text_of(metadata, "token_endpoint"), &how, &got));
	return read_answer(call, "The token endpoint", &got, answer);
}

/* Verifies the ID token and returns its claims. If it is signed by an unknown key, fetches the
 * provider's keys again. */
static enum stet_status
read_token(struct stet_call *call, const struct provider *p, const struct attempt *a,
    const json_t *answer, const json_t **claims)
{
	struct idtoken_check check = { .issuer = p->issuer,
		.client_id = p->client_id,
		.nonce = a->nonce,
		.now = stet_now(call) / 1000 };
	const char *token = text_of(answer, "id_token"), *why;
	const json_t *metadata;
	json_t *found;
	bool unknown;

	if (token == NULL)
		return stet_fail(call, STET_UPSTREAM_ERROR, NULL, "There is no ID token");
	STET_TRY(discover(call, p, false, &metadata, &check.keys));
	found = idtoken_verify(token, &check, &why, &unknown);
	if (found == NULL && unknown) {
		STET_TRY(discover(call, p, true, &metadata, &check.keys));
		found = idtoken_verify(token, &check, &why, &unknown);
	}
	if (found == NULL)
		return stet_fail(
		    call, STET_UPSTREAM_ERROR, NULL, "The ID token is refused: %s", why);
	*claims = stet_json_own(call, found);
	return STET_OK;
}

/* Gets the claims from the userinfo endpoint: some providers give the address only there (section
 * 5.3). */
static enum stet_status
ask_userinfo(
    struct stet_call *call, const json_t *metadata, const json_t *answer, const json_t **claims)
{
	const char *url = text_of(metadata, "userinfo_endpoint");
	const char *token = text_of(answer, "access_token"), *subject;
	const char *headers[] = { "Accept: application/json", NULL, NULL };
	const struct stet_fetch how = {
		.headers = headers, .timeout = TIMEOUT, .most = ANSWER_MAX
	};
	struct stet_fetched got;
	const json_t *info;

	if (url == NULL || token == NULL || strlen(token) > 4096 || strpbrk(token, "\r\n") != NULL)
		return STET_OK;
	headers[1] = stet_printf(call, "Authorization: Bearer %s", token);
	STET_TRY(stet_fetch(call, url, &how, &got));
	STET_TRY(read_answer(call, "The userinfo endpoint", &got, &info));
	subject = text_of(info, "sub");
	if (subject == NULL || strcmp(subject, text_of(*claims, "sub")) != 0)
		return stet_fail(call, STET_UPSTREAM_ERROR, NULL,
		    "The userinfo endpoint speaks of somebody else");
	*claims = info;
	return STET_OK;
}

/* ---- claims ---- */

static const char *
lower(struct stet_call *call, const char *text)
{
	char *out = stet_strdup(call, text);

	for (char *c = out; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return out;
}

static void
take_claims(struct stet_call *call, const json_t *said, struct claims *c)
{
	const json_t *verified = json_object_get(said, "email_verified");
	const char *email = text_of(said, "email"), *name = text_of(said, "name"), *true_text;

	c->subject = text_of(said, "sub");
	/* Some providers send the text "true". */
	true_text = json_string_value(verified);
	c->verified =
	    json_is_true(verified) || (true_text != NULL && strcmp(true_text, "true") == 0);
	if (email != NULL && stet_mail_address(call, email) != NULL)
		c->email = lower(call, email);
	if (name != NULL && stet_utf8_length(name) <= NAME_MAX_CHARS)
		c->name = stet_user_name(call, name);
}

static enum stet_status
identify(
    struct stet_call *call, const struct provider *p, const struct attempt *a, struct claims *c)
{
	const json_t *metadata, *answer, *said = NULL;

	STET_TRY(discover(call, p, false, &metadata, NULL));
	STET_TRY(exchange(call, p, metadata, a, &answer));
	STET_TRY(read_token(call, p, a, answer, &said));
	if (json_object_get(said, "email") == NULL)
		STET_TRY(ask_userinfo(call, metadata, answer, &said));
	take_claims(call, said, c);
	return STET_OK;
}

/* ---- the write ---- */

struct finish {
	const struct provider *provider;
	const struct attempt *attempt;
	const struct claims *claims;
	const struct stet_signin_1 *signin;
	struct stet_signin *session;
	const char *word; /* error code for the sign-in page; NULL: none */
};

/* Records the attempt as used. Fails if it was used before. */
static enum stet_status
use_up(struct stet_call *call, struct stet_tx *tx, struct finish *f)
{
	enum stet_status status =
	    stet_exec(call, tx, "INSERT INTO oidc_used (attempt, expires_at) VALUES (?1, ?2)",
		STET_ARGS(stet_val_blob(f->attempt->id, sizeof(f->attempt->id)),
		    stet_time_text(call, f->attempt->expires)));

	if (status != STET_CONFLICT)
		return status;
	f->word = "provider_state";
	return stet_fail(call, STET_FORBIDDEN, NULL, "This sign-in is over already");
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct finish *f = arg;
	const char *user;

	f->word = NULL;
	STET_TRY(use_up(call, tx, f));
	STET_TRY(
	    account_user(call, tx, f->provider, f->claims, f->attempt->user_id, &user, &f->word));
	if (f->attempt->user_id != NULL) /* linking: the session stays as it is */
		return STET_OK;
	return f->signin->start(call, tx, f->session, user, "oidc");
}

/* ---- the request ---- */

/* Refuses the response of another provider (RFC 9207, section 2.4): an attacker may have swapped
 * the two. If the provider announces that its responses name it, they must. */
static enum stet_status
check_issuer(struct stet_call *call, const struct provider *p)
{
	const char *iss = stet_arg(call, "iss");
	const json_t *metadata;

	if (iss != NULL && strcmp(iss, p->issuer) != 0)
		return stet_fail(call, STET_FORBIDDEN, NULL, "Another provider answers (iss)");
	if (iss != NULL)
		return STET_OK;
	STET_TRY(discover(call, p, false, &metadata, NULL));
	if (json_is_true(
		json_object_get(metadata, "authorization_response_iss_parameter_supported")))
		return stet_fail(
		    call, STET_FORBIDDEN, NULL, "The answer does not name its issuer (iss)");
	return STET_OK;
}

/* Refuses repeated parameters (RFC 6749 3.1): a proxy that reads the first of two would have seen
 * another response than the one that is used here. */
static enum stet_status
check_repeated(struct stet_call *call)
{
	static const char *const names[] = { "code", "state", "iss", "error" };
	const char *query = stet_request_query(call), *value;
	const struct stet_form_field *const *fields;
	size_t count;

	if (query == NULL)
		return STET_OK;
	STET_TRY(stet_form(call, query, strlen(query), &fields, &count));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (stet_form_value(fields, count, names[i], &value) > 1)
			return stet_fail(
			    call, STET_FORBIDDEN, NULL, "The answer repeats %s", names[i]);
	return STET_OK;
}

/* Returns false if an account is to be linked, but another user is signed in now. */
static bool
same_user(struct stet_call *call, const struct attempt *a)
{
	const struct stet_principal *p = stet_principal(call);

	return a->user_id == NULL ||
	       (p != NULL && p->session_id != NULL && strcmp(p->id, a->user_id) == 0);
}

static enum stet_status
run(struct stet_call *call, const struct provider *p, struct attempt *a, struct finish *f)
{
	struct claims claims = { .subject = NULL };

	f->word = "provider_state";
	if (!attempt_read(call, p->id, a) || !same_user(call, a))
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "It does not belong to a sign-in that this browser began");
	f->word = "provider_failed";
	STET_TRY(check_repeated(call));
	f->word = "provider_denied";
	if (stet_arg(call, "code") == NULL)
		return stet_fail(call, STET_FORBIDDEN, NULL, "The provider says: %.200s",
		    stet_has(call, "error") ? stet_arg(call, "error") : "nothing");
	f->word = "provider_failed";
	STET_TRY(check_issuer(call, p));
	STET_TRY(identify(call, p, a, &claims));
	f->claims = &claims;
	return stet_write_lane(call, store, f);
}

static const char *
failed(struct stet_call *call, const char *provider, struct finish *f)
{
	const char *word = f->word;

	if (stet_error_status(call) == stet_code(call, "ACCOUNT_DISABLED"))
		word = "account_disabled";
	stet_log(call, STET_WARN, "sign-in by %s: %s", provider, stet_error_text(call));
	stet_error_clear(call);
	return word != NULL ? word : "provider_failed";
}

enum stet_status
callback(struct stet_call *call)
{
	struct attempt a = { .user_id = NULL };
	struct finish f = { .attempt = &a };
	struct provider p;
	const char *page;

	STET_TRY(stet_limit(call, "oidc-callback", NULL, CALLBACKS, CALLBACK_SECONDS));
	STET_TRY(provider_load(call, stet_arg(call, "provider"), &p));
	f.provider = &p;
	f.signin = stet_service(call, STET_SIGNIN_1);
	f.session = f.signin->begin(call);
	if (run(call, &p, &a, &f) == STET_OK) {
		if (a.user_id == NULL)
			f.signin->finish(call, f.session);
		attempt_clear(call);
		return stet_redirect(call, 302, a.next != NULL ? a.next : PAGE_ACCOUNT);
	}
	page = a.user_id != NULL ? PAGE_ACCOUNT : PAGE_SIGNIN;
	return stet_redirect(
	    call, 302, stet_printf(call, "%s?error=%s", page, failed(call, p.id, &f)));
}

/* ---- attempts that have expired ---- */

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM oidc_used WHERE expires_at <= ?1 LIMIT 1",
	    STET_ARGS(stet_time_text(call, stet_now(call)))));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

int64_t
sweep_due(struct stet_call *call)
{
	struct oidc_state *s = stet_state(call);

	return stet_cleaning_due(call, &s->swept, SWEEP_EVERY, look);
}

static enum stet_status
sweep(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	return stet_exec(call, tx, "DELETE FROM oidc_used WHERE expires_at <= ?1",
	    STET_ARGS(stet_time_text(call, stet_now(call))));
}

enum stet_status
sweep_run(struct stet_call *call)
{
	return stet_write_lane(call, sweep, NULL);
}
