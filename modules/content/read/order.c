/*
 * order.c - the orders in which a collection can be listed, and cursors: the position where a
 * page ended.
 */
#include "read/read.h"
#include <string.h>

#define KEY_MAX 1000 /* bytes of a text in a cursor */

#define ORDER(name_, column_, ...)              \
	{                                       \
		name_, "", column_, __VA_ARGS__ \
	}
#define TWICE(name_, other_, column_, ...) \
	ORDER(name_, column_, __VA_ARGS__), ORDER(other_, column_, __VA_ARGS__)

static const struct order system_orders[] = {
	TWICE("createdAt", "created_at", "created_at", NULL),
	TWICE("updatedAt", "updated_at", "updated_at", NULL),
	TWICE("publishedAt", "published_at", "published_at", NULL, .nullable = true,
	    .null_index = true),
	TWICE("scheduledAt", "scheduled_at", "scheduled_at", NULL, .nullable = true,
	    .null_index = true),
	TWICE("unpublishAt", "unpublish_at", "unpublish_at", NULL, .nullable = true,
	    .null_index = true),
	TWICE("deletedAt", "deleted_at", NULL,
	    NULL), /* lists never contain the trash, so deleted_at is always NULL */
	ORDER("slug", "slug", "locale", .nullable = true, .by_slug = true),
	ORDER("status", "status", "created_at"),
	ORDER("locale", "locale", "created_at"),
};

static int
column_at(const char *name)
{
	int i = 0;

	while (name != NULL && i < C_FIELDS && strcmp(row_columns[i], name) != 0)
		i++;
	return i;
}

struct order
order_of_field(const struct stet_field *field)
{
	return (struct order){ .name = field->slug,
		.prefix = STET_FIELD_COLUMN,
		.column = field->slug,
		.nullable = true,
		.null_index = true,
		.kind = plan_kind(field),
		.at = C_FIELDS + (int)field->position };
}

bool
order_find(struct stet_call *call, const struct stet_collection *collection, const char *name,
    struct order *o)
{
	const struct stet_field *field = stet_field(collection, name);

	for (size_t i = 0; i < sizeof(system_orders) / sizeof(system_orders[0]); i++) {
		if (strcmp(system_orders[i].name, name) != 0)
			continue;
		*o = system_orders[i];
		/* Both spellings name the same order. */
		o->name = o->column != NULL ? o->column : "deleted_at";
		o->at = column_at(o->column);
		o->then_at = column_at(o->then);
		/* Readers without drafts must not learn when drafts will be published. */
		if (o->at == C_SCHEDULED && !stet_may(call, "content:read_drafts"))
			o->column = NULL;
		return true;
	}
	if (field == NULL || !field->sortable || plan_kind(field) == AS_JSON)
		return false;
	*o = order_of_field(field);
	return true;
}

void
order_unknown(struct stet_call *call, const char *name)
{
	stet_issue(call, "orderBy",
	    "Cannot order by \"%s\": it must be createdAt, updatedAt, publishedAt, slug, status, locale "
	    "or a field that is indexed",
	    name);
}

void
order_read(struct stet_call *call, const struct stet_collection *collection, struct order *o)
{
	const char *name = stet_arg(call, "orderBy");

	if (!order_find(call, collection, name, o))
		order_unknown(call, name);
}

/* ---- cursors ---- */

static const char *
listing(struct stet_call *call, const struct plan *plan, const struct order *o)
{
	return stet_printf(call, "content:%s:%s", plan->slug, o->name);
}

/* Returns the key of a text column in a cursor: "~" if the text is cut (cut.c), else "="; the
 * second column; a line break; the text. */
static json_t *
text_key(struct stet_call *call, const struct order *o, struct stet_rows *rows)
{
	const char *then = o->then != NULL ? stet_col_str(rows, o->then_at) : "";
	size_t len;
	const char *text = stet_col_text(rows, o->at, &len);
	bool is_cut;

	text = cut_text(call, text, len, KEY_MAX, &is_cut);
	return json_string(stet_printf(call, "%c%s\n%s", is_cut ? '~' : '=', then, text));
}

char *
order_place(
    struct stet_call *call, const struct plan *plan, const struct order *o, struct stet_rows *rows)
{
	json_t *key;
	char *cursor;

	if (o->column == NULL || stet_col_null(rows, o->at))
		key = json_null();
	else if (o->kind == AS_TEXT)
		key = text_key(call, o, rows);
	else if (o->kind == AS_REAL)
		key = json_real(stet_col_real(rows, o->at));
	else
		key = json_integer(stet_col_int(rows, o->at));
	cursor = stet_cursor_make(call, listing(call, plan, o), key, stet_col_str(rows, C_ID));
	json_decref(key);
	return cursor;
}

struct place *
order_here(struct stet_call *call, const struct order *o, bool nulls, struct stet_rows *rows)
{
	struct place *place = stet_alloc(call, sizeof(*place));
	int at = 0;

	*place = (struct place){ .given = true, .key = stet_val_null() };
	if (!nulls && o->column != NULL) {
		if (o->kind == AS_TEXT)
			place->key = stet_val_str(stet_col_dup(rows, at++));
		else if (o->kind == AS_REAL)
			place->key = stet_val_real(stet_col_real(rows, at++));
		else
			place->key = stet_val_int(stet_col_int(rows, at++));
		if (o->then != NULL)
			place->then = stet_col_dup(rows, at++);
	}
	if (nulls || o->column == NULL || !o->by_slug)
		place->id = stet_col_dup(rows, at);
	return place;
}

static enum stet_status
resume_text(struct stet_call *call, const struct plan *plan, const struct order *o, const char *key,
    bool desc, struct place *place)
{
	const char *then = key + 1, *text = strchr(key, '\n');

	if ((key[0] != '=' && key[0] != '~') || text == NULL)
		return cut_refuse(call);
	place->then = stet_strndup(call, then, (size_t)(text - then));
	place->key = stet_val_str(text + 1);
	if (key[0] == '=')
		return STET_OK;
	return cut_resume(call, plan, o, place->id, text + 1, desc, &place->key);
}

enum stet_status
order_resume(struct stet_call *call, const struct plan *plan, const struct order *o,
    const char *cursor, bool desc, struct place *place)
{
	const json_t *key;

	STET_TRY(stet_cursor_read(call, cursor, listing(call, plan, o), &key, &place->id));
	place->given = true;
	place->key = stet_val_null();
	if (json_is_null(key))
		return o->column == NULL || o->nullable ? STET_OK : cut_refuse(call);
	if (o->column == NULL)
		return cut_refuse(call);
	if (json_is_string(key) && o->kind == AS_TEXT)
		return resume_text(call, plan, o, json_string_value(key), desc, place);
	if (json_is_real(key) && o->kind == AS_REAL)
		place->key = stet_val_real(json_real_value(key));
	else if (json_is_integer(key) && (o->kind == AS_INTEGER || o->kind == AS_BOOLEAN))
		place->key = stet_val_int(json_integer_value(key));
	else
		return cut_refuse(call);
	return STET_OK;
}
