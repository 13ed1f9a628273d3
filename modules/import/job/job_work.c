/*
 * job_work.c - the background job that runs imports, one at a time, each as the user who started
 * it. It ends when it is asked to or the daemon stops. The next run continues it: the database
 * records which stages and items are done.
 */
#include "job/jobs.h"
#include "plan/given.h"
#include "read/uploads.h"
#include "state/account.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <string.h>
#include <time.h>

#define ATTEMPTS_MAX 5 /* most attempts in a row without progress */
#define LOOK_MS 200 /* between checks of the requested state */
#define KEEP_MS 1000 /* between writes of the progress */
#define NOTES_MAX 100 /* most warnings in the result */

struct work {
	struct job *job;
	struct stages stages;
	int64_t looked, kept; /* times of the last check and write, milliseconds */
	int64_t addresses, rewritten; /* counts of earlier attempts */
	struct given from; /* the importer that reads the files */
	const char *stops; /* the requested state; "": the daemon stops; NULL: go on */
};

int64_t
job_due(struct stet_call *call)
{
	struct job *job;

	if (job_next(call, &job) != STET_OK) {
		stet_log(call, STET_ERROR, "%s", stet_error_text(call));
		stet_error_clear(call);
		return -1;
	}
	return job != NULL ? stet_now(call) : -1;
}

/* ---- progress ---- */

static int64_t
milliseconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static enum stet_status
look(struct stet_call *call, void *arg)
{
	struct work *w = arg;
	const char *wanted;

	STET_TRY(job_wanted(call, w->job->id, &wanted));
	if (wanted != NULL)
		w->stops = strcmp(wanted, JOB_PAUSED) == 0 ? JOB_PAUSED : JOB_CANCELLED;
	else if (stet_job_ends(call))
		w->stops = "";
	return STET_OK;
}

static enum stet_status
keep(struct stet_call *call, void *arg)
{
	struct work *w = arg;

	return job_keeps(call, w->job);
}

/* Called after each step: stops if requested, and stores the progress. A repeated stage starts
 * over, but the progress that is shown never goes back. */
static enum stet_status
step(struct stages *s, enum stage stage, int64_t done, int64_t of)
{
	struct work *w = s->arg;
	struct job *job = w->job;
	int64_t now = milliseconds();

	if (now - w->looked >= LOOK_MS) {
		w->looked = now;
		STET_TRY(stet_scope(s->call, look, w));
	}
	if (w->stops != NULL)
		return stet_fail(s->call, STET_CONFLICT, NULL, "It was stopped");
	if (stage != job->stage || done <= job->done)
		return STET_OK;
	job->done = done;
	job->total = of;
	if (now - w->kept < KEEP_MS && stage != STAGE_REWRITE)
		return STET_OK;
	w->kept = now;
	if (stage == STAGE_REWRITE)
		(void)json_object_set_new(job->result, "rewritten",
		    json_pack("{sI sI}", "addresses", (json_int_t)(w->addresses + s->addresses),
			"items", (json_int_t)(w->rewritten + s->rewritten)));
	return stet_scope(s->call, keep, w);
}

static void
say(struct stages *s, enum stage stage, const char *about, const char *what)
{
	const struct work *w = s->arg;
	json_t *list = json_object_get(w->job->result, "notes");

	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(w->job->result, "notes", list);
	}
	if (json_array_size(list) < NOTES_MAX)
		(void)json_array_append_new(
		    list, json_pack("{ss ss ss}", "stage", stage_name[stage], "about", about,
			      "note", what));
}

/* ---- stages ---- */

static bool
wants(const struct work *w, const char *option, bool otherwise)
{
	const json_t *value = json_object_get(w->job->options, option);

	return value != NULL ? json_is_true(value) : otherwise;
}

static enum stet_status
terms_made(struct stages *s)
{
	struct work *w = s->arg;
	const struct report *r = &w->stages.run.report;

	(void)json_object_set_new(w->job->result, "terms",
	    json_pack("{so so so}", "made", json_deep_copy(r->terms_made), "found",
		json_deep_copy(r->terms_found), "missing", json_deep_copy(r->missing)));
	return stet_scope(w->stages.call, keep, w);
}

static enum stet_status
analyze(struct work *w)
{
	struct stages *s = &w->stages;

	STET_TRY(stages_analyze(s));
	STET_TRY(stages_plan(s));
	STET_TRY(stages_tell(s));
	w->job->found = stet_json_own(
	    s->call, json_pack("{sI sI sI sO sO sO sb so}", "items", (json_int_t)s->items,
			 "attachments", (json_int_t)s->attachments, "terms", (json_int_t)s->terms,
			 "types", s->types, "nested", s->nested, "definitions", s->definitions,
			 "fits", s->fits, "names", json_deep_copy(s->run.names->known)));
	return STET_OK;
}

/* Restores the result of the analysis from an earlier attempt. */
static enum stet_status
recall(struct work *w)
{
	struct stages *s = &w->stages;
	const json_t *found = w->job->found, *media;

	s->items = json_integer_value(json_object_get(found, "items"));
	s->attachments = json_integer_value(json_object_get(found, "attachments"));
	s->terms = json_integer_value(json_object_get(found, "terms"));
	s->types = stet_json_own(s->call, json_deep_copy(json_object_get(found, "types")));
	(void)json_object_update(s->nested, json_object_get(found, "nested"));
	if (json_is_object(json_object_get(found, "names")))
		s->run.names->known =
		    stet_json_own(s->call, json_deep_copy(json_object_get(found, "names")));
	(void)json_object_update(s->definitions, json_object_get(found, "definitions"));
	media = json_object_get(w->job->result, "media");
	s->copied = json_integer_value(json_object_get(media, OUTCOME_CREATED));
	s->there = json_integer_value(json_object_get(media, OUTCOME_SKIPPED));
	s->failed = json_integer_value(json_object_get(media, OUTCOME_FAILED));
	return stages_plan(s);
}

static enum stet_status
sum(struct stet_call *call, void *arg)
{
	struct work *w = arg;

	return report_sum(call, w->job->id, w->job->result);
}

static enum stet_status
sum_all(struct stet_call *call, void *arg)
{
	struct work *w = arg;

	STET_TRY(sum(call, arg));
	return report_account(call, w->job->id, w->stages.run.report.rest, w->job->result);
}

/* Adds the files to the account that the stage of the items has stored. */
static void
account_media(struct work *w)
{
	json_t *account = json_object(), *list = json_object_get(w->job->result, "account"), *rows;
	json_int_t lost = json_integer_value(json_object_get(w->job->result, "lost"));

	stages_media_account(&w->stages, wants(w, "importMedia", true), account);
	rows = account_list(account);
	(void)json_array_extend(list, rows);
	(void)json_object_set_new(
	    w->job->result, "lost", json_integer(lost + account_lost(account)));
	json_decref(rows);
	json_decref(account);
}

static enum stet_status
execute(struct work *w)
{
	struct report *r = &w->stages.run.report;

	STET_TRY(wants(w, "dryRun", false) ? stages_try(&w->stages) : stages_execute(&w->stages));
	(void)json_object_set_new(w->job->result, "menus",
	    json_pack("{sI sI sI}", "created", (json_int_t)r->menus_made, "updated",
		(json_int_t)r->menus_changed, "items", (json_int_t)r->menu_items));
	STET_TRY(stet_scope(w->stages.call, sum_all, w));
	if (!wants(w, "importMedia", true))
		account_media(w);
	return STET_OK;
}

static enum stet_status
copy(struct work *w)
{
	STET_TRY(stages_media(&w->stages));
	return stet_scope(w->stages.call, sum, w);
}

static enum stet_status
rewrite(struct work *w)
{
	bool copied = wants(w, "importMedia", true);

	STET_TRY(stages_rewrite(&w->stages, copied));
	if (copied)
		account_media(w);
	return STET_OK;
}

static enum stet_status
run_stage(struct work *w)
{
	switch (w->job->stage) {
	case STAGE_ANALYZE:
		return analyze(w);
	case STAGE_PREPARE:
		return stages_prepare(&w->stages);
	case STAGE_EXECUTE:
		return execute(w);
	case STAGE_MEDIA:
		return wants(w, "importMedia", true) ? copy(w) : STET_OK;
	case STAGE_REWRITE:
		return rewrite(w);
	default:
		return STET_OK;
	}
}

/* Returns the next stage. A dry run creates nothing, so it skips all but the items, and these too
 * if a collection has fields of other types. */
static enum stage
stage_after(const struct work *w, enum stage stage)
{
	if (!wants(w, "dryRun", false))
		return (enum stage)(stage + 1);
	return stage == STAGE_ANALYZE && w->stages.fits ? STAGE_EXECUTE : STAGES;
}

static enum stet_status
run_stages(struct stet_call *call, void *arg)
{
	struct work *w = arg;
	struct job *job = w->job;

	if (job->stage != STAGE_ANALYZE)
		STET_TRY(recall(w));
	while (job->stage < STAGES) {
		STET_TRY(run_stage(w));
		job->stage = stage_after(w, job->stage);
		job->done = job->total = 0;
		STET_TRY(stet_scope(call, keep, w));
	}
	return STET_OK;
}

/* ---- options ---- */

/* Converts {type: {collection, enabled}} to {type: collection}. */
static json_t *
given(struct stet_call *call, const json_t *mappings)
{
	json_t *out = stet_json_own(call, json_object()), *mapping;
	const char *type;

	json_object_foreach((json_t *)(uintptr_t)mappings, type, mapping)
	{
		json_t *collection = json_object_get(mapping, "collection");

		(void)json_object_set_new(out, type,
		    json_is_true(json_object_get(mapping, "enabled")) ? json_incref(collection)
								      : json_string(""));
	}
	return out;
}

static enum stet_status
set_up(struct stet_call *call, struct work *w)
{
	struct stages *s = &w->stages;
	const json_t *options = w->job->options, *authors, *rewritten;
	json_t *types = NULL;

	stages_begin(s, call);
	s->step = step;
	s->says = say;
	s->terms_made = terms_made;
	s->arg = w;
	STET_TRY(uploads_find(call, w->job->upload, &s->files, &s->file_count, &types));
	s->run.names->given = given(call, json_object_get(options, "postTypeMappings"));
	s->run.names->chosen = json_object_get(json_object_get(options, "options"), "fields");
	authors = json_object_get(options, "authorMappings");
	s->run.authors = json_is_object(authors) ? authors : NULL;
	s->run.skip_existing = wants(w, "skipExisting", true);
	s->run.media = wants(w, "importMedia", true);
	s->run.taxonomies = wants(w, "importTaxonomies", true);
	s->run.sections = wants(w, "importSections", true);
	s->run.menus = wants(w, "importMenus", true);
	s->fields = wants(w, "importFields", false);
	s->title = wants(w, "importSiteTitle", true);
	s->run.locale =
	    stet_locale_stored(call, json_string_value(json_object_get(options, "locale")));
	w->from.importer = json_string_value(json_object_get(options, "format"));
	w->from.options = json_object_get(options, "options");
	if (w->from.importer != NULL && *w->from.importer != '\0')
		s->run.from = &w->from;
	s->run.lasts = true;
	stages_source(
	    s, json_string_value(json_object_get(options, "source")), wants(w, "update", false));
	s->run.id = w->job->id;
	rewritten = json_object_get(w->job->result, "rewritten");
	w->addresses = json_integer_value(json_object_get(rewritten, "addresses"));
	w->rewritten = json_integer_value(json_object_get(rewritten, "items"));
	return stet_issues(call);
}

/* The job acts as the user who started it, with the rights that they have now. */
static enum stet_status
become(struct stet_call *call, const char *owner)
{
	struct stet_principal who = { .id = owner, .via = STET_VIA_SYSTEM };
	const json_t *user;
	json_t *reply;

	if (*owner == '\0') /* a command has started it */
		return STET_OK;
	STET_TRY(stet_invoke_json(call, "admin_user_get", json_pack("{ss}", "id", owner), &reply));
	user = json_object_get(reply, "item");
	who.email = json_string_value(json_object_get(user, "email"));
	who.name = json_string_value(json_object_get(user, "name"));
	who.role = (int)json_integer_value(json_object_get(user, "role"));
	if (json_is_true(json_object_get(user, "disabled")))
		return stet_fail(call, STET_FORBIDDEN, NULL, "Its owner is disabled");
	stet_principal_set(call, &who);
	return stet_require(call, "import:execute");
}

/* ---- an attempt ---- */

static enum stet_status
attempt(struct stet_call *call, void *arg)
{
	struct work *w = arg;

	STET_TRY(become(call, w->job->owner));
	STET_TRY(set_up(call, w));
	STET_TRY(stages_open(&w->stages));
	return run_stages(call, w);
}

static enum stet_status
finish(struct stet_call *call, const struct job *job, const char *state, const char *why)
{
	/* The job will not continue: its map is not needed. */
	if (strcmp(state, JOB_DONE) == 0 || strcmp(state, JOB_CANCELLED) == 0)
		STET_TRY(map_clear(call, job->id));
	return job_stops(call, job, state, why);
}

/* Ends an attempt. A fault (5xx) may be temporary: the job runs again after a pause. Errors of the
 * export or the rights are final. */
static enum stet_status
settle(struct stet_call *call, const struct work *w, enum stet_status status)
{
	const char *why;

	if (status == STET_OK)
		return finish(call, w->job, JOB_DONE, NULL);
	if (w->stops != NULL) {
		stet_error_clear(call);
		return *w->stops != '\0' ? finish(call, w->job, w->stops, NULL)
					 : job_rests(call, w->job);
	}
	if (stet_status_http(status) >= 500)
		return status;
	why = stet_error_text(call);
	stet_error_clear(call);
	return finish(call, w->job, JOB_FAILED, why);
}

enum stet_status
job_run(struct stet_call *call)
{
	struct stet_principal self = *stet_principal(call);
	struct work w = { 0 };
	enum stet_status status;

	if (stet_job_ends(call))
		return STET_OK;
	STET_TRY(job_next(call, &w.job));
	if (w.job == NULL)
		return STET_OK;
	if (w.job->wanted != NULL)
		return finish(call, w.job, w.job->wanted, NULL);
	STET_TRY(job_begins(call, w.job));
	if (w.job->attempts > ATTEMPTS_MAX)
		return finish(call, w.job, JOB_FAILED,
		    stet_printf(call, "It ended %d times at the same place", ATTEMPTS_MAX));
	status = stet_scope(call, attempt, &w);
	stet_principal_set(call, &self);
	return settle(call, &w, status);
}
