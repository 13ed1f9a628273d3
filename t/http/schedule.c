/*
 * schedule.c - a daemon publishes items at their scheduled times, across restarts and kills. The
 * tests set its clock, which it reads each second.
 */
#include "remote.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define NOON_MS 1780315200000 /* 2026-06-01T12:00:00Z */
#define MANY 120 /* more than one batch publishes */
#define NAP_MS 10

static struct daemon *d;
static char *token, *reader_token;
static struct remote admin, reader; /* the reader sees what is published */

/* ---- the clock: milliseconds from noon ---- */

/* Returns a time as text; in one of two static buffers. */
static const char *
time_at(int ms)
{
	static char text[2][64];
	static unsigned turn;
	char *out = text[turn++ % 2];

	(void)snprintf(out, sizeof(text[0]), "2026-06-01T%02d:%02d:%02d.%03dZ",
	    12 + ms / 3600000 % 12, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
	return out;
}

/* ---- the daemon ---- */

static void
run(void)
{
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	remote_open(&reader, d, reader_token);
}

static void
end_by(int number)
{
	int status;

	remote_close(&admin);
	remote_close(&reader);
	daemon_signal(d, number);
	status = daemon_ended(d);
	assert_int_equal(status, number == SIGKILL ? 128 + SIGKILL : 0);
}

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	daemon_clock(d, NOON_MS);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	token = remote_token(d, "admin", "admin");
	reader_token = remote_token(d, "subscriber", "content:read");
	run();
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"supports\":[\"drafts\",\"revisions\"]}",
	    "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"Title\",\"type\":\"string\"}",
	    "/schema/collections/posts/fields"));
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	remote_close(&reader);
	daemon_stop(d);
	free(token);
	free(reader_token);
	return 0;
}

/* ---- items ---- */

struct item {
	char id[32];
};

static const char *
text_of(json_t *object, const char *member)
{
	const char *s = json_string_value(json_object_get(object, member));

	return s != NULL ? s : "";
}

static void
change(const struct item *item, const char *method, const char *rest, const char *body)
{
	json_decref(remote_must(&admin, 200, method, body, "/content/posts/%s%s", item->id, rest));
}

static void
schedule(const struct item *item, int ms)
{
	char body[96];

	(void)snprintf(body, sizeof(body), "{\"scheduledAt\":\"%s\"}", time_at(ms));
	change(item, "POST", "/schedule", body);
}

static struct item
scheduled(int ms)
{
	json_t *data =
	    remote_must(&admin, 201, "POST", "{\"data\":{\"title\":\"Later\"}}", "/content/posts");
	struct item item;

	(void)snprintf(
	    item.id, sizeof(item.id), "%s", text_of(json_object_get(data, "item"), "id"));
	json_decref(data);
	schedule(&item, ms);
	return item;
}

/* Returns the item as its editor sees it, to be released. */
static json_t *
get(const struct item *item)
{
	json_t *data = remote_must(&admin, 200, "GET", NULL, "/content/posts/%s", item->id);
	json_t *out = json_incref(json_object_get(data, "item"));

	json_decref(data);
	return out;
}

/* Checks that only the item's editors can see it. */
static void
is_not_public(const struct item *item)
{
	json_decref(remote_must(&reader, 404, "GET", NULL, "/content/posts/%s", item->id));
}

static void
waits(const struct item *item, int ms)
{
	json_t *now = get(item);

	assert_string_equal(text_of(now, "status"), "scheduled");
	assert_string_equal(text_of(now, "scheduledAt"), time_at(ms));
	assert_true(json_is_null(json_object_get(now, "publishedAt")));
	json_decref(now);
	is_not_public(item);
}

/* Waits until the public can see the item. */
static void
appears(const struct item *item)
{
	for (int i = 0; i < WAIT_MS / NAP_MS; i++) {
		struct answer a;
		int status;

		remote_ask(&reader, &a, "GET", NULL, "/content/posts/%s", item->id);
		status = a.status;
		answer_free(&a);
		if (status == 200)
			return;
		assert_int_equal(status, 404);
		(void)poll(NULL, 0, NAP_MS);
	}
	fail_msg("waited in vain for %s to be published", item->id);
}

/* The item was published once, at its scheduled time: with one change and one revision. */
static void
was_published_once(const struct item *item, int ms)
{
	json_t *now = get(item), *revisions;

	assert_string_equal(text_of(now, "status"), "published");
	assert_string_equal(text_of(now, "publishedAt"), time_at(ms));
	assert_true(json_is_null(json_object_get(now, "scheduledAt")));
	/* Three changes: the item was made, scheduled, and published. */
	assert_int_equal(json_integer_value(json_object_get(now, "version")), 3);
	revisions = remote_must(&admin, 200, "GET", NULL, "/content/posts/%s/revisions", item->id);
	assert_int_equal(json_array_size(json_object_get(revisions, "items")), 1);
	assert_string_equal(text_of(json_array_get(json_object_get(revisions, "items"), 0), "id"),
	    text_of(now, "liveRevisionId"));
	json_decref(revisions);
	json_decref(now);
}

/* ---- the tests: each begins at an hour of its own ---- */

#define HOUR 3600000

static void
an_item_appears_at_its_time_and_not_before(void **state)
{
	struct item first = scheduled(59999), second = scheduled(60000), third = scheduled(60001);

	(void)state;
	daemon_clock(d, NOON_MS + 59999);
	appears(&first);
	waits(&second, 60000);
	daemon_clock(d, NOON_MS + 60000);
	appears(&second);
	waits(&third, 60001);
	was_published_once(&first, 59999);
	was_published_once(&second, 60000);
}

static void
what_is_overdue_at_the_start_is_published(void **state)
{
	struct item item[MANY], later;

	(void)state;
	daemon_clock(d, NOON_MS + HOUR);
	for (int i = 0; i < MANY; i++)
		item[i] = scheduled(HOUR + 1000 + i);
	later = scheduled(3 * HOUR);
	end_by(SIGTERM);
	daemon_clock(d, NOON_MS + 2 * HOUR);
	run();
	for (int i = 0; i < MANY; i++) {
		appears(&item[i]);
		was_published_once(&item[i], HOUR + 1000 + i);
	}
	waits(&later, 3 * HOUR);
	change(&later, "DELETE", "/schedule", NULL);
}

static void
a_kill_before_its_time_loses_no_schedule(void **state)
{
	struct item item, other;

	(void)state;
	daemon_clock(d, NOON_MS + 4 * HOUR);
	item = scheduled(4 * HOUR + 5000);
	other = scheduled(4 * HOUR + 7000);
	end_by(SIGKILL);
	run();
	waits(&item, 4 * HOUR + 5000);
	end_by(SIGKILL);
	daemon_clock(d, NOON_MS + 4 * HOUR + 6000);
	run();
	appears(&item);
	was_published_once(&item, 4 * HOUR + 5000);
	end_by(SIGKILL);
	run();
	was_published_once(&item, 4 * HOUR + 5000);
	waits(&other, 4 * HOUR + 7000);
	change(&other, "DELETE", "/schedule", NULL);
}

/* Wherever the daemon is killed, the next one continues: no item is left out, and none is published
 * twice. */
static void
a_kill_while_it_publishes_repeats_nothing(void **state)
{
	struct item item[MANY];

	(void)state;
	daemon_clock(d, NOON_MS + 5 * HOUR);
	for (int i = 0; i < MANY; i++)
		item[i] = scheduled(5 * HOUR + 1000 + i);
	end_by(SIGKILL);
	daemon_clock(d, NOON_MS + 5 * HOUR + 2000);
	run();
	end_by(SIGKILL); /* before, or in the middle */
	run();
	appears(&item[0]);
	end_by(SIGKILL); /* after the first batch, or later */
	run();
	for (int i = 0; i < MANY; i++) {
		appears(&item[i]);
		was_published_once(&item[i], 5 * HOUR + 1000 + i);
	}
}

/* ---- releases ---- */

#define TOGETHER 40
#define ROUNDS 6

/* Returns how many of the items are public. */
static int
public_ones(void)
{
	json_t *data =
	    remote_must(&reader, 200, "GET", NULL, "/content/posts?limit=100&q=Together");
	int n = (int)json_array_size(json_object_get(data, "items"));

	json_decref(data);
	return n;
}

/* A release of TOGETHER new items, scheduled at this time. */
static void
make_release(int ms)
{
	static char body[8192];
	int n = snprintf(body, sizeof(body), "{\"name\":\"R\",\"add\":[");

	for (int i = 0; i < TOGETHER; i++) {
		json_t *data = remote_must(
		    &admin, 201, "POST", "{\"data\":{\"title\":\"Together\"}}", "/content/posts");

		n += snprintf(body + n, sizeof(body) - (size_t)n,
		    "%s{\"type\":\"item\",\"collection\":\"posts\",\"item\":\"%s\"}",
		    i > 0 ? "," : "", text_of(json_object_get(data, "item"), "id"));
		json_decref(data);
	}
	(void)snprintf(body + n, sizeof(body) - (size_t)n, "]}");
	json_decref(remote_must(&admin, 201, "POST", body, "/releases"));
	(void)snprintf(body, sizeof(body), "{\"scheduledAt\":\"%s\"}", time_at(ms));
	json_decref(remote_must(&admin, 200, "POST", body, "/releases/R/schedule"));
}

/* Wherever the daemon is killed, all items of a release are public, or none. */
static void
a_kill_while_it_publishes_a_release_leaves_all_or_nothing(void **state)
{
	int due = 9 * HOUR + 1000, n;

	(void)state;
	daemon_clock(d, NOON_MS + 9 * HOUR);
	make_release(due);
	for (int round = 0; round < ROUNDS; round++) {
		daemon_clock(d, NOON_MS + due);
		(void)poll(NULL, 0, round * 25);
		end_by(SIGKILL);
		daemon_clock(d, NOON_MS + 9 * HOUR);
		run();
		n = public_ones();
		if (n != 0 && n != TOGETHER)
			fail_msg("%d of %d items are public", n, TOGETHER);
	}
	daemon_clock(d, NOON_MS + due);
	for (int i = 0; public_ones() != TOGETHER; i++) {
		assert_true(i < WAIT_MS / NAP_MS);
		(void)poll(NULL, 0, NAP_MS);
	}
	json_decref(remote_must(&admin, 200, "POST", "{}", "/releases/R/undo"));
	assert_int_equal(public_ones(), 0);
}

static void
is_still(const struct item *item, const char *status)
{
	json_t *now = get(item);

	assert_string_equal(text_of(now, "status"), status);
	assert_true(json_is_null(json_object_get(now, "publishedAt")));
	json_decref(now);
	is_not_public(item);
}

static void
plans_that_changed_are_not_carried_out(void **state)
{
	int due = 6 * HOUR + 1000, much_later = 8 * HOUR;
	struct item unscheduled, unpublished, drafted, trashed, purged, moved, sooner, last;

	(void)state;
	daemon_clock(d, NOON_MS + 6 * HOUR);
	unscheduled = scheduled(due);
	unpublished = scheduled(due);
	drafted = scheduled(due);
	trashed = scheduled(due);
	purged = scheduled(due);
	moved = scheduled(due);
	sooner = scheduled(much_later);
	last = scheduled(due + 1);
	change(&unscheduled, "DELETE", "/schedule", NULL);
	change(&unpublished, "POST", "/unpublish", NULL);
	change(&drafted, "PUT", "", "{\"status\":\"draft\"}");
	change(&trashed, "DELETE", "", NULL);
	change(&purged, "DELETE", "", NULL);
	change(&purged, "DELETE", "/permanent", NULL);
	schedule(&moved, much_later);
	schedule(&sooner, due);
	daemon_clock(d, NOON_MS + due + 1);
	/* The oldest are published first: when the last is public, the others were skipped. */
	appears(&last);
	appears(&sooner);
	for (int i = 0; i < 2; i++) {
		is_still(&unpublished, "draft");
		is_still(&drafted, "draft");
		waits(&moved, much_later);
		is_not_public(&unscheduled);
		is_not_public(&trashed);
		is_not_public(&purged);
		end_by(i == 0 ? SIGTERM : SIGKILL);
		run();
	}
	change(&trashed, "POST", "/restore", NULL);
	is_not_public(&trashed);
	daemon_clock(d, NOON_MS + much_later);
	appears(&moved);
	is_not_public(&trashed);
	is_not_public(&unscheduled);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_item_appears_at_its_time_and_not_before),
		cmocka_unit_test(what_is_overdue_at_the_start_is_published),
		cmocka_unit_test(a_kill_before_its_time_loses_no_schedule),
		cmocka_unit_test(a_kill_while_it_publishes_repeats_nothing),
		cmocka_unit_test(a_kill_while_it_publishes_a_release_leaves_all_or_nothing),
		cmocka_unit_test(plans_that_changed_are_not_carried_out),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
