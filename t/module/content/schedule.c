/* schedule.t - publishing at a time, by a clock that the tests set. */
#include "call/call.h"
#include "db/db.h"
#include "db/rows.h"
#include "inside.h"
#include "posts.h"
#include "site/site.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEVER (-1)

static struct outcome *
on(struct harness *h, const struct harness_user *user, const char *request, const char *id,
    const char *rest, const char *body)
{
	char text[256];

	snprintf(text, sizeof(text), "%s " BASE "/%s%s", request, id, rest);
	return say(h, user, text, "%s", body);
}

static int64_t
due(struct harness *h)
{
	struct stet_call *call;
	struct stet_job job;
	int64_t at_ms;

	inside_job(h, &call, &job);
	at_ms = job.due(call);
	rows_end_call(call);
	call_free(call);
	return at_ms;
}

static int64_t
ms_of(const char *time)
{
	int64_t ms;

	assert_true(stet_time_parse(time, &ms));
	return ms;
}

static struct outcome *
get(struct harness *h, const char *id)
{
	struct outcome *o = ask(h, editor, "GET " BASE "/%s", id);

	assert_ok(o);
	return o;
}

static void
what_is_scheduled_is_published_at_its_second(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	assert_int_equal(due(h), NEVER);
	harness_ok(o,
	    on(h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T14:00:05+02:00'}"));
	assert_string_equal(harness_text(o->data, "item.status"), "scheduled");
	assert_string_equal(harness_text(o->data, "item.scheduledAt"), "2026-06-01T12:00:05.000Z");
	assert_code(ask(h, subscriber, "GET " BASE "/%s", id), "NOT_FOUND");
	assert_int_equal(due(h), ms_of("2026-06-01T12:00:05Z"));
	at(h, 4999);
	inside_sweep(h);
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "scheduled");
	at(h, 5000);
	inside_sweep(h);
	o = get(h, id);
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_true(json_is_null(harness_at(o->data, "item.scheduledAt")));
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:05.000Z");
	assert_int_equal(due(h), NEVER);
}

static void
what_is_overdue_is_published_with_its_own_time(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	assert_ok(on(h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	at(h, 3000000); /* the daemon was down */
	assert_true(due(h) <= ms_of("2026-06-01T12:50:00Z"));
	inside_sweep(h);
	o = get(h, id);
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:05.000Z");
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:50:00.000Z");
}

static void
the_schedule_of_a_published_item_is_that_of_its_draft(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'B'}}"));
	harness_ok(
	    o, on(h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	assert_true(json_is_null(harness_at(o->data, "item.scheduledAt")));
	at(h, 5001);
	inside_sweep(h);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.000Z");
}

static void
nothing_publishes_behind_the_editors_back(void **state)
{
	static const struct {
		const char *method, *rest, *body, *status;
	} changes[] = { { "DELETE", "/schedule", "", "scheduled" },
		{ "POST", "/unpublish", "", "draft" }, { "PUT", "", "{'status':'draft'}", "draft" },
		{ "DELETE", "", "", NULL },
		{ "POST", "/schedule", "{'scheduledAt':'2027-01-01T00:00:00Z'}", "scheduled" } };
	struct harness *h = *state;
	char id[27];

	for (size_t i = 0; i < COUNT(changes); i++) {
		at(h, 0);
		make(h, author, id, "{'data':{'title':'A'}}");
		assert_ok(on(
		    h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
		assert_ok(on(h, author, changes[i].method, id, changes[i].rest, changes[i].body));
		at(h, 6000);
		inside_sweep(h);
		if (changes[i].status == NULL)
			assert_ok(on(h, author, "POST", id, "/restore", ""));
		inside_sweep(h);
		assert_string_equal(harness_text(get(h, id)->data, "item.status"),
		    changes[i].status != NULL ? changes[i].status : "scheduled");
	}
}

static void
one_that_cannot_be_published_holds_nobody_up(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char bad[27], good[27], rest[27];

	make(h, author, bad, "{'slug':'bad','status':'published','data':{'title':'A'}}");
	make(h, author, rest, "{'slug':'taken','data':{}}");
	make(h, author, good, "{'slug':'good','data':{'title':'G'}}");
	assert_ok(on(h, author, "PUT", bad, "", "{'slug':'taken','data':{'title':'never'}}"));
	assert_ok(
	    on(h, author, "POST", bad, "/schedule", "{'scheduledAt':'2026-06-01T12:00:01Z'}"));
	assert_ok(
	    on(h, author, "POST", good, "/schedule", "{'scheduledAt':'2026-06-01T12:00:02Z'}"));
	at(h, 3000);
	inside_sweep(h);
	assert_string_equal(harness_text(get(h, good)->data, "item.status"), "published");
	o = get(h, bad);
	assert_string_equal(harness_text(o->data, "item.liveData.title"), "A");
	assert_string_equal(harness_text(o->data, "item.scheduledAt"), "2026-06-01T12:00:01.000Z");
	/* It is tried again in a minute; items that become due meanwhile are not delayed. */
	assert_int_equal(due(h), ms_of("2026-06-01T12:01:03Z"));
	assert_ok(
	    on(h, author, "POST", rest, "/schedule", "{'scheduledAt':'2026-06-01T12:00:09Z'}"));
	assert_int_equal(due(h), ms_of("2026-06-01T12:00:09Z"));
	assert_ok(on(h, author, "PUT", rest, "", "{'slug':'free'}"));
	at(h, 64000);
	inside_sweep(h);
	assert_string_equal(harness_text(get(h, bad)->data, "item.slug"), "taken");
	assert_int_equal(due(h), NEVER);
}

/* Returns how often the log contains this text. */
static int
logged(const char *text)
{
	FILE *file = fopen(getenv("STET_TEST_LOG"), "r");
	char line[1024];
	int count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL)
		count += strstr(line, text) != NULL;
	fclose(file);
	return count;
}

static void
sweep_at(struct harness *h, int ms)
{
	at(h, ms);
	inside_sweep(h);
}

/* At the time of publishing another item has taken a unique value of the item or of its
 * translation. */
static void
what_is_taken_is_tried_until_it_is_free(void **state)
{
	static const char *const names[] = { "code", "isbn" };
	struct harness *h = *state;
	char id[27], sibling[27], other[27], body[160], said[64];

	field(h, "posts", "isbn", "string", "'unique':true,'translatable':false");
	for (size_t i = 0; i < COUNT(names); i++) {
		at(h, 0);
		make(h, author, id, "{'status':'published','data':{'title':'A','%s':'a%zu'}}",
		    names[i], i);
		make(h, author, sibling,
		    "{'slug':'fr-%zu','locale':'fr','translationOf':'%s','status':'published',"
		    "'data':{}}",
		    i, id);
		snprintf(body, sizeof(body), "{'data':{'title':'B','%s':'taken%zu'}}", names[i], i);
		assert_ok(on(h, author, "PUT", id, "", body));
		assert_ok(on(
		    h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:01Z'}"));
		/* An item in the sibling's locale conflicts, too. */
		make(h, author, other, "{'locale':'%s','data':{'%s':'taken%zu'}}",
		    i == 0 ? "en" : "fr", names[i], i);
		for (int minute = 0; minute < 5; minute++) {
			sweep_at(h, 2000 + minute * 60000);
			assert_string_equal(
			    harness_text(get(h, id)->data, "item.liveData.title"), "A");
			assert_int_equal(
			    due(h), ms_of("2026-06-01T12:01:02Z") + (int64_t)minute * 60000);
		}
		snprintf(said, sizeof(said), "%s, scheduled for", id);
		assert_int_equal(logged(said), 1);
		/* Another reason is logged, and so is the first one if it occurs again. */
		snprintf(body, sizeof(body), "{'data':{'%s':'free%zu'}}", names[i], i);
		assert_ok(on(h, author, "PUT", other, "", body));
		sweep_at(h, 302000);
		assert_string_equal(harness_text(get(h, id)->data, "item.data.title"), "B");
		assert_null(harness_at(get(h, id)->data, "item.liveData"));
		assert_int_equal(due(h), NEVER);
		assert_int_equal(logged(said), 1);
		snprintf(body, sizeof(body), "item.data.%s", names[i]);
		if (i == 1)
			assert_string_equal(harness_text(get(h, sibling)->data, body), "taken1");
	}
}

static void
a_failure_is_logged_again_for_another_reason(void **state)
{
	struct harness *h = *state;
	char id[27], slug[27], code[27], said[64];

	make(h, author, id, "{'slug':'s','status':'published','data':{'title':'A'}}");
	make(h, author, slug, "{'slug':'wanted','data':{}}");
	make(h, author, code, "{'slug':'other','data':{'code':'x'}}");
	assert_ok(on(h, author, "PUT", id, "", "{'slug':'wanted','data':{'title':'B'}}"));
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'code':'y'}}"));
	assert_ok(on(h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:01Z'}"));
	assert_ok(on(h, author, "PUT", code, "", "{'data':{'code':'y'}}"));
	snprintf(said, sizeof(said), "%s, scheduled for", id);
	sweep_at(h, 2000);
	sweep_at(h, 62000);
	assert_int_equal(logged(said), 1);
	assert_ok(on(h, author, "PUT", slug, "", "{'slug':'free'}"));
	sweep_at(h, 122000);
	sweep_at(h, 182000);
	assert_int_equal(logged(said), 2);
	assert_ok(on(h, author, "PUT", slug, "", "{'slug':'wanted'}"));
	sweep_at(h, 242000);
	assert_int_equal(logged(said), 3);
	assert_ok(on(h, author, "PUT", slug, "", "{'slug':'free'}"));
	assert_ok(on(h, author, "PUT", code, "", "{'data':{'code':'z'}}"));
	sweep_at(h, 302000);
	assert_string_equal(harness_text(get(h, id)->data, "item.slug"), "wanted");
	assert_int_equal(logged(said), 3);
}

static void
many_are_published_oldest_first(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], body[96];

	for (int i = 0; i < 120; i++) {
		make(h, author, id, "{'slug':'n-%d','data':{}}", i);
		snprintf(body, sizeof(body), "{'scheduledAt':'2026-06-01T12:0%d:%02dZ'}", 1 + i % 2,
		    i / 2);
		assert_ok(on(h, author, "POST", id, "/schedule", body));
	}
	at(h, 300000);
	inside_sweep(h);
	harness_ok(o, ask(h, editor, "GET " BASE "?status=published&includeTotal=1"));
	assert_int_equal(harness_int(o->data, "total"), 120);
	assert_int_equal(due(h), NEVER);
}

static void
times_are_read_as_they_are_meant(void **state)
{
	static const struct {
		const char *text, *stored; /* NULL: refused */
	} times[] = {
		{ "2026-06-01T12:00:00.000Z", NULL }, /* now */
		{ "2026-06-01T14:30:00+05:00", NULL }, /* past, elsewhere */
		{ "2026-06-01T11:30:00-05:00", "2026-06-01T16:30:00.000Z" },
		{ "2026-12-31T23:59:60Z", NULL }, /* stet's clock has no leap seconds */
		{ "2027-02-29", NULL },
		{ "2028-02-29", "2028-02-29T00:00:00.000Z" },
		{ "2038-01-19T03:14:08Z", "2038-01-19T03:14:08.000Z" },
		{ "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z" },
		{ "tomorrow", NULL },
		{ "", NULL },
	};
	struct harness *h = *state;
	char id[27], body[96];

	make(h, author, id, "{'data':{'title':'A'}}");
	for (size_t i = 0; i < COUNT(times); i++) {
		struct outcome *o;

		snprintf(body, sizeof(body), "{'scheduledAt':'%s'}", times[i].text);
		o = on(h, author, "POST", id, "/schedule", body);
		assert_code(o, times[i].stored == NULL ? "VALIDATION_ERROR" : "");
		if (times[i].stored != NULL) {
			assert_string_equal(
			    harness_text(o->data, "item.scheduledAt"), times[i].stored);
			assert_int_equal(due(h), ms_of(times[i].stored));
		}
	}
	assert_code(
	    on(h, author, "POST", id, "/schedule", "{'scheduledAt':null}"), "VALIDATION_ERROR");
	assert_code(on(h, author, "POST", id, "/schedule", "{}"), "VALIDATION_ERROR");
}

static void
a_clock_that_goes_back_publishes_nothing_early(void **state)
{
	struct harness *h = *state;
	char id[27], one[27];

	make(h, author, one, "{'data':{'title':'1'}}");
	assert_ok(
	    on(h, author, "POST", one, "/schedule", "{'scheduledAt':'2026-06-01T12:10:00Z'}"));
	at(h, 600000);
	inside_sweep(h);
	at(h, 1000); /* the clock is set back */
	make(h, author, id, "{'data':{'title':'2'}}");
	assert_ok(on(h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:05:00Z'}"));
	assert_int_equal(due(h), ms_of("2026-06-01T12:05:00Z"));
	inside_sweep(h);
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "scheduled");
	at(h, 300000);
	inside_sweep(h);
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "published");
}

/* An item whose schedule was taken away keeps its status, but it is a draft. */
static void
unscheduled_items_are_listed_with_drafts(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[4][27];

	make(h, author, id[0], "{'data':{'title':'Draft'}}");
	make(h, author, id[1], "{'data':{'title':'Cancelled'}}");
	make(h, author, id[2], "{'data':{'title':'Scheduled'}}");
	make(h, author, id[3], "{'status':'published','data':{'title':'Live'}}");
	for (int i = 1; i < 4; i++)
		assert_ok(on(h, author, "POST", id[i], "/schedule",
		    "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	assert_ok(on(h, author, "DELETE", id[1], "/schedule", ""));
	assert_ok(on(h, author, "DELETE", id[3], "/schedule", ""));
	assert_string_equal(harness_text(get(h, id[1])->data, "item.status"), "scheduled");
	assert_int_equal(total(h, editor, "status=unscheduled"), 2);
	harness_ok(
	    o, ask(h, editor, "GET " BASE "?status=unscheduled&orderBy=title&order=asc&limit=1"));
	assert_string_equal(harness_text(o->data, "items[0].id"), id[1]);
	harness_ok(
	    o, ask(h, editor,
		   "GET " BASE "?status=unscheduled&orderBy=title&order=asc&limit=1&cursor=%s",
		   harness_text(o->data, "nextCursor")));
	assert_string_equal(harness_text(o->data, "items[0].id"), id[0]);
	assert_null(json_object_get(o->data, "nextCursor"));
	assert_int_equal(total(h, subscriber, "status=unscheduled"), 1); /* what is published */
	assert_code(ask(h, editor, "GET " BASE "?status=unscheduled&search=a"), "VALIDATION_ERROR");
}

/* ---- items that are overdue ---- */

/* Creates an item of this status that is due at 12:00:05 and lacks a field that became required. */
static void
make_overdue(struct harness *h, char id[27], const char *status)
{
	make(h, author, id, "{'status':'%s','data':{'title':'A'}}", status);
	if (strcmp(status, "published") == 0)
		assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'B'}}"));
	assert_ok(on(h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
}

static void
require_a_field(struct harness *h)
{
	field(h, "posts", "needed", "string", "'required':true");
	/* An older draft may have removed the value. */
	inside_sql(h, "UPDATE c_posts SET f_needed = NULL", NULL);
}

static json_t *
error_of(struct harness *h, const struct harness_user *user, const char *id)
{
	struct outcome *o = ask(h, user, "GET " BASE "/%s", id);

	assert_ok(o);
	return harness_at(o->data, "item.scheduleError");
}

static void
an_overdue_item_says_why(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], tag[128];

	make_overdue(h, id, "draft");
	require_a_field(h);
	assert_null(error_of(h, editor, id));
	(void)snprintf(tag, sizeof(tag), "%s", get(h, id)->etag);
	assert_int_equal(total(h, editor, "status=overdue"), 0);
	sweep_at(h, 6000);
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.scheduleError.code"), "VALIDATION_ERROR");
	assert_non_null(strstr(harness_text(o->data, "item.scheduleError.message"), "needed"));
	assert_string_equal(
	    harness_text(o->data, "item.scheduleError.at"), "2026-06-01T12:00:06.000Z");
	assert_string_not_equal(o->etag, tag); /* so that caches request it again */
	assert_int_equal(total(h, editor, "status=overdue"), 1);
	harness_ok(o, ask(h, editor, "GET " BASE "?status=overdue&fields=scheduleError"));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_string_equal(
	    harness_text(o->data, "items[0].scheduleError.code"), "VALIDATION_ERROR");
	/* The same reason is not logged again a minute later. */
	sweep_at(h, 66000);
	assert_string_equal(
	    harness_text(get(h, id)->data, "item.scheduleError.at"), "2026-06-01T12:00:06.000Z");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'needed':'x'}}"));
	sweep_at(h, 126000);
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "published");
	assert_null(error_of(h, editor, id));
	assert_int_equal(total(h, editor, "status=overdue"), 0);
	assert_code(ask(h, editor, "GET " BASE "?status=overdue&search=a"), "VALIDATION_ERROR");
}

static void
why_it_is_overdue_is_for_those_who_may_read_drafts(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], tag[128];

	make_overdue(h, id, "published");
	require_a_field(h);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	(void)snprintf(tag, sizeof(tag), "%s", o->etag);
	sweep_at(h, 6000);
	assert_non_null(error_of(h, editor, id));
	assert_null(error_of(h, subscriber, id));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	assert_string_equal(o->etag, tag);
	harness_ok(o, ask(h, subscriber, "GET " BASE "?status=overdue"));
	assert_null(harness_at(o->data, "items[0].scheduleError"));
	assert_string_equal(harness_text(o->data, "items[0].status"), "published");
	/* A published item whose scheduled draft is overdue is listed, too. */
	assert_int_equal(total(h, editor, "status=overdue"), 1);
}

static void
another_schedule_or_none_forgets_why(void **state)
{
	static const struct {
		const char *method, *rest, *body;
	} changes[] = { { "DELETE", "/schedule", "" }, { "POST", "/unpublish", "" },
		{ "POST", "/schedule", "{'scheduledAt':'2027-01-01T00:00:00Z'}" } };
	struct harness *h = *state;
	char id[COUNT(changes)][27];

	for (size_t i = 0; i < COUNT(changes); i++)
		make_overdue(h, id[i], "draft");
	require_a_field(h);
	sweep_at(h, 6000);
	assert_int_equal(total(h, editor, "status=overdue"), COUNT(changes));
	for (size_t i = 0; i < COUNT(changes); i++) {
		assert_non_null(error_of(h, editor, id[i]));
		if (i == COUNT(changes) - 1) { /* what cannot be published cannot be scheduled */
			assert_code(on(h, author, changes[i].method, id[i], changes[i].rest,
					changes[i].body),
			    "VALIDATION_ERROR");
			inside_sql(h, "UPDATE c_posts SET f_needed = 'x' WHERE id = ?", id[i]);
		}
		assert_ok(
		    on(h, author, changes[i].method, id[i], changes[i].rest, changes[i].body));
		assert_null(error_of(h, editor, id[i]));
	}
	assert_int_equal(total(h, editor, "status=overdue"), 0);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM c_posts WHERE schedule_error IS NOT NULL"), "0");
}

/* Writes the log of this file's tests where they can read it. */
static int
with_log(void **state)
{
	static char path[64];

	(void)state;
	snprintf(path, sizeof(path), "/tmp/stet-schedule-%d.log", (int)getpid());
	return setenv("STET_TEST_LOG", path, 1);
}

static int
without_log(void **state)
{
	(void)state;
	return unlink(getenv("STET_TEST_LOG"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(what_is_scheduled_is_published_at_its_second),
		check(what_is_overdue_is_published_with_its_own_time),
		check(the_schedule_of_a_published_item_is_that_of_its_draft),
		check(nothing_publishes_behind_the_editors_back),
		check(one_that_cannot_be_published_holds_nobody_up),
		check(what_is_taken_is_tried_until_it_is_free),
		check(a_failure_is_logged_again_for_another_reason),
		check(many_are_published_oldest_first),
		check(times_are_read_as_they_are_meant),
		check(a_clock_that_goes_back_publishes_nothing_early),
		check(unscheduled_items_are_listed_with_drafts),
		check(an_overdue_item_says_why),
		check(why_it_is_overdue_is_for_those_who_may_read_drafts),
		check(another_schedule_or_none_forgets_why),
	};

	return cmocka_run_group_tests(tests, with_log, without_log);
}
