/* tokens.t - codes, access tokens and refresh tokens: what each opens, how often, and what ends
 * it. */
#include "flow.h"
#include "inside.h"
#include <stdio.h>

#define ROWS                                                                         \
	"SELECT (SELECT count(*) FROM oauth_grants) || ' ' || (SELECT count(*) FROM" \
	" oauth_codes) || ' ' || (SELECT count(*) FROM oauth_tokens)"
#define ANN "ann@example.org"

static void
a_code_becomes_tokens_once(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;
	struct outcome *o;
	char code[64];

	flow_code(*state, &b, ASK_BOTH, code);
	o = flow_exchange(*state, code);
	assert_int_equal(o->http, 200);
	assert_string_equal(harness_text(o->body, "token_type"), "Bearer");
	assert_int_equal(harness_int(o->body, "expires_in"), 3600);
	assert_string_equal(harness_text(o->body, "scope"), "content:read content:write");
	assert_null(o->data);
	flow_take(o, &t);
	assert_int_equal(strncmp(t.access, "cms_oat_", 8), 0);
	assert_int_equal(strncmp(t.refresh, "cms_ort_", 8), 0);
	assert_true(flow_opens(*state, t.access));
	assert_false(flow_opens(*state, t.refresh));
}

/* RFC 9700 2.1.1, RFC 6749 4.1.2 */
static void
a_code_that_comes_twice_ends_what_came_of_it(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;
	char code[64];

	flow_code(*state, &b, ASK_BOTH, code);
	flow_take(flow_exchange(*state, code), &t);
	assert_true(flow_opens(*state, t.access));
	flow_refused(flow_exchange(*state, code), "invalid_grant");
	assert_false(flow_opens(*state, t.access));
	flow_refused(flow_refresh(*state, t.refresh), "invalid_grant");
}

/* A failed exchange uses up the code, whatever the error (RFC 9700 4.5, 4.8). */
static void
an_exchange_that_fails_uses_up_the_code(void **state)
{
	static const char *const wrong[] = {
		"client_id=other&redirect_uri=" BACK "&code_verifier=" VERIFIER,
		"client_id=" CLIENT
		"&redirect_uri=https%3A%2F%2Fevil.example&code_verifier=" VERIFIER,
		"client_id=" CLIENT "&redirect_uri=" BACK
		"&code_verifier=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"client_id=" CLIENT "&redirect_uri=" BACK "&code_verifier=short",
		"client_id=" CLIENT "&redirect_uri=" BACK "&code_verifier=" CHALLENGE,
	};
	struct browser b = browser_make(*state, ANN, "editor");
	char code[64];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		flow_code(*state, &b, ASK_BOTH, code);
		flow_refused(
		    flow_token(*state, "grant_type=authorization_code&code=%s&%s", code, wrong[i]),
		    "invalid_grant");
		flow_refused(flow_exchange(*state, code), "invalid_grant");
	}
	flow_code(*state, &b, ASK_BOTH, code);
	harness_clock(*state, "2026-06-01T12:10:00.000Z");
	flow_refused(flow_exchange(*state, code), "invalid_grant");
}

static void
requests_that_cannot_be_read_are_refused_in_the_words_of_the_protocol(void **state)
{
	struct outcome *o;

	flow_refused(flow_token(*state, "x=1"), "invalid_request");
	flow_refused(
	    flow_token(*state, "grant_type=password&username=a"), "unsupported_grant_type");
	flow_refused(flow_token(*state, "grant_type=authorization_code"), "invalid_request");
	flow_refused(flow_token(*state, "grant_type=refresh_token&grant_type=refresh_token"),
	    "invalid_request");
	flow_refused(
	    flow_token(*state, "grant_type=refresh_token&refresh_token=%%"), "invalid_request");
	o = harness_request(*state, nobody, "POST /oauth/token", "Content-Type: application/json",
	    "{\"grant_type\":7}");
	flow_refused(o, "invalid_request");
	o = harness_request(*state, nobody, "POST /oauth/token", "Content-Type: application/json",
	    "{\"grant_type\":\"a\",\"grant_type\":\"b\"}");
	flow_refused(o, "invalid_request");
	o = harness_request(
	    *state, nobody, "POST /oauth/token", "Content-Type: text/plain", "grant_type=x");
	flow_refused(o, "invalid_request");
	o = harness_request(*state, nobody, "POST /oauth/token",
	    "Content-Type: application/x-www-form-urlencoded\r\nAuthorization: Basic YTpi", "a=b");
	assert_int_equal(o->http, 401);
	assert_string_equal(harness_text(o->body, "error"), "invalid_client");
}

static void
json_bodies_and_unknown_parameters_are_read(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	char code[64], body[600];
	struct tokens t;

	flow_code(*state, &b, ASK_BOTH "&utm_x=1&utm_x=2&nonce=7", code);
	snprintf(body, sizeof(body),
	    "{\"grant_type\":\"authorization_code\",\"code\":\"%s\",\"client_id\":\"" CLIENT
	    "\",\"redirect_uri\":\"" BACK "\",\"code_verifier\":\"" VERIFIER
	    "\",\"audience\":[1,2],\"resource\":null}",
	    code);
	flow_take(harness_request(*state, nobody, "POST /oauth/token",
		      "Content-Type: application/json; charset=utf-8", body),
	    &t);
	assert_true(flow_opens(*state, t.access));
}

static void
an_access_token_lives_for_an_hour(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	harness_clock(*state, "2026-06-01T12:59:59.999Z");
	assert_true(flow_opens(*state, t.access));
	harness_clock(*state, "2026-06-01T13:00:00.000Z");
	assert_false(flow_opens(*state, t.access));
}

static void
a_code_lives_for_as_many_minutes_as_is_set(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;
	char early[64], late[64];

	assert_ok(harness_request(*state, admin, "PUT /admin/plugins/oauth/settings", NULL,
	    "{\"values\":{\"authorizationCodeMinutes\":2}}"));
	flow_code(*state, &b, ASK_BOTH, early);
	flow_code(*state, &b, ASK_BOTH, late);
	harness_clock(*state, "2026-06-01T12:01:59.999Z");
	flow_take(flow_exchange(*state, early), &t);
	harness_clock(*state, "2026-06-01T12:02:00.000Z");
	flow_refused(flow_exchange(*state, late), "invalid_grant");
}

/* Decision 32, RFC 9700 4.14.2 */
static void
a_refresh_token_changes_at_each_use(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens first, second, third;

	flow_tokens(*state, &b, ASK_BOTH, &first);
	flow_take(flow_refresh(*state, first.refresh), &second);
	assert_string_not_equal(first.refresh, second.refresh);
	harness_clock(*state, "2026-06-01T12:00:59.999Z");
	assert_true(flow_opens(*state, first.access));
	assert_true(flow_opens(*state, second.access));
	harness_clock(*state, "2026-06-01T12:01:00.000Z");
	assert_false(flow_opens(*state, first.access));
	harness_clock(*state, "2026-06-01T12:01:00.001Z");
	flow_take(flow_refresh(*state, second.refresh), &third);
	assert_string_not_equal(second.refresh, third.refresh);
	harness_clock(*state, "2026-06-01T12:02:00.001Z");
	assert_false(flow_opens(*state, second.access));
	assert_true(flow_opens(*state, third.access));
}

/* A program sends several requests after its access token has expired. Each gets 401 and refreshes,
 * some after others have stored and used their new tokens. The program keeps the tokens of the last
 * response (core/adr/0054). */
static void
refreshes_at_the_same_time_end_with_the_same_token_in_any_order(void **state)
{
	static const char *const orders[] = { "oooo", "onon", "oonn", "onno", "onnn" };
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens old, new, t[4];

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		flow_tokens(*state, &b, ASK_BOTH, &old);
		for (size_t k = 0; k < 4; k++) {
			flow_take(
			    flow_refresh(*state, orders[i][k] == 'o' ? old.refresh : new.refresh),
			    &t[k]);
			if (k == 0)
				new = t[0];
			assert_string_equal(t[k].refresh, new.refresh);
		}
		for (size_t k = 0; k < 4; k++)
			assert_true(flow_opens(*state, t[k].access));
		assert_true(flow_opens(*state, old.access));
	}
	/* the last moment of the minute, and an hour later */
	harness_clock(*state, "2026-06-01T12:01:00.000Z");
	flow_take(flow_refresh(*state, new.refresh), &t[0]);
	flow_take(flow_refresh(*state, old.refresh), &t[1]);
	assert_string_equal(t[0].refresh, new.refresh);
	assert_string_equal(t[1].refresh, new.refresh);
	harness_clock(*state, "2026-06-01T13:00:00.000Z");
	flow_take(flow_refresh(*state, new.refresh), &t[0]);
	assert_string_not_equal(t[0].refresh, new.refresh);
}

static void
an_old_refresh_token_ends_the_family_once_its_successor_was_used(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens first, second, third;

	flow_tokens(*state, &b, ASK_BOTH, &first);
	flow_take(flow_refresh(*state, first.refresh), &second);
	harness_clock(*state, "2026-06-01T12:01:00.001Z");
	flow_take(flow_refresh(*state, second.refresh), &third);
	flow_refused(flow_refresh(*state, first.refresh), "invalid_grant");
	assert_false(flow_opens(*state, third.access));
	flow_refused(flow_refresh(*state, third.refresh), "invalid_grant");
}

/* Within the minute a thief gets the program's tokens and no others. The theft is detected when
 * both refresh again. */
static void
two_with_the_same_refresh_token_are_found_when_both_use_it_again(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens first, ours, theirs, last;

	flow_tokens(*state, &b, ASK_BOTH, &first);
	flow_take(flow_refresh(*state, first.refresh), &ours);
	flow_take(flow_refresh(*state, ours.refresh), &ours);
	flow_take(flow_refresh(*state, first.refresh), &theirs);
	assert_string_equal(ours.refresh, theirs.refresh);
	harness_clock(*state, "2026-06-01T13:00:00.000Z");
	flow_take(flow_refresh(*state, theirs.refresh), &last);
	harness_clock(*state, "2026-06-01T13:01:00.001Z");
	flow_refused(flow_refresh(*state, ours.refresh), "invalid_grant");
	assert_false(flow_opens(*state, last.access));
	flow_refused(flow_refresh(*state, last.refresh), "invalid_grant");
}

/* Setting the clock back does not extend the minute. */
static void
a_clock_that_is_set_back_does_not_prolong_the_minute(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens first, second, third;

	flow_tokens(*state, &b, ASK_BOTH, &first);
	flow_take(flow_refresh(*state, first.refresh), &second);
	harness_clock(*state, "2026-06-01T11:58:00.000Z");
	flow_take(flow_refresh(*state, second.refresh), &third);
	assert_string_not_equal(second.refresh, third.refresh);
	flow_refused(flow_refresh(*state, first.refresh), "invalid_grant");
	assert_false(flow_opens(*state, third.access));
}

static void
an_old_refresh_token_ends_the_family_after_a_minute(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens first, second;

	flow_tokens(*state, &b, ASK_BOTH, &first);
	flow_take(flow_refresh(*state, first.refresh), &second);
	harness_clock(*state, "2026-06-01T12:01:00.001Z");
	flow_refused(flow_refresh(*state, first.refresh), "invalid_grant");
	assert_false(flow_opens(*state, second.access));
	flow_refused(flow_refresh(*state, second.refresh), "invalid_grant");
}

static void
a_refresh_token_lasts_for_90_days_of_silence(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t, u;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	harness_clock(*state, "2026-08-30T11:59:59.999Z");
	flow_take(flow_refresh(*state, t.refresh), &u);
	harness_clock(*state, "2026-11-28T12:00:00.000Z");
	flow_refused(flow_refresh(*state, u.refresh), "invalid_grant");
}

static void
a_refresh_token_is_its_clients(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t, u;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	flow_refused(
	    flow_token(*state, "grant_type=refresh_token&client_id=x&refresh_token=%s", t.refresh),
	    "invalid_grant");
	flow_take(flow_token(*state, "grant_type=refresh_token&refresh_token=%s", t.refresh), &u);
}

/* RFC 6749 6 */
static void
a_refresh_may_ask_for_less_and_never_for_more(void **state)
{
	struct browser b = browser_make(*state, ANN, "admin");
	struct outcome *o;
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	flow_refused(flow_token(*state,
			 "grant_type=refresh_token&scope=content:read+admin"
			 "&refresh_token=%s",
			 t.refresh),
	    "invalid_scope");
	o = flow_token(
	    *state, "grant_type=refresh_token&scope=content:read&refresh_token=%s", t.refresh);
	assert_string_equal(harness_text(o->body, "scope"), "content:read");
	flow_take(o, &t);
	assert_code(person_ask(*state, t.access, "POST /content/posts", "{\"data\":{}}"),
	    "INSUFFICIENT_SCOPE");
	o = flow_refresh(*state, t.refresh);
	assert_string_equal(harness_text(o->body, "scope"), "content:read content:write");
}

static void
scopes_follow_the_role_at_each_use(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct outcome *o;
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	person_sql(*state, "UPDATE users SET role = 10 WHERE email = ?1", ANN);
	assert_true(flow_opens(*state, t.access));
	assert_code(person_ask(*state, t.access, "POST /content/posts", "{\"data\":{}}"),
	    "INSUFFICIENT_SCOPE");
	o = flow_refresh(*state, t.refresh);
	assert_string_equal(harness_text(o->body, "scope"), "content:read");
}

static void
scopes_follow_the_client_at_each_use(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	person_sql(
	    *state, "UPDATE oauth_clients SET scopes = 'content:read' WHERE id = ?1", CLIENT);
	assert_code(person_ask(*state, t.access, "POST /content/posts", "{\"data\":{}}"),
	    "INSUFFICIENT_SCOPE");
	person_sql(*state, "DELETE FROM oauth_clients WHERE id = ?1", CLIENT);
	assert_false(flow_opens(*state, t.access));
}

static void
a_disabled_user_has_no_tokens(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	assert_ok(harness_op(*state, admin, "user_disable", "{\"email\":\"" ANN "\"}"));
	assert_false(flow_opens(*state, t.access));
	flow_refused(flow_refresh(*state, t.refresh), "invalid_grant");
	assert_ok(harness_op(*state, admin, "user_enable", "{\"email\":\"" ANN "\"}"));
	assert_false(flow_opens(*state, t.access));
}

static void
who_was_disabled_while_the_module_was_off_has_no_tokens(void **state)
{
	struct browser ann = browser_make(*state, ANN, "editor");
	struct browser bob = browser_make(*state, "bob@example.org", "editor");
	struct tokens of_ann, of_bob;

	flow_tokens(*state, &ann, ASK_BOTH, &of_ann);
	flow_tokens(*state, &bob, ASK_BOTH, &of_bob);
	harness_clock(*state, "2026-06-01T12:10:00.000Z");
	inside_enable(*state, "oauth", false);
	assert_false(flow_opens(*state, of_bob.access));
	harness_clock(*state, "2026-06-01T12:20:00.000Z");
	assert_ok(harness_op(*state, admin, "user_disable", "{\"email\":\"" ANN "\"}"));
	assert_ok(harness_op(*state, admin, "user_enable", "{\"email\":\"" ANN "\"}"));
	harness_clock(*state, "2026-06-01T12:30:00.000Z");
	inside_enable(*state, "oauth", true);
	for (int i = 0; i < 20 && inside_work(*state, "oauth"); i++)
		continue;
	assert_false(flow_opens(*state, of_ann.access));
	flow_refused(flow_refresh(*state, of_ann.refresh), "invalid_grant");
	assert_true(flow_opens(*state, of_bob.access));
}

static int
ping(struct harness *h, const char *access)
{
	char headers[256];

	snprintf(headers, sizeof(headers),
	    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	    "Authorization: Bearer %s",
	    access);
	return harness_request(
	    h, nobody, "POST /mcp", headers, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")
	    ->http;
}

/* Returns the status of a request without a body. */
static int
at_tool_server(struct harness *h, const char *method, const char *access)
{
	char headers[256], request[32];

	(void)snprintf(request, sizeof(request), "%s /mcp", method);
	(void)snprintf(headers, sizeof(headers), "Authorization: Bearer %s", access);
	return harness_request(h, nobody, request, headers, NULL)->http;
}

/* RFC 8707: the token is valid for that endpoint only. */
static void
a_token_for_the_tool_server_opens_nothing_else(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;
	char code[64];

	for (int i = 0; i < 2; i++) { /* the second time in the memory of the snapshot */
		if (i == 0)
			flow_tokens(*state, &b, ASK_BOTH "&resource=" MCP_URL, &t);
		assert_false(flow_opens(*state, t.access));
		assert_int_equal(ping(*state, t.access), 200);
		assert_int_equal(at_tool_server(*state, "GET", t.access), 405);
		assert_int_equal(at_tool_server(*state, "DELETE", t.access), 405);
		assert_false(flow_opens(*state, t.access));
		flow_take(flow_refresh(*state, t.refresh), &t);
	}
	flow_code(*state, &b, ASK_BOTH, code); /* resource is only named in the exchange */
	flow_take(flow_token(*state,
		      "grant_type=authorization_code&code=%s&client_id=" CLIENT
		      "&redirect_uri=" BACK "&code_verifier=" VERIFIER "&resource=" MCP_URL,
		      code),
	    &t);
	assert_false(flow_opens(*state, t.access));
	assert_int_equal(ping(*state, t.access), 200);
	flow_refused(flow_token(*state,
			 "grant_type=refresh_token&refresh_token=%s&resource="
			 "https://other.example",
			 t.refresh),
	    "invalid_target");
	flow_tokens(*state, &b, ASK_BOTH, &t);
	assert_int_equal(ping(*state, t.access), 200);
}

/* RFC 7009 */
static void
revoking_ends_a_token_or_all_of_them(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	char form[128];
	struct outcome *o;
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	snprintf(form, sizeof(form), "token=%s&client_id=other", t.access);
	o = flow_post(*state, NULL, "/_cms/api/oauth/token/revoke", form);
	assert_true(json_is_true(harness_at(o->body, "revoked")));
	assert_true(flow_opens(*state, t.access));
	snprintf(form, sizeof(form), "token=%s&client_id=" CLIENT, t.access);
	o = flow_post(*state, NULL, "/_cms/api/oauth/token/revoke", form);
	assert_true(json_is_true(harness_at(o->data, "revoked")));
	assert_false(flow_opens(*state, t.access));
	flow_take(flow_refresh(*state, t.refresh), &t);
	snprintf(form, sizeof(form), "token=%s", t.refresh);
	o = flow_post(*state, NULL, "/_cms/api/oauth/token/revoke", form);
	assert_int_equal(o->http, 200);
	assert_false(flow_opens(*state, t.access));
	flow_refused(flow_refresh(*state, t.refresh), "invalid_grant");
	o = flow_post(*state, NULL, "/_cms/api/oauth/token/revoke", "token=nonsense");
	assert_int_equal(o->http, 200);
	flow_refused(
	    flow_post(*state, NULL, "/_cms/api/oauth/token/revoke", "a=b"), "invalid_request");
}

static void
the_extra_endpoint_answers_in_both_forms(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	char body[128];
	struct outcome *o;
	struct tokens t;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	snprintf(body, sizeof(body), "{\"refresh_token\":\"%s\"}", t.refresh);
	o = harness_request(
	    *state, nobody, "POST /oauth/token/refresh", "Content-Type: application/json", body);
	assert_int_equal(o->http, 200);
	assert_string_equal(
	    harness_text(o->body, "access_token"), harness_text(o->data, "access_token"));
	flow_take(o, &t);
	assert_true(flow_opens(*state, t.access));
}

static void
run_jobs(struct harness *h)
{
	for (int i = 0; i < 20 && inside_work(h, "oauth"); i++)
		continue;
}

static void
expired_rows_are_swept(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t;
	char code[64];

	flow_tokens(*state, &b, ASK_BOTH, &t);
	flow_code(*state, &b, ASK_BOTH, code);
	assert_string_equal(inside_ask(*state, ROWS), "2 2 1");
	harness_clock(*state, "2026-06-01T13:00:00.000Z");
	run_jobs(*state);
	assert_string_equal(inside_ask(*state, ROWS), "1 0 0");
	harness_clock(*state, "2026-09-01T13:00:00.000Z");
	run_jobs(*state);
	assert_string_equal(inside_ask(*state, ROWS), "0 0 0");
}

static void
grants_and_access_tokens_are_bounded(void **state)
{
	struct browser b = browser_make(*state, ANN, "editor");
	struct tokens t, last;

	flow_tokens(*state, &b, ASK_BOTH, &t);
	flow_take(flow_refresh(*state, t.refresh), &last);
	for (int i = 0; i < 40; i++)
		flow_take(flow_refresh(*state, t.refresh), &last);
	assert_string_equal(inside_ask(*state, ROWS), "1 1 32");
	for (int i = 0; i < 15; i++)
		flow_tokens(*state, &b, ASK_BOTH, &t);
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM oauth_grants"), "10");
}

int
main(void)
{
#define FLOW(test) cmocka_unit_test_setup_teardown(test, flow_begin, person_end)
	const struct CMUnitTest tests[] = {
		FLOW(a_code_becomes_tokens_once),
		FLOW(a_code_that_comes_twice_ends_what_came_of_it),
		FLOW(an_exchange_that_fails_uses_up_the_code),
		FLOW(requests_that_cannot_be_read_are_refused_in_the_words_of_the_protocol),
		FLOW(json_bodies_and_unknown_parameters_are_read),
		FLOW(an_access_token_lives_for_an_hour),
		FLOW(a_code_lives_for_as_many_minutes_as_is_set),
		FLOW(a_refresh_token_changes_at_each_use),
		FLOW(refreshes_at_the_same_time_end_with_the_same_token_in_any_order),
		FLOW(an_old_refresh_token_ends_the_family_once_its_successor_was_used),
		FLOW(two_with_the_same_refresh_token_are_found_when_both_use_it_again),
		FLOW(a_clock_that_is_set_back_does_not_prolong_the_minute),
		FLOW(an_old_refresh_token_ends_the_family_after_a_minute),
		FLOW(a_refresh_token_lasts_for_90_days_of_silence),
		FLOW(a_refresh_token_is_its_clients),
		FLOW(a_refresh_may_ask_for_less_and_never_for_more),
		FLOW(scopes_follow_the_role_at_each_use),
		FLOW(scopes_follow_the_client_at_each_use),
		FLOW(a_disabled_user_has_no_tokens),
		FLOW(who_was_disabled_while_the_module_was_off_has_no_tokens),
		FLOW(a_token_for_the_tool_server_opens_nothing_else),
		FLOW(revoking_ends_a_token_or_all_of_them),
		FLOW(the_extra_endpoint_answers_in_both_forms),
		FLOW(expired_rows_are_swept),
		FLOW(grants_and_access_tokens_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
