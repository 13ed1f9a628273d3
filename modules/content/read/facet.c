/*
 * facet.c - the argument `facets`: counts the items of a list by status, month or term. Counts by
 * status are exact, since they are totals. The others are counted by one statement each, over at
 * most FACET_ITEMS items, and are marked as incomplete if there are more.
 */
#include "read/read.h"
#include <string.h>

#define FACET_ITEMS 100000
#define VALUES_MAX 100 /* values of one facet */

/* ---- the argument ---- */

static enum stet_status
read_name(struct stet_call *call, const char *name, struct facet *out)
{
	const struct stet_taxonomies_1 *service = stet_service(call, STET_TAXONOMIES_1);
	bool there = false;

	*out = (struct facet){ .name = name };
	if (strcmp(name, "status") == 0 || strcmp(name, "month") == 0)
		return STET_OK;
	if (service != NULL)
		STET_TRY(service->there(call, name, &there));
	if (!there)
		stet_issue(call, "facets", "'%.60s' is none of status, month, or a taxonomy", name);
	else if (!include_may_call(call, "taxonomy_list"))
		return stet_fail(call, stet_is_open(call) ? STET_UNAUTHORIZED : STET_FORBIDDEN,
		    "facets", "Terms may be counted by callers who may call taxonomy_list");
	out->terms = service;
	return STET_OK;
}

/* Returns true if the last name read occurs among the names before it. */
static bool
is_repeated(const struct facets *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->facet[i].name, all->facet[all->count].name) == 0)
			return true;
	return false;
}

enum stet_status
facets_read(struct stet_call *call, struct facets *out)
{
	const char *text = stet_arg(call, "facets");

	*out = (struct facets){ .given = text != NULL };
	while (text != NULL && *text != '\0') {
		size_t len = strcspn(text, ",");

		if (out->count == FACETS_MAX) {
			stet_issue(call, "facets", "must be %d names at most", FACETS_MAX);
			break;
		}
		STET_TRY(read_name(call, stet_strndup(call, text, len), &out->facet[out->count]));
		if (is_repeated(out))
			stet_issue(
			    call, "facets", "names %.60s twice", out->facet[out->count].name);
		out->count++;
		text += len + (text[len] == ',');
	}
	return STET_OK;
}

/* ---- what is counted ---- */

static void
put_value(struct stet_json *out, const char *value, const char *label, int64_t count)
{
	stet_object(out, NULL);
	stet_put_str(out, "value", value);
	if (label != NULL)
		stet_put_str(out, "label", label);
	stet_put_int(out, "count", count);
	stet_close(out);
}

/* Writes the total of each status, from stored counts where the filters allow that. */
static enum stet_status
by_status(struct walk *w, struct stet_json *out)
{
	const struct filter all = w->filter;
	enum stet_status status = STET_OK;

	for (size_t i = 0; i < PATH_STATUSES && status == STET_OK; i++) {
		const char *name = path_statuses[i];
		int64_t n = 0;

		if (all.status != NULL && strcmp(all.status->value[0].u.s, name) != 0)
			continue;
		if (all.status == NULL) {
			/* Put first in a copy of the filters; the others follow unchanged. */
			w->filter.status = cond_new(w->call, "", "status", COND_EQUAL, 1);
			w->filter.status->value[0] = stet_val_str(name);
			w->filter.status->next = all.conds;
			w->filter.conds = w->filter.status;
		}
		status = path_total(w, &n);
		w->filter = all;
		if (status == STET_OK && n > 0)
			put_value(out, name, NULL, n);
	}
	return status;
}

/* Adds "FROM (SELECT ... AS value ...) AS i": a value of each item of the list. */
static void
put_items(struct stet_sql *sql, struct walk *w, const char *value)
{
	stet_sql_add(sql, " FROM (SELECT ");
	stet_sql_add(sql, value);
	path_matches(sql, w);
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(FACET_ITEMS));
	stet_sql_add(sql, ") AS i");
}

static const char *
date_of(struct stet_call *call)
{
	const char *field = stet_arg(call, "dateField");

	if (field == NULL || *field == 'p')
		return "published_at";
	return *field == 'c' ? "created_at" : "updated_at";
}

/* Returns true if an index orders these items by this date: it exists for all items, and for those
 * of one status. */
static bool
has_date_index(const struct walk *w, const char *date)
{
	const struct filter *f = &w->filter;

	if (f->sure != NULL || f->q != NULL || f->bylines != NULL)
		return false;
	return f->conds == NULL ||
	       (f->conds == f->status && f->conds->next == NULL && *date != 'u');
}

/* Adds " FROM ... WHERE ...": items of that index whose date is below `before` (NULL: all that have
 * a date). */
static void
put_dated(struct stet_sql *sql, struct walk *w, const char *date, const char *before)
{
	path_matches(sql, w);
	stet_sql_add(sql, " AND ");
	stet_sql_add(sql, date);
	if (before == NULL) {
		stet_sql_add(sql, " IS NOT NULL");
		return;
	}
	stet_sql_add(sql, " < ");
	stet_sql_bind(sql, stet_val_str(before));
}

static enum stet_status
last_month(struct walk *w, const char *date, const char *before, const char **month)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	*month = NULL;
	stet_sql_add(sql, "SELECT ");
	stet_sql_add(sql, date);
	put_dated(sql, w, date, before);
	stet_sql_add(sql, " ORDER BY ");
	stet_sql_add(sql, date);
	stet_sql_add(sql, " DESC LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*month = stet_printf(w->call, "%.7s", stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

static enum stet_status
count_month(struct walk *w, const char *date, const char *month, const char *before, int64_t most,
    int64_t *n)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT COUNT(*) FROM (SELECT 1");
	put_dated(sql, w, date, before);
	stet_sql_add(sql, " AND ");
	stet_sql_add(sql, date);
	stet_sql_add(sql, " >= ");
	stet_sql_bind(sql, stet_val_str(month));
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(most));
	stet_sql_add(sql, ") AS few");
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*n = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* As by_month, with one range of the index for each month. If there are more items than are
 * counted, the newest are counted. */
static enum stet_status
by_dated_month(struct walk *w, const char *date, struct stet_json *out, bool *more)
{
	int64_t left = FACET_ITEMS, n;
	const char *before = NULL, *month;

	for (int count = 0; left > 0; count++, left -= n, before = month) {
		STET_TRY(last_month(w, date, before, &month));
		*more = month != NULL && count == VALUES_MAX;
		if (month == NULL || *more)
			return STET_OK;
		STET_TRY(count_month(w, date, month, before, left, &n));
		put_value(out, month, NULL, n);
	}
	return STET_OK;
}

/* Counts the items of the newest months; *more: there are older months. */
static enum stet_status
by_month(struct walk *w, struct stet_json *out, bool *more)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	const char *date = date_of(w->call);
	struct stet_rows rows;
	int count = 0;

	if (has_date_index(w, date))
		return by_dated_month(w, date, out, more);
	stet_sql_add(sql, "SELECT i.month, COUNT(*)");
	put_items(sql, w, stet_printf(w->call, "substr(%s, 1, 7) AS month", date));
	stet_sql_add(
	    sql, " WHERE i.month IS NOT NULL GROUP BY i.month ORDER BY i.month DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(VALUES_MAX + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		if (count++ < VALUES_MAX)
			put_value(out, stet_col_str(&rows, 0), NULL, stet_col_int(&rows, 1));
	*more = count > VALUES_MAX;
	return stet_rows_end(&rows);
}

/* Counts the items of the most frequent terms; *more: there are other terms. */
static enum stet_status
by_term(struct walk *w, const struct facet *f, struct stet_json *out, bool *more)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	const char *locale = stet_locale(w->call, stet_arg(w->call, "locale")), *group[VALUES_MAX];
	int64_t n[VALUES_MAX];
	struct stet_table found;
	struct stet_rows rows;
	size_t count = 0;

	*more = false;
	stet_sql_add(sql, "SELECT a.term_group, COUNT(*) AS n");
	put_items(sql, w, "translation_group AS entry_group");
	f->terms->facet_join(sql, w->plan->slug, f->name);
	stet_sql_add(sql, " GROUP BY a.term_group ORDER BY n DESC, a.term_group LIMIT ");
	stet_sql_bind(sql, stet_val_int(VALUES_MAX + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		*more = count == VALUES_MAX;
		if (*more)
			break;
		group[count] = stet_col_dup(&rows, 0);
		n[count++] = stet_col_int(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(f->terms->find(
	    w->call, group, count, locale != NULL ? locale : stet_locales(w->call)[0], &found));
	for (uint32_t i = 0; i < found.count; i++) {
		struct stet_term_found term;

		/* A deleted term may have assignments for a while. */
		stet_table_row(&found, i, &term, sizeof(term));
		if (term.slug != NULL)
			put_value(out, term.slug, term.label, n[i]);
	}
	return STET_OK;
}

static enum stet_status
put_facet(struct walk *w, const struct facet *f, bool partial, struct stet_json *out)
{
	const bool by = strcmp(f->name, "status") == 0;
	bool more = false;

	stet_object(out, f->name);
	stet_array(out, "values");
	if (by)
		STET_TRY(by_status(w, out));
	else if (f->terms == NULL)
		STET_TRY(by_month(w, out, &more));
	else
		STET_TRY(by_term(w, f, out, &more));
	stet_close(out);
	if (more)
		stet_put_bool(out, "more", true);
	if (!by && partial)
		stet_put_bool(out, "partial", true);
	stet_close(out);
	return STET_OK;
}

enum stet_status
facets_put(const struct facets *f, struct walk *w, struct stet_json *to)
{
	struct stet_json *out = stet_json_new(w->call);
	bool partial = false, counted = false;
	const char *text;
	size_t len;

	if (!f->given)
		return STET_OK;
	for (size_t i = 0; i < f->count; i++)
		counted |= strcmp(f->facet[i].name, "status") != 0;
	if (counted)
		STET_TRY(path_exceeds(w, FACET_ITEMS, &partial));
	stet_object(out, NULL);
	for (size_t i = 0; i < f->count; i++)
		STET_TRY(put_facet(w, &f->facet[i], partial, out));
	stet_close(out);
	text = stet_json_text(out, &len);
	stet_etag_mix(w->call, text, len);
	stet_put_raw(to, "facets", text, len);
	return STET_OK;
}
