/*
 * rows.c - items from rows: CSV (RFC 4180, by libcsv), the first line of which has the names, and
 * lines of JSON. Option `fields`: {name there: member or field here}; "" leaves one out.
 */
#include "read/form.h"
#include "read/label.h"
#include "read/source.h"
#include "sources/sources.h"
#include <csv.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 65536
#define COLUMNS_MAX 500

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
	json_t *names; /* {member: the name in the source that has become it} */
};

static void
put_member(json_t *item, json_t *fields, json_t *terms, const char *name, json_t *value)
{
	if (is_in(name, members))
		(void)json_object_set(item, name, value);
	else if (is_in(name, lists))
		(void)json_object_set_new(item, name, list_of(value));
	else if (strcmp(name, "author") == 0)
		(void)json_object_set_new(item, "authors", list_of(value));
	else if (strcmp(name, "tags") == 0)
		(void)json_object_set_new(terms, "tag", list_of(value));
	else if (strcmp(name, "categories") == 0)
		(void)json_object_set_new(terms, "category", list_of(value));
	else
		(void)json_object_set(fields, name, value);
}

static bool
is_member(const char *name)
{
	return is_in(name, members) || is_in(name, lists) || is_in(name, others);
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

/* Hands on an item of named values: members of STET_SOURCE_ITEM by their names, lists of terms as
 * `tags` and `categories`, the others as fields. Takes the reference. */
static enum stet_status
row_put(const struct rows *r, json_t *values, const char *type)
{
	struct stet_source *source = r->source;
	const json_t *given = json_object_get(source->options, "fields");
	const json_t *status = json_object_get(source->options, "status");
	json_t *item = json_object(), *fields = json_object(), *terms = json_object(), *value;
	const char *name;

	json_object_foreach(values, name, value)
	{
		const char *here = json_string_value(json_object_get(given, name));

		/* A field that is chosen is found by plan/names. */
		if (here == NULL)
			here = member_of(r, name);
		else if (*here != '\0' && !is_member(here))
			here = name;
		if (here == NULL)
			here = name;
		if (*here != '\0' && !json_is_null(value))
			put_member(item, fields, terms, here, value);
	}
	json_decref(values);
	if (json_object_get(item, "type") == NULL)
		(void)json_object_set_new(item, "type", json_string(type));
	if (json_object_get(item, "status") == NULL && json_is_string(status))
		(void)json_object_set(item, "status", (json_t *)(uintptr_t)status);
	if (json_object_get(item, "fields") == NULL)
		(void)json_object_set(item, "fields", fields);
	if (json_object_get(item, "terms") == NULL && json_object_size(terms) > 0)
		(void)json_object_set(item, "terms", terms);
	json_decref(fields);
	json_decref(terms);
	return stet_source_put(source, STET_SOURCE_ITEM, item);
}

/* ---- CSV ---- */

struct table {
	struct stet_source *source;
	const struct rows *rows;
	struct csv_parser parser;
	json_t *names; /* of columns; NULL: their line was not read yet */
	json_t *cells; /* of the present line */
	size_t bytes; /* of these cells */
	int64_t line;
	bool bad; /* a cell is no UTF-8 */
	enum stet_status status;
};

static void
on_cell(void *text, size_t len, void *arg)
{
	struct table *t = arg;
	json_t *cell;

	/* The rest of a row that is too long is not stored. */
	t->bytes += len;
	if (text == NULL || t->bytes > DOCUMENT_MAX)
		len = 0;
	cell = json_stringn(len > 0 ? text : "", len);

	if (cell != NULL && memchr(json_string_value(cell), '\0', len) != NULL) {
		json_decref(cell);
		cell = NULL;
	}
	t->bad |= cell == NULL;
	if (json_array_size(t->cells) < COLUMNS_MAX)
		(void)json_array_append_new(t->cells, cell != NULL ? cell : json_null());
	else
		json_decref(cell);
}

struct line {
	struct table *table;
	json_t *cells;
};

static enum stet_status
put_line(struct stet_call *call, void *arg)
{
	const struct line *l = arg;
	struct table *t = l->table;
	const char *place = stet_printf(call, "row %lld", (long long)t->line);
	json_t *values;

	if (t->bad)
		return source_notice(t->source, place, true, "It is not UTF-8");
	if (t->bytes > DOCUMENT_MAX)
		return source_notice(t->source, place, true, "It is longer than 8 MiB");
	if (json_array_size(l->cells) > json_array_size(t->names))
		STET_TRY(source_notice(
		    t->source, place, false, "It has more cells than there are columns"));
	values = json_object();
	for (size_t i = 0; i < json_array_size(t->names) && i < json_array_size(l->cells); i++)
		if (json_string_length(json_array_get(l->cells, i)) > 0)
			(void)json_object_set(values,
			    json_string_value(json_array_get(t->names, i)),
			    json_array_get(l->cells, i));
	return row_put(t->rows, values, "row");
}

static bool
is_empty(const json_t *cells)
{
	for (size_t i = 0; i < json_array_size(cells); i++)
		if (json_string_length(json_array_get(cells, i)) > 0)
			return false;
	return true;
}

static bool
is_among(const json_t *names, const char *name)
{
	for (size_t i = 0; i < json_array_size(names); i++)
		if (strcmp(json_string_value(json_array_get(names, i)), name) == 0)
			return true;
	return false;
}

/* A name for each column: one that is empty or taken gets the number of the column. */
static enum stet_status
read_names(struct table *t)
{
	struct stet_call *call = t->source->call;
	enum stet_status status = STET_OK;

	t->names = json_array();
	for (size_t i = 0; i < json_array_size(t->cells) && status == STET_OK; i++) {
		const char *name = json_string_value(json_array_get(t->cells, i)), *own = name;
		int number = (int)i + 1;

		if (*name == '\0')
			own = stet_printf(call, "column %d", number);
		while (is_among(t->names, own))
			own = stet_printf(call, "%s %d", own, number);
		if (*name != '\0' && own != name)
			status = source_notice(t->source, "row 1", false,
			    stet_printf(call,
				"Column %d is \"%.100s\" as another one: it is read as \"%.100s\"",
				number, name, own));
		(void)json_array_append_new(t->names, json_string(own));
	}
	return status;
}

/* Counts rows, not lines: a cell may have several lines. */
static void
on_line(int end, void *arg)
{
	struct table *t = arg;
	struct line l = { t, t->cells };

	(void)end;
	t->line++;
	if (t->status == STET_OK && t->names == NULL && t->bad)
		t->status = stet_fail(t->source->call, STET_VALIDATION_ERROR, "file",
		    "The names of the columns are not UTF-8");
	else if (t->status == STET_OK && t->names == NULL)
		t->status = read_names(t);
	else if (t->status == STET_OK && (t->bad || !is_empty(t->cells)))
		t->status = stet_scope(t->source->call, put_line, &l);
	json_decref(t->cells);
	t->cells = json_array();
	t->bytes = 0;
	t->bad = false;
}

static enum stet_status
refuse(const struct table *t, const char *why)
{
	return stet_fail(t->source->call, STET_VALIDATION_ERROR, "file", "Row %lld: %s",
	    (long long)t->line + 1, why);
}

/* Finds the separator: commas, semicolons or tabs, whichever the line of names has most. Other
 * lines may have decimal commas between semicolons. *skip: bytes of a byte order mark. */
static void
look_at_first(struct table *t, const char *piece, size_t len, size_t *skip)
{
	static const char separators[] = { ',', ';', '\t' };
	size_t count[3] = { 0 }, best = 0;
	bool quoted = false;

	*skip = len >= 3 && memcmp(piece, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	for (const char *p = piece + *skip; p < piece + len; p++) {
		const char *at = memchr(separators, *p, sizeof(separators));

		if (*p == '"')
			quoted = !quoted;
		else if (!quoted && (*p == '\n' || *p == '\r'))
			break;
		else if (!quoted && at != NULL)
			count[at - separators]++;
	}
	for (size_t i = 1; i < 3; i++)
		if (count[i] > count[best])
			best = i;
	csv_set_delim(&t->parser, (unsigned char)separators[best]);
}

static enum stet_status
parse(struct table *t, const char *piece, size_t len)
{
	if (csv_parse(&t->parser, piece, len, on_cell, on_line, t) != len)
		return refuse(t, csv_strerror(csv_error(&t->parser)));
	if (csv_get_buffer_size(&t->parser) > 8 * DOCUMENT_MAX)
		return refuse(t, "a cell has no end");
	return t->status;
}

static enum stet_status
read_table(struct table *t, struct source *file)
{
	char piece[PIECE];
	size_t got, skip = 0;
	const char *name;
	bool first = true;

	STET_TRY(source_next(file, &name));
	do {
		STET_TRY(source_read(file, piece, sizeof(piece), &got));
		if (first)
			look_at_first(t, piece, got, &skip);
		STET_TRY(parse(t, piece + skip, got - skip));
		first = false;
		skip = 0;
	} while (got > 0);
	(void)csv_set_opts(&t->parser, CSV_STRICT | CSV_STRICT_FINI);
	if (csv_fini(&t->parser, on_cell, on_line, t) != 0)
		return refuse(t, "the file ends within quotes");
	return t->status;
}

static enum stet_status
read_csv(const struct rows *rows, const char *path)
{
	struct stet_source *source = rows->source;
	struct table t = { .source = source, .rows = rows, .cells = json_array() };
	struct source *file;
	enum stet_status status;

	if (csv_init(&t.parser, 0) != 0)
		stet_out_of_memory();
	csv_set_blk_size(&t.parser, PIECE);
	status = source_open(
	    source->call, path, " .csv .tsv .txt ", (uint64_t)import_most(source->call), &file);
	if (status == STET_OK)
		status = read_table(&t, file);
	source_close(file);
	csv_free(&t.parser);
	json_decref(t.names);
	json_decref(t.cells);
	return status;
}

enum stet_status
csv_source(struct stet_call *call, struct stet_source *source)
{
	const struct rows rows = { .source = source, .names = json_object() };
	enum stet_status status = STET_OK;

	(void)call;
	for (size_t i = 0; i < source->count && status == STET_OK; i++)
		status = read_csv(&rows, source->path[i]);
	json_decref(rows.names);
	return status;
}

/* ---- lines of JSON ---- */

static enum stet_status
put_json(void *arg, const struct line_read *line)
{
	return row_put(arg, json_copy((json_t *)(uintptr_t)line->object), "row");
}

enum stet_status
lines_source(struct stet_call *call, struct stet_source *source)
{
	struct rows rows = { .source = source, .names = json_object() };
	enum stet_status status = tree_lines(source, " .jsonl .ndjson .json ", put_json, &rows);

	(void)call;
	json_decref(rows.names);
	return status;
}
