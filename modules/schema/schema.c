/*
 * schema - collections and their typed fields: the structure of content, and the tables that
 * store it. This file has the tables of the module: migrations, shapes, ops, service.
 */
#include "transfer.h"
#include <string.h>

/* ---- tables ---- */

static const char registry[] =
    "CREATE TABLE schema_state (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), "
    "version INTEGER NOT NULL);"
    "INSERT INTO schema_state (one, version) VALUES (1, 1);"
    "CREATE TABLE collection (id TEXT NOT NULL PRIMARY KEY, slug TEXT NOT NULL UNIQUE, "
    "label TEXT NOT NULL, label_singular TEXT, description TEXT, icon TEXT, admin TEXT, "
    "supports TEXT NOT NULL, source TEXT, title_field TEXT, date_field TEXT, url_pattern TEXT, "
    "has_seo INTEGER NOT NULL, routable INTEGER NOT NULL, hidden INTEGER NOT NULL, "
    "sort_order INTEGER, comments_enabled INTEGER NOT NULL DEFAULT 0, "
    "comments_moderation TEXT NOT NULL DEFAULT 'first_time', "
    "comments_closed_after_days INTEGER NOT NULL DEFAULT 90, "
    "comments_auto_approve_users INTEGER NOT NULL DEFAULT 1, "
    "created_at TEXT NOT NULL, updated_at TEXT NOT NULL);"
    /* storage and json_text tell what the column stores while the module that brings the type is
     * disabled. */
    "CREATE TABLE field (id TEXT NOT NULL PRIMARY KEY, "
    "collection_id TEXT NOT NULL REFERENCES collection (id), slug TEXT NOT NULL, "
    "label TEXT NOT NULL, type TEXT NOT NULL, storage TEXT NOT NULL, json_text INTEGER NOT NULL, "
    "required INTEGER NOT NULL, is_unique INTEGER NOT NULL, indexed INTEGER NOT NULL, "
    "searchable INTEGER NOT NULL, translatable INTEGER NOT NULL, default_value TEXT, "
    "validation TEXT, widget TEXT, options TEXT, sort_order INTEGER NOT NULL, "
    "created_at TEXT NOT NULL, UNIQUE (collection_id, slug));";

static const struct stet_migration migrations[] = {
	{ 1, "collections and fields", registry, NULL },
	{ 2, "live versions of items", NULL, ddl_add_live_version },
	{ 3, "names of at most 63 bytes", NULL, ddl_shorten_names },
	{ 4, "indexes of fields with the order", NULL, ddl_add_walks },
	{ 5, "SEO of items", NULL, ddl_add_seo },
	{ 6, "declared indexes", "ALTER TABLE collection ADD COLUMN indexes TEXT" },
	{ 7, "collections that everybody may read",
	    "ALTER TABLE collection ADD COLUMN public_read INTEGER NOT NULL DEFAULT 0", NULL },
	{ 8, "no indexes of JSON text", NULL, ddl_drop_json },
	{ 9, "unique fields with empty texts", NULL, ddl_allow_empty },
	{ 10, "why items are overdue", NULL, ddl_add_schedule_error },
	{ 11, "when items are unpublished", NULL, ddl_add_unpublish, .flags = STET_ADDITIVE },
	/* struct stet_field and struct stet_collection have them. */
	{ 12, "indexes that are being made",
	    "ALTER TABLE field ADD COLUMN building INTEGER NOT NULL DEFAULT 0;"
	    "ALTER TABLE collection ADD COLUMN building TEXT",
	    NULL, STET_ADDITIVE },
	{ 13, "drafts without required values",
	    "ALTER TABLE collection ADD COLUMN required_on TEXT NOT NULL DEFAULT 'save'", NULL,
	    STET_ADDITIVE },
	{ 14, "addresses by locale", "ALTER TABLE collection ADD COLUMN url_patterns TEXT", NULL,
	    STET_ADDITIVE },
};

/* ---- shapes of replies ---- */

#define ABOUT_INDEX_STATE                                                                     \
	"Only while an index of a large collection is being made. building: lists cannot be " \
	"sorted or filtered by the field yet. conflict: it cannot be unique, since items share a value"

static const char *const features[] = { "drafts", "revisions", "preview", "scheduling", "search",
	"seo", NULL };
static const char *const moments[] = { "save", "publish", NULL };
static const char *const moderation[] = { "all", "first_time", "none", NULL };

#define NAME_PATTERN "^[a-z][a-z0-9_]*$"
#define TYPES                                                                          \
	"string, text, url, number, integer, boolean, datetime, select, multiSelect, " \
	"portableText, image, file, reference, json, slug, repeater, or a type of a plugin"
#define ABOUT_VALIDATION                                                                           \
	"By type: min, max (numbers; ISO 8601 text for datetime), minLength, maxLength, pattern, " \
	"options (values of select and multiSelect, required there), minItems, maxItems, "         \
	"subFields (of repeater: slug, type, label, required, options), allowedMimeTypes"
#define ABOUT_OPTIONS                                                               \
	"By type: collection (of reference, required there), allowMultiple, rows, " \
	"showPreview, darkVariant, itemLabel (of repeater); help of every type. Others need a widget"

static const struct stet_member field_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "collectionId", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED },
	{ "columnType", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("TEXT", "REAL", "INTEGER", "JSON") },
	{ "required", STET_BOOLEAN, STET_REQUIRED },
	{ "unique", STET_BOOLEAN, STET_REQUIRED },
	{ "defaultValue", STET_ANY },
	{ "validation", STET_OBJECT },
	{ "widget", STET_STRING },
	{ "options", STET_OBJECT },
	{ "sortOrder", STET_INTEGER, STET_REQUIRED },
	{ "searchable", STET_BOOLEAN, STET_REQUIRED },
	{ "indexed", STET_BOOLEAN, STET_REQUIRED },
	{ "translatable", STET_BOOLEAN, STET_REQUIRED },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "indexState", STET_STRING, 0, ABOUT_INDEX_STATE, STET_CHOICES("building", "conflict") },
	{ 0 },
};

#define ADMIN(flags_)                                                                         \
	{ "listColumns", STET_ARRAY, flags_, "Slugs of up to four fields that lists show",    \
		.item = STET_STRING, .max = 4 },                                              \
	    { "revisionsKept", STET_INTEGER, flags_,                                          \
		    "Revisions kept of an item; default: as the site", STET_RANGE(1, 1000) }, \
	{                                                                                     \
		0                                                                             \
	}
static const struct stet_member admin_shape[] = { ADMIN(0) };
static const struct stet_member admin_changes[] = { ADMIN(STET_NULLABLE) };

static const struct stet_member collection_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "labelSingular", STET_STRING },
	{ "description", STET_STRING },
	{ "icon", STET_STRING },
	{ "admin", STET_OBJECT, .of = admin_shape },
	{ "supports", STET_ARRAY, STET_REQUIRED, .item = STET_STRING, .choices = features },
	{ "source", STET_STRING },
	{ "hasSeo", STET_BOOLEAN, STET_REQUIRED },
	{ "titleField", STET_STRING },
	{ "dateField", STET_STRING },
	{ "urlPattern", STET_STRING },
	{ "urlPatterns", STET_OBJECT, .about = "Patterns of locales: {locale: pattern}" },
	{ "indexes", STET_ARRAY, .item = STET_STRING },
	{ "routable", STET_BOOLEAN, STET_REQUIRED },
	{ "hidden", STET_BOOLEAN, STET_REQUIRED },
	{ "sortOrder", STET_INTEGER },
	{ "commentsEnabled", STET_BOOLEAN, STET_REQUIRED },
	{ "commentsModeration", STET_STRING, STET_REQUIRED, .choices = moderation },
	{ "commentsClosedAfterDays", STET_INTEGER, STET_REQUIRED },
	{ "commentsAutoApproveUsers", STET_BOOLEAN, STET_REQUIRED },
	{ "publicRead", STET_BOOLEAN, STET_REQUIRED },
	{ "requiredOn", STET_STRING, STET_REQUIRED, .choices = moments },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ "fields", STET_ARRAY, .of = field_shape },
	{ "indexesBuilding", STET_ARRAY, 0,
	    "Those of `indexes` that are still being made: lists cannot be sorted by them yet",
	    .item = STET_STRING },
	{ 0 },
};

static const struct stet_member collection_item[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = collection_shape },
	{ 0 },
};
static const struct stet_member collection_items[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = collection_shape },
	{ 0 },
};
static const struct stet_member field_item[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = field_shape },
	{ 0 },
};
static const struct stet_member field_items[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = field_shape },
	{ 0 },
};
static const struct stet_member success[] = { { "success", STET_BOOLEAN, STET_REQUIRED }, { 0 } };
#define DELETED                                       \
	{ "success", STET_BOOLEAN, STET_REQUIRED },   \
	{                                             \
		"deleted", STET_STRING, STET_REQUIRED \
	}
static const struct stet_member deleted_collection[] = { DELETED, { 0 } };
static const struct stet_member deleted_field[] = { DELETED,
	{ "collection", STET_STRING, STET_REQUIRED }, { 0 } };

static const struct stet_member plain_field[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED },
	{ "required", STET_BOOLEAN, STET_REQUIRED },
	{ "unique", STET_BOOLEAN, STET_REQUIRED },
	{ "defaultValue", STET_ANY },
	{ "validation", STET_OBJECT },
	{ "widget", STET_STRING },
	{ "options", STET_OBJECT },
	{ 0 },
};
static const struct stet_member plain_collection[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "labelSingular", STET_STRING },
	{ "description", STET_STRING },
	{ "icon", STET_STRING },
	{ "supports", STET_ARRAY, STET_REQUIRED, .item = STET_STRING, .choices = features },
	{ "hidden", STET_BOOLEAN, STET_REQUIRED },
	{ "sortOrder", STET_INTEGER },
	{ "fields", STET_ARRAY, STET_REQUIRED, .of = plain_field },
	{ 0 },
};
static const struct stet_member whole_schema[] = {
	{ "collections", STET_ARRAY, STET_REQUIRED, .of = plain_collection },
	{ "version", STET_STRING, STET_REQUIRED,
	    .about = "Changes with every change of a definition" },
	{ 0 },
};

/* ---- shapes of requests ---- */

#define TEXT_LIMIT STET_RANGE(1, 500)
#define SORT_LIMIT STET_RANGE(-1000000000, 1000000000)

#define SLUG_OF_COLLECTION                                            \
	{                                                             \
		"slug", STET_STRING, STET_REQUIRED, "Collection slug" \
	}

static const struct stet_member get_collection_tool[] = {
	SLUG_OF_COLLECTION,
	{ "fields", STET_STRING, .about = "Slugs of the only fields to answer, separated by commas",
	    STET_RANGE(1, 10000) },
	{ 0 },
};
static const struct stet_member get_collection[] = {
	SLUG_OF_COLLECTION,
	{ "includeFields", STET_STRING, .about = "\"true\": the field definitions as well" },
	{ 0 },
};
static const struct stet_member delete_collection[] = {
	SLUG_OF_COLLECTION,
	{ "force", STET_STRING, .about = "\"true\": even if the collection has content" },
	{ 0 },
};
static const struct stet_member delete_collection_tool[] = {
	SLUG_OF_COLLECTION,
	{ "force", STET_BOOLEAN, .about = "Delete even if the collection has content",
	    .fallback = "false" },
	{ 0 },
};
static const struct stet_member reorder_collections[] = {
	{ "slugs", STET_ARRAY, STET_REQUIRED,
	    "All collections in order; those left out lose their place", .item = STET_STRING,
	    .max = 10000 },
	{ 0 },
};

static const struct stet_member create_collection[] = {
	{ "slug", STET_STRING, STET_REQUIRED, "a-z, 0-9 and _, a letter first",
	    .pattern = NAME_PATTERN, STET_RANGE(1, NAME_MAX_LENGTH) },
	{ "label", STET_STRING, STET_REQUIRED, "Plural display name", TEXT_LIMIT },
	{ "labelSingular", STET_STRING, .max = 500 },
	{ "description", STET_STRING, .max = 5000 },
	{ "icon", STET_STRING, .max = 500 },
	{ "supports", STET_ARRAY, .about = "Default: drafts and revisions", .item = STET_STRING,
	    .choices = features },
	{ "urlPattern", STET_STRING, STET_NULLABLE,
	    "Where items are on the site, like /blog/{slug}", .max = 500 },
	{ "routable", STET_BOOLEAN, .about = "Items have pages of their own; default true" },
	{ "hasSeo", STET_BOOLEAN, .about = "Default: whether supports has seo" },
	{ "hidden", STET_BOOLEAN, .about = "Not shown in the admin's navigation" },
	{ "sortOrder", STET_INTEGER, STET_NULLABLE, "Place among the collections", SORT_LIMIT },
	{ "publicRead", STET_BOOLEAN, .about = "Published items are public" },
	{ "requiredOn", STET_STRING, .about = "When required values are needed; default save",
	    .choices = moments },
	{ "admin", STET_OBJECT, .of = admin_shape },
	{ "source", STET_STRING, .about = "Where the definition comes from; default manual",
	    .max = 500 },
	{ 0 },
};

/* The members that can be changed; those that are left out keep their value. */
#define COLLECTION_CHANGES                                                                       \
	{ "label", STET_STRING, .about = "Plural display name", TEXT_LIMIT },                    \
	    { "labelSingular", STET_STRING, .max = 500 },                                        \
	    { "description", STET_STRING, .max = 5000 }, { "icon", STET_STRING, .max = 500 },    \
	    { "supports", STET_ARRAY, .about = "The complete list", .item = STET_STRING,         \
		    .choices = features },                                                       \
	    { "urlPattern", STET_STRING, STET_NULLABLE,                                          \
		    "Where items are on the site, like /blog/{slug}; null clears", .max = 500 }, \
	    { "urlPatterns", STET_OBJECT, STET_NULLABLE }, { "hasSeo", STET_BOOLEAN },           \
	    { "commentsEnabled", STET_BOOLEAN },                                                 \
	    { "commentsModeration", STET_STRING, .choices = moderation },                        \
	    { "commentsClosedAfterDays", STET_INTEGER, .about = "0 keeps comments open",         \
		    STET_RANGE(0, 100000) },                                                     \
	    { "commentsAutoApproveUsers", STET_BOOLEAN }, { "routable", STET_BOOLEAN },          \
	    { "hidden", STET_BOOLEAN }, { "publicRead", STET_BOOLEAN },                          \
	    { "requiredOn", STET_STRING, .choices = moments },                                   \
	    { "sortOrder", STET_INTEGER, STET_NULLABLE, "Place among the collections",           \
		    SORT_LIMIT },                                                                \
	    { "admin", STET_OBJECT, .about = "Members left out stay; null takes one away",       \
		    .of = admin_changes },                                                       \
	    { "titleField", STET_STRING, STET_NULLABLE, "The string field that names items" },   \
	    { "dateField", STET_STRING, STET_NULLABLE, "The datetime field of items" },          \
	{                                                                                        \
		"indexes", STET_ARRAY, STET_NULLABLE,                                            \
		    "Orders of several keys, each as kind:asc,year:desc", .item = STET_STRING    \
	}

static const struct stet_member update_collection[] = {
	{ "collection", STET_STRING, STET_REQUIRED, "Collection slug" },
	COLLECTION_CHANGES,
	{ "slug", STET_STRING, .about = "Cannot change" },
	{ "id", STET_ANY, STET_IGNORED },
	{ "source", STET_ANY, STET_IGNORED },
	{ "createdAt", STET_ANY, STET_IGNORED },
	{ "updatedAt", STET_ANY, STET_IGNORED },
	{ "fields", STET_ANY, STET_IGNORED },
	{ "indexesBuilding", STET_ANY, STET_IGNORED },
	{ 0 },
};
static const struct stet_member update_collection_tool[] = {
	SLUG_OF_COLLECTION,
	COLLECTION_CHANGES,
	{ 0 },
};

#define COLLECTION                                                          \
	{                                                                   \
		"collection", STET_STRING, STET_REQUIRED, "Collection slug" \
	}
#define FIELD                                                         \
	{                                                             \
		"fieldSlug", STET_STRING, STET_REQUIRED, "Field slug" \
	}

static const struct stet_member in_collection[] = { COLLECTION, { 0 } };
static const struct stet_member by_field[] = { COLLECTION, FIELD, { 0 } };
static const struct stet_member reorder_fields[] = {
	COLLECTION,
	{ "fieldSlugs", STET_ARRAY, STET_REQUIRED, "All fields in order", .item = STET_STRING,
	    .max = FIELDS_MAX * 2 },
	{ 0 },
};

static const struct stet_member create_field[] = {
	COLLECTION,
	{ "slug", STET_STRING, STET_REQUIRED, "a-z, 0-9 and _, a letter first",
	    .pattern = NAME_PATTERN, STET_RANGE(1, NAME_MAX_LENGTH) },
	{ "label", STET_STRING, STET_REQUIRED, "Display name", TEXT_LIMIT },
	{ "type", STET_STRING, STET_REQUIRED, TYPES, TEXT_LIMIT },
	{ "required", STET_BOOLEAN },
	{ "unique", STET_BOOLEAN, .about = "In its locale, outside the trash" },
	{ "defaultValue", STET_ANY, .about = "For new items that leave the field out" },
	{ "validation", STET_OBJECT, STET_NULLABLE, ABOUT_VALIDATION },
	{ "widget", STET_STRING, STET_NULLABLE, "Another input than the type's own", .max = 500 },
	{ "options", STET_OBJECT, STET_NULLABLE, ABOUT_OPTIONS },
	{ "sortOrder", STET_INTEGER, .about = "Place among the fields; default: last",
	    STET_RANGE(0, 1000000000) },
	{ "searchable", STET_BOOLEAN, .about = "In the full-text index" },
	{ "indexed", STET_BOOLEAN,
	    .about = "For sorting and filtering; costs space and write time" },
	{ "translatable", STET_BOOLEAN, .about = "Each locale has its own value",
	    .fallback = "true" },
	{ 0 },
};

#define FIELD_CHANGES                                                                            \
	{ "label", STET_STRING, .about = "Display name", TEXT_LIMIT },                           \
	    { "type", STET_STRING, .about = "Only string, text and slug may become one another", \
		    TEXT_LIMIT },                                                                \
	    { "required", STET_BOOLEAN, .about = "Changing it needs a migration" },              \
	    { "unique", STET_BOOLEAN, .about = "Changing it needs a migration" },                \
	    { "defaultValue", STET_ANY, .about = "For new items; null clears" },                 \
	    { "validation", STET_OBJECT, STET_NULLABLE,                                          \
		    "Replaces all rules, like those of schema_create_field; null clears" },      \
	    { "widget", STET_STRING, STET_NULLABLE, "Another input than the type's own",         \
		    .max = 500 },                                                                \
	    { "options", STET_OBJECT, STET_NULLABLE,                                             \
		    "Replaces all settings, like those of schema_create_field; null clears" },   \
	    { "sortOrder", STET_INTEGER, .about = "Place among the fields",                      \
		    STET_RANGE(0, 1000000000) },                                                 \
	    { "searchable", STET_BOOLEAN, .about = "In the full-text index" },                   \
	    { "indexed", STET_BOOLEAN, .about = "Creates or removes an index" },                 \
	{                                                                                        \
		"translatable", STET_BOOLEAN, .about = "Changing to false needs a migration"     \
	}

static const struct stet_member update_field[] = {
	COLLECTION,
	FIELD,
	FIELD_CHANGES,
	{ "slug", STET_STRING, .about = "Cannot change" },
	{ "id", STET_ANY, STET_IGNORED },
	{ "collectionId", STET_ANY, STET_IGNORED },
	{ "columnType", STET_ANY, STET_IGNORED },
	{ "createdAt", STET_ANY, STET_IGNORED },
	{ "indexState", STET_ANY, STET_IGNORED },
	{ 0 },
};
static const struct stet_member update_field_tool[] = { COLLECTION, FIELD, FIELD_CHANGES, { 0 } };

static const struct stet_member export_form[] = {
	{ "format", STET_STRING, .about = "Default: json, or what the Accept header asks for",
	    STET_CHOICES("json", "typescript") },
	{ 0 },
};

/* ---- operations ---- */

/* Definitions are never public. Delivery tokens read what has `open` in any case, since a site that
 * is built from its content has to know the fields. */
static bool
for_delivery(struct stet_call *call)
{
	(void)call;
	return false;
}

#define READS .lane = STET_READ, .cached = true, .permission = "schema:read", .scope = "schema:read"
#define READS_TOO READS, .open = for_delivery
#define WRITES .lane = STET_WRITE, .permission = "schema:manage", .scope = "schema:write"

static const struct stet_op ops[] = {
	{ "schema_list_collections", "List Collections",
	    "All collections: slug, label, supported features, timestamps.",
	    "GET /schema/collections", STET_TOOL, READS_TOO, .out = collection_items,
	    .run = collections_list, .fault = "SCHEMA_LIST_ERROR",
	    .find = "content types models which are there exist" },
	{ "collection_get", "Get Collection", "One collection.", "GET /schema/collections/:slug", 0,
	    READS_TOO, .in = get_collection, .out = collection_item, .run = collection_get,
	    .fault = "SCHEMA_GET_ERROR" },
	{ "schema_get_collection", "Get Collection Schema",
	    "One collection with all its field definitions.", NULL, STET_TOOL, READS,
	    .in = get_collection_tool, .out = collection_shape, .run = collection_get_tool,
	    .fault = "SCHEMA_GET_ERROR", .find = "content type model fields which" },
	{ "collection_create", "Create Collection", "Create a collection and its table.",
	    "POST /schema/collections", STET_CREATED, WRITES, .in = create_collection,
	    .out = collection_item, .run = collection_create, .fault = "SCHEMA_CREATE_ERROR" },
	{ "schema_create_collection", "Create Collection",
	    "Create a collection and its table; add fields with schema_create_field.", NULL,
	    STET_TOOL | STET_ADDITIVE, WRITES, .in = create_collection, .out = collection_shape,
	    .run = collection_create_tool, .fault = "SCHEMA_CREATE_ERROR",
	    .find = "content type model add new" },
	{ "collection_update", "Update Collection", "Change settings of a collection.",
	    "PUT /schema/collections/:collection", 0, WRITES, .in = update_collection,
	    .out = collection_item, .run = collection_update, .fault = "SCHEMA_UPDATE_ERROR" },
	{ "schema_update_collection", "Update Collection",
	    "Change settings of a collection. What is left out stays.", NULL,
	    STET_TOOL | STET_ADDITIVE, WRITES, .in = update_collection_tool, .out = collection_item,
	    .run = collection_update_tool, .fault = "SCHEMA_UPDATE_ERROR",
	    .find = "content type model settings rename url comments" },
	{ "collection_delete", "Delete Collection", "Delete a collection, its table and content.",
	    "DELETE /schema/collections/:slug", 0, WRITES, .in = delete_collection,
	    .out = deleted_collection, .run = collection_delete, .fault = "SCHEMA_DELETE_ERROR" },
	{ "schema_delete_collection", "Delete Collection",
	    "Delete a collection: drops its table and all content. Irreversible.", NULL,
	    STET_TOOL | STET_DESTRUCTIVE, WRITES, .in = delete_collection_tool,
	    .out = deleted_collection, .run = collection_delete_tool,
	    .fault = "SCHEMA_DELETE_ERROR", .find = "content type model remove" },
	{ "collection_reorder", "Reorder Collections", "Set the order of collections.",
	    "POST /schema/collections/reorder", 0, WRITES, .in = reorder_collections,
	    .out = success, .run = collections_reorder, .fault = "SCHEMA_UPDATE_ERROR" },
	{ "field_list", "List Fields", "The fields of a collection, in order.",
	    "GET /schema/collections/:collection/fields", 0, READS_TOO, .in = in_collection,
	    .out = field_items, .run = fields_list, .fault = "SCHEMA_FIELD_LIST_ERROR" },
	{ "field_get", "Get Field", "One field.",
	    "GET /schema/collections/:collection/fields/:fieldSlug", 0, READS_TOO, .in = by_field,
	    .out = field_item, .run = field_get, .fault = "SCHEMA_GET_ERROR" },
	{ "field_create", "Create Field", "Add a field to a collection.",
	    "POST /schema/collections/:collection/fields", STET_CREATED, WRITES, .in = create_field,
	    .out = field_item, .run = field_create, .fault = "SCHEMA_FIELD_CREATE_ERROR" },
	{ "schema_create_field", "Add Field to Collection",
	    "Add a field to a collection. Items that exist have no value, or the default if it is required.",
	    NULL, STET_TOOL | STET_ADDITIVE, WRITES, .in = create_field, .out = field_shape,
	    .run = field_create_tool, .fault = "SCHEMA_FIELD_CREATE_ERROR",
	    .find = "content type model property column add new" },
	{ "field_update", "Update Field", "Change settings of a field.",
	    "PUT /schema/collections/:collection/fields/:fieldSlug", 0, WRITES, .in = update_field,
	    .out = field_item, .run = field_update, .fault = "SCHEMA_FIELD_UPDATE_ERROR" },
	{ "schema_update_field", "Update Field",
	    "Change settings of a field. What existing content could break is refused.", NULL,
	    STET_TOOL | STET_ADDITIVE, WRITES, .in = update_field_tool, .out = field_item,
	    .run = field_update_tool, .fault = "SCHEMA_FIELD_UPDATE_ERROR",
	    .find = "content type model property rename required options" },
	{ "schema_delete_field", "Remove Field from Collection",
	    "Remove a field: drops its column and all its values. Irreversible.",
	    "DELETE /schema/collections/:collection/fields/:fieldSlug",
	    STET_TOOL | STET_DESTRUCTIVE, WRITES, .in = by_field, .out = deleted_field,
	    .run = field_delete, .fault = "SCHEMA_FIELD_DELETE_ERROR",
	    .find = "content type model property column remove" },
	{ "field_reorder", "Reorder Fields", "Set the order of a collection's fields.",
	    "POST /schema/collections/:collection/fields/reorder", 0, WRITES, .in = reorder_fields,
	    .out = success, .run = fields_reorder, .fault = "SCHEMA_FIELD_REORDER_ERROR" },
	{ "schema_get", "Get Schema", "All definitions, as JSON or as TypeScript.", "GET /schema",
	    0, READS_TOO, .in = export_form, .out = whole_schema, .run = schema_export,
	    .fault = "SCHEMA_EXPORT_ERROR", .answers = "text/typescript" },
};

/* ---- service for other modules ---- */

static enum stet_status
serve_collection(struct stet_call *call, const char *slug, const struct stet_collection **out)
{
	return collection_find(call, slug, STET_COLLECTION_NOT_FOUND, out);
}

static enum stet_status
serve_collections(struct stet_call *call, const struct stet_collection *const **out, size_t *count)
{
	const struct snapshot *schema;

	STET_TRY(snapshot_get(call, &schema));
	*out = snapshot_list(schema, count);
	return STET_OK;
}

/* Invokes the op, which validates the definition like that of a request and checks the caller's
 * rights. */
static enum stet_status
serve_create_collection(struct stet_call *call, struct stet_tx *tx, const json_t *def)
{
	const char *out;
	size_t len;

	(void)tx;
	return stet_invoke(call, "collection_create", def, &out, &len);
}

static enum stet_status
serve_create_field(
    struct stet_call *call, struct stet_tx *tx, const char *collection, const json_t *def)
{
	json_t *args = stet_json_own(call, json_copy((json_t *)(uintptr_t)def));
	const char *out;
	size_t len;

	(void)tx;
	if (json_object_set_new(args, "collection", json_string(collection)) != 0)
		return stet_fail(call, STET_VALIDATION_ERROR, NULL, "A field must be an object");
	return stet_invoke(call, "field_create", args, &out, &len);
}

static const struct stet_schema_1 functions = {
	.collection = serve_collection,
	.collections = serve_collections,
	.create_collection = serve_create_collection,
	.create_field = serve_create_field,
	.plan = transfer_plan,
	.apply = transfer_apply,
	.reserved = collection_reserved,
	.field_reserved = field_reserved,
	.take = transfer_take,
};
static const struct stet_service_def services[] = { STET_SERVICE(STET_SCHEMA_1, functions) };
static const struct stet_transfer transfers[] = {
	{ .kind = "schema", .dump = transfer_dump, .load = transfer_load }
};
static const struct stet_job jobs[] = { { SCHEMA_JOB, build_due, build_run, 0 } };
static const struct stet_command commands[] = {
	{ "types", .run = types_run,
	    .about = "The collections, menus and settings of a site as TypeScript." },
};
static const char *const needs[] = { "auth", NULL };

static const struct stet_permission permissions[] = {
	{ "schema:read", 40 },
	{ "schema:manage", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "RESERVED_SLUG", 400, "The slug is reserved" },
	{ "FIELD_NOT_INDEXABLE", 400, "The field type cannot be indexed" },
	{ "FIELD_TYPE_COLUMN_CHANGE", 400, "The new type needs another storage column" },
	{ "FIELD_TYPE_CHANGE_REQUIRES_MIGRATION", 400, "The type change needs a migration" },
	{ "FIELD_UPDATE_REQUIRES_MIGRATION", 400, "The change needs a migration" },
	{ "DUPLICATE_SLUG", 400, "A slug is listed twice" },
	{ "INVALID_MIME_FOR_FIELD", 400, "The field does not allow files of this type" },
	{ "COLLECTION_NOT_FOUND", 404, "Collection not found", 0, STET_COLLECTION_NOT_FOUND },
	{ "FIELD_NOT_FOUND", 404, "Field not found", 0, STET_FIELD_NOT_FOUND },
	{ "COLLECTION_EXISTS", 409, "The collection already exists", 0, STET_COLLECTION_EXISTS },
	{ "FIELD_EXISTS", 409, "The field already exists", 0, STET_FIELD_EXISTS },
	{ "COLLECTION_HAS_CONTENT", 409, "The collection has content" },
	{ "SCHEMA_LIST_ERROR", 500, "Failed to list the schema" },
	{ "SCHEMA_GET_ERROR", 500, "Failed to read the schema" },
	{ "SCHEMA_CREATE_ERROR", 500, "The schema operation failed" },
	{ "SCHEMA_UPDATE_ERROR", 500, "The schema operation failed" },
	{ "SCHEMA_DELETE_ERROR", 500, "The schema operation failed" },
	{ "SCHEMA_EXPORT_ERROR", 500, "Failed to export the schema" },
	{ "SCHEMA_FIELD_LIST_ERROR", 500, "Failed to list fields" },
	{ "SCHEMA_FIELD_CREATE_ERROR", 500, "Failed to create the field" },
	{ "SCHEMA_FIELD_UPDATE_ERROR", 500, "Failed to update the field" },
	{ "SCHEMA_FIELD_DELETE_ERROR", 500, "Failed to delete the field" },
	{ "SCHEMA_FIELD_REORDER_ERROR", 500, "Failed to reorder fields" },
};

STET_MODULE(schema) = {
	STET_MODULE_HEAD(schema),
	.version = "1.0",
	.summary = "Collections, fields and field types",
	.license = "MIT",
	.flags = STET_ESSENTIAL,
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
	.field_types = STET_TABLE(schema_types),
	.commands = STET_TABLE(commands),
	.transfers = STET_TABLE(transfers),
	.services = STET_TABLE(services),
	.state_size = SCHEMA_STATE,
	.jobs = STET_TABLE(jobs),
	.open = snapshot_open,
	.close = snapshot_close,
	.statuses = STET_TABLE(statuses),
};
