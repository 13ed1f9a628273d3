/* bytool.c - an import by the tool of assistants alone: from the analysis to the report. */
#include "imported.h"
#include "importing.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>

#define EXPORT                                                                          \
	"<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<rss version=\"2.0\""             \
	" xmlns:wp=\"http://wordpress.org/export/1.2/\""                                \
	" xmlns:excerpt=\"http://wordpress.org/export/1.2/excerpt/\""                   \
	" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\""                   \
	" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel><title>Site</title>" \
	"<wp:wxr_version>1.2</wp:wxr_version>\n" ITEM("1", "post", "one",               \
	    "<title>One</title><wp:status>publish</wp:status>"                          \
	    "<content:encoded><![CDATA[<p>A text</p>]]></content:encoded>")             \
	    ITEM("2", "page", "two", "<title>Two</title>") "</channel></rss>\n"

/* Calls the tool; takes the reference of the arguments. */
static json_t *
import(struct harness *h, const struct harness_user *user, json_t *arguments)
{
	json_t *message = json_pack("{ss si ss s{ss so}}", "jsonrpc", "2.0", "id", 7, "method",
	    "tools/call", "params", "name", "import", "arguments", arguments);
	char *text = json_dumps(message, 0);
	struct outcome *o = harness_request(h, user, "POST /mcp", RPC_HEADERS, text);

	free(text);
	json_decref(message);
	if (o->http != 200)
		fail_msg("%d %s", o->http, o->text);
	return harness_at(o->body, "result");
}

/* Calls the tool, and fails unless it succeeds; returns its answer. */
static json_t *
did(struct harness *h, json_t *arguments)
{
	json_t *result = import(h, admin, arguments);

	if (*rpc_code(result) != '\0')
		fail_msg("%s", rpc_text(result));
	return harness_at(result, "structuredContent");
}

static void
analyze(struct harness *h, char id[40])
{
	json_t *answer = did(h, json_pack("{ss ss}", "action", "analyze", "text", EXPORT));

	assert_int_equal(json_array_size(harness_at(answer, "analysis.postTypes")), 2);
	(void)snprintf(id, 40, "%s", harness_text(answer, "analysisId"));
}

/* Plans or starts, and runs the job to its end. */
static void
run(struct harness *h, const char *action, const char *analysis, char job[40])
{
	json_t *answer = did(h, json_pack("{ss ss s{sb}}", "action", action, "analysisId", analysis,
				    "config", "importMedia", 0));

	(void)snprintf(job, 40, "%s", harness_text(answer, "job.id"));
	assert_string_equal(harness_text(answer, "job.state"), "queued");
	(void)importing_work(h, job, "done");
}

static void
an_export_is_imported_by_the_tool_alone(void **state)
{
	struct harness *h = *state;
	char analysis[40], job[40];
	json_t *answer;

	analyze(h, analysis);
	run(h, "plan", analysis, job);
	answer = did(h, json_pack("{ss ss}", "action", "progress", "job", job));
	assert_int_equal(harness_int(answer, "job.result.items.created"), 2);
	assert_code(harness_request(h, admin, "GET /content/posts/one", NULL, NULL),
	    "COLLECTION_NOT_FOUND"); /* a plan writes nothing */
	run(h, "start", analysis, job);
	answer = did(h, json_pack("{ss ss}", "action", "report", "job", job));
	assert_int_equal(json_array_size(harness_at(answer, "items")), 2);
	assert_string_equal(harness_text(answer, "items[0].outcome"), "created");
	answer =
	    did(h, json_pack("{ss ss ss}", "action", "report", "job", job, "outcome", "failed"));
	assert_int_equal(json_array_size(harness_at(answer, "items")), 0);
	assert_ok(harness_request(h, admin, "GET /content/posts/one", NULL, NULL));
	assert_string_equal(
	    rpc_code(import(h, admin, json_pack("{ss ss}", "action", "cancel", "job", job))),
	    "CONFLICT");
}

static void
an_import_is_cancelled(void **state)
{
	struct harness *h = *state;
	char analysis[40], job[40];
	json_t *answer;

	analyze(h, analysis);
	answer = did(h, json_pack("{ss ss}", "action", "start", "analysisId", analysis));
	(void)snprintf(job, sizeof(job), "%s", harness_text(answer, "job.id"));
	answer = did(h, json_pack("{ss ss}", "action", "cancel", "job", job));
	assert_string_equal(harness_text(answer, "job.state"), "cancelled");
}

static void
an_export_of_another_format_is_planned(void **state)
{
	struct harness *h = *state;
	json_t *answer = did(h, json_pack("{ss ss s{ss}}", "action", "analyze", "text",
				    "slug,title\na,First\nb,Second\n", "config", "format", "csv"));
	char job[40];

	assert_null(harness_at(answer, "analysis"));
	answer = did(h, json_pack("{ss ss s{ss s{ss}}}", "action", "plan", "analysisId",
			    harness_text(answer, "analysisId"), "config", "format", "csv",
			    "options", "type", "notes"));
	(void)snprintf(job, sizeof(job), "%s", harness_text(answer, "job.id"));
	assert_int_equal(
	    harness_int(importing_work(h, job, "done")->data, "result.items.created"), 2);
}

static void
what_cannot_be_is_refused(void **state)
{
	const struct harness_user lower[1] = { { .id = admin->id, .role = 40, .scopes = "admin" } };
	const struct harness_user writer[1] = {
		{ .id = admin->id, .role = 50, .scopes = "content:write" }
	};
	struct harness *h = *state;
	json_t *result;

	result = import(h, admin, json_pack("{ss}", "action", "analyze"));
	assert_string_equal(rpc_code(result), "VALIDATION_ERROR");
	result = import(h, admin, json_pack("{ss ss}", "action", "analyze", "text", "no export"));
	assert_string_not_equal(rpc_code(result), "");
	result = import(
	    h, admin, json_pack("{ss ss}", "action", "analyze", "url", "http://127.0.0.1/a.xml"));
	assert_string_equal(rpc_code(result), "SSRF_BLOCKED");
	result = import(h, admin, json_pack("{ss}", "action", "start"));
	assert_string_equal(rpc_code(result), "VALIDATION_ERROR");
	assert_non_null(strstr(rpc_text(result), "analysisId"));
	result = import(h, admin,
	    json_pack("{ss ss}", "action", "start", "analysisId", "01ABSENT000000000000000000"));
	assert_string_equal(rpc_code(result), "NOT_FOUND");
	result = import(h, lower, json_pack("{ss ss}", "action", "progress", "job", "x"));
	assert_string_equal(rpc_code(result), "INSUFFICIENT_PERMISSIONS");
	result = import(h, writer, json_pack("{ss ss}", "action", "progress", "job", "x"));
	assert_string_equal(rpc_code(result), "INSUFFICIENT_SCOPE");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    an_export_is_imported_by_the_tool_alone, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(
		    an_import_is_cancelled, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(
		    an_export_of_another_format_is_planned, importing_begin, importing_end),
		cmocka_unit_test_setup_teardown(
		    what_cannot_be_is_refused, importing_begin, importing_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
