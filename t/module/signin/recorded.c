/*
 * recorded.c - the records of the audit log about sign-ins and failed attempts: each step makes
 * exactly these records, and none of them contains a secret.
 */
#include "authenticator.h"
#include "flow.h"
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ANN "ann@example.org"
#define BOB "bob@example.org"
#define DEVICE_GRANT "grant_type=urn%%3Aietf%%3Aparams%%3Aoauth%%3Agrant-type%%3Adevice_code"

struct scene {
	struct harness *h;
	struct browser ann;
	struct authenticator key;
	struct tokens tokens, old;
	char link[64], code[64], device[64], user_code[16], recovery[32], invite[64], passkey[27];
	char session[27]; /* another session of the same user */
	int seconds;
};

static void
let_pass(struct scene *s, int seconds)
{
	char time[40];

	s->seconds += seconds;
	(void)snprintf(
	    time, sizeof(time), "2026-06-01T12:%02d:%02d.000Z", s->seconds / 60, s->seconds % 60);
	harness_clock(s->h, time);
}

/* Advances the clock and runs the job that records failures. */
static void
tell(struct scene *s)
{
	let_pass(s, 30);
	for (int i = 0; i < 100 && inside_work(s->h, "signin"); i++)
		continue;
}

static struct outcome *
ask_with(struct scene *s, bool signed_in, const char *request, json_t *body)
{
	char *text = json_dumps(body, 0);
	struct outcome *o = signed_in ? browser_ask(s->h, &s->ann, request, text)
				      : browser_send(s->h, NULL, request, text);

	free(text);
	json_decref(body);
	return o;
}

/* ---- steps ---- */

static void
make_link(struct scene *s)
{
	browser_link(s->h, ANN, s->link);
}

static struct outcome *
use_link(struct scene *s)
{
	return ask_with(
	    s, false, "POST /auth/magic-link/verify", json_pack("{s:s}", "token", s->link));
}

static void
link_works(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, use_link(s));
	(void)snprintf(s->ann.cookie, sizeof(s->ann.cookie), "%.*s",
	    (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	harness_ok(o, browser_ask(s->h, &s->ann, "GET /auth/sessions", NULL));
	(void)snprintf(s->session, sizeof(s->session), "%s", harness_text(o->data, "items[1].id"));
}

static void
link_fails(struct scene *s)
{
	assert_code(use_link(s), "INVALID_TOKEN");
}

static void
make_codes(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, browser_ask(s->h, &s->ann, "POST /auth/recovery-codes", NULL));
	(void)snprintf(s->recovery, sizeof(s->recovery), "%s", harness_text(o->data, "codes[0]"));
}

static struct outcome *
use_code(struct scene *s)
{
	return ask_with(s, false, "POST /auth/recovery-codes/use",
	    json_pack("{s:s, s:s}", "email", ANN, "code", s->recovery));
}

static void
code_works(struct scene *s)
{
	assert_ok(use_code(s));
}

static void
code_fails(struct scene *s)
{
	assert_code(use_code(s), "INVALID_CODE");
}

static void
add_passkey(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, browser_ask(s->h, &s->ann, "POST /auth/passkey/register/options", NULL));
	harness_ok(
	    o, ask_with(s, true, "POST /auth/passkey/register/verify",
		   json_pack("{s:o}", "credential",
		       authenticator_create_json(&s->key, json_object_get(o->data, "options")))));
	(void)snprintf(s->passkey, sizeof(s->passkey), "%s", harness_text(o->data, "passkey.id"));
}

static struct outcome *
use_passkey(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, browser_send(s->h, NULL, "POST /auth/passkey/options", NULL));
	return ask_with(s, false, "POST /auth/passkey/verify",
	    json_pack("{s:o}", "credential",
		authenticator_get_json(&s->key, json_object_get(o->data, "options"))));
}

static void
passkey_works(struct scene *s)
{
	assert_ok(use_passkey(s));
}

static void
passkey_fails(struct scene *s)
{
	s->key.flags = 0;
	assert_code(use_passkey(s), "UNAUTHORIZED");
}

static void
rename_passkey(struct scene *s)
{
	char request[80];

	(void)snprintf(request, sizeof(request), "PATCH /auth/passkey/%s", s->passkey);
	assert_ok(browser_ask(s->h, &s->ann, request, "{\"name\":\"Blue\"}"));
}

static void
end_session(struct scene *s)
{
	char request[80];

	(void)snprintf(request, sizeof(request), "DELETE /auth/sessions/%s", s->session);
	assert_ok(browser_ask(s->h, &s->ann, request, NULL));
}

static void
end_others(struct scene *s)
{
	assert_ok(browser_ask(s->h, &s->ann, "DELETE /auth/sessions", NULL));
}

static void
sign_out(struct scene *s)
{
	assert_ok(browser_ask(s->h, &s->ann, "POST /auth/logout", NULL));
}

static void
invite(struct scene *s)
{
	struct outcome *o;

	harness_ok(o, harness_send(s->h, admin, "POST /auth/invite", "{\"email\":\"" BOB "\"}"));
	(void)snprintf(s->invite, sizeof(s->invite), "%s",
	    strchr(harness_text(o->data, "inviteUrl"), '#') + 1);
}

static void
withdraw(struct scene *s)
{
	struct outcome *o;
	char request[80];

	harness_ok(o, harness_request(s->h, admin, "GET /auth/invite", NULL, NULL));
	(void)snprintf(request, sizeof(request), "DELETE /auth/invite/%s",
	    harness_text(o->data, "items[0].id"));
	assert_ok(harness_request(s->h, admin, request, NULL, NULL));
}

static void
join(struct scene *s)
{
	struct authenticator a;
	struct outcome *o;

	invite(s);
	authenticator_open(&a, -7, "localhost", "http://localhost");
	harness_ok(o, ask_with(s, false, "POST /auth/invite/register-options",
			  json_pack("{s:s}", "token", s->invite)));
	assert_ok(ask_with(s, false, "POST /auth/invite/complete",
	    json_pack("{s:s, s:o}", "token", s->invite, "credential",
		authenticator_create_json(&a, json_object_get(o->data, "options")))));
	authenticator_close(&a);
}

static void
consent(struct scene *s)
{
	flow_code(s->h, &s->ann, ASK_BOTH, s->code);
}

static void
exchange(struct scene *s)
{
	flow_take(flow_exchange(s->h, s->code), &s->old);
}

static void
refresh(struct scene *s)
{
	flow_take(flow_refresh(s->h, s->old.refresh), &s->tokens);
}

static void
refresh_stolen(struct scene *s)
{
	let_pass(s, 61);
	flow_take(flow_refresh(s->h, s->tokens.refresh), &s->tokens);
	flow_refused(flow_refresh(s->h, s->old.refresh), "invalid_grant");
}

static void
revoke(struct scene *s)
{
	char form[100];

	flow_tokens(s->h, &s->ann, ASK_BOTH, &s->tokens);
	(void)snprintf(form, sizeof(form), "token=%s", s->tokens.refresh);
	assert_int_equal(flow_post(s->h, NULL, "/_cms/api/oauth/token/revoke", form)->http, 200);
}

static void
ask_device(struct scene *s)
{
	struct outcome *o = flow_post(
	    s->h, NULL, "/_cms/api/oauth/device/code", "client_id=tv&scope=content%3Aread");

	(void)snprintf(s->device, sizeof(s->device), "%s", harness_text(o->body, "device_code"));
	(void)snprintf(
	    s->user_code, sizeof(s->user_code), "%s", harness_text(o->body, "user_code"));
}

static struct outcome *
decide(struct scene *s, const char *code, const char *action)
{
	return ask_with(s, true, "POST /oauth/device/authorize",
	    json_pack("{s:s, s:s}", "user_code", code, "action", action));
}

static void
approve_device(struct scene *s)
{
	assert_ok(decide(s, s->user_code, "approve"));
}

static void
device_tokens(struct scene *s)
{
	char form[200];

	(void)snprintf(form, sizeof(form), DEVICE_GRANT "&device_code=%s", s->device);
	flow_take(flow_post(s->h, NULL, "/_cms/api/oauth/device/token", form), &s->tokens);
}

static void
deny_device(struct scene *s)
{
	ask_device(s);
	assert_ok(decide(s, s->user_code, "deny"));
}

static void
wrong_user_code(struct scene *s)
{
	assert_code(decide(s, "AAAA-AAAA", "approve"), "INVALID_CODE");
}

static void
device_tokens_the_other_way(struct scene *s)
{
	ask_device(s);
	approve_device(s);
	flow_take(flow_token(s->h, DEVICE_GRANT "&device_code=%s", s->device), &s->tokens);
}

static void
end_grant(struct scene *s)
{
	struct outcome *o;
	char request[80];

	harness_ok(o, browser_ask(s->h, &s->ann, "GET /auth/grants", NULL));
	(void)snprintf(request, sizeof(request), "DELETE /auth/grants/%s",
	    harness_text(o->data, "items[0].id"));
	assert_ok(browser_ask(s->h, &s->ann, request, NULL));
}

static void
disable(struct scene *s)
{
	assert_ok(harness_op(s->h, admin, "user_disable", "{\"email\":\"" ANN "\"}"));
}

/* ---- what is recorded ---- */

/* The records of a step: op, the method or reason, the outcome, and whether ann is the actor (a) or
 * the subject (s). */
static const struct {
	void (*run)(struct scene *);
	const char *want;
} steps[] = {
	{ make_link, "user_recover - success -" },
	{ link_works, "sign_in recovery success s" },
	{ link_fails, "sign_in_failed link failure -" },
	{ make_codes, "recovery_codes_make - success a" },
	{ code_works, "sign_in recovery success s" },
	{ code_fails, "sign_in_failed recovery failure s" },
	{ add_passkey, "passkey_register - success a" },
	{ passkey_works, "sign_in passkey success s" },
	{ rename_passkey, "passkey_rename - success a" },
	{ passkey_fails, "sign_in_failed passkey failure -" },
	{ end_session, "session_end - success a" },
	{ invite, "invite_create - success -" },
	{ withdraw, "invite_withdraw - success -" },
	{ join, "invite_create - success -,sign_in invite success -,invite_complete - success -" },
	{ consent, "oauth_consent - success as" },
	{ exchange, "oauth_token - success s" },
	{ refresh, "oauth_refresh - success s" },
	{ refresh_stolen, "oauth_refresh - success s,oauth_stolen - success s" },
	{ revoke, "oauth_consent - success as,oauth_token - success s,oauth_revoke - success s" },
	{ ask_device, "" },
	{ approve_device, "oauth_consent - success as" },
	{ device_tokens, "oauth_token - success s" },
	{ deny_device, "oauth_deny - success as" },
	{ wrong_user_code, "oauth_device_failed - failure as" },
	{ device_tokens_the_other_way, "oauth_consent - success as,oauth_token - success s" },
	{ end_grant, "grant_end - success a" },
	{ end_others, "session_end_others - success a" },
	{ sign_out, "logout - success a" },
	{ disable, "user_disable - success s" },
};

static void
assert_unsaid(struct scene *s, const char *secret)
{
	char sql[400];

	assert_true(strlen(secret) > 8);
	(void)snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM audit_log WHERE instr(ifnull(names, '') || ifnull(subject, '') ||"
	    " ifnull(result, '') || ifnull(changed, '') || ifnull(reason, ''), '%s') > 0",
	    secret);
	assert_string_equal(inside_ask(s->h, sql), "0");
}

static void
every_step_is_recorded(void **state)
{
	struct scene s = { .h = *state, .ann = browser_make(*state, ANN, "author") };
	char sql[600];
	int wrong = 0;

	authenticator_open(&s.key, -7, "localhost", "http://localhost");
	for (size_t i = 0; i < COUNT(steps); i++) {
		char *last = strdup(inside_ask(s.h, "SELECT max(seq) FROM audit_log"));
		const char *is;

		steps[i].run(&s);
		tell(&s);
		(void)snprintf(sql, sizeof(sql),
		    "SELECT ifnull(group_concat(text), '') FROM (SELECT op || ' ' ||"
		    " ifnull(reason, '-') || ' ' || outcome || ' ' || CASE WHEN actor = '%s' THEN"
		    " CASE WHEN subject = actor THEN 'as' ELSE 'a' END WHEN subject IN ('%s',"
		    " '" ANN "') THEN 's' ELSE '-' END AS text FROM audit_log WHERE seq > %s"
		    " ORDER BY seq) AS l",
		    s.ann.user, s.ann.user, last);
		is = inside_ask(s.h, sql);
		if (strcmp(is, steps[i].want) != 0)
			print_error("step %zu: \"%s\", but \"%s\"\n", i, steps[i].want, is);
		wrong += strcmp(is, steps[i].want) != 0;
		free(last);
	}
	authenticator_close(&s.key);
	assert_unsaid(&s, s.link);
	assert_unsaid(&s, s.code);
	assert_unsaid(&s, s.recovery);
	assert_unsaid(&s, s.invite);
	assert_unsaid(&s, s.device);
	assert_unsaid(&s, s.user_code);
	assert_unsaid(&s, s.old.refresh);
	assert_unsaid(&s, s.tokens.access);
	assert_unsaid(&s, strchr(s.ann.cookie, '=') + 1);
	assert_int_equal(wrong, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_step_is_recorded, flow_begin, person_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
