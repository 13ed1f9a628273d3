/* seo.t - SEO members of an item: validated, staged, stored as revisions, restored and copied. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>

#define EMPTY                                                                   \
	"{\"title\":null,\"description\":null,\"image\":null,\"imageId\":null," \
	"\"canonical\":null,\"noIndex\":false}"
#define PICTURE "01ARZ3NDEKTSV4RRFFQ69G5FAV"
#define FILM "01ARZ3NDEKTSV4RRFFQ69G5FAW"

static int
begin(void **state)
{
	struct harness *h;

	(void)posts_begin_seo(state);
	h = *state;
	inside_sql(h,
	    "INSERT INTO media_items (id, filename, mime_type, size, storage_key, kept_key, status,"
	    " created_at) VALUES (?1, 'f.png', 'image/png', 3, 'k.png', 'k.png', 'ready', '2026')",
	    PICTURE);
	inside_sql(h,
	    "INSERT INTO media_items (id, filename, mime_type, size, storage_key, kept_key, status,"
	    " created_at) VALUES (?1, 'f.mp4', 'video/mp4', 3, 'k.mp4', 'k.mp4', 'ready', '2026')",
	    FILM);
	return 0;
}

static const char *
title(struct outcome *o)
{
	return harness_text(o->data, "item.seo.title");
}

static void
an_item_without_it_tells_nulls(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	json_t *empty = json_loads(EMPTY, 0, NULL);

	make(h, editor, id, "{'slug':'a','data':{'title':'A'},'seo':{}}");
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_true(json_equal(harness_at(o->data, "item.seo"), empty));
	assert_string_equal(inside_ask(h, "SELECT f__seo IS NULL FROM c_posts"), "1");
	harness_ok(o, ask(h, editor, "GET " BASE));
	assert_true(json_equal(harness_at(o->data, "items[0].seo"), empty));
	assert_null(harness_at(o->data, "items[0].data._seo"));
	harness_ok(o, ask(h, editor, "GET " BASE "?fields=title"));
	assert_null(harness_at(o->data, "items[0].seo"));
	harness_ok(o, ask(h, editor, "GET " BASE "?fields=seo"));
	assert_true(json_equal(harness_at(o->data, "items[0].seo"), empty));
	json_decref(empty);
}

static void
members_are_changed_one_by_one(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id,
	    "{'slug':'a','data':{},'seo':{'title':'T','description':'D','noIndex':true,"
	    "'canonical':'https://example.org/a'}}");
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'seo':{'description':null}}"));
	assert_string_equal(title(o), "T");
	assert_true(json_is_null(harness_at(o->data, "item.seo.description")));
	assert_true(json_is_true(harness_at(o->data, "item.seo.noIndex")));
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'seo':{'title':'','noIndex':false}}"));
	assert_true(json_is_null(harness_at(o->data, "item.seo.title")));
	assert_string_equal(harness_text(o->data, "item.seo.canonical"), "https://example.org/a");
	/* Sending back what was read changes nothing. */
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'seo':{'title':null,'imageId':null}}"));
	harness_ok(
	    o, harness_op(h, editor, "content_get", "{\"collection\":\"posts\",\"id\":\"a\"}"));
	assert_true(json_is_false(harness_at(o->data, "item.seo.noIndex")));
}

static void
what_it_must_not_be_is_told(void **state)
{
	static const struct {
		const char *seo, *path;
	} bad[] = { { "{'canonical':'javascript:alert(1)'}", "seo.canonical" },
		{ "{'canonical':'/a'}", "seo.canonical" },
		{ "{'canonical':'ftp://example.org'}", "seo.canonical" },
		{ "{'title':7}", "seo.title" }, { "{'noIndex':null}", "seo.noIndex" },
		{ "{'noIndex':'x'}", "seo.noIndex" }, { "{'keywords':'x'}", "seo.keywords" },
		{ "{'image':'data:image/png;base64,x'}", "seo.image" },
		{ "{'image':'01ARZ3NDEKTSV4RRFFQ69G5FAA'}", "seo.image" },
		{ "{'image':'" FILM "'}", "seo.image" }, { "7", "seo" }, { "[]", "seo" } };
	struct harness *h = *state;
	char text[502];
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, editor, "POST " BASE, "{'data':{},'seo':%s}", bad[i].seo);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i].path))
			fail_msg("%s: %s", bad[i].seo, o->text);
	}
	memset(text, 'x', sizeof(text) - 1);
	text[501] = '\0';
	o = say(h, editor, "POST " BASE, "{'data':{},'seo':{'description':'%s'}}", text);
	assert_true(harness_issue(o, "seo.description"));
	o = say(h, editor, "POST " BASE, "{'data':{},'seo':{'title':'%s'}}", text + 300);
	assert_true(harness_issue(o, "seo.title"));
	assert_ok(say(h, editor, "POST " BASE, "{'data':{},'seo':{'title':'%s'}}", text + 301));
	/* The error lists all problems at once. */
	o = say(h, editor, "POST " BASE, "{'data':{'nothing':1},'seo':{'canonical':'x'}}");
	assert_true(harness_issue(o, "seo.canonical"));
	/* A collection without SEO refuses even an empty object. */
	assert_true(
	    harness_issue(say(h, editor, "POST /content/pages", "{'data':{},'seo':{}}"), "seo"));
}

static void
an_image_of_the_library_is_a_use(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'slug':'a','data':{},'seo':{'image':'" PICTURE "'}}");
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_string_equal(harness_text(o->data, "item.seo.image"), "/_cms/api/media/file/k.png");
	assert_string_equal(harness_text(o->data, "item.seo.imageId"), PICTURE);
	assert_string_equal(inside_ask(h, "SELECT media_id FROM media_use"), PICTURE);
	/* The URL of a media file refers to it, too. */
	assert_ok(say(h, editor, "PUT " BASE "/a",
	    "{'seo':{'image':'/_cms/api/media/file/k.png','title':'T'}}"));
	assert_string_equal(inside_ask(h, "SELECT media_id FROM media_use"), PICTURE);
	harness_ok(
	    o, say(h, editor, "PUT " BASE "/a", "{'seo':{'image':'https://example.org/p.png'}}"));
	assert_true(json_is_null(harness_at(o->data, "item.seo.imageId")));
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM media_use"), "0");
}

static void
it_is_staged_like_the_values(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id,
	    "{'slug':'a','status':'published','data':{'title':'A'},'seo':{'title':'Live'}}");
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'seo':{'title':'Staged'}}"));
	assert_string_equal(title(o), "Staged");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_string_equal(title(o), "Live");
	assert_null(harness_at(o->data, "item.draftRevisionId"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a/compare"));
	assert_string_equal(harness_text(o->data, "differences[0].field"), "_seo");
	assert_string_equal(harness_text(o->data, "differences[0].live.title"), "Live");
	assert_string_equal(harness_text(o->data, "differences[0].draft.title"), "Staged");
	assert_int_equal(json_array_size(harness_at(o->data, "differences")), 1);
	/* Another edit keeps the staged SEO. */
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'data':{'year':3}}"));
	assert_string_equal(title(o), "Staged");
	assert_null(harness_at(o->data, "item.data._seo"));
	assert_ok(ask(h, editor, "POST " BASE "/a/publish"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_string_equal(title(o), "Staged");
	/* Discarding the draft discards its SEO. */
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'seo':{'title':'Dropped'}}"));
	harness_ok(o, ask(h, editor, "POST " BASE "/a/discard-draft"));
	assert_string_equal(title(o), "Staged");
}

static void
a_revision_brings_it_back(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], revision[27];

	make(h, editor, id, "{'slug':'a','data':{'title':'A'},'seo':{'title':'One'}}");
	at(h, 1000);
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'seo':{'title':'Two'}}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	assert_int_equal(harness_int(o->data, "total"), 2);
	snprintf(revision, sizeof(revision), "%s", harness_text(o->data, "items[1].id"));
	harness_ok(o, ask(h, editor, "GET /revisions/%s", revision));
	assert_string_equal(harness_text(o->data, "item.data._seo.title"), "One");
	harness_ok(o, ask(h, editor, "POST /revisions/%s/restore", revision));
	assert_string_equal(title(o), "One");
}

static void
a_copy_has_it_without_the_canonical_url(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id,
	    "{'slug':'a','data':{'title':'A'},'seo':{'title':'T','canonical':"
	    "'https://example.org/a'}}");
	harness_ok(o, ask(h, editor, "POST " BASE "/a/duplicate"));
	assert_string_equal(title(o), "T");
	assert_true(json_is_null(harness_at(o->data, "item.seo.canonical")));
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_false(json_is_null(harness_at(o->data, "item.seo.canonical")));
}

static void
it_stays_while_the_collection_has_none(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id,
	    "{'slug':'a','status':'published','data':{'title':'A'},'seo':{'title':'T'}}");
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts", "{'supports':['drafts','revisions']}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_null(harness_at(o->data, "item.seo"));
	/* A draft from the time without SEO stages no SEO. */
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'B'}}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts",
	    "{'supports':['drafts','revisions','seo']}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/a"));
	assert_string_equal(title(o), "T");
	assert_ok(ask(h, editor, "POST " BASE "/a/publish"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a"));
	assert_string_equal(title(o), "T");
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
}

#define seo_check_(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)
int
main(void)
{
	const struct CMUnitTest tests[] = {
		seo_check_(an_item_without_it_tells_nulls),
		seo_check_(members_are_changed_one_by_one),
		seo_check_(what_it_must_not_be_is_told),
		seo_check_(an_image_of_the_library_is_a_use),
		seo_check_(it_is_staged_like_the_values),
		seo_check_(a_revision_brings_it_back),
		seo_check_(a_copy_has_it_without_the_canonical_url),
		seo_check_(it_stays_while_the_collection_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
