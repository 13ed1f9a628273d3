/* coverage.c - activation, progress and repair: the collections for which the index is complete. */
#include "used.h"
#include <stdio.h>

#define ACTIVATION USAGE "/activation"
#define REPAIR USAGE "/repair"

static struct outcome *
start(struct harness *h)
{
	return say(h, admin, "POST " ACTIVATION, "{'writersDrained':true}");
}

static void
activation_prepares_a_collection_a_request(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET " ACTIVATION));
	assert_string_equal(harness_text(o->data, "state"), "expanded");
	assert_int_equal(harness_int(o->data, "attemptCount"), 0);
	assert_true(json_is_null(harness_at(o->data, "activatedAt")));
	assert_code(ask(h, admin, "GET " USAGE "/progress"), "MEDIA_USAGE_PROGRESS_NOT_ACTIVE");
	assert_code(progress(h), "MEDIA_USAGE_PROGRESS_NOT_ACTIVE");
	harness_ok(o, start(h));
	assert_string_equal(harness_text(o->data, "outcome"), "activating");
	assert_int_equal(harness_int(o->data, "processedCollections"), 1);
	assert_string_equal(harness_text(o->data, "activation.collectionCursor"), "pages");
	assert_string_equal(
	    harness_text(o->data, "activation.drainConfirmedAt"), "2026-06-01T12:00:00.000Z");
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "activation.collectionCursor"), "plain");
	assert_true(json_is_null(harness_at(o->data, "progress")));
	assert_int_equal(harness_int(o->data, "nextRequestInMs"), 0);
	harness_ok(o, start(h));
	assert_string_equal(harness_text(o->data, "outcome"), "active");
	assert_int_equal(harness_int(o->data, "activation.attemptCount"), 3);
	assert_true(json_is_null(harness_at(o->data, "activation.collectionCursor")));
	/* repeating the request has no effect */
	harness_ok(o, start(h));
	assert_int_equal(harness_int(o->data, "processedCollections"), 0);
	assert_int_equal(harness_int(o->data, "activation.attemptCount"), 3);
	harness_ok(o, ask(h, admin, "GET " USAGE "/progress"));
	assert_string_equal(harness_text(o->data, "status"), "indexing");
	assert_int_equal(harness_int(o->data, "totalCollections"), 3);
}

static void
only_a_plain_yes_activates(void **state)
{
	static const char *const bad[] = { "{}", "{'writersDrained':false}",
		"{'writersDrained':'true'}", "{'writersDrained':null}",
		"{'writersDrained':true,'more':1}" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(say(h, admin, "POST " ACTIVATION, "%s", bad[i]), "VALIDATION_ERROR");
	assert_code(harness_request(h, admin, "POST " ACTIVATION, NULL, NULL), "INVALID_JSON");
	harness_ok(o, ask(h, admin, "GET " ACTIVATION));
	assert_string_equal(harness_text(o->data, "state"), "expanded");
	assert_code(harness_request(h, editor, "POST " ACTIVATION, NULL, "{}"), "FORBIDDEN");
	assert_code(harness_request(h, admin, "POST " ACTIVATION, "", "{\"writersDrained\":true}"),
	    "CSRF_REJECTED");
}

static void
a_collection_made_meanwhile_is_prepared_too(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(start(h));
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'a','label':'A'}"));
	assert_ok(start(h));
	harness_ok(o, start(h));
	assert_string_equal(harness_text(o->data, "outcome"), "activating");
	assert_true(json_is_null(harness_at(o->data, "activation.collectionCursor")));
	for (int i = 0; i < 4; i++)
		harness_ok(o, start(h));
	assert_string_equal(harness_text(o->data, "outcome"), "active");
	assert_string_equal(state_of(h, "a"), "never");
}

static void
a_lease_of_another_is_waited_for(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(start(h));
	inside_sql(h, "UPDATE media_activation SET lease_until = '2026-06-01T12:05:00.000Z'", NULL);
	harness_ok(o, progress(h));
	assert_int_equal(harness_int(o->data, "nextRequestInMs"), 30000);
	assert_string_equal(harness_text(o->data, "activation.collectionCursor"), "pages");
	o = start(h);
	assert_code(o, "MEDIA_USAGE_ACTIVATION_BUSY");
	assert_int_equal(o->http, 409);
	assert_string_equal(harness_text(o->details, "leaseExpiresAt"), "2026-06-01T12:05:00.000Z");
	at(h, 300000);
	harness_ok(o, start(h));
	assert_string_equal(harness_text(o->data, "activation.collectionCursor"), "plain");
}

static void
a_step_that_fails_is_told_and_taken_up_again(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_sql(h,
	    "CREATE TRIGGER t BEFORE INSERT ON media_coverage BEGIN SELECT "
	    "RAISE(ABORT, 'x'); END",
	    NULL);
	o = start(h);
	assert_code(o, "MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR");
	assert_int_equal(o->http, 500);
	harness_ok(o, ask(h, admin, "GET " ACTIVATION));
	assert_string_equal(
	    harness_text(o->data, "lastErrorCode"), "MEDIA_USAGE_ACTIVATION_FAILED");
	inside_sql(h, "DROP TRIGGER t", NULL);
	inside_sql(h, "UPDATE media_activation SET state = 'activating'", NULL);
	/* progress does not continue it until an administrator has */
	harness_ok(o, progress(h));
	assert_true(json_is_null(harness_at(o->data, "nextRequestInMs")));
	harness_ok(o, start(h));
	assert_true(json_is_null(harness_at(o->data, "activation.lastErrorCode")));
}

/* Inserts items without the modules' code, as before the module was enabled. */
static void
old_items(struct harness *h, int count)
{
	for (int i = 0; i < count; i++) {
		char id[40];

		(void)snprintf(id, sizeof(id), "01OLD%021d", i);
		inside_item(h, "plain", id);
	}
	inside_sql(h, "UPDATE c_plain SET f_hero = '{\"id\":\"" M1 "\"}'", NULL);
}

static void
what_was_there_before_is_indexed_in_batches(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	old_items(h, 250);
	assert_int_equal(uses(h, M1), 0);
	for (int i = 0; i < 3; i++)
		assert_ok(start(h));
	harness_ok(o, progress(h)); /* pages */
	harness_ok(o, progress(h));
	assert_int_equal(uses(h, M1), 100);
	assert_string_equal(state_of(h, "plain"), "running");
	assert_string_equal(harness_text(o->data, "progress.status"), "indexing");
	assert_int_equal(harness_int(o->data, "progress.readyCollections"), 1);
	assert_int_equal(harness_int(o->data, "nextRequestInMs"), 0);
	/* writes in the meantime are indexed, before and after the cursor */
	assert_ok(say(
	    h, admin, "PUT /content/plain/01OLD000000000000000000001", "{'data':{'hero':null}}"));
	assert_ok(say(
	    h, admin, "PUT /content/plain/01OLD000000000000000000249", "{'data':{" HERO(M2) "}}"));
	assert_int_equal(uses(h, M1), 99);
	activate(h);
	assert_int_equal(uses(h, M1), 248);
	assert_int_equal(uses(h, M2), 1);
	assert_string_equal(state_of(h, "plain"), "complete");
	harness_ok(o, progress(h));
	assert_true(json_is_null(harness_at(o->data, "nextRequestInMs")));
	assert_string_equal(harness_text(o->data, "progress.status"), "ready");
}

static void
the_job_does_the_same_by_itself(void **state)
{
	struct harness *h = *state;

	old_items(h, 250);
	for (int i = 0; i < 3; i++)
		assert_ok(start(h));
	while (inside_work(h, "media-usage"))
		;
	assert_int_equal(uses(h, M1), 250);
	assert_string_equal(state_of(h, "plain"), "complete");
}

/* Before activation the job ignores collections, and a repair covers one. */
static void
a_repair_covers_a_collection(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *one;

	old_items(h, 150);
	assert_false(inside_work(h, "media-usage"));
	inside_sql(h, "INSERT INTO media_use VALUES ('x', ?1, 'gone', 1, '[]')",
	    collection_id(h, "plain"));
	inside_sql(
	    h, "INSERT INTO media_use_count VALUES ('x', ?1, 1, 1)", collection_id(h, "plain"));
	harness_ok(o, repair(h, "plain"));
	assert_null(json_object_get(o->body, "success"));
	assert_string_equal(harness_text(o->data, "status"), "complete");
	assert_int_equal(harness_int(o->data, "indexedSourceCount"), 150);
	assert_int_equal(harness_int(o->data, "deletedSourceCount"), 1);
	assert_int_equal(harness_int(o->data, "skippedSourceCount"), 0);
	assert_int_equal(harness_int(o->data, "failedSourceCount"), 0);
	one = harness_at(o->data, "collections[0]");
	assert_int_equal(json_object_size(one), 9);
	assert_string_equal(harness_text(one, "collection"), "plain");
	assert_true(json_is_null(harness_at(one, "lastErrorCode")));
	assert_string_equal(harness_text(one, "completedAt"), "2026-06-01T12:00:00.000Z");
	assert_int_equal(uses(h, M1), 150);
	assert_int_equal(uses(h, "x"), 0);
	assert_string_equal(state_of(h, "plain"), "complete");
	harness_ok(o, repair(h, ""));
	assert_int_equal(json_array_size(harness_at(o->data, "collections")), 3);
	assert_string_equal(harness_text(o->data, "collections[2].collection"), "posts");
	assert_int_equal(harness_int(o->data, "indexedSourceCount"), 150);
}

static void
a_repair_says_what_it_may_not(void **state)
{
	static const char *const bad[] = { "{}", "{'scope':'some'}", "{'scope':'collection'}",
		"{'scope':'all','collection':'posts'}", "{'scope':'all','more':1}",
		"{'scope':'collection','collection':'No Slug'}",
		"{'scope':'collection','collection':'posts\\n'}" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(say(h, admin, "POST " REPAIR, "%s", bad[i]), "VALIDATION_ERROR");
	assert_code(harness_request(h, admin, "POST " REPAIR, NULL, NULL), "INVALID_JSON");
	assert_code(repair(h, "posts\\"), "INVALID_JSON");
	harness_ok(o, repair(h, "nothing"));
	assert_string_equal(harness_text(o->data, "status"), "failed");
	assert_string_equal(
	    harness_text(o->data, "collections[0].lastErrorCode"), "COLLECTION_NOT_FOUND");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_coverage"), "0");
	assert_code(
	    harness_request(h, editor, "POST " REPAIR, NULL, "{\"scope\":\"all\"}"), "FORBIDDEN");
}

static void
a_draft_that_is_not_there_fails_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	activate(h);
	make(h, admin, id, "{'status':'published','data':{'title':'T'," HERO(M1) "}}");
	inside_sql(h, "UPDATE c_posts SET draft_revision_id = 'gone' WHERE id = ?1", id);
	harness_ok(o, repair(h, "posts"));
	assert_string_equal(harness_text(o->data, "status"), "partial");
	assert_int_equal(harness_int(o->data, "failedSourceCount"), 1);
	assert_int_equal(harness_int(o->data, "indexedSourceCount"), 1);
	assert_string_equal(
	    harness_text(o->data, "collections[0].lastErrorCode"), "DRAFT_REVISION_NOT_FOUND");
	assert_string_equal(places(h, M1), "columns hero");
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "needs_attention");
	assert_true(json_is_null(harness_at(o->data, "nextRequestInMs")));
	harness_ok(o, ask(h, admin, "GET " USAGE "/work?collection=posts"));
	assert_string_equal(harness_text(o->data, "items[0].state"), "failed");
	assert_string_equal(
	    harness_text(o->data, "items[0].lastErrorCode"), "MEDIA_USAGE_SNAPSHOT_FAILED");
	inside_sql(h, "UPDATE c_posts SET draft_revision_id = NULL WHERE id = ?1", id);
	assert_ok(say(h, admin, "POST " USAGE "/work/retry",
	    "{'collectionId':'%s','contentId':'%s'}", collection_id(h, "posts"), id));
	harness_ok(o, progress(h));
	assert_string_equal(harness_text(o->data, "progress.status"), "ready");
	assert_string_equal(state_of(h, "posts"), "complete");
}

/* A new repair replaces the running one; the job then finishes it. */
static void
a_repair_that_was_cut_off_is_finished_by_the_job(void **state)
{
	struct harness *h = *state;

	old_items(h, 150);
	inside_sql(h,
	    "INSERT INTO media_coverage (collection_id, slug, state, shape, run, cursor, indexed, "
	    "failed, deleted) VALUES (?1, 'plain', 'never', '', 'run', '01OLD0000', 0, 0, 0)",
	    collection_id(h, "plain"));
	assert_true(inside_work(h, "media-usage"));
	assert_string_equal(state_of(h, "plain"), "complete");
	assert_int_equal(uses(h, M1), 150);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(activation_prepares_a_collection_a_request),
		used(only_a_plain_yes_activates),
		used(a_collection_made_meanwhile_is_prepared_too),
		used(a_lease_of_another_is_waited_for),
		used(a_step_that_fails_is_told_and_taken_up_again),
		used(what_was_there_before_is_indexed_in_batches),
		used(the_job_does_the_same_by_itself),
		used(a_repair_covers_a_collection),
		used(a_repair_says_what_it_may_not),
		used(a_draft_that_is_not_there_fails_alone),
		used(a_repair_that_was_cut_off_is_finished_by_the_job),
	};

	return cmocka_run_group_tests_name("media-usage/coverage", tests, NULL, NULL);
}
