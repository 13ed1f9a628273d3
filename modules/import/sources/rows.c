/*
 * rows.c - items from rows: tables of CSV, and lines or arrays of JSON. The rows are read twice:
 * the first pass finds the types of the columns (columns.c). Options: `fields` {name there: member
 * or field here}, "" leaves one out; `status`; `type` of the rows; `types`, `relations` and `dates`
 * of columns; `encoding` of CSV. Rows of several files are of the types that their files are named
 * by.
 */
#include "plan/suggest.h"
#include "read/dates.h"
#include "read/form.h"
#include "read/label.h"
#include "read/source.h"
#include "read/text.h"
#include "sources/columns.h"
#include "sources/documents.h"
#include "sources/table.h"
#include "state/ids.h"
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX INT64_C(9007199254740991)
#define NAMES_KNOWN 10000
#define KEY_SEPARATOR "=" /* between a column and its value in a key */

/* ---- a row as an item ---- */

static bool
is_in(const char *name, const char *const *list)
{
	while (*list != NULL && strcmp(*list, name) != 0)
		list++;
	return *list != NULL;
}

/* [text …] of a list, or of a text with commas; a new reference. */
static json_t *
list_of(const json_t *value)
{
	const char *text = json_string_value(value);
	json_t *out = json_array();

	if (json_is_array(value)) {
		(void)json_array_extend(out, (json_t *)(uintptr_t)value);
		return out;
	}
	while (text != NULL && *text != '\0') {
		size_t len = strcspn(text, ",;|"), blank = strspn(text, " \t"), n = len;

		while (n > blank && strchr(" \t", text[n - 1]) != NULL)
			n--;
		if (n > blank)
			(void)json_array_append_new(out, json_stringn(text + blank, n - blank));
		text += len + (text[len] != '\0');
	}
	return out;
}

static const char *const members[] = { "id", "type", "title", "slug", "status", "created",
	"published", "updated", "link", "locale", "group", "excerpt", "parent", "html", "markdown",
	"blocks", "picture", "terms", "fields", NULL };
static const char *const lists[] = { "authors", "oldLinks", NULL };
static const char *const others[] = { "author", "tags", "categories", NULL };

/* Rows of one reading. */
struct rows {
	struct stet_source *source;
	struct columns *columns;
	json_t *names; /* {member: the name in the source that has become it} */
	json_t *here; /* {name in the source: what it becomes here} */
	json_t *documents; /* set of the names of files */
	bool first; /* the first pass */
	bool several; /* the source has several files */
};

/* A row while it becomes an item. */
struct row {
	const struct rows *rows;
	struct stet_call *call;
	const struct row_read *read;
	const char *type, *noted; /* of the item; and of its columns */
	json_t *item, *fields, *terms, *types, *dates, *references, *keys;
};

static bool
is_member(const char *name)
{
	return is_in(name, members) || is_in(name, lists) || is_in(name, others);
}

static bool
is_time(const char *name)
{
	static const char *const times[] = { "created", "published", "updated", NULL };

	return is_in(name, times);
}

/* Returns the member for a name: `title` for "Title". If several names match one member, the first
 * that is read gets it. NULL: the name becomes a field. */
static const char *
member_of(const struct rows *r, const char *name)
{
	const char *slug =
	    is_member(name) || !label_is_plain(name) ? name : label_name(r->source->call, name);
	const char *owner = json_string_value(json_object_get(r->names, slug));

	if (!is_member(slug))
		return NULL;
	if (owner == NULL)
		(void)json_object_set_new(r->names, slug, json_string(name));
	return owner == NULL || strcmp(owner, name) == 0 ? slug : NULL;
}

/* Returns what a name becomes here: a member or a field; "": nothing. */
static const char *
here_of(const struct rows *r, const char *name)
{
	const json_t *known = json_object_get(r->here, name);
	const char *here;

	if (known != NULL)
		return json_string_value(known);
	here =
	    json_string_value(json_object_get(json_object_get(r->source->options, "fields"), name));
	/* A field that is chosen is found by plan/names. */
	if (here == NULL)
		here = member_of(r, name);
	else if (*here != '\0' && !is_member(here))
		here = name;
	if (here == NULL)
		here = name;
	if (json_object_size(r->here) < NAMES_KNOWN)
		(void)json_object_set_new(r->here, name, json_string(here));
	return here;
}

/* ---- keys ---- */

/* Returns a value as text, as it is in a key; "": it is no key. */
static const char *
key_text(struct stet_call *call, const json_t *value)
{
	const char *text = json_string_value(value);

	return text != NULL ? text
	       : json_is_integer(value)
		   ? stet_printf(call, "%lld", (long long)json_integer_value(value))
		   : "";
}

/* Returns an id of the rows of a type. Files of one source may have the same ids. */
static const char *
id_of(const struct rows *r, struct stet_call *call, const char *type, const char *id)
{
	return r->several && *id != '\0' ? stet_printf(call, "%s/%s", type, id) : id;
}

/* Returns the id by which a relation names rows of a type by a column. */
static const char *
key_of(const struct rows *r, struct stet_call *call, const char *type, const char *column,
    const char *value)
{
	return strcmp(here_of(r, column), "id") == 0
		   ? id_of(r, call, type, value)
		   : stet_printf(call, "%s.%s" KEY_SEPARATOR "%s", type, column, value);
}

/* Sets the ids of the rows to which a value refers. */
static void
refer(struct row *w, const char *name, const char *here, const json_t *value)
{
	const struct column *column = columns_find(w->rows->columns, w->noted, name);
	const char *to, *key, *text;
	size_t len = strlen(name), i;
	bool many =
	    (column != NULL && column->many) || (len > 4 && strcmp(name + len - 4, "_ids") == 0);
	json_t *ids, *all, *one;

	if (!columns_relation(w->rows->columns, w->call, w->noted, name, &to, &key))
		return;
	ids = json_array();
	all = many ? list_of(value) : json_pack("[O]", value);
	json_array_foreach(all, i, one)
	{
		text = key_text(w->call, one);
		if (*text != '\0')
			(void)json_array_append_new(
			    ids, json_string(key_of(w->rows, w->call, to, key, text)));
	}
	json_decref(all);
	(void)json_object_set_new(w->references, here, ids);
	(void)json_object_set_new(w->types, here, json_pack("{ss sb}", "to", to, "many", many));
}

/* ---- a row as an item ---- */

static void
put_field(struct row *w, const char *name, const char *here, json_t *value)
{
	const struct column *column = columns_find(w->rows->columns, w->noted, name);

	(void)json_object_set(w->fields, here, value);
	if (column != NULL && column->type != NULL)
		(void)json_object_set(w->types, here, (json_t *)(uintptr_t)column->type);
	if (column != NULL && column->order != DATES_ANY)
		(void)json_object_set_new(
		    w->dates, here, json_string(column->order == DATES_DMY ? "dmy" : "mdy"));
	refer(w, name, here, value);
}

/* Returns a time as ISO 8601 if the order of its day and month is known from other rows. */
static json_t *
time_of(const struct row *w, const char *name, json_t *value)
{
	const struct column *column = columns_find(w->rows->columns, w->noted, name);
	const char *text = json_string_value(value), *time;

	if (text == NULL || column == NULL)
		return value;
	time = dates_read(w->call, text, column->order);
	return time != NULL ? stet_json_own(w->call, json_string(time)) : value;
}

static void
put_member(struct row *w, const char *name, const char *here, json_t *value)
{
	json_t *item = w->item;

	if (strcmp(here, "fields") == 0)
		(void)json_object_update(w->fields, value);
	else if (strcmp(here, "terms") == 0)
		(void)json_object_update(w->terms, value);
	else if (is_time(here))
		(void)json_object_set(item, here, time_of(w, name, value));
	else if (is_in(here, members))
		(void)json_object_set(item, here, value);
	else if (is_in(here, lists))
		(void)json_object_set_new(item, here, list_of(value));
	else if (strcmp(here, "author") == 0)
		(void)json_object_set_new(item, "authors", list_of(value));
	else if (strcmp(here, "tags") == 0)
		(void)json_object_set_new(w->terms, "tag", list_of(value));
	else
		(void)json_object_set_new(w->terms, "category", list_of(value));
}

/* Can the member have the value? A column may be called "fields" or "blocks" by chance. */
static bool
fits(const char *member, const json_t *value)
{
	bool list = is_in(member, lists) || is_in(member, others) || strcmp(member, "blocks") == 0;

	if (strcmp(member, "fields") == 0 || strcmp(member, "terms") == 0)
		return json_is_object(value);
	if (json_is_object(value))
		return strcmp(member, "picture") == 0;
	return json_is_array(value) ? list : strcmp(member, "blocks") != 0;
}

/* Returns a number as a text if it is no exact number here, or if a text belongs in its place. */
static json_t *
exact(const struct row *w, json_t *value, bool member)
{
	json_t *text = NULL;

	if (json_is_integer(value) && llabs(json_integer_value(value)) > EXACT_MAX)
		text = json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (member && json_is_real(value))
		text = json_sprintf("%.15g", json_real_value(value));
	else if (member && json_is_boolean(value))
		text = json_string(json_is_true(value) ? "true" : "false");
	return text != NULL ? stet_json_own(w->call, text) : value;
}

/* Notes the id by which a relation names the row. */
static void
note_key(struct row *w, const char *name, const json_t *value)
{
	const char *text = key_text(w->call, value);

	if (*text != '\0' && columns_is_key(w->rows->columns, w->call, w->noted, name))
		(void)json_array_append_new(
		    w->keys, json_string(key_of(w->rows, w->call, w->noted, name, text)));
}

static void
put_value(struct row *w, const char *name, json_t *value)
{
	const char *here = here_of(w->rows, name);
	bool member = is_member(here) && fits(here, value);

	if (*here == '\0' || json_is_null(value))
		return;
	if (is_member(here) && !member)
		here = name;
	value = exact(w, value, member);
	if (w->rows->first) {
		if (!member || is_time(here))
			columns_note(w->rows->columns, w->noted, name, value, w->read->typed);
		return;
	}
	note_key(w, name, value);
	if (member)
		put_member(w, name, here, value);
	else
		put_field(w, name, here, value);
}

/* Returns the id of the item. Rows without one are known by their type and slug. */
static const char *
own_id(const struct row *w)
{
	const char *id = key_text(w->call, json_object_get(w->item, "id"));
	const char *slug = text_member(w->call, w->item, "slug"),
		   *locale = text_member(w->call, w->item, "locale");

	if (*id != '\0' || *slug == '\0')
		return id_of(w->rows, w->call, w->type, id);
	id = stet_printf(w->call, IDS_SLUG "%s%s%s", locale, *locale != '\0' ? ":" : "", slug);
	return strcmp(w->type, "row") != 0 ? stet_printf(w->call, "%s/%s", w->type, id) : id;
}

static void
set_default(json_t *item, const char *member, json_t *value)
{
	if (value != NULL && json_object_get(item, member) == NULL)
		(void)json_object_set(item, member, value);
}

static void
finish(struct row *w)
{
	const json_t *status = json_object_get(w->rows->source->options, "status");
	static const char *const scoped[] = { "parent", "group" };
	json_t *item = w->item;
	const char *id = own_id(w);

	(void)json_object_set_new(item, "type", json_string(w->type));
	(void)json_object_set_new(item, "place", json_string(w->read->place));
	if (*id != '\0')
		(void)json_object_set_new(item, "id", json_string(id));
	for (size_t i = 0; i < 2; i++)
		if (json_object_get(item, scoped[i]) != NULL)
			(void)json_object_set_new(item, scoped[i],
			    json_string(id_of(
				w->rows, w->call, w->type, text_member(w->call, item, scoped[i]))));
	if (json_is_string(status))
		set_default(item, "status", (json_t *)(uintptr_t)status);
	set_default(item, "fields", w->fields);
	set_default(item, "terms", json_object_size(w->terms) > 0 ? w->terms : NULL);
	set_default(item, "types", w->types);
	set_default(item, "dates", w->dates);
	set_default(item, "references", w->references);
	set_default(item, "keys", json_array_size(w->keys) > 0 ? w->keys : NULL);
}

/* Returns the type of a row: the one that it names, or that of its file. *own: it names one. */
static const char *
type_of(const struct rows *r, const struct row_read *read, bool *own)
{
	const char *named = text_member(r->source->call, r->source->options, "type"), *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)read->values, name, value)
	{
		*own = json_string_length(value) > 0 && strcmp(here_of(r, name), "type") == 0;
		if (*own)
			return json_string_value(value);
	}
	*own = *named != '\0';
	if (*named == '\0')
		named = documents_collection(r->source, read->document);
	return *named != '\0' ? named : "row";
}

/* Hands on an item of named values: members of STET_SOURCE_ITEM by their names, lists of terms as
 * `tags` and `categories`, the others as fields. */
static enum stet_status
take_row(void *arg, const struct row_read *read)
{
	struct rows *r = arg;
	struct stet_call *call = r->source->call;
	struct row w = { .rows = r, .call = call, .read = read };
	json_t **objects[] = { &w.item, &w.fields, &w.terms, &w.types, &w.dates, &w.references };
	const char *name;
	json_t *value;
	bool named;

	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		*objects[i] = stet_json_own(call, json_object());
	w.keys = stet_json_own(call, json_array());
	w.noted = type_of(r, read, &named);
	/* The name of a single file is no type. */
	w.type = named || r->several ? w.noted : "row";
	if (r->first) {
		(void)json_object_set_new(r->documents, read->document, json_true());
		columns_note_type(r->columns, w.noted);
	}
	json_object_foreach((json_t *)(uintptr_t)read->values, name, value)
	    put_value(&w, name, value);
	if (r->first)
		return STET_OK;
	finish(&w);
	return stet_source_put(r->source, STET_SOURCE_ITEM, json_incref(w.item));
}

/* ---- files ---- */

/* Calls take_row for each row of the source. */
typedef enum stet_status read_fn(struct stet_source *, struct rows *);

static enum stet_status
read_both(struct stet_source *source, read_fn *read)
{
	struct stet_source silent = documents_silent(source);
	struct rows r = { .source = source,
		.columns = columns_new(source),
		.names = json_object(),
		.here = json_object(),
		.documents = json_object(),
		.first = true };
	enum stet_status status = read(&silent, &r);

	r.first = false;
	r.several = json_object_size(r.documents) > 1;
	if (status == STET_OK)
		status = columns_decide(r.columns);
	if (status == STET_OK)
		status = read(source, &r);
	columns_free(r.columns);
	json_decref(r.names);
	json_decref(r.here);
	json_decref(r.documents);
	return status;
}

static enum stet_status
read_tables(struct stet_source *source, const char *path, const char *name, struct rows *r)
{
	struct source *file;
	const char *inside;
	enum stet_status status = source_open(
	    source->call, path, " .csv .tsv .txt ", (uint64_t)import_most(source->call), &file);

	while (status == STET_OK) {
		status = source_next(file, &inside);
		if (status != STET_OK || inside == NULL)
			break;
		status = table_read(source, file, *inside != '\0' ? inside : name, take_row, r);
	}
	source_close(file);
	return status;
}

static enum stet_status
read_csv(struct stet_source *source, struct rows *r)
{
	enum stet_status status = STET_OK;

	for (size_t i = 0; i < source->count && status == STET_OK; i++) {
		const char *path = source->path[i], *slash = strrchr(path, '/');

		status = read_tables(source, path,
		    source->count == 1 ? ""
		    : slash != NULL    ? slash + 1
				       : path,
		    r);
	}
	return status;
}

enum stet_status
csv_source(struct stet_call *call, struct stet_source *source)
{
	(void)call;
	return read_both(source, read_csv);
}

static enum stet_status
take_line(void *arg, const struct line_read *line)
{
	return take_row(arg, &(struct row_read){ line->name, line->place, line->object, true });
}

static enum stet_status
read_lines(struct stet_source *source, struct rows *r)
{
	return tree_lines(source, " .jsonl .ndjson .json ", take_line, r);
}

enum stet_status
lines_source(struct stet_call *call, struct stet_source *source)
{
	(void)call;
	return read_both(source, read_lines);
}
