/*
 * table.c - reads a table of CSV (RFC 4180, by libcsv), the first line of which has the names of
 * the columns.
 */
#include "sources/table.h"
#include "read/source.h"
#include "sources/recode.h"
#include <csv.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536 /* bytes by which the room for a cell grows */
#define COLUMNS_MAX 500

struct table {
	struct stet_source *source;
	const char *name; /* of the document; "": it is the only one */
	row_fn *fn;
	void *arg;
	struct csv_parser parser;
	json_t *names; /* of columns; NULL: their line was not read yet */
	json_t *cells; /* of the present line */
	size_t bytes; /* of these cells */
	int64_t line; /* rows so far, with the one of the names */
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

/* Returns the place of the present row, for notices. */
static const char *
place_of(const struct table *t)
{
	return stet_printf(t->source->call, "%s%srow %lld", t->name, *t->name != '\0' ? ", " : "",
	    (long long)t->line);
}

struct line {
	struct table *table;
	json_t *cells;
};

static enum stet_status
put_line(struct stet_call *call, void *arg)
{
	const struct line *l = arg;
	const struct table *t = l->table;
	const char *place = place_of(t);
	json_t *values;

	if (t->bad)
		return source_left(t->source, "row", place, "It is not UTF-8");
	if (t->bytes > DOCUMENT_MAX)
		return source_left(t->source, "row", place, "It is longer than 8 MiB");
	if (json_array_size(l->cells) > json_array_size(t->names))
		STET_TRY(source_notice(
		    t->source, place, false, "It has more cells than there are columns"));
	values = json_object();
	for (size_t i = 0; i < json_array_size(t->names) && i < json_array_size(l->cells); i++)
		if (json_string_length(json_array_get(l->cells, i)) > 0)
			(void)json_object_set(values,
			    json_string_value(json_array_get(t->names, i)),
			    json_array_get(l->cells, i));
	return t->fn(
	    t->arg, &(struct row_read){ t->name, place, stet_json_own(call, values), false });
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
			status = source_notice(t->source, place_of(t), false,
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

/* Returns the separator that a first line "sep=;" names, which spreadsheet programs read and write;
 * *skip: the bytes of the line. 0: there is none. */
static char
named_separator(const char *piece, size_t len, size_t *skip)
{
	size_t at = 4;

	if (len < 6 || memcmp(piece, "sep=", 4) != 0)
		return '\0';
	at += 1;
	if (piece[at] == '\r' && at + 1 < len)
		at++;
	*skip = at + 1;
	return piece[at] == '\n' || piece[at] == '\r' ? piece[4] : '\0';
}

/* Finds the separator: the one that is named, else commas, semicolons or tabs, whichever the line
 * of names has most. Other lines may have decimal commas between semicolons. Returns the bytes to
 * skip. */
static size_t
look_at_first(struct table *t, const char *piece, size_t len)
{
	static const char separators[] = { ',', ';', '\t' };
	size_t count[3] = { 0 }, best = 0, skip = 0;
	char named = named_separator(piece, len, &skip);
	bool quoted = false;

	if (named != '\0') {
		t->line++;
		csv_set_delim(&t->parser, (unsigned char)named);
		return skip;
	}
	for (const char *p = piece; p < piece + len; p++) {
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
	return 0;
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
read_rows(struct table *t, struct recode *in)
{
	const char *piece;
	size_t got, skip;
	bool first = true;

	do {
		STET_TRY(recode_read(in, &piece, &got));
		skip = first ? look_at_first(t, piece, got) : 0;
		STET_TRY(parse(t, piece + skip, got - skip));
		first = false;
	} while (got > 0);
	(void)csv_set_opts(&t->parser, CSV_STRICT | CSV_STRICT_FINI);
	if (csv_fini(&t->parser, on_cell, on_line, t) != 0)
		return refuse(t, "the file ends within quotes");
	return t->status;
}

/* Reads a table. *names: those of its columns, which the call then owns; NULL: not wanted. */
static enum stet_status
read_table(struct stet_source *source, struct source *file, const char *name, row_fn *fn, void *arg,
    const json_t **names)
{
	const char *encoding = json_string_value(json_object_get(source->options, "encoding"));
	struct table t = {
		.source = source, .name = name, .fn = fn, .arg = arg, .cells = json_array()
	};
	struct recode *in;
	enum stet_status status;

	if (csv_init(&t.parser, 0) != 0)
		stet_out_of_memory();
	csv_set_blk_size(&t.parser, BLOCK);
	status = recode_begin(source->call, file, encoding, &in);
	if (status == STET_OK)
		status = read_rows(&t, in);
	recode_end(in);
	csv_free(&t.parser);
	if (names != NULL)
		*names = stet_json_own(source->call, json_incref(t.names));
	json_decref(t.names);
	json_decref(t.cells);
	return status;
}

enum stet_status
table_read(struct stet_source *source, struct source *file, const char *name, row_fn *fn, void *arg)
{
	return read_table(source, file, name, fn, arg, NULL);
}

/* ---- small tables ---- */

struct collecting {
	json_t *rows;
	size_t bytes, most;
};

static enum stet_status
collect(void *arg, const struct row_read *row)
{
	struct collecting *c = arg;
	const char *name;
	json_t *cell;

	json_object_foreach((json_t *)(uintptr_t)row->values, name, cell) c->bytes +=
	    json_string_length(cell);
	if (c->bytes <= c->most)
		(void)json_array_append(c->rows, (json_t *)(uintptr_t)row->values);
	return STET_OK;
}

enum stet_status
table_small(struct stet_source *source, struct source *file, const char *name, size_t most,
    struct table_small *out)
{
	struct stet_call *call = source->call;
	struct collecting c = { stet_json_own(call, json_array()), 0, most };
	enum stet_status status = read_table(source, file, name, collect, &c, &out->names);
	const char *why;

	out->rows = c.rows;
	out->bytes = c.bytes;
	if (status == STET_OK && c.bytes > most) {
		out->names = NULL;
		return source_notice(source, name, true,
		    stet_printf(call, "Its table has more than %zu bytes", most));
	}
	if (status == STET_OK || stet_error_status(call) != STET_VALIDATION_ERROR)
		return status;
	why = stet_strdup(call, stet_error_text(call));
	stet_error_clear(call);
	out->names = NULL;
	return source_notice(source, name, true, why);
}
