/* uploads.c - analysed files are kept for a day, and can be imported without a second upload.
 * Plugins may reject items. */
#include "harness.h"
#include "imported.h"
#include "inside.h"
#include <stdio.h>
#include <string.h>

#define GET(h, path) harness_request(h, admin, "GET " path, NULL, NULL)

static int
begin(void **state)
{
	*state = imported_open(NULL);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

#define ANALYZE "POST /import/platform/analyze"
#define EXECUTE "POST /import/platform/execute"
#define JSON "X-CMS-Request: 1\r\nContent-Type: application/json; charset=utf-8"

static void
analyze(struct harness *h, const char *channel, char id[40])
{
	struct outcome *o;

	harness_ok(o, imported_channel(h, ANALYZE, NULL, channel));
	(void)snprintf(id, 40, "%s", harness_text(o->data, "analysisId"));
	assert_string_not_equal(id, "");
}

static struct outcome *
execute_as(struct harness *h, const struct harness_user *user, const char *id, const char *options)
{
	char body[300];

	(void)snprintf(body, sizeof(body), "{\"analysisId\":\"%s\",\"options\":{%s}}", id, options);
	return harness_request(h, user, EXECUTE, JSON, body);
}

static void
an_analysed_file_is_imported_without_sending_it_again(void **state)
{
	static const char file[] =
	    ITEM("1", "post", "a", META("_thumbnail_id", "50") LABELLED("category", "c", "C"))
		ITEM("50", "attachment", "p",
		    "<wp:attachment_url>https://old.example/p.jpg</wp:attachment_url>")
		    LINK("102", "1", "0", "custom", "1", "/a", "A") ITEM("2", "revision", "r", "");
	struct outcome *o;
	char id[40], item[40];

	analyze(*state, file, id);
	harness_ok(o, execute_as(*state, admin, id,
			  "\"includeMedia\":false,\"includeTaxonomies\":false,"
			  "\"includeMenus\":false"));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	assert_null(harness_at(o->data, "taxonomies"));
	assert_null(harness_at(o->data, "menus"));
	harness_ok(o, GET(*state, "/content/posts/a"));
	assert_null(harness_at(o->data, "item.data.featured_image"));
	(void)snprintf(item, sizeof(item), "%s", harness_text(o->data, "item.id"));
	assert_ok(
	    harness_op(*state, admin, "content_delete", "{\"collection\":\"posts\",\"id\":\"a\"}"));
	assert_ok(harness_op(*state, admin, "content_permanent_delete",
	    "{\"collection\":\"posts\",\"id\":\"%s\"}", item));
	harness_ok(o, execute_as(*state, admin, id, ""));
	assert_int_equal(harness_int(o->data, "imported"), 1);
	assert_int_equal(harness_int(o->data, "menus.created"), 1);
	assert_int_equal(harness_int(o->data, "taxonomies.assignments"), 1);
	harness_ok(o, GET(*state, "/content/posts/a"));
	assert_non_null(harness_at(o->data, "item.data.featured_image"));
}

static void
a_kept_file_is_its_uploaders_alone_and_for_a_day(void **state)
{
	static const struct harness_user other = { "01USEROTHER00000000000000A", 50, NULL, false,
		0 };
	char id[40];

	harness_clock(*state, "2026-06-07T08:00:00Z");
	analyze(*state, ITEM("1", "post", "a", ""), id);
	assert_code(execute_as(*state, &other, id, ""), "NOT_FOUND");
	assert_code(execute_as(*state, admin, "01NOTHING00000000000000000", ""), "NOT_FOUND");
	harness_clock(*state, "2026-06-08T07:59:00Z");
	assert_ok(execute_as(*state, admin, id, ""));
	harness_clock(*state, "2026-06-08T08:01:00Z");
	assert_code(execute_as(*state, admin, id, ""), "NOT_FOUND");
}

/* The rows of a killed import are removed, too. */
static void
what_is_older_than_a_day_is_removed(void **state)
{
	char id[40];

	analyze(*state, ITEM("1", "post", "a", ""), id);
	inside_sql(*state,
	    "INSERT INTO import_map (run, kind, source, value) VALUES"
	    " ('01AAAAAAAAAAAAAAAAAAAAAAAA', 'entry', ?1, 'x')",
	    "7");
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM import_upload"), "1");
	assert_true(inside_work(*state, "import"));
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM import_map"), "0");
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM import_upload"), "1");
	harness_clock(*state, "2096-06-07T08:00:00Z");
	assert_true(inside_work(*state, "import"));
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM import_upload"), "0");
	assert_false(inside_work(*state, "import"));
}

static void
the_oldest_kept_files_make_room(void **state)
{
	char first[40], second[40], id[40];

	analyze(*state, "", first);
	analyze(*state, "", second);
	for (int i = 0; i < 19; i++)
		analyze(*state, "", id);
	assert_code(execute_as(*state, admin, first, ""), "NOT_FOUND");
	assert_ok(execute_as(*state, admin, second, ""));
	assert_ok(execute_as(*state, admin, id, ""));
}

/* An item that a plugin rejects is reported, and not saved as a draft. So are its other
 * failures. */
static void
a_plugin_can_reject_an_item(void **state)
{
	struct outcome *o;

	harness_close(*state, false);
	*state = imported_meddled();
	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "post", "a", "<title>Fine</title>")
			      ITEM("2", "post", "b", "<title>reject</title>")
				  ITEM("3", "post", "c", "<title>fault</title>")
				      ITEM("4", "post", "d", "<title>Also</title>")));
	assert_int_equal(harness_int(o->data, "imported"), 2);
	assert_int_equal(harness_int(o->data, "failed"), 2);
	assert_string_equal(harness_text(o->data, "errors[0].title"), "reject");
	assert_non_null(strstr(harness_text(o->data, "errors[0].error"), "I do not like it"));
	assert_string_equal(harness_text(o->data, "errors[1].title"), "fault");
	assert_code(GET(*state, "/content/posts/b"), "NOT_FOUND");
	assert_code(GET(*state, "/content/posts/c"), "NOT_FOUND");
	assert_ok(GET(*state, "/content/posts/d"));
}

/* A rejected draft does not prevent the import of the published version. */
static void
a_plugin_can_reject_a_draft_alone(void **state)
{
	struct outcome *o;

	harness_close(*state, false);
	*state = imported_meddled();
	harness_ok(o, imported_run(*state, SKIP,
			  ITEM("1", "post", "a",
			      "<title>Fine</title><wp:status>publish</wp:status>" META("_stet",
				  "{\"draft\":{\"fields\":{\"title\":\"reject\"}},\"scheduledAt\":"
				  "\"2090-01-01T00:00:00Z\"}"))
			      ITEM("2", "post", "b", "<title>Also</title>")));
	assert_int_equal(harness_int(o->data, "imported"), 2);
	assert_int_equal(harness_int(o->data, "failed"), 0);
	assert_non_null(
	    strstr(harness_text(o->data, "notices[0].notice"), "Without its draft and schedule"));
	assert_non_null(strstr(harness_text(o->data, "notices[0].notice"), "I do not like it"));
	harness_ok(o, GET(*state, "/content/posts/a"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Fine");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_true(json_is_null(harness_at(o->data, "item.scheduledAt")));
	assert_ok(GET(*state, "/content/posts/b"));
}

static void
a_json_body_is_judged_like_others(void **state)
{
	struct outcome *o;

	assert_code(
	    harness_request(*state, admin, EXECUTE, JSON, "{\"analysisId\":"), "INVALID_JSON");
	o = harness_request(
	    *state, admin, EXECUTE, JSON, "{\"analysisId\":7,\"options\":{\"a\":1}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "analysisId"));
	o = harness_request(*state, admin, EXECUTE, JSON, "{}");
	assert_code(o, "VALIDATION_ERROR");
	assert_string_equal(o->message, "No file provided");
	assert_code(harness_request(*state, admin, EXECUTE, NULL, "{}"), "VALIDATION_ERROR");
}

/* The slug that a collection gets for a post type. */
static void
types_of_any_name_have_a_collection(void **state)
{
	static const struct {
		const char *type, *collection;
	} names[] = { { "post", "posts" }, { "My-Type", "my_type" }, { "my_type", "my_type_2" },
		{ "my type", "my_type_3" }, { "2fast", "fast" }, { "-_9", "imported" },
		{ "media", "wp_media" }, { "users", "wp_users" }, { "RECIPE", "recipe" } };
	static char channel[4000];
	size_t len = 0, count = sizeof(names) / sizeof(names[0]);
	struct outcome *o;
	char path[60];

	/* The first types get more items, since the response sorts types by their number. */
	for (size_t i = 0; i < count; i++)
		for (size_t k = i; k < count; k++)
			len += (size_t)snprintf(channel + len, sizeof(channel) - len,
			    "<item><wp:post_id>%zu</wp:post_id><wp:post_type>%s</wp:post_type></item>",
			    10 * i + k + 1, names[i].type);
	harness_ok(o, imported_channel(*state, ANALYZE, NULL, channel));
	for (size_t i = 0; i < count; i++) {
		(void)snprintf(path, sizeof(path), "postTypes[%zu].name", i);
		assert_string_equal(harness_text(o->data, path), names[i].type);
		(void)snprintf(path, sizeof(path), "postTypes[%zu].suggestedCollection", i);
		assert_string_equal(harness_text(o->data, path), names[i].collection);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(an_analysed_file_is_imported_without_sending_it_again),
		TEST(a_kept_file_is_its_uploaders_alone_and_for_a_day),
		TEST(what_is_older_than_a_day_is_removed),
		TEST(the_oldest_kept_files_make_room),
		TEST(a_plugin_can_reject_an_item),
		TEST(a_plugin_can_reject_a_draft_alone),
		TEST(types_of_any_name_have_a_collection),
		TEST(a_json_body_is_judged_like_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
