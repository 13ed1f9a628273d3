/* renditions.c - smaller copies of images of the library, by presets. */
#include "pictures.h"
#include "uploads.h"

#include <dirent.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_MAX 2000

/* Uploads this picture with some bytes added, which make it another file. Returns its key, to be
 * freed. */
static char *
item(const struct picture *p, const char *tail, char id[27])
{
	char bytes[BYTES_MAX], *key;
	struct answer a;
	size_t len;

	assert_int_equal(sodium_base642bin((unsigned char *)bytes, BYTES_MAX - 100, p->base64,
			     strlen(p->base64), NULL, &len, NULL, sodium_base64_VARIANT_ORIGINAL),
	    0);
	memcpy(bytes + len, tail, strlen(tail));
	upload(library.daemon, &a, library.admin,
	    &(struct file){ p->name, p->type, bytes, len + strlen(tail), NULL });
	assert_int_equal(a.status, 201);
	key = strdup(text_of(item_of(&a), "storageKey"));
	(void)snprintf(id, 27, "%s", text_of(item_of(&a), "id"));
	answer_free(&a);
	return key;
}

static void
get(struct answer *a, const char *key, const char *preset)
{
	char path[400];

	(void)snprintf(path, sizeof(path), API "/media/file/%s?preset=%s", key, preset);
	ask(library.daemon, a, "GET", path);
}

static uint32_t
number_at(const char *at)
{
	const unsigned char *u = (const unsigned char *)at;

	return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

/* Returns how many renditions of this key are in the cache. */
static int
cached(const char *key)
{
	DIR *dir = opendir(daemon_path(library.daemon, "data/file-cache"));
	const struct dirent *e;
	int count = 0;

	while (dir != NULL && (e = readdir(dir)) != NULL)
		count += strstr(e->d_name, key) != NULL;
	if (dir != NULL)
		closedir(dir);
	return count;
}

static void
a_copy_is_never_larger_than_the_image(void **state)
{
	char id[27], *key = item(&pictures[0], "larger", id);
	struct answer a;

	(void)state;
	get(&a, key, "small");
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "content-type"), "image/png");
	assert_int_equal(number_at(a.body + 16), 48);
	assert_int_equal(number_at(a.body + 20), 32);
	answer_free(&a);
	get(&a, key, "thumbnail"); /* a square with the longest side that the image allows */
	assert_int_equal(a.status, 200);
	assert_int_equal(number_at(a.body + 16), 32);
	assert_int_equal(number_at(a.body + 20), 32);
	answer_free(&a);
	free(key);
}

static void
presets_are_a_setting_of_the_site(void **state)
{
	static const struct {
		const char *preset, *type;
		uint32_t width, height; /* size of a PNG */
	} all[] = { { "wide", "image/png", 24, 16 }, { "tall", "image/png", 12, 8 },
		{ "box", "image/png", 30, 30 }, { "cut", "image/png", 10, 20 },
		{ "web", "image/webp", 0, 0 }, { "photo", "image/jpeg", 0, 0 } };
	char id[27], *key = item(&pictures[2], "", id);

	(void)state;
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"imagePresets\":\"wide:24x0:inside:png,tall:0x8:inside:png,box:30x30:contain:png,"
	    "cut:10x20:cover:png,web:20x0:inside:webp:50,photo:20x0:inside:jpeg:50\"}}",
	    "/admin/plugins/media/settings"));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct answer a;

		get(&a, key, all[i].preset);
		if (a.status != 200)
			fail_msg("%s: %d %s", all[i].preset, a.status, a.body);
		assert_string_equal(answer_header(&a, "content-type"), all[i].type);
		if (all[i].width > 0) {
			assert_int_equal(number_at(a.body + 16), all[i].width);
			assert_int_equal(number_at(a.body + 20), all[i].height);
		}
		answer_free(&a);
	}
	json_decref(remote_must(&library.by_admin, 400, "PUT",
	    "{\"values\":{\"imagePresets\":\"wide:24\"}}", "/admin/plugins/media/settings"));
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"imagePresets\":\"small:640x0,thumbnail:240x240:cover\"}}",
	    "/admin/plugins/media/settings"));
	free(key);
}

static void
what_a_camera_noted_is_left_out(void **state)
{
	char id[27], *key = item(&pictures[3], "", id);
	static const char frame[] = { (char)0xff, (char)0xc0, 0, 17, 8, 0, 48, 0, 32 };
	struct answer a;

	(void)state;
	get(&a, key, "small");
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "content-type"), "image/jpeg");
	assert_null(memmem(a.body, a.len, "Exif", 4));
	assert_non_null(memmem(a.body, a.len, frame, sizeof(frame))); /* after rotation: 32 x 48 */
	answer_free(&a);
	free(key);
}

/* Chunks of a WebP file (RFC 9649, 2.7): Exif with one entry, a description, and XMP. */
#define EXIF                                                                 \
	"EXIF\52\0\0\0MM\0*\0\0\0\10\0\1\1\16\0\2\0\0\0\20\0\0\0\32\0\0\0\0" \
	"at home, asleep\0"
#define XMP "XMP \70\0\0\0<x:xmpmeta xmlns:x='adobe:ns:meta/'>at home.</x:xmpmeta>"

/* Adds three chunks to a WebP file of the extended format: Exif, the same again, and XMP. Returns
 * the new length. */
static size_t
note_place(char *file, size_t len)
{
	char *exif = memmem(file, len, "EXIF", 4);

	assert_non_null(exif);
	assert_memory_equal(file + 12, "VP8X", 4);
	file[20] |= 4; /* flag: the file has XMP */
	memcpy(exif, EXIF XMP, sizeof(EXIF XMP) - 1);
	len = (size_t)(exif - file) + sizeof(EXIF XMP) - 1;
	file[4] = (char)(len - 8);
	file[5] = (char)((len - 8) >> 8);
	return len;
}

static void
a_copy_in_webp_does_not_say_where_the_picture_was_taken(void **state)
{
	const struct picture *p = &pictures[2];
	char bytes[BYTES_MAX], *key;
	struct answer a;
	size_t len;

	(void)state;
	assert_int_equal(sodium_base642bin((unsigned char *)bytes, BYTES_MAX - 100, p->base64,
			     strlen(p->base64), NULL, &len, NULL, sodium_base64_VARIANT_ORIGINAL),
	    0);
	len = note_place(bytes, len);
	upload(library.daemon, &a, library.admin,
	    &(struct file){ p->name, p->type, bytes, len, NULL });
	assert_int_equal(a.status, 201);
	key = strdup(text_of(item_of(&a), "storageKey"));
	answer_free(&a);
	get(&a, key, "small");
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "content-type"), "image/webp");
	assert_null(memmem(a.body, a.len, "XMP ", 4));
	assert_null(memmem(a.body, a.len, "at home", 7));
	answer_free(&a);
	free(key);
}

static void
eight_clients_have_one_copy_made(void **state)
{
	char id[27], *key = item(&pictures[1], "eight", id), tag[200] = "";
	struct client c[8];

	(void)state;
	for (int i = 0; i < 8; i++) {
		client_open(&c[i], library.daemon, false);
		client_say(&c[i],
		    "GET " API "/media/file/%s?preset=small HTTP/1.1\r\nHost: x\r\n\r\n", key);
	}
	for (int i = 0; i < 8; i++) {
		struct answer a;

		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 200);
		assert_true(*tag == '\0' || strcmp(tag, answer_header(&a, "etag")) == 0);
		(void)snprintf(tag, sizeof(tag), "%s", answer_header(&a, "etag"));
		answer_free(&a);
		client_close(&c[i]);
	}
	assert_int_equal(cached(key), 1);
	free(key);
}

static void
a_copy_that_a_client_has_is_not_sent_again(void **state)
{
	char id[27], *key = item(&pictures[1], "again", id), tag[200];
	struct client c;
	struct answer a;

	(void)state;
	get(&a, key, "small");
	(void)snprintf(tag, sizeof(tag), "%s", answer_header(&a, "etag"));
	answer_free(&a);
	client_open(&c, library.daemon, false);
	client_say(&c,
	    "GET " API "/media/file/%s?preset=small HTTP/1.1\r\nHost: x\r\n"
	    "If-None-Match: %s\r\n\r\n",
	    key, tag);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 304);
	answer_free(&a);
	client_close(&c);
	free(key);
}

static void
what_cannot_be_made_is_told(void **state)
{
	char id[27], *key = item(&pictures[0], "told", id), film[200];
	struct answer a;

	(void)state;
	get(&a, key, "nothing");
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "VALIDATION_ERROR");
	answer_free(&a);
	get(&a, "01ARZ3NDEKTSV4RRFFQ69G5FAV.png", "small");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	upload(library.daemon, &a, library.admin,
	    &(struct file){ "a.mp4", "video/mp4", "\1\2\3\4", 4, NULL });
	(void)snprintf(film, sizeof(film), "%s", text_of(item_of(&a), "storageKey"));
	answer_free(&a);
	get(&a, film, "small");
	assert_int_equal(a.status, 422);
	assert_string_equal(answer_code(&a), "IMAGE_UNREADABLE");
	answer_free(&a);
	free(key);
}

static void
get_url(struct answer *a, const char *url)
{
	ask(library.daemon, a, "GET", url);
}

/* Writes the signed URL of a copy of this item. */
static void
signed_url(const char *id, const char *parameters, char out[400])
{
	json_t *data = remote_must(
	    &library.by_admin, 200, "GET", NULL, "/media/%s/rendition?%s", id, parameters);

	(void)snprintf(out, 400, "%s", text_of(data, "url"));
	json_decref(data);
}

static void
signed_parameters_are_for_everybody(void **state)
{
	char id[27], *key = item(&pictures[0], "signed", id), url[400], again[400];
	struct answer a;

	(void)state;
	signed_url(id, "w=24&format=png", url);
	signed_url(id, "format=png&w=24", again);
	assert_string_equal(url, again);
	get_url(&a, url);
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "content-type"), "image/png");
	assert_string_equal(
	    answer_header(&a, "cache-control"), "public, max-age=31536000, immutable");
	assert_string_equal(answer_header(&a, "x-content-type-options"), "nosniff");
	assert_non_null(strstr(answer_header(&a, "content-security-policy"), "sandbox"));
	assert_int_equal(number_at(a.body + 16), 24);
	assert_int_equal(number_at(a.body + 20), 16);
	answer_free(&a);
	*strstr(url, "w=24") = 'h'; /* a parameter that differs from the signed one */
	get_url(&a, url);
	assert_int_equal(a.status, 403);
	assert_string_equal(answer_code(&a), "FORBIDDEN");
	answer_free(&a);
	(void)snprintf(url, sizeof(url), API "/media/file/%s?w=24", key);
	get_url(&a, url);
	assert_int_equal(a.status, 403);
	answer_free(&a);
	(void)snprintf(url, sizeof(url), API "/media/file/%s?w=5000&s=x", key);
	get_url(&a, url);
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "VALIDATION_ERROR");
	answer_free(&a);
	free(key);
}

static void
parameters_are_checked_before_they_are_signed(void **state)
{
	static const char *const wrong[] = { "q=50", "w=0", "w=4097", "w=9&fit=cover", "w=9&fit=x",
		"w=9&format=gif", "w=9&q=101", "w=a" };
	char id[27], *key = item(&pictures[0], "checked", id);

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		json_decref(remote_must(
		    &library.by_admin, 400, "GET", NULL, "/media/%s/rendition?%s", id, wrong[i]));
	json_decref(
	    remote_must(&library.by_admin, 404, "GET", NULL, "/media/nothing/rendition?w=9"));
	free(key);
}

/* The picture is wider than high, so a square is cut from its left or its right part. */
static void
a_focal_point_says_what_is_cut(void **state)
{
	char id[27], *key = item(&pictures[0], "focal", id), url[400];
	struct answer a[2];
	json_t *data;

	(void)state;
	signed_url(id, "w=8&h=24&fit=cover&format=png", url);
	for (int side = 0; side < 2; side++) {
		data = remote_must(&library.by_admin, 200, "PUT",
		    side == 0 ? "{\"focalX\":0,\"focalY\":0.5}" : "{\"focalX\":1}", "/media/%s",
		    id);

		assert_true(json_number_value(
				json_object_get(json_object_get(data, "item"), "focalX")) == side);
		json_decref(data);
		get_url(&a[side], url);
		assert_int_equal(a[side].status, 200);
		assert_string_equal(
		    answer_header(&a[side], "cache-control"), "public, max-age=86400");
		assert_int_equal(number_at(a[side].body + 16), 8);
		assert_int_equal(number_at(a[side].body + 20), 24);
	}
	assert_string_not_equal(answer_header(&a[0], "etag"), answer_header(&a[1], "etag"));
	assert_true(a[0].len != a[1].len || memcmp(a[0].body, a[1].body, a[0].len) != 0);
	answer_free(&a[0]);
	answer_free(&a[1]);
	json_decref(
	    remote_must(&library.by_admin, 400, "PUT", "{\"focalX\":1.01}", "/media/%s", id));
	data = remote_must(&library.by_admin, 200, "PUT", "{\"focalX\":null}", "/media/%s", id);
	assert_true(json_is_null(json_object_get(json_object_get(data, "item"), "focalX")));
	assert_true(json_is_real(json_object_get(json_object_get(data, "item"), "focalY")));
	json_decref(data);
	free(key);
}

static void
an_item_names_its_smaller_copies(void **state)
{
	char id[27], *key = item(&pictures[0], "srcset", id), expected[400];
	json_t *data;
	struct answer a;

	(void)state;
	/* 48 pixels wide: no preset is smaller, so the smallest preset returns it unchanged. */
	(void)snprintf(expected, sizeof(expected), API "/media/file/%s?preset=small 48w", key);
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s", id);
	assert_string_equal(text_of(json_object_get(data, "item"), "srcset"), expected);
	json_decref(data);
	upload(library.daemon, &a, library.admin,
	    &(struct file){ "b.mp4", "video/mp4", "\1\2\3\5", 4, NULL });
	assert_true(json_is_null(json_object_get(item_of(&a), "srcset")));
	answer_free(&a);
	free(key);
}

/* Another thread removes the files after the commit. */
static void
copies_go_with_the_item(void **state)
{
	char id[27], *key = item(&pictures[0], "gone", id);
	struct answer a;

	(void)state;
	get(&a, key, "small");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	assert_int_equal(cached(key), 1);
	json_decref(remote_must(&library.by_admin, 200, "DELETE", NULL, "/media/%s", id));
	get(&a, key, "small");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	for (int ms = 0; cached(key) != 0 && ms < WAIT_MS; ms += 10)
		(void)poll(NULL, 0, 10);
	assert_int_equal(cached(key), 0);
	free(key);
}

/* Counts or removes the stored copies of an item or of all, over the API. */
static int64_t
kept(const char *method, const char *query)
{
	json_t *data =
	    remote_must(&library.by_admin, 200, method, NULL, "/media/renditions%s", query);
	int64_t count = json_integer_value(json_object_get(data, "count"));

	assert_true(count == 0 || json_integer_value(json_object_get(data, "bytes")) > 0);
	assert_true(json_integer_value(json_object_get(data, "cacheBytes")) > 0);
	json_decref(data);
	return count;
}

static void
copies_that_are_kept_are_counted_and_cleared(void **state)
{
	char id[27], other[27], of_one[60];
	char *key = item(&pictures[0], "kept", id), *second = item(&pictures[0], "kept too", other);
	struct answer a;

	(void)state;
	(void)kept("DELETE", "");
	assert_int_equal(kept("GET", ""), 0);
	get(&a, key, "small");
	answer_free(&a);
	get(&a, key, "thumbnail");
	answer_free(&a);
	get(&a, second, "small");
	answer_free(&a);
	(void)snprintf(of_one, sizeof(of_one), "?id=%s", id);
	assert_int_equal(kept("GET", ""), 3);
	assert_int_equal(kept("GET", of_one), 2);
	assert_int_equal(kept("DELETE", of_one), 2);
	assert_int_equal(cached(key), 0);
	assert_int_equal(cached(second), 1);
	get(&a, key, "small");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	assert_int_equal(kept("DELETE", ""), 2);
	assert_int_equal(kept("GET", ""), 0);
	json_decref(
	    remote_must(&library.by_admin, 404, "GET", NULL, "/media/renditions?id=nothing"));
	free(key);
	free(second);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_is_never_larger_than_the_image),
		cmocka_unit_test(presets_are_a_setting_of_the_site),
		cmocka_unit_test(what_a_camera_noted_is_left_out),
		cmocka_unit_test(a_copy_in_webp_does_not_say_where_the_picture_was_taken),
		cmocka_unit_test(eight_clients_have_one_copy_made),
		cmocka_unit_test(a_copy_that_a_client_has_is_not_sent_again),
		cmocka_unit_test(what_cannot_be_made_is_told),
		cmocka_unit_test(signed_parameters_are_for_everybody),
		cmocka_unit_test(parameters_are_checked_before_they_are_signed),
		cmocka_unit_test(a_focal_point_says_what_is_cut),
		cmocka_unit_test(an_item_names_its_smaller_copies),
		cmocka_unit_test(copies_go_with_the_item),
		cmocka_unit_test(copies_that_are_kept_are_counted_and_cleared),
	};

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
