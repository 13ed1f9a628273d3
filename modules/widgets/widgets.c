/* widgets - areas of a site's pages (a sidebar, a footer) and the widgets in them. */
#include "widgets.h"

static const struct stet_migration migrations[] = {
	{ 1, "widget areas and widgets",
	    "CREATE TABLE widget_area ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " name TEXT NOT NULL,"
	    " label TEXT NOT NULL,"
	    " description TEXT,"
	    " created_at TEXT NOT NULL);"
	    "CREATE UNIQUE INDEX widget_area_name ON widget_area (name);"
	    "CREATE TABLE widget ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " area_id TEXT NOT NULL REFERENCES widget_area (id) ON DELETE CASCADE,"
	    " sort_order INTEGER NOT NULL," /* equal values are ordered by id */
	    " type TEXT NOT NULL,"
	    " title TEXT,"
	    " content TEXT," /* JSON */
	    " menu_name TEXT," /* the menu may be deleted */
	    " component_id TEXT,"
	    " component_props TEXT);" /* JSON */
	    "CREATE INDEX widget_order ON widget (area_id, sort_order, id);",
	    NULL },
};

/* ---- transfer files ---- */

static const struct stet_member area_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member widget_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "areaId", STET_STRING, STET_REQUIRED },
	{ "sortOrder", STET_INTEGER, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED, STET_CHOICES("content", "menu", "component") },
	{ "title", STET_STRING },
	{ "content", STET_ARRAY },
	{ "menuName", STET_STRING },
	{ "componentId", STET_STRING },
	{ "componentProps", STET_OBJECT },
	{ 0 },
};
static const struct stet_transfer transfers[] = {
	{ .kind = "widget-areas",
	    .table = "widget_area",
	    .row = area_row,
	    .key = "id",
	    .name = "t.name",
	    .feed = "widget-area",
	    .feed_id = "name" },
	{ .kind = "widgets",
	    .table = "widget",
	    .row = widget_row,
	    .key = "id",
	    .many = true,
	    .name = "a.name",
	    .join = "JOIN widget_area AS a ON a.id = t.area_id",
	    .order = "t.sort_order, t.id",
	    .media = "title content component_props",
	    .media_kind = "widget",
	    .media_name = "COALESCE(t.title, t.type)" },
};

/* clang-format off */
#define READS .lane = STET_READ, .cached = true, .permission = "widgets:read", \
	.scope = "content:read", .open = stet_public_read
#define WRITES .lane = STET_WRITE, .permission = "widgets:manage", .scope = "content:write"
/* clang-format on */

static const struct stet_op ops[] = {
	{ "widget_area_list", "List Widget Areas",
	    .about = "Named places of the site's pages, with the widgets in them.",
	    .route = "GET /widget-areas", .flags = STET_TOOL, READS, .out = area_list_out,
	    .run = area_list, .fault = "WIDGET_AREA_LIST_ERROR",
	    .find = "sidebars footers regions places" },
	{ "widget_area_get", "Get Widget Area", .about = "One area with its widgets.",
	    .route = "GET /widget-areas/:name", .flags = STET_TOOL, READS, .in = area_by_name,
	    .out = area_get_out, .run = area_get, .fault = "WIDGET_AREA_GET_ERROR",
	    .find = "sidebar footer region place" },
	{ "widget_area_create", "Create Widget Area", .about = "A new area without widgets.",
	    .route = "POST /widget-areas", .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE,
	    WRITES, .in = area_create_in, .out = area_shape, .run = area_create,
	    .fault = "WIDGET_AREA_CREATE_ERROR", .find = "sidebar footer region place new" },
	{ "widget_area_put", "Set Widgets",
	    .about = "All widgets of an area at once, in their order: those with an id stay, and "
		     "those that are not listed go. If-Match takes the entity tag of the GET.",
	    .route = "PUT /widget-areas/:name", .flags = STET_DESTRUCTIVE, WRITES,
	    .in = area_put_in, .out = area_get_out, .run = area_put,
	    .fault = "WIDGET_AREA_UPDATE_ERROR" },
	{ "widget_area_delete", "Delete Widget Area", .about = "An area and its widgets.",
	    .route = "DELETE /widget-areas/:name", .flags = STET_TOOL | STET_DESTRUCTIVE, WRITES,
	    .in = area_by_name, .out = deleted_out, .run = area_delete,
	    .fault = "WIDGET_AREA_DELETE_ERROR", .find = "sidebar footer region place remove" },
	{ "widget_create", "Create Widget",
	    .about = "A widget at the end of an area: a text, a menu, or a component of the site.",
	    .route = "POST /widget-areas/:name/widgets",
	    .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE, WRITES, .in = widget_create_in,
	    .out = widget_shape, .run = widget_create, .fault = "WIDGET_CREATE_ERROR",
	    .find = "sidebar footer box add new" },
	{ "widget_update", "Update Widget",
	    .about = "Change members of a widget; null takes one away.",
	    .route = "PUT /widget-areas/:name/widgets/:id", .flags = STET_TOOL | STET_IDEMPOTENT,
	    WRITES, .in = widget_update_in, .out = widget_shape, .run = widget_update,
	    .fault = "WIDGET_UPDATE_ERROR", .find = "sidebar footer box edit" },
	{ "widget_delete", "Delete Widget", .about = "Take a widget out of an area.",
	    .route = "DELETE /widget-areas/:name/widgets/:id",
	    .flags = STET_TOOL | STET_DESTRUCTIVE, WRITES, .in = widget_delete_in,
	    .out = deleted_out, .run = widget_delete, .fault = "WIDGET_DELETE_ERROR",
	    .find = "sidebar footer box remove" },
	{ "widget_reorder", "Reorder Widgets", .about = "Put the widgets of an area in order.",
	    .route = "POST /widget-areas/:name/reorder", .flags = STET_TOOL | STET_IDEMPOTENT,
	    WRITES, .in = widget_reorder_in, .out = reordered_out, .run = widget_reorder,
	    .fault = "WIDGET_REORDER_ERROR", .find = "sidebar footer box sort move" },
};

static const char *const needs[] = { "auth", "schema", NULL };

static const struct stet_permission permissions[] = {
	{ "widgets:read", 10 },
	{ "widgets:manage", 40 },
};

static const struct stet_status_def statuses[] = {
	{ "WIDGET_AREA_LIST_ERROR", 500, "Failed to list widget areas" },
	{ "WIDGET_AREA_GET_ERROR", 500, "Failed to read the widget area" },
	{ "WIDGET_AREA_CREATE_ERROR", 500, "Failed to create the widget area" },
	{ "WIDGET_AREA_UPDATE_ERROR", 500, "Failed to update the widget area" },
	{ "WIDGET_AREA_DELETE_ERROR", 500, "Failed to delete the widget area" },
	{ "WIDGET_CREATE_ERROR", 500, "Failed to create the widget" },
	{ "WIDGET_UPDATE_ERROR", 500, "Failed to update the widget" },
	{ "WIDGET_DELETE_ERROR", 500, "Failed to delete the widget" },
	{ "WIDGET_REORDER_ERROR", 500, "Failed to reorder widgets" },
};

STET_MODULE(widgets) = {
	STET_MODULE_HEAD(widgets),
	.version = "1.0",
	.summary = "Widget areas and their widgets",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.statuses = STET_TABLE(statuses),
};
