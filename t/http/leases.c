/*
 * leases.c - of three daemons of a site, one does what the site does by itself. It sends what is to
 * be sent once, in order, and another goes on when it ends, is killed or stands still.
 */
#include "daemons.h"

#include "neighbour.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define EVENTS 120
#define EVENT_MAX 400
#define TAKEN_OVER_MS 10000
#define ANSWER_US 15000 /* time that the target takes for an event */

static struct daemons ds;
static struct neighbour target;

/* The requests that the target has received, in their order. */
static struct event {
	char id[27]; /* X-Stet-Delivery */
	int number; /* of the item */
} events[EVENT_MAX];
static _Atomic int event_count;

/* ---- the target ---- */

static const char *
receive(const char *heard)
{
	struct event *e = &events[event_count];
	const char *id = strstr(heard, "X-Stet-Delivery: "), *slug = strstr(heard, "\"slug\":\"n-");

	if (id == NULL || slug == NULL || event_count == EVENT_MAX - 1)
		return target.answer;
	(void)snprintf(e->id, sizeof(e->id), "%.26s", id + 17);
	e->number = (int)strtol(slug + 10, NULL, 10);
	event_count++;
	usleep(ANSWER_US);
	return target.answer;
}

/* Returns how often the target has received events that it knew. */
static int
repeated(void)
{
	int count = 0;

	for (int i = 0; i < event_count; i++)
		for (int k = 0; k < i; k++)
			if (strcmp(events[i].id, events[k].id) == 0) {
				count++;
				break;
			}
	return count;
}

/* Returns how many items the target knows. Each item has one event: the first time that it comes,
 * those before have come. */
static int
heard(int from)
{
	int last = from - 1;

	for (int i = 0; i < event_count; i++) {
		if (events[i].number > last + 1)
			fail_msg("event %d came after %d", events[i].number, last);
		if (events[i].number == last + 1)
			last++;
	}
	return last + 1 - from;
}

static void
await(int from, int count, long long ms)
{
	long long until = daemons_ms() + ms;

	while (heard(from) < count) {
		if (daemons_ms() > until)
			fail_msg("%d events of %d", heard(from), count);
		usleep(10000);
	}
}

/* ---- what the daemons do ---- */

/* The id of the daemon that holds the lease, in a static buffer; "": none does. */
static const char *
holder(const char *name)
{
	static char id[32];
	char sql[256], *said;

	(void)snprintf(sql, sizeof(sql),
	    "SELECT holder FROM site_lease WHERE name = '%s' AND"
	    " until > extract(epoch FROM clock_timestamp()) * 1000",
	    name);
	said = daemons_sql(&ds, sql);
	(void)snprintf(id, sizeof(id), "%s", said);
	free(said);
	return id;
}

/* Waits until somebody has the lease who is not this one. */
static void
await_other(const char *name, const char *than)
{
	long long until = daemons_ms() + TAKEN_OVER_MS;
	char old[32];

	(void)snprintf(old, sizeof(old), "%s", than);
	while (holder(name)[0] == '\0' || strcmp(holder(name), old) == 0) {
		if (daemons_ms() > until)
			fail_msg("nobody has taken %s", name);
		usleep(50000);
	}
}

static int made; /* items so far */

static void
create(int by)
{
	char body[128];

	(void)snprintf(
	    body, sizeof(body), "{\"data\":{\"title\":\"%d\"},\"slug\":\"n-%d\"}", made, made);
	json_decref(remote_must(&ds.admin[by], 201, "POST", body, "/content/notes"));
	made++;
}

/* ---- tests ---- */

/* The first daemon has begun before the others, so it has taken all leases. */
static void
one_daemon_has_the_leases(void **state)
{
	char *said;

	(void)state;
	await_other("module:webhooks", "");
	usleep(500000);
	said = daemons_sql(&ds, "SELECT count(DISTINCT holder) FROM site_lease");
	assert_string_equal(said, "1");
	free(said);
}

/* One more daemon starts, and the one that sends is killed. */
static void
each_event_is_sent_once(void **state)
{
	char id[32];

	(void)state;
	daemons_end(&ds, 2);
	(void)snprintf(id, sizeof(id), "%s", holder("module:webhooks"));
	for (int i = 0; i < EVENTS / 3; i++)
		create(i % 2);
	daemons_run(&ds, 2);
	for (int i = 0; i < EVENTS / 3; i++)
		create(i % 3);
	await(0, EVENTS / 3, 10000);
	assert_int_equal(repeated(), 0);
	assert_string_equal(holder("module:webhooks"), id);
	daemons_kill(&ds, 0);
	for (int i = 0; i < EVENTS / 3; i++)
		create(1 + i % 2);
	await(0, EVENTS, TAKEN_OVER_MS + EVENTS * 100);
	/* What was under way when it was killed came again, with the same id. */
	assert_true(repeated() <= 1);
	await_other("module:webhooks", id);
}

/* A daemon that ends lets go: nobody waits for its leases to run out. */
static void
a_daemon_that_ends_lets_go(void **state)
{
	long long began;
	char id[32];
	int one = 1, repeats = repeated();

	(void)state;
	daemons_run(&ds, 0);
	(void)snprintf(id, sizeof(id), "%s", holder("module:webhooks"));
	daemons_end(&ds, one);
	began = daemons_ms();
	if (strcmp(holder("module:webhooks"), id) == 0) { /* it was the other one */
		daemons_run(&ds, one);
		daemons_end(&ds, 2);
		one = 2;
		began = daemons_ms();
	}
	create(0);
	await(0, made, 5000);
	assert_true(daemons_ms() - began < 5000);
	assert_int_equal(repeated(), repeats);
	daemons_run(&ds, one);
}

static int
start(void **state)
{
	char body[256];

	(void)state;
	daemons_collection(&ds, "notes");
	(void)snprintf(body, sizeof(body), "{\"url\":\"%s\",\"events\":[\"content.create\"]}",
	    neighbour_url(&target, "/in"));
	json_decref(remote_must(&ds.admin[0], 201, "POST", body, "/admin/webhooks"));
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_daemon_has_the_leases),
		cmocka_unit_test(each_event_is_sent_once),
		cmocka_unit_test(a_daemon_that_ends_lets_go),
	};
	int status;

	daemon_modules = "modules/.libs";
	if (!daemons_start(&ds, 3, NULL, "fetch-allow = { \"127.0.0.1\" }\n", &status))
		return status;
	neighbour_open(&target);
	target.choose = receive;
	status = cmocka_run_group_tests(tests, start, NULL);
	daemons_stop(&ds);
	neighbour_close(&target);
	return status;
}
