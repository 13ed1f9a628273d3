/* drafts.t - a draft is the same whether it is shown whole, from its stored revision, or in parts,
 * which are parsed. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data of drafts that stet itself does not write: fields that now have another type, deleted
 * fields, and fields that do not exist yet. */
static const char *const stored[] = { "{}", "{'title':'Draft','year':7,'price':2,'flag':1}",
	"{'title':5,'year':7.0,'price':2.5,'flag':0,'body':null}",
	"{'title':null,'year':'7','price':'2','flag':'x','kind':['a']}",
	"{'year':7.5,'price':true,'flag':true,'gone':{'a':[1,{'b':'}'}]}}",
	"{'title':'a\\\\','summary':'\\\\\\'}]','body':[{'_type':'block','_key':'\\'','children':[]}]}",
	"{ 'title' : 'T' , 'body' : [ ] , '_seo' : {'title':'S'} }", "{'t\\u0069tle':'escaped'}" };

static void
assert_same(struct harness *h, const char *id)
{
	struct outcome *whole, *part;
	const char *name;
	json_t *item, *v;

	harness_ok(whole, ask(h, editor, "GET " BASE "/%s", id));
	item = json_deep_copy(json_object_get(whole->data, "item"));
	harness_ok(part, ask(h, editor, "GET " BASE "/%s?fields=data,seo,slug,liveData", id));
	json_object_foreach(json_object_get(part->data, "item"), name, v)
	{
		if (!json_equal(v, json_object_get(item, name)))
			fail_msg("%s of %s: %s", name, id, whole->text);
	}
	assert_non_null(json_object_get(item, "data"));
	assert_non_null(json_object_get(item, "liveData"));
	json_decref(item);
}

static void
a_draft_is_the_same_whole_and_in_part(void **state)
{
	struct harness *h = *state;
	char id[27], request[64], slug[8];

	for (int i = 0; i < 20; i++) {
		snprintf(slug, sizeof(slug), "s%d", i);
		make(h, editor, id,
		    "{'slug':'%s','status':'published','seo':{'title':'Live'},'data':{'title':'A','year':1,'price':2,"
		    "'flag':true,'kind':'news','body':[{'_type':'block','_key':'b','style':'normal','markDefs':[],"
		    "'children':[{'_type':'span','_key':'s','text':'x','marks':[]}]}]}}",
		    slug);
		snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
		at(h, 1000 * i + 10);
		assert_ok(say(h, editor, request, "{'data':{'title':'B %d'}}", i));
		assert_same(h, id);
		assert_ok(say(h, editor, request, "{'data':{'year':null,'price':%d.5}}", i));
		assert_same(h, id);
		assert_ok(say(h, editor, request, "{'slug':'n%d','seo':{'title':'Staged'}}", i));
		assert_same(h, id);
		/* A field that the draft does not contain keeps the published value. */
		if (i == 10) {
			at(h, 1000 * i + 500);
			field(h, "posts", "later", "string", "'defaultValue':'new'");
			assert_same(h, id);
		}
	}
}

static void
stored_values_that_do_not_fit_are_left_out(void **state)
{
	struct harness *h = *state;
	char id[27], request[64];

	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A','year':1}}");
	snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, request, "{'data':{'title':'B'}}"));
	for (size_t i = 0; i < COUNT(stored); i++) {
		char *text = double_quotes(strdup(stored[i]));

		/* The draft is stored whole, and then as a difference to a revision. */
		inside_sql(h,
		    "/* test */ UPDATE revision SET data = ?1, base = NULL WHERE id = "
		    "(SELECT draft_revision_id FROM c_posts)",
		    text);
		assert_same(h, id);
		inside_sql(h,
		    "/* test */ UPDATE revision SET data = ?1, base = (SELECT live_revision_id FROM "
		    "c_posts) WHERE id = (SELECT draft_revision_id FROM c_posts)",
		    text);
		assert_same(h, id);
		free(text);
	}
}

/* Older versions gave imported fields the time of the import, but drafts their original time. */
static void
fields_of_an_older_import_are_as_old_as_their_collection(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A','year':1}}");
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'B','year':null}}"));
	inside_sql(h, "UPDATE revision SET created_at = '2025-01-01T00:00:00.000Z'", NULL);
	inside_sql(h, "UPDATE field SET created_at = '2026-06-01T12:00:00.001Z'", NULL);
	inside_sql(h, "DROP TABLE item_scheduler", NULL);
	inside_sql(h, "DROP TABLE item_unpublisher", NULL);
	inside_sql(h, "DROP TABLE preview_link", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'content' AND version >= 9", NULL);
	*state = h = harness_again(h);
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
	assert_null(harness_at(o->data, "item.data.year"));
	assert_same(h, id);
}

/* ---- values of deleted fields ---- */

/* Deletes a field of posts, and creates another of the same name at the same time. */
static void
replace(struct harness *h, const char *slug, const char *type, const char *more)
{
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/%s", slug));
	field(h, "posts", slug, type, more);
}

/* Creates a published item with a draft that has a value of `extra`, and then replaces the
 * field. */
static void
stage_extra(struct harness *h, char id[27])
{
	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A'}}");
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'B','extra':{'secret':1}}}"));
	replace(h, "extra", "portableText", "");
}

/* Fails unless an item or a revision in the response has a title and no value of `extra`. */
static void
assert_without(const struct outcome *o, const char *data)
{
	json_t *values = harness_at(o->data, data);

	assert_non_null(json_object_get(values, "title"));
	if (json_object_get(values, "extra") != NULL)
		fail_msg("%s", o->text);
}

static void
a_draft_has_no_value_of_a_field_that_was_deleted(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	stage_extra(h, id);
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_without(o, "item.data");
	assert_same(h, id);
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	assert_without(o, "items[0].data");
	harness_ok(o, ask(h, editor, "GET /revisions/%s", harness_text(o->data, "items[0].id")));
	assert_without(o, "item.data");
	harness_ok(o, ask(h, editor, "GET " BASE "/a/compare"));
	assert_without(o, "draft");
	/* A new draft does not contain the old value, and publishing it does not, either. */
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'C'}}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_without(o, "item.data");
	assert_ok(ask(h, editor, "POST " BASE "/a/publish"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_without(o, "item.data");
}

static void
such_a_draft_is_published_without_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	stage_extra(h, id);
	assert_ok(ask(h, editor, "POST " BASE "/a/publish"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_without(o, "item.data");
	assert_string_equal(inside_ask(h, "SELECT count(f_extra) FROM c_posts"), "0");
}

static void
a_restored_revision_has_no_value_of_a_field_that_was_deleted(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], first[27];

	make(h, editor, id,
	    "{'slug':'a','status':'published','data':{'title':'A','extra':{'o':1},'code':'none'}}");
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'B'}}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	snprintf(first, sizeof(first), "%s", harness_text(o->data, "items[1].id"));
	replace(h, "extra", "portableText", "");
	replace(h, "code", "select", "'validation':{'options':['x']}");
	harness_ok(o, ask(h, editor, "POST /revisions/%s/restore", first));
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	assert_without(o, "item.data");
	assert_null(harness_at(o->data, "item.data.code"));
	assert_ok(ask(h, editor, "POST " BASE "/a/publish"));
	assert_string_equal(
	    inside_ask(h, "SELECT count(f_extra) + count(f_code) FROM c_posts"), "0");
}

/* ---- which is older ---- */

static void
a_draft_has_the_fields_that_it_was_written_with(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A'}}");
	at(h, 5000);
	field(h, "posts", "later", "string", "");
	/* The draft is as old as the field, and then older, since the clock was set back. */
	for (int ms = 5000; ms >= 0; ms -= 5000) {
		at(h, ms);
		assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'later':'at %d'}}", ms));
		assert_same(h, id);
		harness_ok(o, ask(h, editor, "GET " BASE "/a"));
		assert_non_null(strstr(harness_text(o->data, "item.data.later"), "at "));
	}
	/* The field is newer than the draft, whatever the clock says. */
	replace(h, "later", "select", "'validation':{'options':['x']}");
	assert_same(h, id);
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_null(harness_at(o->data, "item.data.later"));
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'later':'x'}}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_string_equal(harness_text(o->data, "item.data.later"), "x");
}

/* Existing rows have the default of a field that was added later. */
static void
live_values_that_are_kept_have_all_their_fields(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A'}}");
	at(h, 5000);
	field(h, "posts", "later", "string", "'required':true,'defaultValue':'new'");
	at(h, 9000);
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'later':'newer'}}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	assert_string_equal(harness_text(o->data, "items[1].data.later"), "new");
	assert_string_equal(
	    harness_text(o->data, "items[1].createdAt"), "2026-06-01T12:00:05.000Z");
	assert_ok(ask(h, editor, "POST " BASE "/a/publish"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	harness_ok(
	    o, ask(h, editor, "POST /revisions/%s/restore", harness_text(o->data, "items[1].id")));
	assert_string_equal(harness_text(o->data, "item.data.later"), "new");
}

/* ---- shared preview links ---- */

static void
a_shared_preview_is_listed_and_withdrawn(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char token[2][700], link[27], other[27];

	make(h, author, other, "{'slug':'other','data':{'title':'B'}}");
	make(h, author, link, "{'slug':'one','data':{'title':'Draft'}}");
	assert_code(ask(h, subscriber, "GET " BASE "/one/preview-links"), "FORBIDDEN");
	assert_code(say(h, author, "POST " BASE "/one/preview-links", "{'expiresIn':'31d'}"),
	    "VALIDATION_ERROR");
	for (int i = 0; i < 2; i++) {
		harness_ok(o, say(h, i == 0 ? author : contributor,
				  "POST " BASE "/one/preview-links", "{'expiresIn':'1d'}"));
		assert_int_equal(o->http, 201);
		(void)snprintf(token[i], sizeof(token[i]), "%s", harness_text(o->data, "token"));
		assert_ok(ask(h, nobody, "GET " BASE "/one?_preview=%s", token[i]));
		assert_code(
		    ask(h, nobody, "GET " BASE "/other?_preview=%s", token[i]), "NOT_FOUND");
	}
	(void)snprintf(other, sizeof(other), "%s", harness_text(o->data, "id"));
	/* The list has no secret. */
	harness_ok(o, ask(h, contributor, "GET " BASE "/one/preview-links"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_string_equal(harness_text(o->data, "items[1].createdBy"), author->id);
	assert_string_equal(
	    harness_text(o->data, "items[1].expiresAt"), "2026-06-02T12:00:00.000Z");
	assert_null(harness_at(o->data, "items[1].token"));
	(void)snprintf(link, sizeof(link), "%s", harness_text(o->data, "items[1].id"));
	/* One's own, or for editors any; by the item that it is of. */
	assert_code(ask(h, contributor, "DELETE " BASE "/one/preview-links/%s", link), "FORBIDDEN");
	assert_code(ask(h, author, "DELETE " BASE "/other/preview-links/%s", link), "NOT_FOUND");
	assert_ok(ask(h, author, "DELETE " BASE "/one/preview-links/%s", link));
	assert_code(ask(h, author, "DELETE " BASE "/one/preview-links/%s", link), "NOT_FOUND");
	assert_code(ask(h, nobody, "GET " BASE "/one?_preview=%s", token[0]), "UNAUTHORIZED");
	assert_ok(ask(h, nobody, "GET " BASE "/one?_preview=%s", token[1]));
	/* What has ended is no longer listed, and forgotten with the next one. */
	at(h, 86400 * 1000);
	assert_code(ask(h, nobody, "GET " BASE "/one?_preview=%s", token[1]), "UNAUTHORIZED");
	harness_ok(o, ask(h, contributor, "GET " BASE "/one/preview-links"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_ok(say(h, editor, "POST " BASE "/one/preview-links", "{'expiresIn':60}"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM preview_link"), "1");
	assert_ok(ask(h, editor, "POST " BASE "/one/preview-links"));
	harness_ok(o, ask(h, editor, "GET " BASE "/one/preview-links"));
	assert_ok(ask(h, editor, "DELETE " BASE "/one/preview-links/%s",
	    harness_text(o->data, "items[0].id")));
	/* They are forgotten with their collection. */
	assert_ok(ask(h, editor, "POST " BASE "/one/preview-links"));
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM preview_link"), "0");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    a_draft_is_the_same_whole_and_in_part, posts_begin_seo, posts_end),
		cmocka_unit_test_setup_teardown(
		    stored_values_that_do_not_fit_are_left_out, posts_begin_seo, posts_end),
		cmocka_unit_test_setup_teardown(
		    fields_of_an_older_import_are_as_old_as_their_collection, posts_begin_seo,
		    posts_end),
		cmocka_unit_test_setup_teardown(
		    a_draft_has_no_value_of_a_field_that_was_deleted, posts_begin_seo, posts_end),
		cmocka_unit_test_setup_teardown(
		    such_a_draft_is_published_without_it, posts_begin_seo, posts_end),
		cmocka_unit_test_setup_teardown(
		    a_restored_revision_has_no_value_of_a_field_that_was_deleted, posts_begin_seo,
		    posts_end),
		cmocka_unit_test_setup_teardown(
		    a_draft_has_the_fields_that_it_was_written_with, posts_begin_seo, posts_end),
		cmocka_unit_test_setup_teardown(
		    live_values_that_are_kept_have_all_their_fields, posts_begin_seo, posts_end),
		cmocka_unit_test_setup_teardown(
		    a_shared_preview_is_listed_and_withdrawn, posts_begin_seo, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
