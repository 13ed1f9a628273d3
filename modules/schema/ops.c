/* ops.c - the operations on definitions, and the shapes of their requests and replies. */
#include "blocktypes.h"
#include "transfer.h"

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
static const struct stet_member success[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
#define DELETED                                       \
	{ "success", STET_BOOLEAN, STET_REQUIRED },   \
	{                                             \
		"deleted", STET_STRING, STET_REQUIRED \
	}
#define REMOVES "removes", STET_OBJECT, STET_REQUIRED, .about = "What goes with it"
static const struct stet_member deleted_collection[] = { DELETED,
	{ REMOVES, .of = collection_removes }, { 0 } };
static const struct stet_member deleted_field[] = { DELETED,
	{ "collection", STET_STRING, STET_REQUIRED }, { REMOVES, .of = field_removes }, { 0 } };
static const struct stet_member deleted_block_type[] = { DELETED, { 0 } };

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
static const struct stet_member plain_block[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "icon", STET_STRING },
	{ "description", STET_STRING },
	{ "sortOrder", STET_INTEGER },
	{ "fields", STET_ARRAY, STET_REQUIRED, .of = block_field_shape },
	{ 0 },
};
static const struct stet_member whole_schema[] = {
	{ "collections", STET_ARRAY, STET_REQUIRED, .of = plain_collection },
	{ "blocks", STET_ARRAY, .about = "Types of blocks that the site defines; absent: none",
	    .of = plain_block },
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
	    { "urlPatterns", STET_OBJECT, STET_NULLABLE, "By locale" },                          \
	    { "hasSeo", STET_BOOLEAN }, { "commentsEnabled", STET_BOOLEAN },                     \
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
#define WRITES .lane = STET_WRITE, MANAGES
#define MANAGES .permission = "schema:manage", .scope = "schema:write"

const struct stet_op schema_ops[SCHEMA_OPS] = {
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
	{ "schema_apply", "Apply Schema",
	    "Make collections and fields as defined, in one step; left out members stay.", NULL,
	    STET_TOOL | STET_DESTRUCTIVE | STET_UNTOLD, WRITES, .in = apply_in, .out = apply_out,
	    .run = schema_apply, .fault = "SCHEMA_UPDATE_ERROR",
	    .find = "content types models plan apply several whole definition" },
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
	{ "block_type_list", "List Block Types",
	    "The types of blocks that the site defines for its texts, with their fields.",
	    "GET /schema/blocks", 0, READS_TOO, .out = block_types_out, .run = block_types_list,
	    .fault = "SCHEMA_LIST_ERROR" },
	{ "block_type_get", "Get Block Type", "One type of blocks.", "GET /schema/blocks/:block", 0,
	    READS_TOO, .in = block_type_in, .out = block_type_out, .run = block_type_get,
	    .fault = "SCHEMA_GET_ERROR" },
	{ "block_type_uses", "Get Uses of Block Type",
	    "The items that have blocks of a type, live or in their draft, also in the trash.",
	    "GET /schema/blocks/:block/uses", 0, .lane = STET_SLOW, .permission = "schema:read",
	    .scope = "schema:read", .in = block_uses_in, .out = block_uses_out,
	    .run = block_type_uses, .fault = "SCHEMA_GET_ERROR" },
	{ "block_type_create", "Create Block Type",
	    "Define a type of blocks for texts: {_type: slug, _key, and a member for each field}.",
	    "POST /schema/blocks", STET_CREATED, WRITES, .in = block_create_in,
	    .out = block_type_out, .run = block_type_create, .fault = "SCHEMA_CREATE_ERROR" },
	{ "block_type_update", "Update Block Type", "Change a type of blocks.",
	    "PUT /schema/blocks/:block", 0, WRITES, .in = block_update_in, .out = block_type_out,
	    .run = block_type_update, .fault = "SCHEMA_UPDATE_ERROR" },
	{ "block_type_delete", "Delete Block Type",
	    "Delete the definition of a type of blocks. Blocks of the type stay in their texts.",
	    "DELETE /schema/blocks/:block", 0, .lane = STET_SLOW, MANAGES, .in = block_delete_in,
	    .out = deleted_block_type, .run = block_type_delete, .fault = "SCHEMA_DELETE_ERROR" },
	{ "schema_get", "Get Schema", "All definitions, as JSON or as TypeScript.", "GET /schema",
	    0, READS_TOO, .in = export_form, .out = whole_schema, .run = schema_export,
	    .fault = "SCHEMA_EXPORT_ERROR", .answers = "text/typescript" },
};
