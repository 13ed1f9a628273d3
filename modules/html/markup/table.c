/* table.c - writes tables: rows in their order, in thead, tbody and tfoot. */
#include "markup/part.h"
#include <string.h>

static bool
is_header_row(const json_t *row)
{
	const json_t *cells = json_object_get(row, "cells"), *cell;
	size_t i;

	json_array_foreach(cells, i, cell)
	{
		if (!json_is_true(json_object_get(cell, "isHeader")))
			return false;
	}
	return json_array_size(cells) > 0 && !json_is_true(json_object_get(row, "isFooter"));
}

static bool
put_cell(struct mk *m, const json_t *cell)
{
	bool header = json_is_true(json_object_get(cell, "isHeader")), good;

	text_str(m->out, header ? "<th>" : "<td>");
	good =
	    mk_spans(m->out, json_object_get(cell, "content"), json_object_get(cell, "markDefs"));
	text_str(m->out, header ? "</th>" : "</td>");
	return good;
}

static bool
put_row(struct mk *m, const json_t *row)
{
	const json_t *cell;
	bool good = true;
	size_t i;

	text_str(m->out, "<tr>");
	json_array_foreach(json_object_get(row, "cells"), i, cell) good = put_cell(m, cell) && good;
	text_str(m->out, "</tr>");
	return good;
}

/* Returns the element that a row belongs in. *head: all rows so far are in the head. */
static const char *
part_of(const json_t *row, bool *head)
{
	*head = *head && is_header_row(row);
	if (*head)
		return "thead";
	return json_is_true(json_object_get(row, "isFooter")) ? "tfoot" : "tbody";
}

static void
put_part(struct mk *m, const char *part, const char *end)
{
	if (*part == '\0')
		return;
	text_str(m->out, end);
	text_str(m->out, part);
	text_str(m->out, ">");
}

bool
mk_table(struct mk *m, const json_t *table)
{
	bool head = json_is_true(json_object_get(table, "hasHeaderRow")), good = true;
	const char *part = "", *next;
	const json_t *row;
	size_t i;

	mk_open(m->out, "table", NULL);
	text_str(m->out, "\n<figure class=\"wp-block-table\"><table>");
	if (head) {
		put_part(m, "thead", "<");
		part = "thead";
	}
	json_array_foreach(json_object_get(table, "rows"), i, row)
	{
		next = part_of(row, &head);
		if (strcmp(part, next) != 0) {
			put_part(m, part, "</");
			put_part(m, next, "<");
			part = next;
		}
		good = put_row(m, row) && good;
	}
	put_part(m, part, "</");
	text_str(m->out, "</table>");
	mk_caption(m, table, "wp-element-caption");
	text_str(m->out, "</figure>\n");
	mk_close(m->out, "table");
	return good;
}
