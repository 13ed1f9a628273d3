/*
 * schema - collections and their typed fields: the structure of content, and the tables that
 * store it. This file has the tables of the module: migrations, service. Its ops are in ops.c.
 */
#include "blocktypes.h"
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
	{ 14, "blocks that the site defines",
	    "CREATE TABLE block_type (slug TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, "
	    "icon TEXT, description TEXT, fields TEXT NOT NULL, sort_order INTEGER, "
	    "created_at TEXT NOT NULL, updated_at TEXT NOT NULL)",
	    NULL, STET_ADDITIVE },
	{ 15, "addresses by locale", "ALTER TABLE collection ADD COLUMN url_patterns TEXT", NULL,
	    STET_ADDITIVE },
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
	.blocks = own_blocks_list,
	.block = own_block_type,
	.block_text = own_block_text,
};
static const struct stet_service_def services[] = { STET_SERVICE(STET_SCHEMA_1, functions) };
static const struct stet_transfer transfers[] = {
	{ .kind = "schema", .dump = transfer_dump, .load = transfer_load },
	{ .kind = "blocks", .dump = blocks_dump, .load = blocks_load },
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
	{ "BLOCK_TYPE_NOT_FOUND", 404, "Block type not found" },
	{ "BLOCK_TYPE_EXISTS", 409, "The block type already exists" },
	{ "BLOCK_TYPE_IN_USE", 409, "Items have blocks of the type" },
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
	.ops = STET_TABLE(schema_ops),
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
