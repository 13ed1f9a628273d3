/*
 * kinds.c - values of a plugin's field types are imported from WordPress and exported for it by
 * what these types say that they hold (t/plugins/kinds.c).
 */
#include "imported.h"
#include "leaving.h"
#include "whole.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PLUGIN "t/plugins/kinds/.libs"
#define FIELD(slug, type, more) \
	"{\"slug\":\"" slug "\",\"label\":\"" slug "\",\"type\":\"" type "\"" more "}"

static const char *const locales[] = { "en", NULL };

/* Opens a site with a collection that has a field of each type. */
static struct harness *
opened(void)
{
	static const char *const fields[] = { FIELD("title", "string", ""),
		FIELD("real", "kindReal", ""), FIELD("whole", "kindWhole", ""),
		FIELD("yes", "kindYes", ""), FIELD("text", "kindText", ""),
		FIELD("json", "kindJson", ""), FIELD("moment", "kindTime", ""),
		FIELD("friend", "kindItems", ",\"options\":{\"collection\":\"posts\"}"),
		FIELD("friends", "kindItems",
		    ",\"options\":{\"collection\":\"posts\",\"allowMultiple\":true}"),
		FIELD("texts", "kindTexts", ""), FIELD("blocks", "kindBlocks", ""),
		FIELD("file", "kindFile", "") };
	const struct harness_options options = { .plugin_path = PLUGIN, .locales = locales };
	struct harness *h = harness_open(&options);

	assert_ok(harness_request(h, admin, "POST /admin/plugins/kinds/enable", NULL, NULL));
	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"posts\",\"label\":\"Posts\"}"));
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		assert_ok(harness_send(
		    h, admin, "POST /schema/collections/posts/fields", "%s", fields[i]));
	return h;
}

/* The value of a field of the item "one". */
static json_t *
value_of(struct harness *h, const char *field)
{
	struct outcome *o;
	char path[64];

	harness_ok(o, harness_request(h, admin, "GET /content/posts/one", NULL, NULL));
	(void)snprintf(path, sizeof(path), "item.data.%s", field);
	return harness_at(o->data, path);
}

static const char *
text_at(struct harness *h, const char *field)
{
	const char *text = json_string_value(value_of(h, field));

	return text != NULL ? text : "";
}

#define POST(id, slug, more) \
	ITEM(id, "post", slug, "<title>T</title><wp:status>publish</wp:status>" more)

/* Texts of an export become values of the types. */
static void
texts_become_what_a_type_holds(void **state)
{
	struct harness *h = opened();
	struct outcome *o;
	char *id;

	(void)state;
	assert_ok(imported_run(h, SKIP,
	    POST("7", "two", "") POST("8", "one",
		META("real", "1.5") META("whole", "7") META("yes", "on") META("text", "a b")
		    META("json", "{\"a\":[1]}") META("moment", "20240131") META("friend", "7")
			META("friends", "a:2:{i:0;i:7;i:1;i:8;}")
			    META("texts", "a:2:{i:0;s:1:\"x\";i:1;s:1:\"y\";}"))));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/two", NULL, NULL));
	id = strdup(harness_text(o->data, "item.id"));
	assert_true(json_real_value(value_of(h, "real")) == 1.5);
	assert_int_equal(json_integer_value(value_of(h, "whole")), 7);
	assert_true(json_is_true(value_of(h, "yes")));
	assert_string_equal(text_at(h, "text"), "a b");
	assert_int_equal(json_integer_value(value_of(h, "json.a[0]")), 1);
	assert_string_equal(text_at(h, "moment"), "2024-01-31T00:00:00.000Z");
	assert_string_equal(text_at(h, "friend"), id);
	assert_string_equal(text_at(h, "friends[0]"), id);
	assert_int_equal(json_array_size(value_of(h, "friends")), 2);
	assert_string_equal(text_at(h, "texts[1]"), "y");
	free(id);
	harness_close(h, false);
}

/* Values are custom fields that WordPress understands, and are not repeated in the field `_stet`.
 */
static void
check_file(const char *path)
{
	static const char *const told[] = { "[CDATA[0.25]]", "[CDATA[-3]]", "[CDATA[0]]",
		"[CDATA[2024-01-31T10:00:00.000Z]]", "[CDATA[{\"a\":null}]]",
		"[CDATA[a:2:{i:0;s:1:\"x\";i:1;s:0:\"\";}]]" };
	static const char *const absent[] = { "\"real\"", "\"moment\"", "\"friend\"", "\"friends\"",
		"\"texts\"" };
	char *text = calloc(1, 65536), *items;
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(fread(text, 1, 65535, f) > 0);
	(void)fclose(f);
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		assert_non_null(strstr(text, told[i]));
	assert_non_null(items = strstr(text, "<item>"));
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		assert_null(strstr(items, absent[i]));
	free(text);
}

static void
values_come_back_from_an_export(void **state)
{
	char export[] = "/tmp/stet-kinds-XXXXXX", *dir, *a, *b;
	struct harness *h = opened();
	struct harness_options again = { .plugin_path = PLUGIN, .locales = locales };
	struct outcome *o;

	(void)state;
	close(mkstemp(export));
	harness_ok(o, harness_send(h, admin, "POST /content/posts",
			  "{\"slug\":\"two\",\"data\":{\"title\":\"Two\"}}"));
	assert_ok(harness_send(h, admin, "POST /content/posts",
	    "{\"slug\":\"one\",\"status\":\"published\",\"data\":{\"title\":\"One\",\"real\":0.25,"
	    "\"whole\":-3,\"yes\":false,\"text\":\"[x]\",\"json\":{\"a\":null},"
	    "\"moment\":\"2024-01-31T10:00:00.000Z\",\"friend\":\"%1$s\",\"friends\":[\"%1$s\"],"
	    "\"texts\":[\"x\",\"\"],\"blocks\":[" BLOCK("Words") "]}}",
	    harness_text(o->data, "item.id")));
	a = site_told(h);
	dir = leaving_close(h, locales);
	leaving_plugins = PLUGIN;
	assert_int_equal(RUN(dir, "export", "wxr", export), 0);
	check_file(export);
	leaving_remove(dir);
	dir = leaving_close(opened(), locales);
	assert_int_equal(RUN(dir, "import", "wxr", export, "--no-media"), 0);
	again.data = dir;
	h = harness_open(&again);
	b = site_told(h);
	assert_string_equal(a, b);
	harness_close(h, false);
	free(dir);
	free(a);
	free(b);
	/* A site without the plugin gets fields of JSON in place of its types. */
	leaving_plugins = NULL;
	again = (struct harness_options){ .locales = locales };
	dir = leaving_close(harness_open(&again), locales);
	assert_int_equal(RUN(dir, "import", "wxr", export, "--no-media"), 0);
	h = leaving_open(dir, locales);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/one", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "One");
	assert_non_null(strstr(o->text, "\"texts\":[\"x\",\"\"]"));
	harness_close(h, false);
	free(dir);
	(void)unlink(export);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_what_a_type_holds),
		cmocka_unit_test(values_come_back_from_an_export),
	};

	/* t/portable needs no statements of this test: other processes create the tables. */
	if (getenv("STET_RECORD") != NULL)
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
