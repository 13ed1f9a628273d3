/* job_report.c - the outcome of each item of an import: page by page, and all as a file. */
#include "job/jobs.h"
#include "state/account.h"
#include "state/outcome.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 500 /* rows that are read at once for a file */

static const struct stet_member item_shape[] = {
	{ "number", STET_INTEGER, STET_REQUIRED,
	    .about = "Of the item in the export; below 0: a place of the file" },
	{ "sourceId", STET_STRING, STET_NULLABLE },
	{ "type", STET_STRING, STET_NULLABLE },
	{ "title", STET_STRING, STET_NULLABLE },
	{ "address", STET_STRING, STET_NULLABLE, .about = "In the source" },
	{ "oldSlugs", STET_ARRAY, STET_NULLABLE | STET_STORED_JSON, .item = STET_STRING,
	    .about = "That it had before" },
	{ "outcome", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("created", "updated", "unchanged", "conflict", "skipped", "draft",
		"failed", "repaired") },
	{ "reason", STET_STRING, STET_NULLABLE },
	{ "notices", STET_ARRAY, STET_NULLABLE | STET_STORED_JSON, .item = STET_STRING,
	    .about = "What is otherwise than it was" },
	{ "collection", STET_STRING, STET_NULLABLE },
	{ "id", STET_STRING, STET_NULLABLE, .about = "Of the item, or the file, here" },
	{ "slug", STET_STRING, STET_NULLABLE },
	{ "locale", STET_STRING, STET_NULLABLE },
	{ 0 },
};
#define COLUMNS                                                                          \
	"number, source_id, type, title, address, old_slugs, outcome, reason, notices, " \
	"collection, item, slug, locale"

const struct stet_member job_items_in[] = {
	{ "job", STET_STRING, STET_REQUIRED, .about = "Id of the job" },
	{ "outcome", STET_STRING, .about = "Only these",
	    STET_CHOICES("created", "updated", "unchanged", "conflict", "skipped", "draft",
		"failed", "repaired") },
	{ "after", STET_INTEGER, .about = "Number of the last item of the page before" },
	{ "limit", STET_INTEGER, .about = "Items a page", STET_RANGE(1, 100), .fallback = "50" },
	{ 0 },
};
const struct stet_member job_items_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = item_shape },
	{ "nextAfter", STET_INTEGER, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member job_report_in[] = {
	{ "job", STET_STRING, STET_REQUIRED, .about = "Id of the job" },
	{ "format", STET_STRING, STET_CHOICES("json", "jsonl", "csv"), .fallback = "\"json\"" },
	{ 0 },
};

static enum stet_status
is_job(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT 1 FROM import_job WHERE id = ?1 AND state <> 'deleted'",
	    STET_ARGS(stet_arg(call, "job"))));
	return stet_rows_end(&rows);
}

/* ---- a page ---- */

enum stet_status
job_items(struct stet_call *call)
{
	int64_t limit = stet_arg_int(call, "limit"), count = 0, last = 0;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	bool more = false;

	STET_TRY(is_job(call));
	stet_sql_add(sql, "SELECT " COLUMNS " FROM import_outcome WHERE run = ");
	stet_sql_bind(sql, stet_val_str(stet_arg(call, "job")));
	if (stet_arg(call, "outcome") != NULL) {
		stet_sql_add(sql, " AND outcome = ");
		stet_sql_bind(sql, stet_val_str(stet_arg(call, "outcome")));
	}
	if (stet_has(call, "after")) {
		stet_sql_add(sql, " AND number > ");
		stet_sql_bind(sql, stet_val_int(stet_arg_int(call, "after")));
	}
	stet_sql_add(sql, " ORDER BY number LIMIT ");
	stet_sql_bind(sql, stet_val_int(limit + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (!more && stet_row(&rows)) {
		more = count++ == limit;
		if (more)
			break;
		last = stet_col_int(&rows, 0);
		stet_put_row(out, &rows, item_shape);
	}
	stet_close(out);
	if (more)
		stet_put_int(out, "nextAfter", last);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- numbers ---- */

/* Adds the accounts of the next items; *after: the number of the last one. */
static enum stet_status
sum_accounts(struct stet_call *call, const char *run, json_t *account, int64_t *after, bool *more)
{
	struct stet_rows rows;
	int count = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT number, account FROM import_outcome WHERE run = ?1 AND number > ?2"
	    " ORDER BY number LIMIT ?3",
	    STET_ARGS(run, *after, PAGE)));
	for (; stet_row(&rows); count++) {
		const char *text = stet_col_str(&rows, 1);
		json_t *one = text != NULL ? json_loads(text, 0, NULL) : NULL;

		*after = stet_col_int(&rows, 0);
		account_join(account, one);
		json_decref(one);
	}
	*more = count == PAGE;
	return stet_rows_end(&rows);
}

enum stet_status
report_account(struct stet_call *call, const char *run, const json_t *rest, json_t *result)
{
	json_t *account = stet_json_own(call, json_deep_copy(rest));
	int64_t after = INT64_MIN;
	bool more = true;

	while (more)
		STET_TRY(sum_accounts(call, run, account, &after, &more));
	(void)json_object_set_new(result, "account", account_list(account));
	(void)json_object_set_new(result, "lost", json_integer(account_lost(account)));
	return STET_OK;
}

enum stet_status
report_sum(struct stet_call *call, const char *run, json_t *result)
{
	json_t *items = json_object(), *files = json_object(), *collections = json_object();
	int64_t comments = 0, assignments = 0;
	struct stet_rows rows;

	(void)json_object_set_new(result, "items", items);
	(void)json_object_set_new(result, "media", files);
	(void)json_object_set_new(result, "byCollection", collections);
	STET_TRY(stet_query(call, &rows,
	    "SELECT outcome, COALESCE(type, '') = 'attachment', collection, COUNT(*),"
	    " SUM(comments), SUM(assignments) FROM import_outcome WHERE run = ?1"
	    " GROUP BY outcome, COALESCE(type, '') = 'attachment', collection",
	    STET_ARGS(run)));
	while (stet_row(&rows)) {
		const char *outcome = stet_col_str(&rows, 0), *collection = stet_col_str(&rows, 2);
		int64_t n = stet_col_int(&rows, 3);

		report_add(stet_col_int(&rows, 1) != 0 ? files : items, outcome, n);
		if (collection != NULL && strcmp(outcome, OUTCOME_CREATED) == 0)
			report_add(collections, collection, n);
		comments += stet_col_int(&rows, 4);
		assignments += stet_col_int(&rows, 5);
	}
	(void)json_object_set_new(result, "comments", json_integer(comments));
	(void)json_object_set_new(result, "assignments", json_integer(assignments));
	return stet_rows_end(&rows);
}

/* ---- a file ---- */

struct file {
	const char *run, *format;
	enum stet_status (*put)(struct stet_call *, void *, const char *, size_t);
	void *arg;
	int64_t after;
	bool any, more;
};

void
report_cell(FILE *line, const char *text, bool first)
{
	if (!first)
		(void)fputc(',', line);
	if (text == NULL)
		return;
	(void)fputc('"', line);
	if (*text != '\0' && strchr("=+-@\t\r", *text) != NULL)
		(void)fputc('\'', line);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			(void)fputc('"', line);
		(void)fputc(*text, line);
	}
	(void)fputc('"', line);
}

static void
put_line(FILE *line, struct stet_rows *rows)
{
	(void)fprintf(line, "%lld", (long long)stet_col_int(rows, 0));
	for (int i = 1; item_shape[i].name != NULL; i++)
		report_cell(line, stet_col_str(rows, i), false);
	(void)fputs("\r\n", line);
}

static void
put_heads(FILE *line)
{
	for (int i = 0; item_shape[i].name != NULL; i++)
		report_cell(line, item_shape[i].name, i == 0);
	(void)fputs("\r\n", line);
}

static void
put_object(struct stet_call *call, FILE *line, struct stet_rows *rows, const struct file *f)
{
	struct stet_json *out = stet_json_new(call);
	bool whole = strcmp(f->format, "json") == 0;

	stet_put_row(out, rows, item_shape);
	(void)fprintf(line, "%s%s%s", whole && f->any ? ",\n" : "", stet_json_text(out, NULL),
	    whole ? "" : "\n");
}

/* Writes the next page of rows. */
static enum stet_status
render(struct stet_call *call, struct file *f, FILE *to)
{
	struct stet_rows rows;
	int count = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " COLUMNS " FROM import_outcome WHERE run = ?1 AND number > ?2"
	    " ORDER BY number LIMIT ?3",
	    STET_ARGS(f->run, f->after, PAGE)));
	for (; stet_row(&rows); count++) {
		f->after = stet_col_int(&rows, 0);
		if (strcmp(f->format, "csv") == 0)
			put_line(to, &rows);
		else
			put_object(call, to, &rows, f);
		f->any = true;
	}
	f->more = count == PAGE;
	return stet_rows_end(&rows);
}

static enum stet_status
put_text(struct stet_call *call, struct file *f, void (*head)(FILE *), bool page)
{
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	enum stet_status status = STET_OK;

	if (to == NULL)
		stet_out_of_memory();
	if (head != NULL)
		head(to);
	if (page)
		status = render(call, f, to);
	if (fclose(to) != 0)
		stet_out_of_memory();
	if (status == STET_OK && len > 0)
		status = f->put(call, f->arg, text, len);
	free(text);
	return status;
}

static enum stet_status
put_page(struct stet_call *call, void *arg)
{
	return put_text(call, arg, NULL, true);
}

static void
put_open(FILE *to)
{
	(void)fputs("[", to);
}

static void
put_close(FILE *to)
{
	(void)fputs("]\n", to);
}

enum stet_status
report_write(struct stet_call *call, const char *run, const char *format,
    enum stet_status (*put)(struct stet_call *, void *, const char *, size_t), void *arg)
{
	struct file f = { .run = run,
		.format = format,
		.put = put,
		.arg = arg,
		.after = INT64_MIN,
		.more = true };
	bool csv = strcmp(format, "csv") == 0, whole = strcmp(format, "json") == 0;

	if (csv || whole)
		STET_TRY(put_text(call, &f, csv ? put_heads : put_open, false));
	while (f.more)
		STET_TRY(stet_scope(call, put_page, &f));
	return whole ? put_text(call, &f, put_close, false) : STET_OK;
}

static enum stet_status
send(struct stet_call *call, void *arg, const char *text, size_t len)
{
	(void)arg;
	return stet_write(call, text, len);
}

enum stet_status
job_report(struct stet_call *call)
{
	const char *format = stet_arg(call, "format"), *job = stet_arg(call, "job");
	bool csv = strcmp(format, "csv") == 0, whole = strcmp(format, "json") == 0;

	STET_TRY(is_job(call));
	stet_reply_type(call, csv     ? "text/csv; charset=utf-8; header=present"
			      : whole ? "application/json"
				      : "application/x-ndjson");
	stet_header(call, "Content-Disposition",
	    stet_printf(call, "attachment; filename=\"import-%.26s.%s\"", job, format));
	return report_write(call, job, format, send, NULL);
}
