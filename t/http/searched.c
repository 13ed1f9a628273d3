/* searched.t - who may search over sockets: public-search in stet.conf, in the section of a site
 * and after `stet init`; and the responses that workers cache. */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>

static struct daemon *d;
static struct remote admin, nobody;

static int
start(void **state)
{
	char *token;

	(void)state;
	daemon_modules = "modules/.libs";
	d = daemon_new("workers = 1\n", NULL);
	free(COMMAND(d, "init", "--public-search", "all"));
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	remote_open(&nobody, d, NULL);
	free(token);
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"notes\",\"label\":\"N\",\"supports\":[\"search\"]}",
	    "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\",\"searchable\":true}",
	    "/schema/collections/notes/fields"));
	json_decref(remote_must(
	    &admin, 200, "POST", "{\"collection\":\"notes\",\"enabled\":true}", "/search/enable"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"one\",\"status\":\"published\",\"data\":{\"title\":\"Zebra\"}}",
	    "/content/notes"));
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	remote_close(&nobody);
	daemon_stop(d);
	return 0;
}

/* Asks more than once, so that a response is cached. */
static void
nobody_finds(bool some)
{
	for (int i = 0; i < 4; i++) {
		struct answer a;

		remote_ask(&nobody, &a, "GET", NULL, "/search?q=zebra");
		assert_int_equal(a.status, 200);
		assert_true((strstr(a.body, "Zebra") != NULL) == some);
		answer_free(&a);
	}
}

static void
stet_conf_counts_before_the_site_and_is_read_again(void **state)
{
	(void)state;
	nobody_finds(true);
	daemon_write_conf(d, "workers = 1\n", "public-search = \"collections\"\n");
	daemon_reload(d);
	nobody_finds(false);
	json_decref(
	    remote_must(&admin, 200, "PUT", "{\"publicRead\":true}", "/schema/collections/notes"));
	nobody_finds(true);
	json_decref(
	    remote_must(&admin, 200, "PUT", "{\"publicRead\":false}", "/schema/collections/notes"));
	nobody_finds(false);
	daemon_write_conf(d, "workers = 1\n", "public-search = \"site\"\n");
	daemon_reload(d);
	nobody_finds(true);
	json_decref(remote_must(&admin, 200, "PUT",
	    "{\"values\":{\"publicSearch\":\"collections\"}}", "/admin/plugins/search/settings"));
	nobody_finds(false);
}

static void
init_refuses_what_it_does_not_know(void **state)
{
	struct command c;

	(void)state;
	command_run(d, &c, (const char *const[]){ "init", "--public-search", "some", NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.err, "publicSearch"));
	command_free(&c);
	command_run(d, &c, (const char *const[]){ "init", "--nothing", NULL });
	assert_int_equal(c.status, 2);
	command_free(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stet_conf_counts_before_the_site_and_is_read_again),
		cmocka_unit_test(init_refuses_what_it_does_not_know),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
