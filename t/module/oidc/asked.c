/* asked.c - how often a provider is asked for its metadata and keys, also if it does not answer. */
#include "issuer.h"
#include "people.h"
#include "trip.h"

static void
a_provider_that_cannot_be_asked_is_told_in_words(void **state)
{
	provider(*state, TRUSTED);
	issuer_says("x", "1");
	json_object_set_new(issuer.metadata, "issuer", json_string("https://other.example"));
	assert_refused(browser_send(*state, NULL, "GET /auth/oauth/corp", NULL), "provider_failed");
	json_object_set_new(issuer.metadata, "issuer", json_string(issuer_url()));
	json_object_set_new(
	    issuer.metadata, "authorization_endpoint", json_string("javascript:alert(1)"));
	it_is(*state, 30);
	assert_refused(browser_send(*state, NULL, "GET /auth/oauth/corp", NULL), "provider_failed");
	assert_int_equal(issuer.asked_metadata, 2);
	assert_code(browser_send(*state, NULL, "GET /auth/oauth/none", NULL), "NOT_FOUND");
}

/* Otherwise each sign-in would occupy a thread until the request to a silent provider times out. */
static void
a_provider_that_could_not_be_asked_is_asked_again_after_half_a_minute(void **state)
{
	struct harness *h = *state;
	struct trip t;

	provider(h, TRUSTED);
	issuer_says("x", "1");
	json_object_set_new(issuer.metadata, "issuer", json_string("https://other.example"));
	for (int i = 0; i < 5; i++)
		assert_refused(
		    browser_send(h, NULL, "GET /auth/oauth/corp", NULL), "provider_failed");
	assert_int_equal(issuer.asked_metadata, 1);
	/* After a change of the issuer, the new one is asked at once. */
	assert_ok(harness_send(
	    h, admin, "PUT /admin/identity-providers/corp", "{\"issuer\":\"%s/\"}", issuer_url()));
	assert_refused(browser_send(h, NULL, "GET /auth/oauth/corp", NULL), "provider_failed");
	assert_int_equal(issuer.asked_metadata, 2);
	assert_ok(harness_send(
	    h, admin, "PUT /admin/identity-providers/corp", "{\"issuer\":\"%s\"}", issuer_url()));
	assert_refused(browser_send(h, NULL, "GET /auth/oauth/corp", NULL), "provider_failed");
	assert_int_equal(issuer.asked_metadata, 3);
	json_object_del(issuer.metadata, "issuer");
	it_is(h, 29);
	assert_refused(browser_send(h, NULL, "GET /auth/oauth/corp", NULL), "provider_failed");
	assert_int_equal(issuer.asked_metadata, 3);
	it_is(h, 30);
	depart(h, NULL, &t);
	assert_int_equal(issuer.asked_metadata, 4);
}

/* Keys that were fetched before stay valid meanwhile. */
static void
keys_that_could_not_be_asked_for_are_asked_for_again_after_half_a_minute(void **state)
{
	struct harness *h = *state;
	int heard;

	provider(h, TRUSTED);
	known(h, ANN);
	issuer_says("x", "1");
	issuer.published = -1;
	assert_refused(travel(h), "provider_failed");
	assert_int_equal(issuer.asked_keys, 1);
	heard = issuer_server.heard_count;
	assert_refused(travel(h), "provider_failed");
	assert_int_equal(issuer.asked_keys, 1);
	assert_int_equal(issuer_server.heard_count, heard + 1); /* the token endpoint was asked */
	assert_int_equal(issuer.asked_metadata, 1);
	issuer.published = 1;
	it_is(h, 30);
	assert_string_equal(who(h, travel(h)), ANN);
	assert_int_equal(issuer.asked_keys, 2);
	/* The provider rotates its keys and cannot be reached: tokens signed with known keys are
	 * accepted. */
	it_is(h, 2 * MINUTE);
	issuer.published = -1;
	issuer.kid = "e2";
	assert_refused(travel(h), "provider_failed");
	assert_int_equal(issuer.asked_keys, 3);
	assert_refused(travel(h), "provider_failed");
	assert_int_equal(issuer.asked_keys, 3);
	issuer.kid = "e1";
	assert_string_equal(who(h, travel(h)), ANN);
	assert_int_equal(issuer.asked_metadata, 1);
}

static void
new_keys_are_asked_for_and_not_too_often(void **state)
{
	provider(*state, TRUSTED);
	known(*state, ANN);
	assert_string_equal(who(*state, travel(*state)), ANN);
	assert_int_equal(issuer.asked_keys, 1);
	assert_string_equal(who(*state, travel(*state)), ANN);
	assert_int_equal(issuer.asked_metadata, 1);
	assert_int_equal(issuer.asked_keys, 1);
	/* After a rotation, a token comes with an unknown key within the same minute ... */
	issuer.kid = "e2";
	issuer.published = 3;
	assert_refused(travel(*state), "provider_failed");
	assert_int_equal(issuer.asked_keys, 1);
	/* ... and in the next one. */
	it_is(*state, MINUTE);
	assert_string_equal(who(*state, travel(*state)), ANN);
	assert_int_equal(issuer.asked_keys, 2);
	/* Metadata and keys are fetched again after an hour. */
	it_is(*state, 61 * MINUTE);
	assert_string_equal(who(*state, travel(*state)), ANN);
	assert_int_equal(issuer.asked_metadata, 2);
	assert_int_equal(issuer.asked_keys, 3);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, trip_begin, person_end)
		TEST(a_provider_that_cannot_be_asked_is_told_in_words),
		TEST(a_provider_that_could_not_be_asked_is_asked_again_after_half_a_minute),
		TEST(keys_that_could_not_be_asked_for_are_asked_for_again_after_half_a_minute),
		TEST(new_keys_are_asked_for_and_not_too_often),
	};
	int failed;

	issuer_open();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	issuer_close();
	return failed;
}
