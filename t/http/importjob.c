/*
 * importjob.c - an import runs in the daemon while clients watch it, pause it, stop the daemon and
 * kill it; in the end each item exists once.
 */
#include "uploads.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 3000
#define NESTED 12000 /* number of categories; an import fails after so many that cannot be made */
#define HEAD                                                                   \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss "                      \
	"xmlns:wp=\"http://wordpress.org/export/1.2/\" "                       \
	"xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel>" \
	"<title>Site</title><wp:wxr_version>1.2</wp:wxr_version>"
#define CONFIG                                                            \
	"--xx\r\nContent-Disposition: form-data; name=\"config\"\r\n\r\n" \
	"{\"skipExisting\":false,\"importMedia\":false}\r\n"

static char *
export_text(void)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	(void)fputs(HEAD, f);
	for (int i = 1; i <= ITEMS; i++)
		(void)fprintf(f,
		    "<item><title>Item %d</title><wp:post_id>%d</wp:post_id><wp:post_type>post"
		    "</wp:post_type><wp:post_name>s</wp:post_name><wp:status>publish</wp:status>"
		    "<content:encoded><![CDATA[<p>Text of %d</p>]]></content:encoded></item>\n",
		    i, i, i);
	(void)fputs("</channel></rss>", f);
	(void)fclose(f);
	return text;
}

/* Nested categories, more than a site can have, so that each of them is looked up and not found. */
static char *
nested_text(void)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	(void)fputs(HEAD, f);
	for (int i = 1; i <= NESTED; i++)
		(void)fprintf(f,
		    "<wp:category><wp:term_id>%d</wp:term_id><wp:category_nicename>c%d"
		    "</wp:category_nicename><wp:category_parent>c%d</wp:category_parent>"
		    "<wp:cat_name>C</wp:cat_name></wp:category>\n",
		    i, i, i - 1);
	(void)fputs("</channel></rss>", f);
	(void)fclose(f);
	return text;
}

/* Starts an import of the text; releases the text. */
static void
start(char *text, char id[40])
{
	const struct file f = { "export.xml", "text/xml", text, strlen(text), CONFIG,
		.path = "/import/jobs" };
	struct answer a;

	upload(library.daemon, &a, library.admin, &f);
	if (a.status != 201)
		fail_msg("%d: %.1000s", a.status, a.body);
	(void)snprintf(id, 40, "%s", text_of(json_object_get(a.json, "data"), "id"));
	answer_free(&a);
	free(text);
}

/* Returns the job as it is now, to be released. */
static json_t *
look(const char *id)
{
	return remote_must(&library.by_admin, 200, "GET", NULL, "/import/jobs/%s", id);
}

static bool
is(json_t *job, const char *state)
{
	return strcmp(text_of(job, "state"), state) == 0;
}

/* Waits until the job has this state, or has done so many items, or has ended: it may be faster
 * than this test. */
static void
until(const char *id, const char *state, json_int_t done)
{
	for (;;) {
		json_t *job = look(id);
		json_int_t at =
		    json_integer_value(json_object_get(json_object_get(job, "progress"), "done"));
		bool there = state != NULL
				 ? is(job, state)
				 : strcmp(text_of(job, "stage"), "execute") == 0 && at >= done;
		bool over = is(job, "done");

		if (is(job, "failed"))
			fail_msg("it failed: %s", text_of(job, "error"));
		json_decref(job);
		if (there || over)
			return;
	}
}

static void
again(void)
{
	remote_close(&library.by_admin);
	daemon_run(library.daemon, 0);
	remote_open(&library.by_admin, library.daemon, library.admin);
}

/* When the daemon stops, the import stops at once; it continues when the daemon runs again. */
static void
an_import_outlives_the_daemon(void **state)
{
	json_t *job, *list;
	char id[40];

	(void)state;
	start(export_text(), id);
	until(id, NULL, 1);
	json_decref(remote_must(&library.by_admin, 200, "POST", NULL, "/import/jobs/%s/pause", id));
	until(id, "paused", 0);
	json_decref(
	    remote_must(&library.by_admin, 200, "POST", NULL, "/import/jobs/%s/resume", id));
	/* A stop with the daemon is not a failed attempt, however often it happens. */
	for (int i = 0; i < 7; i++) {
		until(id, "running", 0);
		daemon_signal(library.daemon, SIGTERM);
		assert_int_equal(daemon_ended(library.daemon), 0);
		again();
	}
	until(id, "running", 0);
	daemon_signal(library.daemon, SIGKILL);
	(void)daemon_ended(library.daemon);
	again();
	until(id, "done", 0);
	job = look(id);
	list = json_object_get(json_object_get(job, "result"), "items");
	assert_int_equal(json_integer_value(json_object_get(list, "created")), ITEMS);
	/* The report counts each item once, although some were read several times. */
	list = json_array_get(json_object_get(json_object_get(job, "result"), "account"), 0);
	assert_string_equal(text_of(list, "what"), "items");
	assert_int_equal(json_integer_value(json_object_get(list, "stored")), ITEMS);
	json_decref(job);
	list = remote_must(
	    &library.by_admin, 200, "GET", NULL, "/content/posts?includeTotal=true&limit=1");
	assert_int_equal(json_integer_value(json_object_get(list, "total")), ITEMS);
	json_decref(list);
}

static void
one_that_makes_terms_stops_when_it_is_told(void **state)
{
	json_t *job;
	char id[40];

	(void)state;
	start(nested_text(), id);
	until(id, NULL, 0);
	json_decref(
	    remote_must(&library.by_admin, 200, "POST", NULL, "/import/jobs/%s/cancel", id));
	until(id, "cancelled", 0);
	job = look(id);
	assert_string_equal(text_of(job, "state"), "cancelled");
	json_decref(job);
}

/* The stream has a line for each change; the last line reports the end. */
static void
a_stream_tells_how_far_it_is(void **state)
{
	struct remote by;
	struct answer a;
	char id[40], *last;

	(void)state;
	start(export_text(), id);
	remote_open(&by, library.daemon, library.admin);
	remote_ask(&by, &a, "GET", NULL, "/import/jobs/%s/events", id);
	assert_int_equal(a.status, 200);
	assert_true(strncmp(a.body, "{\"id\":\"", 7) == 0);
	last = strrchr(a.body, '{');
	assert_non_null(last);
	assert_non_null(strstr(a.body, "\"stage\":\"finished\""));
	answer_free(&a);
	remote_close(&by);
	until(id, "done", 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_import_outlives_the_daemon),
		cmocka_unit_test(one_that_makes_terms_stops_when_it_is_told),
		cmocka_unit_test(a_stream_tells_how_far_it_is),
	};

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
