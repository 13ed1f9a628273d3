/*
 * fieldfilter.c - reads the argument fieldFilters: operators on indexed fields and on the dates of
 * items, and groups with and, or and not. A field with many values is compared with each of them; a
 * searchable field, indexed or not, can be filtered by words.
 */
#include "read/read.h"
#include <string.h>

#define FIELDS_MAX 20 /* members of an object, elements of a group */
#define OPERANDS_MAX 50
#define NODES_MAX 100 /* conditions and groups */
#define DEPTH_MAX 5
#define IN_MAX 50
#define WORDS_MAX 10 /* conditions on words */
#define WORDS_TEXT_MAX 200 /* characters */

struct reader {
	struct stet_call *call;
	const struct stet_collection *collection;
	struct filter *filter;
	char *path; /* the path of the issues */
	size_t operands, nodes;
	/* The column that the present operator tests. */
	const char *prefix, *column;
	enum column_kind kind;
	bool time, many;
};

/* Reads an operand. `last`: a date without a time means the end of its day. */
static bool
operand(struct reader *r, const json_t *v, bool last, struct stet_val *out)
{
	const struct operand o = { r->call, r->path, r->kind, r->time, last };

	r->operands++;
	return operand_read(&o, v, out);
}

/* ---- conditions, and their opposites ---- */

static struct cond *
cond(struct reader *r, enum cond_op op, size_t values)
{
	struct cond *c = cond_new(r->call, r->prefix, r->column, op, values);

	c->count = op == COND_IN ? values : 0;
	r->nodes++;
	return c;
}

static void
add_bound(
    struct reader *r, struct where *group, const char *low, const char *high, struct stet_val value)
{
	struct cond *c = cond(r, COND_RANGE, 2);

	c->low = low;
	c->high = high;
	c->value[low != NULL ? 0 : 1] = value;
	where_add(group, where_cond(r->call, c));
}

/* Returns the opposite of a range: values outside it, or no value. */
static struct where *
outside(struct reader *r, const struct cond *c)
{
	struct where *any = where_new(r->call, WHERE_OR);

	if (c->low != NULL)
		add_bound(r, any, NULL, c->low[1] == '=' ? "<" : "<=", c->value[0]);
	if (c->high != NULL)
		add_bound(r, any, c->high[1] == '=' ? ">" : ">=", NULL, c->value[1]);
	where_add(any, where_cond(r->call, cond(r, COND_NULL, 0)));
	return any;
}

static struct where *
take(struct reader *r, struct cond *c, bool negated)
{
	if (!negated)
		return where_cond(r->call, c);
	switch (c->op) {
	case COND_NULL:
		c->op = COND_SET;
		break;
	case COND_SET:
		c->op = COND_NULL;
		break;
	case COND_HAS:
		c->op = COND_LACKS;
		break;
	case COND_CONTAINS:
		c->op = COND_OMITS;
		break;
	case COND_RANGE:
		return outside(r, c);
	default:
		c->count = c->op == COND_EQUAL ? 1 : c->count;
		c->op = COND_OUT;
		where_sort(c);
	}
	return where_cond(r->call, c);
}

/* ---- operators; each returns NULL if it has recorded an issue ---- */

static struct where *
read_equal(struct reader *r, const json_t *v, bool negated)
{
	struct cond *c;

	if (json_is_null(v))
		return take(r, cond(r, COND_NULL, 0), negated);
	c = cond(r, COND_EQUAL, 1);
	return operand(r, v, false, &c->value[0]) ? take(r, c, negated) : NULL;
}

static struct where *
read_unequal(struct reader *r, const json_t *v, bool negated)
{
	return read_equal(r, v, !negated);
}

static struct where *
read_list(struct reader *r, const char *name, const json_t *list, bool negated)
{
	size_t n = json_array_size(list), i;
	struct cond *c;
	const json_t *v;

	if (!json_is_array(list) || n < 1 || n > IN_MAX) {
		stet_issue(r->call, r->path, "\"%s\" takes a list of 1 to %d values", name, IN_MAX);
		return NULL;
	}
	c = cond(r, COND_IN, n);
	json_array_foreach(list, i, v)
	{
		if (!operand(r, v, false, &c->value[i]))
			return NULL;
	}
	return take(r, c, negated);
}

static struct where *
read_in(struct reader *r, const json_t *v, bool negated)
{
	return read_list(r, "in", v, negated);
}

static struct where *
read_not_in(struct reader *r, const json_t *v, bool negated)
{
	return read_list(r, "nin", v, !negated);
}

static struct where *
read_between(struct reader *r, const json_t *v, bool negated)
{
	struct cond *c;

	if (json_array_size(v) != 2) {
		stet_issue(r->call, r->path, "\"between\" takes a list of two values");
		return NULL;
	}
	c = cond(r, COND_RANGE, 2);
	c->low = ">=";
	c->high = "<=";
	if (!operand(r, json_array_get(v, 0), false, &c->value[0]) ||
	    !operand(r, json_array_get(v, 1), true, &c->value[1]))
		return NULL;
	return take(r, c, negated);
}

static struct where *
read_is_null(struct reader *r, const json_t *v, bool negated)
{
	bool yes;

	if (!operand_is_boolean(v, &yes)) {
		stet_issue(r->call, r->path, "\"isNull\" takes true or false");
		return NULL;
	}
	return take(r, cond(r, COND_NULL, 0), negated == yes);
}

static struct where *
read_prefix(struct reader *r, const json_t *v, bool negated)
{
	const char *after;
	struct cond *c;

	if (r->kind != AS_TEXT || r->time) {
		stet_issue(r->call, r->path, "\"startsWith\" is for texts");
		return NULL;
	}
	c = cond(r, COND_RANGE, 2);
	if (!operand(r, v, false, &c->value[0]))
		return NULL;
	c->low = ">=";
	after = operand_after(r->call, c->value[0].u.s);
	if (after != NULL) {
		c->high = "<";
		c->value[1] = stet_val_str(after);
	}
	return take(r, c, negated);
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
	/* The bounds "after a day" and "up to a day" mean the end of that day. */
	if (!operand(r, v, low != closed, &c->value[low ? 0 : 1]))
		return false;
	*op = low ? (closed ? ">=" : ">") : (closed ? "<=" : "<");
	return true;
}

static bool
is_bound(const char *name)
{
	return strcmp(name, "gt") == 0 || strcmp(name, "gte") == 0 || strcmp(name, "lt") == 0 ||
	       strcmp(name, "lte") == 0;
}

static struct where *
read_range(struct reader *r, const json_t *object, bool negated)
{
	json_t *mutable = (json_t *)(uintptr_t)object, *v;
	struct cond *c = cond(r, COND_RANGE, 2);
	const char *name;

	json_object_foreach(mutable, name, v)
	{
		if (!is_bound(name)) {
			stet_issue(r->call, r->path,
			    "has one operator, or bounds gt, gte, lt, lte; write others as a group "
			    "\"and\"");
			return NULL;
		}
		if (!read_bound(r, c, name, v))
			return NULL;
	}
	return take(r, c, negated);
}

/* ---- one of many values ---- */

static struct where *
take_value(struct reader *r, const char *value, bool negated)
{
	struct cond *c = cond(r, COND_HAS, 0);

	c->values = stet_alloc(r->call, sizeof(*c->values));
	*c->values = (struct value_cond){ .next = r->filter->values,
		.collection = r->collection->slug,
		.field = r->column,
		.value = value };
	r->filter->values = c->values;
	return take(r, c, negated);
}

static struct where *
read_many(struct reader *r, const json_t *v, bool negated)
{
	const json_t *has = json_object_get(v, "has"), *null = json_object_get(v, "isNull");
	struct stet_val value;
	bool yes;

	if (json_is_null(v))
		return take_value(r, "", negated);
	if (json_object_size(v) == 1 && has != NULL) {
		if (!operand(r, has, false, &value))
			return NULL;
		if (*value.u.s != '\0')
			return take_value(r, value.u.s, negated);
	} else if (json_object_size(v) == 1 && null != NULL && operand_is_boolean(null, &yes)) {
		return take_value(r, "", negated == yes);
	}
	stet_issue(r->call, r->path,
	    "must be null, {\"has\": one of its values} or {\"isNull\": true or false}: the field "
	    "has many values");
	return NULL;
}

/* ---- words ---- */

/* Returns false, with an issue recorded, if the field cannot be filtered by words. */
static bool
check_words(struct reader *r, const char *field, const json_t *object)
{
	const char *text = json_string_value(json_object_get(object, "contains"));
	const struct stet_field *f = stet_field(r->collection, field);
	size_t others = 0;

	for (const struct words_cond *w = r->filter->words; w != NULL; w = w->next)
		others++;
	if (f == NULL || !f->searchable)
		stet_issue(r->call, r->path,
		    "Cannot filter by words of field \"%s\": it must be searchable (\"searchable\": "
		    "true in its definition: PUT /schema/collections/%s/fields/:field, tool "
		    "schema_update_field)",
		    field, r->collection->slug);
	else if (json_object_size(object) > 1)
		stet_issue(r->call, r->path, "has one operator; write others as a group \"and\"");
	else if (text == NULL || *text == '\0' || stet_utf8_length(text) > WORDS_TEXT_MAX)
		stet_issue(r->call, r->path, "\"contains\" takes a text of 1 to %d characters",
		    WORDS_TEXT_MAX);
	else if (others >= WORDS_MAX)
		stet_issue(r->call, "fieldFilters", "must have at most %d conditions \"contains\"",
		    WORDS_MAX);
	else
		return true;
	return false;
}

/* Reads a filter by words. Its column may have no index in the table. */
static struct where *
read_words(struct reader *r, const char *field, const json_t *object, bool negated)
{
	struct cond *c;

	if (!check_words(r, field, object))
		return NULL;
	r->prefix = "";
	r->column = "id";
	r->operands++;
	c = cond(r, COND_CONTAINS, 0);
	c->words = stet_alloc(r->call, sizeof(*c->words));
	*c->words = (struct words_cond){ .next = r->filter->words,
		.path = r->path,
		.collection = r->collection->slug,
		.field = field,
		.text = json_string_value(json_object_get(object, "contains")) };
	r->filter->words = c->words;
	return take(r, c, negated);
}

static const struct operator
{
	const char *name;
	struct where *(*read)(struct reader *, const json_t *, bool negated);
	bool ordered; /* has an order; false for booleans */
}
operators[] = {
	{ "eq", read_equal, false },
	{ "ne", read_unequal, false },
	{ "in", read_in, false },
	{ "nin", read_not_in, false },
	{ "isNull", read_is_null, false },
	{ "between", read_between, true },
	{ "startsWith", read_prefix, true },
};

static struct where *
read_operators(struct reader *r, const json_t *object, bool negated)
{
	const char *name = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)object));
	const bool boolean = r->kind == AS_BOOLEAN;

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]) && name != NULL; i++)
		if (json_object_size(object) == 1 && strcmp(operators[i].name, name) == 0 &&
		    !(boolean && operators[i].ordered))
			return operators[i].read(r, json_object_get(object, name), negated);
	if (name != NULL && !boolean && (json_object_size(object) > 1 || is_bound(name)))
		return read_range(r, object, negated);
	stet_issue(r->call, r->path,
	    "must be a value, null, or an object with one of eq, ne, in, nin, isNull%s",
	    boolean ? "" : ", between, startsWith, contains, or bounds gt, gte, lt, lte");
	return NULL;
}

/* ---- fields and groups ---- */

/* Returns the column of a date that all readers see; NULL for other names. */
static const char *
date_column(const char *name)
{
	if (strcmp(name, "createdAt") == 0)
		return "created_at";
	if (strcmp(name, "updatedAt") == 0)
		return "updated_at";
	return strcmp(name, "publishedAt") == 0 ? "published_at" : NULL;
}

/* Returns what to use instead of this member in fieldFilters: members of an item that are not
 * fields have arguments of their own. */
static const char *
instead_of(const char *name)
{
	static const char *const names[][2] = { { "id", "read single items by their ids" },
		{ "slug", "use the parameter slug" }, { "status", "use the parameter status" },
		{ "locale", "use the parameter locale" },
		{ "authorId", "use the parameter authorId" },
		{ "bylines", "use the parameter bylines" },
		{ "terms", "use the parameter terms" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i][0], name) == 0)
			return names[i][1];
	return NULL;
}

/* Finds the column of a member. The error is equal for an unknown field and one without an index,
 * so that filters do not reveal which fields exist. */
static bool
find_column(struct reader *r, const char *name)
{
	const struct stet_field *field = stet_field(r->collection, name);
	const char *date = date_column(name);

	r->many = field != NULL && many_has(field);
	if (field != NULL && field->indexed && (field->building & STET_BUILDING_ORDER) != 0) {
		stet_issue(r->call, r->path,
		    "Cannot filter by field \"%s\" yet: its index is being made", name);
		return false;
	}
	if (field == NULL || !field->indexed) {
		r->prefix = "";
		r->column = date;
		r->kind = AS_TEXT;
		r->time = true;
		if (field == NULL && instead_of(name) != NULL)
			stet_issue(r->call, r->path, "Cannot filter by \"%s\": %s", name,
			    instead_of(name));
		else if (date == NULL)
			stet_issue(r->call, r->path,
			    "Cannot filter by field \"%s\": it must be indexed (\"indexed\": true "
			    "in its definition: PUT /schema/collections/%s/fields/:field, tool "
			    "schema_update_field)",
			    name, r->collection->slug);
		return date != NULL;
	}
	r->prefix = STET_FIELD_COLUMN;
	r->column = field->slug;
	r->kind = r->many ? AS_TEXT : plan_kind(field);
	r->time = field->type->holds == STET_HOLDS_TIME;
	return true;
}

static struct where *
read_field(struct reader *r, const char *name, const json_t *v, bool negated)
{
	if (json_object_get(v, "contains") != NULL)
		return read_words(r, name, v, negated);
	if (!find_column(r, name))
		return NULL;
	if (r->many)
		return read_many(r, v, negated);
	return json_is_object(v) ? read_operators(r, v, negated) : read_equal(r, v, negated);
}

static struct where *read_object(struct reader *, const json_t *, bool negated, int depth);

/* Returns true if this member is a group. A field may have the same name, but its value is never an
 * array. */
static bool
is_group(const struct reader *r, const char *name, const json_t *v)
{
	const bool field = stet_field(r->collection, name) != NULL;

	if (strcmp(name, "not") == 0)
		return json_is_array(v) || !field;
	return (strcmp(name, "and") == 0 || strcmp(name, "or") == 0) &&
	       (json_is_array(v) || !field);
}

/* Reads a group: `and` and `or` take a list of objects; `not` takes an object, or a list of objects
 * that must all fail. */
static struct where *
read_group(struct reader *r, const char *name, const json_t *v, bool negated, int depth)
{
	const bool not = name[0] == 'n', any = name[0] == 'o';
	struct where *group = where_new(r->call, any != negated ? WHERE_OR : WHERE_AND);
	char *path = r->path;
	size_t n = json_array_size(v);

	/* not [a, b] means (not a) and (not b); if it is negated itself, a or b. */
	if (not &&json_is_object(v))
		return read_object(r, v, !negated, depth + 1);
	if (n < 1 || n > FIELDS_MAX) {
		stet_issue(r->call, path, "takes %sa list of 1 to %d objects",
		    not ? "an object or " : "", FIELDS_MAX);
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		struct where *w;

		r->path = stet_printf(r->call, "%s[%zu]", path, i);
		w = read_object(r, json_array_get(v, i), not ? !negated : negated, depth + 1);
		if (w == NULL)
			return NULL;
		where_add(group, w);
	}
	return group;
}

static bool
has_room(struct reader *r, const json_t *object, int depth)
{
	if (!json_is_object(object))
		stet_issue(r->call, r->path, "must be a JSON object");
	else if (json_object_size(object) > FIELDS_MAX)
		stet_issue(r->call, r->path, "must have at most %d fields", FIELDS_MAX);
	else if (depth > DEPTH_MAX)
		stet_issue(r->call, r->path, "groups are at most %d deep", DEPTH_MAX);
	else if (++r->nodes > NODES_MAX)
		stet_issue(r->call, "fieldFilters", "must have at most %d conditions", NODES_MAX);
	else
		return true;
	return false;
}

/* Reads all conditions of an object. Returns NULL if it has recorded an issue. */
static struct where *
read_object(struct reader *r, const json_t *object, bool negated, int depth)
{
	struct where *group = where_new(r->call, negated ? WHERE_OR : WHERE_AND);
	char *path = r->path;
	bool good = has_room(r, object, depth);
	const char *name;
	json_t *v;

	json_object_foreach(good ? (json_t *)(uintptr_t)object : NULL, name, v)
	{
		struct where *w;

		r->path = stet_printf(r->call, "%s.%s", path, name);
		w = is_group(r, name, v) ? read_group(r, name, v, negated, depth)
					 : read_field(r, name, v, negated);
		good = good && w != NULL;
		if (w != NULL)
			where_add(group, w);
	}
	return good ? group : NULL;
}

void
filter_fields(struct stet_call *call, const struct stet_collection *collection, const char *text,
    struct filter *f)
{
	struct reader r = { .call = call, .collection = collection, .filter = f };
	struct where *all;

	if (stet_utf8_length(text) > FILTER_TEXT_MAX) {
		stet_issue(call, "fieldFilters", "must be at most %d characters", FILTER_TEXT_MAX);
		return;
	}
	r.path = stet_strdup(call, "fieldFilters");
	all = read_object(
	    &r, stet_json_own(call, json_loads(text, JSON_REJECT_DUPLICATES, NULL)), false, 0);
	if (r.operands > OPERANDS_MAX)
		stet_issue(call, "fieldFilters", "must have at most %d operands", OPERANDS_MAX);
	else if (r.nodes > NODES_MAX)
		stet_issue(call, "fieldFilters", "must have at most %d conditions", NODES_MAX);
	else if (all != NULL)
		where_filter(call, all, f);
}
