/* types - which values a field of each type takes, and what is stored of them. */
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

#define LIVE "01ITEM00000000000000000001"
#define ALSO "01ITEM00000000000000000002"
#define GONE "01ITEM00000000000000000003"
#define FAR "01ITEM00000000000000000004"

/* ---- the fields ---- */

static const char *const fields[] = {
	"{\"slug\":\"str\",\"type\":\"string\"}",
	"{\"slug\":\"short\",\"type\":\"string\",\"validation\":{\"minLength\":2,\"maxLength\":4}}",
	"{\"slug\":\"code\",\"type\":\"text\",\"validation\":{\"pattern\":\"[0-9]+x\"}}",
	"{\"slug\":\"hard\",\"type\":\"string\",\"validation\":{\"pattern\":\"^(a+)+$\"}}",
	"{\"slug\":\"link\",\"type\":\"url\"}",
	"{\"slug\":\"num\",\"type\":\"number\",\"validation\":{\"min\":-1.5,\"max\":10}}",
	"{\"slug\":\"anynum\",\"type\":\"number\"}",
	"{\"slug\":\"whole\",\"type\":\"integer\"}",
	"{\"slug\":\"few\",\"type\":\"integer\",\"validation\":{\"min\":0,\"max\":3}}",
	"{\"slug\":\"yes\",\"type\":\"boolean\"}",
	"{\"slug\":\"day\",\"type\":\"datetime\"}",
	"{\"slug\":\"soon\",\"type\":\"datetime\",\"validation\":{\"min\":\"2026-01-01\","
	"\"max\":\"2026-12-31T23:59:59Z\"}}",
	"{\"slug\":\"year\",\"type\":\"datetime\",\"validation\":{\"max\":\"2026-12-31\"}}",
	"{\"slug\":\"pick\",\"type\":\"select\",\"validation\":{\"options\":[\"a\",\"b c\"]}}",
	"{\"slug\":\"picks\",\"type\":\"multiSelect\",\"validation\":{\"options\":[\"a\",\"b\"]}}",
	"{\"slug\":\"body\",\"type\":\"portableText\"}",
	"{\"slug\":\"pic\",\"type\":\"image\"}",
	"{\"slug\":\"doc\",\"type\":\"file\"}",
	"{\"slug\":\"ref\",\"type\":\"reference\",\"options\":{\"collection\":\"people\"}}",
	"{\"slug\":\"refs\",\"type\":\"reference\",\"options\":{\"collection\":\"people\","
	"\"allowMultiple\":true}}",
	"{\"slug\":\"lost\",\"type\":\"reference\",\"options\":{\"collection\":\"nowhere\"}}",
	"{\"slug\":\"free\",\"type\":\"json\"}",
	"{\"slug\":\"path\",\"type\":\"slug\"}",
	"{\"slug\":\"rows\",\"type\":\"repeater\",\"validation\":{\"minItems\":1,\"maxItems\":3,"
	"\"subFields\":[{\"slug\":\"t\",\"label\":\"T\",\"type\":\"string\",\"required\":true},"
	"{\"slug\":\"n\",\"label\":\"N\",\"type\":\"integer\",\"min\":0},"
	"{\"slug\":\"k\",\"label\":\"K\",\"type\":\"select\",\"options\":[\"x\",\"y\"]},"
	"{\"slug\":\"d\",\"label\":\"D\",\"type\":\"datetime\"},"
	"{\"slug\":\"i\",\"label\":\"I\",\"type\":\"image\"}]}}",
	"{\"slug\":\"anyrows\",\"type\":\"repeater\"}",
};

static int
begin(void **state)
{
	struct harness *h;

	inside_begin(state);
	h = *state;
	assert_ok(harness_op(h, admin, "collection_create", "{\"slug\":\"t\",\"label\":\"T\"}"));
	assert_ok(
	    harness_op(h, admin, "collection_create", "{\"slug\":\"people\",\"label\":\"P\"}"));
	assert_ok(
	    harness_op(h, admin, "collection_create", "{\"slug\":\"places\",\"label\":\"P\"}"));
	inside_item(h, "people", LIVE);
	inside_item(h, "people", ALSO);
	inside_item(h, "people", GONE);
	inside_item(h, "places", FAR);
	inside_sql(
	    h, "UPDATE c_people SET deleted_at = '2026-01-01T00:00:00.000Z' WHERE id = ?1", GONE);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		assert_ok(harness_send(h, admin, "POST /schema/collections/t/fields",
		    "{\"label\":\"L\",%s", fields[i] + 1));
	return 0;
}

/* ---- checking one value ---- */

struct
try {
	const char *field, *value;
	char stored[4096]; /* compact JSON; "" if refused */
	char issues[1024]; /* paths of the issues, one after another */
};

static enum stet_status
check(struct stet_call *call, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	struct try *t = arg;
	json_t *value = json_loads(t->value, JSON_DECODE_ANY, NULL), *out = NULL;
	enum stet_status status;

	assert_non_null(value);
	assert_int_equal(schema->collection(call, "t", &c), STET_OK);
	assert_non_null(stet_field(c, t->field));
	status = stet_field_check(call, stet_field(c, t->field), "data.x", value, &out);
	assert_int_equal(status, STET_OK);
	for (struct call_issue *i = call->error.issues; i != NULL; i = i->next) {
		size_t len = strlen(t->issues);

		snprintf(t->issues + len, sizeof(t->issues) - len, "%s;", i->path);
	}
	assert_true((out == NULL) == (call->error.issues != NULL));
	if (out != NULL) {
		char *text = json_dumps(out, JSON_COMPACT | JSON_ENCODE_ANY);

		snprintf(t->stored, sizeof(t->stored), "%s", text);
		free(text);
	}
	json_decref(out);
	json_decref(value);
	return STET_OK;
}

static void
assert_value(
    struct harness *h, const char *field, const char *value, const char *stored, const char *issues)
{
	struct try t = { .field = field, .value = value };

	assert_int_equal(inside_read(h, check, &t), STET_OK);
	if (strcmp(t.issues, issues) != 0 || strcmp(t.stored, stored) != 0)
		fail_msg("%s of %s: stored %s, issues about %s", value, field, t.stored, t.issues);
}

static void
takes(struct harness *h, const char *field, const char *value)
{
	assert_value(h, field, value, value, "");
}

static void
stores(struct harness *h, const char *field, const char *value, const char *stored)
{
	assert_value(h, field, value, stored, "");
}

static void
refuses(struct harness *h, const char *field, const char *value)
{
	assert_value(h, field, value, "", "data.x;");
}

static void
refuses_at(struct harness *h, const char *field, const char *value, const char *issues)
{
	assert_value(h, field, value, "", issues);
}

/* ---- text ---- */

static void
strings_count_characters(void **state)
{
	takes(*state, "str", "\"\"");
	takes(*state, "str", "\"{not json\"");
	refuses(*state, "str", "5");
	refuses(*state, "str", "[\"a\"]");
	takes(*state, "short", "\"\xc3\xa4\xc3\xb6\"");
	takes(*state, "short",
	    "\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\"");
	refuses(*state, "short", "\"\xc3\xa4\"");
	refuses(*state, "short", "\"abcde\"");
}

static void
patterns_match_anywhere(void **state)
{
	takes(*state, "code", "\"a 12x b\"");
	refuses(*state, "code", "\"12\"");
}

static void
a_pattern_that_explodes_is_no_match(void **state)
{
	refuses(*state, "hard",
	    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"");
}

static void
slugs_are_made_safe_not_refused(void **state)
{
	stores(*state, "path", "\"Hello World!\"", "\"hello-world\"");
	takes(*state, "path", "\"already-good\"");
	takes(*state, "path", "\"\"");
	refuses(*state, "path", "\"!!!\"");
	refuses(*state, "path", "1");
}

static void
links_of_known_schemes_are_taken(void **state)
{
	takes(*state, "link", "\"https://example.org/a?b=c#d\"");
	takes(*state, "link", "\"HTTP://example.org\"");
	takes(*state, "link", "\"mailto:a@example.org\"");
	takes(*state, "link", "\"tel:+49123\"");
	takes(*state, "link", "\"/about\"");
	takes(*state, "link", "\"/\"");
	stores(*state, "link", "\"  https://example.org \"", "\"https://example.org\"");
}

static void
other_links_are_refused(void **state)
{
	static const char *const bad[] = { "\"\"", "\"javascript:alert(1)\"",
		"\" javascript:alert(1)\"", "\"java\\tscript:alert(1)\"", "\"data:text/html,x\"",
		"\"//evil.example\"", "\"/\\\\evil.example\"", "\"https://\"", "\"https:///x\"",
		"\"http:x\"", "\"example.org\"", "\"ftp://example.org\"", "\"https://a b\"",
		"\"mailto:\"", "7" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refuses(*state, "link", bad[i]);
}

/* ---- numbers ---- */

static void
numbers_stay_in_their_bounds(void **state)
{
	takes(*state, "num", "0");
	takes(*state, "num", "-1.5");
	takes(*state, "num", "10");
	refuses(*state, "num", "-1.6");
	refuses(*state, "num", "10.1");
	refuses(*state, "num", "\"5\"");
	refuses(*state, "num", "true");
	takes(*state, "anynum", "0.5");
	stores(*state, "anynum", "9007199254740993", "9007199254740992.0");
	stores(*state, "anynum", "-9223372036854775808", "-9.2233720368547758e18");
}

static void
integers_are_whole_and_safe(void **state)
{
	takes(*state, "whole", "9007199254740991");
	takes(*state, "whole", "-9007199254740991");
	stores(*state, "whole", "1.0", "1");
	stores(*state, "whole", "1e3", "1000");
	refuses(*state, "whole", "9007199254740992");
	refuses(*state, "whole", "-9007199254740992");
	refuses(*state, "whole", "9223372036854775807");
	refuses(*state, "whole", "1e300");
	refuses(*state, "whole", "1.5");
	refuses(*state, "whole", "\"1\"");
	refuses(*state, "whole", "false");
	takes(*state, "few", "0");
	refuses(*state, "few", "-1");
	refuses(*state, "few", "4");
}

static void
booleans_may_be_said_as_numbers(void **state)
{
	takes(*state, "yes", "true");
	takes(*state, "yes", "false");
	stores(*state, "yes", "1", "true");
	stores(*state, "yes", "0", "false");
	refuses(*state, "yes", "2");
	refuses(*state, "yes", "-1");
	refuses(*state, "yes", "0.5");
	refuses(*state, "yes", "\"0\"");
	refuses(*state, "yes", "\"true\"");
}

/* ---- time ---- */

static void
times_are_stored_as_utc(void **state)
{
	stores(*state, "day", "\"2026-03-01\"", "\"2026-03-01T00:00:00.000Z\"");
	stores(*state, "day", "\"2026-03-01T10:00\"", "\"2026-03-01T10:00:00.000Z\"");
	stores(*state, "day", "\"2026-03-01T10:00:00+02:00\"", "\"2026-03-01T08:00:00.000Z\"");
	stores(*state, "day", "\"2026-03-01T10:00:00.12Z\"", "\"2026-03-01T10:00:00.120Z\"");
	refuses(*state, "day", "\"2026-02-30\"");
	refuses(*state, "day", "\"2026-03-01 10:00:00\"");
	refuses(*state, "day", "\"2026-03-01T10:00:00+0200\"");
	refuses(*state, "day", "\"tomorrow\"");
	refuses(*state, "day", "\"\"");
	refuses(*state, "day", "1767225600000");
}

static void
times_stay_in_their_bounds(void **state)
{
	stores(*state, "soon", "\"2026-01-01\"", "\"2026-01-01T00:00:00.000Z\"");
	refuses(*state, "soon", "\"2025-12-31T23:59:59.999Z\"");
	/* Compared as text this is before the bound; as a time it is after it. */
	refuses(*state, "soon", "\"2026-12-31T23:30:00-05:00\"");
	/* A date as an upper bound includes its day. */
	takes(*state, "year", "\"2026-12-31T23:59:59.999Z\"");
	refuses(*state, "year", "\"2027-01-01\"");
}

/* ---- choices ---- */

static void
choices_are_listed(void **state)
{
	takes(*state, "pick", "\"b c\"");
	refuses(*state, "pick", "\"B C\"");
	refuses(*state, "pick", "\"\"");
	refuses(*state, "pick", "[\"a\"]");
	takes(*state, "picks", "[]");
	takes(*state, "picks", "[\"b\",\"a\"]");
	refuses_at(*state, "picks", "[\"a\",\"z\",3]", "data.x[1];data.x[2];");
	refuses(*state, "picks", "\"a\"");
}

/* ---- structures ---- */

static void
blocks_are_kept_as_they_come(void **state)
{
	takes(*state, "body", "[]");
	takes(*state, "body",
	    "[{\"_type\":\"block\",\"style\":\"normal\",\"children\":[{\"_type\":\"span\",\"text\":"
	    "\"a\",\"marks\":[]}]},{\"_type\":\"own\",\"deep\":{\"x\":[1,2,{\"y\":null}]}}]");
	refuses(*state, "body", "\"text\"");
	refuses(*state, "body", "{\"_type\":\"block\"}");
	refuses_at(*state, "body", "[{\"_type\":\"a\"},7,{\"_type\":3},{\"type\":\"b\"}]",
	    "data.x[1];data.x[2];data.x[3];");
}

static void
json_is_anything(void **state)
{
	takes(*state, "free", "{\"a\":[1,\"b\",null,{\"c\":false}]}");
	takes(*state, "free", "\"{\"");
	takes(*state, "free", "0");
	takes(*state, "free", "[]");
}

static void
images_have_an_id(void **state)
{
	takes(*state, "pic", "{\"id\":\"m1\"}");
	takes(*state, "pic",
	    "{\"id\":\"m1\",\"url\":\"/u\",\"alt\":\"A\",\"width\":10,\"height\":20.5,\"own\":1,"
	    "\"darkVariant\":{\"id\":\"m2\",\"alt\":null}}");
	refuses_at(*state, "pic", "{\"alt\":\"A\"}", "data.x.id;");
	refuses_at(*state, "pic", "{\"id\":3,\"alt\":4,\"width\":\"wide\",\"meta\":[]}",
	    "data.x.id;data.x.alt;data.x.width;data.x.meta;");
	refuses_at(*state, "pic", "{\"id\":\"m1\",\"darkVariant\":{\"alt\":\"A\"}}",
	    "data.x.darkVariant.id;");
	refuses_at(*state, "pic", "{\"id\":\"m1\",\"darkVariant\":\"m2\"}", "data.x.darkVariant;");
	refuses(*state, "pic", "[{\"id\":\"m1\"}]");
}

static void
a_bare_media_id_or_address_becomes_an_image(void **state)
{
	stores(*state, "pic", "\"" LIVE "\"", "{\"id\":\"" LIVE "\"}");
	stores(*state, "pic", "\"https://example.org/a.png\"",
	    "{\"id\":\"\",\"provider\":\"external\",\"src\":\"https://example.org/a.png\"}");
	refuses(*state, "pic", "\"javascript:alert(1)\"");
	refuses(*state, "pic", "\"\"");
}

static void
files_have_an_id(void **state)
{
	takes(*state, "doc",
	    "{\"id\":\"m1\",\"provider\":\"local\",\"filename\":\"a.pdf\",\"mimeType\":\"application/"
	    "pdf\",\"size\":12,\"meta\":{\"storageKey\":\"k\"}}");
	refuses_at(*state, "doc", "{\"filename\":1,\"size\":\"big\"}",
	    "data.x.id;data.x.filename;data.x.size;");
}

/* ---- references ---- */

static void
references_name_items_that_are_there(void **state)
{
	takes(*state, "ref", "\"" LIVE "\"");
	refuses(*state, "ref", "\"" GONE "\"");
	refuses(*state, "ref", "\"" FAR "\"");
	refuses(*state, "ref", "\"01NOSUCHITEM00000000000000\"");
	refuses(*state, "ref", "\"\"");
	refuses(*state, "ref", "\"' OR 1=1 --\"");
	refuses(*state, "ref", "[\"" LIVE "\"]");
	refuses(*state, "ref", "7");
	refuses(*state, "lost", "\"" LIVE "\"");
}

static void
many_references_are_an_array(void **state)
{
	takes(*state, "refs", "[]");
	takes(*state, "refs", "[\"" ALSO "\",\"" LIVE "\",\"" ALSO "\"]");
	stores(*state, "refs", "\"" LIVE "\"", "[\"" LIVE "\"]");
	refuses_at(
	    *state, "refs", "[\"" LIVE "\",\"" GONE "\",\"" FAR "\"]", "data.x[1];data.x[2];");
	refuses_at(*state, "refs", "[\"" LIVE "\",3,\"\"]", "data.x[1];data.x[2];");
}

static void
too_many_references_are_refused(void **state)
{
	char *text = malloc(501 * 32 + 3), *p = text;

	*p++ = '[';
	for (int i = 0; i < 501; i++)
		p += snprintf(p, 33, "%s\"" LIVE "\"", i > 0 ? "," : "");
	snprintf(p, 2, "]");
	refuses(*state, "refs", text);
	free(text);
}

/* ---- repeaters ---- */

static void
rows_are_checked_cell_by_cell(void **state)
{
	takes(*state, "rows", "[{\"t\":\"a\"}]");
	takes(*state, "rows",
	    "[{\"t\":\"a\",\"n\":null,\"own\":{\"kept\":1}},{\"t\":\"b\",\"k\":\"y\"}]");
	stores(*state, "rows",
	    "[{\"t\":\"a\",\"own\":1},{\"t\":\"b\",\"d\":\"2026-01-01\",\"n\":2.0,\"i\":\"" LIVE
	    "\"}]",
	    "[{\"t\":\"a\",\"own\":1},{\"t\":\"b\",\"d\":\"2026-01-01T00:00:00.000Z\",\"n\":2,\"i\":"
	    "{\"id\":\"" LIVE "\"}}]");
	refuses_at(*state, "rows", "[{\"t\":\"a\",\"n\":-1},{\"n\":\"x\",\"k\":\"z\"},5]",
	    "data.x[0].n;data.x[1].t;data.x[1].n;data.x[1].k;data.x[2];");
	refuses_at(*state, "rows", "[{\"t\":\"  \"}]", "data.x[0].t;");
	refuses_at(*state, "rows", "[{\"t\":null}]", "data.x[0].t;");
}

static void
rows_are_counted(void **state)
{
	refuses(*state, "rows", "[]");
	refuses(*state, "rows", "[{\"t\":\"a\"},{\"t\":\"a\"},{\"t\":\"a\"},{\"t\":\"a\"}]");
	refuses(*state, "rows", "{\"t\":\"a\"}");
	takes(*state, "anyrows", "[{\"x\":1},{}]");
	refuses_at(*state, "anyrows", "[1]", "data.x[0];");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_count_characters),
		cmocka_unit_test(patterns_match_anywhere),
		cmocka_unit_test(a_pattern_that_explodes_is_no_match),
		cmocka_unit_test(slugs_are_made_safe_not_refused),
		cmocka_unit_test(links_of_known_schemes_are_taken),
		cmocka_unit_test(other_links_are_refused),
		cmocka_unit_test(numbers_stay_in_their_bounds),
		cmocka_unit_test(integers_are_whole_and_safe),
		cmocka_unit_test(booleans_may_be_said_as_numbers),
		cmocka_unit_test(times_are_stored_as_utc),
		cmocka_unit_test(times_stay_in_their_bounds),
		cmocka_unit_test(choices_are_listed),
		cmocka_unit_test(blocks_are_kept_as_they_come),
		cmocka_unit_test(json_is_anything),
		cmocka_unit_test(images_have_an_id),
		cmocka_unit_test(a_bare_media_id_or_address_becomes_an_image),
		cmocka_unit_test(files_have_an_id),
		cmocka_unit_test(references_name_items_that_are_there),
		cmocka_unit_test(many_references_are_an_array),
		cmocka_unit_test(too_many_references_are_refused),
		cmocka_unit_test(rows_are_checked_cell_by_cell),
		cmocka_unit_test(rows_are_counted),
	};

	return cmocka_run_group_tests(tests, begin, inside_end);
}
