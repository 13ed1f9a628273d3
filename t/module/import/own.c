/*
 * own.c - the custom field _stet of stet's own exports: anybody can forge it, so its values pass
 * all checks. Also credits of co-author plugins.
 */
#include "imported.h"
#include <stdio.h>
#include <stdlib.h>

#define OWN(json) META("_stet", json)

static json_t *
item_of(struct harness *h, const char *path)
{
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "GET /content/posts/one", NULL, NULL));
	return harness_at(o->data, path);
}

static const char *
text_of(struct harness *h, const char *path)
{
	const char *text = json_string_value(item_of(h, path));

	return text != NULL ? text : "";
}

#define ONE(more)                                                                         \
	ITEM("1", "post", "one",                                                          \
	    "<title>T</title><wp:status>publish</wp:status><wp:post_date_gmt>2020-01-02 " \
	    "03:04:05</wp:post_date_gmt><dc:creator>ann</dc:creator>" more)

static void
times_and_values_are_taken(void **state)
{
	struct harness *h = imported_open(NULL);

	(void)state;
	assert_ok(imported_run(h, SKIP,
	    ONE(OWN(
		"{\"createdAt\":\"2019-01-01T00:00:00.001Z\",\"publishedAt\":"
		"\"2019-05-01T00:00:00.500Z\",\"fields\":{\"price\":1.5,\"seo_title\":\"\"}}"))));
	assert_string_equal(text_of(h, "item.createdAt"), "2019-01-01T00:00:00.001Z");
	assert_string_equal(text_of(h, "item.publishedAt"), "2019-05-01T00:00:00.500Z");
	assert_true(json_number_value(item_of(h, "item.data.price")) == 1.5);
	assert_string_equal(text_of(h, "item.bylines[0].byline.slug"), "ann");
	harness_close(h, false);
}

/* Each item is imported without the field, or without its invalid part. */
static void
what_is_wrong_is_left_out(void **state)
{
	static const char *const wrong[] = { "", "7", "[", "null",
		"{\"createdAt\":7,\"fields\":[1]}",
		"{\"createdAt\":\"soon\",\"fields\":{\"price\":\"dear\",\"nothing\":1,\"title\":[]}}",
		"{\"credits\":7}", "{\"credits\":[7,{},{\"slug\":7},{\"slug\":\"\"}],\"fields\":7}",
		"{\"fields\":{\"featured_image\":{\"id\":7},\"content\":\"x\"}}",
		"{\"draft\":7,\"scheduledAt\":7}", "{\"scheduledAt\":\"2090-01-01T00:00:00Z\"}",
		"{\"draft\":{\"slug\":\"No Slug\\u0001\"}}",
		"{\"draft\":{},\"scheduledAt\":\"soon\"}",
		"{\"draft\":{\"fields\":7,\"content\":7,\"slug\":7}}",
		"{\"draft\":{\"fields\":{\"price\":\"dear\",\"title\":[],\"nothing\":1},\"content\":[]}}",
		"{\"scheduledAt\":\"2001-01-01T00:00:00Z\"}" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct harness *h = imported_open(NULL);
		struct outcome *o;
		char *channel;

		assert_true(asprintf(&channel, ONE(OWN("%s")), wrong[i]) > 0);
		harness_ok(o, imported_run(h, SKIP, channel));
		assert_int_equal(harness_int(o->data, "imported"), 1);
		assert_string_equal(text_of(h, "item.createdAt"), "2020-01-02T03:04:05.000Z");
		assert_string_equal(text_of(h, "item.data.title"), "T");
		assert_null(item_of(h, "item.data.price"));
		assert_string_equal(text_of(h, "item.status"), "published");
		assert_true(json_is_null(item_of(h, "item.draftRevisionId")));
		assert_true(json_is_null(item_of(h, "item.scheduledAt")));
		free(channel);
		harness_close(h, false);
	}
}

/* Compares the item for a reader of drafts; other readers see the published version. */
static void
a_draft_and_a_schedule_are_taken(void **state)
{
	struct harness *h = imported_open(NULL);
	struct outcome *o;

	(void)state;
	assert_ok(imported_run(h, SKIP,
	    ONE(OWN(
		"{\"draft\":{\"slug\":\"two\",\"content\":\"<p>New</p>\",\"fields\":"
		"{\"title\":\"U\",\"price\":\"dear\"}},\"scheduledAt\":\"2090-01-02T03:04:05Z\"}"))));
	assert_string_equal(text_of(h, "item.status"), "published");
	assert_string_equal(text_of(h, "item.data.title"), "U");
	assert_string_equal(text_of(h, "item.data.content[0].children[0].text"), "New");
	assert_null(item_of(h, "item.data.price"));
	assert_string_equal(text_of(h, "item.scheduledAt"), "2090-01-02T03:04:05.000Z");
	harness_ok(o, harness_request(h, subscriber, "GET /content/posts/one", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "T");
	harness_close(h, false);

	h = imported_open(NULL);
	assert_ok(imported_run(h, SKIP,
	    ITEM("1", "post", "one",
		"<title>T</title><wp:status>future</wp:status>" OWN(
		    "{\"scheduledAt\":\"2090-01-02T03:04:05Z\",\"updatedAt\":\"2020-01-01T00:00:00Z\"}"))));
	assert_string_equal(text_of(h, "item.status"), "scheduled");
	assert_string_equal(text_of(h, "item.scheduledAt"), "2090-01-02T03:04:05.000Z");
	assert_string_equal(text_of(h, "item.updatedAt"), "2020-01-01T00:00:00.000Z");
	harness_close(h, false);

	/* The item has become a draft in WordPress since the export. */
	h = imported_open(NULL);
	assert_ok(imported_run(h, SKIP,
	    ITEM("1", "post", "one",
		"<title>T</title><wp:status>draft</wp:status>" OWN(
		    "{\"scheduledAt\":\"2090-01-02T03:04:05Z\"}"))));
	assert_string_equal(text_of(h, "item.status"), "draft");
	assert_true(json_is_null(item_of(h, "item.scheduledAt")));
	harness_close(h, false);
}

static void
credits_come_in_their_order(void **state)
{
	struct harness *h = imported_open(NULL);

	(void)state;
	assert_ok(imported_run(h, SKIP,
	    ONE(LABELLED("author", "cap-zoe", "zoe") LABELLED("author", "cap-ann", "ann")
		    LABELLED("author", "cap-zoe", "zoe"))));
	assert_string_equal(text_of(h, "item.bylines[0].byline.slug"), "zoe");
	assert_string_equal(text_of(h, "item.bylines[1].byline.slug"), "ann");
	assert_null(item_of(h, "item.bylines[2]"));
	harness_close(h, false);
	h = imported_open(NULL);
	assert_ok(imported_run(h, SKIP, ONE(OWN("{\"credits\":[]}"))));
	assert_null(item_of(h, "item.bylines[0]"));
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(times_and_values_are_taken),
		cmocka_unit_test(what_is_wrong_is_left_out),
		cmocka_unit_test(a_draft_and_a_schedule_are_taken),
		cmocka_unit_test(credits_come_in_their_order) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
