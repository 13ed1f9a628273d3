/* incomplete.t - drafts that lack values of required fields, in a collection that needs them only
 * to publish. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <string.h>

#define NOTES "/content/notes"

/* Creates the collection notes with the required fields title and year, and body. */
static void
make_notes(struct harness *h, const char *required_on, const char *supports)
{
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'notes','label':'Notes','supports':[%s],'requiredOn':'%s'}", supports,
	    required_on));
	field(h, "notes", "title", "string", "'required':true");
	field(h, "notes", "year", "integer", "'required':true");
	field(h, "notes", "body", "portableText", "'required':true");
}

#define ALL "'drafts','revisions','scheduling'"

static struct outcome *
on(struct harness *h, const char *request, const char *id, const char *rest, const char *body)
{
	char text[256];

	snprintf(text, sizeof(text), "%s " NOTES "/%s%s", request, id, rest);
	return body == NULL ? ask(h, editor, "%s", text) : say(h, editor, text, "%s", body);
}

static void
assert_lacks(struct outcome *o, bool title, bool year, bool body)
{
	assert_code(o, "VALIDATION_ERROR");
	assert_int_equal(harness_issue(o, "data.title"), title);
	assert_int_equal(harness_issue(o, "data.year"), year);
	assert_int_equal(harness_issue(o, "data.body"), body);
}

static void
new_note(struct harness *h, char id[27], const char *body)
{
	struct outcome *o = say(h, editor, "POST " NOTES, "%s", body);

	assert_ok(o);
	assert_int_equal(o->http, 201);
	snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
}

static void
a_collection_requires_on_save_unless_it_says_otherwise(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	make_notes(h, "save", ALL);
	harness_ok(o, ask(h, admin, "GET /schema/collections/posts"));
	assert_string_equal(harness_text(o->data, "item.requiredOn"), "save");
	assert_lacks(say(h, editor, "POST " NOTES, "{'data':{}}"), true, true, true);
	assert_code(say(h, admin, "PUT /schema/collections/notes", "{'requiredOn':'never'}"),
	    "VALIDATION_ERROR");
	assert_code(say(h, admin, "PUT /schema/collections/notes", "{'requiredOn':null}"),
	    "VALIDATION_ERROR");
}

static void
a_draft_may_be_incomplete_and_is_not_published_so(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make_notes(h, "publish", ALL);
	harness_ok(o, ask(h, editor, "GET /admin/manifest/notes"));
	assert_string_equal(harness_text(o->data, "item.requiredOn"), "publish");
	new_note(h, id, "{'data':{}}");
	harness_ok(o, on(h, "GET", id, "", NULL));
	assert_true(json_is_null(harness_at(o->data, "item.slug")));
	/* All that is missing is named. */
	assert_lacks(say(h, editor, "POST " NOTES, "{'status':'published','data':{'year':1}}"),
	    true, false, true);
	assert_lacks(on(h, "PUT", id, "", "{'slug':'a','status':'published','data':{'year':null}}"),
	    true, true, true);
	assert_lacks(on(h, "POST", id, "/publish", "{}"), true, true, true);
	/* Without a title there is no slug; then the title makes it, and it stays. */
	assert_ok(on(h, "PUT", id, "", "{'data':{'title':''}}"));
	harness_ok(o, on(h, "PUT", id, "", "{'slug':null,'data':{'title':'First Note'}}"));
	assert_string_equal(harness_text(o->data, "item.slug"), "first-note");
	harness_ok(o, on(h, "PUT", id, "", "{'data':{'title':'Renamed'}}"));
	assert_string_equal(harness_text(o->data, "item.slug"), "first-note");
	assert_lacks(on(h, "POST", id, "/publish", "{}"), false, true, true);
	assert_lacks(on(h, "POST", id, "/schedule", "{'scheduledAt':'2026-06-02T12:00:00Z'}"),
	    false, true, true);
	harness_ok(o, on(h, "GET", id, "", NULL));
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_ok(on(h, "PUT", id, "",
	    "{'data':{'year':1,'body':[{'_type':'block','children':[{'_type':'span','text':'A'}]}]}}"));
	assert_ok(on(h, "POST", id, "/publish", "{}"));
}

static void
the_draft_of_a_public_item_may_be_incomplete(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make_notes(h, "publish", ALL);
	new_note(h, id, "{'status':'published','data':{'title':'A','year':1,'body':[]}}");
	harness_ok(o, on(h, "PUT", id, "", "{'data':{'year':null}}"));
	assert_null(harness_at(o->data, "item.data.year"));
	harness_ok(o, ask(h, subscriber, "GET " NOTES "/a"));
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
	assert_lacks(on(h, "POST", id, "/publish", "{}"), false, true, false);
	assert_lacks(on(h, "POST", id, "/schedule", "{'scheduledAt':'2026-06-02T12:00:00Z'}"),
	    false, true, false);
	assert_ok(on(h, "POST", id, "/schedule", "{'unpublishAt':'2026-06-02T12:00:00Z'}"));
	assert_ok(on(h, "POST", id, "/discard-draft", "{}"));
	harness_ok(o, on(h, "GET", id, "", NULL));
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
}

static void
what_waits_to_be_published_stays_complete(void **state)
{
	struct harness *h = *state;
	char id[27];

	make_notes(h, "publish", ALL);
	new_note(h, id, "{'data':{'title':'A','year':1,'body':[]}}");
	assert_ok(on(h, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	assert_lacks(on(h, "PUT", id, "", "{'data':{'year':null}}"), false, true, false);
	assert_ok(on(h, "PUT", id, "", "{'data':{'year':2}}"));
	assert_ok(on(h, "DELETE", id, "/schedule", NULL));
	assert_ok(on(h, "PUT", id, "", "{'data':{'year':null}}"));
}

/* Without revisions, a public item has no draft: a save is public at once. */
static void
without_revisions_a_public_item_stays_complete(void **state)
{
	struct harness *h = *state;
	char id[27];

	make_notes(h, "publish", "'drafts'");
	new_note(h, id, "{'status':'published','data':{'title':'A','year':1,'body':[]}}");
	assert_lacks(on(h, "PUT", id, "", "{'data':{'year':null}}"), false, true, false);
}

static void
save_is_required_again_once_all_items_are_complete(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make_notes(h, "publish", ALL);
	new_note(h, id, "{'data':{'title':'A'}}");
	o = say(h, admin, "PUT /schema/collections/notes", "{'requiredOn':'save'}");
	assert_code(o, "FIELD_UPDATE_REQUIRES_MIGRATION");
	assert_ok(on(h, "PUT", id, "", "{'data':{'year':1,'body':[]}}"));
	assert_ok(say(h, admin, "PUT /schema/collections/notes", "{'requiredOn':'save'}"));
	assert_lacks(say(h, editor, "POST " NOTES, "{'data':{}}"), true, true, true);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define check(name) cmocka_unit_test_setup_teardown(name, posts_begin, posts_end)
		check(a_collection_requires_on_save_unless_it_says_otherwise),
		check(a_draft_may_be_incomplete_and_is_not_published_so),
		check(the_draft_of_a_public_item_may_be_incomplete),
		check(what_waits_to_be_published_stays_complete),
		check(without_revisions_a_public_item_stays_complete),
		check(save_is_required_again_once_all_items_are_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
