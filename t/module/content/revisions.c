/* revisions.t - the history of an item: storing, listing, reading and restoring revisions. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

static struct outcome *
put(struct harness *h, const char *id, const char *member, int n)
{
	char path[128];

	snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	return say(h, author, path, "{'data':{'%s':%d}}", member, n);
}

static void
a_list_is_newest_first_with_a_total(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	for (int i = 1; i <= 7; i++)
		assert_ok(put(h, id, "year", i));
	harness_ok(o, ask(h, contributor, "GET " BASE "/a/revisions?limit=3"));
	assert_int_equal(harness_int(o->data, "total"), 8); /* one is of the creation */
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_int_equal(harness_int(o->data, "items[0].data.year"), 7);
	assert_int_equal(harness_int(o->data, "items[2].data.year"), 5);
	assert_string_equal(harness_text(o->data, "items[0].data.title"), "A");
	assert_string_equal(harness_text(o->data, "items[0].entryId"), id);
	assert_string_equal(harness_text(o->data, "items[0].collection"), "posts");
	assert_string_equal(harness_text(o->data, "items[0].authorId"), author->id);
	harness_ok(o, ask(h, contributor, "GET " BASE "/a/revisions?limit=5&cursor=%s",
			  harness_text(o->data, "nextCursor")));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	assert_int_equal(harness_int(o->data, "items[0].data.year"), 4);
	assert_null(harness_at(o->data, "nextCursor"));
	assert_code(ask(h, subscriber, "GET " BASE "/a/revisions"), "FORBIDDEN");
	assert_code(ask(h, author, "GET " BASE "/none/revisions"), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/a/revisions?limit=101"), "VALIDATION_ERROR");
	assert_code(ask(h, author, "GET " BASE "/a/revisions?cursor=x"), "INVALID_CURSOR");
	assert_code(harness_op(h, author, "revision_list",
			"{\"collection\":\"posts\",\"id\":\"a\",\"limit\":51}"),
	    "VALIDATION_ERROR");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':[]}"));
	assert_code(
	    harness_op(h, author, "revision_list", "{\"collection\":\"posts\",\"id\":\"a\"}"),
	    "VALIDATION_ERROR");
}

/* The name is looked up when the revision is read: NULL if the user is deleted. */
static void
a_revision_names_its_author(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'named','data':{'title':'A'}}");
	assert_ok(put(h, id, "year", 1));
	harness_ok(o, ask(h, contributor, "GET " BASE "/named/revisions"));
	assert_true(json_is_null(harness_at(o->data, "items[0].authorName")));
	inside_sql(h,
	    "INSERT INTO users (id, email, name, role, created_at, updated_at) VALUES (?1, "
	    "'ann@example.org', '', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    author->id);
	harness_ok(o, ask(h, contributor, "GET " BASE "/named/revisions"));
	assert_string_equal(harness_text(o->data, "items[0].authorName"), "ann@example.org");
	inside_sql(h, "UPDATE users SET name = 'Ann' WHERE id = ?1", author->id);
	harness_ok(o, ask(h, contributor, "GET " BASE "/named/revisions"));
	assert_string_equal(harness_text(o->data, "items[0].authorName"), "Ann");
	harness_ok(
	    o, ask(h, contributor, "GET /revisions/%s", harness_text(o->data, "items[0].id")));
	assert_string_equal(harness_text(o->data, "item.authorName"), "Ann");
	inside_sql(h, "DELETE FROM users WHERE id = ?1", author->id);
}

static void
whatever_the_form_each_revision_reads_as_it_was(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], path[64], text[4000];
	json_t *item;
	size_t i;

	memset(text, 'x', sizeof(text));
	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	for (int n = 1; n <= 40; n++) {
		/* In every tenth version much changes; in every seventh a value is removed. */
		text[sizeof(text) - 1 - (size_t)(n % 10 == 0) * 10] = '\0';
		if (n % 10 == 0 || n == 1)
			assert_ok(
			    say(h, author, path, "{'data':{'year':%d,'summary':'%s'}}", n, text));
		else if (n % 7 == 0)
			assert_ok(say(h, author, path, "{'data':{'year':%d,'flag':null}}", n));
		else
			assert_ok(say(h, author, path, "{'data':{'year':%d,'flag':true}}", n));
	}
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions?limit=100"));
	assert_int_equal(harness_int(o->data, "total"), 41);
	json_array_remove(harness_at(o->data, "items"), 40); /* of the creation */
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		int n = 40 - (int)i;

		assert_int_equal(harness_int(item, "data.year"), n);
		assert_string_equal(harness_text(item, "data.title"), "A");
		assert_int_equal(json_object_get(json_object_get(item, "data"), "flag") != NULL,
		    n > 1 && n % 7 != 0 && !(n % 10 == 0 && (n - 1) % 7 == 0));
		assert_true(strlen(harness_text(item, "data.summary")) > 3900);
	}
	/* Most revisions store only the changed fields. */
	assert_true(
	    strtol(inside_ask(h, "SELECT SUM(LENGTH(data)) FROM revision"), NULL, 10) < 40 * 1500);
	assert_true(strtol(inside_ask(h, "SELECT COUNT(*) FROM revision WHERE base IS NULL"), NULL,
			10) < 8);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM revision r JOIN revision k ON k.id "
					  "= r.base WHERE k.base IS NOT NULL"),
	    "0");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM revision r WHERE base IS NOT NULL "
					  "AND NOT EXISTS (SELECT 1 FROM revision k WHERE k.id = "
					  "r.base)"),
	    "0");
}

static void
fifty_are_kept_and_the_live_one(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], live[27];

	make(h, author, id,
	    "{'slug':'a','data':{'title':'A','summary':'xxxxxxxxxxxxxxxxxxxxxxxxx'}}");
	assert_ok(put(h, id, "year", 0));
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	harness_ok(o, say(h, author, "POST " BASE "/a/publish", "{}"));
	snprintf(live, sizeof(live), "%s", harness_text(o->data, "item.liveRevisionId"));
	for (int i = 1; i <= 70; i++) {
		assert_ok(put(h, id, "year", i));
		harness_ok(o, ask(h, author, "GET /revisions/%s", live));
		assert_int_equal(harness_int(o->data, "item.data.year"), 0);
	}
	harness_ok(o, ask(h, author, "GET " BASE "/a/revisions?limit=100"));
	assert_int_equal(harness_int(o->data, "total"), 51);
	for (int i = 0; i < 50; i++) {
		char path[32];

		snprintf(path, sizeof(path), "items[%d].data.year", i);
		assert_int_equal(harness_int(o->data, path), 70 - i);
	}
	assert_string_equal(harness_text(o->data, "items[50].id"), live);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM revision r WHERE base IS NOT NULL "
					  "AND NOT EXISTS (SELECT 1 FROM revision k WHERE k.id = "
					  "r.base AND k.base IS NULL)"),
	    "0");
	assert_ok(say(h, author, "POST " BASE "/a/publish", "{}"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_int_equal(harness_int(o->data, "item.data.year"), 70);
}

static void
a_restored_revision_is_a_new_draft(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], first[27];

	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	assert_ok(put(h, id, "year", 1));
	harness_ok(o, say(h, author, "POST " BASE "/a/publish", "{}"));
	snprintf(first, sizeof(first), "%s", harness_text(o->data, "item.liveRevisionId"));
	assert_ok(put(h, id, "year", 2));
	assert_ok(put(h, id, "price", 5));
	assert_ok(say(h, author, "POST " BASE "/a/publish", "{}"));
	at(h, 9);
	assert_code(ask(h, other_author, "POST /revisions/%s/restore", first), "FORBIDDEN");
	harness_ok(o, ask(h, editor, "POST /revisions/%s/restore", first));
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
	assert_null(harness_at(o->data, "item.data.price")); /* the field did not exist then */
	assert_int_equal(harness_int(o->data, "item.liveData.year"), 2);
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.000Z");
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	assert_string_equal(harness_text(o->data, "items[0].authorId"), editor->id);
	assert_int_equal(harness_int(o->data, "total"), 5);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_int_equal(harness_int(o->data, "item.data.year"), 2);
	/* The item is not published: restoring changes it, and does not publish it. */
	assert_ok(say(h, author, "POST " BASE "/a/discard-draft", "{}"));
	assert_ok(say(h, author, "POST " BASE "/a/unpublish", "{}"));
	harness_ok(o, ask(h, author, "POST /revisions/%s/restore", first));
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
	assert_null(harness_at(o->data, "item.liveData"));
	assert_code(ask(h, author, "POST /revisions/nothing/restore"), "NOT_FOUND");
	assert_code(ask(h, author, "GET /revisions/%s", id), "NOT_FOUND");
	assert_code(ask(h, subscriber, "GET /revisions/%s", first), "FORBIDDEN");
	assert_ok(ask(h, author, "DELETE " BASE "/a"));
	assert_code(ask(h, author, "GET /revisions/%s", first), "NOT_FOUND");
	assert_code(ask(h, author, "POST /revisions/%s/restore", first), "NOT_FOUND");
}

static void
drafts_follow_their_fields(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'a','status':'published','data':{'title':'A','year':1}}");
	assert_ok(say(h, author, "PUT " BASE "/a", "{'slug':'b','data':{'year':2,'rank':3}}"));
	harness_ok(o, ask(h, author, "GET " BASE "/%s/revisions", id));
	assert_string_equal(harness_text(o->data, "items[0].data._slug"), "b");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/rank"));
	at(h, 1000);
	field(h, "posts", "late", "string", "'required':true,'defaultValue':'dflt'");
	harness_ok(o, ask(h, author, "GET " BASE "/%s", id));
	assert_null(harness_at(o->data, "item.data.rank"));
	assert_string_equal(harness_text(o->data, "item.data.late"), "dflt");
	assert_int_equal(harness_int(o->data, "item.data.year"), 2);
	assert_ok(say(h, author, "POST " BASE "/a/publish", "{}"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/b"));
	assert_string_equal(harness_text(o->data, "item.data.late"), "dflt");
}

static void
an_autosave_keeps_no_history(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'a','status':'published','data':{'title':'A'}}");
	for (int i = 0; i < 9; i++)
		assert_ok(say(
		    h, author, "PUT " BASE "/a", "{'skipRevision':true,'data':{'year':%d}}", i));
	harness_ok(o, ask(h, author, "GET " BASE "/a/revisions"));
	assert_int_equal(harness_int(o->data, "total"), 2); /* the live one, and the draft */
	assert_int_equal(harness_int(o->data, "items[0].data.year"), 8);
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	assert_int_equal(harness_int(o->data, "item.data.year"), 8);
}

static void
a_collection_takes_its_revisions_along(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	assert_ok(put(h, id, "year", 1));
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM revision"), "0");
}

static void
a_collection_says_how_many_are_kept(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'status':'published','data':{'title':'A','year':0}}");
	assert_ok(harness_op(h, admin, "plugin_settings_put",
	    "{\"id\":\"content\",\"values\":{\"revisionsKept\":5}}"));
	for (int i = 1; i < 9; i++)
		assert_ok(put(h, id, "year", i));
	harness_ok(o, ask(h, author, "GET " BASE "/%s/revisions", id));
	assert_int_equal(harness_int(o->data, "total"), 6); /* and the live one */
	/* The collection's number overrides the site's; the live version and the draft are kept. */
	harness_ok(
	    o, say(h, admin, "PUT /schema/collections/posts", "{'admin':{'revisionsKept':1}}"));
	assert_int_equal(harness_int(o->data, "item.admin.revisionsKept"), 1);
	assert_ok(put(h, id, "year", 9));
	harness_ok(o, ask(h, author, "GET " BASE "/%s/revisions", id));
	assert_true(harness_int(o->data, "total") <= 3);
	harness_ok(o, ask(h, author, "GET " BASE "/%s", id));
	assert_int_equal(harness_int(o->data, "item.data.year"), 9);
	assert_int_equal(harness_int(o->data, "item.liveData.year"), 0);
	/* Without it the site's number applies again. */
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts", "{'admin':{'revisionsKept':null}}"));
	for (int i = 1; i < 9; i++)
		assert_ok(put(h, id, "year", i));
	harness_ok(o, ask(h, author, "GET " BASE "/%s/revisions", id));
	assert_int_equal(harness_int(o->data, "total"), 6);
}

/* Returns true if the item's history has a revision with this value. */
static bool
has(struct harness *h, const char *id, const char *path, int value)
{
	struct outcome *o;
	const json_t *r;
	size_t i;

	harness_ok(o, ask(h, editor, "GET " BASE "/%s/revisions?limit=100", id));
	json_array_foreach(harness_at(o->data, "items"), i, r)
	{
		if (harness_int((json_t *)(uintptr_t)r, path) == value)
			return true;
	}
	return false;
}

static int64_t
revisions(struct harness *h, const char *id)
{
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET " BASE "/%s/revisions", id));
	return harness_int(o->data, "total");
}

static void
what_a_direct_publish_replaces_stays(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'a','status':'published','data':{'title':'A','year':1}}");
	assert_int_equal(revisions(h, id), 0);
	at(h, 1000);
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'status':'published','data':{'year':2}}"));
	assert_true(has(h, id, "data.year", 1));
	/* The revision has the author and the time of the replaced version. */
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	assert_int_equal(harness_int(o->data, "total"), 2);
	assert_string_equal(harness_text(o->data, "items[0].authorId"), editor->id);
	assert_string_equal(harness_text(o->data, "items[1].authorId"), author->id);
	assert_string_equal(
	    harness_text(o->data, "items[1].createdAt"), "2026-06-01T12:00:00.000Z");
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'status':'published','data':{'year':3}}"));
	assert_int_equal(revisions(h, id), 3);
	/* It can be restored. */
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	assert_ok(
	    ask(h, editor, "POST /revisions/%s/restore", harness_text(o->data, "items[2].id")));
	assert_ok(say(h, editor, "POST " BASE "/a/publish", "{}"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
	assert_true(has(h, id, "data.year", 3));
}

static void
what_is_edited_after_unpublishing_stays(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'slug':'a','status':'published','data':{'title':'A','year':1}}");
	assert_ok(say(h, author, "POST " BASE "/a/unpublish", "{}"));
	assert_int_equal(revisions(h, id), 0);
	assert_ok(put(h, id, "year", 2));
	assert_true(has(h, id, "data.year", 1));
	assert_int_equal(revisions(h, id), 2);
	/* The tool and the schedule store revisions in the same way. */
	make(h, author, id, "{'slug':'b','status':'published','data':{'title':'B','year':1}}");
	assert_ok(say(h, author, "PUT " BASE "/b", "{'status':'draft'}"));
	assert_ok(put(h, id, "year", 2));
	assert_true(has(h, id, "data.year", 1));
	assert_ok(say(
	    h, author, "POST " BASE "/b/schedule", "{'scheduledAt':'2026-06-01T12:00:01.000Z'}"));
	at(h, 1000);
	inside_sweep(h);
	assert_ok(say(h, author, "PUT " BASE "/b", "{'status':'published','data':{'year':3}}"));
	assert_true(has(h, id, "data.year", 2));
	assert_int_equal(revisions(h, id), 3);
}

static void
a_drafts_first_version_stays(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'slug':'a','data':{'title':'A','year':1}}");
	assert_ok(put(h, id, "year", 2));
	assert_true(has(h, id, "data.year", 1));
	assert_int_equal(revisions(h, id), 2);
	assert_ok(put(h, id, "year", 3));
	assert_int_equal(revisions(h, id), 3);
	make(h, author, id, "{'slug':'b','data':{'title':'B','year':1}}");
	assert_ok(say(h, author, "PUT " BASE "/b", "{'status':'published','data':{'year':2}}"));
	assert_true(has(h, id, "data.year", 1));
	/* A save without changes stores no revision. */
	make(h, author, id, "{'slug':'c','data':{'title':'C','year':1}}");
	assert_ok(put(h, id, "year", 1));
	assert_int_equal(revisions(h, id), 0);
	/* Without support for revisions there is no history. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['drafts']}"));
	assert_ok(put(h, id, "year", 2));
	assert_int_equal(revisions(h, id), 0);
	/* Once revisions are supported, replaced values are stored. */
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts", "{'supports':['drafts','revisions']}"));
	assert_ok(put(h, id, "year", 3));
	assert_true(has(h, id, "data.year", 2));
}

static void
what_the_row_held_between_two_histories_stays(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'slug':'a','status':'published','data':{'title':'A','year':1}}");
	assert_ok(put(h, id, "year", 2));
	assert_ok(say(h, author, "POST " BASE "/a/publish", "{}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['drafts']}"));
	assert_ok(put(h, id, "year", 3));
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts", "{'supports':['drafts','revisions']}"));
	assert_ok(say(h, author, "PUT " BASE "/a", "{'status':'published','data':{'year':4}}"));
	assert_true(has(h, id, "data.year", 3));
	assert_int_equal(revisions(h, id), 4);
}

static void
what_a_translation_replaces_stays(void **state)
{
	struct harness *h = *state;
	char id[27], fr[27];

	field(h, "posts", "shared", "integer", "'translatable':false");
	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A','shared':1}}");
	make(h, editor, fr,
	    "{'slug':'b','locale':'fr','translationOf':'%s','status':'published',"
	    "'data':{'title':'B'}}",
	    id);
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'status':'published','data':{'shared':2}}"));
	assert_true(has(h, id, "data.shared", 1));
	assert_true(has(h, fr, "data.shared", 1));
	assert_ok(say(h, editor, "POST " BASE "/b/unpublish", "{}"));
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'status':'published','data':{'shared':3}}"));
	assert_true(has(h, fr, "data.shared", 2));
	assert_true(has(h, fr, "data.shared", 3));
	assert_int_equal(revisions(h, fr), 3);
}

static bool
told(const struct outcome *o, const char *text)
{
	const json_t *problem;
	size_t i;

	json_array_foreach(json_object_get(o->data, "problems"), i, problem)
	{
		if (strstr(json_string_value(problem), text) != NULL)
			return true;
	}
	return false;
}

static void
a_check_finds_links_that_lead_nowhere(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[3][27], draft[27];

	for (int i = 0; i < 3; i++) {
		make(h, author, id[i], "{'slug':'%c','status':'published','data':{'title':'T'}}",
		    'a' + i);
		for (int n = 1; n <= 4; n++)
			assert_ok(put(h, id[i], "year", n));
	}
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 0);
	snprintf(draft, sizeof(draft), "%s",
	    inside_ask(h, "SELECT draft_revision_id FROM c_posts WHERE slug = 'a'"));
	inside_sql(h, "DELETE FROM revision WHERE id = ?1", draft);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_true(told(o, "its draft is not there"));
	inside_sql(h, "DELETE FROM revision WHERE base IS NULL AND entry_id = ?1", id[1]);
	inside_sql(h, "UPDATE revision SET data = '{' WHERE base IS NULL AND entry_id = ?1", id[2]);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_true(told(o, "its base revision is missing"));
	assert_true(told(o, "its values cannot be read"));
	inside_sql(h, "UPDATE c_posts SET live_version = version WHERE id = ?1", id[1]);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_true(told(o, "its live version is not below its version"));
	assert_code(harness_op(h, editor, "content_verify", "{}"), "FORBIDDEN");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_list_is_newest_first_with_a_total),
		check(a_revision_names_its_author),
		check(whatever_the_form_each_revision_reads_as_it_was),
		check(fifty_are_kept_and_the_live_one),
		check(a_restored_revision_is_a_new_draft),
		check(drafts_follow_their_fields),
		check(an_autosave_keeps_no_history),
		check(a_collection_takes_its_revisions_along),
		check(a_collection_says_how_many_are_kept),
		check(what_a_direct_publish_replaces_stays),
		check(what_is_edited_after_unpublishing_stays),
		check(a_drafts_first_version_stays),
		check(what_the_row_held_between_two_histories_stays),
		check(what_a_translation_replaces_stays),
		check(a_check_finds_links_that_lead_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
