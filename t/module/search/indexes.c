/* indexes.t - indexes of search: tokenizers, when items are indexed, changes of the schema,
 * rebuilding. */
#include "searched.h"

/* ---- tokenizers ---- */

static void
each_tokenizer_finds_what_it_is_for(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Caf\xc3\xa9",
	    "She was jumping in \xe6\x9d\xb1\xe4\xba\xac\xe9\x83\xbd\xe6\xb0\x91");
	assert_int_equal(hits(h, "jumps"), 1);
	assert_int_equal(hits(h, "cafe"), 1);
	enable(h, "posts", "'tokenize':'unicode61'");
	assert_int_equal(hits(h, "jumps"), 0);
	assert_int_equal(hits(h, "jumpi"), 1);
	assert_int_equal(hits(h, "\"umping\""), 0); /* a phrase, which is not corrected */
	enable(h, "posts", "'tokenize':'trigram'");
	assert_int_equal(hits(h, "umpi"), 1);
	assert_int_equal(hits(h, "\xe4\xba\xac\xe9\x83\xbd\xe6\xb0\x91"), 1);
	assert_int_equal(hits(h, "\xe6\x9d\xb1\xe4\xba\xac"), 0);
	assert_int_equal(hits(h, "ju"), 0);
	assert_int_equal(hits(h, "j\xc3\xbc"), 0);
	assert_int_equal(hits(h, "ju in"), 0);
	assert_int_equal(hits(h, "jum"), 1);
	assert_string_equal(snippet(h, "umpi"), "She was j<mark>umpi</mark>ng in \xe6\x9d\xb1"
						"\xe4\xba\xac\xe9\x83\xbd\xe6\xb0\x91");
}

static const char *
tokenizer(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /search/stats"));
	return harness_text(o->data, "collections.posts.tokenize");
}

static void
the_tokenizer_survives_disabling_and_rebuilding(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Running", "x");
	assert_string_equal(tokenizer(h), "porter unicode61");
	enable(h, "posts", "'tokenize':'trigram'");
	harness_ok(
	    o, say(h, admin, "POST /search/enable", "{'collection':'posts','enabled':false}"));
	assert_false(json_is_true(harness_at(o->data, "enabled")));
	assert_int_equal(hits(h, "running"), 0);
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_null(harness_at(o->data, "collections.posts"));
	assert_code(
	    say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"), "SEARCH_NOT_ENABLED");
	enable(h, "posts", "");
	assert_string_equal(tokenizer(h), "trigram");
	assert_int_equal(hits(h, "unnin"), 1);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	assert_string_equal(tokenizer(h), "trigram");
	field(h, "posts", "more", "string", "'searchable':true");
	work_all(h);
	assert_string_equal(tokenizer(h), "trigram");
	assert_code(say(h, admin, "POST /search/enable",
			"{'collection':'posts','enabled':true,'tokenize':'porter'}"),
	    "VALIDATION_ERROR");
	assert_string_equal(tokenizer(h), "trigram");
	assert_int_equal(hits(h, "unnin"), 1);
}

static void
what_cannot_be_searched_is_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_code(say(h, admin, "POST /search/enable", "{'collection':'nope','enabled':true}"),
	    "COLLECTION_NOT_FOUND");
	assert_code(say(h, admin, "POST /search/enable", "{'collection':'pages','enabled':true}"),
	    "NO_SEARCHABLE_FIELDS");
	assert_code(
	    say(h, admin, "POST /search/rebuild", "{'collection':'pages'}"), "SEARCH_NOT_ENABLED");
	o = say(h, admin, "POST /search/enable",
	    "{'collection':'posts','enabled':true,'weights':{'nope':1,'body':-1,'title':'x'}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "weights.nope"));
	assert_true(harness_issue(o, "weights.body"));
	assert_true(harness_issue(o, "weights.title"));
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_null(harness_at(o->data, "collections.posts.weights"));
}

/* ---- when the index is written ---- */

static void
only_a_change_of_the_text_writes_the_index(void **state)
{
	struct harness *h = *state;
	char id[27], before[200], after[200];

	post(h, id, "Zebra", "stripes");
	state_of(h, before);
	assert_ok(say(h, editor, "PUT " BASE "/zebra", "{'data':{'year':1999}}"));
	assert_ok(say(h, editor, "POST " BASE "/zebra/publish", "{}"));
	assert_ok(say(h, editor, "POST " BASE "/zebra/publish", "{}"));
	assert_ok(say(h, editor, "PUT " BASE "/zebra", "{'data':{'title':'Zebra'}}"));
	assert_ok(say(h, editor, "POST " BASE "/zebra/publish", "{}"));
	state_of(h, after);
	assert_string_equal(before, after);
	assert_ok(say(h, editor, "PUT " BASE "/zebra", "{'data':{'title':'Zebras'}}"));
	assert_ok(say(h, editor, "POST " BASE "/zebra/publish", "{}"));
	state_of(h, after);
	assert_string_not_equal(before, after);
	assert_int_equal(hits(h, "stripes"), 1);
}

/* ---- collections, locales, titles ---- */

static void
collections_without_a_title_and_filters_work(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	field(h, "pages", "text", "text", "'searchable':true");
	enable(h, "pages", "");
	assert_ok(say(h, admin, "PUT /schema/collections/pages", "{'publicRead':true}"));
	post(h, id, "Zebra post", "x");
	assert_ok(say(h, editor, "POST /content/pages",
	    "{'status':'published','data':{'name':'A page','text':'zebra'}}"));
	assert_int_equal(hits(h, "zebra"), 2);
	harness_ok(o, look(h, nobody, "zebra", "&collections=pages"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_null(harness_at(o->data, "items[0].title"));
	harness_ok(o, look(h, nobody, "zebra", "&collections=%20posts%20,nope,"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].collection"), "posts");
	harness_ok(o, look(h, nobody, "zebra", "&collections="));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 2);
	assert_code(
	    harness_op(h, subscriber, "search", "{\"query\":\"zebra\",\"collections\":[\"nope\"]}"),
	    "NOT_FOUND");
	harness_ok(o, ask(h, nobody, "GET /search/suggest?q=zeb"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
}

static void
a_locale_narrows_and_its_letters_case_does_not_matter(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Zebra", "x");
	make(h, editor, id,
	    "{'status':'published','locale':'fr','slug':'z','translationOf':'%s','data':{'title':"
	    "'Zebre zebra'}}",
	    id);
	assert_int_equal(hits(h, "zebra"), 2);
	harness_ok(o, look(h, nobody, "zebra", "&locale=FR"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].locale"), "fr");
	harness_ok(o, look(h, nobody, "zebra", "&locale=de"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
	assert_code(look(h, nobody, "zebra", "&locale=12"), "VALIDATION_ERROR");
}

static void
suggestions_are_titles_of_what_is_published(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'data':{'title':'Zebra draft'}}");
	post(h, id, "The zebra crossing", "x");
	post(h, id, "Horses", "zebra in the text only");
	harness_ok(o, ask(h, nobody, "GET /search/suggest?q=zeb"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].title"), "The zebra crossing");
	assert_string_equal(harness_text(o->data, "items[0].slug"), "the-zebra-crossing");
	assert_code(ask(h, nobody, "GET /search/suggest?q=zeb&limit=21"), "VALIDATION_ERROR");
	/* Suggestions use the title field, even if it is not searchable. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'titleField':'code'}"));
	work_all(h);
	make(h, editor, id, "{'status':'published','data':{'title':'T','code':'Okapi'}}");
	harness_ok(o, ask(h, nobody, "GET /search/suggest?q=oka"));
	assert_string_equal(harness_text(o->data, "items[0].title"), "Okapi");
	assert_int_equal(hits(h, "okapi"), 0);
}

/* ---- changes of the schema ---- */

static void
a_field_that_is_not_searchable_any_more_is_not_found_at_once(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Zebra", "stripes");
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/body", "{'searchable':false}"));
	assert_int_equal(hits(h, "stripes"), 0);
	assert_int_equal(hits(h, "zebra"), 1);
	work_all(h);
	assert_int_equal(hits(h, "stripes"), 0);
	assert_int_equal(hits(h, "zebra"), 1);
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/body", "{'searchable':true}"));
	assert_int_equal(hits(h, "zebra"), 1);
	work_all(h);
	assert_int_equal(hits(h, "stripes"), 1);
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/body"));
	assert_int_equal(hits(h, "stripes"), 0);
	assert_int_equal(hits(h, "zebra"), 1);
	work_all(h);
	assert_int_equal(hits(h, "zebra"), 1);
	/* A field created again with the same name is another field. */
	field(h, "posts", "body", "text", "'searchable':true");
	assert_int_equal(hits(h, "stripes"), 0);
	assert_int_equal(indexed(h, "posts"), 1);
}

static void
the_last_searchable_field_ends_search_and_nothing_begins_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/title", "{'searchable':false}"));
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/body", "{'searchable':false}"));
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/summary"));
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_null(harness_at(o->data, "collections.posts"));
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/body", "{'searchable':true}"));
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_null(harness_at(o->data, "collections.posts"));
}

static void
supports_without_search_ends_it_and_keeps_the_configuration(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['search']}"));
	enable(h, "posts", "'tokenize':'trigram','weights':{'title':3}");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['drafts']}"));
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_null(harness_at(o->data, "collections.posts"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['search']}"));
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_null(harness_at(o->data, "collections.posts"));
	enable(h, "posts", "");
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_string_equal(harness_text(o->data, "collections.posts.tokenize"), "trigram");
	assert_int_equal(harness_int(o->data, "collections.posts.weights.title"), 3);
}

static void
fields_may_be_called_like_columns_of_an_index(void **state)
{
	static const char *const names[] = { "rank", "content", "key", "value", "path", "bm25",
		"c0", "search_fts_2" };
	struct harness *h = *state;

	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'odd','label':'Odd','publicRead':true}"));
	for (size_t i = 0; i < COUNT(names); i++)
		field(h, "odd", names[i], "string", "'searchable':true");
	enable(h, "odd", "'weights':{'rank':2}");
	assert_ok(say(h, editor, "POST /content/odd",
	    "{'slug':'odd','status':'published','data':{'rank':'zebra','content':'okapi','key':'horse',"
	    "'value':'rhino','path':'giraffe','c0':'lion'}}"));
	assert_int_equal(hits(h, "zebra okapi horse rhino giraffe lion"), 1);
	assert_int_equal(hits(h, "rank"), 0);
}

static void
a_deleted_collection_takes_its_index_along(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Zebra", "x");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_int_equal(hits(h, "zebra"), 0);
	work_all(h);
	assert_string_equal(index_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name LIKE "
					 "'search_fts_%'"),
	    "0");
	assert_string_equal(index_ask(h, "SELECT (SELECT count(*) FROM search_doc) + (SELECT "
					 "count(*) FROM search_index) + (SELECT count(*) FROM "
					 "search_shard) + (SELECT count(*) FROM search_config)"),
	    "0");
}

/* ---- building ---- */

static void
the_old_index_serves_until_the_new_one_is_complete(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], data[64];

	many(h, 3000);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	/* After a new searchable field the job rebuilds the index, a few steps at a time. */
	field(h, "posts", "remark", "string", "'searchable':true");
	assert_true(inside_work(h, "search"));
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_int_equal(harness_int(o->data, "collections.posts.rebuilding.total"), 3000);
	assert_int_equal(harness_int(o->data, "collections.posts.rebuilding.done"), 2560);
	assert_int_equal(harness_int(o->data, "collections.posts.indexed"), 3000);
	assert_int_equal(hits(h, "okapi"), 3);
	/* Items that are written meanwhile go into both indexes, whether or not the job has reached
	 * them. */
	post(h, id, "Okapi", "x");
	inside_sql(
	    h, "UPDATE c_posts SET f_title = 'Okapi' WHERE id = ?1", "01MANY00000000000000000001");
	assert_ok(say(h, editor, "PUT " BASE "/01MANY00000000000000000001",
	    "{'data':{'title':'Okapi one'}}"));
	assert_ok(say(h, editor, "POST " BASE "/01MANY00000000000000000001/publish", "{}"));
	assert_int_equal(hits(h, "okapi"), 5);
	/* The process is killed, and another one continues. */
	snprintf(data, sizeof(data), "%s", harness_data(h));
	harness_close(h, true);
	h = *state = harness_open(&(struct harness_options){
	    .data = data, .locales = (const char *const[]){ "en", "fr", NULL } });
	assert_int_equal(hits(h, "okapi"), 5);
	work_all(h);
	harness_ok(o, ask(h, admin, "GET /search/stats"));
	assert_null(harness_at(o->data, "collections.posts.rebuilding"));
	assert_int_equal(harness_int(o->data, "collections.posts.indexed"), 3001);
	assert_int_equal(hits(h, "okapi"), 5);
	assert_string_equal(index_ask(h, "SELECT count(*) FROM search_index"), "1");
	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 0);
}

static void
checks_find_what_the_index_and_the_items_disagree_about(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[3][27], sql[100];

	for (int i = 0; i < 3; i++)
		post(h, id[i], "Zebra", "x");
	assert_int_equal(indexed(h, "posts"), 3);
	inside_sql(h, "UPDATE c_posts SET f_summary = 'new' WHERE id = ?1", id[0]);
	inside_sql(h, "UPDATE c_posts SET status = 'draft' WHERE id = ?1", id[1]);
	index_sql(h, "DELETE FROM search_doc WHERE entry = ?1", id[2]);
	inside_item(h, "pages", "not-searched");
	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 3);
	/* Items whose status differs from that in the index are not shown. */
	assert_int_equal(hits(h, "zebra"), 1);
	snprintf(sql, sizeof(sql), "DROP TABLE search_fts_%s",
	    index_ask(h, "SELECT max(id) FROM search_shard"));
	index_sql(h, sql, NULL);
	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 4);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 0);
	assert_int_equal(hits(h, "zebra"), 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(each_tokenizer_finds_what_it_is_for),
		searched(the_tokenizer_survives_disabling_and_rebuilding),
		searched(what_cannot_be_searched_is_refused),
		searched(only_a_change_of_the_text_writes_the_index),
		searched(collections_without_a_title_and_filters_work),
		searched(a_locale_narrows_and_its_letters_case_does_not_matter),
		searched(suggestions_are_titles_of_what_is_published),
		searched(a_field_that_is_not_searchable_any_more_is_not_found_at_once),
		searched(the_last_searchable_field_ends_search_and_nothing_begins_it),
		searched(supports_without_search_ends_it_and_keeps_the_configuration),
		searched(fields_may_be_called_like_columns_of_an_index),
		searched(a_deleted_collection_takes_its_index_along),
		searched(the_old_index_serves_until_the_new_one_is_complete),
		searched(checks_find_what_the_index_and_the_items_disagree_about),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
