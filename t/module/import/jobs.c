/* jobs.c - import jobs from the upload to the report: paused, cancelled, killed and resumed. */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int
begin(void **state)
{
	*state = importing_open();
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

/* ---- the whole ---- */

#define TWO                                                                                       \
	"<wp:category><wp:category_nicename>c</wp:category_nicename><wp:cat_name>C</wp:cat_name>" \
	"</wp:category>" ITEM("1", "post", "a",                                                   \
	    "<title>=One</title><link>https://old.example/?p=1</link>"                            \
	    "<content:encoded><![CDATA[<p>A, \"b\"</p>]]></content:encoded>" META(                \
		"_wp_old_slug", "older") LABELLED("category", "c", "C"))                          \
	    ITEM("2", "page", "b", "<title>Two</title><wp:post_parent>3</wp:post_parent>")        \
		ITEM("3", "page", "p", "<title>Three</title>") ITEM("4", "attachment", "f",       \
		    "<wp:attachment_url>https://192.0.2.1/f.png</wp:attachment_url>")             \
		    LINK("102", "1", "0", "custom", "1", "/a", "A")

static void
an_import_runs_by_itself_and_tells_what_became_of_each(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, "{\"importMedia\":false}", TWO, id);
	o = importing_work(h, id, "done");
	assert_string_equal(harness_text(o->data, "stage"), "finished");
	assert_string_equal(harness_text(o->data, "ownerId"), admin->id);
	assert_int_equal(harness_int(o->data, "found.items"), 5);
	assert_int_equal(harness_int(o->data, "found.types.post.count"), 1);
	assert_string_equal(harness_text(o->data, "found.types.post.collection"), "posts");
	assert_int_equal(harness_int(o->data, "result.items.created"), 3);
	assert_int_equal(harness_int(o->data, "result.byCollection.pages"), 2);
	assert_int_equal(harness_int(o->data, "result.menus.created"), 1);
	assert_int_equal(harness_int(o->data, "result.assignments"), 1);
	assert_int_equal(harness_int(o->data, "result.terms.made.category"), 1);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "=One");
	harness_ok(o, importing_at(h, "GET", id, "/items?limit=2"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_int_equal(harness_int(o->data, "nextAfter"), 2);
	assert_string_equal(harness_text(o->data, "items[0].address"), "https://old.example/?p=1");
	assert_string_equal(harness_text(o->data, "items[0].oldSlugs[0]"), "older");
	assert_string_equal(harness_text(o->data, "items[0].sourceId"), "1");
	assert_string_equal(harness_text(o->data, "items[0].slug"), "a");
	harness_ok(o, importing_at(h, "GET", id, "/items?after=2&outcome=created"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_null(harness_at(o->data, "nextAfter"));
	/* Only the rows of the report are left. */
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_map"), "0");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_upload"), "0");
	/* A second import creates nothing. */
	importing_create(h, "{\"importMedia\":false}", TWO, id);
	o = importing_work(h, id, "done");
	assert_int_equal(harness_int(o->data, "result.items.skipped"), 3);
	assert_int_equal(harness_int(o->data, "result.items.created"), -1);
	harness_ok(o, harness_request(h, admin, "GET /import/jobs?limit=1", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_string_not_equal(harness_text(o->data, "nextCursor"), "");
}

static void
its_report_is_a_file_of_json_lines_or_cells(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *list;
	char id[40];

	importing_create(h, "{\"importMedia\":false}", TWO, id);
	(void)importing_work(h, id, "done");
	o = importing_at(h, "GET", id, "/report");
	list = json_loads(o->text, 0, NULL);
	assert_int_equal(json_array_size(list), 3);
	assert_string_equal(harness_text(json_array_get(list, 0), "outcome"), "created");
	json_decref(list);
	assert_non_null(strstr(o->headers, "attachment"));
	o = importing_at(h, "GET", id, "/report?format=jsonl");
	assert_int_equal(strncmp(o->text, "{\"number\":1,", 12), 0);
	assert_string_equal(o->text + strlen(o->text) - 2, "}\n");
	/* A title that a spreadsheet would execute as a formula is written as text. */
	o = importing_at(h, "GET", id, "/report?format=csv");
	assert_non_null(strstr(o->text, "\"number\",\"sourceId\""));
	assert_non_null(
	    strstr(o->text, "\r\n1,\"1\",\"post\",\"'=One\",\"https://old.example/?p=1\""));
	assert_non_null(strstr(o->text, "\"[\"\"older\"\"]\",\"created\",,,\"posts\""));
	assert_code(importing_at(h, "GET", id, "/report?format=xml"), "VALIDATION_ERROR");
	o = importing_at(h, "GET", id, "/redirects");
	assert_string_equal(o->text, "\"from\",\"to\",\"status\"\r\n\"/?p=1\",\"/blog/a\",301\r\n");
	/* Netlify ignores the query of a path. */
	o = importing_at(h, "GET", id, "/redirects?format=netlify");
	assert_string_equal(o->text, "");
	assert_code(importing_at(h, "GET", "01NOTHING00000000000000000", "/report"), "NOT_FOUND");
}

#define AT(id, slug, path, more) \
	ITEM(id, "post", slug, "<link>https://old.example" path "</link>" more)

/* Each old URL has one line; there are no loops, and no characters that servers treat as
 * patterns. */
static void
redirects_hide_nothing_and_do_not_go_round(void **state)
{
	struct outcome *o;
	char id[40];

	importing_create(*state, "{\"importMedia\":false}",
	    AT("1", "a", "/one/", META("_wp_old_slug", "two")) AT("2", "b", "/two",
		META("_wp_old_slug", "one")) AT("3", "c", "/blog/d", META("_wp_old_slug", "a/../b"))
		AT("4", "d", "/blog/c/", "") AT("5", "e", "/*", "")
		    AT("6", "f", "/x:y", META("_wp_old_slug", "old\nline")) AT("7", "g", "/", ""),
	    id);
	(void)importing_work(*state, id, "done");
	o = importing_at(*state, "GET", id, "/redirects?format=nginx");
	assert_string_equal(o->text,
	    "\"/one/\" \"/blog/a\";\n\"/two\" \"/blog/b\";\n\"/*\" \"/blog/e\";\n"
	    "\"/x:y\" \"/blog/f\";\n");
	o = importing_at(*state, "GET", id, "/redirects?format=netlify");
	assert_string_equal(o->text, "/one/ /blog/a 301\n/two /blog/b 301\n");
}

static void
files_that_do_not_come_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, NULL, TWO, id);
	o = importing_work(h, id, "done");
	assert_int_equal(harness_int(o->data, "result.media.failed"), 1);
	assert_string_equal(harness_text(o->data, "result.notes[0].stage"), "media");
	harness_ok(o, importing_at(h, "GET", id, "/items?outcome=failed"));
	assert_string_equal(harness_text(o->data, "items[0].type"), "attachment");
	assert_string_equal(harness_text(o->data, "items[0].address"), "https://192.0.2.1/f.png");
	assert_int_equal(harness_int(o->data, "items[0].number"), 4);
}

static void
a_dry_run_only_says_what_it_would_do(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h,
	    "{\"dryRun\":true,\"postTypeMappings\":{\"page\":{\"collection\":\"x\",\"enabled\":"
	    "false},\"post\":{\"collection\":\"notes\",\"enabled\":true}}}",
	    TWO, id);
	o = importing_work(h, id, "done");
	assert_string_equal(harness_text(o->data, "found.types.post.collection"), "notes");
	assert_string_equal(harness_text(o->data, "found.types.post.state"), "new");
	assert_null(harness_at(o->data, "found.types.page.collection"));
	assert_int_equal(harness_int(o->data, "result.items.created"), 1);
	assert_code(
	    harness_request(h, admin, "GET /content/notes", NULL, NULL), "COLLECTION_NOT_FOUND");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM import_outcome WHERE item IS NOT NULL"), "0");
}

#define JSON "X-CMS-Request: 1\r\nContent-Type: application/json"

/* The dry run's file is used again, and removed after the import; others cannot use it. */
static void
the_file_of_a_dry_run_is_imported_next(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char tried[40], id[40], body[200];

	importing_create(h, "{\"dryRun\":true}", TWO, tried);
	o = importing_work(h, tried, "done");
	(void)snprintf(body, sizeof(body),
	    "{\"analysisId\":\"%s\",\"config\":{\"importMedia\":false}}",
	    harness_text(o->data, "analysisId"));
	harness_ok(o, harness_request(h, admin, IMPORTING_JOBS, JSON, body));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	assert_string_not_equal(id, tried);
	o = importing_work(h, id, "done");
	assert_int_equal(harness_int(o->data, "result.items.created"), 3);
	assert_null(harness_at(o->data, "analysisId"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_upload"), "0");
	o = importing_at(h, "GET", tried, "");
	assert_null(harness_at(o->data, "analysisId"));
	assert_code(harness_request(h, admin, IMPORTING_JOBS, JSON, body), "NOT_FOUND");
}

/* The file stays until both imports have ended. */
static void
two_imports_of_a_file_do_not_take_it_from_each_other(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char tried[40], id[2][40], body[200];

	importing_create(h, "{\"dryRun\":true}", TWO, tried);
	o = importing_work(h, tried, "done");
	(void)snprintf(body, sizeof(body),
	    "{\"analysisId\":\"%s\",\"config\":{\"importMedia\":false}}",
	    harness_text(o->data, "analysisId"));
	for (int i = 0; i < 2; i++) {
		harness_ok(o, harness_request(h, admin, IMPORTING_JOBS, JSON, body));
		(void)snprintf(id[i], sizeof(id[i]), "%s", harness_text(o->data, "id"));
	}
	(void)importing_work(h, id[0], "done");
	o = importing_work(h, id[1], "done");
	assert_int_equal(harness_int(o->data, "result.items.skipped"), 3);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_upload"), "0");
}

static void
what_cannot_be_read_fails_with_the_reason(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	harness_ok(o, imported_post(h, IMPORTING_JOBS, NULL, "<rss><channel>"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	o = importing_work(h, id, "failed");
	assert_non_null(strstr(harness_text(o->data, "error"), "VALIDATION_ERROR"));
	assert_string_equal(harness_text(o->data, "stage"), "analyze");
	/* It can be resumed; the file still exists. */
	harness_ok(o, importing_at(h, "POST", id, "/resume"));
	assert_string_equal(harness_text(o->data, "state"), "queued");
	(void)importing_work(h, id, "failed");
}

static void
it_is_judged_before_it_is_queued(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_code(imported_post(h, IMPORTING_JOBS, NULL, NULL), "VALIDATION_ERROR");
	o = imported_channel(h, IMPORTING_JOBS, "{\"locale\":\"xx\"}", "");
	assert_code(o, "VALIDATION_ERROR");
	assert_code(imported_channel(h, IMPORTING_JOBS, "{\"no\":1}", ""), "VALIDATION_ERROR");
	assert_code(imported_channel(h, IMPORTING_JOBS, "[]", ""), "VALIDATION_ERROR");
	assert_code(imported_channel(h, IMPORTING_JOBS, "{\"postTypeMappings\":{\"post\":7}}", ""),
	    "VALIDATION_ERROR");
	assert_code(imported_channel(h, IMPORTING_JOBS,
			"{\"authorMappings\":{\"a\":\"01NOTHING00000000000000000\"}}", ""),
	    "VALIDATION_ERROR");
	assert_code(harness_request(h, editor, "GET /import/jobs", NULL, NULL), "FORBIDDEN");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_job"), "0");
	/* The number of waiting uploads is limited. */
	for (int i = 0; i < 10; i++)
		assert_ok(imported_channel(h, IMPORTING_JOBS, NULL, ""));
	assert_code(imported_channel(h, IMPORTING_JOBS, NULL, ""), "CONFLICT");
}

static void
an_analysed_file_can_be_used(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char body[200], id[40];

	harness_ok(o, imported_channel(h, "POST /import/platform/analyze", NULL, TWO));
	(void)snprintf(body, sizeof(body),
	    "{\"analysisId\":\"%s\",\"config\":{\"importMedia\":false,\"importMenus\":false}}",
	    harness_text(o->data, "analysisId"));
	harness_ok(o, harness_request(h, admin, IMPORTING_JOBS,
			  "X-CMS-Request: 1\r\nContent-Type: application/json", body));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	/* The file stays longer than a day while the import needs it. */
	assert_ok(importing_at(h, "POST", id, "/pause"));
	harness_clock(h, "2096-06-07T08:00:00Z");
	while (inside_work(h, "import"))
		continue;
	assert_ok(importing_at(h, "POST", id, "/resume"));
	o = importing_work(h, id, "done");
	assert_int_equal(harness_int(o->data, "result.items.created"), 3);
	assert_int_equal(harness_int(o->data, "result.menus.created"), 0);
}

/* ---- as whom, and for how long ---- */

static void
it_runs_as_its_owner_with_the_rights_of_now(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, NULL, TWO, id);
	inside_sql(h, "UPDATE users SET role = 40 WHERE id = ?1", admin->id);
	o = importing_work(h, id, "failed");
	assert_non_null(strstr(harness_text(o->data, "error"), "FORBIDDEN"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome"), "0");
	inside_sql(h, "UPDATE users SET role = 50 WHERE id = ?1", admin->id);
	importing_create(h, "{\"importMedia\":false}", TWO, id);
	(void)importing_work(h, id, "done");
	assert_string_equal(
	    inside_ask(h, "SELECT author_id FROM c_posts WHERE slug = 'a'"), admin->id);
	inside_sql(h, "DELETE FROM users WHERE id = ?1", admin->id);
	importing_create(h, NULL, TWO, id);
	o = importing_work(h, id, "failed");
	assert_non_null(strstr(harness_text(o->data, "error"), "NOT_FOUND"));
}

static void
it_is_paused_cancelled_and_deleted(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, NULL, TWO, id);
	harness_ok(o, importing_at(h, "POST", id, "/pause"));
	assert_string_equal(harness_text(o->data, "state"), "paused");
	(void)importing_work(h, id, "paused");
	assert_code(importing_at(h, "DELETE", id, ""), "CONFLICT");
	harness_ok(o, importing_at(h, "POST", id, "/cancel"));
	assert_string_equal(harness_text(o->data, "state"), "cancelled");
	assert_ok(importing_at(h, "POST", id, "/cancel"));
	assert_code(importing_at(h, "POST", id, "/resume"), "CONFLICT");
	assert_code(importing_at(h, "POST", id, "/pause"), "CONFLICT");
	(void)importing_work(h, id, "cancelled");
	assert_ok(importing_at(h, "DELETE", id, ""));
	assert_code(importing_at(h, "GET", id, ""), "NOT_FOUND");
	assert_code(importing_at(h, "DELETE", id, ""), "NOT_FOUND");
	importing_create(h, "{\"importMedia\":false}", TWO, id);
	(void)importing_work(h, id, "done");
	assert_code(importing_at(h, "POST", id, "/cancel"), "CONFLICT");
	assert_ok(importing_at(h, "DELETE", id, ""));
	while (inside_work(h, "import"))
		continue;
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_job"), "0");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome"), "0");
}

/* A running job sees a request to stop at its next check. */
static void
a_running_one_stops_when_it_is_asked(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, NULL, TWO, id);
	inside_sql(h, "UPDATE import_job SET state = 'running' WHERE id = ?1", id);
	harness_ok(o, importing_at(h, "POST", id, "/pause"));
	assert_string_equal(harness_text(o->data, "state"), "running");
	assert_string_equal(harness_text(o->data, "wanted"), "paused");
	(void)importing_work(h, id, "paused");
	assert_ok(importing_at(h, "POST", id, "/resume"));
	inside_sql(h, "UPDATE import_job SET state = 'running' WHERE id = ?1", id);
	assert_ok(importing_at(h, "POST", id, "/pause"));
	harness_ok(o, importing_at(h, "POST", id, "/resume"));
	assert_true(json_is_null(harness_at(o->data, "wanted")));
	assert_ok(importing_at(h, "POST", id, "/cancel"));
	o = importing_work(h, id, "cancelled");
	assert_string_not_equal(harness_text(o->data, "finishedAt"), "");
}

/* A job that ends the process each time is given up. */
static void
one_that_comes_no_further_is_given_up(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	importing_create(h, NULL, TWO, id);
	inside_sql(h, "UPDATE import_job SET state = 'running', attempts = 5 WHERE id = ?1", id);
	o = importing_work(h, id, "failed");
	assert_non_null(strstr(harness_text(o->data, "error"), "5 times"));
	harness_ok(o, importing_at(h, "POST", id, "/resume"));
	(void)importing_work(h, id, "done");
	/* Outcomes of the last attempt count as progress, even if it was killed before it reported
	 * them. */
	importing_create(h, NULL, TWO, id);
	inside_sql(h, "UPDATE import_job SET state = 'running', attempts = 5 WHERE id = ?1", id);
	inside_sql(h,
	    "INSERT INTO import_outcome (run, number, outcome, comments, assignments)"
	    " VALUES (?1, -9, 'skipped', 0, 0)",
	    id);
	(void)importing_work(h, id, "done");
}

/* ---- killed ---- */

#define ITEMS 1200
#define KILLS 12
#define STEP 6000 /* microseconds of processor time from one kill to the next */

/* Returns an export in which every third slug comes twice, and pages come before their parents. */
static char *
many(void)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (int i = 1; i <= ITEMS; i++) {
		bool page = i % 4 == 0;

		(void)fprintf(f,
		    "<item><title>Item %d</title><wp:post_id>%d</wp:post_id><wp:post_type>%s"
		    "</wp:post_type><wp:post_name>slug-%d</wp:post_name><wp:status>publish"
		    "</wp:status><wp:post_parent>%d</wp:post_parent>"
		    "<category domain=\"category\" nicename=\"c%d\">C</category></item>\n",
		    i, i, page ? "page" : "post", i % 3 == 0 ? 1 : i,
		    page && i % 8 == 0 ? i + 4 : 0, i % 30);
	}
	(void)fclose(f);
	return text;
}

static void
work_and_die(const char *data, int number)
{
	const struct itimerval timer = { .it_value = { .tv_sec = number * STEP / 1000000,
					     .tv_usec = number * STEP % 1000000 } };
	const struct harness_options options = { .data = data };
	struct harness *h = harness_open(&options);

	if (setitimer(ITIMER_PROF, &timer, NULL) != 0)
		_exit(1);
	while (inside_work(h, "import"))
		continue;
	_exit(0);
}

/* Items with equal slugs are not confused when the job is resumed. */
static void
a_killed_one_goes_on_and_makes_nothing_twice(void **state)
{
	struct harness_options options = { 0 };
	char *text, *data, id[40];
	struct outcome *o;
	int killed = 0;

	if (getenv("STET_RECORD") != NULL)
		return;
	text = many();
	importing_create(*state, "{\"skipExisting\":false,\"importMedia\":false}", text, id);
	data = strdup(harness_data(*state));
	harness_close(*state, true);
	for (int i = 1; i <= KILLS; i++) {
		int status;
		pid_t pid = fork();

		if (pid == 0)
			work_and_die(data, i);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
	}
	options.data = data;
	*state = harness_open(&options);
	/* Five kills without progress make the job fail; resume it then. */
	(void)inside_work(*state, "import");
	if (strcmp(harness_text(importing_job(*state, id)->data, "state"), "failed") == 0)
		assert_ok(importing_at(*state, "POST", id, "/resume"));
	o = importing_work(*state, id, "done");
	print_message("# %d of %d attempts were killed\n", killed, KILLS);
	assert_true(killed >= 3);
	assert_int_equal(harness_int(o->data, "result.items.created"), ITEMS);
	assert_int_equal(harness_int(o->data, "result.terms.made.category"), 30);
	assert_int_equal(harness_int(o->data, "result.assignments"), ITEMS);
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM c_posts"), "900");
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM c_pages"), "300");
	assert_string_equal(
	    inside_ask(*state,
		"SELECT count(*) - count(DISTINCT item) FROM import_outcome WHERE outcome = 'created'"),
	    "0");
	free(data);
	free(text);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		/* First: its processes need a running clock, to make distinct ids. */
		TEST(a_killed_one_goes_on_and_makes_nothing_twice),
		TEST(an_import_runs_by_itself_and_tells_what_became_of_each),
		TEST(its_report_is_a_file_of_json_lines_or_cells),
		TEST(redirects_hide_nothing_and_do_not_go_round),
		TEST(files_that_do_not_come_are_told),
		TEST(a_dry_run_only_says_what_it_would_do),
		TEST(the_file_of_a_dry_run_is_imported_next),
		TEST(two_imports_of_a_file_do_not_take_it_from_each_other),
		TEST(what_cannot_be_read_fails_with_the_reason),
		TEST(it_is_judged_before_it_is_queued),
		TEST(an_analysed_file_can_be_used),
		TEST(it_runs_as_its_owner_with_the_rights_of_now),
		TEST(it_is_paused_cancelled_and_deleted),
		TEST(a_running_one_stops_when_it_is_asked),
		TEST(one_that_comes_no_further_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
