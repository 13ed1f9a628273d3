/*
 * authorize.c - the authorization endpoint: checks the request, asks the user, answers the client.
 *
 * Client and redirect URI are checked first. Until both are proved, errors are shown on a page: a
 * user is never redirected to an address that is only claimed (RFC 9700 4.11). Later errors are
 * sent to the client, with state and iss (RFC 6749 4.1.2.1, RFC 9207).
 *
 * Nothing is stored between the page and the decision: the form posts to the address of the page,
 * query included, and the whole query is checked again.
 */
#include "clients.h"
#include <string.h>

#define STATE_MAX 4000 /* bytes */

/* ---- the request ---- */

/* Redirects to the client: the redirect URI with `query`, state and iss. */
static enum stet_status
send_back(struct stet_call *call, int http, const struct authorize *a, const char *query)
{
	const char *uri = a->redirect_uri;
	const char *iss =
	    uri_encode(call, stet_printf(call, "%s%s", stet_base_url(call), ISSUER_PATH));

	return stet_redirect(call, http,
	    stet_printf(call, "%s%s%s%s%s&iss=%s", uri, strchr(uri, '?') != NULL ? "&" : "?", query,
		a->state != NULL ? "&state=" : "",
		a->state != NULL ? uri_encode(call, a->state) : "", iss));
}

static enum stet_status
send_error(struct stet_call *call, int http, const struct authorize *a, const char *error,
    const char *description)
{
	return send_back(call, http, a,
	    stet_printf(call, "error=%s&error_description=%s", error,
		uri_encode(call, description != NULL ? description : "")));
}

/* Checks that the client exists and has registered the redirect URI. */
static enum stet_status
prove(struct stet_call *call, const struct oauth_params *p, struct authorize *a)
{
	const char *id;

	STET_TRY(params_need(call, p, "client_id", &id));
	STET_TRY(params_need(call, p, "redirect_uri", &a->redirect_uri));
	STET_TRY(document_is_id(id) ? document_find(call, id, &a->client)
				    : client_find(call, id, &a->client));
	if (!redirect_matches(&a->client, a->redirect_uri))
		return oauth_refuse(
		    call, "invalid_request", "The redirect URI is not registered for this client.");
	return STET_OK;
}

static bool
is_challenge(const char *text)
{
	return strlen(text) == SECRET_LEN &&
	       strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
		   SECRET_LEN;
}

static enum stet_status
check_type(struct stet_call *call, const struct oauth_params *p)
{
	const char *type, *mode = params_get(p, "response_mode");

	STET_TRY(params_need(call, p, "response_type", &type));
	if (strcmp(type, "code") != 0)
		return oauth_refuse(
		    call, "unsupported_response_type", "The only response_type here is code");
	if (mode != NULL && strcmp(mode, "query") != 0)
		return oauth_refuse(
		    call, "invalid_request", "The only response_mode here is query");
	return STET_OK;
}

static enum stet_status
check_pkce(struct stet_call *call, const struct oauth_params *p, struct authorize *a)
{
	const char *method = params_get(p, "code_challenge_method");

	STET_TRY(params_need(call, p, "code_challenge", &a->challenge));
	/* RFC 7636 4.3: the default method is "plain", which is not supported. */
	if (method == NULL || strcmp(method, "S256") != 0)
		return oauth_refuse(
		    call, "invalid_request", "Only S256 code challenge method is supported");
	if (!is_challenge(a->challenge))
		return oauth_refuse(call, "invalid_request", "code_challenge is not of S256");
	return STET_OK;
}

/* Checks the other parameters; errors in these are sent to the client. */
static enum stet_status
judge(struct stet_call *call, const struct oauth_params *p, struct authorize *a)
{
	STET_TRY(check_type(call, p));
	STET_TRY(check_pkce(call, p, a));
	STET_TRY(resource_check(call, params_get(p, "resource"), &a->resource));
	a->scopes = scopes_clamp(call, params_get(p, "scope"), a->client.scopes, ROLE_MAX);
	if (*a->scopes == '\0')
		return oauth_refuse(call, "invalid_scope", "No valid scopes requested");
	return STET_OK;
}

/* Reads the request. Returns STET_DECLINED if it has already written the reply. */
static enum stet_status
read_request(struct stet_call *call, int http, struct authorize *a)
{
	struct oauth_params p;
	const char *description, *error;
	enum stet_status status = params_query(call, &p);
	bool later;

	*a = (struct authorize){ .state = NULL };
	if (status == STET_OK)
		status = prove(call, &p, a);
	if (status == STET_DECLINED) {
		later = oauth_http(oauth_error(call, &description)) == 503;
		STET_TRY(page_problem(
		    call, later ? 503 : 400, later ? "not_now" : "bad_request", description));
		return STET_DECLINED;
	}
	STET_TRY(status);
	a->state = params_get(&p, "state");
	if (a->state != NULL && strlen(a->state) > STATE_MAX) {
		a->state = NULL; /* too long to be sent back */
		status = oauth_refuse(
		    call, "invalid_request", "state is longer than %d bytes", STATE_MAX);
	} else
		status = judge(call, &p, a);
	if (status != STET_DECLINED)
		return status;
	error = oauth_error(call, &description);
	STET_TRY(send_error(call, http, a, error, description));
	return STET_DECLINED;
}

static enum stet_status
done(enum stet_status status)
{
	return status == STET_DECLINED ? STET_OK : status;
}

static const char *
here(struct stet_call *call)
{
	return stet_printf(call, "%s?%s", AUTHORIZE_PATH, stet_request_query(call));
}

enum stet_status
authorize_show(struct stet_call *call)
{
	struct authorize a;
	const struct stet_principal *user;
	enum stet_status status = read_request(call, 302, &a);

	if (status != STET_OK)
		return done(status);
	if ((user = page_user(call)) == NULL)
		return page_sign_in(call, 302, here(call));
	a.scopes = scopes_clamp(call, a.scopes, a.client.scopes, user->role);
	if (*a.scopes == '\0')
		return send_error(call, 302, &a, "invalid_scope",
		    "Your role supports none of the requested scopes");
	return consent_page(call, &a);
}

/* ---- the decision ---- */

struct consent {
	struct authorize *a;
	struct oauth_grant grant;
	const char *code;
};

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct consent *c = arg;
	int64_t minutes = json_integer_value(stet_setting(call, CODE_MINUTES));
	unsigned char hash[HASH_BYTES];

	if (strcmp(c->a->client.kind, CLIENT_DOCUMENT) == 0)
		STET_TRY(client_store(call, tx, &c->a->client));
	STET_TRY(grant_make(call, tx, &c->grant, &c->grant.id));
	STET_TRY(grant_tell(call, tx, &c->grant, "oauth_consent"));
	secret_hash(c->code, hash);
	return stet_exec(call, tx,
	    "INSERT INTO oauth_codes (hash, grant_id, redirect_uri, challenge, expires_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)), c->grant.id, c->a->redirect_uri,
		c->a->challenge, stet_time_text(call, stet_now(call) + minutes * MINUTE)));
}

/* The scopes that the user left ticked. */
static const char *
ticked(struct stet_call *call, const struct oauth_params *form, const struct authorize *a, int role)
{
	const char *list = "";

	for (size_t i = 0; i < form->count; i++)
		if (strcmp(form->field[i]->name, "grant") == 0 &&
		    scopes_within(call, form->field[i]->value, a->scopes))
			list = stet_printf(call, "%s %s", list, form->field[i]->value);
	return scopes_clamp(call, list, a->client.scopes, role);
}

static enum stet_status
approve(struct stet_call *call, struct authorize *a, const struct oauth_params *form)
{
	const struct stet_principal *user = page_user(call);
	struct consent c = { .a = a };

	c.grant = (struct oauth_grant){ .user_id = user->id,
		.client_id = a->client.id,
		.scopes = ticked(call, form, a, user->role),
		.resource = a->resource,
		.address = stet_client(call) };
	STET_TRY(narrow_take(call, form, &c.grant));
	if (!limits_take(call, form, &c.grant))
		return send_error(call, 303, a, "invalid_request", "A limit is no number");
	if (*c.grant.scopes == '\0')
		return send_error(
		    call, 303, a, "invalid_scope", "No selected permission can be granted");
	c.code = secret_new(call, "");
	STET_TRY(stet_write_lane(call, store, &c));
	return send_back(call, 303, a, stet_printf(call, "code=%s", c.code));
}

static enum stet_status
read_decision(struct stet_call *call, struct oauth_params *form)
{
	size_t len;
	const char *body = stet_body(call, &len);

	STET_TRY(stet_form(call, body != NULL ? body : "", len, &form->field, &form->count));
	return page_check(call, form, stet_request_query(call));
}

enum stet_status
authorize_decide(struct stet_call *call)
{
	struct oauth_params form;
	struct authorize a;
	const char *action;
	enum stet_status status = read_request(call, 303, &a);

	if (status != STET_OK)
		return done(status);
	if (page_user(call) == NULL)
		return page_sign_in(call, 303, here(call));
	if (read_decision(call, &form) != STET_OK) {
		stet_error_clear(call);
		return page_problem(
		    call, 403, "foreign_title", stet_word(page_words(call), "foreign"));
	}
	action = params_get(&form, "action");
	if (action == NULL || strcmp(action, "approve") != 0)
		return send_error(
		    call, 303, &a, "access_denied", "The user denied the authorization request");
	return approve(call, &a, &form);
}
