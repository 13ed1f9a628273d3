/*
 * notion_table.c - databases of Notion, which are tables of CSV: what their columns hold, and the
 * values of a row. A table is {path, type, columns: [name], kinds: {column: kind}, by: {title:
 * [{id, values}]}, pages: {title: number of pages}}.
 */
#include "plan/suggest.h"
#include "read/text.h"
#include "sources/notion.h"
#include "sources/table.h"
#include <string.h>
#include <strings.h>
#include <time.h>

#define ROW_BYTES (64u << 20) /* of all tables */

/* ---- what a cell may be ---- */

static bool
is_boolean(const char *cell)
{
	return strcmp(cell, "Yes") == 0 || strcmp(cell, "No") == 0;
}

/* Returns a time as ISO 8601 ("January 5, 2024 10:00 AM"); NULL: it is none. Times have no zone
 * there. */
static const char *
time_of(struct stet_call *call, const char *cell)
{
	struct tm tm = { .tm_hour = 0 };
	const char *end = strptime(cell + (*cell == '@'), "%B %d, %Y", &tm);

	if (end != NULL && *end != '\0')
		end = strptime(end, " %I:%M %p", &tm);
	return end != NULL && *end == '\0'
		   ? stet_printf(call, "%04d-%02d-%02dT%02d:%02d:00Z", tm.tm_year + 1900,
			 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min)
		   : NULL;
}

/* Returns the ids of "Name (address), Name (address)"; NULL: the cell is something else. */
static json_t *
ids_of(struct stet_call *call, const char *cell)
{
	size_t len = strlen(cell);
	json_t *out = stet_json_own(call, json_array());
	const char *id;

	if (len == 0 || cell[len - 1] != ')')
		return NULL;
	for (const char *at = cell; (at = strchr(at, '(')) != NULL; at++) {
		size_t n = strcspn(at, ")?");

		id = notion_id(call, at, n);
		if (id != NULL && strchr(at, ' ') != at + 1)
			(void)json_array_append_new(out, json_string(id));
	}
	return json_array_size(out) > 0 ? out : NULL;
}

/* The paths of a cell with files, between commas; NULL: it is something else. */
static json_t *
paths_of(struct stet_call *call, const char *cell)
{
	json_t *out = stet_json_own(call, json_array());

	while (*cell != '\0') {
		size_t len = strcspn(cell, ",");
		const char *path = stet_strndup(call, cell, len);

		if (*suggest_media_type(path) == '\0' || strchr(path, ' ') != NULL)
			return NULL;
		(void)json_array_append_new(out, json_string(path));
		cell += len;
		cell += strspn(cell, ", ");
	}
	return out;
}

static bool
knows_any(const struct notion *n, const json_t *ids)
{
	size_t i;
	json_t *id;

	json_array_foreach(ids, i, id)
	{
		if (documents_type(&n->all, json_string_value(id)) != NULL)
			return true;
	}
	return false;
}

static bool
is_of(struct stet_call *call, const struct notion *n, const char *cell, const char *kind)
{
	if (strcmp(kind, "relation") == 0)
		return knows_any(n, ids_of(call, cell));
	if (strcmp(kind, "boolean") == 0)
		return is_boolean(cell);
	if (strcmp(kind, "datetime") == 0)
		return time_of(call, cell) != NULL;
	if (strcmp(kind, "files") == 0)
		return paths_of(call, cell) != NULL;
	return true;
}

/* ---- the first pass ---- */

static json_t *
new_table(struct stet_call *call, const char *path, const char *bare)
{
	const char *slash = strrchr(bare, '/'), *name = slash != NULL ? slash + 1 : bare;

	return json_pack("{ss ss s{} s{} s{}}", "path", path, "type",
	    *name != '\0' ? suggest_slug(call, name) : "row", "kinds", "by", "pages");
}

static void
know_rows(struct notion *n, json_t *table, const json_t *rows, const char *column)
{
	struct stet_call *call = n->all.source->call;
	json_t *by = json_object_get(table, "by"), *row, *list;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)rows, i, row)
	{
		const char *title = notion_text(row, column);

		list = json_object_get(by, title);
		if (list == NULL) {
			list = json_array();
			(void)json_object_set_new(by, title, list);
		}
		(void)json_array_append_new(
		    list, json_pack("{ss sO}", "id",
			      stet_printf(call, "%s:%zu", notion_text(table, "path"), i + 1),
			      "values", row));
	}
}

enum stet_status
notion_table_know(struct notion *n, const char *path, struct source *file)
{
	struct stet_call *call = n->all.source->call;
	size_t end = strlen(path) - 4;
	bool all =
	    end > 4 && strncmp(path + end - 4, "_all", 4) == 0; /* else a view may hide rows */
	const char *id, *bare, *whole;
	struct table_small read;
	json_t *table, *name;
	size_t i;

	whole = notion_split(
	    call, stet_printf(call, "%.*s.csv", (int)(all ? end - 4 : end), path), &id, &bare);
	if (strcmp(id, whole) == 0)
		return source_notice(n->all.source, path, true,
		    "It is no table of a database: its name does not end with an id");
	if (json_object_get(n->tables, whole) != NULL && !all)
		return STET_OK;
	STET_TRY(table_small(n->all.source, file, path, ROW_BYTES - n->bytes, &read));
	if (read.names == NULL)
		return STET_OK;
	n->bytes += read.bytes;
	table = new_table(call, whole, bare);
	json_array_foreach(read.names, i, name)(void) json_object_set_new(
	    json_object_get(table, "kinds"), json_string_value(name), json_string("text"));
	(void)json_object_set(table, "columns", (json_t *)(uintptr_t)read.names);
	know_rows(n, table, read.rows, json_string_value(json_array_get(read.names, 0)));
	(void)json_object_set_new(n->tables, whole, table);
	name = json_object_get(n->tables, bare);
	if (name == NULL || strcmp(notion_text(name, "path"), whole) == 0)
		(void)json_object_set(n->tables, bare, table);
	return STET_OK;
}

/* ---- between the passes ---- */

/* Is each value of the column of this kind, and is there one? */
static bool
are_of(struct stet_call *call, const struct notion *n, const json_t *table, const char *column,
    const char *kind)
{
	const char *title, *cell;
	json_t *list, *row;
	size_t i, count = 0;

	json_object_foreach(json_object_get(table, "by"), title, list)
	{
		json_array_foreach(list, i, row)
		{
			cell = notion_text(json_object_get(row, "values"), column);
			if (*cell != '\0' && !is_of(call, n, cell, kind))
				return false;
			count += *cell != '\0';
		}
	}
	return count > 0;
}

struct deciding {
	struct notion *n;
	json_t *table;
	const char *column;
};

/* In a scope of its own: a column may have many cells. */
static enum stet_status
decide(struct stet_call *call, void *arg)
{
	static const char *const kinds[] = { "relation", "boolean", "datetime", "files" };
	const struct deciding *d = arg;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (are_of(call, d->n, d->table, d->column, kinds[i])) {
			(void)json_object_set_new(
			    json_object_get(d->table, "kinds"), d->column, json_string(kinds[i]));
			break;
		}
	return STET_OK;
}

enum stet_status
notion_tables_end(struct notion *n)
{
	const char *path, *column;
	json_t *table, *kind;

	json_object_foreach(n->tables, path, table)
	{
		json_object_foreach(json_object_get(table, "kinds"), column, kind)
		{
			struct deciding d = { n, table, column };

			if (strcmp(path, notion_text(table, "path")) == 0)
				STET_TRY(stet_scope(n->all.source->call, decide, &d));
		}
	}
	return STET_OK;
}

/* ---- values of a row ---- */

static json_t *
words_of(const char *cell)
{
	json_t *out = json_array();

	for (cell += strspn(cell, ", "); *cell != '\0'; cell += strspn(cell, ", ")) {
		size_t len = strcspn(cell, ",");

		(void)json_array_append_new(out, json_stringn(cell, len));
		cell += len;
	}
	return out;
}

/* Sets what a column of this name means here, such as tags. Returns false if it is a value. */
static bool
put_meaning(struct notion *n, const char *column, const char *cell)
{
	static const char *const names[][2] = { { "Tags", "tag" }, { "Category", "category" },
		{ "Categories", "category" }, { "Slug", "slug" }, { "Created time", "created" },
		{ "Last edited time", "updated" } };
	struct stet_call *call = n->all.source->call;
	const char *time = time_of(call, cell), *name = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(names[i][0], column) == 0)
			name = names[i][1];
	if (name == NULL)
		return false;
	if (strcmp(name, "tag") == 0 || strcmp(name, "category") == 0)
		(void)json_object_set_new(json_object_get(n->item, "terms"), name, words_of(cell));
	else if (strcmp(name, "slug") == 0)
		(void)json_object_set_new(n->item, name, json_string(stet_slugify(call, cell)));
	else if (time != NULL)
		(void)json_object_set_new(n->item, name, json_string(time));
	else
		return false;
	return true;
}

static enum stet_status
put_files(struct notion *n, const char *column, const char *cell, const char *place)
{
	struct stet_call *call = n->all.source->call;
	json_t *paths = paths_of(call, cell), *path;
	json_t *list = stet_json_own(call, json_array());
	const char *url;
	size_t i;

	json_array_foreach(paths, i, path)
	{
		STET_TRY(notion_address(n, place, json_string_value(path), "", &url));
		(void)json_array_append_new(
		    list, document_asset(url != NULL ? url : json_string_value(path), ""));
	}
	if (json_array_size(list) == 1)
		document_typed(n->item, column,
		    strncmp(suggest_media_type(cell), "image/", 6) == 0 ? "image" : "file",
		    json_incref(json_array_get(list, 0)));
	else
		document_value(n->item, column, list);
	return STET_OK;
}

static enum stet_status
put_cell(
    struct notion *n, const json_t *table, const char *column, const char *cell, const char *place)
{
	struct stet_call *call = n->all.source->call;
	const char *kind = notion_text(json_object_get(table, "kinds"), column);
	json_t *text = stet_json_own(call, json_string(cell)), *ids;

	if (put_meaning(n, column, cell))
		return STET_OK;
	if (strcmp(kind, "relation") == 0 && (ids = ids_of(call, cell)) != NULL)
		return document_references(&n->all, n->item, column, ids, true);
	if (strcmp(kind, "boolean") == 0 && is_boolean(cell))
		document_typed(n->item, column, "boolean", json_boolean(*cell == 'Y'));
	else if (strcmp(kind, "datetime") == 0 && time_of(call, cell) != NULL)
		document_typed(n->item, column, "datetime", json_string(time_of(call, cell)));
	else if (strcmp(kind, "files") == 0 && paths_of(call, cell) != NULL)
		return put_files(n, column, cell, place);
	else
		document_value(n->item, column, text);
	return STET_OK;
}

enum stet_status
notion_row_put(struct notion *n, const json_t *table, const json_t *row, const char *place)
{
	const char *title = json_string_value(json_array_get(json_object_get(table, "columns"), 0));
	const char *column;
	json_t *cell;

	json_object_foreach((json_t *)(uintptr_t)row, column, cell)
	{
		const char *text = json_string_value(cell);

		if (title != NULL && strcmp(column, title) != 0 && text != NULL && *text != '\0')
			STET_TRY(put_cell(n, table, column, text, place));
	}
	return STET_OK;
}
