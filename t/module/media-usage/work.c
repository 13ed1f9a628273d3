/* work.c - indexing single items again, and leases. */
#include "used.h"
#include <stdio.h>

#define RETRY USAGE "/work/retry"
#define WORK USAGE "/work?collection=posts"

static struct outcome *
retry(struct harness *h, const char *id)
{
	return say(h, admin, "POST " RETRY, "{'collectionId':'%s','contentId':'%s'}",
	    collection_id(h, "posts"), id);
}

static void
a_retry_is_done_once_and_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, admin, id, "{'data':{" HERO(M1) "}}");
	assert_code(retry(h, id), "COLLECTION_NOT_FOUND"); /* not active */
	activate(h);
	inside_sql(h, "DELETE FROM media_use", NULL);
	inside_sql(h, "DELETE FROM media_use_count", NULL);
	harness_ok(o, retry(h, id));
	assert_true(json_is_true(harness_at(o->data, "changed")));
	assert_int_equal(json_object_size(harness_at(o->data, "item")), 10);
	assert_string_equal(harness_text(o->data, "item.collectionSlug"), "posts");
	assert_string_equal(harness_text(o->data, "item.contentId"), id);
	assert_string_equal(harness_text(o->data, "item.state"), "pending");
	assert_int_equal(harness_int(o->data, "item.attemptCount"), 0);
	harness_ok(o, retry(h, id));
	assert_true(json_is_false(harness_at(o->data, "changed")));
	harness_ok(o, ask(h, admin, "GET " USAGE "/progress"));
	assert_string_equal(harness_text(o->data, "status"), "indexing");
	harness_ok(o, ask(h, admin, "GET " WORK));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	/* the job waits some seconds before it tries again */
	assert_false(inside_work(h, "media-usage"));
	at(h, 20000);
	assert_true(inside_work(h, "media-usage"));
	assert_int_equal(uses(h, M1), 1);
	harness_ok(o, ask(h, admin, "GET " WORK));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

static void
items_that_are_not_there_are_done_too(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	activate(h);
	assert_ok(retry(h, "nothing"));
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "ready");
	assert_code(say(h, admin, "POST " RETRY, "{'collectionId':'x','contentId':'y'}"),
	    "COLLECTION_NOT_FOUND");
	assert_code(say(h, admin, "POST " RETRY, "{'collectionId':'x'}"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET " USAGE "/work?collection=none"), "COLLECTION_NOT_FOUND");
	assert_code(ask(h, admin, "GET " USAGE "/work"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET " WORK "&limit=101"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET " WORK "&state=done"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET " WORK "&cursor=x"), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " WORK), "FORBIDDEN");
}

static void
a_lease_is_honoured_until_it_ends(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	activate(h);
	assert_ok(retry(h, "leased"));
	inside_sql(h,
	    "UPDATE media_work SET state = 'leased', lease_until = "
	    "'2026-06-01T12:01:00.000Z'",
	    NULL);
	o = retry(h, "leased");
	assert_code(o, "WORK_LEASE_ACTIVE");
	assert_int_equal(o->http, 409);
	assert_string_equal(harness_text(o->details, "leaseExpiresAt"), "2026-06-01T12:01:00.000Z");
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "indexing");
	assert_int_equal(harness_int(o->data, "nextRequestInMs"), 30000);
	harness_ok(o, ask(h, admin, "GET " WORK "&state=leased"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	at(h, 60000);
	harness_ok(o, retry(h, "leased"));
	assert_true(json_is_true(harness_at(o->data, "changed")));
	assert_true(json_is_null(harness_at(o->data, "item.leaseExpiresAt")));
}

static void
what_fails_is_tried_later_and_at_last_given_up(void **state)
{
	static const int pauses[] = { 30, 60, 120, 240 };
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	int now = 0;

	activate(h);
	make(h, admin, id, "{'status':'published','data':{'title':'T'," HERO(M1) "}}");
	inside_sql(h, "UPDATE c_posts SET draft_revision_id = 'gone' WHERE id = ?1", id);
	assert_ok(retry(h, id));
	for (size_t i = 0; i < COUNT(pauses); i++) {
		harness_ok(o, progress(h));
		assert_int_equal(harness_int(o->data, "nextRequestInMs"), 30000);
		harness_ok(o, ask(h, admin, "GET " WORK));
		assert_string_equal(harness_text(o->data, "items[0].state"), "retry");
		assert_int_equal(harness_int(o->data, "items[0].attemptCount"), (int)i + 1);
		now += pauses[i] * 1000;
		at(h, now - 1);
		assert_ok(progress(h));
		harness_ok(o, ask(h, admin, "GET " WORK));
		assert_int_equal(harness_int(o->data, "items[0].attemptCount"), (int)i + 1);
		at(h, now);
	}
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "needs_attention");
	harness_ok(o, ask(h, admin, "GET " WORK));
	assert_string_equal(harness_text(o->data, "items[0].state"), "failed");
	assert_true(json_is_null(harness_at(o->data, "items[0].nextAttemptAt")));
	/* a full repair finds nothing left to do */
	inside_sql(h, "UPDATE c_posts SET draft_revision_id = NULL", NULL);
	assert_ok(repair(h, "posts"));
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "ready");
}

static void
pages_of_work_are_whole(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[20], cursor[2100];

	activate(h);
	for (int i = 0; i < 7; i++) {
		at(h, i / 2);
		(void)snprintf(id, sizeof(id), "item%d", i);
		assert_ok(retry(h, id));
	}
	harness_ok(o, ask(h, admin, "GET " WORK "&limit=4"));
	assert_string_equal(harness_text(o->data, "items[0].contentId"), "item6");
	assert_string_equal(harness_text(o->data, "items[1].contentId"), "item5");
	assert_string_equal(harness_text(o->data, "items[3].contentId"), "item3");
	(void)snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	harness_ok(o, ask(h, admin, "GET " WORK "&limit=3&cursor=%s", cursor));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_equal(harness_text(o->data, "items[2].contentId"), "item0");
	assert_null(harness_at(o->data, "nextCursor"));
}

static void
deletions_are_taken_up_again(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	activate(h);
	inside_sql(h,
	    "INSERT INTO media_deletion (collection_id, slug, state, phase, attempts, "
	    "error, updated_at) VALUES ('gone', 'old', 'failed', 'sources', 5, "
	    "'MEDIA_USAGE_COLLECTION_DELETION_FAILED', '2026-06-01T12:00:00.000Z')",
	    NULL);
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "needs_attention");
	harness_ok(o, ask(h, admin, "GET " USAGE "/collection-deletions"));
	assert_int_equal(json_object_size(harness_at(o->data, "items[0]")), 9);
	assert_string_equal(harness_text(o->data, "items[0].collectionId"), "gone");
	assert_code(
	    say(h, admin, "POST " USAGE "/collection-deletions/retry", "{'collectionId':'other'}"),
	    "NOT_FOUND");
	harness_ok(o,
	    say(h, admin, "POST " USAGE "/collection-deletions/retry", "{'collectionId':'gone'}"));
	assert_true(json_is_true(harness_at(o->data, "changed")));
	assert_string_equal(harness_text(o->data, "item.state"), "pending");
	assert_string_equal(harness_text(o->data, "item.phase"), "sources");
	assert_int_equal(harness_int(o->data, "item.attemptCount"), 0);
	assert_code(
	    say(h, admin, "POST " USAGE "/collection-deletions/retry", "{'collectionId':'gone'}"),
	    "WORK_CHANGED");
	inside_sql(h,
	    "UPDATE media_deletion SET state = 'leased', lease_until = "
	    "'2026-06-01T12:01:00.000Z'",
	    NULL);
	assert_code(
	    say(h, admin, "POST " USAGE "/collection-deletions/retry", "{'collectionId':'gone'}"),
	    "WORK_LEASE_ACTIVE");
	at(h, 60000);
	for (int i = 0; i < 3; i++)
		harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "ready");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_deletion"), "0");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(a_retry_is_done_once_and_told),
		used(items_that_are_not_there_are_done_too),
		used(a_lease_is_honoured_until_it_ends),
		used(what_fails_is_tried_later_and_at_last_given_up),
		used(pages_of_work_are_whole),
		used(deletions_are_taken_up_again),
	};

	return cmocka_run_group_tests_name("media-usage/work", tests, NULL, NULL);
}
