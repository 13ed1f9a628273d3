/*
 * redirects.c - redirects from the addresses of a source to those of this site. An item has its old
 * permalink, and addresses with earlier slugs. Its new address is the pattern of its collection, or
 * /collection/slug.
 *
 * Each old address gets one line; a permalink wins over an earlier slug. An address that an item
 * has here gets none, so there are no loops (stet/redirects.h).
 */
#include "item/address.h"
#include "job/jobs.h"
#include "state/moved.h"
#include <stet/redirects.h>
#include <string.h>

#define PAGE 500 /* rows that are read at once */

const struct stet_member job_redirects_in[] = {
	{ "job", STET_STRING, STET_REQUIRED, .about = "Id of the job" },
	{ "format", STET_STRING, STET_CHOICES("csv", "nginx", "netlify"), .fallback = "\"csv\"" },
	{ 0 },
};

enum pass { PASS_HERE, PASS_PERMALINKS, PASS_SLUGS, PASSES };

struct writing {
	const char *run, *format;
	enum pass pass;
	struct stet_rules *rules;
	FILE *to;
	int64_t after;
	bool more;
};

/* ---- lines ---- */

static void
put_line(struct writing *w, const char *from, const char *to)
{
	if (!stet_rules_take(w->rules, from, to))
		return;
	if (strcmp(w->format, "csv") != 0) {
		stet_rule_put(w->to, w->format, from, to);
		return;
	}
	report_cell(w->to, from, true);
	report_cell(w->to, to, false);
	(void)fputs(",301\r\n", w->to);
}

static enum stet_status
put_item(struct stet_call *call, struct writing *w, struct stet_rows *rows)
{
	const char *address = stet_col_str(rows, 1), *slugs = stet_col_str(rows, 2);
	const char *from = moved_path(call, address), *to, *old;
	const json_t *list = stet_json_own(call, slugs != NULL ? json_loads(slugs, 0, NULL) : NULL);

	STET_TRY(address_here(call, stet_col_dup(rows, 3), stet_col_dup(rows, 4),
	    stet_col_dup(rows, 5), stet_col_dup(rows, 6), &to));
	if (to != NULL && w->pass == PASS_HERE)
		stet_rules_here(w->rules, to);
	if (to == NULL || w->pass == PASS_HERE)
		return STET_OK;
	if (w->pass == PASS_PERMALINKS)
		put_line(w, from, to);
	for (size_t i = 0; w->pass == PASS_SLUGS && i < json_array_size(list); i++) {
		old = json_string_value(json_array_get(list, i));
		put_line(w, old != NULL ? moved_renamed(call, from, old) : NULL, to);
	}
	return STET_OK;
}

/* ---- pages ---- */

static enum stet_status
read_page(struct stet_call *call, struct writing *w)
{
	struct stet_rows rows;
	int count = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT number, address, old_slugs, collection, item, slug, locale FROM import_outcome"
	    " WHERE run = ?1 AND number > ?2 AND item IS NOT NULL AND collection IS NOT NULL"
	    " AND slug IS NOT NULL ORDER BY number LIMIT ?3",
	    STET_ARGS(w->run, w->after, PAGE)));
	for (; stet_row(&rows); count++) {
		w->after = stet_col_int(&rows, 0);
		STET_TRY(put_item(call, w, &rows));
	}
	w->more = count == PAGE;
	return stet_rows_end(&rows);
}

static enum stet_status
put_page(struct stet_call *call, void *arg, FILE *to)
{
	struct writing *w = arg;

	w->to = to;
	if (w->pass == PASS_HERE && w->after == 0 && strcmp(w->format, "csv") == 0)
		(void)fputs("\"from\",\"to\",\"status\"\r\n", to);
	return read_page(call, w);
}

enum stet_status
redirects_write(struct stet_call *call, const char *run, const char *format,
    enum stet_status (*put)(struct stet_call *, void *, const char *, size_t), void *arg)
{
	struct writing w = {
		.run = run, .format = format, .rules = stet_rules_new(call, format, put, arg)
	};

	for (; w.pass < PASSES; w.pass++) {
		w.after = 0;
		do
			STET_TRY(stet_rules_page(call, w.rules, put_page, &w));
		while (w.more);
	}
	return STET_OK;
}

static enum stet_status
send(struct stet_call *call, void *arg, const char *text, size_t len)
{
	(void)arg;
	return stet_write(call, text, len);
}

enum stet_status
job_redirects(struct stet_call *call)
{
	const char *format = stet_arg(call, "format"), *job = stet_arg(call, "job");
	bool csv = strcmp(format, "csv") == 0;
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT 1 FROM import_job WHERE id = ?1 AND state <> 'deleted'", STET_ARGS(job)));
	STET_TRY(stet_rows_end(&rows));
	stet_reply_type(
	    call, csv ? "text/csv; charset=utf-8; header=present" : "text/plain; charset=utf-8");
	stet_header(call, "Content-Disposition",
	    stet_printf(call, "attachment; filename=\"redirects-%.26s.%s\"", job, format));
	return redirects_write(call, job, format, send, NULL);
}
