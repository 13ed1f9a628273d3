/* pending.c - changes of a transaction are indexed once, before its commit. */
#include "inside.h"
#include "searched.h"
#include <stdio.h>

#define CREATE(title)                                                     \
	"{'op':'content_add','arguments':{'collection':'posts','status':" \
	"'published','data':{'title':'" title "'}}}"
#define SEARCH(q) "{'op':'search_query','arguments':{'q':'" q "'}}"

static int
problems(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	return (int)json_array_size(json_object_get(o->data, "problems"));
}

static void
calls_of_a_batch_find_what_those_before_have_written(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, admin, "POST /batch",
			  "{'calls':[" CREATE("Okapi") "," SEARCH("okapi") "," CREATE(
			      "Okapi again") "," SEARCH("okapi") "]}"));
	assert_int_equal(json_array_size(harness_at(o->data, "results[1].data.items")), 1);
	assert_int_equal(json_array_size(harness_at(o->data, "results[3].data.items")), 2);
	assert_int_equal(hits(h, "okapi"), 2);
	assert_string_equal(unindexed(h), "0");
}

static void
what_is_undone_is_not_found(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	/* A search indexes part of a batch, which is then rolled back. */
	harness_ok(o,
	    say(h, admin, "POST /batch",
		"{'calls':[" CREATE(
		    "Okapi") ","
			     "{'op':'content_add','arguments':{'collection':'posts','data':{'year':'x'}}}"
			     "," SEARCH("okapi") "," CREATE("Zebra") "]}"));
	assert_int_equal(harness_int(o->data, "failed"), 1);
	assert_int_equal(hits(h, "okapi"), 1);
	assert_int_equal(hits(h, "zebra"), 1);
	assert_code(say(h, admin, "POST /batch",
			"{'atomic':true,'calls':[" CREATE("Quagga") "," SEARCH(
			    "quagga") ",{'op':'content_read','arguments':{'collection':'posts',"
				      "'id':'none'}}]}"),
	    "NOT_FOUND");
	assert_int_equal(hits(h, "quagga"), 0);
	assert_string_equal(unindexed(h), "0");
	assert_int_equal(problems(h), 0);
}

/* Several changes of one item, and of many, in one transaction: each item ends with one document,
 * with its last state, whatever the order of their numbers. */
static void
the_last_state_of_each_item_is_indexed(void **state)
{
	char id[4][27], calls[4000] = "";
	struct harness *h = *state;
	struct outcome *o;
	size_t len = 0;

	for (int i = 0; i < 4; i++)
		post(h, id[i], "Zebra", "stripes");
	for (int i = 3; i >= 0; i--)
		len += (size_t)snprintf(calls + len, sizeof(calls) - len,
		    "{'op':'content_put','arguments':{'collection':'posts','id':'%s','data':{'title':"
		    "'Okapi %d'}}},{'op':'content_publish_now','arguments':{'collection':'posts','id':'%s'}},",
		    id[i], i, id[i]);
	(void)snprintf(calls + len, sizeof(calls) - len,
	    "{'op':'content_delete','arguments':{'collection':'posts','id':'%s'}},"
	    "{'op':'content_withdraw','arguments':{'collection':'posts','id':'%s'}}",
	    id[0], id[1]);
	harness_ok(o, say(h, admin, "POST /batch", "{'calls':[%s]}", calls));
	assert_int_equal(harness_int(o->data, "failed"), 0);
	assert_int_equal(hits(h, "zebra"), 0);
	assert_int_equal(hits(h, "okapi"), 2);
	assert_int_equal(problems(h), 0);
}

/* More items than one call indexes. */
static void
many_items_of_one_transaction_are_indexed(void **state)
{
	struct harness *h = *state;

	many(h, 700);
	change_all(h,
	    "SELECT 'posts', id FROM c_posts "
	    "UNION ALL SELECT 'nothing', id FROM c_posts WHERE id < '01MANY00000000000000000005'");
	post(h, (char[27]){ 0 }, "One more", "x");
	assert_string_equal(unindexed(h), "0");
	assert_int_equal(problems(h), 0);
	assert_string_equal(index_ask(h, "SELECT docs FROM search_shard"), "701");
}

/* Makes the table of a shard unusable. */
static void
damage(struct harness *h, const char *shard)
{
	char sql[100];

	snprintf(sql, sizeof(sql), "DROP TABLE search_fts_%s", shard);
	index_sql(h, sql, NULL);
}

static void
a_damaged_index_costs_no_write(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Zebra", "x");
	damage(h, index_ask(h, "SELECT max(id) FROM search_shard"));
	post(h, id, "Okapi", "x");
	assert_ok(ask(h, editor, "GET " BASE "/%s", id));
	assert_string_equal(unindexed(h), "1");
	/* A second write tries again, and so does the job, which then gives up. */
	post(h, id, "Okapi two", "x");
	assert_string_equal(unindexed(h), "2");
	work_all(h);
	assert_string_equal(unindexed(h), "0");
	assert_int_not_equal(problems(h), 0);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	assert_int_equal(hits(h, "okapi"), 2);
	assert_int_equal(problems(h), 0);
}

/* The damaged shard has only published items. */
static void
an_item_that_cannot_be_indexed_does_not_keep_others_from_it(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, editor, id, "{'data':{'title':'Draft'}}");
	post(h, id, "Zebra", "x");
	damage(h, index_ask(h, "SELECT id FROM search_shard WHERE status = 'published'"));
	post(h, id, "Quagga", "x");
	make(h, editor, id, "{'data':{'title':'Okapi'}}");
	assert_string_equal(unindexed(h), "2");
	work_all(h);
	assert_string_equal(unindexed(h), "0");
	assert_string_equal(
	    index_ask(h, "SELECT docs FROM search_shard WHERE status = 'draft'"), "2");
	make(h, editor, id, "{'data':{'title':'Okapi again'}}");
	assert_string_equal(unindexed(h), "0");
}

static void
a_collection_that_is_gone_meanwhile_leaves_nothing(void **state)
{
	struct harness *h = *state;

	change_all(h, "SELECT 'posts', 'gone'");
	change_all(h, "SELECT 'none', 'gone'");
	work_all(h);
	assert_string_equal(unindexed(h), "0");
	assert_int_equal(problems(h), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(calls_of_a_batch_find_what_those_before_have_written),
		searched(what_is_undone_is_not_found),
		searched(the_last_state_of_each_item_is_indexed),
		searched(many_items_of_one_transaction_are_indexed),
		searched(a_damaged_index_costs_no_write),
		searched(an_item_that_cannot_be_indexed_does_not_keep_others_from_it),
		searched(a_collection_that_is_gone_meanwhile_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
