/* ending.t - items that are unpublished at a time, by a clock that the tests set. */
#include "call/call.h"
#include "db/rows.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <string.h>

#define NEVER (-1)

static struct outcome *
on(struct harness *h, const struct harness_user *user, const char *request, const char *id,
    const char *rest, const char *body)
{
	char text[256];

	snprintf(text, sizeof(text), "%s " BASE "/%s%s", request, id, rest);
	return say(h, user, text, "%s", body);
}

/* Returns the seconds from noon until the job of schedules is due. */
static int64_t
due(struct harness *h)
{
	struct stet_call *call;
	struct stet_job job;
	int64_t noon, at_ms;

	assert_true(stet_time_parse("2026-06-01T12:00:00Z", &noon));
	inside_job(h, &call, &job);
	at_ms = job.due(call);
	rows_end_call(call);
	call_free(call);
	return at_ms < 0 ? NEVER : (at_ms - noon) / 1000;
}

static struct outcome *
get(struct harness *h, const char *id)
{
	struct outcome *o = ask(h, editor, "GET " BASE "/%s", id);

	assert_ok(o);
	return o;
}

static void
sweep_at(struct harness *h, int ms)
{
	at(h, ms);
	inside_sweep(h);
}

#define check_seo(name) cmocka_unit_test_setup_teardown(name, posts_begin_seo, posts_end)

static void
what_has_an_end_is_unpublished_at_its_second(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	harness_ok(o,
	    on(h, author, "POST", id, "/schedule", "{'unpublishAt':'2026-06-01T14:00:05+02:00'}"));
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_string_equal(harness_text(o->data, "item.unpublishAt"), "2026-06-01T12:00:05.000Z");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", id));
	assert_null(harness_at(o->data, "item.unpublishAt"));
	assert_int_equal(due(h), 5);
	sweep_at(h, 4999);
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "published");
	sweep_at(h, 5000);
	o = get(h, id);
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_null(harness_at(o->data, "item.unpublishAt"));
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.000Z");
	assert_code(ask(h, subscriber, "GET " BASE "/%s", id), "NOT_FOUND");
	assert_int_equal(due(h), NEVER);
	/* It happens once: who publishes it again means it. */
	assert_ok(on(h, author, "POST", id, "/publish", ""));
	sweep_at(h, 9000);
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "published");
}

static void
both_times_may_pass_while_the_daemon_is_off(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	assert_ok(on(h, author, "POST", id, "/schedule",
	    "{'scheduledAt':'2026-06-01T12:00:05Z','unpublishAt':'2026-06-01T12:00:09Z'}"));
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "scheduled");
	sweep_at(h, 60000);
	o = get(h, id);
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:05.000Z");
	assert_null(harness_at(o->data, "item.unpublishAt"));
	assert_int_equal(due(h), NEVER);
}

static void
an_end_is_refused_where_it_means_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	o = on(h, author, "POST", id, "/schedule",
	    "{'scheduledAt':'2026-06-01T12:00:05Z','unpublishAt':'2026-06-01T12:00:05Z'}");
	assert_code(o, "VALIDATION_ERROR");
	o = on(h, author, "POST", id, "/schedule", "{'unpublishAt':'2026-06-01T12:00:00Z'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_code(on(h, author, "POST", id, "/schedule", "{}"), "VALIDATION_ERROR");
	assert_code(
	    on(h, contributor, "POST", id, "/schedule", "{'unpublishAt':'2027-01-01T00:00:00Z'}"),
	    "FORBIDDEN");
	assert_ok(on(h, author, "POST", id, "/schedule", "{'unpublishAt':'2026-06-01T12:00:09Z'}"));
	o = on(h, author, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:10Z'}");
	assert_code(o, "VALIDATION_ERROR");
	/* A draft that was not published by then stays one, and the time is gone. */
	sweep_at(h, 10000);
	assert_null(harness_at(get(h, id)->data, "item.unpublishAt"));
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "draft");
}

static void
an_end_is_taken_away(void **state)
{
	static const struct {
		const char *method, *rest, *body, *status;
	} changes[] = { { "POST", "/schedule", "{'unpublishAt':null}", "published" },
		{ "POST", "/unpublish", "", "draft" }, { "PUT", "", "{'status':'draft'}", "draft" },
		{ "DELETE", "", "", NULL } };
	struct harness *h = *state;
	char id[27], copy[27];
	struct outcome *o;

	for (size_t i = 0; i < COUNT(changes); i++) {
		at(h, 0);
		make(h, author, id, "{'status':'published','data':{'title':'A'}}");
		assert_ok(on(
		    h, author, "POST", id, "/schedule", "{'unpublishAt':'2026-06-01T12:00:05Z'}"));
		harness_ok(o, on(h, author, "POST", id, "/duplicate", ""));
		assert_null(harness_at(o->data, "item.unpublishAt"));
		(void)snprintf(copy, sizeof(copy), "%s", harness_text(o->data, "item.id"));
		assert_ok(on(h, author, changes[i].method, id, changes[i].rest, changes[i].body));
		if (changes[i].status == NULL)
			assert_ok(on(h, author, "POST", id, "/restore", ""));
		assert_null(harness_at(get(h, id)->data, "item.unpublishAt"));
		sweep_at(h, 6000);
		assert_string_equal(harness_text(get(h, id)->data, "item.status"),
		    changes[i].status != NULL ? changes[i].status : "published");
		assert_ok(on(h, author, "DELETE", copy, "", ""));
	}
}

/* Who wanted it is not a user any more. */
static void
one_that_cannot_be_unpublished_says_why(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *error;
	char id[27];

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	assert_ok(on(h, author, "POST", id, "/schedule", "{'unpublishAt':'2026-06-01T12:00:05Z'}"));
	inside_sql(h, "DELETE FROM item_unpublisher", NULL);
	inside_sql(
	    h, "INSERT INTO item_unpublisher SELECT id, 'gone', unpublish_at FROM c_posts", NULL);
	sweep_at(h, 6000);
	error = harness_at(get(h, id)->data, "item.scheduleError");
	assert_non_null(error);
	assert_string_equal(harness_text(error, "code"), "FORBIDDEN");
	assert_string_equal(harness_text(error, "unpublishAt"), "2026-06-01T12:00:05.000Z");
	assert_int_equal(due(h), 66);
	/* It is found where those are that were not published. */
	assert_int_equal(total(h, editor, "status=overdue"), 1);
	harness_ok(
	    o, ask(h, editor, "GET " BASE "?status=overdue&fields=unpublishAt,scheduleError"));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_string_equal(
	    harness_text(o->data, "items[0].unpublishAt"), "2026-06-01T12:00:05.000Z");
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=unpublishAt&order=asc"));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	/* An editor publishes it: then it has no end any more. */
	assert_ok(on(h, editor, "POST", id, "/publish", ""));
	assert_null(harness_at(get(h, id)->data, "item.scheduleError"));
	assert_null(harness_at(get(h, id)->data, "item.unpublishAt"));
	assert_int_equal(total(h, editor, "status=overdue"), 0);
	sweep_at(h, 70000);
	assert_string_equal(harness_text(get(h, id)->data, "item.status"), "published");
}

/* Who wanted a publication, or its end, is not a user any more. */
static void
scheduler_leaves(struct harness *h)
{
	inside_sql(h, "DELETE FROM item_unpublisher", NULL);
	inside_sql(h, "DELETE FROM item_scheduler", NULL);
	inside_sql(h,
	    "INSERT INTO item_unpublisher SELECT id, 'gone', unpublish_at FROM c_posts"
	    " WHERE unpublish_at IS NOT NULL",
	    NULL);
	inside_sql(h,
	    "INSERT INTO item_scheduler SELECT id, 'gone', scheduled_at FROM c_posts"
	    " WHERE scheduled_at IS NOT NULL",
	    NULL);
}

static void
each_of_two_reasons_is_told_once(void **state)
{
	struct harness *h = *state;
	char id[27], told[1000];
	struct outcome *o;

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'B'}}"));
	assert_ok(on(h, author, "POST", id, "/schedule",
	    "{'scheduledAt':'2026-06-01T12:00:05Z','unpublishAt':'2026-06-01T12:00:09Z'}"));
	scheduler_leaves(h);
	sweep_at(h, 10000);
	(void)snprintf(
	    told, sizeof(told), "%s", inside_ask(h, "SELECT schedule_error FROM c_posts"));
	for (int i = 1; i < 4; i++) {
		sweep_at(h, 10000 + i * 60000);
		assert_string_equal(inside_ask(h, "SELECT schedule_error FROM c_posts"), told);
	}
	o = get(h, id);
	assert_string_equal(
	    harness_text(o->data, "item.scheduleError.unpublishAt"), "2026-06-01T12:00:09.000Z");
	assert_null(harness_at(o->data, "item.scheduleError.other"));
}

static void
what_could_not_be_published_is_not_unpublished(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	assert_ok(on(h, author, "POST", id, "/schedule",
	    "{'scheduledAt':'2026-06-01T12:00:05Z','unpublishAt':'2026-06-01T12:00:09Z'}"));
	scheduler_leaves(h);
	sweep_at(h, 6000);
	sweep_at(h, 70000);
	o = get(h, id);
	assert_string_equal(harness_text(o->data, "item.status"), "scheduled");
	assert_string_equal(harness_text(o->data, "item.scheduledAt"), "2026-06-01T12:00:05.000Z");
	assert_string_equal(harness_text(o->data, "item.scheduleError.code"), "FORBIDDEN");
	assert_null(harness_at(o->data, "item.scheduleError.unpublishAt"));
	assert_int_equal(due(h), 130);
	/* What is published too late ends at once. */
	inside_sql(h, "DELETE FROM item_scheduler", NULL);
	inside_sql(h, "DELETE FROM item_unpublisher", NULL);
	sweep_at(h, 130000);
	o = get(h, id);
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:05.000Z");
	assert_int_equal(due(h), NEVER);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check_seo(what_has_an_end_is_unpublished_at_its_second),
		check_seo(both_times_may_pass_while_the_daemon_is_off),
		check_seo(an_end_is_refused_where_it_means_nothing),
		check_seo(an_end_is_taken_away),
		check_seo(one_that_cannot_be_unpublished_says_why),
		check_seo(each_of_two_reasons_is_told_once),
		check_seo(what_could_not_be_published_is_not_unpublished),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
