/*
 * uploadurl.c - assistants upload by URL. A program that signed in by OAuth has a token for the
 * tool server only. So the URL from its tool is the credential: for one file of one type and size,
 * once, for an hour, and only while the user may upload.
 */
#include "consents.h"
#include "uploads.h"

#include <stdio.h>
#include <stdlib.h>

#define HOUR 3600000LL
#define START 1764000000000LL

static struct consents ann;
static char assistant[64]; /* the access token of Ann's client, for the tool server */
static char *writer; /* a token of a Contributor */

static int
begin(void **state)
{
	(void)state;
	consents_start(&ann);
	writer = remote_token(ann.d, "contributor", "media:write");
	return 0;
}

static int
end(void **state)
{
	(void)state;
	free(writer);
	consents_end(&ann);
	return 0;
}

/* ---- the tool server ---- */

/* The authorization code flow with the tool server as its resource (RFC 8707). */
static void
grant_assistant(void)
{
	static const char resource[] = "&resource=" HOUSE "/_cms/api/mcp&scope=media:write";
	char code[64], body[400];
	struct answer a;
	struct remote r;

	consents_code(&ann, resource, "media:write", code);
	consents_exchange(code, body);
	remote_open(&r, ann.d, NULL);
	remote_ask(&r, &a, "POST", body, "/oauth/token");
	assert_int_equal(a.status, 200);
	consents_member(a.body, "access_token", assistant);
	answer_free(&a);
	remote_close(&r);
}

/* The result of a tool, to be released. */
static json_t *
tool(const char *token, const char *name, const char *arguments)
{
	char body[1000];
	struct answer a;
	struct remote r;
	json_t *result;

	(void)snprintf(body, sizeof(body),
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
	    "{\"name\":\"%s\",\"arguments\":%s}}",
	    name, arguments);
	remote_open(&r, ann.d, token);
	(void)snprintf(r.more, sizeof(r.more), "Accept: application/json\r\nOrigin: " HOUSE "\r\n");
	remote_ask(&r, &a, "POST", body, "/mcp");
	result = json_object_get(json_object_get(a.json, "result"), "structuredContent");
	if (result == NULL)
		fail_msg("%s: %d %s", name, a.status, a.body);
	json_incref(result);
	answer_free(&a);
	remote_close(&r);
	return result;
}

/* An upload target: its path and query, and the id of the item. */
struct given {
	char path[200], id[27];
};

static void
target(const char *token, size_t len, struct given *out)
{
	char arguments[200];
	const char *url;
	json_t *t;

	(void)snprintf(arguments, sizeof(arguments),
	    "{\"filename\":\"a.png\",\"contentType\":\"image/png\",\"size\":%zu}", len);
	t = tool(token, "media_get_upload_url", arguments);
	url = text_of(t, "uploadUrl");
	assert_int_equal(strncmp(url, HOUSE API "/media/", strlen(HOUSE API "/media/")), 0);
	(void)snprintf(out->path, sizeof(out->path), "%s", url + strlen(HOUSE));
	(void)snprintf(out->id, sizeof(out->id), "%s", text_of(t, "mediaId"));
	assert_string_equal(text_of(t, "method"), "PUT");
	assert_string_equal(text_of(json_object_get(t, "headers"), "Content-Type"), "image/png");
	json_decref(t);
}

/* ---- the bytes ---- */

/* `more`: header lines, each with its CRLF. */
static void
say(struct client *c, const char *path, const char *type, size_t len, const char *more)
{
	client_open(c, ann.d, false);
	client_say(c,
	    "PUT %s HTTP/1.1\r\nHost: evil.example\r\nX-CMS-Request: 1\r\nContent-Type: %s\r\n"
	    "%sContent-Length: %zu\r\n\r\n",
	    path, type, more, len);
}

static void
expect(const char *path, const char *type, const void *bytes, size_t len, const char *more,
    int status, const char *code)
{
	struct client c;
	struct answer a;

	say(&c, path, type, len, more);
	client_send(&c, bytes, len);
	client_answer(&c, &a, false);
	client_close(&c);
	if (a.status != status || strcmp(answer_code(&a), code) != 0)
		fail_msg("PUT %s: %d %s", path, a.status, a.body);
	assert_string_equal(answer_header(&a, "Cache-Control"), "private, no-store");
	assert_non_null(answer_header(&a, "Referrer-Policy"));
	answer_free(&a);
}

/* ---- tests ---- */

static void
an_assistant_that_signed_in_uploads_without_other_credentials(void **state)
{
	char bytes[100], arguments[64];
	size_t len = png(bytes, "assistant");
	struct given t;
	struct answer a;
	json_t *item;

	(void)state;
	grant_assistant();
	target(assistant, len, &t);
	expect(t.path, "image/png", bytes, len, "", 200, "");
	(void)snprintf(arguments, sizeof(arguments), "{\"id\":\"%s\"}", t.id);
	item = tool(assistant, "media_confirm_upload", arguments);
	assert_string_equal(text_of(json_object_get(item, "item"), "status"), "ready");
	ask(ann.d, &a, "GET", text_of(json_object_get(item, "item"), "url"));
	assert_int_equal(a.status, 200);
	assert_int_equal(a.len, len);
	answer_free(&a);
	json_decref(item);
	expect(t.path, "image/png", bytes, len, "", 401, "UNAUTHORIZED");
}

/* Clients send credentials that they have for the host, too. */
static void
credentials_beside_it_do_no_harm(void **state)
{
	char bytes[100], more[200];
	size_t len = png(bytes, "beside");
	struct given t;

	(void)state;
	target(assistant, len, &t);
	(void)snprintf(more, sizeof(more), "Authorization: Bearer %s\r\n", assistant);
	expect(t.path, "image/png", bytes, len, more, 200, "");
	/* Credentials of a user who may upload are accepted, too; the URL's signature is then not
	 * needed. */
	(void)snprintf(more, sizeof(more), "Authorization: Bearer %s\r\n", ann.token);
	expect(t.path, "image/png", bytes, len, more, 200, "");
}

static void
it_is_for_one_file_of_one_type_and_size(void **state)
{
	static const char html[] = "<!DOCTYPE html><html><script>alert(1)</script></html>";
	char bytes[100], path[400];
	size_t len = png(bytes, "one"), mac;
	struct given t, other;
	struct answer a;

	(void)state;
	target(assistant, len, &t);
	target(assistant, len, &other);
	expect(t.path, "image/jpeg", bytes, len, "", 400, "INVALID_TYPE");
	expect(t.path, "image/png", bytes, len - 1, "", 400, "UPLOAD_SIZE_MISMATCH");
	expect(t.path, "image/png", bytes, len + 1, "", 413, "PAYLOAD_TOO_LARGE");
	(void)snprintf(path, sizeof(path), API "/media/%s/upload%s", other.id, strchr(t.path, '?'));
	expect(path, "image/png", bytes, len, "", 401, "UNAUTHORIZED");
	(void)snprintf(path, sizeof(path), "%s", t.path);
	mac = strlen(path) - 3;
	path[mac] = path[mac] == 'A' ? 'B' : 'A';
	expect(path, "image/png", bytes, len, "", 401, "UNAUTHORIZED");
	path[mac] = '\0';
	expect(path, "image/png", bytes, len, "", 401, "UNAUTHORIZED");
	*strchr(path, '?') = '\0';
	expect(path, "image/png", bytes, len, "", 401, "UNAUTHORIZED");
	/* The URL's signature opens no other path. */
	(void)snprintf(path, sizeof(path), API "/media%s", strchr(t.path, '?'));
	ask(ann.d, &a, "GET", path);
	assert_int_equal(a.status, 401);
	answer_free(&a);
	/* A failed upload does not use it up. */
	expect(t.path, "image/png", bytes, len, "", 200, "");
	target(assistant, sizeof(html) - 1, &t);
	expect(t.path, "image/png", html, sizeof(html) - 1, "", 400, "INVALID_TYPE");
}

/* Both pass the gate by their heads; one of the bodies is stored. */
static void
of_two_uploads_at_once_one_counts(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "two");
	struct client c[2];
	struct answer a[2];
	struct given t;

	(void)state;
	target(assistant, len, &t);
	for (int i = 0; i < 2; i++) {
		say(&c[i], t.path, "image/png", len, "Expect: 100-continue\r\n");
		client_answer(&c[i], &a[i], true);
		assert_int_equal(a[i].status, 100);
		answer_free(&a[i]);
	}
	for (int i = 0; i < 2; i++) {
		client_send(&c[i], bytes, len);
		client_answer(&c[i], &a[i], false);
		client_close(&c[i]);
	}
	assert_int_equal(a[0].status, 200);
	assert_int_equal(a[1].status, 401);
	answer_free(&a[0]);
	answer_free(&a[1]);
}

static void
set_role(int role)
{
	char body[32];
	struct remote r;
	json_t *users;

	remote_open(&r, ann.d, ann.token);
	users = remote_must(&r, 200, "GET", NULL, "/admin/users?search=contributor");
	(void)snprintf(body, sizeof(body), "{\"role\":%d}", role);
	if (role > 0)
		json_decref(remote_must(&r, 200, "PUT", body, "/admin/users/%s",
		    text_of(json_array_get(json_object_get(users, "items"), 0), "id")));
	else
		json_decref(remote_must(&r, 200, "POST", NULL, "/admin/users/%s/disable",
		    text_of(json_array_get(json_object_get(users, "items"), 0), "id")));
	json_decref(users);
	remote_close(&r);
}

/* Decision 56. */
static void
it_ends_with_the_right_of_its_user(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "right");
	struct given t;

	(void)state;
	target(writer, len, &t);
	set_role(10);
	expect(t.path, "image/png", bytes, len, "", 403, "FORBIDDEN");
	set_role(0);
	expect(t.path, "image/png", bytes, len, "", 401, "UNAUTHORIZED");
}

static void
it_ends_after_an_hour(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "hour");
	struct given t, late;

	(void)state;
	target(ann.token, len, &t);
	target(ann.token, len, &late);
	daemon_clock(ann.d, START + HOUR - 1000);
	expect(t.path, "image/png", bytes, len, "", 200, "");
	daemon_clock(ann.d, START + HOUR);
	expect(late.path, "image/png", bytes, len, "", 401, "UNAUTHORIZED");
}

static int
begin_by_the_clock(void **state)
{
	(void)state;
	ann.d = remote_new(NULL, "base-url = \"" HOUSE "\"\n");
	ann.token = remote_token(ann.d, "admin", "admin");
	daemon_clock(ann.d, START);
	setenv("STET_CLOCK", daemon_path(ann.d, "clock"), 1);
	daemon_run(ann.d, 0);
	return 0;
}

static int
end_by_the_clock(void **state)
{
	(void)state;
	unsetenv("STET_CLOCK");
	consents_end(&ann);
	return 0;
}

static void
the_record_of_it_has_the_user_and_no_signature(void **state)
{
	char bytes[100];
	size_t len = png(bytes, "record");
	struct answer a;
	struct remote r;
	struct given t;

	(void)state;
	target(ann.token, len, &t);
	expect(t.path, "image/png", bytes, len, "", 200, "");
	remote_open(&r, ann.d, ann.token);
	remote_ask(&r, &a, "GET", NULL, "/admin/audit?op=media_put&limit=1");
	assert_int_equal(a.status, 200);
	assert_non_null(strstr(a.body, ANN));
	assert_non_null(strstr(a.body, t.id));
	assert_null(strstr(a.body, strchr(t.path, '=') + 1));
	assert_null(strstr(ann.d->said, strchr(t.path, '=') + 1));
	answer_free(&a);
	remote_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    it_ends_after_an_hour, begin_by_the_clock, end_by_the_clock),
		cmocka_unit_test_setup(
		    an_assistant_that_signed_in_uploads_without_other_credentials, begin),
		cmocka_unit_test(credentials_beside_it_do_no_harm),
		cmocka_unit_test(it_is_for_one_file_of_one_type_and_size),
		cmocka_unit_test(of_two_uploads_at_once_one_counts),
		cmocka_unit_test(the_record_of_it_has_the_user_and_no_signature),
		cmocka_unit_test_teardown(it_ends_with_the_right_of_its_user, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
