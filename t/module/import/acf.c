/*
 * acf.c - groups, repeaters and flexible content of Advanced Custom Fields. An export has their
 * parts side by side; the import joins them into one value of a prepared or existing field.
 */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include <stdio.h>

#define ACF(key, value) META(key, value) META("_" key, "field_5f" key)
#define MADE "{\"importMedia\":false,\"importFields\":true}"
#define POST(id, slug, more) ITEM(id, "post", slug, "<title>T</title>" more)

static const json_t *
data_of(struct harness *h, const char *slug)
{
	struct outcome *o;
	char request[80];

	(void)snprintf(request, sizeof(request), "GET /content/posts/%s", slug);
	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	return harness_at(o->data, "item.data");
}

static void
is(const json_t *data, const char *member, const char *wanted)
{
	json_t *value = json_object_get(data, member);
	char *text = value != NULL
			 ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS)
			 : NULL;

	if (text == NULL || strcmp(text, wanted) != 0)
		fail_msg("%s is %s, not %s", member, text != NULL ? text : "nothing", wanted);
	free(text);
}

#define TEAM                      \
	ACF("team", "2")          \
	ACF("team_0_name", "Ann") \
	ACF("team_0_age", "41")   \
	ACF("team_1_name", "Bob") \
	ACF("team_1_age", "") ACF("team_0_tags", "a:2:{i:0;s:1:\"x\";i:1;s:1:\"y\";}")
#define HERO                       \
	ACF("hero", "")            \
	ACF("hero_title", "Hello") \
	ACF("hero_links", "1")     \
	ACF("hero_links_0_url", "https://a.example/") ACF("hero_links_0_title", "A")
#define PAGE                                                                      \
	ACF("page", "a:3:{i:0;s:4:\"text\";i:1;s:4:\"rows\";i:2;s:5:\"blank\";}") \
	ACF("page_0_body", "<p>B</p>") ACF("page_1_rows", "1") ACF("page_1_rows_0_cell", "7")

static void
fields_that_hold_others_are_made_and_filled(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, MADE,
	    POST("1", "a", TEAM HERO PAGE ACF("colour", "red"))
		POST("2", "b", ACF("team", "0") ACF("hero", "") ACF("page", "")));
	assert_int_equal(harness_int(o->data, "result.items.created"), 2);
	assert_null(harness_at(o->data, "result.notes"));
	is(data_of(h, "a"), "team",
	    "[{\"age\":\"41\",\"name\":\"Ann\",\"tags\":[\"x\",\"y\"]},"
	    "{\"age\":\"\",\"name\":\"Bob\"}]");
	is(data_of(h, "a"), "hero",
	    "{\"links\":[{\"title\":\"A\",\"url\":\"https://a.example/\"}],\"title\":\"Hello\"}");
	is(data_of(h, "a"), "page",
	    "[{\"acf_fc_layout\":\"text\",\"body\":\"<p>B</p>\"},"
	    "{\"acf_fc_layout\":\"rows\",\"rows\":[{\"cell\":\"7\"}]},"
	    "{\"acf_fc_layout\":\"blank\"}]");
	is(data_of(h, "a"), "colour", "\"red\"");
	assert_null(json_object_get(data_of(h, "a"), "hero_title"));
	assert_null(json_object_get(data_of(h, "b"), "team"));
	harness_ok(o, harness_op(h, admin, "schema_get_collection", "{\"slug\":\"posts\"}"));
	assert_non_null(
	    strstr(o->text, "\"slug\":\"team\",\"label\":\"team\",\"type\":\"repeater\""));
	assert_non_null(strstr(o->text, "\"slug\":\"hero\",\"label\":\"hero\",\"type\":\"json\""));
}

/* A name with an underscore is a part only if the name before the underscore holds parts. */
static void
names_that_only_look_so_stay_fields_of_their_own(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, MADE,
	    POST("1", "a",
		ACF("photo", "") ACF("photo_credit", "Ann") META("other", "") META("other_x", "1")
		    ACF("list", "a:1:{i:0;s:3:\"red\";}") ACF("count", "3") ACF("count_0_", "x")
			ACF("count_7_x", "y") ACF("many", "999999") ACF("many_0_x", "1"))
		POST("2", "b", ACF("photo", "p.jpg") ACF("photo_credit", "Bob")));
	assert_int_equal(harness_int(o->data, "result.items.created"), 2);
	is(data_of(h, "a"), "photo_credit", "\"Ann\"");
	is(data_of(h, "b"), "photo", "\"p.jpg\"");
	is(data_of(h, "a"), "list", "[\"red\"]");
	is(data_of(h, "a"), "count", "3");
	is(data_of(h, "a"), "many", "999999");
}

#define SUBS                                                                                      \
	"\"validation\":{\"subFields\":[{\"slug\":\"name\",\"label\":\"N\",\"type\":\"string\"}," \
	"{\"slug\":\"age\",\"label\":\"A\",\"type\":\"integer\"},"                                \
	"{\"slug\":\"photo\",\"label\":\"P\",\"type\":\"image\"}]}"

/* An existing field has its own types: parts that do not fit are left out, and reported. */
static void
rows_take_the_types_of_a_field_that_is_there(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	(void)importing_run(h, "{\"importMedia\":false}", POST("9", "z", ""));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"team\",\"label\":\"T\",\"type\":\"repeater\"," SUBS
	    "}"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"page\",\"label\":\"T\",\"type\":\"integer\"}"));
	importing_create(h, "{\"importMedia\":false}",
	    POST("1", "a", TEAM PAGE ACF("team_1_age", "old") ACF("team_1_photo", "55")), id);
	(void)importing_work(h, id, "done");
	is(data_of(h, "a"), "team",
	    "[{\"age\":41,\"name\":\"Ann\",\"tags\":[\"x\",\"y\"]},{\"name\":\"Bob\"}]");
	assert_null(json_object_get(data_of(h, "a"), "page"));
	harness_ok(o, importing_at(h, "GET", id, "/items"));
	assert_non_null(strstr(o->text, "\\\"old\\\" of team.age does not fit (integer)"));
	assert_non_null(strstr(o->text, "\\\"55\\\" of team.photo does not fit (image)"));
	assert_non_null(strstr(o->text, "\\\"page\\\" does not fit the field page (integer)"));
}

/* The deepest names, and far more parts than rows: read in bounded time, or left as they are. */
static void
deep_and_many_parts_are_read_in_bounds(void **state)
{
	struct harness *h = *state;
	static char channel[600000];
	size_t len = (size_t)snprintf(channel, sizeof(channel),
	    "<item><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:post_name>a"
	    "</wp:post_name><title>T</title>");
	char key[200] = "a";

	for (int i = 0; i < 60; i++) {
		len += (size_t)snprintf(channel + len, sizeof(channel) - len,
		    "<wp:postmeta><wp:meta_key>%s</wp:meta_key><wp:meta_value>1</wp:meta_value>"
		    "</wp:postmeta><wp:postmeta><wp:meta_key>_%s</wp:meta_key><wp:meta_value>"
		    "field_1</wp:meta_value></wp:postmeta>",
		    key, key);
		if (i < 40)
			(void)snprintf(key + strlen(key), sizeof(key) - strlen(key), "_0_a");
	}
	for (int i = 0; i < 2000; i++)
		len += (size_t)snprintf(channel + len, sizeof(channel) - len,
		    "<wp:postmeta><wp:meta_key>a_0_a%d</wp:meta_key><wp:meta_value>1"
		    "</wp:meta_value></wp:postmeta><wp:postmeta><wp:meta_key>_a_0_a%d</wp:meta_key>"
		    "<wp:meta_value>field_1</wp:meta_value></wp:postmeta>",
		    i, i);
	(void)snprintf(channel + len, sizeof(channel) - len, "</item>");
	(void)importing_run(h, MADE, channel);
	assert_int_equal(
	    json_object_size(json_array_get(json_object_get(data_of(h, "a"), "a"), 0)), 2001);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, importing_begin, importing_end)
	const struct CMUnitTest tests[] = {
		TEST(fields_that_hold_others_are_made_and_filled),
		TEST(names_that_only_look_so_stay_fields_of_their_own),
		TEST(rows_take_the_types_of_a_field_that_is_there),
		TEST(deep_and_many_parts_are_read_in_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
