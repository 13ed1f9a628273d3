/*
 * faults.c - a statement fails during a sign-in, as on a full disk. The response is a 5xx, nothing
 * is half written, no cookie is set, and the link, invitation, code or token still works
 * afterwards. t/http/full.c tests with a disk that is really full.
 */
#include "authenticator.h"
#include "flow.h"
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

#define ANN "ann@example.org"
#define BOB "bob@example.org"
#define TABLES_MAX 8
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct scene {
	struct harness *h;
	struct browser ann;
	struct authenticator key;
	struct tokens tokens;
	char *body, *request, *cookie; /* for the next attempt */
};

/* ---- the fault ---- */

/* Makes every write of this table fail, as if there were no room for a row. */
static void
break_table(struct harness *h, const char *table)
{
	static const char *const verbs[] = { "INSERT", "UPDATE", "DELETE" };
	char sql[300];

	for (size_t i = 0; i < COUNT(verbs); i++) {
		(void)snprintf(sql, sizeof(sql),
		    "CREATE TRIGGER fault_%s BEFORE %s ON %s BEGIN"
		    " INSERT INTO filler VALUES (zeroblob(900000000)); END",
		    verbs[i], verbs[i], table);
		inside_sql(h, sql, NULL);
	}
}

static void
mend_table(struct harness *h)
{
	inside_sql(h, "DROP TRIGGER fault_INSERT", NULL);
	inside_sql(h, "DROP TRIGGER fault_UPDATE", NULL);
	inside_sql(h, "DROP TRIGGER fault_DELETE", NULL);
}

/* Returns the numbers of rows. The caller frees the text. */
static char *
rows(struct harness *h)
{
	static const char *const tables[] = { "users", "sessions", "signin_links", "passkeys",
		"used_challenges", "recovery_codes", "oauth_clients", "oauth_grants", "oauth_codes",
		"oauth_tokens", "oauth_devices", "audit_log", "filler" };
	char sql[1500] = "SELECT ''";

	for (size_t i = 0; i < COUNT(tables); i++)
		(void)snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql),
		    " || ' %s ' || (SELECT count(*) FROM %s)", tables[i], tables[i]);
	return strdup(inside_ask(h, sql));
}

/* ---- attempts ---- */

static void
next(struct scene *s, const char *request, const char *cookie, json_t *body)
{
	free(s->request);
	free(s->cookie);
	free(s->body);
	s->request = strdup(request);
	s->cookie = cookie != NULL ? strdup(cookie) : NULL;
	s->body = json_dumps(body, 0);
	json_decref(body);
}

static void
a_link(struct scene *s)
{
	char token[64];

	browser_link(s->h, ANN, token);
	next(s, "POST /auth/magic-link/verify", NULL, json_pack("{s:s}", "token", token));
}

static void
a_recovery_code(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, browser_ask(s->h, &s->ann, "POST /auth/recovery-codes", NULL));
	next(s, "POST /auth/recovery-codes/use", NULL,
	    json_pack("{s:s, s:s}", "email", ANN, "code", harness_text(o->data, "codes[0]")));
}

static void
a_passkey(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, browser_ask(s->h, &s->ann, "POST /auth/passkey/register/options", NULL));
	next(s, "POST /auth/passkey/register/verify", s->ann.cookie,
	    json_pack("{s:o}", "credential",
		authenticator_create_json(&s->key, json_object_get(o->data, "options"))));
}

static void
signing_in_by_passkey(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, browser_send(s->h, NULL, "POST /auth/passkey/options", NULL));
	next(s, "POST /auth/passkey/verify", NULL,
	    json_pack("{s:o}", "credential",
		authenticator_get_json(&s->key, json_object_get(o->data, "options"))));
}

static void
an_invitation(struct scene *s)
{
	struct authenticator a;
	struct outcome *o;
	char token[64], text[100];

	harness_ok(o, harness_send(s->h, admin, "POST /auth/invite", "{\"email\":\"" BOB "\"}"));
	(void)snprintf(
	    token, sizeof(token), "%s", strchr(harness_text(o->data, "inviteUrl"), '#') + 1);
	(void)snprintf(text, sizeof(text), "{\"token\":\"%s\"}", token);
	harness_ok(o, browser_send(s->h, NULL, "POST /auth/invite/register-options", text));
	authenticator_open(&a, -7, "localhost", "http://localhost");
	next(s, "POST /auth/invite/complete", NULL,
	    json_pack("{s:s, s:o}", "token", token, "credential",
		authenticator_create_json(&a, json_object_get(o->data, "options"))));
	authenticator_close(&a);
}

static void
a_device(struct scene *s)
{
	struct outcome *o = flow_post(
	    s->h, NULL, "/_cms/api/oauth/device/code", "client_id=tv&scope=content%3Aread");

	next(s, "POST /oauth/device/authorize", s->ann.cookie,
	    json_pack("{s:s}", "user_code", harness_text(o->body, "user_code")));
}

static void
the_founder(struct scene *s)
{
	struct outcome *o;
	char token[64], cookie[1200];

	harness_ok(o, harness_op(s->h, admin, "setup_link", "{}"));
	(void)snprintf(token, sizeof(token), "%s", strchr(harness_text(o->data, "url"), '#') + 1);
	harness_ok(o, harness_send(s->h, nobody, "POST /setup/admin",
			  "{\"token\":\"%s\",\"email\":\"" BOB "\",\"name\":\"Bob\"}", token));
	(void)snprintf(
	    cookie, sizeof(cookie), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	next(s, "POST /setup/admin/verify", cookie,
	    json_pack("{s:o}", "credential",
		authenticator_create_json(&s->key, json_object_get(o->data, "options"))));
}

static struct outcome *
attempt(struct scene *s)
{
	return browser_send(s->h, s->cookie, s->request, s->body);
}

/* Runs the step while writes of each of these tables fail in turn. */
static void
try_all(struct scene *s, struct outcome *(*run)(struct scene *), const char *const *tables)
{
	for (size_t i = 0; i < TABLES_MAX && tables[i] != NULL; i++) {
		char *before, *after;
		struct outcome *o;

		break_table(s->h, tables[i]);
		before = rows(s->h);
		o = run(s);
		if (o->http < 500 || o->http > 599 || *o->set_cookie != '\0' ||
		    strcasestr(o->text, "sqlite") != NULL || strstr(o->text, "filler") != NULL)
			fail_msg("%s while %s is broken: %d %s %s", s->request, tables[i], o->http,
			    o->set_cookie, o->text);
		after = rows(s->h);
		assert_string_equal(after, before);
		free(before);
		free(after);
		mend_table(s->h);
	}
}

static const struct {
	void (*prepare)(struct scene *);
	const char *tables[TABLES_MAX];
} ways[] = {
	{ a_link, { "signin_links", "users", "sessions", "audit_log" } },
	{ a_recovery_code, { "recovery_codes", "users", "sessions", "audit_log" } },
	{ a_passkey, { "passkeys", "used_challenges", "audit_log" } },
	{ signing_in_by_passkey, { "passkeys", "used_challenges", "sessions", "audit_log" } },
	{ an_invitation,
	    { "users", "signin_links", "passkeys", "used_challenges", "sessions", "audit_log" } },
	{ a_device, { "oauth_clients", "oauth_grants", "oauth_devices", "audit_log" } },
};

static void
open_scene(struct scene *s, void **state)
{
	*s = (struct scene){ .h = *state };
	authenticator_open(&s->key, -7, "localhost", "http://localhost");
	inside_sql(s->h, "CREATE TABLE filler (b BLOB)", NULL);
}

static void
close_scene(struct scene *s)
{
	authenticator_close(&s->key);
	free(s->request);
	free(s->cookie);
	free(s->body);
}

static void
whoever_fails_may_try_again(void **state)
{
	struct scene s;

	open_scene(&s, state);
	s.ann = browser_make(s.h, ANN, "author");
	for (size_t i = 0; i < COUNT(ways); i++) {
		ways[i].prepare(&s);
		try_all(&s, attempt, ways[i].tables);
		assert_ok(attempt(&s));
	}
	close_scene(&s);
}

static void
the_setup_link_survives_faults(void **state)
{
	static const char *const tables[] = { "users", "passkeys", "used_challenges", "sessions",
		"audit_log", NULL };
	struct scene s;

	open_scene(&s, state);
	the_founder(&s);
	try_all(&s, attempt, tables);
	assert_ok(attempt(&s));
	close_scene(&s);
}

/* ---- consent, codes and tokens ---- */

static struct outcome *
agree(struct scene *s)
{
	return flow_decide(
	    s->h, &s->ann, ASK_BOTH, "action=approve&grant=content%3Aread&grant=content%3Awrite");
}

static struct outcome *
exchange(struct scene *s)
{
	return flow_exchange(s->h, s->body);
}

static struct outcome *
refresh(struct scene *s)
{
	return flow_refresh(s->h, s->tokens.refresh);
}

static void
codes_and_tokens_survive_faults(void **state)
{
	static const char *const to_agree[] = { "oauth_grants", "oauth_codes", "audit_log", NULL };
	static const char *const to_exchange[] = { "oauth_codes", "oauth_grants", "oauth_tokens",
		"audit_log", NULL };
	static const char *const to_refresh[] = { "oauth_grants", "oauth_tokens", "audit_log",
		NULL };
	struct scene s;

	open_scene(&s, state);
	s.ann = browser_make(s.h, ANN, "editor");
	s.request = strdup("consent, a code or a token");
	try_all(&s, agree, to_agree);
	s.body = calloc(1, 64);
	flow_code(s.h, &s.ann, ASK_BOTH, s.body);
	try_all(&s, exchange, to_exchange);
	flow_take(exchange(&s), &s.tokens);
	try_all(&s, refresh, to_refresh);
	flow_take(refresh(&s), &s.tokens);
	assert_true(flow_opens(s.h, s.tokens.access));
	close_scene(&s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, flow_begin, person_end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(whoever_fails_may_try_again),
		TEST(the_setup_link_survives_faults),
		TEST(codes_and_tokens_survive_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
