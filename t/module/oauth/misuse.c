/* misuse.c - misuse of codes, tokens, pages and clients, for refusals.t. */
#include "base/clock.h"
#include "inside.h"
#include "refusals.h"
#include <stdio.h>
#include <stdlib.h>

#define WHOLE                                                                           \
	"grant_type=authorization_code&code=%s&client_id=" CLIENT "&redirect_uri=" BACK \
	"&code_verifier=" VERIFIER

static bool
has_header(const struct outcome *o, const char *line)
{
	return strstr(o->headers, line) != NULL;
}

static void
a_code_counts_once(void **state)
{
	struct tokens t;
	char code[64];

	(void)state;
	flow_code(h, &ann, ASK_BOTH, code);
	flow_take(flow_exchange(h, code), &t);
	assert_true(flow_opens(h, t.access));
	flow_refused(flow_exchange(h, code), "invalid_grant");
	assert_false(flow_opens(h, t.access));
	flow_refused(flow_refresh(h, t.refresh), "invalid_grant");
}

/* A code is not accepted in a session that an attacker began with another client. */
static void
a_code_of_one_request_does_not_fit_another(void **state)
{
	/* RFC 7636: SHA-256 of a verifier that nobody here has */
	static const char other[] = "response_type=code&client_id=" CLIENT "&redirect_uri=" BACK
				    "&code_challenge_method=S256&scope=content:read"
				    "&code_challenge=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
	char code[64];

	(void)state;
	flow_code(h, &ann, other, code);
	flow_refused(flow_exchange(h, code), "invalid_grant");
}

static void
let_pass(int64_t seconds)
{
	char time[40];

	clock_text(clock_now() + seconds * 1000, time);
	harness_clock(h, time);
}

static void
a_code_does_not_outlive_ten_minutes(void **state)
{
	char code[64];

	(void)state;
	flow_code(h, &ann, ASK_BOTH, code);
	let_pass(600);
	flow_refused(flow_exchange(h, code), "invalid_grant");
}

static void
pages_leak_nothing_by_referer(void **state)
{
	struct outcome *o = flow_show(h, &ann, ASK_BOTH);

	(void)state;
	assert_int_equal(o->http, 200);
	assert_true(has_header(o, "Content-Security-Policy: default-src 'none'"));
	assert_null(strstr(o->text, "src=\""));
	assert_null(strstr(o->text, "href=\"http"));
	o = flow_show(h, &ann, "client_id=nobody&redirect_uri=" BACK);
	assert_true(has_header(o, "Content-Security-Policy: default-src 'none'"));
	assert_null(strstr(o->text, "href=\"http"));
}

static void
pages_are_not_kept(void **state)
{
	(void)state;
	assert_true(has_header(flow_show(h, &ann, ASK_BOTH), "Cache-Control: no-store"));
	assert_true(has_header(flow_show(h, &ann, "x=y"), "Cache-Control: no-store"));
}

static void
tokens_are_not_kept(void **state)
{
	struct outcome *o;
	char code[64];

	(void)state;
	flow_code(h, &ann, ASK_BOTH, code);
	o = flow_exchange(h, code);
	assert_int_equal(o->http, 200);
	assert_true(has_header(o, "Cache-Control: no-store"));
	assert_true(has_header(flow_exchange(h, code), "Cache-Control: no-store"));
}

/* OAuth 2.1 5.1: tokens are accepted in the header Authorization only. */
static void
a_token_in_the_query_is_none(void **state)
{
	char request[200], body[200];
	struct outcome *o;
	struct tokens t;

	(void)state;
	flow_tokens(h, &ann, ASK_BOTH, &t);
	snprintf(request, sizeof(request), "GET /auth/me?access_token=%s", t.access);
	assert_int_not_equal(harness_request(h, nobody, request, NULL, NULL)->http, 200);
	snprintf(
	    request, sizeof(request), "GET /content/posts?access_token=%s&status=draft", t.access);
	assert_int_not_equal(harness_request(h, nobody, request, NULL, NULL)->http, 200);
	snprintf(body, sizeof(body), "access_token=%s&data=%%7B%%7D", t.access);
	o = harness_request(h, nobody, "POST /content/posts",
	    "Content-Type: application/x-www-form-urlencoded", body);
	assert_true(o->http >= 400);
	assert_true(flow_opens(h, t.access));
}

static void
a_code_in_the_query_is_none(void **state)
{
	char code[64], *path;

	(void)state;
	flow_code(h, &ann, ASK_BOTH, code);
	assert_true(
	    asprintf(&path,
		"/_cms/api/oauth/token?grant_type=authorization_code&code=%s&client_id=" CLIENT
		"&redirect_uri=" BACK "&code_verifier=" VERIFIER,
		code) > 0);
	flow_refused(flow_post(h, NULL, path, ""), "invalid_request");
	flow_refused(flow_post(h, NULL, path, "grant_type=authorization_code"), "invalid_request");
	free(path);
	assert_int_equal(flow_exchange(h, code)->http, 200);
}

static void
each_answer_names_the_issuer(void **state)
{
	struct outcome *o = flow_decide(h, &ann, ASK_BOTH, "action=approve&grant=content:read");

	(void)state;
	assert_non_null(strstr(o->location, "&" ISS));
	o = flow_decide(h, &ann, ASK_BOTH, "action=deny");
	assert_non_null(strstr(o->location, "error=access_denied"));
	assert_non_null(strstr(o->location, "&" ISS));
	o = flow_show(h, &ann, ASK_BOTH "&iss=https%3A%2F%2Fevil.example&response_mode=x");
	assert_non_null(strstr(o->location, "&" ISS));
	assert_null(strstr(o->location, "evil"));
}

/* The client's redirect URI has a query already: the response has one iss, the site's. */
static void
the_issuer_comes_once(void **state)
{
	struct outcome *o =
	    flow_show(h, &ann, "response_type=code&client_id=query&redirect_uri=" BACK "%3Fa%3Db");
	const char *iss = strstr(o->location, "iss=");

	(void)state;
	assert_int_equal(
	    strncmp(o->location, BACK "?a=b&error=", sizeof(BACK "?a=b&error=") - 1), 0);
	assert_non_null(iss);
	assert_null(strstr(iss + 1, "iss="));
}

static void
a_consent_from_elsewhere_is_refused(void **state)
{
	char token[64], form[200];
	struct browser bob = browser_make(h, "bob@example.org", "editor");

	(void)state;
	assert_int_equal(
	    flow_post(h, &ann, AUTHORIZE ASK_BOTH, "action=approve&grant=content:read")->http, 403);
	flow_form_token(h, &bob, ASK_BOTH, token);
	snprintf(form, sizeof(form), "action=approve&grant=content:read&token=%s", token);
	assert_int_equal(flow_post(h, &ann, AUTHORIZE ASK_BOTH, form)->http, 403);
	flow_form_token(h, &ann, ASK_BOTH, token);
	snprintf(form, sizeof(form), "action=approve&grant=content:read&token=%s", token);
	assert_int_equal(flow_post(h, &ann, AUTHORIZE ASK_BOTH "&x=y", form)->http, 403);
}

static void
a_token_for_one_resource_opens_no_other(void **state)
{
	struct tokens t, u;

	(void)state;
	flow_tokens(h, &ann, ASK_BOTH "&resource=" MCP_URL, &t);
	assert_false(flow_opens(h, t.access));
	flow_take(flow_refresh(h, t.refresh), &u);
	assert_false(flow_opens(h, u.access));
}

static void
a_token_does_no_more_than_its_scopes(void **state)
{
	struct tokens t;
	char code[64];
	struct outcome *o = flow_decide(h, &ann, ASK_BOTH, "action=approve&grant=content:read");

	(void)state;
	snprintf(code, sizeof(code), "%.43s", strstr(o->location, "code=") + 5);
	flow_take(flow_exchange(h, code), &t);
	assert_true(flow_opens(h, t.access));
	assert_code(
	    person_ask(h, t.access, "POST /content/posts", "{\"data\":{}}"), "INSUFFICIENT_SCOPE");
	flow_refused(flow_token(h,
			 "grant_type=refresh_token&client_id=" CLIENT
			 "&scope=content:write&refresh_token=%s",
			 t.refresh),
	    "invalid_scope");
}

/* Access tokens, refresh tokens and codes do not replace each other. */
static void
one_kind_of_secret_is_no_other(void **state)
{
	struct tokens t;
	char code[64];

	(void)state;
	flow_tokens(h, &ann, ASK_BOTH, &t);
	assert_false(flow_opens(h, t.refresh));
	flow_refused(flow_refresh(h, t.access), "invalid_grant");
	flow_refused(flow_exchange(h, t.access), "invalid_grant");
	flow_refused(flow_exchange(h, t.refresh), "invalid_grant");
	flow_code(h, &ann, ASK_BOTH, code);
	flow_refused(flow_refresh(h, code), "invalid_grant");
	assert_false(flow_opens(h, code));
	assert_true(flow_opens(h, t.access));
}

/* A redirect after a form must not send the form on: 303, never 307. */
static void
a_form_is_answered_with_303(void **state)
{
	static const char *const fields[] = { "action=approve&grant=content:read", "action=deny",
		"action=approve", "action=approve&grant=admin" };
	(void)state;
	for (size_t i = 0; i < COUNT(fields); i++)
		assert_int_equal(flow_decide(h, &ann, ASK_BOTH, fields[i])->http, 303);

	assert_int_equal(
	    flow_post(h, &ann, AUTHORIZE ASK_BOTH "&response_mode=x", "a=b")->http, 303);
	assert_int_equal(flow_post(h, NULL, AUTHORIZE ASK_BOTH, "action=approve")->http, 303);
}

/* Forged headers about proxies change no address. */
static void
forged_headers_of_proxies_change_no_address(void **state)
{
	static const char forged[] =
	    "X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n"
	    "Forwarded: host=evil.example;proto=https";
	struct outcome *o = harness_request(
	    h, nobody, "GET //.well-known/oauth-authorization-server/_cms", forged, NULL);

	(void)state;
	assert_string_equal(harness_text(o->body, "issuer"), "http://localhost/_cms");
	assert_null(strstr(o->text, "evil"));
	o = harness_request(h, nobody, "GET /" AUTHORIZE ASK_BOTH, forged, NULL);
	assert_int_equal(strncmp(o->location, "/_cms/signin?", 13), 0);
	o = harness_request(h, nobody, "GET /" AUTHORIZE ASK_BOTH "&response_mode=x", forged, NULL);
	assert_non_null(strstr(o->location, ISS));
}

static void
a_refresh_token_is_of_its_client(void **state)
{
	struct tokens t;

	(void)state;
	flow_tokens(h, &ann, ASK_BOTH, &t);
	flow_refused(
	    flow_token(h, "grant_type=refresh_token&client_id=other&refresh_token=%s", t.refresh),
	    "invalid_grant");
	flow_refused(flow_token(h,
			 "grant_type=refresh_token&client_id=" CLIENT
			 "&resource=https%%3A%%2F%%2Fother.example&refresh_token=%s",
			 t.refresh),
	    "invalid_target");
	flow_take(flow_refresh(h, t.refresh), &t);
}

static void
a_refresh_token_that_comes_again_ends_all(void **state)
{
	struct tokens first, second, third;

	(void)state;
	flow_tokens(h, &ann, ASK_BOTH, &first);
	flow_take(flow_refresh(h, first.refresh), &second);
	let_pass(61);
	flow_take(flow_refresh(h, second.refresh), &third);
	/* using it as another client does not change that */
	flow_refused(flow_token(h, "grant_type=refresh_token&client_id=other&refresh_token=%s",
			 first.refresh),
	    "invalid_grant");
	assert_false(flow_opens(h, third.access));
	flow_refused(flow_refresh(h, third.refresh), "invalid_grant");
}

static void
a_forged_refresh_token_of_the_same_family_ends_it(void **state)
{
	struct tokens t;
	char forged[64];

	(void)state;
	flow_tokens(h, &ann, ASK_BOTH, &t);
	snprintf(forged, sizeof(forged), "%s", t.refresh);
	forged[strlen(forged) - 3] = forged[strlen(forged) - 3] == 'A' ? 'B' : 'A';
	flow_refused(flow_refresh(h, forged), "invalid_grant");
	flow_refused(flow_refresh(h, t.refresh), "invalid_grant");
}

static void
another_client_does_not_end_a_token(void **state)
{
	char form[128];
	struct tokens t;

	(void)state;
	flow_tokens(h, &ann, ASK_BOTH, &t);
	for (int i = 0; i < 2; i++) {
		snprintf(
		    form, sizeof(form), "client_id=other&token=%s", i == 0 ? t.access : t.refresh);
		assert_int_equal(
		    flow_post(h, NULL, "/_cms/api/oauth/token/revoke", form)->http, 200);
	}
	assert_true(flow_opens(h, t.access));
	flow_take(flow_refresh(h, t.refresh), &t);
}

static void
a_client_is_no_user(void **state)
{
	struct browser eve = browser_make(h, "eve@example.org", "subscriber");
	char query[600], code[64];
	struct outcome *o;
	struct tokens t;

	(void)state;
	flow_client(
	    h, "static", ann.user, "[\"" BACK "\"]", NULL); /* a client whose id is Ann's user id */
	snprintf(query, sizeof(query),
	    "response_type=code&client_id=%s&redirect_uri=" BACK PKCE "&scope=content:read",
	    ann.user);
	flow_code(h, &eve, query, code);
	o = flow_token(h,
	    "grant_type=authorization_code&code=%s&client_id=%s&redirect_uri=" BACK
	    "&code_verifier=" VERIFIER,
	    code, ann.user);
	flow_take(o, &t);
	assert_true(flow_opens(h, t.access));
	assert_string_equal(
	    inside_ask(h, "SELECT user_id FROM oauth_grants WHERE client_id = user_id"), "");
	assert_code(person_ask(h, t.access, "POST /content/posts", "{\"data\":{}}"),
	    "INSUFFICIENT_SCOPE"); /* the token acts as Eve, not as Ann */
}

static void
no_page_is_shown_in_a_frame(void **state)
{
	static const char *const pages[] = { AUTHORIZE ASK_BOTH, AUTHORIZE "x=y",
		"/_cms/oauth/device", "/_cms/account/apps" };
	char request[600];

	(void)state;
	for (size_t i = 0; i < COUNT(pages); i++) {
		char headers[200];
		struct outcome *o;

		snprintf(request, sizeof(request), "GET /%s", pages[i]);
		snprintf(headers, sizeof(headers), "Cookie: %s", ann.cookie);
		o = harness_request(h, nobody, request, headers, NULL);
		assert_true(*o->location == '\0');
		assert_true(has_header(o, "frame-ancestors 'none'"));
		assert_true(has_header(o, "X-Frame-Options: DENY"));
		assert_null(strstr(o->text, "<script"));
	}
}

/* ---- clients that authenticate, of which there are none (2.5; OAuth 2.1 2.4, 3.2.4) ---- */

static void
assert_no_client(struct outcome *o)
{
	if (o->http != 401 || strcmp(harness_text(o->body, "error"), "invalid_client") != 0)
		fail_msg("not invalid_client: %d %s", o->http, o->text);
}

static void
secrets_of_clients_are_refused(void **state)
{
	static const char *const more[] = { "client_secret=s",
		"client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3A"
		"jwt-bearer&client_assertion=e30.e30.x" };
	char code[64], form[600];

	(void)state;
	flow_code(h, &ann, ASK_BOTH, code);
	for (size_t i = 0; i < COUNT(more); i++) {
		snprintf(form, sizeof(form), WHOLE "&%s", code, more[i]);
		assert_no_client(flow_post(h, NULL, "/_cms/api/oauth/token", form));
	}
	/* an empty secret is no secret */
	snprintf(form, sizeof(form), WHOLE "&client_secret=", code);
	assert_int_equal(flow_post(h, NULL, "/_cms/api/oauth/token", form)->http, 200);
}

static void
a_client_that_authenticates_in_two_ways_is_refused(void **state)
{
	static const char *const bodies[] = { "grant_type=refresh_token",
		"grant_type=refresh_token&client_id=" CLIENT "&client_secret=s" };

	(void)state;
	for (size_t i = 0; i < COUNT(bodies); i++) {
		struct outcome *o = harness_request(h, nobody, "POST /oauth/token",
		    "Content-Type: application/x-www-form-urlencoded\r\n"
		    "Authorization: Basic dGVzdC1jbGllbnQ6cw==",
		    bodies[i]);

		assert_no_client(o);
		/* RFC 6749 5.2: the challenge has the scheme that the client used */
		assert_true(has_header(o, "WWW-Authenticate: Basic"));
	}
}

static void
a_body_of_another_type_is_refused(void **state)
{
	static const char *const types[] = { "text/plain", "multipart/form-data; boundary=x",
		"application/x-www-form-urlencoded2", "application/xml" };

	(void)state;
	for (size_t i = 0; i < COUNT(types); i++) {
		char header[100];

		snprintf(header, sizeof(header), "Content-Type: %s", types[i]);
		flow_refused(
		    harness_request(h, nobody, "POST /oauth/token", header, "grant_type=x"),
		    "invalid_request");
	}
}

static void
tokens_are_asked_for_by_post_alone(void **state)
{
	static const char *const methods[] = { "GET", "PUT", "DELETE", "PATCH" };

	(void)state;
	for (size_t i = 0; i < COUNT(methods); i++) {
		char request[100];

		snprintf(request, sizeof(request), "%s /oauth/token", methods[i]);
		assert_int_equal(harness_request(h, nobody, request, NULL, NULL)->http, 405);
	}
}

static void
unknown_parameters_change_nothing(void **state)
{
	struct tokens t;

	(void)state;
	flow_tokens(h, &ann,
	    ASK_BOTH "&request=e30.e30.&request_uri=https%3A%2F%2Fevil.example&prompt=none"
		     "&max_age=0&x=1&x=2&user_id=1&role=admin",
	    &t);
	assert_code(person_ask(h, t.access, "GET /admin/users", NULL), "INSUFFICIENT_SCOPE");
}

/* A refusal by the gate counts as an error of the client, not of the server. */
static void
what_the_gate_refuses_is_no_failure(void **state)
{
	static const char headers[] =
	    "X-CMS-Request: 1\r\nContent-Type: application/json\r\nIdempotency-Key: once";
	struct outcome *o;

	(void)state;
	o = harness_request(h, admin, "POST /oauth/token", headers, "{\"grant_type\":\"a\"}");
	assert_int_equal(o->http, 400);
	o = harness_request(h, admin, "POST /oauth/token", headers, "{\"grant_type\":\"b\"}");
	assert_int_equal(o->http, 409);
	assert_non_null(strstr(o->text, "\"invalid_request\""));
}

const struct misuse misuses[MISUSES] = {
	{ "RFC 9700 2.3, 4.9.2: a token does no more than its scopes",
	    a_token_does_no_more_than_its_scopes },
	{ "RFC 9700 2.5: secrets of clients are refused, not ignored",
	    secrets_of_clients_are_refused },
	{ "RFC 9700 4.2.4: pages leak nothing by Referer", pages_leak_nothing_by_referer },
	{ "RFC 9700 4.2.4: pages are not kept", pages_are_not_kept },
	{ "RFC 9700 4.3.1: a code in the query of the token endpoint is none",
	    a_code_in_the_query_is_none },
	{ "RFC 9700 4.3.2: a token in the query is none", a_token_in_the_query_is_none },
	{ "RFC 9700 4.4: each answer names the issuer", each_answer_names_the_issuer },
	{ "RFC 9700 4.4: the issuer comes once", the_issuer_comes_once },
	{ "RFC 9700 4.5: a code counts once, and its tokens end when it comes again",
	    a_code_counts_once },
	{ "RFC 9700 4.5: a code of one request does not fit another",
	    a_code_of_one_request_does_not_fit_another },
	{ "RFC 9700 4.5: a code does not outlive ten minutes",
	    a_code_does_not_outlive_ten_minutes },
	{ "RFC 9700 4.7: a consent from elsewhere is refused",
	    a_consent_from_elsewhere_is_refused },
	{ "RFC 9700 4.9.1, 4.10.2: a token for one resource opens no other",
	    a_token_for_one_resource_opens_no_other },
	{ "RFC 9700 4.9: one kind of secret is no other", one_kind_of_secret_is_no_other },
	{ "RFC 9700 4.12: a form is answered with 303, never 307", a_form_is_answered_with_303 },
	{ "RFC 9700 4.13: forged headers of proxies change no address",
	    forged_headers_of_proxies_change_no_address },
	{ "RFC 9700 4.14: a refresh token is of its client", a_refresh_token_is_of_its_client },
	{ "RFC 9700 4.14.2: a refresh token that comes again ends all",
	    a_refresh_token_that_comes_again_ends_all },
	{ "RFC 9700 4.14.2: a forged refresh token of a family ends it",
	    a_forged_refresh_token_of_the_same_family_ends_it },
	{ "RFC 9700 4.14: another client does not end a token",
	    another_client_does_not_end_a_token },
	{ "RFC 9700 4.15: a client with the id of a user is not that user", a_client_is_no_user },
	{ "RFC 9700 4.16: no page is shown in a frame", no_page_is_shown_in_a_frame },
	{ "OAuth 2.1 2.4: a client that authenticates in two ways is refused",
	    a_client_that_authenticates_in_two_ways_is_refused },
	{ "OAuth 2.1 3.2: a body of another type is refused", a_body_of_another_type_is_refused },
	{ "OAuth 2.1 3.2: tokens are asked for by POST alone", tokens_are_asked_for_by_post_alone },
	{ "OAuth 2.1 3.2.3: tokens are not kept", tokens_are_not_kept },
	{ "OAuth 2.1 3.1: unknown parameters change nothing", unknown_parameters_change_nothing },
	{ "RFC 6749 5.2: what the gate refuses is no failure",
	    what_the_gate_refuses_is_no_failure },
};
