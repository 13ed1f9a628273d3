/*
 * refusals.t - what RFC 9700 (best current practice for the security of OAuth 2.0) and OAuth 2.1
 *have a server refuse: each refusal is a test that is named by its section.
 *
 * Sections that do not apply, or are shown elsewhere:
 *	2.1.2, 4.6	access tokens in redirects: there is no implicit grant, which is what is
 *tested 2.2.1, 4.10.1	tokens bound to a key of the client: not done; they live for an hour instead
 *	2.5		authentication of clients: none has a secret here, so none is taken
 *	4.2.1, 4.3.1	what clients let leak: only a client can prevent that
 *	4.4 (client)	clients keep servers apart by iss, which each answer has
 *	4.11.1		redirects by clients
 *	4.17		postMessage: this server sends no messages to windows
 * Encryption (2.6) is the proxy's or t/http/tls.c's; the authorization endpoint and pages of other
 * sites (2.6) t/http/grants.c's.
 */
#include "refusals.h"
#include "base/clock.h"
#include <stdio.h>
#include <stdlib.h>

#define CODE_BACK "response_type=code&client_id=" CLIENT "&redirect_uri="
#define NATIVE "response_type=code&client_id=native" PKCE "&redirect_uri="

struct harness *h;
struct browser ann;

/* Opens one site for all tests, since cmocka passes either the state of the group or the test's
 * own. */
static void
begin(void)
{
	void *state;

	assert_int_equal(flow_begin(&state), 0);
	h = state;
	ann = browser_make(h, ANN, "editor");
	flow_client(h, "static", "other", "[\"https://other.example/back\"]", NULL);
	flow_client(h, "static", "query", "[\"https://client.example/back?a=b\"]", NULL);
	flow_client(h, "static", "native",
	    "[\"http://127.0.0.1/cb\",\"http://[::1]:4/cb\",\"http://localhost:7/cb\"]", NULL);
}

/* Moves the clock to the next quarter of an hour, so that no test meets a limit. */
static int
next(void **state)
{
	static int quarters;
	char time[40];

	(void)state;
	if (h == NULL)
		begin();
	quarters++;
	snprintf(time, sizeof(time), "2026-06-%02dT%02d:%02d:00.000Z", 2 + quarters / 96,
	    quarters / 4 % 24, quarters % 4 * 15);
	harness_clock(h, time);
	return 0;
}

static int
end(void **state)
{
	*state = h;
	return person_end(state);
}

/* ---- requests whose client or redirect URI is not proved ---- */

struct refusal {
	const char *name, *request, *error;
};

static const struct refusal unproved[] = {
	{ "RFC 9700 2.1: a redirect URI that only begins like a registered one is refused",
	    CODE_BACK BACK "2" PKCE },
	{ "RFC 9700 2.1: a redirect URI that is only the beginning of a registered one is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example%2Fbac" PKCE },
	{ "RFC 9700 2.1: a request without a redirect URI is refused",
	    "response_type=code&client_id=" CLIENT PKCE },
	{ "RFC 9700 2.1: an empty redirect URI is none", CODE_BACK PKCE },
	{ "RFC 9700 4.1.1: a redirect URI below a registered one is refused",
	    CODE_BACK BACK "%2Fmore" PKCE },
	{ "RFC 9700 4.1.1: a redirect URI on a host below the registered one is refused",
	    CODE_BACK "https%3A%2F%2Fevil.client.example%2Fback" PKCE },
	{ "RFC 9700 4.1.1: a redirect URI on a host that begins like the registered one is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example.evil.example%2Fback" PKCE },
	{ "RFC 9700 4.1.1: a wildcard is no redirect URI",
	    CODE_BACK "https%3A%2F%2F*.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with one more slash is refused",
	    CODE_BACK BACK "%2F" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with dots in its path is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example%2Fx%2F..%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with encoded dots in its path is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example%2F%252e%252e%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with an encoded letter is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example%2Fb%2561ck" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with its host in capitals is refused",
	    CODE_BACK "https%3A%2F%2FCLIENT.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with its path in capitals is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example%2FBack" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with its scheme in capitals is refused",
	    CODE_BACK "HTTPS%3A%2F%2Fclient.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI of another scheme is refused",
	    CODE_BACK "http%3A%2F%2Fclient.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with the port that https has anyway is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example%3A443%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with a user before its host is refused",
	    CODE_BACK "https%3A%2F%2Fclient.example%40evil.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with a user before the registered host is refused",
	    CODE_BACK "https%3A%2F%2Fu%3Ap%40client.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with a fragment is refused",
	    CODE_BACK BACK "%23part" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with an empty fragment is refused",
	    CODE_BACK BACK "%23" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with a query that was not registered is refused",
	    CODE_BACK BACK "%3Fa%3Db" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with an empty query is refused",
	    CODE_BACK BACK "%3F" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI without its registered query is refused",
	    "response_type=code&client_id=query&redirect_uri=" BACK PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with more than its registered query is refused",
	    "response_type=code&client_id=query&redirect_uri=" BACK "%3Fa%3Db%26c%3Dd" PKCE },
	{ "RFC 9700 4.1.3: a backslash does not end the host of a redirect URI",
	    CODE_BACK "https%3A%2F%2Fevil.example%5C%40client.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with a line break is refused",
	    CODE_BACK BACK "%0d%0aSet-Cookie:%20a=b" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with a NUL is refused", CODE_BACK BACK "%00" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI with a space before it is refused",
	    CODE_BACK "%20" BACK PKCE },
	{ "RFC 9700 4.1.3: a relative redirect URI is refused", CODE_BACK "%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI without a scheme is refused",
	    CODE_BACK "%2F%2Fclient.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: a redirect URI of another client is refused",
	    CODE_BACK "https%3A%2F%2Fother.example%2Fback" PKCE },
	{ "RFC 9700 4.1.3: javascript: is no redirect URI",
	    CODE_BACK "javascript%3Aalert(1)" PKCE },
	{ "RFC 9700 4.1.3: data: is no redirect URI", CODE_BACK "data%3Atext%2Fhtml%2Cx" PKCE },
	{ "RFC 9700 4.1.3: the port of localhost, which is a name, must be the registered one",
	    NATIVE "http%3A%2F%2Flocalhost%3A8%2Fcb" },
	{ "RFC 9700 4.1.3: localhost does not stand for a registered loopback address",
	    NATIVE "http%3A%2F%2Flocalhost%2Fcb" },
	{ "RFC 9700 4.1.3: another loopback address than the registered one is refused",
	    NATIVE "http%3A%2F%2F127.0.0.2%2Fcb" },
	{ "RFC 9700 4.1.3: a loopback address in other digits is refused",
	    NATIVE "http%3A%2F%2F127.1%2Fcb" },
	{ "RFC 9700 4.1.3: another path at any port of a loopback address is refused",
	    NATIVE "http%3A%2F%2F127.0.0.1%3A8123%2Fcb2" },
	{ "RFC 9700 4.1.3: a loopback address as the beginning of a name is refused",
	    NATIVE "http%3A%2F%2F127.0.0.1.evil.example%2Fcb" },
	{ "RFC 9700 4.1.3: a loopback address as a user is refused",
	    NATIVE "http%3A%2F%2F127.0.0.1%3A80%40evil.example%2Fcb" },
	{ "RFC 9700 4.1.3: a port that is no number is refused",
	    NATIVE "http%3A%2F%2F127.0.0.1%3A80x%2Fcb" },
	{ "RFC 9700 4.1.3: a port that no computer has is refused",
	    NATIVE "http%3A%2F%2F127.0.0.1%3A81230%2Fcb" },
	{ "RFC 9700 4.1.3: port 0 is refused", NATIVE "http%3A%2F%2F127.0.0.1%3A0%2Fcb" },
	{ "RFC 9700 4.1.3: an empty port is refused", NATIVE "http%3A%2F%2F127.0.0.1%3A%2Fcb" },
	{ "RFC 9700 4.11.2: an unknown client sends nobody anywhere",
	    "response_type=code&client_id=nobody&redirect_uri=" BACK PKCE },
	{ "RFC 9700 4.11.2: a request without a client sends nobody anywhere",
	    "response_type=code&redirect_uri=" BACK PKCE },
	{ "RFC 9700 4.11.2: an error does not go to an address that is not registered",
	    "response_type=token&client_id=" CLIENT
	    "&redirect_uri=https%3A%2F%2Fevil.example&scope=none" },
	{ "RFC 9700 4.11.2: a client of a document that cannot be had sends nobody anywhere",
	    "response_type=code&client_id=https%3A%2F%2F127.0.0.1%2Fx&redirect_uri="
	    "https%3A%2F%2F127.0.0.1%2Fback" PKCE },
	{ "OAuth 2.1 4.1.1: a repeated client_id is refused", ASK "&client_id=" CLIENT },
	{ "OAuth 2.1 4.1.1: a repeated redirect_uri is refused", ASK "&redirect_uri=" BACK },
	{ "OAuth 2.1 4.1.1: a second redirect_uri does not take the place of the first",
	    ASK "&redirect_uri=https%3A%2F%2Fevil.example" },
	{ "OAuth 2.1 4.1.1: a repeated state is refused", ASK "&state=1&state=1" },
	{ "OAuth 2.1 4.1.1: a repeated code_challenge is refused",
	    ASK "&code_challenge=" CHALLENGE },
	{ "OAuth 2.1 4.1.1: a repeated scope is refused",
	    ASK "&scope=content:read&scope=content:write" },
	{ "OAuth 2.1 4.1.1: a parameter that is repeated in another spelling is refused",
	    ASK "&clien%74_id=other" },
};

/* Checks that the response is a page without a form and without a redirect, whether signed in or
 * not. */
static void
is_a_page(void **state)
{
	const struct refusal *r = *state;
	char *path;

	assert_true(asprintf(&path, AUTHORIZE "%s", r->request) > 0);
	for (int i = 0; i < 3; i++) {
		struct outcome *o = i == 2 ? flow_post(h, &ann, path, "action=approve")
					   : flow_show(h, i == 1 ? &ann : NULL, r->request);

		if (o->http != 400 || *o->location != '\0' || strstr(o->text, "<form") != NULL ||
		    strstr(o->text, "<a ") != NULL)
			fail_msg("%s: %d %s %s", r->request, o->http, o->location, o->text);
	}
	free(path);
}

/* ---- requests of a client that is proved ---- */

#define PROVED "client_id=" CLIENT "&redirect_uri=" BACK "&state=s%261"
#define ASKED PROVED "&response_type=code"

static const struct refusal proved[] = {
	{ "RFC 9700 2.1.1: a request without PKCE is refused", ASKED, "invalid_request" },
	{ "RFC 9700 2.1.1: the method plain of PKCE is refused",
	    ASKED "&code_challenge_method=plain&code_challenge=" VERIFIER, "invalid_request" },
	{ "RFC 9700 2.1.1: a challenge that is no SHA-256 is refused",
	    ASKED "&code_challenge_method=S256&code_challenge=short", "invalid_request" },
	{ "RFC 9700 2.1.2: the implicit grant is refused", PROVED PKCE "&response_type=token",
	    "unsupported_response_type" },
	{ "RFC 9700 2.1.2: a code beside a token is refused",
	    PROVED PKCE "&response_type=code+token", "unsupported_response_type" },
	{ "RFC 9700 2.1.2: an ID token is refused", PROVED PKCE "&response_type=id_token",
	    "unsupported_response_type" },
	{ "RFC 9700 2.1.2: nothing is sent in a fragment", ASKED PKCE "&response_mode=fragment",
	    "invalid_request" },
	{ "RFC 9700 4.3.1: a code does not travel by a form that another page sends",
	    ASKED PKCE "&response_mode=form_post", "invalid_request" },
	{ "RFC 9700 4.8: a request without a method, which would mean plain, is refused",
	    ASKED "&code_challenge=" CHALLENGE, "invalid_request" },
	{ "RFC 9700 4.8: a method without a challenge is refused",
	    ASKED "&code_challenge_method=S256", "invalid_request" },
	{ "RFC 9700 4.8: an empty challenge is none",
	    ASKED "&code_challenge_method=S256&code_challenge=", "invalid_request" },
	{ "RFC 9700 4.8: the method s256 is unknown",
	    ASKED "&code_challenge_method=s256&code_challenge=" CHALLENGE, "invalid_request" },
	{ "RFC 9700 4.10.2: another resource is refused",
	    ASKED PKCE "&resource=https%3A%2F%2Fother.example%2F", "invalid_target" },
	{ "RFC 9700 4.10.2: a resource that begins like ours is refused",
	    ASKED PKCE "&resource=" MCP_URL "2", "invalid_target" },
	{ "RFC 9700 2.3: scopes that do not exist are refused", ASKED PKCE "&scope=everything+*",
	    "invalid_scope" },
	{ "RFC 9700 2.3: a scope above the user's role is refused", ASKED PKCE "&scope=admin",
	    "invalid_scope" },
	{ "OAuth 2.1 4.1.1: a request without a response_type is refused", PROVED PKCE,
	    "invalid_request" },
};

/* RFC 9700 4.4 and RFC 9207: with iss; 4.12: by GET from now on; 4.7: with the client's state. */
static void
is_told_to_the_client(void **state)
{
	const struct refusal *r = *state;
	struct outcome *o = flow_show(h, &ann, r->request);
	char error[100];

	snprintf(error, sizeof(error), BACK "?error=%s&", r->error);
	if (o->http != 302 || strncmp(o->location, error, strlen(error)) != 0)
		fail_msg("not %s: %d %s %s", r->error, o->http, o->location, o->text);
	assert_non_null(strstr(o->location, "&state=s%261&" ISS));
	assert_null(strstr(o->location, "code="));
	assert_null(strchr(o->location, '#'));
}

/* ---- requests for tokens, beside a good code ---- */

#define GRANT "grant_type=authorization_code"
#define FROM GRANT "&client_id=" CLIENT "&redirect_uri=" BACK
#define WHOLE FROM "&code_verifier=" VERIFIER

static const struct refusal exchanges[] = {
	{ "RFC 9700 4.5: another client cannot use a code",
	    GRANT "&client_id=other&redirect_uri=" BACK "&code_verifier=" VERIFIER,
	    "invalid_grant" },
	{ "RFC 9700 4.5: a code is not exchanged for another redirect URI",
	    GRANT "&client_id=" CLIENT "&redirect_uri=" BACK "%2F&code_verifier=" VERIFIER,
	    "invalid_grant" },
	{ "RFC 9700 4.5: a code is not exchanged with another verifier",
	    FROM "&code_verifier=" VERIFIER "x", "invalid_grant" },
	{ "RFC 9700 4.8: the challenge is not a verifier", FROM "&code_verifier=" CHALLENGE,
	    "invalid_grant" },
	{ "RFC 9700 4.8: a verifier that is too short is refused", FROM "&code_verifier=x",
	    "invalid_grant" },
	{ "RFC 9700 4.10.2: a code is not exchanged for another resource",
	    WHOLE "&resource=https%3A%2F%2Fother.example", "invalid_target" },
	{ "RFC 9700 2.1.1: a code is not exchanged without a verifier", FROM, "invalid_request" },
	{ "RFC 9700 4.8: an empty verifier is none", FROM "&code_verifier=", "invalid_request" },
	{ "RFC 9700 4.5: a code is not exchanged without its client",
	    GRANT "&redirect_uri=" BACK "&code_verifier=" VERIFIER, "invalid_request" },
	{ "RFC 9700 4.5: a code is not exchanged without its redirect URI",
	    GRANT "&client_id=" CLIENT "&code_verifier=" VERIFIER, "invalid_request" },
	{ "RFC 9700 2.4: the password grant does not exist",
	    "grant_type=password&username=" ANN "&password=x", "unsupported_grant_type" },
	{ "RFC 9700 4.15: no client gets a token for itself",
	    "grant_type=client_credentials&client_id=" CLIENT "&scope=content:read",
	    "unsupported_grant_type" },
	{ "RFC 9700 2.1.2: the implicit grant has no tokens here",
	    "grant_type=implicit&client_id=" CLIENT "", "unsupported_grant_type" },
	{ "OAuth 2.1 3.2.2: a repeated code is refused", WHOLE "&code=x", "invalid_request" },
	{ "OAuth 2.1 3.2.2: a repeated client_id is refused", WHOLE "&client_id=" CLIENT,
	    "invalid_request" },
	{ "OAuth 2.1 3.2.2: a repeated code_verifier is refused", WHOLE "&code_verifier=" VERIFIER,
	    "invalid_request" },
	{ "OAuth 2.1 3.2.2: a repeated grant_type is refused", WHOLE "&grant_type=x",
	    "invalid_request" },
	{ "OAuth 2.1 3.2.2: a repeated resource is refused",
	    WHOLE "&resource=" MCP_URL "&resource=" MCP_URL, "invalid_request" },
};

static void
is_not_exchanged(void **state)
{
	const struct refusal *r = *state;
	char code[64];

	flow_code(h, &ann, ASK_BOTH, code);
	flow_refused(flow_token(h, "code=%s&%s", code, r->request), r->error);
	/* A code is used up if the request named it in vain, but not if the code was not
	 * examined. */
	if (strcmp(r->error, "invalid_grant") == 0 || strcmp(r->error, "invalid_target") == 0)
		flow_refused(flow_exchange(h, code), "invalid_grant");
	else
		assert_int_equal(flow_exchange(h, code)->http, 200);
}

static struct CMUnitTest tests[COUNT(unproved) + COUNT(proved) + COUNT(exchanges) + MISUSES];
static size_t count;

static void
add(const char *name, CMUnitTestFunction fn, const struct refusal *row)
{
	tests[count++] = (struct CMUnitTest){ name, fn, next, NULL, (void *)(uintptr_t)row };
}

int
main(void)
{
	for (size_t i = 0; i < COUNT(unproved); i++)
		add(unproved[i].name, is_a_page, &unproved[i]);
	for (size_t i = 0; i < COUNT(proved); i++)
		add(proved[i].name, is_told_to_the_client, &proved[i]);
	for (size_t i = 0; i < COUNT(exchanges); i++)
		add(exchanges[i].name, is_not_exchanged, &exchanges[i]);
	for (size_t i = 0; i < MISUSES; i++)
		add(misuses[i].name, misuses[i].fn, NULL);
	return cmocka_run_group_tests(tests, NULL, end);
}
