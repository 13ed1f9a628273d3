/* audit.t - the audit log: which calls it records, and the list of records. */
#include "people.h"
#include "records.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
assert_changed(json_t *found, const char *want)
{
	char *got = json_dumps(json_object_get(found, "changed"), JSON_COMPACT | JSON_ENCODE_ANY);

	assert_string_equal(got != NULL ? got : "", want);
	free(got);
}

/* ---- what is recorded ---- */

static void
a_create_is_recorded_with_who_what_and_whence(void **state)
{
	struct harness *h = *state;
	char id[27];
	json_t *r;

	at(h, 1500);
	make(h, author, id, "{'slug':'hello','data':{'title':'Secret words','year':1}}");
	r = record(h, 0);
	assert_member(r, "time", "2026-06-01T12:00:01.500Z");
	assert_member(r, "actorId", author->id);
	assert_member(r, "actorEmail", "user@example.org");
	assert_member(r, "via", "token");
	assert_member(r, "op", "content_add");
	assert_member(r, "module", "content");
	assert_member(r, "names.collection", "posts");
	assert_member(r, "subject", id);
	assert_member(r, "outcome", "success");
	assert_member(r, "client", "127.0.0.1");
	assert_int_equal(strlen(harness_text(r, "requestId")), 26);
	assert_int_equal(strlen(harness_text(r, "hash")), 64);
	assert_changed(r, "[\"data.title\",\"data.year\",\"slug\"]");
}

static void
no_value_is_ever_recorded(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", "[\"admin\"]", NULL);
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'hello','data':{'title':'Xyzzy','summary':'Xyzzy'}}");
	assert_ok(say(h, author, "PUT " BASE "/hello", "{'data':{'title':'Xyzzy2'}}"));
	assert_ok(person_ask(h, p.token, "POST /admin/api-tokens",
	    "{\"name\":\"Xyzzy\",\"scopes\":[\"content:read\"]}"));
	assert_ok(harness_op(
	    h, admin, "user_add", "{\"email\":\"xyzzy@example.org\",\"role\":\"author\"}"));
	harness_ok(o, ask(h, admin, AUDIT "?limit=100"));
	assert_non_null(strstr(o->text, "\"data.title\""));
	assert_non_null(strstr(o->text, "token_create"));
	assert_null(strstr(o->text, "yzzy"));
	assert_null(strstr(o->text, "_pat_"));
}

static void
an_item_is_found_by_its_slug_and_by_its_id(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'hello','data':{'title':'A'}}");
	assert_ok(say(h, author, "PUT " BASE "/hello", "{'data':{'title':'B'}}"));
	assert_member(record(h, 0), "subject", "hello");
	assert_member(record(h, 0), "result", id);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
	harness_ok(o, ask(h, admin, AUDIT "?subject=hello"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	harness_ok(o, ask(h, admin, AUDIT "?subject=%s", id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_equal(harness_text(o->data, "items[0].op"), "content_delete");
	assert_string_equal(harness_text(o->data, "items[1].op"), "content_put");
	assert_string_equal(harness_text(o->data, "items[2].op"), "content_add");
}

static void
a_copy_names_what_it_is_of_and_what_it_made(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], copy[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	harness_ok(o, ask(h, author, "POST " BASE "/%s/duplicate", id));
	snprintf(copy, sizeof(copy), "%s", harness_text(o->data, "item.id"));
	assert_member(record(h, 0), "subject", id);
	assert_member(record(h, 0), "result", copy);
}

static void
what_was_refused_or_only_read_leaves_no_record(void **state)
{
	struct harness *h = *state;
	char id[27];
	int before;

	make(h, author, id, "{'slug':'taken','data':{'title':'A'}}");
	before = records(h);
	assert_code(say(h, subscriber, "POST " BASE, "{'data':{'title':'A'}}"), "FORBIDDEN");
	assert_code(
	    say(h, author, "POST " BASE, "{'slug':'taken','data':{'title':'A'}}"), "SLUG_CONFLICT");
	assert_code(say(h, author, "PUT " BASE "/none", "{'data':{'title':'A'}}"), "NOT_FOUND");
	assert_code(say(h, author, "POST " BASE, "{'data':{'none':1}}"), "VALIDATION_ERROR");
	assert_ok(ask(h, author, "GET " BASE));
	assert_int_equal(records(h), before);
	assert_sound(h);
}

/* Dismissing the welcome page is no event for the audit log. */
static void
bookkeeping_leaves_no_record(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", "[\"admin\"]", NULL);
	int before = records(h);

	assert_ok(person_ask(h, p.token, "POST /auth/me", "{\"action\":\"dismissWelcome\"}"));
	assert_int_equal(records(h), before);
}

static void
a_token_is_named_by_its_id(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", "[\"admin\"]", NULL);

	assert_ok(person_ask(h, p.token, "POST " BASE, "{\"data\":{\"title\":\"A\"}}"));
	assert_member(record(h, 0), "actorId", p.id);
	assert_member(record(h, 0), "actorEmail", "ann@example.org");
	assert_member(record(h, 0), "tokenId", p.token_id);
}

static void
a_repeated_request_is_recorded_once(void **state)
{
	struct harness *h = *state;
	int before = records(h);

	for (int i = 0; i < 3; i++) {
		struct outcome *o = harness_request(h, author, "POST " BASE,
		    "X-CMS-Request: 1\r\nIdempotency-Key: k", "{\"data\":{\"title\":\"A\"}}");

		assert_ok(o);
		assert_int_equal(o->replayed, i > 0);
	}
	assert_int_equal(records(h), before + 1);
	/* A stored failure wrote nothing, so it leaves no record. */
	assert_code(harness_request(h, author, "POST " BASE,
			"X-CMS-Request: 1\r\nIdempotency-Key: l", "{\"data\":{\"none\":1}}"),
	    "VALIDATION_ERROR");
	assert_int_equal(records(h), before + 1);
	assert_sound(h);
}

static void
what_a_job_publishes_is_recorded_as_the_systems(void **state)
{
	struct harness *h = *state;
	char id[27], request[128];
	json_t *r;
	int before;

	make(h, author, id, "{'data':{'title':'A'}}");
	snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	assert_ok(say(h, author, request, "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	before = records(h);
	at(h, 5000);
	inside_sweep(h);
	assert_int_equal(records(h), before + 1);
	r = record(h, 0);
	assert_member(r, "via", "system");
	assert_member(r, "actorId", "");
	assert_member(r, "op", "publish");
	assert_member(r, "names.collection", "posts");
	assert_member(r, "subject", id);
	assert_sound(h);
}

static enum stet_status
invoke(struct stet_call *call, void *arg)
{
	json_t *args = json_pack("{s:s, s:{s:s}}", "collection", "posts", "data", "title", "A");
	const char *out;
	size_t len;

	(void)arg;
	stet_principal_set(call,
	    &(struct stet_principal){ .id = author->id, .role = 30, .via = STET_VIA_SESSION });
	return stet_invoke(call, "content_create", stet_json_own(call, args), &out, &len);
}

static void
an_op_that_runs_inside_another_call_is_recorded(void **state)
{
	struct harness *h = *state;
	int before = records(h);

	assert_int_equal(inside_write(h, invoke, NULL), STET_OK);
	assert_int_equal(records(h), before + 1);
	assert_member(record(h, 0), "op", "content_create");
	assert_member(record(h, 0), "via", "session");
	assert_member(record(h, 0), "actorId", author->id);
}

/* ---- the list ---- */

static void
the_list_is_walked_without_gaps_at_one_moment(void **state)
{
	struct harness *h = *state;
	int64_t next, last = -1;
	char cursor[2100] = "", id[27];
	struct outcome *o;
	int seen_records = 0, all;

	for (int i = 0; i < 25; i++)
		make(h, i % 2 == 0 ? author : editor, id, "{'data':{'title':'A'}}");
	all = records(h);
	do {
		harness_ok(o,
		    ask(h, admin, AUDIT "?limit=7%s%s", *cursor != '\0' ? "&cursor=" : "", cursor));
		for (size_t i = 0; i < json_array_size(harness_at(o->data, "items")); i++) {
			next = harness_int(json_array_get(harness_at(o->data, "items"), i), "seq");
			assert_true(last < 0 || next == last - 1);
			last = next;
			seen_records++;
		}
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	assert_int_equal(seen_records, all);
}

static void
the_list_is_filtered_by_actor_op_and_time(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	for (int i = 0; i < 5; i++) {
		at(h, 1000 * (i + 1));
		make(h, i % 2 == 0 ? author : editor, id, "{'data':{'title':'A'}}");
	}
	harness_ok(o, ask(h, admin, AUDIT "?actor=%s", author->id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	harness_ok(o, ask(h, admin, AUDIT "?actor=%s&op=content_put", author->id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	harness_ok(o, ask(h, admin, AUDIT "?op=content_add"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	harness_ok(o,
	    ask(h, admin, AUDIT "?since=2026-06-01T12:00:02Z&until=2026-06-01T14:00:04%%2B02:00"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_equal(harness_text(o->data, "items[2].time"), "2026-06-01T12:00:02.000Z");
	harness_ok(o, ask(h, admin, AUDIT "?op=content_add&until=2026-06-01"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	harness_ok(o, ask(h, admin, AUDIT "?op=content_add&until=2026-05-31"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_code(ask(h, admin, AUDIT "?until=yesterday"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, AUDIT "?since=yesterday"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, AUDIT "?limit=101"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, AUDIT "?cursor=abc"), "INVALID_CURSOR");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_create_is_recorded_with_who_what_and_whence),
		check(no_value_is_ever_recorded),
		check(an_item_is_found_by_its_slug_and_by_its_id),
		check(a_copy_names_what_it_is_of_and_what_it_made),
		check(what_was_refused_or_only_read_leaves_no_record),
		check(bookkeeping_leaves_no_record),
		check(a_token_is_named_by_its_id),
		check(a_repeated_request_is_recorded_once),
		check(what_a_job_publishes_is_recorded_as_the_systems),
		check(an_op_that_runs_inside_another_call_is_recorded),
		check(the_list_is_walked_without_gaps_at_one_moment),
		check(the_list_is_filtered_by_actor_op_and_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
