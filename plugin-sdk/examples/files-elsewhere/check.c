/* check.c - tests of files-elsewhere: the driver as it is built, with the files of downloads. */
#include "base/words.h"
#include "call/call.h"
#include "call/site.h"
#include "conf/conf.h"
#include "conf/confdriver.h"
#include "db/rows.h"
#include "harness.h"
#include "template.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASE "/plugins/downloads"
#define HEADERS "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx"

static const struct harness_options options = {
	.plugin_path = "plugin-sdk/examples/downloads/.libs",
};
static struct harness *h;
static char directory[] = "/tmp/stet-elsewhere-XXXXXX";

static int
open_site(void **state)
{
	char lines[200];

	(void)state;
	h = harness_open(&options);
	assert_ok(harness_request(h, admin, "POST /admin/plugins/downloads/enable", NULL, NULL));
	assert_non_null(mkdtemp(directory));
	(void)snprintf(lines, sizeof(lines),
	    "files = \"elsewhere\"\nelsewhere-directory = \"%s\"\n", directory);
	harness_files(&harness_site(h)->conf, "plugin-sdk/examples/files-elsewhere/.libs", lines);
	return 0;
}

static int
close_site(void **state)
{
	(void)state;
	harness_close(h, false);
	template_remove(directory);
	return 0;
}

static int found;

static int
count_one(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	(void)path;
	(void)st;
	(void)ftw;
	found += what == FTW_F;
	return 0;
}

static int
files_in(const char *path)
{
	found = 0;
	(void)nftw(path, count_one, 16, FTW_PHYS);
	return found;
}

static struct outcome *
upload(const char *text)
{
	char body[1024];

	(void)snprintf(body, sizeof(body),
	    "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
	    "Content-Type: text/plain\r\n\r\n%s\r\n--xx--\r\n",
	    text);
	return harness_request(h, editor, "POST " BASE "/files", HEADERS, body);
}

static void
files_are_in_the_other_directory_and_nowhere_else(void **state)
{
	char *here = words_format("%s/files", harness_data(h)), request[100];
	struct outcome *o;

	(void)state;
	harness_ok(o, upload("kept elsewhere"));
	(void)snprintf(
	    request, sizeof(request), "GET " BASE "/get/%s", harness_text(o->data, "file.id"));
	assert_int_equal(files_in(directory), 1);
	assert_int_equal(files_in(here), 0);
	o = harness_request(h, nobody, request, NULL, NULL);
	assert_int_equal(o->http, 200);
	assert_string_equal(o->text, "kept elsewhere");
	free(here);
}

static int64_t
sweep(void)
{
	struct stet_call *call = call_new();
	int64_t gone;

	call_enter(call, harness_site(h));
	call->owner = generation_op(call->gen, "downloads__get")->owner;
	assert_int_equal(stet_file_sweep(call, &gone), STET_OK);
	rows_end_call(call);
	call_free(call);
	return gone;
}

static void
what_no_row_names_is_swept_when_it_is_old(void **state)
{
	const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	static const char *const names[] = { "stray", ".new-stray-1" };
	int before = files_in(directory);
	struct outcome *o;

	(void)state;
	for (int i = 0; i < 2; i++) {
		char *path = words_format("%s/downloads/%s", directory, names[i]);
		int fd = open(path, O_WRONLY | O_CREAT, 0600);

		assert_true(fd >= 0);
		close(fd);
		assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
		free(path);
	}
	assert_int_equal(files_in(directory), before + 2);
	harness_ok(o, upload("another")); /* a file with a row stays */
	assert_int_equal(sweep(), 1);
	assert_int_equal(files_in(directory), before + 1);
}

/* The error of a section with these lines; NULL: it is good. The caller frees it. */
static char *
error_of(const char *lines)
{
	char *why = NULL, *text = words_format("site \"main\" {\n%s}\n", lines);
	struct conf *conf;

	conf = conf_parse(text, "t.conf", &why);
	conf_free(conf);
	free(text);
	return why;
}

static void
must_say(const char *lines, const char *error)
{
	char *why = error_of(lines);

	assert_non_null(why);
	if (strstr(why, error) == NULL)
		fail_msg("%s: %s", lines, why);
	free(why);
}

static void
its_key_is_checked_like_every_other(void **state)
{
	(void)state;
	setenv("STET_PLUGIN_PATH",
	    harness_path("STET_BUILD", "plugin-sdk/examples/files-elsewhere/.libs"), 1);
	must_say("files = \"elsewhere\"\n", "files = \"elsewhere\" needs elsewhere-directory");
	must_say("elsewhere-directory = \"here\"\n",
	    "t.conf:2: elsewhere-directory: \"here\" is not the absolute path of a directory");
	must_say("elsewhere-folder = \"/x\"\n", "t.conf:2: no such option 'elsewhere-folder'");
	must_say("nowhere-directory = \"/x\"\n", "t.conf:2: no such option 'nowhere-directory'");
	must_say("files = \"nowhere\"\n", "there is no driver \"nowhere\"");
	assert_null(error_of("elsewhere-directory = \"/x\"\n"));
	unsetenv("STET_PLUGIN_PATH");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_in_the_other_directory_and_nowhere_else),
		cmocka_unit_test(what_no_row_names_is_swept_when_it_is_old),
		cmocka_unit_test(its_key_is_checked_like_every_other),
	};

	return cmocka_run_group_tests(tests, open_site, close_site);
}
