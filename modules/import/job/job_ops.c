/* job_ops.c - the ops on import jobs: create, get, list, watch, pause, resume, cancel, delete. */
#include "job/jobs.h"
#include "read/form.h"
#include "read/uploads.h"
#include "run/execute.h"
#include "state/ops.h"
#include <stdio.h>
#include <string.h>

#define OPEN_MAX 10 /* most unfinished jobs of a site */
#define BEAT_MS 15000 /* a stream sends a line at least this often */
#define SOON_MS 20

static const struct stet_member config_shape[] = {
	{ "postTypeMappings", STET_OBJECT,
	    .about = "{type of posts: {collection, enabled}}; others go where analyze suggests" },
	{ "authorMappings", STET_OBJECT, STET_NULLABLE, .about = "{login: user id or null}" },
	{ "skipExisting", STET_BOOLEAN,
	    .about = "Items with the same collection, slug and locale stay; true when omitted" },
	{ "format", STET_STRING, STET_NULLABLE, STET_RANGE(0, 32),
	    .about =
		"Importer that reads the file: ghost, markdown, csv, jsonl, sanity, contentful, "
		"strapi, directus, payload, notion, blogger, substack, medium, drupal, or a "
		"plugin's; WXR when omitted" },
	{ "options", STET_OBJECT, STET_NULLABLE,
	    .about = "{fields: {name in the source: field, \"\" leaves it out}}, and those of the "
		     "importer, {name: value}; of csv and jsonl: {status}; of notion: {status}; of "
		     "directus and payload: {type}" },
	{ "update", STET_BOOLEAN,
	    .about = "Change what an import has made before and the source has changed since. "
		     "What was changed here, too, stays: outcome conflict" },
	{ "source", STET_STRING, STET_NULLABLE, STET_RANGE(0, 200),
	    .about = "Name under which the ids of the source are kept; the address of the site "
		     "when omitted" },
	{ "importMedia", STET_BOOLEAN,
	    .about = "Copy files into the library, rewrite their addresses; true when omitted" },
	{ "importTaxonomies", STET_BOOLEAN, .about = "True when omitted" },
	{ "importSections", STET_BOOLEAN, .about = "Reusable blocks; true when omitted" },
	{ "importMenus", STET_BOOLEAN, .about = "True when omitted" },
	{ "importFields", STET_BOOLEAN,
	    .about = "Make fields for custom fields that have none; false when omitted" },
	{ "importSiteTitle", STET_BOOLEAN,
	    .about = "Title and tagline, where the site has none; true when omitted" },
	{ "locale", STET_STRING, STET_NULLABLE, .about = "Of items that name none",
	    STET_RANGE(0, 64) },
	{ "dryRun", STET_BOOLEAN, .about = "Only say what would become of it" },
	{ 0 },
};

const struct stet_member job_create_in[] = {
	{ "analysisId", STET_STRING, .about = "What analyze answered, in place of a form's file",
	    STET_RANGE(1, 64) },
	{ "config", STET_OBJECT, .of = config_shape, .about = "In a form: JSON in this part" },
	{ 0 },
};
const struct stet_member job_by_id[] = {
	{ "job", STET_STRING, STET_REQUIRED, .about = "Id of the job" },
	{ 0 },
};

static const struct stet_member progress_shape[] = {
	{ "done", STET_INTEGER, STET_REQUIRED },
	{ "total", STET_INTEGER, STET_REQUIRED, .about = "0: unknown" },
	{ 0 },
};
const struct stet_member job_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "state", STET_STRING, STET_REQUIRED,
	    STET_CHOICES(
		JOB_QUEUED, JOB_RUNNING, JOB_PAUSED, JOB_CANCELLED, JOB_DONE, JOB_FAILED) },
	{ "wanted", STET_STRING, STET_NULLABLE,
	    .about = "State that a running job was asked to take" },
	{ "stage", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("analyze", "prepare", "execute", "media", "rewrite", "finished") },
	{ "progress", STET_OBJECT, STET_REQUIRED, .of = progress_shape,
	    .about = "Of the stage: items, or attachments" },
	{ "ownerId", STET_STRING, STET_REQUIRED, .about = "The user as whom it runs" },
	{ "analysisId", STET_STRING,
	    .about = "Its file, for another import by the owner; absent: it is not kept any more" },
	{ "config", STET_OBJECT, STET_REQUIRED },
	{ "found", STET_OBJECT, STET_NULLABLE,
	    .about = "What is in the export, and where each type of posts goes" },
	{ "result", STET_OBJECT, STET_REQUIRED, .about = "What was done so far" },
	{ "error", STET_STRING, STET_NULLABLE, .about = "Why it failed" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "startedAt", STET_TIME, STET_NULLABLE },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ "finishedAt", STET_TIME, STET_NULLABLE },
	{ 0 },
};
const struct stet_member job_list_in[] = {
	{ "limit", STET_INTEGER, .about = "Jobs a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member job_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = job_out },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

const struct stet_member job_deleted_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

const char *const stage_name[STAGES + 1] = { "analyze", "prepare", "execute", "media", "rewrite",
	"finished" };

/* ---- get and list ---- */

#define COLUMNS                                                                                 \
	"id, created_at, state, wanted, stage, done, total, owner, options, found, result, "    \
	"error, started_at, updated_at, finished_at, (SELECT u.analysis FROM import_upload AS " \
	"u WHERE u.analysis = import_job.upload AND u.number = 0)"

static void
put_text(struct stet_json *out, const char *key, struct stet_rows *rows, int column)
{
	if (stet_col_null(rows, column))
		stet_put_null(out, key);
	else
		stet_put_str(out, key, stet_col_str(rows, column));
}

static void
put_json(
    struct stet_call *call, struct stet_json *out, const char *key, struct stet_rows *rows, int at)
{
	const char *text = stet_col_str(rows, at);
	json_t *value = stet_json_own(call, text != NULL ? json_loads(text, 0, NULL) : json_null());

	stet_put_json(out, key, value);
}

static void
put_job(struct stet_call *call, struct stet_json *out, struct stet_rows *rows)
{
	int64_t stage = stet_col_int(rows, 4);

	stet_object(out, NULL);
	put_text(out, "id", rows, 0);
	put_text(out, "state", rows, 2);
	put_text(out, "wanted", rows, 3);
	stet_put_str(out, "stage", stage_name[stage >= 0 && stage < STAGES ? stage : STAGES]);
	stet_object(out, "progress");
	stet_put_int(out, "done", stet_col_int(rows, 5));
	stet_put_int(out, "total", stet_col_int(rows, 6));
	stet_close(out);
	put_text(out, "ownerId", rows, 7);
	if (!stet_col_null(rows, 15))
		put_text(out, "analysisId", rows, 15);
	put_json(call, out, "config", rows, 8);
	put_json(call, out, "found", rows, 9);
	put_json(call, out, "result", rows, 10);
	put_text(out, "error", rows, 11);
	put_text(out, "createdAt", rows, 1);
	put_text(out, "startedAt", rows, 12);
	put_text(out, "updatedAt", rows, 13);
	put_text(out, "finishedAt", rows, 14);
	stet_close(out);
}

static enum stet_status
show(struct stet_call *call, const char *id, struct stet_json *out, struct stet_rows *rows)
{
	STET_TRY(stet_one(call, rows, STET_NOT_FOUND,
	    "SELECT " COLUMNS " FROM import_job WHERE id = ?1 AND state <> 'deleted'",
	    STET_ARGS(id)));
	put_job(call, out, rows);
	return STET_OK;
}

enum stet_status
job_get(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(show(call, stet_arg(call, "job"), stet_reply(call), &rows));
	return stet_rows_end(&rows);
}

enum stet_status
job_list(struct stet_call *call)
{
	struct stet_page page = {
		.listing = "import_jobs", .key = "created_at", .key_column = 1, .id_column = 0
	};
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT " COLUMNS " FROM import_job WHERE state <> 'deleted'");
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		put_job(call, out, &rows);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- watch ---- */

struct watching {
	char updated[40]; /* time and state in the last line */
	int64_t beat;
};

/* Streams a line of JSON whenever the job has changed, until it is finished or paused. */
enum stet_status
job_events(struct stet_call *call)
{
	struct watching *w = stet_wait_memory(call, sizeof(*w));
	struct stet_json *line = stet_json_new(call);
	const char *updated, *state, *text;
	struct stet_rows rows;
	bool over;
	size_t len;

	STET_TRY(show(call, stet_arg(call, "job"), line, &rows));
	updated = stet_col_dup(&rows, 13);
	state = stet_col_dup(&rows, 2);
	STET_TRY(stet_rows_end(&rows));
	over = strcmp(state, JOB_RUNNING) != 0 && strcmp(state, JOB_QUEUED) != 0;
	updated = stet_printf(call, "%s %.12s", updated, state);
	text = stet_json_text(line, &len);
	stet_reply_type(call, "application/x-ndjson");
	if (strcmp(updated, w->updated) != 0 || stet_now(call) >= w->beat) {
		STET_TRY(stet_write(call, text, len));
		STET_TRY(stet_write(call, "\n", 1));
		(void)snprintf(w->updated, sizeof(w->updated), "%s", updated);
		w->beat = stet_now(call) + BEAT_MS;
	}
	/* stet_wait also returns false if w->beat has come during this run: then wait a moment. If
	 * the call cannot wait at all, the stream ends, and the client asks again. */
	if (over || stet_wait(call, w->beat))
		return STET_OK;
	if (stet_wait(call, stet_now(call) + SOON_MS))
		return STET_OK;
	return STET_OK;
}

/* ---- create ---- */

struct creation {
	const char *id, *owner, *options, *upload;
};

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct creation *c = arg;
	const char *now = stet_time_text(call, stet_now(call));
	struct stet_rows rows;
	int64_t open;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COUNT(*) FROM import_job WHERE finished_at IS NULL", STET_NO_ARGS));
	open = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (open >= OPEN_MAX)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "There are %d imports that are not finished: finish or cancel one", OPEN_MAX);
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO import_job (id, owner, state, stage, done, total, attempts, options,"
	    " result, upload, created_at, updated_at)"
	    " VALUES (?1, ?2, 'queued', 0, 0, 0, 0, ?3, '{}', ?4, ?5, ?5)",
	    STET_ARGS(c->id, c->owner, c->options, c->upload, now)));
	stet_job_wake(call, IMPORT_JOB);
	return STET_OK;
}

static enum stet_status
check_format(struct stet_call *call, const json_t *config)
{
	const char *const *all = stet_importers(call);
	const char *format = json_string_value(json_object_get(config, "format"));

	while (format != NULL && *format != '\0' && *all != NULL && strcmp(*all, format) != 0)
		all++;
	return format == NULL || *format == '\0' || *all != NULL
		   ? STET_OK
		   : stet_fail(call, STET_VALIDATION_ERROR, "config.format",
			 "No importer is called %.32s", format);
}

/* Reads the configuration: the argument, or a part of the form. */
static enum stet_status
read_config(struct stet_call *call, const json_t **out)
{
	json_t *part = NULL;
	const json_t *locale;

	*out = stet_arg_json(call, "config");
	if (*out == NULL) {
		STET_TRY(config_part(call, &part));
		if (part == NULL)
			part = stet_json_own(call, json_object());
		stet_check_shape(call, "config", config_shape, part);
		STET_TRY(stet_issues(call));
		*out = part;
	}
	locale = json_object_get(*out, "locale");
	(void)stet_locale_stored(call, json_string_value(locale));
	STET_TRY(check_format(call, *out));
	STET_TRY(config_types(call, json_object_get(*out, "postTypeMappings")));
	return config_authors(call, json_object_get(*out, "authorMappings"));
}

enum stet_status
job_create(struct stet_call *call)
{
	const struct stet_principal *who = stet_principal(call);
	struct creation c = { .id = stet_id(call), .owner = who != NULL ? who->id : "" };
	const char *const *paths;
	const json_t *config;
	struct stet_rows rows;
	json_t *types = NULL;
	size_t count;

	STET_TRY(read_config(call, &config));
	c.options = json_dumps_own(call, json_incref((json_t *)(uintptr_t)config));
	c.upload = stet_arg(call, "analysisId");
	if (c.upload != NULL) {
		STET_TRY(uploads_find(call, c.upload, &paths, &count, &types));
	} else {
		STET_TRY(form_files(call, &paths, &count));
		STET_TRY(uploads_keep(call, stet_json_own(call, json_object()), &c.upload));
	}
	STET_TRY(stet_write_lane(call, insert, &c));
	STET_TRY(show(call, c.id, stet_reply(call), &rows));
	return stet_rows_end(&rows);
}

/* ---- pause, resume, cancel, delete ---- */

static enum stet_status
read_state(struct stet_call *call, const char **state)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT state FROM import_job WHERE id = ?1 AND state <> 'deleted'",
	    STET_ARGS(stet_arg(call, "job"))));
	*state = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static bool
is(const char *state, const char *a, const char *b)
{
	return strcmp(state, a) == 0 || strcmp(state, b) == 0;
}

static enum stet_status
refuse(struct stet_call *call, const char *what, const char *state)
{
	return stet_fail(
	    call, STET_CONFLICT, NULL, "An import that is %s cannot be %s", state, what);
}

static enum stet_status
answer(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(show(call, stet_arg(call, "job"), stet_reply(call), &rows));
	return stet_rows_end(&rows);
}

/* Asks a running job to take this state; sets it at once if the job does not run. */
static enum stet_status
ask(struct stet_call *call, const char *state, const char *wanted, bool final)
{
	const char *now = stet_time_text(call, stet_now(call));

	if (strcmp(state, JOB_RUNNING) == 0)
		return stet_exec(call, stet_write_tx(call),
		    "UPDATE import_job SET wanted = ?2, updated_at = ?3 WHERE id = ?1",
		    STET_ARGS(stet_arg(call, "job"), wanted, now));
	return stet_exec(call, stet_write_tx(call),
	    "UPDATE import_job SET state = ?2, wanted = NULL, updated_at = ?3, finished_at = ?4"
	    " WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "job"), wanted, now, final ? now : NULL));
}

enum stet_status
job_pause(struct stet_call *call)
{
	const char *state;

	STET_TRY(read_state(call, &state));
	if (!is(state, JOB_QUEUED, JOB_RUNNING) && strcmp(state, JOB_PAUSED) != 0)
		return refuse(call, "paused", state);
	STET_TRY(ask(call, state, JOB_PAUSED, false));
	return answer(call);
}

enum stet_status
job_resume(struct stet_call *call)
{
	const char *state;

	STET_TRY(read_state(call, &state));
	if (is(state, JOB_DONE, JOB_CANCELLED))
		return refuse(call, "resumed", state);
	if (strcmp(state, JOB_RUNNING) == 0)
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "UPDATE import_job SET wanted = NULL WHERE id = ?1 AND wanted = 'paused'",
		    STET_ARGS(stet_arg(call, "job"))));
	else
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "UPDATE import_job SET state = 'queued', wanted = NULL, attempts = 0,"
		    " error = NULL, updated_at = ?2, finished_at = NULL WHERE id = ?1",
		    STET_ARGS(stet_arg(call, "job"), stet_time_text(call, stet_now(call)))));
	stet_job_wake(call, IMPORT_JOB);
	return answer(call);
}

enum stet_status
job_cancel(struct stet_call *call)
{
	const char *state;

	STET_TRY(read_state(call, &state));
	if (is(state, JOB_DONE, JOB_FAILED))
		return refuse(call, "cancelled", state);
	if (strcmp(state, JOB_CANCELLED) != 0)
		STET_TRY(ask(call, state, JOB_CANCELLED, true));
	return answer(call);
}

enum stet_status
job_delete(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct import_state *swept = stet_state(call);
	const char *state;

	STET_TRY(read_state(call, &state));
	if (!is(state, JOB_DONE, JOB_FAILED) && strcmp(state, JOB_CANCELLED) != 0)
		return refuse(call, "deleted", state);
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE import_job SET state = 'deleted' WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "job"))));
	swept->next = 0;
	stet_job_wake(call, SWEEP_JOB);
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
