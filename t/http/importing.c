/* importing.c - export files over HTTP: the result of their analysis, and files that are
 * refused. */
#include "uploads.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define EXPORT(more)                                                                 \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss "                            \
	"xmlns:wp=\"http://wordpress.org/export/1.2/\" "                             \
	"xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>Site</title>" \
	"<link>https://a.example</link><wp:wxr_version>1.2</wp:wxr_version>" more    \
	"</channel></rss>"
#define ITEM(id, type, more)                                                \
	"<item><title>T</title><dc:creator>ann</dc:creator><wp:post_id>" id \
	"</wp:post_id><wp:post_type>" type "</wp:post_type>" more "</item>"
#define META(key, value)                                                       \
	"<wp:postmeta><wp:meta_key>" key "</wp:meta_key><wp:meta_value>" value \
	"</wp:meta_value></wp:postmeta>"

static const char mixed[] = EXPORT(
    "<wp:author><wp:author_id>3</wp:author_id><wp:author_login>ann</wp:author_login>"
    "<wp:author_email>ann@a.example</wp:author_email>"
    "<wp:author_display_name>Ann</wp:author_display_name></wp:author>"
    "<wp:category><wp:category_nicename>x</wp:category_nicename></wp:category>"
    "<wp:term><wp:term_taxonomy>category</wp:term_taxonomy><wp:term_slug>x</wp:term_slug></wp:term>"
    "<wp:tag><wp:tag_slug>y</wp:tag_slug></wp:tag>" ITEM("1", "page", "") ITEM("2", "post",
	META("_thumbnail_id", "9") META("price", "1.5") META("_yoast_wpseo_title", "S")) ITEM("3",
	"post", META("price", "2") META("_edit_lock", "1:1")) ITEM("4", "Team-Member", "") ITEM("5",
	"team_member", "") ITEM("6", "revision", "") ITEM("7", "1", "") ITEM("8", "users",
	"") ITEM("9", "attachment",
	"<wp:attachment_url>https://a.example/u/a%20b.JPG?x=1</wp:attachment_url>") "<item><title>Bad</title></item>");

/* Uploads the file; returns the response, to be released. */
static json_t *
analyze(const char *bytes, size_t len, int status)
{
	const struct file f = { "export.xml", "text/xml", bytes, len, NULL,
		.path = "/import/platform/analyze" };
	struct answer a;
	json_t *json;

	upload(library.daemon, &a, library.admin, &f);
	if (a.status != status)
		fail_msg("%d, not %d: %.1000s", a.status, status, a.body);
	json = json_incref(a.json);
	answer_free(&a);
	return json;
}

static const char *
text_at(json_t *json, const char *list, size_t i, const char *member)
{
	return text_of(json_array_get(json_object_get(json, list), i), member);
}

static json_t *
type_of(json_t *data, const char *name)
{
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(data, "postTypes"), i,
	    one) if (strcmp(text_of(one, "name"), name) == 0) return one;
	return NULL;
}

static void
analysis_tells_what_is_in_a_file(void **state)
{
	json_t *json = analyze(mixed, strlen(mixed), 200), *data = json_object_get(json, "data");
	json_t *one;

	(void)state;
	assert_string_equal(text_of(json_object_get(data, "site"), "title"), "Site");
	assert_string_equal(text_of(json_object_get(data, "site"), "url"), "https://a.example");
	assert_int_equal(json_integer_value(json_object_get(data, "categories")), 1);
	assert_int_equal(json_integer_value(json_object_get(data, "tags")), 1);
	assert_int_equal(json_integer_value(json_object_get(data, "skipped")), 1);
	assert_int_equal(json_array_size(json_object_get(data, "postTypes")), 6);
	assert_string_equal(text_at(data, "postTypes", 0, "name"), "post");
	assert_string_equal(text_of(type_of(data, "page"), "suggestedCollection"), "pages");
	assert_string_equal(text_of(type_of(data, "1"), "suggestedCollection"), "imported");
	assert_string_equal(text_of(type_of(data, "users"), "suggestedCollection"), "wp_users");
	assert_string_equal(
	    text_of(type_of(data, "Team-Member"), "suggestedCollection"), "team_member");
	assert_string_equal(
	    text_of(type_of(data, "team_member"), "suggestedCollection"), "team_member_2");
	assert_null(type_of(data, "revision"));
	assert_int_equal(
	    json_array_size(json_object_get(type_of(data, "post"), "requiredFields")), 4);
	assert_int_equal(
	    json_array_size(json_object_get(type_of(data, "page"), "requiredFields")), 3);
	assert_string_equal(text_at(data, "authors", 0, "displayName"), "Ann");
	one = json_array_get(json_object_get(data, "authors"), 0);
	assert_int_equal(json_integer_value(json_object_get(one, "postCount")), 7);
	one = json_object_get(data, "attachments");
	assert_int_equal(json_integer_value(json_object_get(one, "count")), 1);
	assert_string_equal(text_at(one, "items", 0, "filename"), "a%20b.JPG");
	assert_string_equal(text_at(one, "items", 0, "mimeType"), "image/jpeg");
	assert_null(json_object_get(data, "truncated"));
	json_decref(json);
}

static void
analysis_suggests_fields(void **state)
{
	/* Sorted by count, the most frequent first, and then by key. */
	static const char *const wanted[][3] = { { "price", "price", "number" },
		{ "_edit_lock", "edit_lock", "string" },
		{ "_thumbnail_id", "featured_image", "string" },
		{ "_yoast_wpseo_title", "seo_title", "string" } };
	json_t *json = analyze(mixed, strlen(mixed), 200), *data = json_object_get(json, "data");

	(void)state;
	assert_int_equal(json_array_size(json_object_get(data, "customFields")), COUNT(wanted));
	for (size_t i = 0; i < COUNT(wanted); i++) {
		json_t *field = json_array_get(json_object_get(data, "customFields"), i);

		assert_string_equal(text_of(field, "key"), wanted[i][0]);
		assert_string_equal(text_of(field, "suggestedField"), wanted[i][1]);
		assert_string_equal(text_of(field, "suggestedType"), wanted[i][2]);
		assert_int_equal(json_is_true(json_object_get(field, "isInternal")), i == 1);
		assert_int_equal(json_integer_value(json_object_get(field, "count")), 1 + (i == 0));
	}
	json_decref(json);
}

static void
analysis_compares_with_the_collections_there_are(void **state)
{
	json_t *json = analyze(mixed, strlen(mixed), 200), *status;

	(void)state;
	status = json_object_get(type_of(json_object_get(json, "data"), "page"), "schemaStatus");
	assert_true(json_is_false(json_object_get(status, "exists")));
	assert_true(json_is_true(json_object_get(status, "canImport")));
	json_decref(json);
	json_decref(remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"pages\",\"label\":\"Pages\"}", "/schema/collections"));
	json_decref(remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"text\"}",
	    "/schema/collections/pages/fields"));
	json_decref(remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"excerpt\",\"label\":\"E\",\"type\":\"number\"}",
	    "/schema/collections/pages/fields"));
	json = analyze(mixed, strlen(mixed), 200);
	status = json_object_get(type_of(json_object_get(json, "data"), "page"), "schemaStatus");
	assert_true(json_is_true(json_object_get(status, "exists")));
	assert_true(json_is_false(json_object_get(status, "canImport")));
	assert_string_equal(text_of(status, "reason"),
	    "Incompatible field types: excerpt. Existing fields have different types than required "
	    "for import.");
	status = json_object_get(status, "fieldStatus");
	assert_string_equal(text_of(json_object_get(status, "title"), "status"), "compatible");
	assert_string_equal(text_of(json_object_get(status, "content"), "status"), "missing");
	assert_string_equal(text_of(json_object_get(status, "excerpt"), "existingType"), "number");
	json_decref(json);
}

static void
expect_refused(const char *bytes, size_t len, int http, const char *code, const char *message)
{
	json_t *json = analyze(bytes, len, http), *error = json_object_get(json, "error");

	assert_string_equal(text_of(error, "code"), code);
	if (strstr(text_of(error, "message"), message) == NULL)
		fail_msg("%s, not %s", text_of(error, "message"), message);
	json_decref(json);
}

static void
what_is_no_export_is_refused(void **state)
{
	const struct file none = { "a.xml", "text/xml", "", 0,
		"--xx\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n",
		.path = "/import/platform/analyze" };
	struct answer a;

	(void)state;
	expect_refused("", 0, 400, "VALIDATION_ERROR", "");
	expect_refused("<rss>\n<a>", 9, 400, "VALIDATION_ERROR", "XML parsing error: line 2: ");
	expect_refused("<rss><channel/></rss>", 21, 400, "VALIDATION_ERROR", "no export");
	expect_refused("<!DOCTYPE a><rss/>", 18, 400, "VALIDATION_ERROR", "document type");
	expect_refused("PK\3\4xx", 6, 400, "VALIDATION_ERROR", "zip file is damaged");
	upload(library.daemon, &a, library.author, &none);
	assert_string_equal(answer_code(&a), "INSUFFICIENT_SCOPE");
	answer_free(&a);
	remote_ask(&library.by_admin, &a, "POST", "{}", "/import/platform/analyze");
	assert_true(a.status >= 400 && a.status < 500);
	answer_free(&a);
}

static void
the_size_of_an_export_is_a_setting(void **state)
{
	(void)state;
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"maxExportSize\":500}}", "/admin/plugins/import/settings"));
	expect_refused(mixed, strlen(mixed), 413, "PAYLOAD_TOO_LARGE", "500 bytes");
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"maxExportSize\":null}}", "/admin/plugins/import/settings"));
	json_decref(analyze(mixed, strlen(mixed), 200));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(analysis_tells_what_is_in_a_file),
		cmocka_unit_test(analysis_suggests_fields),
		cmocka_unit_test(analysis_compares_with_the_collections_there_are),
		cmocka_unit_test(what_is_no_export_is_refused),
		cmocka_unit_test(the_size_of_an_export_is_a_setting),
	};

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
