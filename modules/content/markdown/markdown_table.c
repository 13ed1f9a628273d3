/*
 * markdown_table.c - tables from JSON and back: the first row is a header, all rows have the same
 * number of cells, and a column is aligned as a whole. Other tables stay JSON.
 */
#include "markdown/markdown.h"
#include <string.h>

#define CELLS_MAX 65536

const char *const align_names[] = { NULL, "left", "center", "right" };

/* ---- from JSON ---- */

static int
align_of(const json_t *cell)
{
	const char *name = member_text(cell, "align");

	for (int i = ALIGN_LEFT; i <= ALIGN_RIGHT; i++)
		if (name != NULL && strcmp(name, align_names[i]) == 0)
			return i;
	return json_object_get(cell, "align") == NULL ? ALIGN_NONE : -1;
}

static bool
read_cell(struct stet_call *call, const json_t *cell, struct table *t, size_t row, size_t column)
{
	static const char *const members[] = { "_key", "_type", "content", "markDefs", "isHeader",
		"align", NULL };
	const char *type = member_text(cell, "_type");
	const json_t *header = json_object_get(cell, "isHeader");
	int align = align_of(cell);
	bool lossy = false;

	if (type == NULL || strcmp(type, "tableCell") != 0 || !members_only(cell, members) ||
	    align < 0 || (header != NULL && !json_is_boolean(header)) ||
	    (row > 0 && json_is_true(header)))
		return false;
	if (row == 0)
		t->align[column] = (signed char)align;
	return t->align[column] == align &&
	       spans_read(call, json_object_get(cell, "content"), json_object_get(cell, "markDefs"),
		   &t->cell[row * t->columns + column], &lossy) &&
	       !lossy;
}

static bool
read_row(struct stet_call *call, const json_t *row, struct table *t, size_t n)
{
	static const char *const members[] = { "_key", "_type", "cells", NULL };
	const json_t *cells = json_object_get(row, "cells");
	const char *type = member_text(row, "_type");

	if (type == NULL || strcmp(type, "tableRow") != 0 || !members_only(row, members) ||
	    json_array_size(cells) != t->columns)
		return false;
	for (size_t i = 0; i < t->columns; i++)
		if (!read_cell(call, json_array_get(cells, i), t, n, i))
			return false;
	return true;
}

bool
table_read(struct stet_call *call, const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "rows", "hasHeaderRow", NULL };
	const json_t *rows = json_object_get(block, "rows");
	struct table *t = stet_alloc(call, sizeof(*t));

	*t = (struct table){ .rows = json_array_size(rows) };
	t->columns = json_array_size(json_object_get(json_array_get(rows, 0), "cells"));
	if (!members_only(block, members) ||
	    !json_is_true(json_object_get(block, "hasHeaderRow")) || t->columns == 0 ||
	    t->columns > COLUMNS_MAX || t->rows > CELLS_MAX / t->columns)
		return false;
	t->cell = stet_alloc(call, t->rows * t->columns * sizeof(*t->cell));
	memset(t->cell, 0, t->rows * t->columns * sizeof(*t->cell));
	t->align = stet_alloc(call, t->columns);
	out->kind = B_TABLE;
	out->table = t;
	for (size_t i = 0; i < t->rows; i++)
		if (!read_row(call, json_array_get(rows, i), t, i))
			return false;
	return true;
}

/* ---- to JSON ---- */

static json_t *
write_cell(const struct table *t, size_t row, size_t column, const json_t *was, struct keys *keys)
{
	json_t *cell = json_typed("tableCell");
	const char *align = align_names[(size_t)t->align[column]];

	key_put(cell, member_text(was, "_key"), keys);
	spans_write(cell, "content", &t->cell[row * t->columns + column], was, keys);
	if (row == 0)
		json_object_set_new(cell, "isHeader", json_true());
	if (align != NULL)
		json_object_set_new(cell, "align", json_string(align));
	return cell;
}

json_t *
table_write(const struct table *t, const json_t *was, json_t *out)
{
	struct keys keys = { json_object(), keys_seed(member_text(out, "_key")) };
	json_t *rows = json_array(), *row, *cells;

	for (size_t i = 0; i < t->rows; i++) {
		const json_t *before = json_array_get(json_object_get(was, "rows"), i);
		const json_t *cells_before = json_object_get(before, "cells");

		row = json_typed("tableRow");
		key_put(row, member_text(before, "_key"), &keys);
		cells = json_array();
		for (size_t k = 0; k < t->columns; k++)
			json_array_append_new(
			    cells, write_cell(t, i, k, json_array_get(cells_before, k), &keys));
		json_object_set_new(row, "cells", cells);
		json_array_append_new(rows, row);
	}
	json_object_set_new(out, "rows", rows);
	json_object_set_new(out, "hasHeaderRow", json_true());
	json_decref(keys.taken);
	return out;
}
