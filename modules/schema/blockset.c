/*
 * blockset.c - the compiled types of blocks that the site defines. They are part of a snapshot of
 * the definitions, so they are immutable and shared by threads.
 */
#include "blocktypes.h"
#include <stdlib.h>
#include <string.h>

struct blockset {
	json_t *rows; /* what was read; the texts and values of the types are parts of it */
	struct stet_block_type *type;
	const struct stet_block_type **listed; /* in the order of menus */
	struct stet_field *field;
	const struct stet_field **fields;
	struct stet_field_type *field_type;
	size_t count, field_count;
};

static void *
zeroed(size_t count, size_t size)
{
	void *p = calloc(count + 1, size);

	if (p == NULL)
		stet_out_of_memory();
	return p;
}

void
blockset_free(struct blockset *set)
{
	if (set == NULL)
		return;
	json_decref(set->rows);
	free(set->type);
	free(set->listed);
	free(set->field);
	free(set->fields);
	free(set->field_type);
	free(set);
}

/* ---- reading ---- */

static enum stet_status
read_row(struct stet_call *call, struct stet_rows *rows, json_t *list)
{
	static const char *const names[] = { "slug", "label", "icon", "description", "createdAt",
		"updatedAt" };
	json_t *row = json_object(), *fields;
	const char *text;
	size_t len;

	for (int i = 0; i < 6; i++)
		if (!stet_col_null(rows, i))
			json_object_set_new(row, names[i], json_string(stet_col_str(rows, i)));
	if (!stet_col_null(rows, 6))
		json_object_set_new(row, "sortOrder", json_integer(stet_col_int(rows, 6)));
	text = stet_col_text(rows, 7, &len);
	fields = json_loadb(text, len, 0, NULL);
	json_object_set_new(row, "fields", fields != NULL ? fields : json_array());
	json_array_append_new(list, row);
	return fields != NULL ? STET_OK
			      : stet_fault(call, "the registry of the schema holds broken JSON");
}

static enum stet_status
read_rows(struct stet_call *call, struct blockset *set)
{
	enum stet_status status = STET_OK;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT slug, label, icon, description, created_at, updated_at, sort_order, fields "
	    "FROM block_type",
	    STET_NO_ARGS));
	while (status == STET_OK && stet_row(&rows))
		status = read_row(call, &rows, set->rows);
	if (status != STET_OK) {
		(void)!stet_rows_end(&rows);
		return status;
	}
	return stet_rows_end(&rows);
}

/* ---- compiling ---- */

static const char *
text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

void
block_field(
    struct stet_call *call, const json_t *given, struct stet_field_type *type, struct stet_field *f)
{
	const char *name = text_of(given, "type");

	if (!stet_field_type(call, name != NULL ? name : "", type))
		*type = (struct stet_field_type){ .name = name,
			.storage = STET_STORE_JSON,
			.type_name = "unknown",
			.check = check_missing };
	*f = (struct stet_field){ .slug = text_of(given, "slug"),
		.label = text_of(given, "label"),
		.widget = text_of(given, "widget"),
		.type = type,
		.required = json_is_true(json_object_get(given, "required")),
		.translatable = true,
		.default_value = json_object_get(given, "defaultValue"),
		.validation = json_object_get(given, "validation"),
		.options = json_object_get(given, "options") };
	f->json_text = type->json_text || reference_is_many(f);
}

static void
compile(struct stet_call *call, struct blockset *set, const json_t *row, struct stet_block_type *t)
{
	const json_t *fields = json_object_get(row, "fields"), *one,
		     *place = json_object_get(row, "sortOrder");
	size_t i;

	*t = (struct stet_block_type){ .slug = text_of(row, "slug"),
		.label = text_of(row, "label"),
		.icon = text_of(row, "icon"),
		.description = text_of(row, "description"),
		.created_at = text_of(row, "createdAt"),
		.updated_at = text_of(row, "updatedAt"),
		.fields = &set->fields[set->field_count],
		.field_count = json_array_size(fields),
		.sort_order = place != NULL ? json_integer_value(place) : INT64_MIN };
	json_array_foreach((json_t *)(uintptr_t)fields, i, one)
	{
		const size_t n = set->field_count++;

		block_field(call, one, &set->field_type[n], &set->field[n]);
		set->field[n].created_at = t->created_at;
		set->field[n].position = i;
		set->fields[n] = &set->field[n];
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct stet_block_type *x = *(const struct stet_block_type *const *)a;
	const struct stet_block_type *y = *(const struct stet_block_type *const *)b;
	bool placed_x = x->sort_order != INT64_MIN, placed_y = y->sort_order != INT64_MIN;

	if (placed_x != placed_y)
		return placed_x ? -1 : 1;
	if (placed_x && x->sort_order != y->sort_order)
		return x->sort_order < y->sort_order ? -1 : 1;
	return strcmp(x->slug, y->slug);
}

enum stet_status
blockset_load(struct stet_call *call, struct blockset **out)
{
	struct blockset *set = *out = zeroed(1, sizeof(*set));
	json_t *row;
	size_t i, fields = 0;

	set->rows = json_array();
	STET_TRY(read_rows(call, set));
	set->count = json_array_size(set->rows);
	json_array_foreach(set->rows, i, row) fields +=
	    json_array_size(json_object_get(row, "fields"));
	set->type = zeroed(set->count, sizeof(*set->type));
	set->listed = zeroed(set->count, sizeof(*set->listed));
	set->field = zeroed(fields, sizeof(*set->field));
	set->fields = zeroed(fields, sizeof(*set->fields));
	set->field_type = zeroed(fields, sizeof(*set->field_type));
	json_array_foreach(set->rows, i, row)
	{
		compile(call, set, row, &set->type[i]);
		set->listed[i] = &set->type[i];
	}
	qsort(set->listed, set->count, sizeof(*set->listed), by_place);
	return STET_OK;
}

/* ---- looking up ---- */

const struct stet_block_type *const *
blockset_list(const struct blockset *set, size_t *count)
{
	*count = set->count;
	return set->listed;
}

const struct stet_block_type *
blockset_find(const struct blockset *set, const char *slug)
{
	for (size_t i = 0; slug != NULL && i < set->count; i++)
		if (strcmp(set->type[i].slug, slug) == 0)
			return &set->type[i];
	return NULL;
}
