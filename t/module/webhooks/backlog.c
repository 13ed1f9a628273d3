/* backlog.t - deliveries that wait for targets: the order of an item's deliveries, pauses,
 * fairness, limits, replaying and dropping, queues of earlier versions. */
#include "told.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define BROKEN NEIGHBOUR_ANSWER("500 Oops", "3", "bad")
#define GOOD NEIGHBOUR_ANSWER("200 OK", "2", "ok")

/* ---- a target that refuses some items ---- */

/* The requests received: "slug:event " for each. */
static char story[4096];

static const char *
member_of(const char *heard, const char *name, char *out, size_t size)
{
	char mark[32];
	const char *found;

	(void)snprintf(mark, sizeof(mark), "\"%s\":\"", name);
	found = strstr(heard, mark);
	if (found == NULL)
		return "?";
	found += strlen(mark);
	(void)snprintf(out, size, "%.*s", (int)strcspn(found, "\""), found);
	return out;
}

static const char *
refuse_poison(const char *heard)
{
	char slug[64], event[64];
	const char *which = member_of(heard, "slug", slug, sizeof(slug));

	(void)snprintf(story + strlen(story), sizeof(story) - strlen(story), "%s:%s ", which,
	    member_of(heard, "event", event, sizeof(event)) + strlen("content."));
	return strncmp(which, "poison", 6) == 0 ? BROKEN : GOOD;
}

/* Returns the requests received since the last call. */
static const char *
told(struct harness *h)
{
	static char last[sizeof(story)];

	story[0] = '\0';
	(void)sent(h);
	memcpy(last, story, sizeof(last));
	return last;
}

static void
draft(struct harness *h, const char *slug)
{
	char id[27];

	make(h, editor, id, "{'slug':'%s','data':{'title':'T'}}", slug);
}

static void
act(struct harness *h, const char *slug, const char *what)
{
	char request[100];

	(void)snprintf(request, sizeof(request), "POST " BASE "/%s/%s", slug, what);
	assert_ok(say(h, admin, request, "{}"));
}

static struct hook
picky(struct harness *h)
{
	struct hook a;

	here.choose = refuse_poison;
	hook(h, &here, ",'events':['content.*']", &a);
	return a;
}

static struct outcome *
replay(struct harness *h, const struct hook *a, const char *body)
{
	char request[100];

	(void)snprintf(request, sizeof(request), "POST " HOOKS "/%s/replay", a->id);
	return say(h, admin, request, "%s", body);
}

static struct outcome *
drop(struct harness *h, const struct hook *a, const char *body)
{
	char request[100];

	(void)snprintf(request, sizeof(request), "POST " HOOKS "/%s/drop", a->id);
	return say(h, admin, request, "%s", body);
}

static int64_t
waiting(struct harness *h, const struct hook *a)
{
	int64_t count = harness_int(look(h, a)->data, "item.waiting");

	assert_int_equal(count, logged(h, a, "pending"));
	return count;
}

/* ---- order ---- */

static void
an_event_that_fails_holds_up_its_own_item_only(void **state)
{
	struct harness *h = *state;
	struct hook a = picky(h);
	struct outcome *o;

	draft(h, "one");
	draft(h, "poison");
	draft(h, "three");
	assert_string_equal(told(h), "one:create poison:create three:create ");
	act(h, "poison", "publish");
	act(h, "three", "publish");
	draft(h, "four");
	assert_string_equal(told(h), "three:publish four:create ");
	o = look(h, &a);
	assert_int_equal(harness_int(o->data, "item.waiting"), 2);
	assert_int_equal(harness_int(o->data, "item.failures"), 0);
	assert_string_equal(harness_text(o->data, "item.lastError"), "answered 500");
	assert_string_equal(
	    harness_text(o->data, "item.oldestWaitingAt"), "2026-06-01T12:00:00.000Z");
	assert_true(strcmp(harness_text(o->data, "item.nextAttemptAt"), "2026-06-01T12:00:07") > 0);
	here.choose = NULL;
	at(h, 13 * SECOND);
	assert_int_equal(sent(h), 2);
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "content.publish");
	assert_int_equal(waiting(h, &a), 0);
	assert_true(json_is_null(harness_at(look(h, &a)->data, "item.nextAttemptAt")));
}

static void
while_nothing_fails_all_is_sent_in_order(void **state)
{
	struct harness *h = *state;

	(void)picky(h);
	draft(h, "one");
	at(h, 1);
	act(h, "one", "publish");
	at(h, 2);
	draft(h, "two");
	at(h, 3);
	act(h, "one", "unpublish");
	at(h, 4);
	act(h, "two", "publish");
	assert_string_equal(
	    told(h), "one:create one:publish two:create one:unpublish two:publish ");
}

static void
a_new_event_passes_what_fails_on_a_quiet_site(void **state)
{
	struct harness *h = *state;
	struct hook a = picky(h);
	int now = 0;

	draft(h, "poison-a");
	draft(h, "poison-b");
	for (int i = 0; i < 6; i++, at(h, now += HOUR / 2))
		(void)told(h);
	assert_in_range(harness_int(look(h, &a)->data, "item.failures"), 6, 12);
	(void)told(h);
	draft(h, "sound"); /* during a pause that may last an hour */
	assert_memory_equal(told(h), "sound:create ", 13);
	assert_int_equal(waiting(h, &a), 2);
}

static void
what_is_given_up_makes_room_for_the_next_event_of_its_item(void **state)
{
	struct harness *h = *state;
	struct hook a = picky(h);

	assert_ok(
	    say(h, admin, "PUT /admin/plugins/webhooks/settings", "{'values':{'attempts':1}}"));
	draft(h, "poison");
	act(h, "poison", "publish");
	assert_string_equal(told(h), "poison:create poison:publish ");
	assert_int_equal(logged(h, &a, "dead"), 2);
	assert_int_equal(waiting(h, &a), 0);
	here.choose = NULL;
	harness_int(replay(h, &a, "{}")->data, "replayed");
	assert_int_equal(waiting(h, &a), 2);
	assert_int_equal(sent(h), 2);
	assert_int_equal(waiting(h, &a), 0);
}

/* ---- a target that is down ---- */

static void
a_target_that_is_down_is_asked_less_and_less(void **state)
{
	struct harness *h = *state;
	struct hook a;
	char slug[16];
	int now = 0, requests = 0, most = 0;

	hook(h, &here, ",'events':['content.create']", &a);
	here.answer = BROKEN;
	for (int i = 0; i < 30; i++) {
		(void)snprintf(slug, sizeof(slug), "s%d", i);
		draft(h, slug);
	}
	assert_int_equal(sent(h), 5); /* five different ones, then the target pauses */
	assert_int_equal(sent(h), 0);
	draft(h, "late");
	assert_int_equal(sent(h), 0);
	at(h, 119 * SECOND);
	assert_int_equal(sent(h), 0);
	for (int i = 0; i < 40; i++) {
		int n;

		at(h, now += 15 * MINUTE);
		n = sent(h);
		requests += n;
		most = n > most ? n : most;
	}
	assert_int_equal(most, 1);
	assert_in_range(requests, 9, 20); /* in ten hours, since the pause grows to an hour */
	assert_int_equal(logged(h, &a, "dead"), 0);
	assert_true(json_is_true(harness_at(look(h, &a)->data, "item.enabled")));
	/* Once the target accepts a delivery, it gets all that were never tried, and the others
	 * when their retry is due. */
	here.answer = GOOD;
	at(h, now += 76 * MINUTE);
	assert_in_range(sent(h), 20, 31);
	at(h, now += 3 * HOUR);
	(void)sent(h);
	assert_int_equal(waiting(h, &a), 0);
}

static void
a_target_with_a_long_queue_leaves_turns_to_others(void **state)
{
	struct harness *h = *state;
	struct hook a, b;
	char slug[16];

	hook(h, &here, ",'collections':['posts']", &a);
	hook(h, &there, ",'collections':['pages']", &b);
	for (int i = 0; i < 45; i++) {
		(void)snprintf(slug, sizeof(slug), "s%d", i);
		draft(h, slug);
	}
	at(h, 1);
	assert_ok(say(h, editor, "POST /content/pages", "{'data':{'name':'N'}}"));
	at(h, 2);
	assert_true(run_due(h, 0));
	assert_int_equal(here.connections, 20);
	assert_int_equal(there.connections, 0);
	assert_true(run_due(h, 0));
	assert_int_equal(there.connections, 1);
	assert_int_equal(sent(h), 25);
}

static void
targets_that_fail_leave_a_job_to_the_others(void **state)
{
	struct harness *h = *state;
	struct hook a, b;

	hook(h, &here, ",'collections':['posts']", &a);
	hook(h, &there, ",'collections':['pages']", &b);
	here.answer = BROKEN;
	draft(h, "one");
	assert_true(run_due(h, 1)); /* the target is not known to fail yet */
	assert_int_equal(here.connections, 1);
	at(h, 13 * SECOND);
	assert_false(run_due(h, 1));
	assert_ok(say(h, editor, "POST /content/pages", "{'data':{'name':'N'}}"));
	assert_true(run_due(h, 1));
	assert_int_equal(there.connections, 1);
	assert_true(run_due(h, 0));
	assert_int_equal(here.connections, 2);
}

/* ---- bounds ---- */

static void
a_full_queue_gives_up_what_comes_and_keeps_it_for_a_replay(void **state)
{
	struct harness *h = *state;
	struct hook a, b;

	hook(h, &here, "", &a);
	hook(h, &there, "", &b);
	inside_sql(h, "UPDATE webhook SET waiting = 100000 WHERE id = ?1", a.id);
	draft(h, "one");
	assert_int_equal(sent(h), 1); /* to the other target */
	assert_int_equal(there.connections, 1);
	assert_string_equal(newest(h, &a, "state"), "dead");
	assert_non_null(strstr(newest(h, &a, "error"), "100000 deliveries waited"));
	inside_sql(h, "UPDATE webhook SET waiting = 0 WHERE id = ?1", a.id);
	assert_int_equal(harness_int(replay(h, &a, "{}")->data, "replayed"), 1);
	assert_int_equal(sent(h), 1);
	assert_string_equal(newest(h, &a, "state"), "delivered");
}

/* ---- replay and drop ---- */

static void
what_waits_is_tried_now_if_an_administrator_says_so(void **state)
{
	struct harness *h = *state;
	struct hook a = picky(h);
	char request[100];

	draft(h, "poison");
	act(h, "poison", "publish");
	assert_string_equal(told(h), "poison:create ");
	assert_string_equal(told(h), "");
	assert_int_equal(harness_int(replay(h, &a, "{'state':'pending'}")->data, "replayed"), 2);
	assert_string_equal(told(h), "poison:create ");
	here.choose = NULL;
	assert_ok(replay(h, &a, "{'state':'pending'}"));
	assert_int_equal(sent(h), 2);
	(void)snprintf(request, sizeof(request), "PUT " HOOKS "/%s", a.id);
	assert_ok(say(h, admin, request, "{'enabled':false}"));
	assert_code(replay(h, &a, "{'state':'pending'}"), "CONFLICT");
	assert_code(replay(h, &a, "{'state':'delivered'}"), "VALIDATION_ERROR");
}

static void
what_is_dropped_is_never_sent_and_stays_in_the_log(void **state)
{
	struct harness *h = *state;
	struct hook a = picky(h);
	char first[27], body[64];
	struct outcome *o;

	draft(h, "poison");
	assert_string_equal(told(h), "poison:create ");
	(void)snprintf(first, sizeof(first), "%s", newest(h, &a, "id"));
	act(h, "poison", "publish");
	act(h, "poison", "unpublish");
	here.choose = NULL;
	/* Drop a delivery that holds up others: these are sent then. */
	(void)snprintf(body, sizeof(body), "{'deliveryId':'%s'}", first);
	assert_int_equal(harness_int(drop(h, &a, body)->data, "dropped"), 1);
	assert_int_equal(waiting(h, &a), 2);
	assert_int_equal(logged(h, &a, "dropped"), 1);
	assert_int_equal(sent(h), 2);
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "content.unpublish");
	/* Drop all of them. */
	here.answer = BROKEN;
	draft(h, "two");
	act(h, "two", "publish");
	assert_int_equal(sent(h), 1);
	o = drop(h, &a, "{}");
	assert_int_equal(harness_int(o->data, "dropped"), 2);
	assert_true(json_is_false(harness_at(o->data, "more")));
	assert_int_equal(waiting(h, &a), 0);
	at(h, HOUR);
	assert_int_equal(sent(h), 0);
	assert_int_equal(logged(h, &a, "dropped"), 3);
	assert_int_equal(logged(h, &a, "dead"), 0);
	/* A replay of all skips dropped deliveries; a replay of one does not. */
	assert_int_equal(harness_int(replay(h, &a, "{}")->data, "replayed"), 0);
	here.answer = GOOD;
	assert_int_equal(harness_int(replay(h, &a, body)->data, "replayed"), 1);
	assert_int_equal(sent(h), 1);
	assert_string_equal(heard_header(&here, "X-Stet-Delivery"), first);
	assert_code(drop(h, &a, body), "CONFLICT"); /* the delivery was made */
	assert_code(drop(h, &a, "{'deliveryId':'x'}"), "NOT_FOUND");
}

static void
who_drops_is_on_record(void **state)
{
	struct harness *h = *state;
	struct hook a = picky(h);
	char request[100];
	struct outcome *o;

	draft(h, "poison");
	(void)told(h);
	(void)snprintf(request, sizeof(request), "POST " HOOKS "/%s/drop", a.id);
	assert_code(say(h, editor, request, "{}"), "FORBIDDEN");
	assert_ok(drop(h, &a, "{}"));
	harness_ok(o, ask(h, admin, "GET /admin/audit?op=webhook_drop"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_non_null(strstr(o->text, a.id));
}

/* Drops a delivery while it is being sent. */
static struct harness *dropping;
static struct hook dropped;

static const char *
drop_meanwhile(const char *heard)
{
	(void)heard;
	inside_sql(dropping,
	    "UPDATE webhook_delivery SET state = 'dead', dropped = 1, due_at = NULL"
	    " WHERE webhook_id = ?1",
	    dropped.id);
	inside_sql(dropping, "UPDATE webhook SET waiting = 0 WHERE id = ?1", dropped.id);
	return BROKEN;
}

static void
what_is_dropped_while_it_is_sent_does_not_come_back(void **state)
{
	struct harness *h = *state;

	dropping = h;
	hook(h, &here, "", &dropped);
	draft(h, "one");
	here.choose = drop_meanwhile;
	assert_int_equal(sent(h), 1);
	assert_int_equal(waiting(h, &dropped), 0);
	at(h, HOUR);
	assert_int_equal(sent(h), 0);
	assert_int_equal(logged(h, &dropped, "dropped"), 1);
}

/* ---- earlier versions ---- */

static void
a_queue_of_an_earlier_version_goes_on_in_order(void **state)
{
	struct harness *h = *state;
	struct hook a = picky(h);

	draft(h, "poison");
	assert_string_equal(told(h), "poison:create ");
	act(h, "poison", "publish");
	draft(h, "two");
	at(h, 1);
	act(h, "two", "publish");
	assert_ok(say(h, admin, "PUT /schema/collections/pages", "{'label':'P'}"));
	told_older(h);
	inside_sql(h, "UPDATE webhook SET due_at = '2026-06-01T12:00:10.000Z'", NULL);
	h = told_again(state);
	assert_int_equal(waiting(h, &a), 4);
	at(h, 2);
	assert_string_equal(told(h), "two:create two:publish ");
	assert_int_equal(waiting(h, &a), 2);
	here.choose = NULL;
	at(h, 13 * SECOND);
	assert_int_equal(sent(h), 2);
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "content.publish");
	assert_int_equal(waiting(h, &a), 0);
}

#undef check
#define check(name) cmocka_unit_test_setup_teardown(name, told_begin, told_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(an_event_that_fails_holds_up_its_own_item_only),
		check(while_nothing_fails_all_is_sent_in_order),
		check(a_new_event_passes_what_fails_on_a_quiet_site),
		check(what_is_given_up_makes_room_for_the_next_event_of_its_item),
		check(a_target_that_is_down_is_asked_less_and_less),
		check(a_target_with_a_long_queue_leaves_turns_to_others),
		check(targets_that_fail_leave_a_job_to_the_others),
		check(a_full_queue_gives_up_what_comes_and_keeps_it_for_a_replay),
		check(what_waits_is_tried_now_if_an_administrator_says_so),
		check(what_is_dropped_is_never_sent_and_stays_in_the_log),
		check(who_drops_is_on_record),
		check(what_is_dropped_while_it_is_sent_does_not_come_back),
		check(a_queue_of_an_earlier_version_goes_on_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
