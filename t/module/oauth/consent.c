/* consent.t - the authorization endpoint: what the user is asked, and where the response goes. */
#include "flow.h"
#include "inside.h"
#include <stdio.h>

#define ANN "ann@example.org"

static void
assert_sent_back(struct outcome *o, const char *error)
{
	if (strncmp(o->location, BACK "?error=", sizeof(BACK "?error=") - 1) != 0 ||
	    strncmp(o->location + sizeof(BACK "?error=") - 1, error, strlen(error)) != 0 ||
	    strstr(o->location, ISS) == NULL || strstr(o->location, "code=") != NULL)
		fail_msg("not %s: %d %s %s", error, o->http, o->location, o->text);
}

/* RFC 9700 4.11, 2.1: no redirect to a URI that was not validated. */
static void
a_request_that_is_not_proved_is_a_page(void **state)
{
	static const char *const bad[] = {
		"",
		"client_id=" CLIENT,
		"redirect_uri=" BACK,
		"response_type=code&client_id=stranger&redirect_uri=" BACK PKCE,
		"response_type=code&client_id=" CLIENT
		"&redirect_uri=https%3A%2F%2Fevil.example" PKCE,
		"response_type=code&client_id=" CLIENT "&redirect_uri=" BACK "%2F" PKCE,
		"response_type=code&client_id=" CLIENT "&redirect_uri=" BACK "%3Fa=b" PKCE,
		"response_type=code&client_id=" CLIENT "&redirect_uri=" BACK "%23x" PKCE,
		"response_type=code&client_id=" CLIENT
		"&redirect_uri=https%3A%2F%2Fclient.example%3A444%2Fback" PKCE,
		"response_type=code&client_id=" CLIENT
		"&redirect_uri=https%3A%2F%2FCLIENT.example%2Fback" PKCE,
		"response_type=code&client_id=" CLIENT "&redirect_uri=javascript%3Aalert(1)" PKCE,
		ASK "&redirect_uri=" BACK,
		ASK "&client_id=" CLIENT,
		ASK_BOTH "&state=2",
	};
	struct browser b = browser_make(*state, ANN, "editor");

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		for (int in = 0; in < 2; in++) {
			struct outcome *o = flow_show(*state, in ? &b : NULL, bad[i]);

			if (o->http != 400 || *o->location != '\0' ||
			    strstr(o->text, "<form") != NULL)
				fail_msg("%s: %d %s", bad[i], o->http, o->location);
		}
}

/* RFC 6749 4.1.2.1, RFC 9207, RFC 9700 2.1.1 (PKCE), 2.1.2 (no implicit grant), 4.8.2 (downgrade)
 */
static void
other_problems_go_to_the_client_with_state_and_issuer(void **state)
{
	static const struct {
		const char *query, *error;
	} bad[] = {
		{ "client_id=" CLIENT "&redirect_uri=" BACK PKCE "&state=s%261",
		    "invalid_request" },
		{ "response_type=token&client_id=" CLIENT "&redirect_uri=" BACK PKCE "&state=s%261",
		    "unsupported_response_type" },
		{ "response_type=code&client_id=" CLIENT "&redirect_uri=" BACK "&state=s%261",
		    "invalid_request" },
		{ "response_type=code&client_id=" CLIENT "&redirect_uri=" BACK
		  "&state=s%261&code_challenge=" CHALLENGE,
		    "invalid_request" },
		{ "response_type=code&client_id=" CLIENT "&redirect_uri=" BACK
		  "&state=s%261&code_challenge_method=plain&code_challenge=" CHALLENGE,
		    "invalid_request" },
		{ "response_type=code&client_id=" CLIENT "&redirect_uri=" BACK
		  "&state=s%261&code_challenge_method=S256&code_challenge=short",
		    "invalid_request" },
		{ ASK "&state=s%261&scope=nonsense+constructor+__proto__", "invalid_scope" },
		{ ASK "&state=s%261&resource=https%3A%2F%2Fother.example%2F", "invalid_target" },
		{ ASK "&state=s%261&response_mode=fragment", "invalid_request" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct outcome *o = flow_show(*state, NULL, bad[i].query);

		assert_int_equal(o->http, 302);
		assert_sent_back(o, bad[i].error);
		assert_non_null(strstr(o->location, "&state=s%261&"));
	}
}

static void
a_state_that_is_too_long_is_not_dropped_in_silence(void **state)
{
	char query[6000];
	int len = snprintf(query, sizeof(query), ASK "&scope=content:read&state=");
	struct outcome *o;

	memset(query + len, 's', 4001);
	query[len + 4001] = '\0';
	o = flow_show(*state, NULL, query);
	assert_sent_back(o, "invalid_request");
	assert_null(strstr(o->location, "state="));
	query[len + 4000] = '\0';
	o = flow_show(*state, NULL, query);
	assert_null(strstr(o->location, "error="));
}

static void
who_is_not_signed_in_is_sent_to_sign_in_and_comes_back(void **state)
{
	struct outcome *o = flow_show(*state, NULL, ASK_BOTH);

	assert_int_equal(o->http, 302);
	assert_non_null(strstr(
	    o->location, "/_cms/signin?next=%2F_cms%2Foauth%2Fauthorize%3Fresponse_type%3D"));
	assert_null(strchr(o->location, '&'));
}

/* A token must not grant further tokens (confused deputy). */
static void
a_token_does_not_count_as_the_user(void **state)
{
	struct person p = person_make(*state, ANN, "admin", "[\"admin\"]", NULL);
	struct outcome *o =
	    person_ask(*state, p.token, "GET //_cms/oauth/authorize?" ASK_BOTH, NULL);

	assert_int_equal(o->http, 302);
	assert_int_equal(strncmp(o->location, "/_cms/signin", 12), 0);
}

static void
the_page_names_who_asks_and_what_for(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct outcome *o = flow_show(*state, &b, ASK_BOTH "+content:read");
	const char *once;

	assert_int_equal(o->http, 200);
	assert_non_null(strstr(o->text, "<strong>client.example</strong>"));
	assert_non_null(strstr(o->text, "A &lt;b&gt;Client&lt;/b&gt;"));
	assert_null(strstr(o->text, "<b>"));
	assert_null(strstr(o->text, "<script"));
	assert_non_null(strstr(o->text, "value=\"content:write\" checked"));
	once = strstr(o->text, "value=\"content:read\"");
	assert_non_null(once);
	assert_null(strstr(once + 1, "value=\"content:read\""));
	assert_null(strstr(o->text, "any program may be asking"));
}

static void
a_program_on_this_computer_is_told_so(void **state)
{
	static const char *const uris[] = { "http%3A%2F%2F127.0.0.1%3A8123%2Fcb",
		"http%3A%2F%2F127.0.0.1%2Fcb", "http%3A%2F%2F%5B%3A%3A1%5D%3A9%2Fcb",
		"http%3A%2F%2Flocalhost%3A7%2Fcb" };
	static const char *const bad[] = { "http%3A%2F%2Flocalhost%3A8%2Fcb",
		"http%3A%2F%2F127.0.0.1%3A8123%2Fother", "http%3A%2F%2F127.0.0.1.evil.example%2Fcb",
		"http%3A%2F%2F127.0.0.1%3A8123%40evil.example%2Fcb",
		"https%3A%2F%2F127.0.0.1%3A8123%2Fcb", "http%3A%2F%2F127.0.0.1%3A%2Fcb",
		"http%3A%2F%2F127.0.0.1%3A123456%2Fcb", "http%3A%2F%2F127.0.0.2%2Fcb" };
	struct browser b = browser_make(*state, ANN, "editor");
	char query[600];

	flow_client(*state, "static", "native",
	    "[\"http://127.0.0.1/cb\",\"http://[::1]:4/cb\",\"http://localhost:7/cb\"]", NULL);
	for (size_t i = 0; i < sizeof(uris) / sizeof(uris[0]); i++) {
		struct outcome *o;

		snprintf(query, sizeof(query),
		    "response_type=code&client_id=native" PKCE "&redirect_uri=%s", uris[i]);
		o = flow_show(*state, &b, query);
		if (o->http != 200 || strstr(o->text, "any program may be asking") == NULL)
			fail_msg("%s: %d %s", uris[i], o->http, o->text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(query, sizeof(query),
		    "response_type=code&client_id=native" PKCE "&redirect_uri=%s", bad[i]);
		assert_int_equal(flow_show(*state, &b, query)->http, 400);
	}
}

static void
refusing_tells_the_client(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct outcome *o = flow_decide(*state, &b, ASK_BOTH, "action=deny&grant=content:read");

	assert_int_equal(o->http, 303);
	assert_sent_back(o, "access_denied");
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM oauth_grants"), "0");
	assert_sent_back(flow_decide(*state, &b, ASK_BOTH, "grant=content:read"), "access_denied");
}

static void
the_user_may_take_scopes_away_and_nobody_adds_any(void **state)
{
	struct browser b = browser_make(*state, ANN, "admin");
	char token[64], form[200];
	struct outcome *o;

	assert_sent_back(flow_decide(*state, &b, ASK_BOTH, "action=approve"), "invalid_scope");
	assert_sent_back(
	    flow_decide(*state, &b, ASK_BOTH, "action=approve&grant=admin"), "invalid_scope");
	o = flow_decide(*state, &b, ASK_BOTH,
	    "action=approve&grant=content:read&grant=admin&grant=media:read&grant=");
	assert_non_null(strstr(o->location, "code="));
	assert_string_equal(inside_ask(*state, "SELECT scopes FROM oauth_grants"), "content:read");
	/* the query asks for more than the page showed */
	flow_form_token(*state, &b, ASK "&scope=content:read", token);
	snprintf(form, sizeof(form), "action=approve&grant=admin&token=%s", token);
	o = flow_post(*state, &b, "/_cms/oauth/authorize?" ASK "&scope=content:read+admin", form);
	assert_int_equal(o->http, 403);
}

static void
what_the_client_or_the_role_may_not_have_is_not_offered(void **state)
{
	struct browser b = browser_make(*state, ANN, "contributor");
	struct outcome *o;

	person_sql(*state,
	    "UPDATE oauth_clients SET scopes = 'content:read schema:write' WHERE id = ?1", CLIENT);
	o = flow_show(*state, &b, ASK "&scope=content:read+content:write+schema:write+admin");
	assert_non_null(strstr(o->text, "value=\"content:read\""));
	assert_null(strstr(o->text, "value=\"content:write\""));
	assert_null(strstr(o->text, "value=\"schema:write\""));
	assert_sent_back(flow_show(*state, &b, ASK "&scope=schema:write"), "invalid_scope");
	assert_sent_back(flow_show(*state, &b, ASK "&scope=content:write"), "invalid_scope");
}

/* CSRF on consent (RFC 9700 4.7, security.md 16) */
static void
a_form_without_the_token_of_this_session_is_refused(void **state)
{
	struct browser ann = browser_make(*state, ANN, "editor");
	struct browser bob = browser_make(*state, "bob@example.org", "editor");
	char token[64], form[200];

	flow_form_token(*state, &bob, ASK_BOTH, token);
	snprintf(form, sizeof(form), "action=approve&grant=content:read&token=%s", token);
	assert_int_equal(
	    flow_post(*state, &ann, "/_cms/oauth/authorize?" ASK_BOTH, form)->http, 403);
	assert_int_equal(flow_post(*state, &ann, "/_cms/oauth/authorize?" ASK_BOTH,
			     "action=approve&grant=content:read")
			     ->http,
	    403);
	assert_int_equal(
	    flow_post(*state, &bob, "/_cms/oauth/authorize?" ASK_BOTH, form)->http, 303);
	/* the form of an earlier page, in a session that has ended */
	assert_ok(browser_ask(*state, &bob, "POST /auth/logout", ""));
	assert_int_equal(
	    strncmp(flow_post(*state, &bob, "/_cms/oauth/authorize?" ASK_BOTH, form)->location,
		"/_cms/signin", 12),
	    0);
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM oauth_grants"), "1");
}

static void
a_consent_is_asked_for_each_time(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	assert_int_equal(flow_show(*state, &b, ASK_BOTH)->http, 200);
}

static void
the_answer_carries_code_state_and_issuer(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct outcome *o = flow_decide(*state, &b, ASK_BOTH, "action=approve&grant=content:read");

	assert_int_equal(o->http, 303);
	assert_int_equal(strncmp(o->location, BACK "?code=", sizeof(BACK "?code=") - 1), 0);
	assert_string_equal(o->location + sizeof(BACK "?code=") - 1 + 43, "&state=s%261&" ISS);
}

static void
a_user_lists_and_withdraws_grants(void **state)
{
	struct browser ann = browser_make(*state, ANN, "editor");
	struct browser bob = browser_make(*state, "bob@example.org", "editor");
	char request[100], id[27], form[200], token[64];
	struct outcome *o;
	struct tokens t;
	const char *at;

	flow_tokens(*state, &ann, ASK_BOTH, &t);
	harness_ok(o, browser_ask(*state, &ann, "GET /auth/grants", NULL));
	assert_string_equal(harness_text(o->data, "items[0].clientId"), CLIENT);
	assert_string_equal(harness_text(o->data, "items[0].scopes[1]"), "content:write");
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "items[0].id"));
	snprintf(request, sizeof(request), "DELETE /auth/grants/%s", id);
	assert_code(browser_ask(*state, &bob, request, NULL), "NOT_FOUND");
	assert_true(flow_opens(*state, t.access));
	assert_ok(browser_ask(*state, &ann, request, NULL));
	assert_false(flow_opens(*state, t.access));

	flow_tokens(*state, &ann, ASK_BOTH, &t);
	o = browser_ask(*state, &ann, "GET //_cms/account/apps", NULL);
	assert_int_equal(o->http, 200);
	at = strstr(o->text, "name=\"token\" value=\"");
	assert_non_null(at);
	snprintf(token, sizeof(token), "%.43s", at + 20);
	at = strstr(o->text, "name=\"id\" value=\"");
	assert_non_null(at);
	snprintf(form, sizeof(form), "id=%.26s&token=%c%s", at + 17, token[0] == 'x' ? 'y' : 'x',
	    token + 1);
	snprintf(request, sizeof(request), "id=%.26s&token=%s", at + 17, token);
	assert_code(flow_post(*state, &ann, "/_cms/account/apps", form), "CSRF_REJECTED");
	assert_true(flow_opens(*state, t.access));
	assert_int_equal(flow_post(*state, &ann, "/_cms/account/apps", request)->http, 303);
	assert_false(flow_opens(*state, t.access));
	o = harness_request(*state, nobody, "GET //_cms/account/apps", NULL, NULL);
	assert_string_equal(o->location, "/_cms/signin?next=%2F_cms%2Faccount%2Fapps");
}

/* ---- narrowing ---- */

#define ALL "&grant=content:read&grant=content:write"

static void
a_consent_is_narrowed_to_drafts_or_reading(void **state)
{
	static const struct {
		const char *form, *scopes;
	} cases[] = {
		{ ALL "&access=all", "content:read content:write" },
		{ ALL "&access=drafts", "content:read content:draft" },
		{ ALL "&access=read", "content:read" },
		{ "&grant=content:write&access=drafts", "content:draft" },
		{ ALL "&access=read&compact=1", "content:read mcp:compact" },
	};
	struct browser b = browser_make(*state, ANN, "editor");
	struct outcome *o = flow_show(*state, &b, ASK_BOTH);
	char form[200];

	assert_non_null(strstr(o->text, "name=\"access\" value=\"drafts\""));
	assert_null(
	    strstr(flow_show(*state, &b, ASK "&scope=content:read")->text, "name=\"access\""));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(form, sizeof(form), "action=approve%s", cases[i].form);
		o = flow_decide(*state, &b, ASK_BOTH, form);
		assert_non_null(strstr(o->location, "code="));
		assert_string_equal(
		    inside_ask(*state, "SELECT scopes FROM oauth_grants ORDER BY id DESC LIMIT 1"),
		    cases[i].scopes);
	}
	assert_sent_back(
	    flow_decide(*state, &b, ASK_BOTH, "action=approve&grant=content:write&access=read"),
	    "invalid_scope");
}

static void
a_consent_is_narrowed_to_collections_and_a_day(void **state)
{
	struct browser b = browser_make(*state, ANN, "admin");
	struct outcome *o;
	struct tokens t;

	assert_ok(harness_op(
	    *state, admin, "schema_create_collection", "{\"slug\":\"news\",\"label\":\"News\"}"));
	assert_ok(harness_op(
	    *state, admin, "schema_create_collection", "{\"slug\":\"other\",\"label\":\"O\"}"));
	o = flow_show(*state, &b, ASK_BOTH);
	assert_non_null(strstr(o->text, "name=\"collection\" value=\"news\""));
	/* Collections that were deleted meanwhile do not mean all. */
	assert_sent_back(
	    flow_decide(*state, &b, ASK_BOTH, "action=approve" ALL "&collection=nowhere"),
	    "invalid_scope");
	o = flow_decide(*state, &b, ASK "&scope=content:read+content:write+admin",
	    "action=approve" ALL "&grant=admin&collection=news&collection=nowhere&until=day");
	assert_non_null(strstr(o->location, "code="));
	assert_string_equal(
	    inside_ask(*state, "SELECT scopes || ':' || collections FROM oauth_grants"),
	    "content:read content:write:news");
	harness_ok(o, browser_ask(*state, &b, "GET /auth/grants", NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0); /* no tokens yet */
	assert_string_equal(
	    inside_ask(*state,
		"SELECT CASE WHEN ends_at > created_at THEN 'later' ELSE '' END FROM oauth_grants"),
	    "later");
	person_sql(*state, "DELETE FROM oauth_grants WHERE client_id = ?1", CLIENT);
	flow_tokens(*state, &b, ASK_BOTH, &t);
	person_sql(
	    *state, "UPDATE oauth_grants SET collections = 'news' WHERE client_id = ?1", CLIENT);
	assert_ok(person_ask(*state, t.access, "GET /content/news", NULL));
	assert_code(person_ask(*state, t.access, "GET /content/other", NULL), "INSUFFICIENT_SCOPE");
	harness_ok(o, browser_ask(*state, &b, "GET /auth/grants", NULL));
	assert_string_equal(harness_text(o->data, "items[0].collections[0]"), "news");
}

/* The limits of the newest grant, as stored. */
static const char *
limits_of(struct harness *h)
{
	return inside_ask(
	    h, "SELECT coalesce(limits, '-') FROM oauth_grants ORDER BY id DESC LIMIT 1");
}

static void
a_grant_has_limits(void **state)
{
	struct browser b = browser_make(*state, ANN, "admin");
	char request[100];
	struct outcome *o;
	struct tokens t;

	o = flow_show(*state, &b, ASK_BOTH);
	assert_non_null(
	    strstr(o->text, "name=\"writesPerHour\" min=\"0\" max=\"1000000\" value=\"1000\""));
	o = flow_decide(*state, &b, ASK_BOTH, "action=approve" ALL "&writesPerHour=1000");
	assert_non_null(strstr(o->location, "code="));
	assert_string_equal(limits_of(*state), "-"); /* follows the settings */
	flow_decide(*state, &b, ASK_BOTH,
	    "action=approve" ALL "&writesPerHour=7&deletionsPerDay=0&callsPerMinute=");
	assert_string_equal(limits_of(*state), "writes:7 deletions:0");
	assert_sent_back(
	    flow_decide(*state, &b, ASK_BOTH, "action=approve" ALL "&writesPerHour=-1"),
	    "invalid_request");
	assert_sent_back(
	    flow_decide(*state, &b, ASK_BOTH, "action=approve" ALL "&batchItems=9999999999999"),
	    "invalid_request");

	person_sql(*state, "DELETE FROM oauth_grants WHERE client_id = ?1", CLIENT);
	flow_tokens(*state, &b, ASK_BOTH, &t);
	harness_ok(o, browser_ask(*state, &b, "GET /auth/grants", NULL));
	assert_int_equal(harness_int(o->data, "items[0].limits.writesPerHour"), 1000);
	assert_int_equal(harness_int(o->data, "items[0].limits.deletionsPerDay"), 100);
	snprintf(
	    request, sizeof(request), "PUT /auth/grants/%s", harness_text(o->data, "items[0].id"));
	harness_ok(
	    o, browser_ask(*state, &b, request, "{\"callsPerMinute\":2,\"writesPerHour\":null}"));
	assert_int_equal(harness_int(o->data, "limits.callsPerMinute"), 2);
	assert_ok(person_ask(*state, t.access, "GET /content/posts", NULL));
	assert_ok(person_ask(*state, t.access, "GET /content/posts", NULL));
	o = person_ask(*state, t.access, "GET /content/posts", NULL);
	assert_code(o, "RATE_LIMITED");
	assert_int_equal(harness_int(o->body, "error.details.retryAfter"), 30);
	o = browser_ask(*state, &b, "GET //_cms/account/apps", NULL);
	assert_non_null(strstr(o->text, "Calls a minute: 2"));
	assert_code(browser_ask(*state, &b, "PUT /auth/grants/none", "{}"), "NOT_FOUND");
	assert_code(
	    browser_ask(*state, &b, request, "{\"callsPerMinute\":-1}"), "VALIDATION_ERROR");
}

static void
a_program_does_not_raise_its_own_limits(void **state)
{
	struct browser ann = browser_make(*state, ANN, "admin");
	struct browser bob = browser_make(*state, "bob@example.org", "admin");
	char request[100];
	struct outcome *o;
	struct tokens t;

	flow_tokens(*state, &ann, ASK_BOTH, &t);
	person_sql(*state, "UPDATE oauth_tokens SET scopes = ?1", "admin");
	person_sql(*state, "UPDATE oauth_grants SET scopes = ?1", "admin");
	harness_ok(o, browser_ask(*state, &ann, "GET /auth/grants", NULL));
	snprintf(
	    request, sizeof(request), "PUT /auth/grants/%s", harness_text(o->data, "items[0].id"));
	assert_code(person_ask(*state, t.access, request, "{\"writesPerHour\":0}"), "FORBIDDEN");
	assert_code(browser_ask(*state, &bob, request, "{\"writesPerHour\":0}"), "NOT_FOUND");
	assert_string_equal(limits_of(*state), "-");
}

int
main(void)
{
#define FLOW(test) cmocka_unit_test_setup_teardown(test, flow_begin, person_end)
	const struct CMUnitTest tests[] = {
		FLOW(a_request_that_is_not_proved_is_a_page),
		FLOW(other_problems_go_to_the_client_with_state_and_issuer),
		FLOW(a_state_that_is_too_long_is_not_dropped_in_silence),
		FLOW(who_is_not_signed_in_is_sent_to_sign_in_and_comes_back),
		FLOW(a_token_does_not_count_as_the_user),
		FLOW(the_page_names_who_asks_and_what_for),
		FLOW(a_program_on_this_computer_is_told_so),
		FLOW(refusing_tells_the_client),
		FLOW(the_user_may_take_scopes_away_and_nobody_adds_any),
		FLOW(what_the_client_or_the_role_may_not_have_is_not_offered),
		FLOW(a_form_without_the_token_of_this_session_is_refused),
		FLOW(a_consent_is_asked_for_each_time),
		FLOW(the_answer_carries_code_state_and_issuer),
		FLOW(a_user_lists_and_withdraws_grants),
		FLOW(a_consent_is_narrowed_to_drafts_or_reading),
		FLOW(a_consent_is_narrowed_to_collections_and_a_day),
		FLOW(a_grant_has_limits),
		FLOW(a_program_does_not_raise_its_own_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
