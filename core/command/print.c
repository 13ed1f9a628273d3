/* print.c - prints results for people: names and values in columns, or a table. */
#include "command/print.h"
#include "base/arena.h"
#include "base/buf.h"
#include "call/call.h"
#include "call/json.h"
#include "command/command.h"
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define GAP 2 /* spaces between columns */
#define NESTED_MAX 40 /* a table omits columns of lists or objects that are wider */

/* ---- text ---- */

/* Reads the character at s, with its width on a terminal in *width. Control characters, which a
 * terminal would obey, and invalid UTF-8 become U+FFFD. Returns its length in bytes. */
static size_t
step(const char *s, const char **shown, size_t *len, int *width)
{
	utf8proc_int32_t c;
	utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s, -1, &c);
	utf8proc_category_t category;

	*shown = "\xef\xbf\xbd";
	*len = 3;
	*width = 1;
	if (n <= 0)
		return 1;
	category = utf8proc_category(c);
	if (category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
	    category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP)
		return (size_t)n;
	*shown = s;
	*len = (size_t)n;
	*width = utf8proc_charwidth(c);
	return (size_t)n;
}

static size_t
width_of(const char *s)
{
	size_t total = 0, len;
	const char *shown;
	int width;

	while (*s != '\0') {
		s += step(s, &shown, &len, &width);
		total += (size_t)width;
	}
	return total;
}

void
print_text(FILE *f, const char *s)
{
	const char *shown;
	size_t len;
	int width;

	while (*s != '\0') {
		s += step(s, &shown, &len, &width);
		fwrite(shown, 1, len, f);
	}
}

/* Prints the text, padded to the column's width. */
static void
print_cell(FILE *f, const char *s, size_t width, bool last)
{
	size_t have = width_of(s);

	print_text(f, s);
	if (!last)
		fprintf(f, "%*s", (int)(width > have ? width - have + GAP : GAP), "");
}

/* ---- values ---- */

static void add_value(struct buf *, const json_t *);

static void
add_list(struct buf *b, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (i > 0)
			buf_str(b, ", ");
		add_value(b, json_array_get(list, i));
	}
}

static bool
is_flat(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_is_object(json_array_get(list, i)) ||
		    json_is_array(json_array_get(list, i)))
			return false;
	return json_is_array(list);
}

static void
add_json(struct buf *b, const json_t *value)
{
	char *text = json_text(value);

	buf_str(b, text);
	free(text);
}

static void
add_value(struct buf *b, const json_t *value)
{
	char number[32];

	switch (value != NULL ? json_typeof(value) : JSON_NULL) {
	case JSON_NULL:
		buf_str(b, "-");
		return;
	case JSON_STRING:
		buf_str(b, json_string_value(value));
		return;
	case JSON_TRUE:
		buf_str(b, "yes");
		return;
	case JSON_FALSE:
		buf_str(b, "no");
		return;
	case JSON_REAL:
		json_shortest(json_real_value(value), number);
		buf_str(b, number);
		return;
	case JSON_ARRAY:
		if (json_array_size(value) == 0)
			buf_str(b, "-");
		else if (is_flat(value))
			add_list(b, value);
		else
			add_json(b, value);
		return;
	default:
		add_json(b, value);
	}
}

static char *
text_of(const json_t *value)
{
	struct buf b = { 0 };

	add_value(&b, value);
	return b.data != NULL ? b.data : xstrdup("");
}

/* ---- names and values ---- */

/* Collects the rows to print; members of nested objects appear as "outer.inner". */
static void
flatten(json_t *rows, const char *prefix, const json_t *object)
{
	json_t *mutable = (json_t *)(uintptr_t)object, *value;
	const char *key;

	json_object_foreach(mutable, key, value)
	{
		struct buf name = { 0 };

		buf_printf(&name, "%s%s%s", prefix, *prefix != '\0' ? "." : "", key);
		if (json_is_object(value) && json_object_size(value) > 0)
			flatten(rows, name.data, value);
		else
			json_array_append_new(rows, json_pack("[s,O]", name.data, value));
		buf_free(&name);
	}
}

static void
print_object(FILE *f, const json_t *object)
{
	json_t *rows = json_array(), *row;
	size_t widest = 0, i;

	flatten(rows, "", object);
	json_array_foreach(rows, i, row)
	{
		size_t width = width_of(json_string_value(json_array_get(row, 0)));

		widest = width > widest ? width : widest;
	}
	json_array_foreach(rows, i, row)
	{
		char *text = text_of(json_array_get(row, 1));

		print_cell(f, json_string_value(json_array_get(row, 0)), widest, false);
		print_cell(f, text, 0, true);
		fputc('\n', f);
		free(text);
	}
	json_decref(rows);
}

/* ---- tables ---- */

/* The heading of createdAt is CREATED AT. */
static char *
heading(const char *key)
{
	struct buf b = { 0 };

	for (const char *p = key; *p != '\0'; p++) {
		if (p > key && *p >= 'A' && *p <= 'Z' && p[-1] >= 'a' && p[-1] <= 'z')
			buf_char(&b, ' ');
		buf_char(&b, (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p));
	}
	return b.data != NULL ? b.data : xstrdup("");
}

static json_int_t
heading_width(const char *key)
{
	char *text = heading(key);
	size_t width = width_of(text);

	free(text);
	return (json_int_t)width;
}

/* Returns the width of a cell, or -1 if the value does not fit a table. */
static json_int_t
cell_width(const json_t *value)
{
	bool nested = json_is_array(value) || json_is_object(value);
	char *text = text_of(value);
	size_t width = width_of(text);

	free(text);
	return nested && width > NESTED_MAX ? -1 : (json_int_t)width;
}

/* Collects the columns in order of appearance: {key: width}. */
static json_t *
columns_of(const json_t *rows)
{
	json_t *columns = json_object(), *row, *value;
	const char *key;
	size_t i;
	void *next;

	json_array_foreach(rows, i, row)
	{
		json_object_foreach(row, key, value)
		{
			json_int_t width = cell_width(value), had = heading_width(key);

			if (json_object_get(columns, key) != NULL)
				had = json_integer_value(json_object_get(columns, key));
			if (had >= 0)
				json_object_set_new(columns, key,
				    json_integer(width < 0 || width > had ? width : had));
		}
	}
	json_object_foreach_safe(columns, next, key, value) if (json_integer_value(value) < 0)
	    json_object_del(columns, key);
	return columns;
}

/* Prints one line; row NULL: the headings. */
static void
print_row(FILE *f, json_t *columns, const json_t *row)
{
	const char *key;
	json_t *width;
	size_t left = json_object_size(columns);

	json_object_foreach(columns, key, width)
	{
		char *text = row != NULL ? text_of(json_object_get(row, key)) : heading(key);

		print_cell(f, text, (size_t)json_integer_value(width), --left == 0);
		free(text);
	}
	fputc('\n', f);
}

static void
print_table(FILE *f, const json_t *rows)
{
	json_t *columns = columns_of(rows), *row;
	size_t i;

	print_row(f, columns, NULL);
	json_array_foreach(rows, i, row) print_row(f, columns, row);
	json_decref(columns);
}

static void
print_list(FILE *f, const json_t *list)
{
	const json_t *value;
	size_t i;
	bool objects = true;

	json_array_foreach(list, i, value) objects &= json_is_object(value);
	if (json_array_size(list) == 0) {
		fputs("none\n", f);
		return;
	}
	if (objects) {
		print_table(f, list);
		return;
	}
	json_array_foreach(list, i, value)
	{
		char *text = text_of(value);

		print_text(f, text);
		fputc('\n', f);
		free(text);
	}
}

void
print_columns(FILE *f, const json_t *result, const char *columns)
{
	json_t *items = json_array(), *item;
	size_t i;

	json_array_foreach(json_object_get(result, "items"), i, item)
	{
		json_t *row = json_object();

		for (const char *s = columns; *s != '\0'; s += strspn(s, " ")) {
			struct buf key = { 0 };
			size_t len = strcspn(s, " ");
			json_t *value;

			buf_add(&key, s, len);
			value = json_object_get(item, key.data);
			json_object_set(row, key.data, value != NULL ? value : json_null());
			buf_free(&key);
			s += len;
		}
		json_array_append_new(items, row);
	}
	print_list(f, items);
	json_decref(items);
}

void
print_result(FILE *f, const json_t *result)
{
	const json_t *items = json_object_get(result, "items");
	const json_t *next = json_object_get(result, "nextCursor");
	json_t *mutable = (json_t *)(uintptr_t)result, *only;

	if (json_is_array(items)) {
		print_list(f, items);
		if (json_is_string(next))
			fprintf(f, "more: --cursor %s\n", json_string_value(next));
		return;
	}
	if (json_is_array(result)) {
		print_list(f, result);
		return;
	}
	if (json_is_object(result)) {
		only = json_object_iter_value(json_object_iter(mutable));
		print_object(
		    f, json_object_size(result) == 1 && json_is_object(only) ? only : result);
		return;
	}
	if (!json_is_null(result)) {
		char *text = text_of(result);

		print_text(f, text);
		fputc('\n', f);
		free(text);
	}
}

void
print_command_result(FILE *f, const struct options *o, json_t *result)
{
	char *text;

	if (o->json) {
		text = json_text(result);
		fprintf(f, "%s\n", text);
		free(text);
	} else
		print_result(f, result);
	json_decref(result);
}
