/* webhooks.c - events for other servers: from a daemon that is killed, and from the command. */
#include "remote.h"

#include "neighbour.h"
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static struct daemon *d;
static char *token;
static struct remote admin;
static struct neighbour target;
static char hook[27];

static int
start(void **state)
{
	char *id;

	(void)state;
	daemon_modules = "modules/.libs";
	neighbour_open(&target);
	d = remote_new(NULL, "fetch-allow = { \"127.0.0.1\" }\n");
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"notes\",\"label\":\"N\",\"labelSingular\":\"N\"}", "/schema/collections"));
	free(COMMAND(d, "webhook", "add", neighbour_url(&target, "/in"), "--events",
	    "content.*,byline.save"));
	id = COMMAND(d, "webhook", "list");
	assert_non_null(strstr(id, "http://127.0.0.1"));
	assert_null(strstr(id, "whsec_"));
	free(id);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	neighbour_close(&target);
	daemon_stop(d);
	free(token);
	return 0;
}

static void
create(void)
{
	json_decref(remote_must(&admin, 201, "POST", "{\"data\":{}}", "/content/notes"));
}

/* Waits until this many requests were received. */
static void
await(int count)
{
	while (target.heard_count < count)
		sched_yield();
}

static const char *
delivery(void)
{
	static char id[27];
	const char *at = strstr(target.heard, "X-Stet-Delivery: ");

	assert_non_null(at);
	(void)snprintf(id, sizeof(id), "%.26s", at + 17);
	return id;
}

static void
find_hook(void)
{
	json_t *data = remote_must(&admin, 200, "GET", NULL, "/admin/webhooks");

	(void)snprintf(hook, sizeof(hook), "%s",
	    json_string_value(
		json_object_get(json_array_get(json_object_get(data, "items"), 0), "id")));
	json_decref(data);
}

static void
a_change_is_sent_at_once(void **state)
{
	char *out;

	(void)state;
	create();
	await(1);
	find_hook();
	out = COMMAND(d, "webhook", "test", hook);
	assert_non_null(strstr(out, "delivered"));
	free(out);
	assert_int_equal(target.heard_count, 2);
	out = COMMAND(d, "webhook", "deliveries", hook);
	assert_non_null(strstr(out, "content.create"));
	assert_non_null(strstr(out, "ping"));
	free(out);
	free(COMMAND(d, "webhook", "replay", hook));
	free(COMMAND(d, "webhook", "replay", hook, "--state", "pending"));
	free(COMMAND(d, "webhook", "drop", hook));
	out = COMMAND(d, "webhook", "queue");
	assert_non_null(strstr(out, "http://127.0.0.1"));
	free(out);
}

static void
a_kill_while_it_is_sent_does_not_lose_it(void **state)
{
	int heard = target.heard_count;
	char id[27];

	(void)state;
	target.answer = NULL;
	create();
	await(heard + 1);
	(void)snprintf(id, sizeof(id), "%s", delivery());
	daemon_signal(d, SIGKILL);
	assert_int_equal(daemon_ended(d), 128 + SIGKILL);
	target.answer = NEIGHBOUR_ANSWER("200 OK", "2", "ok");
	daemon_run(d, 0);
	await(heard + 2);
	assert_string_equal(delivery(), id);
	assert_non_null(strstr(target.heard, "X-Stet-Attempt: 2\r\n"));
	remote_close(&admin);
	remote_open(&admin, d, token);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_sent_at_once),
		cmocka_unit_test(a_kill_while_it_is_sent_does_not_lose_it),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
