/*
 * killed.c - an import that is killed at many points is complete after another run, without
 * duplicates.
 */
#include "harness.h"
#include "imported.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 1200
#define KILLS 20
#define STEP 3000 /* microseconds of processor time from one kill to the next */

#define COMMENT_OF                                                                              \
	"<wp:comment><wp:comment_id>%d</wp:comment_id><wp:comment_author>A</wp:comment_author>" \
	"<wp:comment_date_gmt>2020-01-01 00:00:00</wp:comment_date_gmt>"                        \
	"<wp:comment_approved>1</wp:comment_approved>"                                          \
	"<wp:comment_content>C%d</wp:comment_content></wp:comment>"

/* Returns an export in which every third slug comes twice, and pages come before their parents. */
static char *
channel(void)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (int i = 1; i <= ITEMS; i++) {
		bool page = i % 4 == 0;

		(void)fprintf(f,
		    "<item><title>Item %d</title><wp:post_id>%d</wp:post_id><wp:post_type>%s"
		    "</wp:post_type><wp:post_name>slug-%d</wp:post_name><wp:status>publish"
		    "</wp:status><dc:creator>user%d</dc:creator><wp:post_parent>%d</wp:post_parent>"
		    "<category domain=\"category\" nicename=\"c%d\">C</category>" COMMENT_OF
		    "</item>\n",
		    i, i, page ? "page" : "post", i % 3 == 0 ? 1 : i, i % 7,
		    page && i % 8 == 0 ? i + 4 : 0, i % 30, i, i);
	}
	(void)fclose(f);
	return text;
}

/* Imports in a process that a timer of its processor time kills. */
static void
run_and_die(const char *data, const char *text, int number)
{
	const struct itimerval timer = { .it_value = { .tv_sec = number * STEP / 1000000,
					     .tv_usec = number * STEP % 1000000 } };
	const struct harness_options options = { .data = data };
	struct harness *h = harness_open(&options);

	if (setitimer(ITIMER_PROF, &timer, NULL) != 0)
		_exit(1);
	(void)imported_run(h, SKIP, text);
	_exit(0);
}

static int
total(struct harness *h, const char *request)
{
	struct outcome *o = harness_request(h, admin, request, NULL, NULL);

	assert_ok(o);
	return (int)harness_int(o->data, "total");
}

static void
a_killed_import_is_complete_after_another(void **state)
{
	char *text, *data;
	struct harness *h;
	struct harness_options options = { 0 };
	struct outcome *o;
	int killed = 0, imported;

	(void)state;
	/* Skipped in t/portable: killed processes record only some of their statements. */
	if (getenv("STET_RECORD") != NULL)
		return;
	text = channel();
	h = imported_open(NULL);
	data = strdup(harness_data(h));
	harness_close(h, true);
	for (int i = 1; i <= KILLS; i++) {
		int status;
		pid_t pid = fork();

		if (pid == 0)
			run_and_die(data, text, i);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
	}
	options.data = data;
	h = harness_open(&options);
	harness_ok(o, imported_run(h, SKIP, text));
	imported = (int)harness_int(o->data, "imported");
	print_message("# %d of %d runs were killed; the last one imported %d of %d items\n", killed,
	    KILLS, imported, ITEMS);
	assert_true(killed >= KILLS / 2);
	assert_int_equal(imported + (int)harness_int(o->data, "skipped"), ITEMS);
	assert_int_equal(total(h, "GET /content/posts?includeTotal=1&limit=1"), ITEMS / 4 * 3);
	assert_int_equal(total(h, "GET /content/pages?includeTotal=1&limit=1"), ITEMS / 4);
	harness_ok(o, harness_request(h, admin, "GET /admin/comments/counts", NULL, NULL));
	assert_int_equal(harness_int(o->data, "approved"), ITEMS);
	harness_ok(o, harness_request(h, admin, "GET /admin/bylines?limit=100", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 7);
	harness_ok(o, imported_run(h, SKIP, text));
	assert_int_equal(harness_int(o->data, "imported"), 0);
	assert_int_equal(harness_int(o->data, "failed"), 0);
	harness_close(h, false);
	free(data);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_import_is_complete_after_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
