/*
 * items.c - items of menus: reads them from the database, validates them, and writes them as
 * JSON.
 */
#include "menus.h"
#include <string.h>

#define HAS STET_REQUIRED
#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)

const struct stet_member item_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "menuId", STET_STRING, HAS },
	{ "parentId", STET_STRING, MAY_BE_NULL, .about = "Item above it; null: at the top" },
	{ "sortOrder", STET_INTEGER, HAS },
	{ "type", STET_STRING, HAS, ITEM_TYPES },
	{ "referenceCollection", STET_STRING, MAY_BE_NULL },
	{ "referenceId", STET_STRING, MAY_BE_NULL },
	{ "customUrl", STET_STRING, MAY_BE_NULL },
	{ "label", STET_STRING, HAS },
	{ "titleAttr", STET_STRING, MAY_BE_NULL },
	{ "target", STET_STRING, MAY_BE_NULL },
	{ "cssClasses", STET_STRING, MAY_BE_NULL },
	{ "createdAt", STET_TIME, HAS },
	{ "locale", STET_STRING, HAS },
	{ "translationGroup", STET_STRING, HAS },
	{ "url", STET_STRING, MAY_BE_NULL,
	    .about = "Where it leads; null while what it points to is not public" },
	{ "title", STET_STRING, MAY_BE_NULL, .about = "Title of what it points to" },
	{ 0 },
};

/* ---- stored ---- */

static void
load(struct stet_rows *rows, struct item *it)
{
	it->id = stet_col_dup(rows, 0);
	it->menu = stet_col_dup(rows, 1);
	it->parent = stet_col_dup(rows, 2);
	it->order = stet_col_int(rows, 3);
	it->type = stet_col_dup(rows, 4);
	it->collection = stet_col_dup(rows, 5);
	it->reference = stet_col_dup(rows, 6);
	it->url = stet_col_dup(rows, 7);
	it->label = stet_col_dup(rows, 8);
	it->title = stet_col_dup(rows, 9);
	it->target = stet_col_dup(rows, 10);
	it->classes = stet_col_dup(rows, 11);
	it->created = stet_col_dup(rows, 12);
	it->group = stet_col_dup(rows, 13);
}

enum stet_status
items_read(struct stet_call *call, const char *menu, struct items *out)
{
	size_t room = 0;
	struct stet_rows rows;

	*out = (struct items){ NULL, 0 };
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, menu_id, parent_id, sort_order, type, reference_collection, reference_id,"
	    " custom_url, label, title_attr, target, css_classes, created_at, translation_group"
	    " FROM menu_item WHERE menu_id = ?1 ORDER BY sort_order, id",
	    STET_ARGS(menu)));
	while (stet_row(&rows)) {
		if (out->count == room) {
			struct item *more;

			room = room > 0 ? 4 * room : 16;
			more = stet_alloc(call, room * sizeof(*more));
			if (out->count > 0)
				memcpy(more, out->item, out->count * sizeof(*more));
			out->item = more;
		}
		load(&rows, &out->item[out->count++]);
	}
	return stet_rows_end(&rows);
}

struct item *
items_find(const struct items *items, const char *id)
{
	for (size_t i = 0; i < items->count; i++)
		if (strcmp(items->item[i].id, id) == 0)
			return &items->item[i];
	return NULL;
}

enum stet_status
item_changed(struct stet_call *call, struct stet_tx *tx, const char *id)
{
	return stet_run_media_holder_changed(call, tx, "menu_item", id);
}

enum stet_status
item_insert(struct stet_call *call, struct stet_tx *tx, const struct item *it)
{
	const struct stet_val values[] = { STET_V(it->id), STET_V(it->menu), STET_V(it->parent),
		stet_val_int(it->order), STET_V(it->type), STET_V(it->collection),
		STET_V(it->reference), STET_V(it->url), STET_V(it->label), STET_V(it->title),
		STET_V(it->target), STET_V(it->classes), STET_V(it->group),
		STET_V(stet_time_text(call, stet_now(call))) };

	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO menu_item (id, menu_id, parent_id, sort_order, type, reference_collection,"
	    " reference_id, custom_url, label, title_attr, target, css_classes, translation_group,"
	    " created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
	    values, sizeof(values) / sizeof(values[0])));
	return item_changed(call, tx, it->id);
}

enum stet_status
item_replace(struct stet_call *call, struct stet_tx *tx, const struct item *it)
{
	STET_TRY(stet_exec(call, tx,
	    "UPDATE menu_item SET parent_id = ?2, sort_order = ?3, type = ?4,"
	    " reference_collection = ?5, reference_id = ?6, custom_url = ?7, label = ?8,"
	    " title_attr = ?9, target = ?10, css_classes = ?11 WHERE id = ?1",
	    STET_ARGS(it->id, it->parent, it->order, it->type, it->collection, it->reference,
		it->url, it->label, it->title, it->target, it->classes)));
	return item_changed(call, tx, it->id);
}

/* ---- validating ---- */

/* Accepts what the field type url accepts, and fragments, also after a path. */
enum stet_status
item_link(struct stet_call *call, const char *path, const char *text, const char **out)
{
	bool fragment;
	json_t *good;

	*out = NULL;
	text += strspn(text, " \t\r\n");
	fragment = text[0] == '#';
	STET_TRY(stet_type_check(call, "url", path,
	    stet_json_own(call, json_string(fragment ? stet_printf(call, "/%s", text) : text)),
	    &good));
	if (good != NULL)
		*out = json_string_value(good) + fragment;
	return STET_OK;
}

/* ---- JSON ---- */

enum stet_status
items_put(
    struct stet_call *call, struct stet_json *out, const struct menu *m, const struct items *items)
{
	struct target *target;

	STET_TRY(targets_read(call, m->locale, items, &target));
	for (size_t i = 0; i < items->count; i++) {
		const struct item *it = &items->item[i];

		stet_object(out, NULL);
		stet_put_str(out, "id", it->id);
		stet_put_str(out, "menuId", it->menu);
		stet_put_str(out, "parentId", it->parent);
		stet_put_int(out, "sortOrder", it->order);
		stet_put_str(out, "type", it->type);
		stet_put_str(out, "referenceCollection", it->collection);
		stet_put_str(out, "referenceId", it->reference);
		stet_put_str(out, "customUrl", it->url);
		stet_put_str(out, "label", it->label);
		stet_put_str(out, "titleAttr", it->title);
		stet_put_str(out, "target", it->target);
		stet_put_str(out, "cssClasses", it->classes);
		stet_put_str(out, "createdAt", it->created);
		stet_put_str(out, "locale", m->locale);
		stet_put_str(out, "translationGroup", it->group);
		stet_put_str(out, "url", target[i].url);
		stet_put_str(out, "title", target[i].title);
		stet_close(out);
	}
	return STET_OK;
}
