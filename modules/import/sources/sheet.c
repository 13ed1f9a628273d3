/* sheet.c - tables of CSV (RFC 4180, by libcsv) that an export has beside its documents. */
#include "sources/sheet.h"
#include <csv.h>
#include <string.h>

#define COLUMNS_MAX 500

struct sheet {
	json_t *names, *rows;
	json_t *row; /* the present one, or NULL */
	size_t column;
	bool bad; /* a cell is no UTF-8 */
};

static void
on_cell(void *text, size_t len, void *arg)
{
	struct sheet *t = arg;
	json_t *cell = json_stringn(text != NULL ? text : "", text != NULL ? len : 0);
	const char *name = json_string_value(json_array_get(t->names, t->column));

	t->bad |= cell == NULL;
	if (t->rows == NULL && t->column < COLUMNS_MAX)
		(void)json_array_append(t->names, cell);
	else if (t->rows != NULL && name != NULL && json_string_length(cell) > 0)
		(void)json_object_set(t->row, name, cell);
	json_decref(cell);
	t->column++;
}

static void
on_line(int end, void *arg)
{
	struct sheet *t = arg;

	(void)end;
	if (t->rows == NULL && json_array_size(t->names) > 0)
		t->rows = json_array();
	else if (json_object_size(t->row) > 0)
		(void)json_array_append(t->rows, t->row);
	json_decref(t->row);
	t->row = json_object();
	t->column = 0;
}

const json_t *
sheet_read(
    struct stet_call *call, const char *text, size_t len, const json_t **names, const char **why)
{
	struct sheet t = { .names = json_array(), .row = json_object() };
	struct csv_parser parser;

	*why = NULL;
	if (csv_init(&parser, 0) != 0)
		stet_out_of_memory();
	if (csv_parse(&parser, text, len, on_cell, on_line, &t) != len)
		*why = csv_strerror(csv_error(&parser));
	(void)csv_set_opts(&parser, CSV_STRICT | CSV_STRICT_FINI);
	if (csv_fini(&parser, on_cell, on_line, &t) != 0)
		*why = "The file ends within quotes";
	csv_free(&parser);
	if (t.bad)
		*why = "It is not UTF-8";
	json_decref(t.row);
	*names = stet_json_own(call, t.names);
	return stet_json_own(call, t.rows != NULL ? t.rows : json_array());
}
