/* fieldtypes.c - types of files that only fields allow: both ways of an upload, and how they are
 * served. */
#include "uploads.h"

#include <stdio.h>
#include <stdlib.h>

static const char zip[] = "PK\3\4\24\0\0\0\0\0";
static const char svg[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
static char archive[32], picture[32]; /* ids of fields */

static void
add_field(const char *slug, const char *type, const char *allowed, char id[32])
{
	char body[300];
	json_t *data;

	(void)snprintf(body, sizeof(body),
	    "{\"slug\":\"%s\",\"label\":\"F\",\"type\":\"%s\","
	    "\"validation\":{\"allowedMimeTypes\":[%s]}}",
	    slug, type, allowed);
	data =
	    remote_must(&library.by_admin, 201, "POST", body, "/schema/collections/papers/fields");
	(void)snprintf(id, 32, "%s", text_of(json_object_get(data, "item"), "id"));
	json_decref(data);
}

static int
begin(void **state)
{
	assert_int_equal(library_start(state), 0);
	json_decref(remote_must(&library.by_admin, 201, "POST",
	    "{\"slug\":\"papers\",\"label\":\"Papers\"}", "/schema/collections"));
	add_field("archive", "file", "\"application/zip\",\"image/svg+xml\"", archive);
	add_field("picture", "image", "\"image/\"", picture);
	return 0;
}

/* Uploads a file in a form, for this field (NULL: none). */
static void
send_form(struct answer *a, const char *type, const char *bytes, const char *field)
{
	char part[200];

	(void)snprintf(part, sizeof(part),
	    "--xx\r\nContent-Disposition: form-data; name=\"fieldId\"\r\n\r\n%s\r\n",
	    field != NULL ? field : "");
	upload(library.daemon, a, library.admin,
	    &(struct file){ "a", type, bytes, strlen(bytes), field != NULL ? part : NULL });
}

static void
expect(const char *type, const char *bytes, const char *field, bool good)
{
	char body[300];
	struct answer a;

	send_form(&a, type, bytes, field);
	assert_true(good ? a.status == 201 || a.status == 200 : a.status == 400);
	if (!good)
		assert_string_equal(answer_code(&a), "INVALID_TYPE");
	answer_free(&a);
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"a\",\"contentType\":\"%s\",\"size\":10%s%s%s}", type,
	    field != NULL ? ",\"fieldId\":\"" : "", field != NULL ? field : "",
	    field != NULL ? "\"" : "");
	remote_ask(&library.by_admin, &a, "POST", body, "/media/upload-url");
	assert_int_equal(a.status, good ? 200 : 400);
	if (!good)
		assert_string_equal(answer_code(&a), "INVALID_TYPE");
	answer_free(&a);
}

/* ---- tests ---- */

static void
a_type_beyond_the_list_wants_a_field_that_allows_it(void **state)
{
	(void)state;
	expect("application/zip", zip, NULL, false);
	expect("application/zip", zip, archive, true);
	expect("application/zip", zip, picture, false);
	expect("application/zip", zip, "01ARZ3NDEKTSV4RRFFQ69G5FAV", false);
}

/* If a field lists types, it allows no others. */
static void
case_and_parameters_of_a_type_make_no_difference(void **state)
{
	(void)state;
	expect("Application/ZIP; charset=binary", zip, archive, true);
	expect("video/mp4", "a film", NULL, true);
	expect("video/mp4", "a film", archive, false);
}

static void
svg_that_a_field_allows_is_an_attachment(void **state)
{
	struct answer a;
	char path[300];

	(void)state;
	send_form(&a, "image/svg+xml", svg, archive);
	assert_int_equal(a.status, 201);
	assert_true(json_is_null(json_object_get(item_of(&a), "blurhash")));
	(void)snprintf(
	    path, sizeof(path), API "/media/file/%s", text_of(item_of(&a), "storageKey"));
	answer_free(&a);
	ask(library.daemon, &a, "GET", path);
	assert_int_equal(a.status, 200);
	assert_int_equal(strncmp(answer_header(&a, "content-disposition"), "attachment", 10), 0);
	assert_string_equal(answer_header(&a, "x-content-type-options"), "nosniff");
	assert_non_null(strstr(answer_header(&a, "content-security-policy"), "sandbox"));
	answer_free(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_type_beyond_the_list_wants_a_field_that_allows_it),
		cmocka_unit_test(case_and_parameters_of_a_type_make_no_difference),
		cmocka_unit_test(svg_that_a_field_allows_is_an_attachment),
	};

	return cmocka_run_group_tests(tests, begin, library_stop);
}
