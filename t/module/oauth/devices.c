/* devices.t - the device flow: codes, polling, the page, and who may approve. */
#include "browser.h"
#include "day.h"
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

#define PAGE "//_cms/oauth/device"

struct codes {
	char device[64], user[16];
};

static struct outcome *
form(struct harness *h, const char *request, const char *body)
{
	return harness_request(
	    h, nobody, request, "Content-Type: application/x-www-form-urlencoded", body);
}

static struct codes
begin(struct harness *h, const char *body)
{
	struct outcome *o = form(h, "POST /oauth/device/code", body);
	struct codes c;

	if (o->http != 200)
		print_error("answer: %d %s\n", o->http, o->text);
	assert_int_equal(o->http, 200);
	snprintf(c.device, sizeof(c.device), "%s", harness_text(o->body, "device_code"));
	snprintf(c.user, sizeof(c.user), "%s", harness_text(o->body, "user_code"));
	return c;
}

static struct outcome *
poll(struct harness *h, const struct codes *c)
{
	char body[256];

	snprintf(body, sizeof(body),
	    "grant_type=urn%%3Aietf%%3Aparams%%3Aoauth%%3Agrant-type%%3Adevice_code&device_code=%s",
	    c->device);
	return form(h, "POST /oauth/device/token", body);
}

static struct outcome *
decide(struct harness *h, const struct browser *b, const char *code, const char *action)
{
	char body[200];

	snprintf(body, sizeof(body), "{\"user_code\":\"%s\",\"action\":\"%s\"}", code, action);
	return browser_ask(h, b, "POST /oauth/device/authorize", body);
}

/* ---- codes ---- */

static void
a_device_gets_codes_bare_and_in_the_envelope(void **state)
{
	struct harness *h = *state;
	struct outcome *o = form(h, "POST /oauth/device/code", "client_id=stet-cli&unknown=1");
	const char *code = harness_text(o->body, "user_code");

	assert_int_equal(o->http, 200);
	assert_int_equal(strlen(code), 9);
	assert_int_equal(code[4], '-');
	assert_int_equal(strspn(code, "ABCDEFGHJKLMNPQRSTUVWXYZ23456789-"), 9);
	assert_string_equal(harness_text(o->body, "data.user_code"), code);
	assert_string_equal(
	    harness_text(o->body, "verification_uri"), "http://localhost/_cms/oauth/device");
	assert_int_equal(harness_int(o->body, "expires_in"), 900);
	assert_int_equal(harness_int(o->body, "interval"), 5);
	assert_int_equal(strlen(harness_text(o->body, "device_code")), 43);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_clients"), "0");
}

static void
bad_requests_for_codes_are_refused(void **state)
{
	struct harness *h = *state;

	day_refused(form(h, "POST /oauth/device/code", "scope=nonsense"), 400, "invalid_scope");
	day_refused(
	    form(h, "POST /oauth/device/code", "client_id=a&client_id=b"), 400, "invalid_request");
	day_refused(form(h, "POST /oauth/device/code", "resource=https%3A%2F%2Fother.example%2F"),
	    400, "invalid_target");
	day_refused(form(h, "POST /oauth/device/code", "client_id=a%20b"), 401, "invalid_client");
	day_refused(form(h, "POST /oauth/device/token", "device_code=abc"), 400, "invalid_grant");
	day_refused(form(h, "POST /oauth/device/token", ""), 400, "invalid_request");
	day_refused(form(h, "POST /oauth/device/token", "grant_type=password&device_code=a"), 400,
	    "unsupported_grant_type");
}

static void
waiting_codes_are_bounded(void **state)
{
	struct harness *h = *state;
	char until[40];

	(void)snprintf(until, sizeof(until), "2026-06-%02dT12:15:00.000Z", day);
	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
	    " INSERT INTO oauth_devices (hash, user_code, client_id, client, scopes, address,"
	    " created_at, expires_at, poll_interval, polled, denied)"
	    " SELECT CAST('h' || i AS BLOB), 'u' || i, 'c', '{}', 's', '', '2026', ?1, 5,"
	    " 0, 0 FROM n",
	    until);
	day_refused(
	    form(h, "POST /oauth/device/code", "client_id=a"), 503, "temporarily_unavailable");
	day_at(h, "12:15:00");
	begin(h, "scope=content%3Aread");
	/* The job deletes expired codes. */
	inside_run_job(h, "oauth");
	assert_string_equal(
	    inside_ask(h, "SELECT CASE WHEN count(*) < 600 THEN 'fewer' END FROM oauth_devices"),
	    "fewer");
}

/* ---- polls ---- */

static void
who_asks_too_often_is_slowed_down(void **state)
{
	struct harness *h = *state;
	struct codes c = begin(h, "scope=content%3Aread");

	day_refused(poll(h, &c), 400, "authorization_pending");
	day_at(h, "12:00:05");
	day_refused(poll(h, &c), 400, "authorization_pending");
	day_at(h, "12:00:09");
	day_refused(poll(h, &c), 400, "slow_down");
	assert_string_equal(inside_ask(h, "SELECT poll_interval FROM oauth_devices"), "10");
	day_at(h, "12:00:18");
	day_refused(poll(h, &c), 400, "slow_down");
	day_at(h, "12:01:00");
	day_refused(poll(h, &c), 400, "authorization_pending");
	for (int i = 0; i < 6; i++)
		(void)poll(h, &c);
	inside_sql(h, "UPDATE oauth_devices SET poll_interval = 58", NULL);
	(void)poll(h, &c);
	assert_string_equal(inside_ask(h, "SELECT poll_interval FROM oauth_devices"), "60");
}

static void
codes_expire(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "admin");
	struct codes c = begin(h, "scope=content%3Aread");

	day_at(h, "12:15:00");
	assert_code(decide(h, &b, c.user, "approve"), "EXPIRED_CODE");
	day_refused(poll(h, &c), 400, "expired_token");
}

static void
codes_expire_after_as_many_minutes_as_is_set(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct codes c;

	assert_ok(harness_request(h, admin, "PUT /admin/plugins/oauth/settings", NULL,
	    "{\"values\":{\"deviceCodeMinutes\":40}}"));
	o = form(h, "POST /oauth/device/code", "scope=content%3Aread");
	assert_int_equal(harness_int(o->body, "expires_in"), 2400);
	c = begin(h, "scope=content%3Aread");
	day_at(h, "12:39:59");
	day_refused(poll(h, &c), 400, "authorization_pending");
	day_at(h, "12:40:00");
	day_refused(poll(h, &c), 400, "expired_token");
}

static void
an_approved_device_gets_tokens_once(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "admin");
	struct codes c = begin(h, "client_id=stet-cli&scope=content%3Aread+admin");
	struct outcome *o;
	char typed[40] = "", header[128];
	int won = 0;

	/* The code as people type it. */
	snprintf(typed, sizeof(typed), " %.3s %c%s", c.user, c.user[3], c.user + 5);
	for (char *p = typed; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
	harness_ok(o, decide(h, &b, typed, "approve"));
	assert_true(json_is_true(harness_at(o->data, "authorized")));
	assert_code(decide(h, &b, c.user, "approve"), "INVALID_CODE");
	for (int i = 0; i < 12; i++) {
		o = poll(h, &c);
		if (o->http == 200) {
			won++;
			assert_string_equal(harness_text(o->body, "scope"), "content:read admin");
			assert_string_equal(harness_text(o->body, "token_type"), "Bearer");
			assert_string_equal(harness_text(o->body, "data.access_token"),
			    harness_text(o->body, "access_token"));
			snprintf(header, sizeof(header), "Authorization: Bearer %s",
			    harness_text(o->body, "access_token"));
		} else {
			day_refused(o, 400, "invalid_grant");
		}
	}
	assert_int_equal(won, 1);
	assert_int_equal(strncmp(header, "Authorization: Bearer cms_oat_", 30), 0);
	assert_string_equal(
	    inside_ask(h, "SELECT kind || ' ' || name FROM oauth_clients"), "device stet-cli");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_grants"), "1");
	/* Deleting the client ends its grants. */
	assert_ok(harness_request(h, admin, "DELETE /admin/oauth-clients/stet-cli", NULL, NULL));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_grants"), "0");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_tokens"), "0");
}

static void
a_refused_device_is_told_so(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "admin");
	struct codes c = begin(h, "scope=content%3Aread");
	struct outcome *o;

	harness_ok(o, decide(h, &b, c.user, "deny"));
	assert_true(json_is_false(harness_at(o->data, "authorized")));
	day_refused(poll(h, &c), 400, "access_denied");
	day_refused(poll(h, &c), 400, "invalid_grant");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_grants"), "0");
}

/* ---- who may approve ---- */

static void
only_a_session_approves(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "admin");
	const struct harness_user token[1] = { { .id = b.user, .role = 50 } };
	struct codes c = begin(h, "scope=content%3Aread");
	char body[100], headers[200];

	snprintf(body, sizeof(body), "{\"user_code\":\"%s\"}", c.user);
	assert_code(
	    harness_request(h, nobody, "POST /oauth/device/authorize", NULL, body), "UNAUTHORIZED");
	assert_code(harness_request(h, token, "POST /oauth/device/authorize", NULL, body),
	    "INVALID_REQUEST");
	snprintf(headers, sizeof(headers), "Cookie: %s", b.cookie);
	assert_code(harness_request(h, nobody, "POST /oauth/device/authorize", headers, body),
	    "CSRF_REJECTED");
	day_refused(poll(h, &c), 400, "authorization_pending");
}

static void
a_user_grants_no_more_than_the_role_has(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "author");
	struct codes c = begin(h, "scope=content%3Awrite+schema%3Awrite");
	struct outcome *o;

	assert_ok(decide(h, &b, c.user, "approve"));
	o = poll(h, &c);
	assert_int_equal(o->http, 200);
	assert_string_equal(harness_text(o->body, "scope"), "content:write");
	c = begin(h, "scope=schema%3Awrite");
	assert_code(decide(h, &b, c.user, "approve"), "INSUFFICIENT_ROLE");
	day_refused(poll(h, &c), 400, "authorization_pending");
}

static void
guesses_are_counted_in_the_database(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "admin");
	struct browser other = browser_make(h, "bob@example.org", "admin");
	struct codes c = begin(h, "scope=content%3Aread");

	for (int i = 0; i < 10; i++)
		assert_code(decide(h, &b, "AAAA-AAAA", "approve"), "INVALID_CODE");
	assert_code(decide(h, &b, c.user, "approve"), "RATE_LIMITED");
	assert_string_equal(inside_ask(h, "SELECT tries FROM oauth_device_tries"), "10");
	/* Other users are not limited. */
	assert_ok(decide(h, &other, c.user, "deny"));
	/* The limit ends after a quarter of an hour. */
	day_at(h, "12:15:00");
	c = begin(h, "scope=content%3Aread");
	assert_ok(decide(h, &b, c.user, "deny"));
}

/* ---- the page ---- */

static struct outcome *
post(struct harness *h, const struct browser *b, const char *body)
{
	char headers[300];

	snprintf(headers, sizeof(headers),
	    "Cookie: %s\r\nContent-Type: application/x-www-form-urlencoded", b->cookie);
	return harness_request(h, nobody, "POST " PAGE, headers, body);
}

static void
form_token(struct harness *h, const struct browser *b, char token[65])
{
	struct outcome *o = browser_ask(h, b, "GET " PAGE, NULL);
	const char *found = strstr(o->text, "name=\"token\" value=\"");

	assert_non_null(found);
	found = strstr(found, "value=") + strlen("value=\"");
	snprintf(token, 65, "%.*s", (int)strcspn(found, "\""), found);
}

static void
the_page_asks_to_sign_in_first(void **state)
{
	struct harness *h = *state;
	struct outcome *o =
	    harness_request(h, nobody, "GET " PAGE "?user_code=ABCD-EFGH", NULL, NULL);

	assert_int_equal(o->http, 302);
	assert_string_equal(
	    o->location, "/_cms/signin?next=/_cms/oauth/device%3Fuser_code%3DABCD-EFGH");
	o = harness_request(h, nobody, "GET " PAGE "?user_code=%22%3E%0d%0ax", NULL, NULL);
	assert_string_equal(o->location, "/_cms/signin?next=/_cms/oauth/device");
}

static void
the_page_shows_what_is_asked_and_each_scope_can_go(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "admin");
	struct codes c = begin(h, "client_id=my-tool&scope=content%3Aread+media%3Aread");
	char token[65], body[400];
	struct outcome *o;

	form_token(h, &b, token);
	snprintf(body, sizeof(body), "token=%s&user_code=%s", token, c.user);
	o = post(h, &b, body);
	assert_int_equal(o->http, 200);
	assert_non_null(strstr(o->text, "my-tool"));
	assert_non_null(strstr(o->text, "Read content"));
	assert_non_null(strstr(o->text, "ann@example.org"));
	assert_non_null(strstr(o->text, c.user));
	assert_null(strstr(o->text, "<script"));
	/* No allowed scope is selected, so nothing is granted. */
	snprintf(
	    body, sizeof(body), "token=%s&user_code=%s&action=approve&scope=admin", token, c.user);
	assert_int_equal(post(h, &b, body)->http, 400);
	/* One scope is deselected, and one was not offered. */
	snprintf(body, sizeof(body),
	    "token=%s&user_code=%s&action=approve&scope=media%%3Aread&scope=media%%3Aread&"
	    "scope=admin",
	    token, c.user);
	assert_int_equal(post(h, &b, body)->http, 200);
	o = poll(h, &c);
	assert_int_equal(o->http, 200);
	assert_string_equal(harness_text(o->body, "scope"), "media:read");
}

static void
forms_of_others_are_not_believed(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "admin");
	struct browser other = browser_make(h, "bob@example.org", "admin");
	struct codes c = begin(h, "scope=content%3Aread");
	char token[65], body[300];
	struct outcome *o;

	form_token(h, &other, token);
	snprintf(body, sizeof(body), "token=%s&user_code=%s&action=approve&scope=content%%3Aread",
	    token, c.user);
	assert_int_equal(post(h, &b, body)->http, 403);
	assert_int_equal(post(h, &b, strchr(body, '&') + 1)->http, 403);
	day_refused(poll(h, &c), 400, "authorization_pending");
	form_token(h, &b, token);
	snprintf(body, sizeof(body), "token=%s&user_code=ZZZZZZZZ", token);
	o = post(h, &b, body);
	assert_int_equal(o->http, 400);
	assert_non_null(strstr(o->text, "role=\"alert\""));
	assert_string_equal(inside_ask(h, "SELECT tries FROM oauth_device_tries"), "1");
}

int
main(void)
{
#define ONE(name) cmocka_unit_test_setup_teardown(name, day_begin, inside_end)
	const struct CMUnitTest tests[] = {
		ONE(a_device_gets_codes_bare_and_in_the_envelope),
		ONE(bad_requests_for_codes_are_refused),
		ONE(waiting_codes_are_bounded),
		ONE(who_asks_too_often_is_slowed_down),
		ONE(codes_expire),
		ONE(codes_expire_after_as_many_minutes_as_is_set),
		ONE(an_approved_device_gets_tokens_once),
		ONE(a_refused_device_is_told_so),
		ONE(only_a_session_approves),
		ONE(a_user_grants_no_more_than_the_role_has),
		ONE(guesses_are_counted_in_the_database),
		ONE(the_page_asks_to_sign_in_first),
		ONE(the_page_shows_what_is_asked_and_each_scope_can_go),
		ONE(forms_of_others_are_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
