/* auth - bearer tokens: whom they identify, when they are refused, and what roles may do. */
#include "call/call.h"
#include "call/site.h"
#include "db/reader.h"
#include "db/rows.h"
#include "http/http1.h"
#include "module/module.h"
#include "op/dispatch.h"
#include "op/gate.h"
#include "op/route.h"
#include "people.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL "[\"admin\"]"
#define REFUSED "Invalid or expired token"

static void
assert_refused(struct outcome *o)
{
	assert_code(o, "UNAUTHORIZED");
	assert_int_equal(o->http, 401);
	assert_string_equal(o->message, REFUSED);
}

/* ---- GET /auth/me ---- */

static void
me_is_the_bare_user(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "editor", ALL, NULL);
	struct outcome *o;

	harness_ok(o, person_ask(h, p.token, "GET /auth/me", NULL));
	assert_int_equal(json_object_size(o->data), 6);
	assert_string_equal(harness_text(o->data, "id"), p.id);
	assert_string_equal(harness_text(o->data, "email"), "ann@example.org");
	assert_string_equal(harness_text(o->data, "name"), "Some One");
	assert_int_equal(harness_int(o->data, "role"), 40);
	assert_true(json_is_null(json_object_get(o->data, "avatarUrl")));
	assert_true(json_is_true(json_object_get(o->data, "isFirstLogin")));
}

static void
a_name_may_be_missing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char token[64];

	assert_ok(
	    harness_op(h, admin, "user_add", "{\"email\":\"b@example.org\",\"role\":\"admin\"}"));
	harness_ok(o, harness_op(h, admin, "token_add",
			  "{\"email\":\"b@example.org\",\"name\":\"t\",\"scope\":" ALL "}"));
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	harness_ok(o, person_ask(h, token, "GET /auth/me", NULL));
	assert_true(json_is_null(json_object_get(o->data, "name")));
}

static void
the_welcome_is_put_away_once_and_for_all(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "author", ALL, NULL);
	struct outcome *o;

	assert_code(person_ask(h, p.token, "POST /auth/me", "{\"action\":\"promoteMe\"}"),
	    "VALIDATION_ERROR");
	assert_code(person_ask(h, p.token, "POST /auth/me", "{}"), "VALIDATION_ERROR");
	for (int i = 0; i < 2; i++) {
		assert_ok(
		    person_ask(h, p.token, "POST /auth/me", "{\"action\":\"dismissWelcome\"}"));
		harness_ok(o, person_ask(h, p.token, "GET /auth/me", NULL));
		assert_true(json_is_false(json_object_get(o->data, "isFirstLogin")));
	}
}

static void
everybody_changes_their_own_name(void **state)
{
	static const char *const bad[] = { " ", "Ann\\nLee", "Ann\\u0007", "Ann\\u0085",
		"Ann \\u202e\\u202c", "\\u2066Ann", "Ann\\u2028Lee", "Ann\\u200f" };
	struct harness *h = *state;
	struct person p = person_make(h, "name@example.org", "contributor", ALL, NULL);
	struct outcome *o;

	assert_code(person_ask(h, p.token, "PUT /auth/me", "{\"name\":\"\"}"), "VALIDATION_ERROR");
	assert_ok(person_ask(h, p.token, "PUT /auth/me", "{\"name\":\"Ann Okafor\"}"));
	harness_ok(o, person_ask(h, p.token, "GET /auth/me", NULL));
	assert_string_equal(harness_text(o->data, "name"), "Ann Okafor");
	/* One line, that changes nothing around it. */
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char body[100];

		(void)snprintf(body, sizeof(body), "{\"name\":\"%s\"}", bad[i]);
		o = person_ask(h, p.token, "PUT /auth/me", body);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "name"));
	}
	assert_ok(person_ask(h, p.token, "PUT /auth/me", "{\"name\":\"  Ann L\u00e9e \"}"));
	harness_ok(o, person_ask(h, p.token, "GET /auth/me", NULL));
	assert_string_equal(harness_text(o->data, "name"), "Ann L\u00e9e");
}

static void
me_of_a_user_who_is_gone_is_not_found(void **state)
{
	assert_code(harness_request(*state, author, "GET /auth/me", NULL, NULL), "NOT_FOUND");
	assert_code(harness_request(*state, author, "PUT /auth/me", NULL, "{\"name\":\"Nobody\"}"),
	    "NOT_FOUND");
}

/* ---- credentials ---- */

static void
without_credentials_it_is_401(void **state)
{
	struct harness *h = *state;
	struct outcome *o = person_send(h, NULL, "GET /auth/me", NULL);

	assert_code(o, "UNAUTHORIZED");
	assert_int_equal(o->http, 401);
	assert_string_equal(o->message, "Authentication required");
}

static void
another_scheme_is_no_credentials(void **state)
{
	static const char *const headers[] = { "Basic YTpi", "Bearers cms_pat_x", "Digest a=b",
		"cms_pat_x" };

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct outcome *o = person_send(*state, headers[i], "GET /auth/me", NULL);

		assert_code(o, "UNAUTHORIZED");
		assert_string_equal(o->message, "Authentication required");
	}
}

static void
the_scheme_is_read_in_any_case(void **state)
{
	static const char *const schemes[] = { "Bearer %s", "bearer %s", "BEARER %s",
		"Bearer   %s" };
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "editor", ALL, NULL);
	char header[128];

	for (size_t i = 0; i < 4; i++) {
		const char *at = strchr(schemes[i], '%');

		snprintf(
		    header, sizeof(header), "%.*s%s", (int)(at - schemes[i]), schemes[i], p.token);
		assert_ok(person_send(h, header, "GET /auth/me", NULL));
	}
}

/* Replaces every character of a valid token by a wrong one, one at a time. */
static void
the_token_is_exact(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "editor", ALL, NULL);
	char wrong[80];

	for (size_t i = 0; i < strlen(p.token); i++) {
		snprintf(wrong, sizeof(wrong), "%s", p.token);
		wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
		assert_refused(person_ask(h, wrong, "GET /auth/me", NULL));
	}
	snprintf(wrong, sizeof(wrong), "%.50s", p.token);
	assert_refused(person_ask(h, wrong, "GET /auth/me", NULL));
	snprintf(wrong, sizeof(wrong), "%sA", p.token);
	assert_refused(person_ask(h, wrong, "GET /auth/me", NULL));
	snprintf(wrong, sizeof(wrong), "%s x", p.token);
	assert_refused(person_ask(h, wrong, "GET /auth/me", NULL));
	snprintf(wrong, sizeof(wrong), "\"%s\"", p.token);
	assert_refused(person_ask(h, wrong, "GET /auth/me", NULL));
	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
}

static void
what_is_no_token_is_refused(void **state)
{
	static const char *const tokens[] = { "", "cms_pat_", "cms_pat", "x",
		"cms_oat_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"ec_pat_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"CMS_PAT_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"cms_pat_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"cms_pat_' OR '1'='1' -- AAAAAAAAAAAAAAAAAAAAAAAAAAA" };

	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
		assert_refused(person_ask(*state, tokens[i], "GET /auth/me", NULL));
}

/* Tries the stored hash of a token as the token: it must not be accepted. */
static void
the_stored_hash_is_no_token(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct stet_call *call = call_new();
	struct stet_rows rows;
	const unsigned char *hash;
	char text[128] = "cms_pat_";
	size_t len;

	call_enter(call, harness_site(h));
	assert_int_equal(
	    stet_one(call, &rows, STET_NOT_FOUND,
		"/* test */ SELECT hash, length(prefix), instr(?1, prefix) FROM api_tokens",
		STET_ARGS((const char *)p.token)),
	    STET_OK);
	hash = stet_col_blob(&rows, 0, &len);
	assert_int_equal(len, 32);
	assert_int_equal(stet_col_int(&rows, 1), 12);
	assert_int_equal(stet_col_int(&rows, 2), 1);
	for (size_t i = 0; i < len; i++)
		snprintf(text + 8 + 2 * i, 3, "%02x", hash[i]);
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	rows_end_call(call);
	call_free(call);
	assert_refused(person_ask(h, text, "GET /auth/me", NULL));
	text[8 + 43] = '\0';
	assert_refused(person_ask(h, text, "GET /auth/me", NULL));
}

/* ---- how long it lasts ---- */

static void
a_token_ends_to_the_millisecond(void **state)
{
	struct harness *h = *state;
	struct person p =
	    person_make(h, "ann@example.org", "editor", ALL, "2026-06-01T14:00:00.500+02:00");

	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
	harness_clock(h, "2026-06-01T12:00:00.499Z");
	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
	harness_clock(h, "2026-06-01T12:00:00.500Z");
	assert_refused(person_ask(h, p.token, "GET /auth/me", NULL));
	harness_clock(h, "2031-01-01T00:00:00.000Z");
	assert_refused(person_ask(h, p.token, "GET /auth/me", NULL));
}

static void
a_token_without_an_end_lasts(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "editor", ALL, NULL);

	harness_clock(h, "2099-01-01T00:00:00.000Z");
	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
}

static void
a_disabled_user_is_refused_at_once(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);

	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
	person_sql(h, "UPDATE users SET disabled = 1 WHERE id = ?1", p.id);
	assert_refused(person_ask(h, p.token, "GET /auth/me", NULL));
	person_sql(h, "UPDATE users SET disabled = 0 WHERE id = ?1", p.id);
	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
}

static void
a_changed_role_counts_at_once(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);

	assert_ok(person_ask(h, p.token, "GET /admin/api-tokens", NULL));
	person_sql(h, "UPDATE users SET role = 40 WHERE id = ?1", p.id);
	assert_code(person_ask(h, p.token, "GET /admin/api-tokens", NULL), "FORBIDDEN");
}

static void
tokens_go_with_their_user(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);

	person_sql(h, "DELETE FROM users WHERE id = ?1", p.id);
	assert_refused(person_ask(h, p.token, "GET /auth/me", NULL));
	assert_code(
	    harness_op(h, admin, "token_revoke_any", "{\"id\":\"%s\"}", p.token_id), "NOT_FOUND");
}

/* ---- scopes ---- */

static void
scope_and_role_must_both_do(void **state)
{
	struct harness *h = *state;
	struct person reads = person_make(h, "r@example.org", "admin", "[\"content:read\"]", NULL);
	struct person plugins = person_make(h, "p@example.org", "admin", "[\"mcp:tools\"]", NULL);
	struct person low = person_make(h, "l@example.org", "editor", ALL, NULL);
	struct outcome *o;

	o = person_ask(h, reads.token, "GET /auth/me", NULL);
	assert_code(o, "INSUFFICIENT_SCOPE");
	assert_int_equal(o->http, 403);
	assert_string_equal(o->message, "Token lacks required scope: admin");
	assert_code(
	    person_ask(h, plugins.token, "GET /admin/api-tokens", NULL), "INSUFFICIENT_SCOPE");
	o = person_ask(h, low.token, "GET /admin/api-tokens", NULL);
	assert_code(o, "FORBIDDEN");
	assert_int_equal(o->http, 403);
	assert_ok(person_ask(h, low.token, "GET /auth/me", NULL));
}

/* ---- the matrix ---- */

static void
every_permission_starts_at_its_role(void **state)
{
	static const struct {
		int role;
		const char *names;
	} matrix[] = {
		{ 10,
		    "content:read media:read taxonomies:read comments:read menus:read bylines:read "
		    "widgets:read sections:read search:read auth:manage_own_credentials" },
		{ 20, "content:read_drafts content:create media:upload reviews:read reviews:write "
		      "reviews:ask releases:read history:read history:restore guide:read" },
		{ 30, "content:edit_own content:delete_own content:publish_own media:edit_own "
		      "media:delete_own releases:manage" },
		{ 40, "content:edit_any content:delete_any content:publish_any media:edit_any "
		      "media:delete_any taxonomies:manage comments:moderate menus:manage "
		      "bylines:manage widgets:manage sections:manage redirects:read settings:read "
		      "schema:read plugins:read reviews:moderate reviews:decide "
		      "releases:manage_any guide:write" },
		{ 50, "content:delete_permanent comments:delete comments:settings redirects:manage "
		      "users:read users:invite users:manage settings:manage schema:manage "
		      "plugins:manage import:execute backups:manage search:manage "
		      "auth:manage_connections audit:read webhooks:manage daemons:read "
		      "history:read_any" },
	};
	struct generation *gen = site_generation(harness_site(*state));
	int count = 0;

	for (size_t i = 0; i < sizeof(matrix) / sizeof(matrix[0]); i++) {
		for (const char *s = matrix[i].names; *s != '\0'; s += strspn(s, " ")) {
			char name[64];
			size_t len = strcspn(s, " ");

			snprintf(name, sizeof(name), "%.*s", (int)len, s);
			if (generation_role(gen, name) != matrix[i].role)
				fail_msg("%s starts at %d", name, generation_role(gen, name));
			s += len;
			count++;
		}
	}
	assert_int_equal(gen->permission_count, count);
	generation_put(gen);
}

/* ---- when a token was last used ---- */

static int64_t
job_due(struct harness *h, bool run)
{
	struct stet_call *call = call_new();
	const struct loaded *auth = modules_find("auth");
	struct stet_job job;
	int64_t due;

	stet_table_row(&auth->m.jobs, 0, &job, sizeof(job));
	call_enter(call, harness_site(h));
	call->owner = auth;
	due = job.due(call);
	if (run)
		assert_int_equal(job.run(call), STET_OK);
	rows_end_call(call);
	call_free(call);
	return due;
}

static void
assert_used(struct harness *h, const struct person *p, const char *when)
{
	struct outcome *o;

	harness_ok(o, person_ask(h, p->token, "GET /admin/api-tokens", NULL));
	assert_string_equal(harness_text(o->data, "items[0].lastUsedAt"), when);
}

static void
last_use_is_written_once_a_minute(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	int64_t now, minute;

	assert_true(stet_time_parse("2026-06-01T12:00:00.000Z", &now));
	minute = now + 60000;
	assert_int_equal(job_due(h, false), -1); /* nothing to do */
	assert_used(h, &p, ""); /* a request does not write */
	assert_true(job_due(h, true) <= now);
	assert_used(h, &p, "2026-06-01T12:00:00.000Z");
	harness_clock(h, "2026-06-01T12:00:30.000Z");
	assert_used(h, &p, "2026-06-01T12:00:00.000Z");
	assert_int_equal(job_due(h, false), minute); /* due in a minute */
	harness_clock(h, "2026-06-01T12:01:00.000Z");
	assert_int_equal(job_due(h, true), minute);
	assert_used(h, &p, "2026-06-01T12:00:30.000Z");
	assert_int_equal(job_due(h, false), minute + 60000);
}

static void
a_refused_token_is_not_used(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, "2026-01-01");

	assert_refused(person_ask(h, p.token, "GET /auth/me", NULL));
	assert_int_equal(job_due(h, false), -1);
}

#define MANY 200 /* enough to grow the table of uses */

static void
every_used_token_is_written(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct outcome *o;

	for (int i = 0; i < MANY; i++) {
		char token[64];

		harness_ok(o, person_ask(h, p.token, "POST /admin/api-tokens",
				  "{\"name\":\"n\",\"scopes\":[\"admin\"]}"));
		snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
		assert_ok(person_ask(h, token, "GET /auth/me", NULL));
	}
	job_due(h, true);
	harness_ok(o, person_ask(h, p.token, "GET /admin/api-tokens", NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), MANY + 1);
	for (int i = 0; i <= MANY; i++)
		assert_string_equal(
		    harness_text(
			json_array_get(json_object_get(o->data, "items"), (size_t)i), "lastUsedAt"),
		    "2026-06-01T12:00:00.000Z");
}

/* ---- what it costs ---- */

static void
authentication_is_one_statement_by_index(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	uint64_t before;
	char *trace;

	setenv("STET_SQL_TRACE", "1", 1);
	reader_close(NULL);
	before = harness_statements(h);
	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
	/* one for the token, one for the response */
	assert_int_equal(harness_statements(h) - before, 2);
	assert_ok(person_ask(h, p.token, "GET /admin/api-tokens", NULL));
	trace = harness_trace(h);
	unsetenv("STET_SQL_TRACE");
	assert_non_null(trace);
	assert_non_null(strstr(trace, "WHERE t.hash"));
	if (strstr(trace, "SCAN") != NULL || strstr(trace, "TEMP B-TREE") != NULL)
		fail_msg("%s", trace);
	free(trace);
}

/* ---- several threads ---- */

struct crowd {
	struct site *site;
	char head[256];
	size_t len;
	int good;
};

static void *
ask_often(void *arg)
{
	struct crowd *c = arg;

	for (int i = 0; i < 200; i++) {
		struct stet_call *call = call_new();

		call_enter(call, c->site);
		call->head = stet_alloc(call, sizeof(*call->head));
		if (http1_parse(stet_strndup(call, c->head, c->len), c->len, call->head) &&
		    route_call(call) == STET_OK && gate_admit(call) == STET_OK)
			c->good++;
		rows_end_call(call);
		call_free(call);
	}
	reader_close(NULL);
	return NULL;
}

static void
threads_use_a_token_together(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct crowd crowd[3];
	pthread_t thread[3];

	for (int i = 0; i < 3; i++) {
		crowd[i] = (struct crowd){ .site = harness_site(h) };
		crowd[i].len = (size_t)snprintf(crowd[i].head, sizeof(crowd[i].head),
		    "GET /_cms/api/auth/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n",
		    p.token);
		assert_int_equal(pthread_create(&thread[i], NULL, ask_often, &crowd[i]), 0);
	}
	for (int i = 0; i < 20; i++)
		job_due(h, true);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(pthread_join(thread[i], NULL), 0);
		assert_int_equal(crowd[i].good, 200);
	}
	job_due(h, true);
	assert_used(h, &p, "2026-06-01T12:00:00.000Z");
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, person_begin, person_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(me_is_the_bare_user),
		T(a_name_may_be_missing),
		T(the_welcome_is_put_away_once_and_for_all),
		T(everybody_changes_their_own_name),
		T(me_of_a_user_who_is_gone_is_not_found),
		T(without_credentials_it_is_401),
		T(another_scheme_is_no_credentials),
		T(the_scheme_is_read_in_any_case),
		T(the_token_is_exact),
		T(what_is_no_token_is_refused),
		T(the_stored_hash_is_no_token),
		T(a_token_ends_to_the_millisecond),
		T(a_token_without_an_end_lasts),
		T(a_disabled_user_is_refused_at_once),
		T(a_changed_role_counts_at_once),
		T(tokens_go_with_their_user),
		T(scope_and_role_must_both_do),
		T(every_permission_starts_at_its_role),
		T(last_use_is_written_once_a_minute),
		T(a_refused_token_is_not_used),
		T(every_used_token_is_written),
		T(authentication_is_one_statement_by_index),
		T(threads_use_a_token_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
