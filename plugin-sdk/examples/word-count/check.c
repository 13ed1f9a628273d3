/* check.c - tests of word-count: the plugin as it is built, on a site of its own. */
#include "harness.h"

#define COUNT "GET /plugins/word-count/count"

static const struct harness_options options = {
	.plugin_path = "plugin-sdk/examples/word-count/.libs",
};
static struct harness *h;

static struct outcome *
ask(const struct harness_user *user, const char *request)
{
	return harness_request(h, user, request, NULL, NULL);
}

static void
add_field(const char *slug, const char *type)
{
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"%s\",\"label\":\"%s\",\"type\":\"%s\"}", slug, slug, type));
}

static int
open_site(void **state)
{
	(void)state;
	h = harness_open(&options);
	assert_ok(harness_send(h, admin, "POST /schema/collections",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"labelSingular\":\"Post\"}"));
	add_field("title", "string");
	add_field("summary", "text");
	add_field("body", "portableText");
	assert_ok(ask(admin, "POST /admin/plugins/word-count/enable"));
	return 0;
}

static int
close_site(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

static struct outcome *
save(const char *summary, const char *text)
{
	return harness_send(h, editor, "POST /content/posts",
	    "{\"data\":{\"title\":\"not counted\",\"summary\":\"%s\",\"body\":[{\"_type\":"
	    "\"block\",\"style\":\"normal\",\"children\":[{\"_type\":\"span\",\"text\":\"%s\"}]}]}"
	    "}",
	    summary, text);
}

static int64_t
words_of(const char *encoded_text)
{
	struct outcome *o;
	char request[256];

	snprintf(request, sizeof(request), COUNT "?text=%s", encoded_text);
	harness_ok(o, ask(subscriber, request));
	return harness_int(o->data, "words");
}

static void
words_of_a_text_are_counted(void **state)
{
	(void)state;
	assert_int_equal(words_of(""), 0);
	assert_int_equal(words_of("one"), 1);
	assert_int_equal(words_of("%20let%20it%0Astand%20"), 3);
	assert_int_equal(words_of("well-known%20-%20%22quoted%22%20..."), 2);
	assert_int_equal(words_of("na%C3%AFve%C2%A0%C3%A9t%C3%A9%E3%80%80x"), 3);
}

static void
an_argument_is_needed(void **state)
{
	(void)state;
	assert_code(ask(subscriber, COUNT), "VALIDATION_ERROR");
	assert_code(ask(subscriber, COUNT "?collection=posts"), "VALIDATION_ERROR");
	assert_code(ask(subscriber, COUNT "?txt=x"), "VALIDATION_ERROR");
}

static void
words_of_an_item_are_those_of_its_prose(void **state)
{
	struct outcome *o;
	char request[160];

	(void)state;
	harness_ok(o, save("one two", "three four five"));
	snprintf(request, sizeof(request), COUNT "?collection=posts&id=%s",
	    harness_text(o->data, "item.id"));
	harness_ok(o, ask(editor, request));
	assert_int_equal(harness_int(o->data, "words"), 5);
	assert_code(ask(editor, COUNT "?collection=posts&id=nothing"), "NOT_FOUND");
	assert_int_equal(ask(editor, COUNT "?collection=nothing&id=x")->http, 404);
}

static void
drafts_stay_hidden_from_subscribers(void **state)
{
	struct outcome *o;
	char request[160];

	(void)state;
	harness_ok(o, save("one two", ""));
	snprintf(request, sizeof(request), COUNT "?collection=posts&id=%s",
	    harness_text(o->data, "item.id"));
	assert_code(ask(subscriber, request), "NOT_FOUND");
}

static void
the_tool_is_the_same_op(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_op(h, subscriber, "word-count__count", "{\"text\":\"a b\"}"));
	assert_int_equal(harness_int(o->data, "words"), 2);
}

/* Sends a message to the tool server; returns the whole response. */
static json_t *
rpc(const struct harness_user *user, const char *method, const char *params)
{
	char body[400];

	snprintf(body, sizeof(body),
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);
	return harness_request(h, user, "POST /mcp", "Content-Type: application/json", body)->body;
}

static void
its_prompt_is_filled_in_once_it_is_turned_on(void **state)
{
	static const char get[] = "{\"name\":\"word-count__shorten\",\"arguments\":"
				  "{\"collection\":\"posts\",\"id\":\"long\",\"words\":\"120\"}}";
	const struct harness_user some[1] = {
		{ .id = admin->id, .role = 50, .scopes = "content:read mcp:tools:word-count" }
	};
	const struct harness_user other[1] = { { .id = admin->id, .role = 50, .scopes = "admin" } };
	json_t *o;

	(void)state;
	assert_int_equal(harness_int(rpc(some, "prompts/get", get), "error.code"), -32602);
	assert_ok(
	    harness_send(h, admin, "PUT /admin/plugins/word-count/mcp", "{\"enabled\":true}"));
	o = rpc(some, "prompts/get", get);
	assert_string_equal(harness_text(o, "result.messages[0].content.text"),
	    "Read the item long of the collection posts, and shorten its text to 120 words, as a "
	    "draft. Count them with word-count__count before you save it.");
	assert_string_equal(harness_text(o, "result.messages[0].role"), "user");
	o = rpc(some, "prompts/get", "{\"name\":\"word-count__shorten\",\"arguments\":{}}");
	assert_int_equal(harness_int(o, "error.code"), -32602);
	/* A token needs the scope of the plugin, as for its tools. */
	assert_int_equal(harness_int(rpc(other, "prompts/get", get), "error.code"), -32602);
}

static void
the_field_is_kept_up_to_date(void **state)
{
	struct outcome *o;
	char request[80];

	(void)state;
	add_field("word_count", "integer");
	harness_ok(o, save("one", "two three"));
	assert_int_equal(harness_int(o->data, "item.data.word_count"), 3);
	snprintf(
	    request, sizeof(request), "PUT /content/posts/%s", harness_text(o->data, "item.id"));
	harness_ok(o, harness_send(h, editor, request,
			  "{\"data\":{\"summary\":\"one two three four\",\"word_count\":99}}"));
	assert_int_equal(harness_int(o->data, "item.data.word_count"), 6);
}

static void
a_field_of_another_type_is_left_alone(void **state)
{
	struct outcome *o;

	(void)state;
	add_field("word_count", "string");
	harness_ok(o, save("one", "two"));
	assert_null(json_string_value(harness_at(o->data, "item.data.word_count")));
}

static void
its_route_goes_when_it_is_disabled(void **state)
{
	(void)state;
	assert_int_equal(words_of("a"), 1);
	assert_ok(ask(admin, "POST /admin/plugins/word-count/disable"));
	assert_code(ask(subscriber, COUNT "?text=a"), "NOT_FOUND");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_site, close_site)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(words_of_a_text_are_counted),
		TEST(an_argument_is_needed),
		TEST(words_of_an_item_are_those_of_its_prose),
		TEST(drafts_stay_hidden_from_subscribers),
		TEST(the_tool_is_the_same_op),
		TEST(its_prompt_is_filled_in_once_it_is_turned_on),
		TEST(the_field_is_kept_up_to_date),
		TEST(a_field_of_another_type_is_left_alone),
		TEST(its_route_goes_when_it_is_disabled),
	};

	return cmocka_run_group_tests_name("word-count", tests, NULL, NULL);
}
