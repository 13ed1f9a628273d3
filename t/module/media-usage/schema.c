/* schema.c - the index follows the schema, and changes made while the module was disabled. */
#include "used.h"
#include <stdio.h>

static void
until_idle(struct harness *h)
{
	while (inside_work(h, "media-usage"))
		;
}

static void
uses_of_a_deleted_field_are_gone(void **state)
{
	struct harness *h = *state;
	char id[27];

	activate(h);
	make(h, admin, id,
	    "{'status':'published','data':{'title':'T'," HERO(M1) ",'manual':'" M1 "'}}");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/hero"));
	assert_string_equal(places(h, M1), "columns manual");
	assert_string_equal(state_of(h, "posts"), "complete");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/manual"));
	assert_int_equal(uses(h, M1), 0);
}

/* A new field with the name of a deleted one has no values, even in older drafts. */
static void
a_field_that_comes_back_has_no_uses_in_drafts(void **state)
{
	struct harness *h = *state;
	char id[27], request[100];

	activate(h);
	make(h, admin, id, "{'status':'published','data':{'title':'T'}}");
	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, admin, request, "{'data':{" HERO(M1) "}}"));
	assert_string_equal(places(h, M1), "draft_overlay hero");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/hero"));
	assert_int_equal(uses(h, M1), 0);
	field(h, "posts", "hero", "image", "");
	assert_int_equal(uses(h, M1), 0);
	assert_string_equal(state_of(h, "posts"), "complete");
	assert_ok(say(h, admin, request, "{'data':{" HERO(M1) "}}"));
	assert_string_equal(places(h, M1), "draft_overlay hero");
}

static void
sub_fields_and_revisions_come_and_go(void **state)
{
	struct harness *h = *state;
	char id[27], request[100];

	activate(h);
	make(h, admin, id,
	    "{'status':'published','data':{'title':'T','shots':[{'photo':{'id':'" M1
	    "'},'plan':{'id':'" M2 "'}}]}}");
	assert_int_equal(uses(h, M2), 0);
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/shots",
	    "{'validation':{'subFields':[{'slug':'plan','label':'P','type':'image'}]}}"));
	assert_int_equal(uses(h, M1), 0);
	assert_string_equal(places(h, M2), "columns shots[0].plan");
	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, admin, request, "{'data':{" HERO(M3) "}}"));
	assert_string_equal(places(h, M3), "draft_overlay hero");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['drafts']}"));
	assert_int_equal(uses(h, M3), 0);
	/* changing a label changes no use, so nothing is scanned */
	inside_sql(h, "UPDATE media_coverage SET ended = 'before'", NULL);
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/hero", "{'label':'H'}"));
	assert_string_equal(inside_ask(h, "SELECT min(ended) FROM media_coverage"), "before");
	assert_string_equal(inside_ask(h, "SELECT max(ended) FROM media_coverage"), "before");
}

/* A picture in a block counts as soon as the site defines the block, and until its definition goes.
 */
static void
pictures_in_blocks_that_the_site_defines_count(void **state)
{
	struct harness *h = *state;
	char id[27];

	activate(h);
	field(h, "posts", "text", "portableText", "");
	make(h, admin, id,
	    "{'status':'published','data':{'title':'T','text':[{'_type':'block','children':[]},"
	    "{'_type':'card','photo':{'id':'" M1 "'},'paper':{'id':'" M2 "'},"
	    "'rows':[{'shot':{'id':'" M3 "'}}]}]}}");
	assert_int_equal(uses(h, M1) + uses(h, M2) + uses(h, M3), 0);
	assert_ok(say(h, admin, "POST /schema/blocks",
	    "{'slug':'card','label':'Card','fields':["
	    "{'slug':'photo','label':'P','type':'image'},{'slug':'paper','label':'F','type':'file'},"
	    "{'slug':'rows','label':'R','type':'repeater','validation':{'subFields':["
	    "{'slug':'shot','label':'S','type':'image'}]}}]}"));
	assert_string_equal(places(h, M1), "columns text[1].photo");
	assert_string_equal(places(h, M2), "columns text[1].paper");
	assert_string_equal(places(h, M3), "columns text[1].rows[0].shot");
	/* changing a label changes no use, so nothing is scanned */
	inside_sql(h, "UPDATE media_coverage SET ended = 'before'", NULL);
	assert_ok(say(h, admin, "PUT /schema/blocks/card", "{'label':'A card','sortOrder':3}"));
	assert_string_equal(inside_ask(h, "SELECT max(ended) FROM media_coverage"), "before");
	assert_ok(ask(h, admin, "DELETE /schema/blocks/card?force=true"));
	assert_int_equal(uses(h, M1) + uses(h, M2) + uses(h, M3), 0);
}

static void
a_large_collection_is_left_to_the_job(void **state)
{
	struct harness *h = *state;

	activate(h);
	for (int i = 0; i < 250; i++)
		assert_ok(say(h, admin, "POST /content/plain", "{'data':{" HERO(M1) "}}"));
	field(h, "plain", "more", "file", "");
	assert_string_equal(state_of(h, "plain"), "running");
	until_idle(h);
	assert_string_equal(state_of(h, "plain"), "complete");
	assert_ok(ask(h, admin, "DELETE /schema/collections/plain/fields/hero"));
	assert_int_equal(uses(h, M1), 150);
	until_idle(h);
	assert_int_equal(uses(h, M1), 0);
}

static void
a_deleted_collection_is_forgotten_in_batches(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	activate(h);
	for (int i = 0; i < 20; i++)
		make(h, admin, id, "{'data':{" HERO(M1) "}}");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	harness_ok(o, ask(h, admin, "GET " USAGE "/collection-deletions?state=pending"));
	assert_string_equal(harness_text(o->data, "items[0].collectionSlug"), "posts");
	assert_string_equal(harness_text(o->data, "items[0].phase"), "work");
	harness_ok(o, ask(h, admin, "GET " USAGE "/collection-deletions"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	/* its slug is free at once, and the new collection has none of the old uses */
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'posts','label':'P'}"));
	assert_string_equal(state_of(h, "posts"), "complete");
	until_idle(h);
	assert_string_equal(
	    inside_ask(h, "SELECT (SELECT count(*) FROM media_use) || ' ' || (SELECT count(*) "
			  "FROM media_use_count) || ' ' || (SELECT count(*) FROM media_deletion)"),
	    "0 0 0");
}

static void
a_collection_made_after_activation_is_covered(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	activate(h);
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'new','label':'N'}"));
	field(h, "new", "hero", "image", "");
	assert_string_equal(state_of(h, "new"), "complete");
	assert_ok(say(h, admin, "POST /content/new", "{'data':{" HERO(M1) "}}"));
	assert_int_equal(uses(h, M1), 1);
	harness_ok(o, ask(h, admin, "GET " USAGE "/progress"));
	assert_string_equal(harness_text(o->data, "status"), "ready");
	assert_int_equal(harness_int(o->data, "totalCollections"), 4);
}

static void
what_happened_while_it_was_off_is_made_up_for(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], second[27];

	activate(h);
	make(h, admin, id, "{'data':{" HERO(M1) "}}");
	make(h, admin, second, "{'data':{" HERO(M1) "}}");
	assert_ok(say(h, admin, "POST /content/plain", "{'data':{" HERO(M3) "}}"));
	inside_enable(h, "media-usage", false);
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	make(h, admin, id, "{'data':{" HERO(M2) "}}");
	assert_ok(ask(h, admin, "DELETE /schema/collections/plain?force=true"));
	inside_enable(h, "media-usage", true);
	assert_int_equal(uses(h, M1), 2);
	harness_ok(o, ask(h, admin, "GET " USAGE "/progress"));
	assert_string_equal(harness_text(o->data, "status"), "indexing");
	assert_int_equal(harness_int(o->data, "readyCollections"), 0);
	until_idle(h);
	harness_ok(o, ask(h, admin, "GET " USAGE "/progress"));
	assert_string_equal(harness_text(o->data, "status"), "ready");
	assert_int_equal(uses(h, M1), 1);
	assert_int_equal(uses(h, M2), 1);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM media_use WHERE media_id = '" M3 "'"), "0");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(uses_of_a_deleted_field_are_gone),
		used(a_field_that_comes_back_has_no_uses_in_drafts),
		used(sub_fields_and_revisions_come_and_go),
		used(pictures_in_blocks_that_the_site_defines_count),
		used(a_large_collection_is_left_to_the_job),
		used(a_deleted_collection_is_forgotten_in_batches),
		used(a_collection_made_after_activation_is_covered),
		used(what_happened_while_it_was_off_is_made_up_for),
	};

	return cmocka_run_group_tests_name("media-usage/schema", tests, NULL, NULL);
}
