/* media.c - the media library as its clients meet it: uploads in a form and in three steps, files,
 * folders. */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>

static struct daemon *d;
static struct remote r; /* an administrator */
static char *admin, *author;

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	admin = remote_token(d, "admin", "admin");
	author = remote_token(d, "author", "media:read,media:write");
	daemon_run(d, 0);
	remote_open(&r, d, admin);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&r);
	free(admin);
	free(author);
	daemon_stop(d);
	return 0;
}

/* ---- requests ---- */

/* A PNG of one pixel, and more bytes that make it another file. */
static const unsigned char pixel[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13,
	'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0,
	0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82 };

struct file {
	const char *name, *type;
	const void *bytes;
	size_t len;
	const char *more; /* parts before it; NULL: none */
};

static size_t
png(char out[100], const char *tail)
{
	memcpy(out, pixel, sizeof(pixel));
	memcpy(out + sizeof(pixel), tail, strlen(tail));
	return sizeof(pixel) + strlen(tail);
}

static void
say_form(struct client *c, const char *token, const struct file *f)
{
	char head[1000];
	const char *tail = "\r\n--xx--\r\n", *more = f->more != NULL ? f->more : "";
	int len = snprintf(head, sizeof(head),
	    "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n"
	    "Content-Type: %s\r\n\r\n",
	    f->name, f->type);

	client_say(c,
	    "POST " API "/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx\r\n"
	    "Content-Length: %zu\r\n\r\n%s",
	    token, strlen(more) + (size_t)len + f->len + strlen(tail), more);
	client_send(c, head, (size_t)len);
	client_send(c, f->bytes, f->len);
	client_say(c, "%s", tail);
}

static void
upload(struct answer *a, const char *token, const struct file *f)
{
	struct client c;

	client_open(&c, d, false);
	say_form(&c, token, f);
	client_answer(&c, a, false);
	client_close(&c);
}

static json_t *
item_of(const struct answer *a)
{
	return json_object_get(json_object_get(a->json, "data"), "item");
}

static const char *
text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text != NULL ? text : "";
}

/* A new item with these bytes after those of a PNG; its id in a static buffer. */
static const char *
make(const char *token, const char *tail)
{
	static char id[27];
	char bytes[100];
	struct answer a;

	upload(&a, token, &(struct file){ "a.png", "image/png", bytes, png(bytes, tail), NULL });
	assert_int_equal(a.status, 201);
	(void)snprintf(id, sizeof(id), "%s", text_of(item_of(&a), "id"));
	answer_free(&a);
	return id;
}

static void
expect(const struct file *f, int status, const char *code)
{
	struct answer a;

	upload(&a, admin, f);
	if (a.status != status || strcmp(answer_code(&a), code) != 0)
		fail_msg("%s as %s: %d %s", f->name, f->type, a.status, a.body);
	answer_free(&a);
}

/* ---- direct uploads ---- */

static void
an_upload_is_an_item_at_once(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "first");
	struct answer a;
	json_t *data, *item;

	(void)state;
	upload(&a, admin,
	    &(struct file){ "Photo.JPG.png", "image/png; charset=x", bytes, len,
		"--xx\r\nContent-Disposition: form-data; name=\"width\"\r\n\r\n640\r\n"
		"--xx\r\nContent-Disposition: form-data; name=\"height\"\r\n\r\n480\r\n" });
	assert_int_equal(a.status, 201);
	item = item_of(&a);
	assert_int_equal(json_object_size(item), 17);
	assert_string_equal(text_of(item, "filename"), "Photo.JPG.png");
	assert_string_equal(text_of(item, "mimeType"), "image/png");
	assert_string_equal(text_of(item, "status"), "ready");
	assert_int_equal(json_integer_value(json_object_get(item, "size")), len);
	assert_int_equal(json_integer_value(json_object_get(item, "width")), 640);
	assert_true(json_is_null(json_object_get(item, "folderId")));
	assert_int_equal(strlen(text_of(item, "contentHash")), 45);
	assert_non_null(strstr(text_of(item, "url"), "/media/file/"));
	assert_non_null(strstr(text_of(item, "url"), ".png"));
	data = remote_must(&r, 200, "GET", NULL, "/media/%s", text_of(item, "id"));
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
	(void)snprintf(id, sizeof(id), "%s", make(admin, "twice"));
	upload(&a, author, &f);
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
		client_open(&c[i], d, false);
		say_form(&c[i], admin, &f);
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
	/* its bytes are of another kind than it says */
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
	/* what nobody knows is taken as it is declared */
	expect(&(struct file){ "a.mp4", "video/mp4", "\1\2\3", 3, NULL }, 201, "");
	expect(&(struct file){ "a.png", "image/png", pixel, sizeof(pixel),
		   "--xx\r\nContent-Disposition: form-data; name=\"width\"\r\n\r\n-1\r\n" },
	    400, "VALIDATION_ERROR");
	expect(
	    &(struct file){ "", "image/png", pixel, sizeof(pixel), NULL }, 400, "VALIDATION_ERROR");
}

static void
a_form_without_a_file_is_told(void **state)
{
	static const char body[] =
	    "--xx\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\ntext\r\n--xx--\r\n";
	struct client c;
	struct answer a;

	(void)state;
	client_open(&c, d, false);
	client_say(&c,
	    "POST " API "/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx\r\n"
	    "Content-Length: %zu\r\n\r\n%s",
	    admin, sizeof(body) - 1, body);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "NO_FILE");
	answer_free(&a);
	client_close(&c);
}

/* The limit is a setting of the site; what is far beyond it is refused before it has come. */
static void
a_file_that_is_too_large_is_refused(void **state)
{
	static char bytes[200000];
	struct client c;
	struct answer a;

	(void)state;
	json_decref(remote_must(&r, 200, "PUT", "{\"values\":{\"maxUploadSize\":1000}}",
	    "/admin/plugins/media/settings"));
	expect(&(struct file){ "a.mp4", "video/mp4", bytes, 1001, NULL }, 413, "PAYLOAD_TOO_LARGE");
	expect(&(struct file){ "a.mp4", "video/mp4", bytes, 1000, NULL }, 201, "");
	client_open(&c, d, false);
	client_say(&c,
	    "POST " API "/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx\r\n"
	    "Content-Length: 200000\r\n\r\n",
	    admin);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 413);
	assert_string_equal(answer_code(&a), "PAYLOAD_TOO_LARGE");
	answer_free(&a);
	client_close(&c);
	json_decref(remote_must(&r, 200, "PUT", "{\"values\":{\"maxUploadSize\":null}}",
	    "/admin/plugins/media/settings"));
}

/* ---- three steps ---- */

static void
put(struct answer *a, const char *path, const char *type, const char *bytes, size_t len)
{
	struct client c;

	client_open(&c, d, false);
	client_say(&c,
	    "PUT %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nX-CMS-Request: 1\r\n"
	    "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n",
	    path, author, type, len);
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
	size_t len = sizeof(pixel) + 5;
	char body[200], url[200], id[27];
	struct remote by;
	struct answer a;
	json_t *data;

	(void)state;
	remote_open(&by, d, author);
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"s.PNG\",\"contentType\":\"image/png\",\"size\":%zu}", len);
	data = remote_must(&by, 200, "POST", body, "/media/upload-url");
	(void)snprintf(url, sizeof(url), "%s", text_of(data, "uploadUrl"));
	(void)snprintf(id, sizeof(id), "%s", text_of(data, "mediaId"));
	assert_string_equal(text_of(data, "method"), "PUT");
	assert_string_equal(text_of(json_object_get(data, "headers"), "Content-Type"), "image/png");
	assert_null(json_object_get(data, "existing"));
	json_decref(data);

	/* it is in no list until it is confirmed, and that wants the bytes */
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
	expect_put(url, "image/png", len, 200, ""); /* once more, before it is confirmed */
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
a_file_that_is_there_needs_no_upload(void **state)
{
	char body[300], id[27];
	json_t *data;

	(void)state;
	(void)snprintf(id, sizeof(id), "%s", make(admin, "there"));
	data = remote_must(&r, 200, "GET", NULL, "/media/%s", id);
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"x.png\",\"contentType\":\"image/png\",\"size\":%zu,"
	    "\"contentHash\":\"%s\"}",
	    sizeof(pixel) + 5, text_of(json_object_get(data, "item"), "contentHash"));
	json_decref(data);
	data = remote_must(&r, 200, "POST", body, "/media/upload-url");
	assert_true(json_is_true(json_object_get(data, "existing")));
	assert_string_equal(text_of(data, "mediaId"), id);
	assert_null(json_object_get(data, "uploadUrl"));
	json_decref(data);
	json_decref(remote_must(&r, 400, "POST",
	    "{\"filename\":\"x\",\"contentType\":\"image/png\",\"size\":1,\"contentHash\":\"md5:1\"}",
	    "/media/upload-url"));
	json_decref(remote_must(&r, 400, "POST",
	    "{\"filename\":\"x\",\"contentType\":\"image/png\\r\\nX: y\",\"size\":1}",
	    "/media/upload-url"));
	json_decref(remote_must(&r, 400, "POST",
	    "{\"filename\":\"x\",\"contentType\":\"image/png\",\"size\":52428801}",
	    "/media/upload-url"));
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
	data = remote_must(&r, 200, "GET", NULL, "/media/%s", make(admin, "serve"));
	(void)snprintf(path, sizeof(path), "%s", text_of(json_object_get(data, "item"), "url"));
	json_decref(data);
	ask(d, &a, "GET", path);
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

	remote_open(&nobody, d, NULL);
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
	ask(d, &a, "GET", API "/media/file/01JZZZZZZZZZZZZZZZZZZZZZZZ.png");
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
	(void)snprintf(id, sizeof(id), "%s", make(admin, "gone"));
	data = remote_must(&r, 200, "GET", NULL, "/media/%s", id);
	(void)snprintf(path, sizeof(path), "%s", text_of(json_object_get(data, "item"), "url"));
	json_decref(data);
	json_decref(remote_must(&r, 200, "DELETE", NULL, "/media/%s", id));
	json_decref(remote_must(&r, 404, "DELETE", NULL, "/media/%s", id));
	json_decref(remote_must(&r, 404, "GET", NULL, "/media/%s", id));
	ask(d, &a, "GET", path);
	assert_int_equal(a.status, 404);
	answer_free(&a);
	said = COMMAND(d, "verify");
	assert_null(strstr(said, "missing"));
	free(said);
}

/* ---- who may what ---- */

static void
an_author_changes_what_is_theirs(void **state)
{
	char own[27], other[27];
	struct remote by;

	(void)state;
	(void)snprintf(own, sizeof(own), "%s", make(author, "mine"));
	(void)snprintf(other, sizeof(other), "%s", make(admin, "yours"));
	remote_open(&by, d, author);
	json_decref(remote_must(
	    &by, 200, "PUT", "{\"alt\":\"A pixel\",\"caption\":\"\"}", "/media/%s", own));
	json_decref(remote_must(&by, 403, "PUT", "{\"alt\":\"Mine now\"}", "/media/%s", other));
	json_decref(remote_must(&by, 403, "DELETE", NULL, "/media/%s", other));
	json_decref(remote_must(&by, 404, "PUT", "{\"alt\":\"x\"}", "/media/nothing"));
	json_decref(remote_must(&by, 400, "PUT", "{\"alt\":null}", "/media/%s", own));
	json_decref(remote_must(&by, 403, "POST", "{\"name\":\"Folder\"}", "/media/folders"));
	json_decref(remote_must(&by, 200, "DELETE", NULL, "/media/%s", own));
	remote_close(&by);
}

/* ---- lists and folders ---- */

static size_t
count(const char *query)
{
	json_t *data = remote_must(&r, 200, "GET", NULL, "/media?%s", query);
	size_t n = json_array_size(json_object_get(data, "items"));

	json_decref(data);
	return n;
}

static void
lists_are_filtered_and_paged(void **state)
{
	json_t *data, *next;
	char query[2200];
	int64_t total;

	(void)state;
	(void)make(admin, "list 1");
	(void)make(admin, "list 2");
	data = remote_must(&r, 200, "GET", NULL, "/media?page=1&limit=2");
	total = json_integer_value(json_object_get(data, "totalCount"));
	assert_int_equal(json_array_size(json_object_get(data, "items")), 2);
	assert_null(json_object_get(data, "nextCursor"));
	json_decref(data);
	assert_int_equal(count("limit=100"), total);
	assert_int_equal(count("page=99"), 0);
	assert_int_equal(count("limit=100&mimeType=image/"), count("limit=100&mimeType=image/png"));
	assert_int_equal(count("limit=100&mimeType=image/,%20VIDEO/mp4"), total);
	assert_int_equal(count("limit=100&mimeType=text/"), 0);
	assert_int_equal(count("limit=100&q=photo.jpg"), 1);
	assert_int_equal(count("limit=100&q=%25"), 0);
	assert_int_equal(count("limit=100&folderId=unfiled"), total);
	assert_int_equal(count("limit=100&folderId=nothing"), 0);

	data = remote_must(&r, 200, "GET", NULL, "/media?limit=2");
	assert_null(json_object_get(data, "totalCount"));
	(void)snprintf(
	    query, sizeof(query), "/media?limit=2&cursor=%s", text_of(data, "nextCursor"));
	next = remote_must(&r, 200, "GET", NULL, "%s", query);
	assert_false(json_equal(json_array_get(json_object_get(data, "items"), 0),
	    json_array_get(json_object_get(next, "items"), 0)));
	json_decref(data);
	json_decref(next);
	json_decref(remote_must(&r, 400, "GET", NULL, "/media?page=1&cursor="));
	json_decref(remote_must(&r, 400, "GET", NULL, "/media?page=0"));
	json_decref(remote_must(&r, 400, "GET", NULL, "/media?limit=101"));
	json_decref(remote_must(&r, 400, "GET", NULL, "/media?q=%%20"));
	json_decref(remote_must(&r, 400, "GET", NULL, "/media?cursor=nonsense"));
}

static void
names_of_folders_are_compared_without_case(void **state)
{
	char id[27], item[27];
	json_t *data;

	(void)state;
	data =
	    remote_must(&r, 201, "POST", "{\"name\":\" Pho\\u0074os\\u00a0\"}", "/media/folders");
	assert_string_equal(text_of(json_object_get(data, "item"), "name"), "Photos");
	(void)snprintf(id, sizeof(id), "%s", text_of(json_object_get(data, "item"), "id"));
	json_decref(data);
	json_decref(remote_must(&r, 409, "POST", "{\"name\":\"photos\"}", "/media/folders"));
	json_decref(remote_must(&r, 409, "POST",
	    "{\"name\":\"\\uff30\\uff28\\uff2f\\uff34\\uff2f\\uff33\"}", "/media/folders"));
	json_decref(remote_must(&r, 400, "POST", "{\"name\":\" \\ufeff \"}", "/media/folders"));
	json_decref(remote_must(&r, 201, "POST", "{\"name\":\"Archive\"}", "/media/folders"));
	json_decref(remote_must(&r, 200, "PUT", "{\"name\":\"PHOTOS\"}", "/media/folders/%s", id));
	json_decref(remote_must(&r, 409, "PUT", "{\"name\":\"archive\"}", "/media/folders/%s", id));
	json_decref(remote_must(&r, 404, "PUT", "{\"name\":\"x\"}", "/media/folders/nothing"));
	data = remote_must(&r, 200, "GET", NULL, "/media/folders");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 2);
	assert_string_equal(
	    text_of(json_array_get(json_object_get(data, "items"), 0), "name"), "Archive");
	json_decref(data);
	data = remote_must(&r, 200, "GET", NULL, "/media/folders?q=HOT");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 1);
	json_decref(data);
	json_decref(remote_must(&r, 400, "GET", NULL, "/media/folders?cursor=x"));

	/* an item goes in, and back when the folder goes */
	(void)snprintf(item, sizeof(item), "%s", make(admin, "filed"));
	json_decref(remote_must(
	    &r, 404, "PUT", "{\"alt\":\"lost\",\"folderId\":\"nothing\"}", "/media/%s", item));
	data = remote_must(&r, 200, "GET", NULL, "/media/%s", item);
	assert_true(json_is_null(json_object_get(json_object_get(data, "item"), "alt")));
	json_decref(data);
	{
		char body[100], query[100];

		(void)snprintf(body, sizeof(body), "{\"folderId\":\"%s\"}", id);
		json_decref(remote_must(&r, 200, "PUT", body, "/media/%s", item));
		(void)snprintf(query, sizeof(query), "folderId=%s", id);
		assert_int_equal(count(query), 1);
		json_decref(
		    remote_must(&r, 200, "PUT", "{\"folderId\":\"unfiled\"}", "/media/%s", item));
		assert_int_equal(count(query), 0);
		json_decref(remote_must(&r, 200, "PUT", body, "/media/%s", item));
	}
	json_decref(remote_must(&r, 200, "DELETE", NULL, "/media/folders/%s", id));
	json_decref(remote_must(&r, 404, "GET", NULL, "/media/folders/%s", id));
	data = remote_must(&r, 200, "GET", NULL, "/media/%s", item);
	assert_true(json_is_null(json_object_get(json_object_get(data, "item"), "folderId")));
	json_decref(data);
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
		cmocka_unit_test(a_file_that_is_too_large_is_refused),
		cmocka_unit_test(an_upload_in_three_steps),
		cmocka_unit_test(a_file_that_is_there_needs_no_upload),
		cmocka_unit_test(a_file_is_for_everybody_and_for_ever),
		cmocka_unit_test(a_deleted_item_is_gone_with_its_file),
		cmocka_unit_test(an_author_changes_what_is_theirs),
		cmocka_unit_test(lists_are_filtered_and_paged),
		cmocka_unit_test(names_of_folders_are_compared_without_case),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
