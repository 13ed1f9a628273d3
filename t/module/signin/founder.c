/* founder.c - the first administrator of a site: by the setup link with a passkey, and without
 * one. */
#include "authenticator.h"
#include "browser.h"
#include "people.h"
#include <stdio.h>
#include <stdlib.h>

#define ANN "ann@example.org"

struct scene {
	struct authenticator a;
	char token[64], kept[1000]; /* token of the setup link; cookie of the first step */
};

static void
scene_open(struct harness *h, struct scene *s)
{
	struct outcome *o;

	authenticator_open(&s->a, -7, "localhost", "http://localhost");
	harness_ok(o, harness_op(h, admin, "setup_link", "{}"));
	snprintf(s->token, sizeof(s->token), "%s", strchr(harness_text(o->data, "url"), '#') + 1);
}

/* Answers the first step's options with a credential. */
static json_t *
credential(struct harness *h, struct scene *s, const char *email)
{
	struct outcome *o;

	harness_ok(o, harness_send(h, nobody, "POST /setup/admin",
			  "{\"token\":\"%s\",\"email\":\"%s\",\"name\":\"Ann\"}", s->token, email));
	snprintf(s->kept, sizeof(s->kept), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	return authenticator_create_json(&s->a, json_object_get(o->data, "options"));
}

/* Sends the second step; takes ownership of the body. */
static struct outcome *
add(struct harness *h, const char *cookie, json_t *body)
{
	char *text = json_dumps(body, 0);
	struct outcome *o = browser_send(h, cookie, "POST /setup/admin/verify", text);

	free(text);
	json_decref(body);
	return o;
}

static void
the_link_makes_one_administrator_who_is_signed_in(void **state)
{
	struct scene s;
	struct outcome *o;
	char cookie[100];
	json_t *second;

	scene_open(*state, &s);
	second = credential(*state, &s, "bob@example.org");
	harness_ok(
	    o, add(*state, s.kept, json_pack("{s:o}", "credential", credential(*state, &s, ANN))));
	assert_string_equal(harness_text(o->data, "user.email"), ANN);
	assert_int_equal(harness_int(o->data, "user.role"), 50);
	snprintf(cookie, sizeof(cookie), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	harness_ok(o, browser_send(*state, cookie, "GET /auth/me", NULL));
	assert_string_equal(harness_text(o->data, "email"), ANN);
	harness_ok(o, browser_send(*state, cookie, "GET /auth/passkey", NULL));
	assert_string_equal(harness_text(o->data, "items[0].name"), "Setup passkey");
	harness_ok(o, harness_request(*state, nobody, "GET /setup/status", "", NULL));
	assert_true(json_is_true(json_object_get(o->data, "setupComplete")));
	o = add(*state, s.kept, json_pack("{s:o}", "credential", second));
	assert_code(o, "SETUP_COMPLETE");
	assert_int_equal(o->http, 400);
	authenticator_close(&s.a);
}

static void
programs_without_cookies_say_it_again(void **state)
{
	struct scene s;
	json_t *body;

	scene_open(*state, &s);
	body = credential(*state, &s, ANN);
	json_object_set_new(body, "token", json_string(s.token));
	json_object_set_new(body, "email", json_string(ANN));
	json_object_set_new(body, "name", json_string("Ann"));
	assert_ok(add(*state, NULL, body));
	authenticator_close(&s.a);
}

static void
without_the_link_nothing_happens(void **state)
{
	struct scene s;
	struct outcome *o;

	scene_open(*state, &s);
	assert_code(harness_send(*state, nobody, "POST /setup/admin", "{\"email\":\"" ANN "\"}"),
	    "FORBIDDEN");
	assert_code(add(*state, NULL, credential(*state, &s, ANN)), "FORBIDDEN");
	harness_ok(o, harness_request(*state, nobody, "GET /setup/status", "", NULL));
	assert_true(json_is_false(json_object_get(o->data, "hasUsers")));
	authenticator_close(&s.a);
}

/* The challenge is bound to the address and the name. */
static void
the_address_is_that_of_the_first_step(void **state)
{
	struct scene s;
	json_t *body;

	scene_open(*state, &s);
	body = credential(*state, &s, ANN);
	json_object_set_new(body, "token", json_string(s.token));
	json_object_set_new(body, "email", json_string("eve@example.org"));
	json_object_set_new(body, "name", json_string("Ann"));
	assert_code(add(*state, NULL, body), "CHALLENGE_EXPIRED");
	authenticator_close(&s.a);
}

static void
broken_cookies_are_refused(void **state)
{
	static const char *const broken[] = { "stet-setup=", "stet-setup=!!", "stet-setup=AA",
		"stet-setup=AAAA", "stet-setup=Cg", "stet-setup=CgoK" };
	struct scene s;

	scene_open(*state, &s);
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
		assert_code(add(*state, broken[i], credential(*state, &s, ANN)), "FORBIDDEN");
	authenticator_close(&s.a);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, person_begin, person_end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_link_makes_one_administrator_who_is_signed_in),
		TEST(programs_without_cookies_say_it_again),
		TEST(without_the_link_nothing_happens),
		TEST(the_address_is_that_of_the_first_step),
		TEST(broken_cookies_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
