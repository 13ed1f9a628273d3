/*
 * menus - named trees of links for a site's navigation. A menu has a variant for each locale;
 * the variants of one menu share a translation group.
 */
#include "menus.h"
#include <string.h>

static const struct stet_migration migrations[] = {
	{ 1, "menus and their items",
	    "CREATE TABLE menu ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " name TEXT NOT NULL,"
	    " label TEXT NOT NULL,"
	    " locale TEXT NOT NULL,"
	    " translation_group TEXT NOT NULL,"
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL);"
	    "CREATE UNIQUE INDEX menu_name ON menu (name, locale);"
	    "CREATE UNIQUE INDEX menu_group ON menu (translation_group, locale);"
	    "CREATE TABLE menu_item ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " menu_id TEXT NOT NULL REFERENCES menu (id) ON DELETE CASCADE,"
	    " parent_id TEXT," /* an item of the same menu */
	    " sort_order INTEGER NOT NULL," /* equal values are ordered by id */
	    " type TEXT NOT NULL,"
	    " reference_collection TEXT," /* may be deleted, and so may the item */
	    " reference_id TEXT,"
	    " custom_url TEXT,"
	    " label TEXT NOT NULL,"
	    " title_attr TEXT,"
	    " target TEXT,"
	    " css_classes TEXT,"
	    " translation_group TEXT NOT NULL,"
	    " created_at TEXT NOT NULL);"
	    "CREATE INDEX menu_item_order ON menu_item (menu_id, sort_order, id);",
	    NULL },
	{ 2, "links by what they lead to",
	    "CREATE INDEX menu_item_reference ON menu_item (reference_id)", NULL, STET_ADDITIVE },
};

/* ---- transfer files ---- */

static const struct stet_member menu_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member item_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "menuId", STET_STRING, STET_REQUIRED },
	{ "parentId", STET_STRING },
	{ "sortOrder", STET_INTEGER, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("custom", "page", "post", "taxonomy", "collection") },
	{ "referenceCollection", STET_STRING },
	{ "referenceId", STET_STRING },
	{ "customUrl", STET_STRING },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "titleAttr", STET_STRING },
	{ "target", STET_STRING },
	{ "cssClasses", STET_STRING },
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ 0 },
};

/* Validates links in files like those of a request: an unsafe link (javascript:) must not come
 * in this way. */
static enum stet_status
check_moved(struct stet_call *call, struct stet_tx *tx, const void *arg, const char *change,
    const json_t *key)
{
	struct stet_rows rows;
	const char *url, *stored;

	(void)tx;
	(void)arg;
	if (strcmp(change, "delete") == 0)
		return STET_OK;
	STET_TRY(
	    stet_one(call, &rows, STET_NOT_FOUND, "SELECT custom_url FROM menu_item WHERE id = ?1",
		STET_ARGS(json_string_value(json_object_get(key, "id")))));
	url = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return url != NULL ? item_link(call, "customUrl", url, &stored) : STET_OK;
}

static const struct stet_transfer transfers[] = {
	{ .kind = "menus",
	    .table = "menu",
	    .row = menu_row,
	    .key = "id",
	    .name = "t.locale || '/' || t.name",
	    .feed = "menu",
	    .feed_id = "name" },
	{ .kind = "menu-items",
	    .table = "menu_item",
	    .row = item_row,
	    .key = "id",
	    .many = true,
	    .name = "m.locale || '/' || m.name",
	    .join = "JOIN menu AS m ON m.id = t.menu_id",
	    .order = "t.sort_order, t.id",
	    .changed = check_moved,
	    .media = "custom_url",
	    .media_kind = "menu_item",
	    .media_name = "t.label" },
};

/* clang-format off */
#define READS .lane = STET_READ, .cached = true, .permission = "menus:read", \
	.scope = "content:read", .open = stet_public_read
#define WRITES .lane = STET_WRITE, .permission = "menus:manage", .scope = "menus:manage"
/* clang-format on */

static const struct stet_op ops[] = {
	{ "menu_list", "List Menus",
	    .about = "All menus by name, each locale by itself, with itemCount.",
	    .route = "GET /menus", .flags = STET_TOOL | STET_OUT_LIST, READS, .in = menu_list_in,
	    .out = menu_listed, .run = menu_list, .fault = "MENU_LIST_ERROR",
	    .find = "navigations links header footer" },
	{ "menu_get", "Get Menu", .about = "One menu and its items, flat, in order, with URLs.",
	    .route = "GET /menus/:name", .flags = STET_TOOL, READS, .in = menu_get_in,
	    .out = menu_get_out, .run = menu_get, .fault = "MENU_GET_ERROR",
	    .find = "navigation links header footer main" },
	{ "menu_uses", "List Menus With an Item", .about = "The menus that have links to an item.",
	    .route = "GET /content/:collection/:id/menus", .lane = STET_READ,
	    .permission = "content:read_drafts", .scope = "content:read", .in = menu_uses_in,
	    .out = menu_uses_out, .run = menu_uses, .fault = "MENU_LIST_ERROR" },
	{ "menu_translations", "List Menu Translations", .about = "The locales that a menu has.",
	    .flags = STET_TOOL, READS, .in = menu_by_id, .out = menu_translations_out,
	    .run = menu_translations, .fault = "MENU_GET_ERROR", .find = "navigation language" },
	{ "menu_locales", "List Menu Translations", .about = "The locales that a menu has.",
	    .route = "GET /menus/:name/translations", READS, .in = menu_get_in,
	    .out = menu_translations_out, .run = menu_translations_by_name,
	    .fault = "MENU_GET_ERROR" },

	{ "menu_create", "Create Menu",
	    .about =
		"A new menu; a translation has copies of the items. Fill it with menu_set_items.",
	    .flags = STET_TOOL | STET_ADDITIVE, WRITES, .in = menu_create_in, .out = menu_shape,
	    .run = menu_create, .fault = "MENU_CREATE_ERROR",
	    .find = "navigation links header footer" },
	{ "menu_add", "Create Menu", .about = "A new menu, or a translation of one.",
	    .route = "POST /menus", .flags = STET_CREATED, WRITES, .in = menu_add_in,
	    .out = menu_shape, .run = menu_create, .fault = "MENU_CREATE_ERROR" },
	{ "menu_translate", "Translate Menu",
	    .about = "The menu in another locale, with copies of its items.",
	    .route = "POST /menus/:name/translations", .flags = STET_CREATED, WRITES,
	    .in = menu_translate_in, .out = menu_shape, .run = menu_translate,
	    .fault = "MENU_CREATE_ERROR" },
	{ "menu_update", "Update Menu", .about = "Another label; the name stays.",
	    .flags = STET_TOOL | STET_IDEMPOTENT, WRITES, .in = menu_update_in, .out = menu_shape,
	    .run = menu_update, .fault = "MENU_UPDATE_ERROR", .find = "rename navigation" },
	{ "menu_put", "Update Menu", .about = "Another label; the name stays.",
	    .route = "PUT /menus/:name", WRITES, .in = menu_put_in, .out = menu_shape,
	    .run = menu_update, .fault = "MENU_UPDATE_ERROR" },
	{ "menu_delete", "Delete Menu", .about = "A menu and its items, in one locale.",
	    .route = "DELETE /menus/:name", .flags = STET_TOOL | STET_DESTRUCTIVE, WRITES,
	    .in = menu_delete_in, .out = menu_deleted_out, .run = menu_delete,
	    .fault = "MENU_DELETE_ERROR", .find = "navigation links" },

	{ "menu_set_items", "Set Menu Items",
	    .about = "Replace all items of a menu. Nest with parentIndex.",
	    .route = "PUT /menus/:name/items", .flags = STET_TOOL, WRITES, .in = menu_set_in,
	    .out = menu_set_out, .run = menu_set_items, .fault = "MENU_UPDATE_ERROR",
	    .find = "navigation links reorder order add entry main header footer sort" },
	{ "menu_item_create", "Create Menu Item", .about = "One more item of a menu.",
	    .route = "POST /menus/:name/items", .flags = STET_CREATED, WRITES, .in = item_create_in,
	    .out = item_shape, .run = item_create, .fault = "MENU_ITEM_CREATE_ERROR" },
	{ "menu_item_update", "Update Menu Item",
	    .about = "Change members of an item; type and reference stay.",
	    .route = "PUT /menus/:name/items/:id", WRITES, .in = item_update_in, .out = item_shape,
	    .run = item_update, .fault = "MENU_ITEM_UPDATE_ERROR" },
	{ "menu_item_delete", "Delete Menu Item",
	    .about = "Delete an item; those below it go up to its place.",
	    .route = "DELETE /menus/:name/items/:id", .flags = STET_DESTRUCTIVE, WRITES,
	    .in = item_delete_in, .out = menu_deleted_out, .run = item_delete,
	    .fault = "MENU_ITEM_DELETE_ERROR" },
	{ "menu_reorder", "Reorder Menu Items",
	    .about = "Give items other places and parents, all at once.",
	    .route = "POST /menus/:name/reorder", .flags = STET_OUT_LIST, WRITES,
	    .in = menu_reorder_in, .out = item_shape, .run = menu_reorder,
	    .fault = "MENU_REORDER_ERROR" },
};

static const char *const needs[] = { "auth", "schema", NULL };

static const struct stet_permission permissions[] = {
	{ "menus:read", 10 },
	{ "menus:manage", 40 },
};

static const struct stet_scope_def scopes[] = { { "menus:manage", "content:write" } };

static const struct stet_status_def statuses[] = {
	{ "AMBIGUOUS_LOCALE", 400, "The locale is ambiguous" },
	{ "MENU_LIST_ERROR", 500, "Failed to list menus" },
	{ "MENU_GET_ERROR", 500, "Failed to read the menu" },
	{ "MENU_CREATE_ERROR", 500, "Failed to create the menu" },
	{ "MENU_UPDATE_ERROR", 500, "Failed to update the menu" },
	{ "MENU_DELETE_ERROR", 500, "Failed to delete the menu" },
	{ "MENU_REORDER_ERROR", 500, "Failed to reorder the menu" },
	{ "MENU_ITEM_CREATE_ERROR", 500, "Failed to create the menu item" },
	{ "MENU_ITEM_UPDATE_ERROR", 500, "Failed to update the menu item" },
	{ "MENU_ITEM_DELETE_ERROR", 500, "Failed to delete the menu item" },
};

STET_MODULE(menus) = {
	STET_MODULE_HEAD(menus),
	.version = "1.0",
	.summary = "Menus: named trees of links",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.scopes = STET_TABLE(scopes),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.statuses = STET_TABLE(statuses),
};
