/* check.c - tests of downloads: the plugin as it is built, on a site of its own. */
#include "call/call.h"
#include "call/site.h"
#include "db/db.h"
#include "db/rows.h"
#include "files/storecheck.h"
#include "harness.h"
#include "site/site.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stet/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BASE "/plugins/downloads"
#define HEADERS "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx"

static const struct harness_options options = {
	.plugin_path = "plugin-sdk/examples/downloads/.libs",
};
static struct harness *h;
static char found[16][512]; /* paths of files that are kept */
static int count;

static int
open_site(void **state)
{
	(void)state;
	h = harness_open(&options);
	assert_ok(harness_request(h, admin, "POST /admin/plugins/downloads/enable", NULL, NULL));
	return 0;
}

static int
close_site(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

static int
take(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (what == FTW_F && count < 16)
		snprintf(found[count++], sizeof(found[0]), "%s", path);
	return 0;
}

/* Counts the files below a directory of the site. */
static int
files_in(const char *name)
{
	char path[512];

	count = 0;
	snprintf(path, sizeof(path), "%s/%s", harness_data(h), name);
	(void)nftw(path, take, 16, FTW_PHYS);
	return count;
}

static struct outcome *
send_part(const struct harness_user *user, const char *disposition, const char *text)
{
	char body[4096];

	snprintf(body, sizeof(body),
	    "--xx\r\nContent-Disposition: form-data; %s\r\nContent-Type: text/plain\r\n\r\n%s\r\n"
	    "--xx--\r\n",
	    disposition, text);
	return harness_request(h, user, "POST " BASE "/files", HEADERS, body);
}

static struct outcome *
upload(const char *text)
{
	return send_part(editor, "name=\"file\"; filename=\"notes.txt\"", text);
}

static struct outcome *
ask(const struct harness_user *user, const char *method, const char *path, const char *id)
{
	char request[160];

	snprintf(request, sizeof(request), "%s " BASE "/%s/%s", method, path, id);
	return harness_request(h, user, request, NULL, NULL);
}

static void
a_file_is_kept_listed_and_given_to_everybody(void **state)
{
	struct outcome *o;
	char id[27];

	(void)state;
	harness_ok(o, upload("let it stand"));
	assert_string_equal(harness_text(o->data, "file.name"), "notes.txt");
	assert_string_equal(harness_text(o->data, "file.type"), "text/plain");
	assert_int_equal(harness_int(o->data, "file.size"), 12);
	assert_string_equal(harness_text(o->data, "file.sha256"),
	    "e22013a19f43083eb2009ed2062da9528796519ea54cddc4274ba2515e131c39");
	assert_true(json_is_false(harness_at(o->data, "existing")));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "file.id"));
	harness_ok(o, harness_request(h, subscriber, "GET " BASE "/files", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_int_equal(files_in("files"), 1);
	assert_int_equal(files_in("tmp"), 0);
	o = ask(nobody, "GET", "get", id);
	assert_int_equal(o->http, 200);
	assert_string_equal(o->text, "let it stand");
	assert_non_null(o->etag);
}

static void
a_stale_token_keeps_a_file_from_nobody(void **state)
{
	static const char *const bad[] = { "Authorization: Bearer cms_pat_expired",
		"Authorization: Bearer", "Authorization: Bearer x\r\nCookie: session=x" };
	struct outcome *o;
	char request[160];

	(void)state;
	harness_ok(o, upload("for all"));
	snprintf(request, sizeof(request), "GET " BASE "/get/%s", harness_text(o->data, "file.id"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		o = harness_request(h, nobody, request, bad[i], NULL);
		assert_int_equal(o->http, 200);
		assert_string_equal(o->text, "for all");
		assert_code(
		    harness_request(h, nobody, "GET " BASE "/files", bad[i], NULL), "UNAUTHORIZED");
	}
}

static void
the_same_bytes_are_kept_once(void **state)
{
	struct outcome *o;
	char id[27];

	(void)state;
	harness_ok(o, upload("one"));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "file.id"));
	harness_ok(o, upload("one"));
	assert_true(json_is_true(harness_at(o->data, "existing")));
	assert_string_equal(harness_text(o->data, "file.id"), id);
	assert_int_equal(files_in("files"), 1);
	assert_int_equal(files_in("tmp"), 0);
}

static void
what_is_deleted_is_gone(void **state)
{
	struct outcome *o;
	char id[27];

	(void)state;
	harness_ok(o, upload("one"));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "file.id"));
	assert_code(ask(author, "DELETE", "files", id), "FORBIDDEN");
	assert_int_equal(files_in("files"), 1);
	assert_ok(ask(editor, "DELETE", "files", id));
	assert_int_equal(files_in("files"), 0);
	assert_code(ask(nobody, "GET", "get", id), "NOT_FOUND");
	assert_code(ask(editor, "DELETE", "files", id), "NOT_FOUND");
}

static void
what_is_no_upload_is_refused_and_leaves_nothing(void **state)
{
	(void)state;
	assert_code(send_part(author, "name=\"file\"; filename=\"a.txt\"", "x"), "FORBIDDEN");
	assert_code(send_part(editor, "name=\"file\"", "text"), "VALIDATION_ERROR");
	assert_code(
	    send_part(editor, "name=\"other\"; filename=\"a.txt\"", "x"), "VALIDATION_ERROR");
	assert_ok(harness_send(
	    h, admin, "PUT /admin/plugins/downloads/settings", "{\"values\":{\"maxBytes\":3}}"));
	assert_code(upload("four"), "PAYLOAD_TOO_LARGE");
	assert_ok(upload("two"));
	assert_int_equal(files_in("files"), 1);
	assert_int_equal(files_in("tmp"), 0);
}

static void
keys_lead_nowhere_else(void **state)
{
	(void)state;
	assert_code(ask(nobody, "GET", "get", "..%2F..%2Fstet.db"), "NOT_FOUND");
	assert_code(ask(nobody, "GET", "get", "%00"), "NOT_FOUND");
	assert_false(stet_file_key_good(""));
	assert_false(stet_file_key_good(".hidden"));
	assert_false(stet_file_key_good("../x"));
	assert_false(stet_file_key_good("a/b"));
	assert_false(stet_file_key_good("a b"));
	assert_false(stet_file_key_good("na\xc3\xafve"));
	assert_true(stet_file_key_good("01ABC.jpg"));
}

/* Limits the size of files (RLIMIT_FSIZE) to less than the upload: like a full disk. */
static void
a_full_disk_is_told_and_leaves_nothing(void **state)
{
	struct rlimit limit, small;
	static char text[3000];
	struct outcome *o;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 1000;
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	o = upload(text);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(o->http, 507);
	assert_string_equal(o->code, "INSUFFICIENT_STORAGE");
	assert_int_equal(files_in("files") + files_in("tmp"), 0);
	assert_ok(upload(text));
	assert_int_equal(files_in("files"), 1);
}

static struct stet_call *
owned_call(void)
{
	struct stet_call *call = call_new();

	call_enter(call, harness_site(h));
	call->owner = generation_op(call->gen, "downloads__get")->owner;
	return call;
}

static enum stet_status
one_name_each(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	return stet_exec(call, tx,
	    "CREATE UNIQUE INDEX downloads_one_name ON downloads_file (name)", STET_NO_ARGS);
}

/* The file exists when the insert of the row fails. */
static void
a_file_without_its_row_does_not_stay(void **state)
{
	struct stet_call *call = owned_call();

	(void)state;
	assert_int_equal(stet_write_lane(call, one_name_each, NULL), STET_OK);
	rows_end_call(call);
	call_free(call);
	assert_ok(upload("one"));
	assert_code(upload("two"), "CONFLICT");
	assert_int_equal(files_in("files"), 1);
	assert_int_equal(files_in("tmp"), 0);
}

/* ---- the files against their rows ---- */

struct report {
	json_t *problems, *notes;
	int64_t gone;
};

static void
check(struct report *r)
{
	struct stet_call *call = owned_call();

	r->problems = json_array();
	r->notes = json_array();
	assert_int_equal(storecheck_verify(call, r->problems, r->notes), STET_OK);
	rows_end_call(call);
	call_free(call);
}

static void
assert_told(const json_t *list, size_t index, const char *words)
{
	const char *is = json_string_value(json_array_get(list, index));

	if (is == NULL || strstr(is, words) == NULL)
		fail_msg("\"%s\", not \"%s\"", is != NULL ? is : "(nothing)", words);
}

static void
forget(struct report *r)
{
	json_decref(r->problems);
	json_decref(r->notes);
}

static void
make_old(const char *path)
{
	const struct timespec old[2] = { { .tv_sec = time(NULL) - 7200 },
		{ .tv_sec = time(NULL) - 7200 } };

	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void
verify_tells_what_is_missing_altered_and_left_over(void **state)
{
	struct report r;
	char stray[600];

	(void)state;
	assert_ok(upload("one"));
	check(&r);
	assert_int_equal(json_array_size(r.problems) + json_array_size(r.notes), 0);
	forget(&r);
	assert_int_equal(files_in("files"), 1);
	write_file(found[0], "eno");
	check(&r);
	assert_told(r.problems, 0, "is not what it was");
	forget(&r);
	write_file(found[0], "longer");
	check(&r);
	assert_told(r.problems, 0, "has 6 bytes, and should have 3");
	forget(&r);
	snprintf(stray, sizeof(stray), "%.500s-stray", found[0]);
	write_file(stray, "x");
	assert_int_equal(unlink(found[0]), 0);
	check(&r);
	assert_int_equal(json_array_size(r.problems), 1);
	assert_told(r.problems, 0, "is missing");
	/* A young file may belong to an upload that is still running. */
	assert_int_equal(json_array_size(r.notes), 0);
	forget(&r);
	make_old(stray);
	check(&r);
	assert_told(r.notes, 0, "named by nothing");
	forget(&r);
}

static int64_t
sweep(void)
{
	struct stet_call *call = owned_call();
	int64_t gone;

	assert_int_equal(stet_file_sweep(call, &gone), STET_OK);
	rows_end_call(call);
	call_free(call);
	return gone;
}

static void
what_is_left_over_is_swept_when_it_is_old(void **state)
{
	char stray[600];

	(void)state;
	assert_ok(upload("one"));
	assert_int_equal(files_in("files"), 1);
	make_old(found[0]); /* its row protects it */
	snprintf(stray, sizeof(stray), "%.500s-stray", found[0]);
	write_file(stray, "x");
	assert_int_equal(sweep(), 0);
	make_old(stray);
	assert_int_equal(sweep(), 1);
	assert_int_equal(files_in("files"), 1);
	assert_null(strstr(found[0], "-stray"));
}

/* An op with a file is not a tool; OpenAPI describes its reply as bytes. */
static void
the_file_is_described_as_what_it_is(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_request(h, admin, "GET /openapi.json", NULL, NULL));
	assert_non_null(strstr(o->text, "Content-Range"));
	assert_non_null(strstr(o->text, "\"operationId\":\"downloads__get\""));
	assert_non_null(strstr(o->text, "\"application/octet-stream\":{\"schema\":{}}"));
	harness_ok(o, harness_request(h, admin, "GET /admin/plugins/downloads", NULL, NULL));
	assert_non_null(strstr(o->text, "downloads__list"));
	assert_null(strstr(o->text, "downloads__get"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_site, close_site)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_kept_listed_and_given_to_everybody),
		TEST(a_stale_token_keeps_a_file_from_nobody),
		TEST(the_same_bytes_are_kept_once),
		TEST(what_is_deleted_is_gone),
		TEST(what_is_no_upload_is_refused_and_leaves_nothing),
		TEST(keys_lead_nowhere_else),
		TEST(a_full_disk_is_told_and_leaves_nothing),
		TEST(a_file_without_its_row_does_not_stay),
		TEST(verify_tells_what_is_missing_altered_and_left_over),
		TEST(what_is_left_over_is_swept_when_it_is_old),
		TEST(the_file_is_described_as_what_it_is),
	};

	return cmocka_run_group_tests_name("downloads", tests, NULL, NULL);
}
