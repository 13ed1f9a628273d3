/*
 * filter.c - the filters of a list: reads the arguments as conditions, and writes the conditions
 * as SQL. The argument fieldFilters is read in fieldfilter.c.
 */
#include "read/read.h"
#include <string.h>

#define IDS_MAX 100 /* a page */

#define Q_MAX 200

/* ---- the arguments ---- */

/* Reads a bound of a date range. */
static struct stet_val
read_date(struct stet_call *call, const char *name, bool upper)
{
	const char *text = stet_arg(call, name);
	int64_t ms = 0;

	if (!stet_time_parse(text, &ms))
		stet_issue(call, name, "must be an ISO 8601 date or date-time");
	else if (upper)
		ms = stet_time_last(text, ms);
	return stet_val_str(stet_time_text(call, ms));
}

static void
read_dates(struct stet_call *call, struct filter *f)
{
	const char *field = stet_arg(call, "dateField");
	bool from = stet_arg(call, "dateFrom") != NULL, to = stet_arg(call, "dateTo") != NULL;
	struct cond *c;

	if (field == NULL || (!from && !to))
		return;
	c = filter_new(call, f, "",
	    field[0] == 'c'   ? "created_at"
	    : field[0] == 'u' ? "updated_at"
			      : "published_at",
	    COND_RANGE, 2);
	if (from) {
		c->low = ">=";
		c->value[0] = read_date(call, "dateFrom", false);
	}
	if (to) {
		c->high = "<=";
		c->value[1] = read_date(call, "dateTo", true);
	}
}

static void
read_q(struct stet_call *call, const char *q, struct filter *f)
{
	struct stet_json *json = stet_json_new(call);
	const char *quoted;
	size_t len;

	q += strspn(q, " \t\r\n");
	len = strlen(q);
	while (len > 0 && strchr(" \t\r\n", q[len - 1]) != NULL)
		len--;
	q = stet_strndup(call, q, len);
	if (len == 0 || stet_utf8_length(q) > Q_MAX) {
		stet_issue(call, "q", "must be 1 to %d characters", Q_MAX);
		return;
	}
	f->q = stet_fold(call, q, len);
	/* JSON text contains the query in escaped form. */
	stet_put_strn(json, NULL, q, len);
	quoted = stet_json_text(json, &len);
	f->q_json = stet_fold(call, quoted + 1, len - 2);
}

static struct cond *
equal(struct stet_call *call, struct filter *f, const char *column, const char *value)
{
	struct cond *c;

	if (value == NULL)
		return NULL;
	c = filter_new(call, f, "", column, COND_EQUAL, 1);
	c->value[0] = stet_val_str(value);
	return c;
}

static struct where *
has_passed(struct stet_call *call, const char *column, const char *now)
{
	struct cond *c = cond_new(call, "", column, COND_RANGE, 2);

	c->high = "<=";
	c->value[1] = stet_val_str(now);
	return where_cond(call, c);
}

/* Filters items that are overdue: their time has come, and they are not published, or not
 * unpublished. The indexes of schedules have few other items. */
static void
overdue(struct stet_call *call, struct filter *f)
{
	const char *now = stet_time_text(call, stet_now(call));
	struct where *either = where_new(call, WHERE_OR);

	where_add(either, has_passed(call, "scheduled_at", now));
	where_add(either, has_passed(call, "unpublish_at", now));
	where_filter(call, either, f);
}

/* Filters items that are drafts for people: those of status draft, and scheduled ones whose time
 * was taken away. */
static void
unscheduled(struct stet_call *call, struct filter *f)
{
	struct cond *c = filter_new(call, f, "", "status", COND_IN, 2);

	c->count = 2;
	c->value[0] = stet_val_str("draft");
	c->value[1] = stet_val_str("scheduled");
	filter_new(call, f, "", "scheduled_at", COND_NULL, 0);
}

/* Adds the filter for a status that items do not have, but that their times tell. */
static bool
told_by_times(struct stet_call *call, const char *status, struct filter *f)
{
	if (status != NULL && strcmp(status, "overdue") == 0)
		overdue(call, f);
	else if (status != NULL && strcmp(status, "unscheduled") == 0)
		unscheduled(call, f);
	else
		return false;
	return true;
}

static void
read_locale(struct stet_call *call, const char *status, struct filter *f)
{
	const char *locale = stet_arg(call, "locale");
	const bool fallback = stet_arg_bool(call, "localeFallback");

	if (locale != NULL && *locale == '\0')
		stet_issue(call, "locale", "must not be empty");
	if (fallback && locale == NULL)
		stet_issue(call, "localeFallback", "needs a locale");
	locale = stet_locale(call, locale);
	if (!fallback)
		f->locale = equal(call, f, "locale", locale);
	else if (locale != NULL)
		fallback_filter(call, locale, status, f);
}

enum stet_status
filter_read(struct stet_call *call, const struct stet_collection *collection, const char *status,
    struct filter *f)
{
	const char *slug = stet_arg(call, "slug");

	*f = (struct filter){ .tail = &f->conds };
	STET_TRY(byline_filter(call, collection->slug, &f->bylines));
	if (f->bylines != NULL)
		filter_new(call, f, "", "id", COND_BYLINES, 0)->bylines = f->bylines;
	if (!stet_may(call, "content:read_drafts"))
		status = "published";
	if (told_by_times(call, status, f))
		status = NULL;
	f->status = equal(call, f, "status", status);
	f->author = equal(call, f, "author_id", stet_arg(call, "authorId"));
	read_locale(call, status, f);
	if (slug != NULL)
		f->sure = equal(call, f, "slug", slug);
	if (f->sure != NULL)
		f->sure->shown = true;
	STET_TRY(terms_filter(call, collection, f));
	read_dates(call, f);
	if (stet_arg(call, "q") != NULL)
		read_q(call, stet_arg(call, "q"), f);
	if (stet_arg(call, "fieldFilters") != NULL)
		filter_fields(call, collection, stet_arg(call, "fieldFilters"), f);
	STET_TRY(has_indexes(call, f));
	return contains_read(call, f);
}

void
filter_ids(struct stet_call *call, struct filter *f)
{
	const char *text = stet_arg(call, "ids");
	struct cond *c;
	char *rest, *id;

	if (text == NULL)
		return;
	c = filter_new(call, f, "", "id", COND_IN, IDS_MAX);
	rest = stet_strdup(call, text);
	while ((id = strtok_r(rest, ",", &rest)) != NULL && stet_is_id(id) && c->count < IDS_MAX)
		c->value[c->count++] = stet_val_str(id);
	if (id != NULL || c->count == 0)
		stet_issue(call, "ids", "must be ids of items, by commas, at most %d", IDS_MAX);
	if (f->sure != NULL)
		return;
	f->sure = c;
	c->shown = true;
}

/* ---- SQL ---- */

/* Returns true if the condition selects the ids from another table. */
static bool
is_listed(const struct cond *c)
{
	return c->op == COND_HAS || c->op == COND_CONTAINS;
}

/* Adds a condition. A list of ids only helps the planner, so the condition itself is added, too,
 * except for COND_HAS and COND_CONTAINS. */
static void
put_some(struct stet_sql *sql, const struct cond *c, bool seen, const char *collection)
{
	const struct byline_filter *b = c->bylines;
	const struct term_cond *t = c->terms;

	if (seen) {
		stet_sql_add(sql, " AND id IN (");
		if (c->op == COND_GROUP)
			where_ids(sql, c->group, collection);
		else if (c->op == COND_OUT)
			where_others(sql, c, collection);
		else if (c->op == COND_HAS)
			has_ids(sql, c->values);
		else if (c->op == COND_CONTAINS)
			contains_ids(sql, c->words);
		else if (c->op == COND_TERMS)
			t->service->filter_ids(sql, t->filter, t->set, collection);
		else
			b->service->filter_ids(sql, b->it, b->collection);
		stet_sql_add(sql, ")");
	}
	if (c->op == COND_GROUP) {
		stet_sql_add(sql, " AND ");
		where_put(sql, c->group);
	} else if (c->op == COND_OUT || (is_listed(c) && !seen)) {
		filter_cond_as(sql, c, false);
	} else if (c->op == COND_TERMS) {
		t->service->filter_put(sql, t->filter, t->set, collection);
	} else if (c->op == COND_FALLBACK) {
		fallback_put(sql, c->call, c, collection);
	}
}

void
filter_cond(struct stet_sql *sql, const struct cond *c, const char *collection)
{
	if (c->op >= COND_BYLINES || c->op == COND_OUT || is_listed(c))
		put_some(sql, c, c->shown, collection);
	else
		filter_cond_as(sql, c, c->shown);
}

static bool
is_searched(const struct stet_collection *c, const struct stet_field *f)
{
	enum column_kind kind = plan_kind(f);

	if (kind != AS_TEXT && kind != AS_JSON)
		return false;
	return f->searchable || strcmp(f->slug, "title") == 0 || strcmp(f->slug, "name") == 0 ||
	       (c->title_field != NULL && strcmp(f->slug, c->title_field) == 0);
}

void
filter_add(struct stet_sql *sql, const struct stet_collection *collection, const struct filter *f)
{
	for (const struct cond *c = f->conds; c != NULL; c = c->next)
		if (!c->apart)
			filter_cond(sql, c, collection->slug);
	if (f->bylines != NULL)
		f->bylines->service->filter_put(sql, f->bylines->it, f->bylines->collection);
	if (f->q == NULL)
		return;
	stet_sql_add(sql, " AND (");
	stet_sql_has(sql, "", "slug", f->q);
	for (size_t i = 0; i < collection->field_count; i++) {
		const struct stet_field *field = collection->fields[i];

		if (!is_searched(collection, field))
			continue;
		stet_sql_add(sql, " OR ");
		stet_sql_has(sql, STET_FIELD_COLUMN, field->slug,
		    plan_kind(field) == AS_JSON ? f->q_json : f->q);
	}
	stet_sql_add(sql, ")");
}
