/* oidc.c - signing in with an account at another provider: who is let in, and who is refused. */
#include "browser.h"
#include "issuer.h"
#include "people.h"
#include "trip.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#define B64 sodium_base64_VARIANT_URLSAFE_NO_PADDING

/* ---- the way there ---- */

static void
the_browser_is_sent_with_pkce_state_and_nonce(void **state)
{
	struct trip t;

	provider(*state, TRUSTED);
	depart(*state, "/_cms/account", &t);
	assert_memory_equal(t.url, issuer_url(), strlen(issuer_url()));
	assert_non_null(strstr(t.url, "/authorize?tenant=1&response_type=code&client_id=client-1"
				      "&redirect_uri=http%3A%2F%2Flocalhost%2F_cms%2Fapi%2Fauth"
				      "%2Foauth%2Fcorp%2Fcallback&scope=openid%20email%20profile"));
	assert_non_null(strstr(t.url, "&code_challenge_method=S256"));
	assert_int_equal(strlen(t.challenge), 43);
	assert_int_equal(strlen(t.nonce), 43);
	assert_memory_equal(t.cookie, "stet-oidc=", 10);
}

/* ---- who gets in ---- */

static void
a_verified_address_of_a_trusted_domain_finds_its_user(void **state)
{
	char challenge[64], verifier[64] = "";
	unsigned char digest[crypto_hash_sha256_BYTES];
	const char *at;
	struct trip t;

	provider(*state, TRUSTED);
	known(*state, ANN);
	depart(*state, NULL, &t);
	assert_string_equal(who(*state, come_back(*state, &t, t.cookie, "&code=c%2F1")), ANN);
	/* Check the request for the token. */
	assert_non_null(strstr(issuer.token_request,
	    "\r\nAuthorization: Basic Y2xpZW50LTE6cyUyMGUlM0FjcmV0\r\n")); /* client-1:s%20e%3Acret
									    */
	assert_non_null(strstr(issuer.token_request, "grant_type=authorization_code&code=c%2F1&"));
	at = strstr(issuer.token_request, "code_verifier=");
	assert_non_null(at);
	snprintf(verifier, sizeof(verifier), "%s", at + 14);
	crypto_hash_sha256(digest, (const unsigned char *)verifier, strlen(verifier));
	sodium_bin2base64(challenge, sizeof(challenge), digest, sizeof(digest), B64);
	assert_string_equal(challenge, t.challenge);
	/* After the first sign-in the account is recognized by its subject, whatever its
	 * address. */
	issuer_says("email", "\"new@elsewhere.example\"");
	issuer_says("email_verified", "false");
	assert_string_equal(who(*state, travel(*state)), ANN);
}

static void
who_is_new_gets_in_where_the_provider_has_a_role(void **state)
{
	struct outcome *o;

	provider(*state, TRUSTED);
	assert_refused(travel(*state), "not_allowed");
	assert_ok(
	    harness_send(*state, admin, "PUT /admin/identity-providers/corp", "{\"role\":20}"));
	issuer_says("name", "\"Ann Example\"");
	assert_string_equal(who(*state, travel(*state)), ANN);
	harness_ok(o, harness_request(*state, admin, "GET /admin/users?search=ann", NULL, NULL));
	assert_int_equal(harness_int(o->data, "items[0].role"), 20);
	assert_string_equal(harness_text(o->data, "items[0].name"), "Ann Example");
	assert_true(json_is_true(harness_at(o->data, "items[0].emailVerified")));
}

static void
an_address_alone_takes_over_nobody(void **state)
{
	char id[27];

	provider(*state, ",\"domains\":[\"corp.example\"],\"role\":30");
	known(*state, ANN);
	/* The provider is not trusted with this domain, nor with domains that look like it. */
	assert_refused(travel(*state), "not_allowed");
	issuer_says("email", "\"ann@example.org.corp.example.evil.example\"");
	assert_refused(travel(*state), "not_allowed");
	issuer_says("email", "\"ann@notcorp.example\"");
	assert_refused(travel(*state), "not_allowed");
	/* The provider has not verified the address. */
	browser_user(*state, "bob@corp.example", "admin", id);
	issuer_says("email", "\"bob@corp.example\"");
	issuer_says("email_verified", "false");
	assert_refused(travel(*state), "not_allowed");
	issuer_says("email_verified", "null");
	assert_refused(travel(*state), "not_allowed");
	/* The provider has verified the address, but stet has not: somebody may have entered an
	 * address that is not theirs. */
	issuer_says("email_verified", "true");
	assert_refused(travel(*state), "link_required");
}

static void
a_disabled_user_does_not_get_in(void **state)
{
	provider(*state, TRUSTED);
	known(*state, ANN);
	assert_string_equal(who(*state, travel(*state)), ANN);
	assert_ok(harness_op(*state, admin, "user_disable", "{\"email\":\"%s\"}", ANN));
	assert_refused(travel(*state), "account_disabled");
}

static void
the_address_may_be_at_the_userinfo_endpoint(void **state)
{
	provider(*state, TRUSTED);
	known(*state, ANN);
	issuer_says("email", "null");
	issuer.userinfo = "{\"sub\":\"somebody-else\",\"email\":\"ann@example.org\","
			  "\"email_verified\":true}";
	assert_refused(travel(*state), "provider_failed");
	issuer.userinfo =
	    "{\"sub\":\"subject-1\",\"email\":\"ann@example.org\",\"email_verified\":\"true\"}";
	assert_string_equal(who(*state, travel(*state)), ANN);
}

/* ---- ID tokens ---- */

static void
tokens_of_each_algorithm_are_taken(void **state)
{
	static const struct {
		const char *alg, *kid;
	} cases[] = { { "ES256", "e1" }, { "ES256", NULL }, { "RS256", "r1" }, { "PS256", "r1" },
		{ "ES384", "e3" } };

	provider(*state, TRUSTED);
	known(*state, ANN);
	issuer.published = ISSUER_KEYS;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		issuer.alg = cases[i].alg;
		issuer.kid = cases[i].kid;
		assert_string_equal(who(*state, travel(*state)), ANN);
	}
}

static void
what_is_wrong_with_a_token_is_refused(void **state)
{
	static const struct {
		const char *claim, *value;
	} cases[] = { /* @: seconds from now */
		{ "iss", "\"https://other.example\"" }, { "iss", "null" },
		{ "aud", "\"client-2\"" }, { "aud", "[\"client-2\"]" },
		{ "aud", "[\"client-1\",\"client-2\"]" }, { "azp", "\"client-2\"" },
		{ "nonce", "\"another\"" }, { "nonce", "null" }, { "exp", "@-60" },
		{ "exp", "null" }, { "exp", "\"2000000000\"" }, { "iat", "@62" },
		{ "iat", "@-601" }, { "iat", "null" }, { "nbf", "@62" }, { "sub", "null" },
		{ "sub", "\"\"" }, { "sub", "7" }
	};

	provider(*state, TRUSTED);
	known(*state, ANN);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *value = cases[i].value;
		char time[32];

		issuer_reset();
		it_is(*state, 0);
		snprintf(time, sizeof(time), "%lld",
		    (long long)issuer.now + strtol(value + (*value == '@'), NULL, 10));
		issuer_says(cases[i].claim, *value == '@' ? time : value);
		assert_refused(travel(*state), "provider_failed");
	}
	issuer_reset();
	it_is(*state, 0);
	assert_string_equal(who(*state, travel(*state)), ANN);
}

static void
signatures_that_prove_nothing_are_refused(void **state)
{
#define ES256 "eyJhbGciOiJFUzI1NiJ9"
	/* Malformed base64 on which cjose ends the process (found by fuzzing). */
	static const char *const ragged[] = { ES256 ".e=0.P3 -Kg6Nt", ES256 ".e.AAAA",
		ES256 ".e30.A", ES256 ".e30.AA+/", ES256 ".e30", ES256 ".e30.AAAA.AAAA", "..", "" };

	provider(*state, TRUSTED);
	known(*state, ANN);
	issuer.broken = true;
	assert_refused(travel(*state), "provider_failed");
	issuer.broken = false;
	issuer.alg = "none";
	assert_refused(travel(*state), "provider_failed");
	issuer.alg = "HS256"; /* with the public key as its secret */
	assert_refused(travel(*state), "provider_failed");
	issuer.alg = "ES256";
	issuer.signer = "e2"; /* signed with another key, under the kid of a published one */
	assert_refused(travel(*state), "provider_failed");
	issuer.signer = NULL;
	issuer.kid = "e2"; /* not published */
	assert_refused(travel(*state), "provider_failed");
	issuer.kid = "e1";
	issuer.denies = true;
	assert_refused(travel(*state), "provider_failed");
	issuer.denies = false;
	for (size_t i = 0; i < sizeof(ragged) / sizeof(ragged[0]); i++) {
		issuer.whole = ragged[i];
		assert_refused(travel(*state), "provider_failed");
	}
	issuer.whole = NULL;
	assert_string_equal(who(*state, travel(*state)), ANN);
}

/* ---- the way back ---- */

static void
a_sign_in_belongs_to_the_browser_that_began_it(void **state)
{
	struct trip t, other;
	char changed[400];

	provider(*state, TRUSTED);
	known(*state, ANN);
	depart(*state, NULL, &other);
	depart(*state, NULL, &t);
	/* Login CSRF: the attacker's state and code in the victim's browser (RFC 9700, 4.7). */
	assert_refused(come_back(*state, &t, NULL, "&code=c1"), "provider_state");
	assert_refused(come_back(*state, &t, other.cookie, "&code=c1"), "provider_state");
	snprintf(changed, sizeof(changed), "%s", t.cookie);
	changed[15] = changed[15] == 'A' ? 'B' : 'A';
	assert_refused(come_back(*state, &t, changed, "&code=c1"), "provider_state");
	assert_int_equal(issuer.asked_token, 0);
	/* A mix-up: another provider answers (RFC 9207). */
	assert_refused(come_back(*state, &t, t.cookie, "&code=c1&iss=https%3A%2F%2Fevil.example"),
	    "provider_failed");
	assert_refused(come_back(*state, &t, t.cookie, "&error=access_denied"), "provider_denied");
	assert_refused(come_back(*state, &t, t.cookie, ""), "provider_denied");
	assert_string_equal(who(*state, come_back(*state, &t, t.cookie, "&code=c1")), ANN);
}

/* Unknown parameters are ignored; a known one may occur only once, however it is spelled. */
static void
an_answer_that_repeats_a_parameter_is_refused(void **state)
{
	static const char *const cases[] = { "&code=c1&code=c1", "&code=x&code=c1",
		"&code=c1&c%6fde=c1", "&code=c1&error=a&error=b" };
	char more[500];
	struct trip t;

	provider(*state, TRUSTED);
	known(*state, ANN);
	depart(*state, NULL, &t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(come_back(*state, &t, t.cookie, cases[i]), "provider_failed");
	snprintf(more, sizeof(more), "&code=c1&state=%s", t.state);
	assert_refused(come_back(*state, &t, t.cookie, more), "provider_failed");
	snprintf(more, sizeof(more), "&code=c1&iss=%s&iss=%s", issuer_url(), issuer_url());
	assert_refused(come_back(*state, &t, t.cookie, more), "provider_failed");
	assert_int_equal(issuer.asked_token, 0);
	assert_string_equal(
	    who(*state, come_back(*state, &t, t.cookie, "&code=c1&unknown=1&unknown=2")), ANN);
}

/* RFC 9207, 2.4: otherwise an attacker who mixes up providers could just leave out iss. */
static void
an_answer_names_its_issuer_if_the_provider_says_that_its_answers_do(void **state)
{
	char named[200];
	struct trip t;

	json_object_set_new(
	    issuer.metadata, "authorization_response_iss_parameter_supported", json_true());
	provider(*state, TRUSTED);
	known(*state, ANN);
	depart(*state, NULL, &t);
	assert_refused(come_back(*state, &t, t.cookie, "&code=c1"), "provider_failed");
	assert_int_equal(issuer.asked_token, 0);
	snprintf(named, sizeof(named), "&code=c1&iss=%s", issuer_url());
	assert_string_equal(who(*state, come_back(*state, &t, t.cookie, named)), ANN);
}

static void
a_sign_in_succeeds_once_and_in_ten_minutes(void **state)
{
	struct trip t;

	provider(*state, TRUSTED);
	known(*state, ANN);
	depart(*state, NULL, &t);
	assert_string_equal(who(*state, come_back(*state, &t, t.cookie, "&code=c1")), ANN);
	assert_refused(come_back(*state, &t, t.cookie, "&code=c1"), "provider_state");
	depart(*state, NULL, &t);
	it_is(*state, 10 * MINUTE);
	assert_refused(come_back(*state, &t, t.cookie, "&code=c1"), "provider_state");
}

static void
the_browser_goes_on_to_paths_of_this_site_alone(void **state)
{
	static const char *const cases[][2] = { { "/_cms/account?a=1%262", "/_cms/account?a=1&2" },
		{ "//evil.example", "/_cms/account" }, { "https://evil.example", "/_cms/account" },
		{ "/%5Cevil.example", "/_cms/account" } };
	struct trip t;

	provider(*state, TRUSTED);
	known(*state, ANN);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		depart(*state, cases[i][0], &t);
		assert_string_equal(
		    come_back(*state, &t, t.cookie, "&code=c1")->location, cases[i][1]);
	}
}

/* ---- linking ---- */

static void
who_is_signed_in_links_an_account(void **state)
{
	struct browser ann = browser_make(*state, ANN, "author"), bob;
	char cookies[600];
	struct outcome *o;
	struct trip t;

	provider(*state, ""); /* trusted with no addresses */
	assert_refused(travel(*state), "not_allowed");
	harness_ok(o, browser_ask(*state, &ann, "POST /auth/accounts/corp", "{}"));
	read_trip(harness_text(o->data, "url"), o->set_cookie, &t);
	/* Refused in a browser where nobody, or another user, is signed in. */
	o = come_back(*state, &t, t.cookie, "&code=c1");
	assert_string_equal(o->location, "/_cms/account?error=provider_state");
	bob = browser_make(*state, "bob@example.org", "author");
	snprintf(cookies, sizeof(cookies), "%s; %s", t.cookie, bob.cookie);
	o = come_back(*state, &t, cookies, "&code=c1");
	assert_string_equal(o->location, "/_cms/account?error=provider_state");
	snprintf(cookies, sizeof(cookies), "%s; %s", t.cookie, ann.cookie);
	o = come_back(*state, &t, cookies, "&code=c1");
	assert_string_equal(o->location, "/_cms/account");
	assert_string_equal(who(*state, travel(*state)), ANN);
	/* The same account cannot be linked to Bob, too. */
	harness_ok(o, browser_ask(*state, &bob, "POST /auth/accounts/corp", "{}"));
	read_trip(harness_text(o->data, "url"), o->set_cookie, &t);
	snprintf(cookies, sizeof(cookies), "%s; %s", t.cookie, bob.cookie);
	o = come_back(*state, &t, cookies, "&code=c1");
	assert_string_equal(o->location, "/_cms/account?error=linked_elsewhere");
	/* The owner of the link can list and remove it. */
	harness_ok(o, browser_ask(*state, &ann, "GET /auth/accounts", NULL));
	assert_string_equal(harness_text(o->data, "items[0].provider"), "corp");
	snprintf(cookies, sizeof(cookies), "DELETE /auth/accounts/%s",
	    harness_text(o->data, "items[0].id"));
	assert_code(browser_ask(*state, &bob, cookies, NULL), "NOT_FOUND");
	assert_ok(browser_ask(*state, &ann, cookies, NULL));
	assert_refused(travel(*state), "not_allowed");
}

/* ---- administration ---- */

static void
a_secret_is_stored_sealed_and_never_shown(void **state)
{
	struct outcome *o;

	provider(*state, TRUSTED ",\"role\":10");
	harness_ok(o, harness_request(*state, admin, "GET /admin/identity-providers", NULL, NULL));
	assert_null(strstr(o->text, "e:cret"));
	assert_true(json_is_true(harness_at(o->data, "items[0].secretSet")));
	assert_string_equal(harness_text(o->data, "items[0].redirectUri"),
	    "http://localhost/_cms/api/auth/oauth/corp/callback");
	assert_string_equal(harness_text(o->data, "items[0].domains[0]"), "example.org");
	assert_int_equal(harness_int(o->data, "items[0].role"), 10);
	/* Anonymous callers may list the providers, and nothing else. */
	harness_ok(o, harness_request(*state, nobody, "GET /auth/oauth", NULL, NULL));
	assert_int_equal(json_object_size(harness_at(o->data, "items[0]")), 3);
	assert_code(harness_request(*state, editor, "GET /admin/identity-providers", NULL, NULL),
	    "FORBIDDEN");
	assert_ok(harness_send(*state, admin, "PUT /admin/identity-providers/corp",
	    "{\"enabled\":false,\"clientSecret\":null}"));
	assert_code(browser_send(*state, NULL, "GET /auth/oauth/corp", NULL), "NOT_FOUND");
	assert_ok(
	    harness_request(*state, admin, "DELETE /admin/identity-providers/corp", NULL, NULL));
	assert_code(
	    harness_request(*state, admin, "GET /admin/identity-providers/corp", NULL, NULL),
	    "NOT_FOUND");
}

static void
what_a_provider_cannot_be_is_refused(void **state)
{
	static const char *const cases[][2] = { { "id", "\"id\":\"Corp!\"" },
		{ "issuer", "\"issuer\":\"ftp://x.example\"" },
		{ "issuer", "\"issuer\":\"https://x.example/?a=1\"" }, { "role", "\"role\":50" },
		{ "role", "\"role\":15" }, { "domains[0]", "\"domains\":[\"@example.org\"]" },
		{ "domains[1]", "\"domains\":[\"example.org\",\"a b.example\"]" } };
	struct outcome *o;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char body[400];

		snprintf(body, sizeof(body), "{%s%s%s,\"label\":\"C\",\"clientId\":\"c\"}",
		    strcmp(cases[i][0], "id") != 0 ? "\"id\":\"corp\"," : "",
		    strcmp(cases[i][0], "issuer") != 0 ? "\"issuer\":\"https://c.example\"," : "",
		    cases[i][1]);
		o = harness_request(*state, admin, "POST /admin/identity-providers", NULL, body);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, cases[i][0]));
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, trip_begin, person_end)
		TEST(the_browser_is_sent_with_pkce_state_and_nonce),
		TEST(a_verified_address_of_a_trusted_domain_finds_its_user),
		TEST(who_is_new_gets_in_where_the_provider_has_a_role),
		TEST(an_address_alone_takes_over_nobody),
		TEST(a_disabled_user_does_not_get_in),
		TEST(the_address_may_be_at_the_userinfo_endpoint),
		TEST(tokens_of_each_algorithm_are_taken),
		TEST(what_is_wrong_with_a_token_is_refused),
		TEST(signatures_that_prove_nothing_are_refused),
		TEST(a_sign_in_belongs_to_the_browser_that_began_it),
		TEST(an_answer_that_repeats_a_parameter_is_refused),
		TEST(an_answer_names_its_issuer_if_the_provider_says_that_its_answers_do),
		TEST(a_sign_in_succeeds_once_and_in_ten_minutes),
		TEST(the_browser_goes_on_to_paths_of_this_site_alone),
		TEST(who_is_signed_in_links_an_account),
		TEST(a_secret_is_stored_sealed_and_never_shown),
		TEST(what_a_provider_cannot_be_is_refused),
	};
	int failed;

	issuer_open();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	issuer_close();
	return failed;
}
