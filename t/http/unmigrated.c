/* unmigrated.c - a plugin whose migration fails keeps the site from writing: what the list of
 * plugins reports, and how it is disabled over REST. crashes.c tests the command for that. */
#include "remote.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define BOOM "/plugins/crasher/boom"
#define POST_BODY "{\"data\":{\"title\":\"T\"}}"

static struct daemon *d;
static struct remote admin;
static char *token;

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	free(COMMAND(d, "call", "schema_create_collection", "slug=posts", "label=Posts"));
	free(COMMAND(d, "call", "schema_create_field", "collection=posts", "slug=title",
	    "label=Title", "type=string"));
	remote_plugin(d, "t/plugins/.libs/crasher.so", "crasher.so", 0644);
	free(COMMAND(d, "module", "enable", "crasher"));
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	unsetenv("STET_CRASH");
	remote_close(&admin);
	daemon_stop(d);
	free(token);
	return 0;
}

/* Replaces the plugin's file. */
static void
put_plugin(const char *from)
{
	assert_int_equal(unlink(daemon_path(d, "crasher.so")), 0);
	remote_plugin(d, from, "crasher.so", 0644);
}

static void
run(void)
{
	daemon_run(d, 0);
	remote_open(&admin, d, token);
}

static void
quit(void)
{
	remote_close(&admin);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
}

static json_t *
plugin(void)
{
	json_t *data = remote_must(&admin, 200, "GET", NULL, "/admin/plugins/crasher"),
	       *item = json_incref(json_object_get(data, "item"));

	json_decref(data);
	return item;
}

static void
assert_status(const char *status)
{
	json_t *item = plugin();

	assert_string_equal(json_string_value(json_object_get(item, "status")), status);
	json_decref(item);
}

static void
assert_survives(void)
{
	json_decref(remote_must(&admin, 200, "GET", NULL, BOOM));
	assert_status("active");
}

static void
save(void)
{
	json_decref(remote_must(&admin, 201, "POST", POST_BODY, "/content/posts"));
}

/* The list has the reason. As soon as the response is sent, the site accepts writes again. */
static void
a_module_whose_migration_fails_can_be_disabled_over_rest(void **state)
{
	const char *reason;
	struct answer a;
	json_t *item;
	char *said;

	(void)state;
	put_plugin("t/plugins/newer/.libs/crasher.so");
	setenv("STET_CRASH", "refusal", 1);
	run();
	assert_status("refused");
	item = plugin();
	assert_true(json_is_true(json_object_get(item, "enabled")));
	reason = json_string_value(json_object_get(item, "reason"));
	assert_non_null(reason);
	assert_non_null(strstr(reason, "migration 2 (a step into nothing) failed: not on this"));
	json_decref(item);
	said = COMMAND(d, "module", "list");
	assert_non_null(strstr(said, "crasher "));
	strstr(said, "crasher ")[strcspn(strstr(said, "crasher "), "\n")] = '\0';
	assert_non_null(strstr(strstr(said, "crasher "), "refused"));
	free(said);
	remote_ask(&admin, &a, "POST", NULL, "/admin/plugins/auth/disable");
	assert_string_equal(answer_code(&a), "CONFLICT");
	answer_free(&a);
	remote_ask(&admin, &a, "POST", POST_BODY, "/content/posts");
	assert_string_equal(answer_code(&a), "MIGRATION_FAILED");
	answer_free(&a);
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/disable"));
	assert_status("inactive");
	save();
	said = COMMAND(d, "audit", "list");
	assert_non_null(strstr(said, "plugin_disable"));
	free(said);
	quit();
	run();
	assert_status("inactive");
	save();
	/* No file in the data directory disables it again. */
	quit();
	unsetenv("STET_CRASH");
	run();
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable"));
	assert_survives();
	quit();
	run();
	assert_survives();
}

/* An older version of a plugin than the one that has migrated the database. */
static void
a_module_that_was_downgraded_can_be_disabled_over_rest(void **state)
{
	json_t *item;

	(void)state;
	put_plugin("t/plugins/newer/.libs/crasher.so");
	run();
	assert_status("active");
	quit();
	put_plugin("t/plugins/.libs/crasher.so");
	run();
	assert_status("refused");
	item = plugin();
	assert_non_null(strstr(json_string_value(json_object_get(item, "reason")), "a newer"));
	json_decref(item);
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/disable"));
	assert_status("inactive");
	save();
}

int
main(void)
{
#define ON_A_DAEMON(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		ON_A_DAEMON(a_module_whose_migration_fails_can_be_disabled_over_rest),
		ON_A_DAEMON(a_module_that_was_downgraded_can_be_disabled_over_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
