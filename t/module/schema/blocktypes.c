/* blocktypes.c - blocks that a site defines: definitions, and the values of blocks in texts. */
#include "definitions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CARD                                                                                     \
	"{\"slug\":\"card\",\"label\":\"Card\",\"icon\":\"C\",\"fields\":["                      \
	"{\"slug\":\"headline\",\"label\":\"Headline\",\"type\":\"string\",\"required\":true,"   \
	"\"validation\":{\"maxLength\":10}},"                                                    \
	"{\"slug\":\"kind\",\"label\":\"Kind\",\"type\":\"select\",\"validation\":{\"options\":" \
	"[\"big\",\"small\"]}},"                                                                 \
	"{\"slug\":\"stars\",\"label\":\"Stars\",\"type\":\"integer\",\"defaultValue\":3},"      \
	"{\"slug\":\"also\",\"label\":\"Also\",\"type\":\"reference\",\"options\":"              \
	"{\"collection\":\"a\"}}]}"

static int
begin(void **state)
{
	definitions_begin(state);
	assert_ok(field_add(*state, "title", "string", ""));
	assert_ok(field_add(*state, "body", "portableText", ""));
	return 0;
}

static struct outcome *
define(struct harness *h, const char *body)
{
	return harness_request(h, admin, "POST /schema/blocks", NULL, body);
}

static struct outcome *
save(struct harness *h, const char *slug, const char *block)
{
	return harness_send(h, admin, "POST /content/a",
	    "{\"slug\":\"%s\",\"data\":{\"body\":[{\"_type\":\"block\",\"_key\":\"t\","
	    "\"children\":[]},%s]}}",
	    slug, block);
}

/* Does the error name this path? */
static bool
names(struct outcome *o, const char *path)
{
	return o->text != NULL && strstr(o->text, path) != NULL;
}

static void
a_type_is_defined_changed_and_deleted(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, define(h, CARD));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "item.slug"), "card");
	assert_int_equal(harness_int(o->data, "item.fields[2].defaultValue"), 3);
	assert_code(define(h, CARD), "BLOCK_TYPE_EXISTS");
	harness_ok(o, harness_request(h, admin, "PUT /schema/blocks/card", NULL,
			  "{\"label\":\"A card\",\"icon\":null}"));
	assert_string_equal(harness_text(o->data, "item.label"), "A card");
	assert_null(harness_at(o->data, "item.icon"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.fields")), 4);
	harness_ok(o, harness_request(h, admin, "GET /schema/blocks", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	harness_ok(o, harness_request(h, admin, "GET /schema", NULL, NULL));
	assert_string_equal(harness_text(o->data, "blocks[0].slug"), "card");
	harness_ok(o, harness_request(h, author, "GET /admin/manifest", NULL, NULL));
	assert_string_equal(harness_text(o->data, "blocks[0].slug"), "card");
	harness_ok(o, harness_request(h, author, "GET /admin/manifest/block-types", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].fields[1].kind"), "string");
	assert_code(harness_request(h, editor, "POST /schema/blocks", NULL, CARD), "FORBIDDEN");
	assert_ok(harness_request(h, admin, "DELETE /schema/blocks/card", NULL, NULL));
	assert_code(harness_request(h, admin, "GET /schema/blocks/card", NULL, NULL),
	    "BLOCK_TYPE_NOT_FOUND");
}

static void
bad_definitions_are_refused(void **state)
{
	static const struct {
		const char *slug, *field, *path;
	} rows[] = {
		{ "x", "\"slug\":\"children\",\"type\":\"string\"", "fields[0].slug" },
		{ "x", "\"slug\":\"a\",\"type\":\"portableText\"", "fields[0].type" },
		{ "x", "\"slug\":\"a\",\"type\":\"nothing\"", "fields[0].type" },
		{ "x", "\"slug\":\"a\",\"type\":\"select\"", "fields[0].validation.options" },
		{ "x", "\"slug\":\"a\",\"type\":\"string\",\"validation\":{\"maxLenght\":3}",
		    "fields[0].validation.maxLenght" },
		{ "x", "\"slug\":\"a\",\"type\":\"reference\"", "fields[0].options.collection" },
		{ "x", "\"slug\":\"a\",\"type\":\"integer\",\"defaultValue\":\"x\"",
		    "fields[0].defaultValue" },
	};
	struct outcome *o;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		o = harness_send(*state, admin, "POST /schema/blocks",
		    "{\"slug\":\"%s\",\"label\":\"X\",\"fields\":[{\"label\":\"L\",%s}]}",
		    rows[i].slug, rows[i].field);
		assert_code(o, "VALIDATION_ERROR");
		if (!names(o, rows[i].path))
			fail_msg("%zu: %s", i, o->text);
	}
	assert_code(define(*state, "{\"slug\":\"image\",\"label\":\"X\"}"), "RESERVED_SLUG");
}

static void
blocks_are_checked_by_their_fields(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(save(h, "before", "{\"_type\":\"card\",\"_key\":\"k\",\"stars\":\"many\"}"));
	assert_ok(define(h, CARD));
	o = save(h, "one", "{\"_type\":\"card\",\"_key\":\"k\"}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(names(o, "data.body[1].headline"));
	o = save(h, "one",
	    "{\"_type\":\"card\",\"headline\":\"Longer than ten\",\"kind\":\"huge\","
	    "\"stars\":1.5,\"also\":\"01M8FW1P8K4800000000000000\"}");
	assert_true(names(o, "data.body[1].headline"));
	assert_true(names(o, "data.body[1].kind"));
	assert_true(names(o, "data.body[1].stars"));
	assert_true(names(o, "data.body[1].also"));
	assert_ok(
	    save(h, "two", "{\"_type\":\"card\",\"_key\":\"k\",\"headline\":\"Hi\",\"old\":1}"));
	assert_ok(save(h, "three", "{\"_type\":\"other\",\"stars\":\"many\"}"));
	/* What an item has already stays, also beside a change. */
	harness_ok(
	    o, harness_request(h, admin, "PUT /content/a/before", NULL,
		   "{\"data\":{\"body\":[{\"_type\":\"card\",\"_key\":\"k\",\"stars\":\"many\"},"
		   "{\"_type\":\"card\",\"_key\":\"l\",\"headline\":\"New\"}]}}"));
	assert_string_equal(harness_text(o->data, "item.data.body[0].stars"), "many");
	assert_string_equal(harness_text(o->data, "item.data.body[1].headline"), "New");
	o = harness_request(h, admin, "PUT /content/a/before", NULL,
	    "{\"data\":{\"body\":[{\"_type\":\"card\",\"_key\":\"k\",\"stars\":\"few\"}]}}");
	assert_code(o, "VALIDATION_ERROR");
}

static void
a_type_that_items_use_is_deleted_by_force_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(define(h, CARD));
	assert_ok(save(h, "one", "{\"_type\":\"card\",\"_key\":\"k\",\"headline\":\"Hi\"}"));
	assert_ok(save(h, "two", "{\"_type\":\"card\",\"_key\":\"k\",\"headline\":\"Ho\"}"));
	assert_ok(
	    save(h, "three", "{\"_type\":\"cards\",\"text\":\"\\\"_type\\\":\\\"card\\\"\"}"));
	o = harness_request(h, admin, "DELETE /schema/blocks/card", NULL, NULL);
	assert_code(o, "BLOCK_TYPE_IN_USE");
	assert_int_equal(o->http, 409);
	assert_true(names(o, "\"2\""));
	harness_ok(o, harness_request(h, editor, "GET /schema/blocks/card/uses", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_string_equal(harness_text(o->data, "items[0].slug"), "one");
	assert_string_equal(harness_text(o->data, "items[1].collection"), "a");
	harness_ok(
	    o, harness_request(h, editor, "GET /schema/blocks/card/uses?limit=1", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_code(
	    harness_request(h, author, "GET /schema/blocks/card/uses", NULL, NULL), "FORBIDDEN");
	assert_code(harness_request(h, admin, "GET /schema/blocks/none/uses", NULL, NULL),
	    "BLOCK_TYPE_NOT_FOUND");
	assert_ok(harness_request(h, admin, "DELETE /schema/blocks/card?force=true", NULL, NULL));
	harness_ok(o, harness_request(h, admin, "GET /content/a/one", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.body[1].headline"), "Hi");
}

static void
markdown_keeps_all_of_a_block(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *text;
	json_t *args;

	assert_ok(define(h, CARD));
	assert_ok(save(h, "one",
	    "{\"_type\":\"card\",\"_key\":\"k\",\"headline\":\"Hi -- <b>\",\"stars\":3,"
	    "\"old\":[1]}"));
	harness_ok(o, harness_request(h, admin, "GET /content/a/one?markdown=true", NULL, NULL));
	text = strdup(harness_text(o->data, "item.data.body"));
	args = json_pack("{s:s, s:s, s:s, s:{s:s}}", "collection", "a", "id", "one", "_rev",
	    harness_text(o->data, "_rev"), "data", "body", text);
	free(text);
	text = json_dumps(args, JSON_COMPACT);
	assert_ok(harness_op(h, admin, "content_update", "%s", text));
	free(text);
	json_decref(args);
	harness_ok(o, harness_request(h, admin, "GET /content/a/one", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.body[1].headline"), "Hi -- <b>");
	assert_int_equal(harness_int(o->data, "item.data.body[1].stars"), 3);
	assert_int_equal(harness_int(o->data, "item.data.body[1].old[0]"), 1);
	assert_string_equal(harness_text(o->data, "item.data.body[1]._key"), "k");
}

static void
only_a_change_of_fields_is_a_change_of_collections(void **state)
{
	static const char *const updates =
	    "SELECT count(*) FROM change_feed WHERE kind = 'collection'";
	struct harness *h = *state;
	struct outcome *o;
	char before[40], version[40];

	assert_ok(define(h, CARD));
	(void)snprintf(before, sizeof(before), "%s", inside_ask(h, updates));
	harness_ok(o, harness_request(h, admin, "GET /schema", NULL, NULL));
	(void)snprintf(version, sizeof(version), "%s", harness_text(o->data, "version"));
	assert_ok(harness_request(
	    h, admin, "PUT /schema/blocks/card", NULL, "{\"label\":\"B\",\"sortOrder\":4}"));
	assert_string_equal(inside_ask(h, updates), before);
	harness_ok(o, harness_request(h, admin, "GET /schema", NULL, NULL));
	assert_string_not_equal(harness_text(o->data, "version"), version);
	assert_ok(harness_request(h, admin, "PUT /schema/blocks/card", NULL, "{\"fields\":[]}"));
	assert_string_not_equal(inside_ask(h, updates), before);
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, inside_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_type_is_defined_changed_and_deleted),
		T(bad_definitions_are_refused),
		T(blocks_are_checked_by_their_fields),
		T(a_type_that_items_use_is_deleted_by_force_alone),
		T(markdown_keeps_all_of_a_block),
		T(only_a_change_of_fields_is_a_change_of_collections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
