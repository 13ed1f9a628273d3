/* media.c - uploads to the media library, in a form and in three steps, and the stored files. */
#include "uploads.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- direct uploads ---- */

static void
expect(const struct file *f, int status, const char *code)
{
	struct answer a;

	upload(library.daemon, &a, library.admin, f);
	if (a.status != status || strcmp(answer_code(&a), code) != 0)
		fail_msg("%s as %s: %d %s", f->name, f->type, a.status, a.body);
	answer_free(&a);
}

static void
an_upload_is_an_item_at_once(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "first");
	struct answer a;
	json_t *data, *item;

	(void)state;
	upload(library.daemon, &a, library.admin,
	    &(struct file){ "Photo.JPG.png", "image/png; charset=x", bytes, len,
		"--xx\r\nContent-Disposition: form-data; name=\"width\"\r\n\r\n640\r\n"
		"--xx\r\nContent-Disposition: form-data; name=\"height\"\r\n\r\n480\r\n" });
	assert_int_equal(a.status, 201);
	item = item_of(&a);
	assert_int_equal(json_object_size(item), 21);
	assert_string_equal(text_of(item, "filename"), "Photo.JPG.png");
	assert_string_equal(text_of(item, "mimeType"), "image/png");
	assert_string_equal(text_of(item, "status"), "ready");
	assert_int_equal(json_integer_value(json_object_get(item, "size")), len);
	assert_int_equal(json_integer_value(json_object_get(item, "width")), 640);
	assert_true(json_is_null(json_object_get(item, "folderId")));
	assert_int_equal(strlen(text_of(item, "contentHash")), 45);
	assert_non_null(strstr(text_of(item, "url"), "/media/file/"));
	assert_non_null(strstr(text_of(item, "url"), ".png"));
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s", text_of(item, "id"));
	assert_true(json_equal(json_object_get(data, "item"), item));
	json_decref(data);
	answer_free(&a);
}

static void
the_same_file_makes_no_second_item(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "twice");
	const struct file f = { "other-name.png", "image/png", bytes, len, NULL };
	char id[27];
	struct answer a;

	(void)state;
	(void)snprintf(id, sizeof(id), "%s", make(library.daemon, library.admin, "twice"));
	upload(library.daemon, &a, library.author, &f);
	assert_int_equal(a.status, 200);
	assert_true(json_is_true(json_object_get(json_object_get(a.json, "data"), "deduplicated")));
	assert_string_equal(text_of(item_of(&a), "id"), id);
	assert_string_equal(text_of(item_of(&a), "filename"), "a.png");
	answer_free(&a);
}

static void
eight_clients_with_one_file_make_one_item(void **state)
{
	char bytes[100], id[27] = "";
	size_t len = png(bytes, "eight");
	const struct file f = { "e.png", "image/png", bytes, len, NULL };
	struct client c[8];
	int made = 0;

	(void)state;
	for (int i = 0; i < 8; i++) {
		client_open(&c[i], library.daemon, false);
		say_form(&c[i], library.admin, &f);
	}
	for (int i = 0; i < 8; i++) {
		struct answer a;

		client_answer(&c[i], &a, false);
		assert_true(a.status == 200 || a.status == 201);
		made += a.status == 201;
		assert_true(*id == '\0' || strcmp(id, text_of(item_of(&a), "id")) == 0);
		(void)snprintf(id, sizeof(id), "%s", text_of(item_of(&a), "id"));
		answer_free(&a);
		client_close(&c[i]);
	}
	assert_int_equal(made, 1);
}

static void
what_may_not_be_uploaded_is_refused(void **state)
{
	static const char html[] = "<!DOCTYPE html><html><script>alert(1)</script></html>";
	static const char svg[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>";
	static const char script[] = "#!/bin/sh\necho hello\n";
	static const char program[] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\76\0\1\0\0\0";
	static const char gif[] = "GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377!\371\4";

	(void)state;
	expect(&(struct file){ "a.html", "text/html", html, sizeof(html) - 1, NULL }, 400,
	    "INVALID_TYPE");
	expect(&(struct file){ "a.svg", "image/svg+xml", svg, sizeof(svg) - 1, NULL }, 400,
	    "INVALID_TYPE");
	expect(&(struct file){ "a.png", "nonsense", html, sizeof(html) - 1, NULL }, 400,
	    "INVALID_TYPE");
	/* the file's content is of another type than declared */
	expect(&(struct file){ "a.png", "image/png", html, sizeof(html) - 1, NULL }, 400,
	    "INVALID_TYPE");
	expect(&(struct file){ "a.png", "image/png", svg, sizeof(svg) - 1, NULL }, 400,
	    "INVALID_TYPE");
	expect(&(struct file){ "a.pdf", "application/pdf", script, sizeof(script) - 1, NULL }, 400,
	    "INVALID_TYPE");
	expect(&(struct file){ "a.mp4", "video/mp4", program, sizeof(program), NULL }, 400,
	    "INVALID_TYPE");
	expect(&(struct file){ "a.png", "image/png", gif, sizeof(gif) - 1, NULL }, 400,
	    "INVALID_TYPE");
	/* bytes of no known type are accepted as the declared type */
	expect(&(struct file){ "a.mp4", "video/mp4", "\1\2\3", 3, NULL }, 201, "");
	expect(&(struct file){ "a.png", "image/png", pixel, PIXEL_SIZE,
		   "--xx\r\nContent-Disposition: form-data; name=\"width\"\r\n\r\n-1\r\n" },
	    400, "VALIDATION_ERROR");
	expect(&(struct file){ "", "image/png", pixel, PIXEL_SIZE, NULL }, 400, "VALIDATION_ERROR");
}

static void
a_form_without_a_file_is_told(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, library.daemon, false);
	client_say(&c,
	    "POST " API "/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx\r\n"
	    "Content-Length: 67\r\n\r\n--xx\r\nContent-Disposition: form-data; name=\"file\""
	    "\r\n\r\ntext\r\n--xx--\r\n",
	    library.admin);
	client_answer(&c, &a, false);
	assert_string_equal(answer_code(&a), "NO_FILE");
	answer_free(&a);
	client_close(&c);
}

#define PART(name, value) \
	"--xx\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n" value "\r\n"

/* A description comes with the file, as media_update would set it. */
static void
a_form_has_the_description_of_its_file(void **state)
{
	char bytes[100], more[400];
	size_t len = png(bytes, "described");
	struct file f = { "a.png", "image/png", bytes, len, more };
	json_t *folder = remote_must(
	    &library.by_admin, 201, "POST", "{\"name\":\"Described\"}", "/media/folders");
	const char *id = text_of(json_object_get(folder, "item"), "id");
	struct answer a;

	(void)state;
	(void)snprintf(more, sizeof(more),
	    PART("alt", "A dot") PART("caption", "Small") PART("folderId", "%s"), id);
	upload(library.daemon, &a, library.author, &f);
	assert_int_equal(a.status, 201);
	assert_string_equal(text_of(item_of(&a), "alt"), "A dot");
	assert_string_equal(text_of(item_of(&a), "caption"), "Small");
	assert_string_equal(text_of(item_of(&a), "folderId"), id);
	answer_free(&a);
	json_decref(folder);
	f.len = png(bytes, "elsewhere");
	f.more = PART("folderId", "nowhere");
	expect(&f, 404, "NOT_FOUND");
	f.more = PART("alt", "\377");
	expect(&f, 400, "VALIDATION_ERROR");
	f.more = PART("alt", "") PART("caption", "") PART("folderId", "");
	expect(&f, 201, "");
}

/* The limit is a setting of the site. A file that is far beyond it is refused before its body was
 * received. */
static void
a_file_that_is_too_large_is_refused(void **state)
{
	static char bytes[200000];
	struct client c;
	struct answer a;

	(void)state;
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"maxUploadSize\":1000}}", "/admin/plugins/media/settings"));
	expect(&(struct file){ "a.mp4", "video/mp4", bytes, 1001, NULL }, 413, "PAYLOAD_TOO_LARGE");
	expect(&(struct file){ "a.mp4", "video/mp4", bytes, 1000, NULL }, 201, "");
	client_open(&c, library.daemon, false);
	client_say(&c,
	    "POST " API "/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx\r\n"
	    "Content-Length: 200000\r\n\r\n",
	    library.admin);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 413);
	assert_string_equal(answer_code(&a), "PAYLOAD_TOO_LARGE");
	answer_free(&a);
	client_close(&c);
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"maxUploadSize\":null}}", "/admin/plugins/media/settings"));
}

/* ---- three steps ---- */

static void
put(struct answer *a, const char *path, const char *type, const char *bytes, size_t len)
{
	struct client c;

	client_open(&c, library.daemon, false);
	client_say(&c,
	    "PUT %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nX-CMS-Request: 1\r\n"
	    "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n",
	    path, library.author, type, len);
	client_send(&c, bytes, len);
	client_answer(&c, a, false);
	client_close(&c);
}

static void
expect_put(const char *path, const char *type, size_t len, int status, const char *code)
{
	char bytes[100];
	struct answer a;

	memset(bytes, 'x', sizeof(bytes));
	(void)png(bytes, "steps");
	put(&a, path, type, bytes, len);
	if (a.status != status || strcmp(answer_code(&a), code) != 0)
		fail_msg("PUT of %zu bytes as %s: %d %s", len, type, a.status, a.body);
	answer_free(&a);
}

static void
an_upload_in_three_steps(void **state)
{
	size_t len = PIXEL_SIZE + 5;
	char body[200], url[200], id[27];
	struct remote by;
	struct answer a;
	json_t *data;

	(void)state;
	remote_open(&by, library.daemon, library.author);
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"s.PNG\",\"contentType\":\"image/png\",\"size\":%zu}", len);
	data = remote_must(&by, 200, "POST", body, "/media/upload-url");
	(void)snprintf(url, sizeof(url), "%s", text_of(data, "uploadUrl"));
	(void)snprintf(id, sizeof(id), "%s", text_of(data, "mediaId"));
	assert_string_equal(text_of(data, "method"), "PUT");
	assert_string_equal(text_of(json_object_get(data, "headers"), "Content-Type"), "image/png");
	assert_null(json_object_get(data, "existing"));
	json_decref(data);

	/* lists omit the item until it is confirmed; confirming fails before the file was
	 * uploaded */
	data = remote_must(&by, 200, "GET", NULL, "/media?q=s.PNG");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 0);
	json_decref(data);
	remote_ask(&by, &a, "POST", NULL, "/media/%s/confirm", id);
	assert_string_equal(answer_code(&a), "FILE_NOT_FOUND");
	answer_free(&a);
	expect_put(url, "image/jpeg", len, 400, "INVALID_TYPE");
	expect_put(url, "image/png", len - 1, 400, "UPLOAD_SIZE_MISMATCH");
	expect_put(url, "image/png", len + 1, 413, "PAYLOAD_TOO_LARGE");
	expect_put(url, "image/png", len, 200, "");
	expect_put(
	    url, "image/png", len, 200, ""); /* uploads once more, before the item is confirmed */
	remote_ask(&by, &a, "POST", "{\"size\":1}", "/media/%s/confirm", id);
	assert_string_equal(answer_code(&a), "UPLOAD_SIZE_MISMATCH");
	answer_free(&a);
	data = remote_must(&by, 200, "POST", "{\"width\":3,\"height\":4}", "/media/%s/confirm", id);
	assert_string_equal(text_of(json_object_get(data, "item"), "status"), "ready");
	(void)snprintf(url, sizeof(url), "%s", text_of(json_object_get(data, "item"), "url"));
	json_decref(data);
	json_decref(remote_must(&by, 200, "POST", NULL, "/media/%s/confirm", id));
	expect_put(url, "image/png", len, 405, "METHOD_NOT_ALLOWED");
	(void)snprintf(url, sizeof(url), API "/media/%s/upload", id);
	expect_put(url, "image/png", len, 400, "INVALID_STATE");
	expect_put(
	    API "/media/01JZZZZZZZZZZZZZZZZZZZZZZZ/upload", "image/png", len, 404, "NOT_FOUND");
	remote_close(&by);
}

static void
an_empty_file_may_be_uploaded(void **state)
{
	char url[200], path[200];
	struct remote by;
	struct answer a;
	json_t *data;

	(void)state;
	remote_open(&by, library.daemon, library.author);
	data = remote_must(&by, 200, "POST",
	    "{\"filename\":\"e.mp4\",\"contentType\":\"video/mp4\",\"size\":0}",
	    "/media/upload-url");
	(void)snprintf(url, sizeof(url), "%s", text_of(data, "uploadUrl"));
	expect_put(url, "image/png", 0, 400, "INVALID_TYPE");
	expect_put(url, "video/mp4", 1, 413, "PAYLOAD_TOO_LARGE");
	expect_put(url, "video/mp4", 0, 200, "");
	(void)snprintf(path, sizeof(path), "/media/%s/confirm", text_of(data, "mediaId"));
	json_decref(data);
	data = remote_must(&by, 200, "POST", NULL, "%s", path);
	(void)snprintf(url, sizeof(url), "%s", text_of(json_object_get(data, "item"), "url"));
	json_decref(data);
	ask(library.daemon, &a, "GET", url);
	assert_int_equal(a.status, 200);
	assert_int_equal(a.len, 0);
	answer_free(&a);
	remote_close(&by);
}

static void
a_file_that_is_there_needs_no_upload(void **state)
{
	char body[300], id[27];
	json_t *data;

	(void)state;
	(void)snprintf(id, sizeof(id), "%s", make(library.daemon, library.admin, "there"));
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s", id);
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"x.png\",\"contentType\":\"image/png\",\"size\":%zu,"
	    "\"contentHash\":\"%s\"}",
	    PIXEL_SIZE + 5, text_of(json_object_get(data, "item"), "contentHash"));
	json_decref(data);
	data = remote_must(&library.by_admin, 200, "POST", body, "/media/upload-url");
	assert_true(json_is_true(json_object_get(data, "existing")));
	assert_string_equal(text_of(data, "mediaId"), id);
	assert_null(json_object_get(data, "uploadUrl"));
	json_decref(data);
	json_decref(remote_must(&library.by_admin, 400, "POST",
	    "{\"filename\":\"x\",\"contentType\":\"image/png\",\"size\":1,\"contentHash\":\"md5:1\"}",
	    "/media/upload-url"));
	json_decref(remote_must(&library.by_admin, 400, "POST",
	    "{\"filename\":\"x\",\"contentType\":\"image/png\\r\\nX: y\",\"size\":1}",
	    "/media/upload-url"));
	json_decref(remote_must(&library.by_admin, 400, "POST",
	    "{\"filename\":\"x\",\"contentType\":\"image/png\",\"size\":52428801}",
	    "/media/upload-url"));
}

/* Two beginnings of PDF files with one SHA-1 (shattered.io, 2017), hexadecimal. */
#define SHATTERED_BEGIN                                                                    \
	"255044462d312e330a25e2e3cfd30a0a0a312030206f626a0a3c3c2f57696474682032203020522f" \
	"4865696768742033203020522f547970652034203020522f537562747970652035203020522f4669" \
	"6c7465722036203020522f436f6c6f7253706163652037203020522f4c656e677468203820302052" \
	"2f42697473506572436f6d706f6e656e7420383e3e0a73747265616d0affd8fffe00245348412d31" \
	"20697320646561642121212121852fec092339759c39b1a1c63c4c97e1fffe01"
static const char *const shattered_hex[2] = { SHATTERED_BEGIN
	"7f46dc93a6b67e013b029aaa1db2560b45ca67d688c7f84b8c4c791fe02b3df614f86db1690901c5"
	"6b45c1530afedfb76038e972722fe7ad728f0e4904e046c230570fe9d41398abe12ef5bc942be335"
	"42a4802d98b5d70f2a332ec37fac3514e74ddc0f2cc1a874cd0c78305a21566461309789606bd0bf"
	"3f98cda8044629a1",
	SHATTERED_BEGIN
	"7346dc9166b67e118f029ab621b2560ff9ca67cca8c7f85ba84c79030c2b3de218f86db3a90901d5"
	"df45c14f26fedfb3dc38e96ac22fe7bd728f0e45bce046d23c570feb141398bb552ef5a0a82be331"
	"fea48037b8b5d71f0e332edf93ac3500eb4ddc0decc1a864790c782c76215660dd309791d06bd0af"
	"3f98cda4bc4629b1" };

static void
files_with_one_sha1_are_two_items(void **state)
{
	char key[2][100], hash[2][50], sha256[2][65], body[500];
	unsigned char shattered[2][320];
	json_t *data;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct file one = { "a.pdf", "application/pdf", shattered[i], 320, NULL };
		struct answer a;

		assert_int_equal(
		    sodium_hex2bin(shattered[i], 320, shattered_hex[i], 640, NULL, NULL, NULL), 0);
		upload(library.daemon, &a, library.admin, &one);
		assert_int_equal(a.status, 201);
		(void)snprintf(key[i], sizeof(key[i]), "%s", text_of(item_of(&a), "url"));
		(void)snprintf(hash[i], sizeof(hash[i]), "%s", text_of(item_of(&a), "contentHash"));
		answer_free(&a);
		ask(library.daemon, &a, "GET", key[i]);
		assert_int_equal(a.len, 320);
		assert_memory_equal(a.body, shattered[i], 320);
		answer_free(&a);
	}
	assert_string_equal(hash[0], hash[1]);
	/* The shared SHA-1 identifies neither file; the SHA-256 identifies each. */
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"a.pdf\",\"contentType\":\"application/pdf\",\"size\":320,"
	    "\"contentHash\":\"%s\"}",
	    hash[0]);
	data = remote_must(&library.by_admin, 200, "POST", body, "/media/upload-url");
	assert_null(json_object_get(data, "existing"));
	json_decref(data);
	for (int i = 0; i < 2; i++) {
		unsigned char digest[32];

		(void)crypto_hash_sha256(digest, shattered[i], 320);
		(void)sodium_bin2hex(sha256[i], sizeof(sha256[i]), digest, sizeof(digest));
		(void)snprintf(body, sizeof(body),
		    "{\"filename\":\"a.pdf\",\"contentType\":\"application/pdf\",\"size\":320,"
		    "\"contentHash\":\"%s\",\"sha256\":\"%s\"}",
		    hash[i], sha256[i]);
		data = remote_must(&library.by_admin, 200, "POST", body, "/media/upload-url");
		assert_true(json_is_true(json_object_get(data, "existing")));
		assert_string_equal(text_of(data, "url"), key[i]);
		json_decref(data);
	}
}

/* ---- files ---- */

static void
a_file_is_for_everybody_and_for_ever(void **state)
{
	char path[200], bytes[100], tag[100];
	size_t len = png(bytes, "serve");
	struct remote nobody;
	struct answer a;
	json_t *data;

	(void)state;
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s",
	    make(library.daemon, library.admin, "serve"));
	(void)snprintf(path, sizeof(path), "%s", text_of(json_object_get(data, "item"), "url"));
	json_decref(data);
	ask(library.daemon, &a, "GET", path);
	assert_int_equal(a.status, 200);
	assert_int_equal(a.len, len);
	assert_memory_equal(a.body, bytes, len);
	assert_string_equal(answer_header(&a, "content-type"), "image/png");
	assert_string_equal(
	    answer_header(&a, "cache-control"), "public, max-age=31536000, immutable");
	assert_string_equal(answer_header(&a, "x-content-type-options"), "nosniff");
	assert_non_null(strstr(answer_header(&a, "content-security-policy"), "sandbox"));
	(void)snprintf(tag, sizeof(tag), "%s", answer_header(&a, "etag"));
	answer_free(&a);

	remote_open(&nobody, library.daemon, NULL);
	(void)snprintf(
	    nobody.more, sizeof(nobody.more), "Range: bytes=1-3\r\nIf-Range: %s\r\n", tag);
	remote_ask(&nobody, &a, "GET", NULL, "%s", path + strlen(API));
	assert_int_equal(a.status, 206);
	assert_int_equal(a.len, 3);
	answer_free(&a);
	(void)snprintf(nobody.more, sizeof(nobody.more), "If-None-Match: %s\r\n", tag);
	remote_ask(&nobody, &a, "GET", NULL, "%s", path + strlen(API));
	assert_int_equal(a.status, 304);
	answer_free(&a);
	remote_close(&nobody);
	ask(library.daemon, &a, "GET", API "/media/file/01JZZZZZZZZZZZZZZZZZZZZZZZ.png");
	assert_string_equal(answer_code(&a), "NOT_FOUND");
	answer_free(&a);
}

static void
a_deleted_item_is_gone_with_its_file(void **state)
{
	char path[200], id[27];
	struct answer a;
	json_t *data;
	char *said;

	(void)state;
	(void)snprintf(id, sizeof(id), "%s", make(library.daemon, library.admin, "gone"));
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s", id);
	(void)snprintf(path, sizeof(path), "%s", text_of(json_object_get(data, "item"), "url"));
	json_decref(data);
	json_decref(remote_must(&library.by_admin, 200, "DELETE", NULL, "/media/%s", id));
	json_decref(remote_must(&library.by_admin, 404, "DELETE", NULL, "/media/%s", id));
	json_decref(remote_must(&library.by_admin, 404, "GET", NULL, "/media/%s", id));
	ask(library.daemon, &a, "GET", path);
	assert_int_equal(a.status, 404);
	answer_free(&a);
	said = COMMAND(library.daemon, "verify");
	assert_null(strstr(said, "missing"));
	free(said);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_upload_is_an_item_at_once),
		cmocka_unit_test(the_same_file_makes_no_second_item),
		cmocka_unit_test(eight_clients_with_one_file_make_one_item),
		cmocka_unit_test(what_may_not_be_uploaded_is_refused),
		cmocka_unit_test(a_form_without_a_file_is_told),
		cmocka_unit_test(a_form_has_the_description_of_its_file),
		cmocka_unit_test(a_file_that_is_too_large_is_refused),
		cmocka_unit_test(an_upload_in_three_steps),
		cmocka_unit_test(an_empty_file_may_be_uploaded),
		cmocka_unit_test(a_file_that_is_there_needs_no_upload),
		cmocka_unit_test(files_with_one_sha1_are_two_items),
		cmocka_unit_test(a_file_is_for_everybody_and_for_ever),
		cmocka_unit_test(a_deleted_item_is_gone_with_its_file),
	};

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
