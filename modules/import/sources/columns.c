/*
 * columns.c - what the columns of rows have in common. A type that fits the first rows need not fit
 * the others, so all are looked at before the first one is handed on. Only a few numbers, and at
 * most DISTINCT_MAX values, are remembered of a column.
 */
#include "sources/columns.h"
#include "plan/choices.h"
#include "plan/kind.h"
#include "read/dates.h"
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 5000 /* of all types; others get the types of their single values */
#define DISTINCT_MAX 100 /* values of a select */
#define LONG_TEXT 200 /* bytes; the field of a longer value is a text */

enum { INTEGER = 1, NUMBER = 2, BOOLEAN = 4, URL = 8, TIME = 16, SHORT = 32, ALL = 63 };

struct noted {
	struct column column;
	char *type, *name;
	unsigned can; /* what each text is */
	bool texts, integers, reals, booleans, others; /* types of values in JSON */
	bool depends; /* a date depends on the order */
	int64_t count;
	json_t *distinct; /* {text: how often it is there}; NULL: there are too many */
	json_t *decided;
};

struct columns {
	struct stet_source *source;
	struct noted *all;
	size_t count, room;
	json_t *places; /* {type: {column: index}} */
	json_t *types; /* set of types */
	unsigned order; /* that the option `dates` gives, or DATES_ANY */
};

/* ---- the table ---- */

struct columns *
columns_new(struct stet_source *source)
{
	struct columns *c = calloc(1, sizeof(*c));
	const char *dates = json_string_value(json_object_get(source->options, "dates"));

	if (c == NULL)
		stet_out_of_memory();
	c->source = source;
	c->places = json_object();
	c->types = json_object();
	c->order = dates == NULL ? DATES_ANY : strcmp(dates, "mdy") == 0 ? DATES_MDY : DATES_DMY;
	return c;
}

void
columns_free(struct columns *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->all[i].type);
		free(c->all[i].name);
		json_decref(c->all[i].distinct);
		json_decref(c->all[i].decided);
	}
	free(c->all);
	json_decref(c->places);
	json_decref(c->types);
	free(c);
}

static struct noted *
find(const struct columns *c, const char *type, const char *name)
{
	const json_t *at = json_object_get(json_object_get(c->places, type), name);

	return at != NULL ? &c->all[json_integer_value(at)] : NULL;
}

static char *
copy(const char *text)
{
	char *out = strdup(text);

	if (out == NULL)
		stet_out_of_memory();
	return out;
}

static struct noted *
have(struct columns *c, const char *type, const char *name)
{
	struct noted *n = find(c, type, name);
	json_t *of = json_object_get(c->places, type);

	if (n != NULL || c->count == COLUMNS_MAX)
		return n;
	if (c->count == c->room) {
		c->room = c->room * 2 + 16;
		c->all = realloc(c->all, c->room * sizeof(*c->all));
		if (c->all == NULL)
			stet_out_of_memory();
	}
	if (of == NULL) {
		of = json_object();
		(void)json_object_set_new(c->places, type, of);
	}
	(void)json_object_set_new(of, name, json_integer((json_int_t)c->count));
	n = &c->all[c->count++];
	*n = (struct noted){ .column.order = DATES_ANY,
		.type = copy(type),
		.name = copy(name),
		.can = ALL,
		.distinct = json_object() };
	return n;
}

/* ---- the first pass ---- */

static void
note_time(struct columns *c, struct noted *n, const char *text)
{
	unsigned orders = dates_orders(c->source->call, text);

	n->depends |= (orders & DATES_SURE) == 0;
	n->column.order &= orders;
	if ((n->column.order & DATES_ANY) == 0)
		n->can &= ~(unsigned)TIME;
}

static void
note_distinct(struct noted *n, const char *text)
{
	if (n->distinct == NULL || choices_note(n->distinct, DISTINCT_MAX, text))
		return;
	json_decref(n->distinct);
	n->distinct = NULL;
}

static bool
is_short(const char *text)
{
	return strchr(text, '\n') == NULL && strlen(text) <= LONG_TEXT;
}

static void
note_text(struct columns *c, struct noted *n, const char *text, bool typed)
{
	static const struct {
		unsigned kind;
		bool (*is)(const char *);
	} kinds[] = { { INTEGER, kind_integer }, { NUMBER, kind_number }, { BOOLEAN, kind_boolean },
		{ URL, kind_url }, { SHORT, is_short } };

	n->texts = true;
	if (typed)
		n->can &= ~(unsigned)(INTEGER | NUMBER | BOOLEAN);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if ((n->can & kinds[i].kind) != 0 && !kinds[i].is(text))
			n->can &= ~kinds[i].kind;
	if ((n->can & TIME) != 0)
		note_time(c, n, text);
	note_distinct(n, text);
}

void
columns_note(struct columns *c, const char *type, const char *name, const json_t *value, bool typed)
{
	struct noted *n = have(c, type, name);

	if (n == NULL || json_is_null(value))
		return;
	n->count++;
	if (json_is_string(value))
		note_text(c, n, json_string_value(value), typed);
	n->integers |= json_is_integer(value);
	n->reals |= json_is_real(value);
	n->booleans |= json_is_boolean(value);
	n->others |= json_is_object(value) || json_is_array(value);
	n->column.many |= json_is_array(value);
}

void
columns_note_type(struct columns *c, const char *type)
{
	if (json_object_size(c->types) < COLUMNS_MAX)
		(void)json_object_set_new(c->types, type, json_true());
}

/* ---- types ---- */

/* Returns what an option {column, or type.column: value} says of a column; NULL: nothing. */
static const char *
said(const struct columns *c, const char *option, const char *type, const char *name)
{
	const json_t *all = json_object_get(c->source->options, option);
	const json_t *value =
	    json_object_get(all, stet_printf(c->source->call, "%s.%s", type, name));

	return json_string_value(value != NULL ? value : json_object_get(all, name));
}

static const char *
type_of_texts(const struct noted *n)
{
	bool ordered = !n->depends || n->column.order != DATES_ANY;

	if (n->can & NUMBER)
		return n->can & INTEGER ? "integer" : "number";
	if (n->can & BOOLEAN)
		return "boolean";
	if (n->can & URL)
		return "url";
	if ((n->can & TIME) != 0 && ordered)
		return "datetime";
	if ((n->can & SHORT) != 0 && choices_are(n->distinct))
		return "select";
	return n->can & SHORT ? "string" : "text";
}

static const char *
type_of(const struct noted *n)
{
	if (n->others)
		return "json";
	if (n->texts && !n->integers && !n->reals && !n->booleans)
		return type_of_texts(n);
	if (n->texts)
		return n->can & SHORT ? "string" : "text";
	if (n->booleans)
		return n->integers || n->reals ? "string" : "boolean";
	return n->reals ? "number" : "integer";
}

/* Returns the type for the member `types`, a new reference. */
static json_t *
type_json(const struct noted *n, const char *type)
{
	if (strcmp(type, "select") != 0 || n->distinct == NULL)
		return json_string(strcmp(type, "date") == 0 ? "datetime" : type);
	return json_pack("{so}", "choices", choices_list(n->distinct));
}

static enum stet_status
tell(const struct columns *c, const struct noted *n, const char *text)
{
	return source_notice(
	    c->source, stet_printf(c->source->call, "%s.%s", n->type, n->name), false, text);
}

/* Reports a column that may refer to the rows of another type: author_id, if there are authors. */
static enum stet_status
suggest(const struct columns *c, const struct noted *n)
{
	static const char *const ends[] = { "", "s", "es" };
	struct stet_call *call = c->source->call;
	size_t len = strlen(n->name), stem = len > 3 ? len - 3 : 0;

	if (stem == 0 || strcmp(n->name + stem, "_id") != 0)
		return STET_OK;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const char *type = stet_printf(call, "%.*s%s", (int)stem, n->name, ends[i]);

		if (json_object_get(c->types, type) != NULL)
			return tell(c, n,
			    stet_printf(call,
				"It may refer to %s: --relation %s.%s=%s.id makes references of it",
				type, n->type, n->name, type));
	}
	return STET_OK;
}

/* Decides the order of day and month, by the option if both are possible. */
static void
decide_order(const struct columns *c, struct noted *n)
{
	unsigned order = n->column.order & DATES_ANY;

	if (n->depends && (order & c->order) != 0)
		order &= c->order;
	n->column.order = order != 0 ? order : c->order;
}

static enum stet_status
decide(const struct columns *c, struct noted *n)
{
	const char *type = said(c, "types", n->type, n->name);

	decide_order(c, n);
	if (type != NULL && strcmp(type, "select") == 0 && n->distinct == NULL)
		return stet_fail(c->source->call, STET_VALIDATION_ERROR, "types",
		    "%s.%s has more different or longer values than a select takes", n->type,
		    n->name);
	n->decided = type_json(n, type != NULL ? type : type_of(n));
	n->column.type = n->decided;
	if (said(c, "relations", n->type, n->name) != NULL || type != NULL)
		return STET_OK;
	if (n->texts && (n->can & TIME) != 0 && n->depends && n->column.order == DATES_ANY)
		return tell(c, n,
		    "Its dates can be read with the day or the month first: --set dates=dmy or "
		    "dates=mdy says which");
	return suggest(c, n);
}

/* Does a column have this name, alone or behind its type? */
static bool
is_column(const struct columns *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++) {
		size_t len = strlen(c->all[i].type);

		if (strcmp(name, c->all[i].name) == 0 ||
		    (strncmp(name, c->all[i].type, len) == 0 && name[len] == '.' &&
			strcmp(name + len + 1, c->all[i].name) == 0))
			return true;
	}
	return false;
}

/* Reports names of an option that no column has. */
static enum stet_status
tell_unused(const struct columns *c, const char *option)
{
	json_t *value;
	const char *name;

	json_object_foreach(json_object_get(c->source->options, option), name, value)
	{
		if (!is_column(c, name))
			STET_TRY(source_notice(c->source, name, false,
			    "No column has this name and a value in a row"));
	}
	return STET_OK;
}

enum stet_status
columns_decide(struct columns *c)
{
	STET_TRY(tell_unused(c, "types"));
	STET_TRY(tell_unused(c, "relations"));
	for (size_t i = 0; i < c->count; i++)
		if (c->all[i].count > 0)
			STET_TRY(decide(c, &c->all[i]));
	return STET_OK;
}

/* ---- the second pass ---- */

const struct column *
columns_find(const struct columns *c, const char *type, const char *name)
{
	const struct noted *n = find(c, type, name);

	return n != NULL ? &n->column : NULL;
}

bool
columns_relation(const struct columns *c, struct stet_call *call, const char *type,
    const char *name, const char **to, const char **key)
{
	const char *target = said(c, "relations", type, name), *dot;

	if (target == NULL)
		return false;
	dot = strchr(target, '.');
	*to = dot != NULL ? stet_strndup(call, target, (size_t)(dot - target)) : target;
	*key = dot != NULL ? dot + 1 : "id";
	return true;
}

bool
columns_is_key(const struct columns *c, struct stet_call *call, const char *type, const char *name)
{
	const json_t *all = json_object_get(c->source->options, "relations"), *target;
	const char *wanted = stet_printf(call, "%s.%s", type, name), *from;

	json_object_foreach((json_t *)(uintptr_t)all, from, target)
	{
		if (json_is_string(target) && strcmp(json_string_value(target), wanted) == 0)
			return true;
	}
	return false;
}
