/* webhooks.t - events sent to other servers: to whom, with what content, how often, and how they
 * are verified. */
#include "db/db.h"
#include "db/reader.h"
#include "told.h"
#include "work/outbox.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000
#define LATER (60 * SECOND) /* the first pauses are over */
#define BROKEN NEIGHBOUR_ANSWER("500 Oops", "3", "bad")

static void
a_change_is_sent_with_a_signature(void **state)
{
	struct harness *h = *state;
	struct hook a;
	char id[27];
	json_t *b;

	hook(h, &here, "", &a);
	assert_int_equal(sent(h), 0);
	make(h, editor, id, "{'slug':'one','locale':'fr','data':{'title':'One'}}");
	assert_int_equal(sent(h), 1);
	assert_non_null(strstr(here.heard, "POST /in HTTP/1.1\r\n"));
	assert_string_equal(heard_header(&here, "Content-Type"), "application/json");
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "content.create");
	assert_string_equal(heard_header(&here, "X-Stet-Attempt"), "1");
	assert_string_equal(heard_header(&here, "X-Stet-Timestamp"), "1780315200");
	assert_true(signed_with(&here, a.secret));
	assert_false(signed_with(&here, "whsec_other"));
	b = heard_body(&here);
	assert_string_equal(harness_text(b, "id"), heard_header(&here, "X-Stet-Delivery"));
	assert_string_equal(harness_text(b, "event"), "content.create");
	assert_string_equal(harness_text(b, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(b, "site"), "http://localhost");
	assert_string_equal(harness_text(b, "data.collection"), "posts");
	assert_string_equal(harness_text(b, "data.id"), id);
	assert_string_equal(harness_text(b, "data.slug"), "one");
	assert_string_equal(harness_text(b, "data.status"), "draft");
	assert_string_equal(harness_text(b, "data.locale"), "fr");
	assert_int_equal(harness_int(b, "data.version"), 1);
	json_decref(b);
	assert_string_equal(newest(h, &a, "state"), "delivered");
	assert_int_equal(sent(h), 0);
}

static void
each_event_is_told_once_and_in_order(void **state)
{
	static const struct {
		const char *method, *rest, *event;
	} steps[] = {
		{ "POST", "/publish", "content.publish" },
		{ "POST", "/unpublish", "content.unpublish" },
		{ "DELETE", "", "content.delete" },
		{ "POST", "/restore", "content.restore" },
		{ "DELETE", "", "content.delete" },
		{ "DELETE", "/permanent", "content.purge" },
	};
	struct harness *h = *state;
	struct hook a;
	char id[27], request[100];

	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	hook(h, &here, "", &a);
	for (size_t i = 0; i < COUNT(steps); i++) {
		(void)snprintf(request, sizeof(request), "%s " BASE "/%s%s", steps[i].method, id,
		    steps[i].rest);
		assert_ok(say(h, admin, request, "{}"));
		assert_int_equal(sent(h), 1);
		assert_string_equal(heard_header(&here, "X-Stet-Event"), steps[i].event);
	}
	/* Refused requests make no event. */
	make(h, editor, id, "{'slug':'two','data':{'title':'Two'}}");
	assert_code(
	    say(h, editor, "POST " BASE, "{'slug':'two','data':{'title':'Two'}}"), "SLUG_CONFLICT");
	assert_int_equal(sent(h), 1);
}

static void
targets_hear_what_they_ask_for(void **state)
{
	struct harness *h = *state;
	struct hook a, b;
	char id[27];

	hook(h, &here, ",'events':['content.publish','collection.*']", &a);
	hook(h, &there, ",'collections':['pages']", &b);
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	assert_int_equal(sent(h), 0);
	assert_ok(say(h, editor, "POST /content/pages", "{'data':{'name':'N'}}"));
	assert_int_equal(sent(h), 1);
	assert_int_equal(there.connections, 1);
	assert_ok(say(h, admin, "POST /content/posts/one/publish", "{}"));
	assert_int_equal(sent(h), 1);
	assert_int_equal(here.connections, 1);
	assert_ok(say(h, admin, "PUT /schema/collections/pages", "{'label':'P'}"));
	assert_int_equal(sent(h), 2);
}

static void
what_is_created_as_published_is_published(void **state)
{
	struct harness *h = *state;
	struct hook a, b;
	char id[27];

	hook(h, &here, ",'events':['content.publish']", &a);
	hook(h, &there, ",'events':['content.*']", &b);
	make(h, editor, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	assert_int_equal(sent(h), 3);
	assert_int_equal(here.connections, 1);
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "content.publish");
	assert_string_equal(heard_header(&there, "X-Stet-Event"), "content.publish");
	make(h, editor, id, "{'slug':'two','data':{'title':'Two'}}");
	assert_int_equal(sent(h), 1);
	assert_string_equal(heard_header(&there, "X-Stet-Event"), "content.create");
}

static void
comments_and_bylines_are_told_through_the_outbox(void **state)
{
	struct harness *h = *state;
	struct hook a;
	char id[27], request[100];

	assert_ok(say(h, admin, "PUT /schema/collections/posts",
	    "{'commentsEnabled':true,'commentsModeration':'none'}"));
	make(h, editor, id, "{'status':'published','data':{'title':'One'}}");
	hook(h, &here, "", &a);
	(void)snprintf(request, sizeof(request), "POST /comments/posts/%s", id);
	assert_ok(say(h, nobody, request,
	    "{'authorName':'Ann','authorEmail':'ann@example.org','body':'Yes'}"));
	assert_int_equal(sent(h), 0);
	outbox_deliver(harness_site(h));
	assert_int_equal(sent(h), 1);
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "comment.create");
	assert_non_null(strstr(here.heard, "\"authorName\":\"Ann\""));
	assert_null(strstr(here.heard, "example.org"));
	assert_ok(say(h, editor, "POST /bylines", "{'slug':'ann','displayName':'Ann'}"));
	outbox_deliver(harness_site(h));
	assert_int_equal(sent(h), 1);
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "byline.save");
	assert_non_null(strstr(here.heard, "\"displayName\":\"Ann\""));
}

static void
an_overdue_item_is_told_once_for_a_reason(void **state)
{
	struct harness *h = *state;
	struct hook a;
	char id[27], request[100];
	json_t *b;

	make(h, editor, id, "{'data':{'title':'One'}}");
	(void)snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	assert_ok(say(h, editor, request, "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	field(h, "posts", "needed", "string", "'required':true");
	inside_sql(h, "UPDATE c_posts SET f_needed = NULL", NULL);
	hook(h, &here, ",'events':['content.overdue'],'collections':['posts']", &a);
	at(h, 6000);
	inside_sweep(h);
	outbox_deliver(harness_site(h));
	assert_int_equal(sent(h), 1);
	b = heard_body(&here);
	assert_string_equal(harness_text(b, "event"), "content.overdue");
	assert_string_equal(harness_text(b, "data.id"), id);
	assert_string_equal(harness_text(b, "data.scheduledAt"), "2026-06-01T12:00:05.000Z");
	assert_string_equal(harness_text(b, "data.scheduleError.code"), "VALIDATION_ERROR");
	json_decref(b);
	at(h, 66000);
	inside_sweep(h);
	outbox_deliver(harness_site(h));
	assert_int_equal(sent(h), 0);
}

/* ---- secrets ---- */

static void
a_secret_is_shown_once(void **state)
{
	struct harness *h = *state;
	struct hook a;
	struct outcome *o;
	char id[27], old[64];

	hook(h, &here, "", &a);
	assert_int_equal(strlen(a.secret), 6 + 43);
	harness_ok(o, ask(h, admin, "GET " HOOKS));
	assert_null(strstr(o->text, "whsec_"));
	assert_null(strstr(look(h, &a)->text, "whsec_"));
	(void)snprintf(old, sizeof(old), "%s", a.secret);
	harness_ok(o, harness_op(h, admin, "webhook_rotate", "{\"id\":\"%s\"}", a.id));
	(void)snprintf(a.secret, sizeof(a.secret), "%s", harness_text(o->data, "secret"));
	assert_string_not_equal(a.secret, old);
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	assert_int_equal(sent(h), 1);
	assert_true(signed_with(&here, a.secret));
	assert_false(signed_with(&here, old));
	harness_ok(o, ask(h, admin, "GET " HOOKS "/%s/deliveries", a.id));
	assert_null(strstr(o->text, "whsec_"));
}

static void
a_new_slug_is_told_with_the_previous_one(void **state)
{
	static const struct {
		const char *method, *rest, *body, *event, *previous;
	} s[] = {
		{ "PUT", "", "{'slug':'two'}", "stage", "-" },
		{ "POST", "/publish", "{}", "publish", "one" },
		{ "PUT", "", "{'data':{'title':'B'},'status':'published'}", "publish", "-" },
		{ "PUT", "", "{'slug':'three','status':'published'}", "publish", "two" },
		{ "POST", "/unpublish", "{}", "unpublish", "-" },
		{ "PUT", "", "{'slug':'four'}", "update", "-" },
		{ "POST", "/publish", "{}", "publish", "-" },
		{ "DELETE", "", "{}", "delete", "-" },
	};
	struct harness *h = *state;
	struct hook a;
	char id[27], request[100];

	make(h, editor, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	hook(h, &here, "", &a);
	for (size_t i = 0; i < COUNT(s); i++) {
		(void)snprintf(
		    request, sizeof(request), "%s " BASE "/%s%s", s[i].method, id, s[i].rest);
		assert_ok(say(h, editor, request, "%s", s[i].body));
		assert_int_equal(sent(h), 1);
		assert_string_equal(heard_header(&here, "X-Stet-Event") + 8, s[i].event);
		json_t *b = heard_body(&here);
		const char *previous = json_string_value(harness_at(b, "data.previousSlug"));
		assert_string_equal(previous != NULL ? previous : "-", s[i].previous);
		json_decref(b);
	}
}

/* ---- what is asked for ---- */

static void
what_is_asked_for_is_checked(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct hook a;

	o = say(h, admin, "POST " HOOKS,
	    "{'url':'ftp://a.example/','events':['content.publish','content.x','x'],"
	    "'collections':['posts','none']}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "url"));
	assert_true(harness_issue(o, "events[1]"));
	assert_true(harness_issue(o, "events[2]"));
	assert_true(harness_issue(o, "collections[1]"));
	assert_false(harness_issue(o, "events[0]"));
	assert_code(
	    say(h, admin, "POST " HOOKS, "{'url':'https://u:p@a.example/'}"), "VALIDATION_ERROR");
	assert_code(say(h, admin, "POST " HOOKS, "{}"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET " HOOKS "/none"), "NOT_FOUND");
	assert_code(ask(h, admin, "GET " HOOKS "/none/deliveries"), "NOT_FOUND");
	assert_code(say(h, admin, "POST " HOOKS "/none/test", "{}"), "NOT_FOUND");
	assert_code(say(h, admin, "POST " HOOKS "/none/replay", "{}"), "NOT_FOUND");
	assert_code(say(h, admin, "POST " HOOKS "/none/rotate", "{}"), "NOT_FOUND");
	assert_code(say(h, admin, "PUT " HOOKS "/none", "{'enabled':true}"), "NOT_FOUND");
	assert_code(say(h, editor, "POST " HOOKS, "{'url':'https://a.example/'}"), "FORBIDDEN");
	for (int i = 0; i < 50; i++)
		hook(h, &here, "", &a);
	assert_code(say(h, admin, "POST " HOOKS, "{'url':'https://a.example/'}"), "CONFLICT");
}

static void
an_unknown_event_is_answered_with_those_there_are(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *why;

	o = say(h, admin, "POST " HOOKS, "{'url':'https://a.example/','events':['nope.x']}");
	assert_code(o, "VALIDATION_ERROR");
	why = harness_text(o->details, "issues[0].message");
	assert_non_null(strstr(why, "there is no event \"nope.x\"; there are content.*, "));
	assert_non_null(strstr(why, ", content.publish, "));
	assert_non_null(strstr(why, ", cache.purge"));
}

static void
a_target_is_changed_and_deleted(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct hook a;
	char id[27], request[100];

	hook(h, &here, ",'description':'D','events':['content.*']", &a);
	(void)snprintf(request, sizeof(request), "PUT " HOOKS "/%s", a.id);
	harness_ok(o, say(h, admin, request, "{'collections':['pages'],'description':null}"));
	assert_true(json_is_null(harness_at(o->data, "item.description")));
	assert_string_equal(harness_text(o->data, "item.events[0]"), "content.*");
	assert_string_equal(harness_text(o->data, "item.collections[0]"), "pages");
	assert_string_equal(harness_text(o->data, "item.url"), neighbour_url(&here, "/in"));
	assert_code(say(h, admin, request, "{'url':'x'}"), "VALIDATION_ERROR");
	harness_ok(o, say(h, admin, request, "{'collections':[],'enabled':false}"));
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	assert_int_equal(logged(h, &a, ""), 0); /* a disabled target gets no deliveries */
	assert_ok(say(h, admin, request, "{'enabled':true}"));
	make(h, editor, id, "{'slug':'two','data':{'title':'Two'}}");
	assert_int_equal(logged(h, &a, "pending"), 1);
	assert_ok(ask(h, admin, "DELETE " HOOKS "/%s", a.id));
	assert_int_equal(sent(h), 0);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM webhook_delivery"), "0");
	assert_code(ask(h, admin, "DELETE " HOOKS "/%s", a.id), "NOT_FOUND");
}

static void
nobody_is_asked_who_may_not_be(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct hook a = { 0 };
	char url[64];

	assert_code(say(h, admin, "POST " HOOKS, "{'url':'%s'}", neighbour_url(&here, "/")),
	    "VALIDATION_ERROR"); /* http is refused */
	(void)snprintf(url, sizeof(url), "https://127.0.0.1:%d/", here.port);
	harness_ok(o, say(h, admin, "POST " HOOKS, "{'url':'%s'}", url));
	(void)snprintf(a.id, sizeof(a.id), "%s", harness_text(o->data, "item.id"));
	harness_ok(o, harness_op(h, admin, "webhook_test", "{\"id\":\"%s\"}", a.id));
	assert_string_equal(harness_text(o->data, "item.state"), "dead");
	assert_non_null(strstr(harness_text(o->data, "item.error"), "may not be asked"));
	assert_int_equal(here.connections, 0);
}

static void
a_ping_is_sent_at_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct hook a;

	hook(h, &here, ",'events':['content.publish']", &a);
	harness_ok(o, harness_op(h, admin, "webhook_test", "{\"id\":\"%s\"}", a.id));
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "ping");
	assert_true(signed_with(&here, a.secret));
	assert_string_equal(harness_text(o->data, "item.state"), "delivered");
	assert_int_equal(harness_int(o->data, "item.status"), 200);
	assert_string_equal(harness_text(o->data, "item.response"), "hello");
	here.answer = NEIGHBOUR_ANSWER("404 No", "9", "a\x01\xff\xe2\x82\xac\x7f\tb");
	harness_ok(o, harness_op(h, admin, "webhook_test", "{\"id\":\"%s\"}", a.id));
	assert_string_equal(harness_text(o->data, "item.state"), "dead");
	assert_int_equal(harness_int(o->data, "item.status"), 404);
	assert_string_equal(harness_text(o->data, "item.error"), "answered 404");
	assert_string_equal(harness_text(o->data, "item.response"), "a ???? \tb");
	/* It is not part of the queue: it counts as no failure of the target, and is not
	 * replayed. */
	assert_int_equal(harness_int(look(h, &a)->data, "item.failures"), 0);
	harness_ok(o, harness_op(h, admin, "webhook_replay", "{\"id\":\"%s\"}", a.id));
	assert_int_equal(harness_int(o->data, "replayed"), 0);
}

/* ---- failures ---- */

/* Lets two events of an item wait for a target that fails; the first was tried once. */
static void
two_wait(struct harness *h, struct hook *a, char first[27])
{
	char id[27];

	hook(h, &here, "", a);
	here.answer = BROKEN;
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	at(h, 1);
	assert_ok(say(h, admin, "POST " BASE "/one/publish", "{}"));
	assert_int_equal(sent(h), 1);
	(void)snprintf(first, 27, "%s", heard_header(&here, "X-Stet-Delivery"));
}

static void
what_failed_is_sent_again_later_and_in_order(void **state)
{
	struct harness *h = *state;
	struct hook a;
	char first[27], attempt[12];
	int now = 0, pause = 10 * SECOND;

	two_wait(h, &a, first);
	for (int i = 2; i <= 4; i++, pause *= 2) {
		at(h, now + pause * 3 / 4 - 1); /* the pause is never shorter */
		assert_int_equal(sent(h), 0);
		at(h, now += pause * 5 / 4 + 2);
		assert_int_equal(sent(h), 1);
		(void)snprintf(attempt, sizeof(attempt), "%d", i);
		assert_string_equal(heard_header(&here, "X-Stet-Attempt"), attempt);
		assert_string_equal(heard_header(&here, "X-Stet-Delivery"), first);
		assert_true(signed_with(&here, a.secret)); /* with this attempt's time */
	}
	assert_int_equal(harness_int(look(h, &a)->data, "item.failures"), 4);
	here.answer = NEIGHBOUR_ANSWER("204 Fine", "0", "");
	at(h, now += 2 * pause);
	assert_int_equal(sent(h), 2);
	assert_string_not_equal(heard_header(&here, "X-Stet-Delivery"), first);
	assert_int_equal(harness_int(look(h, &a)->data, "item.failures"), 0);
	assert_int_equal(logged(h, &a, "delivered"), 2);
}

static void
what_fails_too_often_is_given_up_and_may_be_replayed(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct hook a;
	char dead[27];
	int now = 0;

	assert_ok(
	    say(h, admin, "PUT /admin/plugins/webhooks/settings", "{'values':{'attempts':2}}"));
	two_wait(h, &a, dead);
	at(h, now += LATER);
	assert_int_equal(sent(h), 2); /* the retry, and the delivery behind it */
	assert_int_equal(logged(h, &a, "dead"), 1);
	assert_string_not_equal(heard_header(&here, "X-Stet-Delivery"), dead);
	here.answer = NEIGHBOUR_ANSWER("200 OK", "2", "ok");
	at(h, now += LATER);
	assert_int_equal(sent(h), 1);
	assert_int_equal(sent(h), 0);
	harness_ok(o, harness_op(h, admin, "webhook_replay", "{\"id\":\"%s\"}", a.id));
	assert_int_equal(harness_int(o->data, "replayed"), 1);
	assert_int_equal(sent(h), 1);
	assert_string_equal(heard_header(&here, "X-Stet-Delivery"), dead);
	assert_int_equal(logged(h, &a, "dead"), 0);
	/* A single delivery can be replayed whatever its state. */
	harness_ok(o, harness_op(h, admin, "webhook_replay",
			  "{\"id\":\"%s\",\"deliveryId\":\"%s\"}", a.id, dead));
	assert_int_equal(sent(h), 1);
	assert_string_equal(heard_header(&here, "X-Stet-Delivery"), dead);
	assert_code(
	    harness_op(h, admin, "webhook_replay", "{\"id\":\"%s\",\"deliveryId\":\"x\"}", a.id),
	    "NOT_FOUND");
}

static void
a_target_that_never_answers_is_disabled(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct hook a;
	char id[27], request[100];
	int now = 0;

	assert_ok(
	    say(h, admin, "PUT /admin/plugins/webhooks/settings", "{'values':{'disableAfter':3}}"));
	hook(h, &here, "", &a);
	here.answer = BROKEN;
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	for (int i = 0; i < 3; i++, at(h, now += LATER))
		assert_int_equal(sent(h), 1);
	assert_int_equal(sent(h), 0);
	o = look(h, &a);
	assert_true(json_is_false(harness_at(o->data, "item.enabled")));
	assert_non_null(strstr(harness_text(o->data, "item.disabledReason"), "answered 500"));
	here.answer = NEIGHBOUR_ANSWER("200 OK", "2", "ok");
	(void)snprintf(request, sizeof(request), "PUT " HOOKS "/%s", a.id);
	harness_ok(o, say(h, admin, request, "{'enabled':true}"));
	assert_true(json_is_null(harness_at(o->data, "item.disabledReason")));
	assert_int_equal(sent(h), 1); /* the waiting delivery, at once */
	here.answer = NEIGHBOUR_ANSWER("410 Gone", "0", "");
	make(h, editor, id, "{'slug':'two','data':{'title':'Two'}}");
	assert_int_equal(sent(h), 1);
	o = look(h, &a);
	assert_true(json_is_false(harness_at(o->data, "item.enabled")));
	assert_non_null(strstr(harness_text(o->data, "item.disabledReason"), "410"));
}

static void *
send_aside(void *h)
{
	(void)run_due(h, 0);
	reader_close(NULL);
	return NULL;
}

static void
a_target_that_says_nothing_keeps_nobody_waiting(void **state)
{
	struct harness *h = *state;
	struct hook a, b;
	pthread_t thread;
	char id[27];

	hook(h, &here, "", &a);
	at(h, 1);
	hook(h, &there, "", &b);
	here.answer = NULL;
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	at(h, 2);
	make(h, editor, id, "{'slug':'two','data':{'title':'Two'}}");
	/* Whichever target's job runs first, after both jobs a request to the silent target is in
	 * progress. */
	assert_int_equal(pthread_create(&thread, NULL, send_aside, h), 0);
	while (here.heard_count == 0 && there.heard_count < 2)
		sched_yield();
	if (here.heard_count == 0) { /* the other target's job was first */
		pthread_join(thread, NULL);
		assert_int_equal(pthread_create(&thread, NULL, send_aside, h), 0);
		while (here.heard_count == 0)
			sched_yield();
	} else
		assert_true(run_due(h, 1));
	assert_int_equal(there.heard_count, 2);
	/* No second request is made to a target while one is in progress. */
	assert_false(run_due(h, 1));
	assert_int_equal(here.connections, 1);
	neighbour_close(&here);
	neighbour_open(&here); /* closed here, so that the request fails; opened again elsewhere */
	pthread_join(thread, NULL);
	assert_in_range(harness_int(look(h, &a)->data, "item.failures"), 1, 2); /* or both */
	assert_int_equal(logged(h, &b, "delivered"), 2);
}

/* ---- the log ---- */

static void
the_log_is_read_a_page_at_a_time_and_ends(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	struct hook a;
	char id[27], cursor[2100], last[27];
	int count = 0;

	hook(h, &here, "", &a);
	for (int i = 0; i < 5; i++)
		make(h, editor, id, "{'slug':'s%d','data':{'title':'T'}}", i);
	assert_int_equal(sent(h), 5);
	harness_ok(o, ask(h, admin, "GET " HOOKS "/%s/deliveries?limit=2", a.id));
	for (;; count++) {
		json_t *items = json_object_get(o->data, "items");
		size_t n = json_array_size(items);

		(void)snprintf(last, sizeof(last), "%s",
		    json_string_value(json_object_get(json_array_get(items, n - 1), "id")));
		if (*harness_text(o->data, "nextCursor") == '\0')
			break;
		assert_int_equal(n, 2);
		(void)snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		harness_ok(o,
		    ask(h, admin, "GET " HOOKS "/%s/deliveries?limit=2&cursor=%s", a.id, cursor));
	}
	assert_int_equal(count, 2);
	harness_ok(o, ask(h, admin, "GET " HOOKS "/%s/deliveries/%s", a.id, last));
	assert_non_null(strstr(harness_text(o->data, "item.body"), "\"slug\":\"s0\""));
	assert_string_equal(harness_text(o->data, "item.response"), "hello");
	assert_code(ask(h, admin, "GET " HOOKS "/%s/deliveries/x", a.id), "NOT_FOUND");
	assert_code(ask(h, admin, "GET " HOOKS "/%s/deliveries?cursor=x", a.id), "INVALID_CURSOR");
	/* Old deliveries are deleted, waiting ones stay. */
	here.answer = BROKEN;
	make(h, editor, id, "{'slug':'late','data':{'title':'T'}}");
	assert_int_equal(sent(h), 1);
	harness_clock(h, "2026-07-01T11:59:59.000Z");
	sweep(h);
	assert_int_equal(logged(h, &a, ""), 6);
	harness_clock(h, "2026-07-02T12:00:00.000Z");
	sweep(h);
	assert_int_equal(logged(h, &a, ""), 1);
	assert_int_equal(logged(h, &a, "pending"), 1);
}

#undef check
#define check(name) cmocka_unit_test_setup_teardown(name, told_begin, told_end)
#define check_closed(name) cmocka_unit_test_setup_teardown(name, told_begin_closed, told_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_change_is_sent_with_a_signature),
		check(each_event_is_told_once_and_in_order),
		check(a_new_slug_is_told_with_the_previous_one),
		check(targets_hear_what_they_ask_for),
		check(what_is_created_as_published_is_published),
		check(comments_and_bylines_are_told_through_the_outbox),
		check(a_secret_is_shown_once),
		check(what_is_asked_for_is_checked),
		check(an_unknown_event_is_answered_with_those_there_are),
		check(an_overdue_item_is_told_once_for_a_reason),
		check(a_target_is_changed_and_deleted),
		check_closed(nobody_is_asked_who_may_not_be),
		check(a_ping_is_sent_at_once),
		check(what_failed_is_sent_again_later_and_in_order),
		check(what_fails_too_often_is_given_up_and_may_be_replayed),
		check(a_target_that_never_answers_is_disabled),
		check(a_target_that_says_nothing_keeps_nobody_waiting),
		check(the_log_is_read_a_page_at_a_time_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
