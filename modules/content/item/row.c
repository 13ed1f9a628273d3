/* row.c - the current row of an item: its columns, and its values as JSON. */
#include "item/item.h"

const char *const row_columns[C_FIELDS] = {
#define STET_ITEM_COLUMN(place, name, type, flags, put, about, more, column, ...) column,
#define STET_ITEM_HIDDEN(place, name, type, flags, column, ...) column,
#include <stet/item.def>
};

int64_t
row_version(struct stet_rows *rows, bool drafts)
{
	bool pinned = !drafts && !stet_col_null(rows, C_LIVE_VERSION);

	return stet_col_int(rows, pinned ? C_LIVE_VERSION : C_VERSION);
}

json_t *
row_value(struct stet_call *call, struct stet_rows *rows, int column, enum column_kind kind)
{
	const char *text;
	size_t len;

	if (stet_col_null(rows, column))
		return NULL;
	switch (kind) {
	case AS_INTEGER:
		return stet_json_own(call, json_integer(stet_col_int(rows, column)));
	case AS_REAL:
		return stet_json_own(call, json_real(stet_col_real(rows, column)));
	case AS_BOOLEAN:
		return json_boolean(stet_col_int(rows, column) != 0);
	default:
		break;
	}
	text = stet_col_text(rows, column, &len);
	if (kind == AS_JSON)
		return stet_json_stored(call, text, len);
	return stet_json_own(call, json_stringn(text, len));
}

json_t *
row_data(struct stet_call *call, struct stet_rows *rows, const struct plan *plan)
{
	json_t *data = stet_json_own(call, json_object());

	for (size_t i = 0; i < plan->count; i++) {
		json_t *v = row_value(call, rows, C_FIELDS + (int)i, plan->field[i].kind);

		if (v != NULL)
			json_object_set(data, plan->field[i].slug, v);
	}
	return data;
}

void
row_put_text(struct stet_json *out, const char *key, struct stet_rows *rows, int column)
{
	size_t len;
	const char *text = stet_col_text(rows, column, &len);

	if (text == NULL)
		stet_put_null(out, key);
	else
		stet_put_strn(out, key, text, len);
}

void
row_put_member(struct stet_json *out, struct stet_rows *rows, const struct item_part *part)
{
	const char *name = part->shape.name, *text;
	const int at = (int)part->at;
	size_t len;

	if ((part->shape.flags & (STET_REQUIRED | STET_NULLABLE)) == 0 && stet_col_null(rows, at))
		return;
	if (part->shape.type == STET_STRING || part->shape.type == STET_TIME) {
		row_put_text(out, name, rows, at);
		return;
	}
	if (stet_col_null(rows, at)) {
		stet_put_null(out, name);
		return;
	}
	switch (part->shape.type) {
	case STET_INTEGER:
		stet_put_int(out, name, stet_col_int(rows, at));
		return;
	case STET_NUMBER:
		stet_put_real(out, name, stet_col_real(rows, at));
		return;
	case STET_BOOLEAN:
		stet_put_bool(out, name, stet_col_int(rows, at) != 0);
		return;
	default:
		text = stet_col_text(rows, at, &len);
		stet_put_raw(out, name, text, len);
		return;
	}
}

void
row_put_field(struct stet_json *out, struct stet_rows *rows, const struct plan *plan, size_t i)
{
	const struct plan_field *f = &plan->field[i];
	const int column = C_FIELDS + (int)i;
	const char *text;
	size_t len;

	if (stet_col_null(rows, column))
		return;
	switch (f->kind) {
	case AS_INTEGER:
		stet_put_int(out, f->slug, stet_col_int(rows, column));
		return;
	case AS_REAL:
		stet_put_real(out, f->slug, stet_col_real(rows, column));
		return;
	case AS_BOOLEAN:
		stet_put_bool(out, f->slug, stet_col_int(rows, column) != 0);
		return;
	case AS_JSON:
		text = stet_col_text(rows, column, &len);
		stet_put_raw(out, f->slug, text, len);
		return;
	case AS_TEXT:
		row_put_text(out, f->slug, rows, column);
		return;
	}
}
