/*
 * filter.c - the filters of a list: reads the arguments as conditions, and writes the conditions
 * as SQL.
 */
#include "read/read.h"
#include <math.h>
#include <string.h>

#define FIELDS_MAX 20
#define OPERANDS_MAX 50
#define IN_MAX 50
#define STRING_MAX 2048 /* characters of an operand */
#define Q_MAX 200

struct cond *
filter_new(struct stet_call *call, struct filter *f, const char *prefix, const char *column,
    enum cond_op op, size_t values)
{
	struct cond *c = stet_alloc(call, sizeof(*c) + values * sizeof(c->value[0]));

	c->prefix = prefix;
	c->column = column;
	c->op = op;
	*f->tail = c;
	f->tail = &c->next;
	return c;
}

/* ---- fieldFilters ---- */

struct reader {
	struct stet_call *call;
	struct filter *filter;
	const struct stet_field *field;
	char *path; /* the path of the issues */
	size_t operands;
};

static bool
is_type(const struct stet_field *field, const char *name)
{
	return strcmp(field->type->name, name) == 0;
}

static bool
operand_string(struct reader *r, const json_t *v, struct stet_val *out)
{
	const char *s = json_string_value(v);
	int64_t ms;

	if (s == NULL) {
		stet_issue(r->call, r->path, "must be a string");
		return false;
	}
	if (stet_utf8_length(s) > STRING_MAX) {
		stet_issue(r->call, r->path, "must be at most %d characters", STRING_MAX);
		return false;
	}
	if (!is_type(r->field, "datetime")) {
		*out = stet_val_str(s);
		return true;
	}
	if (!stet_time_parse(s, &ms)) {
		stet_issue(r->call, r->path, "must be an ISO 8601 date or date-time");
		return false;
	}
	*out = stet_val_str(stet_time_text(r->call, ms));
	return true;
}

static bool
operand_number(struct reader *r, const json_t *v, bool integer, struct stet_val *out)
{
	double x = json_number_value(v);

	if (json_is_integer(v)) {
		*out = integer ? stet_val_int(json_integer_value(v)) : stet_val_real(x);
		return true;
	}
	if (!json_is_real(v) || (integer && (floor(x) != x || fabs(x) > 9007199254740992.0))) {
		stet_issue(r->call, r->path, "must be %s", integer ? "an integer" : "a number");
		return false;
	}
	*out = integer ? stet_val_int((int64_t)x) : stet_val_real(x);
	return true;
}

/* Accepts a boolean in JSON, and as a query writes it. */
static bool
operand_boolean(struct reader *r, const json_t *v, struct stet_val *out)
{
	const char *s = json_string_value(v);
	bool yes = json_is_true(v) || (json_is_integer(v) && json_integer_value(v) == 1) ||
		   (s != NULL && (strcmp(s, "true") == 0 || strcmp(s, "1") == 0));
	bool no = json_is_false(v) || (json_is_integer(v) && json_integer_value(v) == 0) ||
		  (s != NULL && (strcmp(s, "false") == 0 || strcmp(s, "0") == 0));

	if (!yes && !no) {
		stet_issue(r->call, r->path, "must be true, false, 1 or 0");
		return false;
	}
	*out = stet_val_int(yes);
	return true;
}

static bool
operand(struct reader *r, const json_t *v, struct stet_val *out)
{
	enum column_kind kind = plan_kind(r->field);

	r->operands++;
	if (kind == AS_INTEGER || kind == AS_REAL)
		return operand_number(r, v, kind == AS_INTEGER, out);
	if (kind != AS_BOOLEAN)
		return operand_string(r, v, out);
	return operand_boolean(r, v, out);
}

static struct cond *
add(struct reader *r, enum cond_op op, size_t values)
{
	return filter_new(r->call, r->filter, STET_FIELD_COLUMN, r->field->slug, op, values);
}

static void
read_in(struct reader *r, const json_t *list)
{
	size_t n = json_array_size(list), i;
	struct cond *c;
	const json_t *v;

	if (!json_is_array(list) || n < 1 || n > IN_MAX) {
		stet_issue(r->call, r->path, "\"in\" takes a list of 1 to %d values", IN_MAX);
		return;
	}
	c = add(r, COND_IN, n);
	json_array_foreach(list, i, v)
	{
		if (!operand(r, v, &c->value[i]))
			return;
	}
	c->count = n;
}

static bool
read_bound(struct reader *r, struct cond *c, const char *name, const json_t *v)
{
	bool low = name[0] == 'g', closed = name[2] != '\0';
	const char **op = low ? &c->low : &c->high;

	if (*op != NULL) {
		stet_issue(r->call, r->path, "has two %s bounds", low ? "lower" : "upper");
		return false;
	}
	if (!operand(r, v, &c->value[low ? 0 : 1]))
		return false;
	*op = low ? (closed ? ">=" : ">") : (closed ? "<=" : "<");
	return true;
}

static void
read_range(struct reader *r, const json_t *object)
{
	json_t *mutable = (json_t *)(uintptr_t)object, *v;
	struct cond *c;
	const char *name;

	if (plan_kind(r->field) == AS_BOOLEAN || json_object_size(object) == 0) {
		stet_issue(r->call, r->path, "must be a value, null, or {\"in\": [...]}%s",
		    plan_kind(r->field) == AS_BOOLEAN ? "" : ", or bounds gt, gte, lt, lte");
		return;
	}
	c = add(r, COND_RANGE, 2);
	json_object_foreach(mutable, name, v)
	{
		if (strcmp(name, "gt") != 0 && strcmp(name, "gte") != 0 &&
		    strcmp(name, "lt") != 0 && strcmp(name, "lte") != 0) {
			stet_issue(r->call, r->path, "has an unknown operator");
			return;
		}
		if (!read_bound(r, c, name, v))
			return;
	}
}

static void
read_field(struct reader *r, const json_t *v)
{
	const json_t *in = json_object_get(v, "in");
	struct cond *c;

	if (json_is_null(v))
		add(r, COND_NULL, 0);
	else if (in != NULL && json_object_size(v) == 1)
		read_in(r, in);
	else if (json_is_object(v))
		read_range(r, v);
	else {
		c = add(r, COND_EQUAL, 1);
		operand(r, v, &c->value[0]);
	}
}

void
filter_fields(struct stet_call *call, const struct stet_collection *collection, const char *text,
    struct filter *f)
{
	struct reader r = { .call = call, .filter = f };
	json_t *object, *v;
	const char *name;

	if (stet_utf8_length(text) > FILTER_TEXT_MAX) {
		stet_issue(call, "fieldFilters", "must be at most %d characters", FILTER_TEXT_MAX);
		return;
	}
	object = stet_json_own(call, json_loads(text, JSON_REJECT_DUPLICATES, NULL));
	if (!json_is_object(object)) {
		stet_issue(call, "fieldFilters", "must be a JSON object");
		return;
	}
	if (json_object_size(object) > FIELDS_MAX) {
		stet_issue(call, "fieldFilters", "must have at most %d fields", FIELDS_MAX);
		return;
	}
	json_object_foreach(object, name, v)
	{
		r.path = stet_printf(call, "fieldFilters.%s", name);
		r.field = stet_field(collection, name);
		/* The same text for an unknown field and one without an index, so that filters
		 * do not reveal which fields exist. */
		if (r.field == NULL || !r.field->indexed)
			stet_issue(call, r.path,
			    "Cannot filter by field \"%s\": it must be indexed", name);
		else
			read_field(&r, v);
	}
	if (r.operands > OPERANDS_MAX)
		stet_issue(call, "fieldFilters", "must have at most %d operands", OPERANDS_MAX);
}

/* ---- the other arguments ---- */

/* Reads a bound of a date range. Text of ten characters is a date; as an upper bound it means
 * the end of that day. */
static struct stet_val
read_date(struct stet_call *call, const char *name, bool upper)
{
	const char *text = stet_arg(call, name);
	int64_t ms = 0;

	if (!stet_time_parse(text, &ms))
		stet_issue(call, name, "must be an ISO 8601 date or date-time");
	else if (upper && strlen(text) == 10)
		ms += 24 * 3600 * 1000 - 1;
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
	f->like = stet_like(call, q, len);
	/* In a column of JSON text the query stands in escaped form. */
	stet_put_strn(json, NULL, q, len);
	quoted = stet_json_text(json, &len);
	f->like_json = stet_like(call, quoted + 1, len - 2);
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

enum stet_status
filter_read(struct stet_call *call, const struct stet_collection *collection, struct filter *f)
{
	const char *status = stet_arg(call, "status"), *locale = stet_arg(call, "locale");
	const char *slug = stet_arg(call, "slug");

	*f = (struct filter){ .tail = &f->conds };
	STET_TRY(byline_filter(call, collection->slug, &f->bylines));
	if (f->bylines != NULL)
		filter_new(call, f, "", "id", COND_BYLINES, 0)->bylines = f->bylines;
	if (!stet_may(call, "content:read_drafts"))
		status = "published";
	if (locale != NULL && *locale == '\0')
		stet_issue(call, "locale", "must not be empty");
	f->status = equal(call, f, "status", status);
	f->author = equal(call, f, "author_id", stet_arg(call, "authorId"));
	f->locale = equal(call, f, "locale", stet_locale(call, locale));
	if (slug != NULL) {
		/* A slug selects so few rows that no other index is needed. */
		equal(call, f, "slug", slug)->shown = true;
		f->by_slug = true;
	}
	read_dates(call, f);
	if (stet_arg(call, "q") != NULL)
		read_q(call, stet_arg(call, "q"), f);
	if (stet_arg(call, "fieldFilters") != NULL)
		filter_fields(call, collection, stet_arg(call, "fieldFilters"), f);
	return STET_OK;
}

/* ---- SQL ---- */

static void
put_list(struct stet_sql *sql, const struct cond *c)
{
	for (size_t i = 0; i < c->count; i++) {
		stet_sql_add(sql, i > 0 ? ", " : "(");
		stet_sql_bind(sql, c->value[i]);
	}
	stet_sql_add(sql, c->count > 0 ? ")" : "(NULL)");
}

static void
put_bound(struct stet_sql *sql, const struct cond *c, const char *op, struct stet_val value)
{
	/* "NOT (x < ?)" means "x >= ?", but SQLite does not look it up in an index. */
	static const char *const shown[] = { " >= ", " > ", " <= ", " < " };
	static const char *const hidden[] = { " < ", " <= ", " > ", " >= " };
	int i = op[0] == '>' ? (op[1] == '=' ? 0 : 1) : (op[1] == '=' ? 2 : 3);

	stet_sql_add(sql, c->shown ? " AND (" : " AND NOT (");
	stet_sql_ident(sql, c->prefix, c->column);
	stet_sql_add(sql, c->shown ? shown[i] : hidden[i]);
	stet_sql_bind(sql, value);
	stet_sql_add(sql, ")");
}

void
filter_cond(struct stet_sql *sql, const struct cond *c)
{
	const struct byline_filter *b = c->bylines;

	/* The ids only help the planner; filter_add adds the condition itself. */
	if (c->op == COND_BYLINES) {
		if (!c->shown)
			return;
		stet_sql_add(sql, " AND id IN (");
		b->service->filter_ids(sql, b->it, b->collection);
		stet_sql_add(sql, ")");
		return;
	}
	if (c->op == COND_RANGE) {
		if (c->low != NULL)
			put_bound(sql, c, c->low, c->value[0]);
		if (c->high != NULL)
			put_bound(sql, c, c->high, c->value[1]);
		return;
	}
	stet_sql_add(sql, c->shown ? " AND (" : " AND NOT (");
	stet_sql_ident(sql, c->prefix, c->column);
	switch (c->op) {
	case COND_NULL:
		stet_sql_add(sql, c->shown ? " IS NULL" : " IS NOT NULL");
		break;
	case COND_IN:
		stet_sql_add(sql, c->shown ? " IN " : " NOT IN ");
		put_list(sql, c);
		break;
	default:
		stet_sql_add(sql, c->shown ? " = " : " <> ");
		stet_sql_bind(sql, c->value[0]);
	}
	stet_sql_add(sql, ")");
}

static void
put_like(struct stet_sql *sql, const char *prefix, const char *column, const char *pattern_)
{
	stet_sql_add(sql, " OR lower(");
	stet_sql_ident(sql, prefix, column);
	stet_sql_add(sql, ") LIKE lower(");
	stet_sql_bind(sql, stet_val_str(pattern_));
	stet_sql_add(sql, ") ESCAPE '\\'");
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
			filter_cond(sql, c);
	if (f->bylines != NULL)
		f->bylines->service->filter_put(sql, f->bylines->it, f->bylines->collection);
	if (f->like == NULL)
		return;
	stet_sql_add(sql, " AND (1 = 0");
	put_like(sql, "", "slug", f->like);
	for (size_t i = 0; i < collection->field_count; i++) {
		const struct stet_field *field = collection->fields[i];

		if (is_searched(collection, field))
			put_like(sql, STET_FIELD_COLUMN, field->slug,
			    plan_kind(field) == AS_JSON ? f->like_json : f->like);
	}
	stet_sql_add(sql, ")");
}
