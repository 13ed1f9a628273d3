/*
 * tool.c - imports for assistants: one tool, whose action is a step of an import. Each action but
 * analyze runs an op of a route, so that its checks and rights are those of the route.
 */
#include "job/jobs.h"
#include "plan/analyze.h"
#include "read/form.h"
#include "read/uploads.h"
#include "remote/remote.h"
#include <string.h>

#define ABOUT_CONFIG                                                                        \
	"format (ghost, csv, ...; default wxr; also for analyze), postTypeMappings {type: " \
	"{collection, enabled}}, importFields, update, locale"

const struct stet_member tool_in[] = {
	{ "action", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("analyze", "plan", "start", "progress", "report", "cancel") },
	{ "url", STET_STRING, .about = "analyze: public address of the export",
	    STET_RANGE(1, 2048) },
	{ "text", STET_STRING, .about = "or its text" },
	{ "analysisId", STET_STRING, .about = "plan, start", STET_RANGE(1, 64) },
	{ "config", STET_OBJECT, .about = ABOUT_CONFIG },
	{ "job", STET_STRING, .about = "progress, report, cancel", STET_RANGE(1, 64) },
	{ "outcome", STET_STRING, .about = "report: created, skipped, draft, failed, ...",
	    STET_RANGE(1, 20) },
	{ "after", STET_INTEGER, .about = "report: nextAfter of the page before" },
	{ 0 },
};
const struct stet_member tool_out[] = {
	{ "analysis", STET_OBJECT, .about = "Of analyze: what is in the export" },
	{ "analysisId", STET_STRING, .about = "Of analyze: the export is kept for a day" },
	{ "job", STET_OBJECT, .of = job_out, .about = "Of plan, start, progress, cancel" },
	{ "items", STET_ARRAY, .item = STET_OBJECT, .about = "Of report: what became of each" },
	{ "nextAfter", STET_INTEGER, .about = "Absent on the last page" },
	{ 0 },
};

/* ---- analyze ---- */

/* The export as a file: fetched from an address, or its text. */
static enum stet_status
read_file(struct stet_call *call, struct stet_part *part)
{
	const char *url = stet_arg(call, "url"), *text = stet_arg(call, "text");

	*part = (struct stet_part){ .name = "file", .filename = "export" };
	if ((url != NULL) == (text != NULL))
		return stet_fail(call, STET_VALIDATION_ERROR, "url", "Give either url or text");
	if (url != NULL)
		return remote_file(call, url, (size_t)import_most(call), part);
	part->size = strlen(text);
	return stet_file_temporary(call, text, strlen(text), &part->path);
}

static const char *
format_of(struct stet_call *call)
{
	const char *format =
	    json_string_value(json_object_get(stet_arg_json(call, "config"), "format"));

	return format != NULL ? format : "";
}

/* Reads an export of WordPress, and keeps it. One of another format is only kept: a plan then says
 * what is in it. */
static enum stet_status
analyze(struct stet_call *call)
{
	struct analysis *a = analysis_new(call);
	const struct wxr_sink sink = analysis_sink(a);
	struct stet_json *out = stet_reply(call);
	struct wxr_totals totals;
	struct stet_part part;
	const struct stet_part *parts[1] = { &part };
	const char *id;

	STET_TRY(read_file(call, &part));
	stet_object(out, NULL);
	if (*format_of(call) == '\0') {
		STET_TRY(
		    wxr_read(call, &part.path, 1, (uint64_t)import_most(call), &sink, &totals));
		stet_object(out, "analysis");
		STET_TRY(analysis_put(a, out));
		stet_put_int(out, "skipped", totals.skipped);
		stet_close(out);
	}
	STET_TRY(uploads_keep_parts(call, parts, 1, analysis_suggested(a), &id));
	stet_put_str(out, "analysisId", id);
	stet_close(out);
	return STET_OK;
}

/* ---- the other actions ---- */

/* Answers what an op answers, as the member `job`. Takes the reference of args. */
static enum stet_status
answer_job(struct stet_call *call, const char *op, json_t *args)
{
	struct stet_json *out = stet_reply(call);
	json_t *job;

	STET_TRY(stet_invoke_json(call, op, args, &job));
	stet_object(out, NULL);
	stet_put_json(out, "job", job);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
begin(struct stet_call *call, bool dry)
{
	const json_t *given = stet_arg_json(call, "config");
	json_t *config = given != NULL ? json_copy((json_t *)(uintptr_t)given) : json_object();

	(void)json_object_set_new(config, "dryRun", json_boolean(dry));
	return answer_job(call, "import_job_create",
	    json_pack("{ss so}", "analysisId", stet_arg(call, "analysisId"), "config", config));
}

static enum stet_status
plan(struct stet_call *call)
{
	return begin(call, true);
}

static enum stet_status
start(struct stet_call *call)
{
	return begin(call, false);
}

static enum stet_status
progress(struct stet_call *call)
{
	return answer_job(call, "import_job_get", json_pack("{ss}", "job", stet_arg(call, "job")));
}

static enum stet_status
cancel(struct stet_call *call)
{
	return answer_job(
	    call, "import_job_cancel", json_pack("{ss}", "job", stet_arg(call, "job")));
}

static enum stet_status
report(struct stet_call *call)
{
	json_t *args = json_pack(
	    "{ss ss*}", "job", stet_arg(call, "job"), "outcome", stet_arg(call, "outcome"));
	struct stet_json *out = stet_reply(call);
	json_t *page;

	if (stet_has(call, "after"))
		(void)json_object_set_new(args, "after", json_integer(stet_arg_int(call, "after")));
	STET_TRY(stet_invoke_json(call, "import_job_items", args, &page));
	stet_put_json(out, NULL, page);
	return STET_OK;
}

/* The actions by name, each with the argument that it needs. Until its text is read, an export may
 * take a while, and so do the files of a job: these run in the slow lane. */
static const struct action {
	const char *name, *needs;
	enum stet_lane lane;
	enum stet_status (*run)(struct stet_call *);
} actions[] = {
	{ "analyze", NULL, STET_SLOW, analyze },
	{ "plan", "analysisId", STET_SLOW, plan },
	{ "start", "analysisId", STET_SLOW, start },
	{ "progress", "job", STET_READ, progress },
	{ "report", "job", STET_READ, report },
	{ "cancel", "job", STET_WRITE, cancel },
};

static const struct action *
action_of(struct stet_call *call)
{
	const char *name = stet_arg(call, "action");
	size_t i = 0;

	while (name != NULL && i < sizeof(actions) / sizeof(actions[0]) - 1 &&
	       strcmp(actions[i].name, name) != 0)
		i++;
	return &actions[i];
}

enum stet_lane
tool_lane(struct stet_call *call)
{
	return action_of(call)->lane;
}

enum stet_status
tool_run(struct stet_call *call)
{
	const struct action *action = action_of(call);

	if (action->needs != NULL && !stet_has(call, action->needs))
		return stet_fail(call, STET_VALIDATION_ERROR, action->needs,
		    "is required with the action %s", action->name);
	return action->run(call);
}
