/*
 * bylines - who wrote what: the bylines of users and guests, and the credits of items.
 *
 * byline is the table of persons, with a row for each locale. content_byline is the table of
 * credits: which person, in which order, with which role. Other modules use the service
 * bylines/1 (credits.c, shown.c, filter.c, person.c).
 */
#include "bylines.h"

static const struct stet_migration migrations[] = {
	{ 1, "bylines and credits",
	    "CREATE TABLE byline ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " slug TEXT NOT NULL,"
	    " display_name TEXT NOT NULL,"
	    " bio TEXT,"
	    " avatar_media_id TEXT,"
	    " website_url TEXT,"
	    " user_id TEXT REFERENCES users (id) ON DELETE SET NULL,"
	    " is_guest INTEGER NOT NULL,"
	    " locale TEXT NOT NULL,"
	    " translation_group TEXT NOT NULL,"
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL);"
	    "CREATE UNIQUE INDEX byline_slug ON byline (slug, locale);"
	    "CREATE UNIQUE INDEX byline_group ON byline (translation_group, locale);"
	    "CREATE UNIQUE INDEX byline_user ON byline (user_id, locale);"
	    "CREATE INDEX byline_created ON byline (created_at, id);"
	    "CREATE INDEX byline_locale ON byline (locale, created_at, id);"
	    "CREATE TABLE content_byline ("
	    " collection TEXT NOT NULL," /* slug of the collection */
	    " entry_id TEXT NOT NULL,"
	    " position INTEGER NOT NULL," /* may have gaps */
	    " byline_group TEXT NOT NULL,"
	    " role_label TEXT,"
	    " PRIMARY KEY (collection, entry_id, position));"
	    "CREATE INDEX content_byline_group"
	    " ON content_byline (byline_group, collection, entry_id);"
	    "CREATE TABLE byline_state ("
	    " id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),"
	    " version INTEGER NOT NULL);" /* increases with every change of a byline */
	    "INSERT INTO byline_state (id, version) VALUES (1, 1);",
	    NULL },
	{ 2, "bylines by avatar",
	    "CREATE INDEX byline_avatar ON byline (avatar_media_id, id)"
	    " WHERE avatar_media_id IS NOT NULL;",
	    NULL },
};

/* ---- transfer files ---- */

/* user_id is not moved, since users are not: each installation has its own. */
static const struct stet_member byline_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "displayName", STET_STRING, STET_REQUIRED },
	{ "bio", STET_STRING },
	{ "avatarMediaId", STET_STRING },
	{ "websiteUrl", STET_STRING },
	{ "isGuest", STET_BOOLEAN, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member credit_row[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "entryId", STET_STRING, STET_REQUIRED },
	{ "position", STET_INTEGER, STET_REQUIRED },
	{ "bylineGroup", STET_STRING, STET_REQUIRED },
	{ "roleLabel", STET_STRING },
	{ 0 },
};
static const struct stet_transfer transfers[] = {
	{ .kind = "bylines",
	    .table = "byline",
	    .row = byline_row,
	    .key = "id",
	    .moves = "slug",
	    .name = "t.locale || '/' || t.slug",
	    .settled = byline_bump,
	    .feed = "byline",
	    .feed_id = "id",
	    .media = "bio avatar_media_id website_url",
	    .media_kind = "byline",
	    .media_name = "t.display_name" },
	{ .kind = "credits",
	    .table = "content_byline",
	    .row = credit_row,
	    .many = true,
	    .key = "collection entryId position",
	    .order = "t.position",
	    .name = "t.collection || '/' || t.entry_id",
	    .settled = byline_bump },
};

/* clang-format off */
#define READS .lane = STET_READ, .cached = true, .permission = "bylines:read"
#define WRITES .lane = STET_WRITE, .permission = "bylines:manage"
#define LIST .in = list_in, .out = list_out, .run = byline_list, .fault = "BYLINE_LIST_ERROR"
#define GET .in = by_id, .out = byline_shape, .run = byline_get, .fault = "BYLINE_GET_ERROR"
#define GROUP .in = by_id, .out = translations_out, .run = byline_translations, \
	.fault = "BYLINE_GET_ERROR"
#define CREATE .in = create_in, .out = byline_shape, .run = byline_create, \
	.fault = "BYLINE_CREATE_ERROR"
#define TRANSLATE .in = translate_in, .out = byline_shape, .run = byline_translate, \
	.fault = "BYLINE_CREATE_ERROR"
#define UPDATE .in = update_in, .out = byline_shape, .run = byline_update, \
	.fault = "BYLINE_UPDATE_ERROR"
#define DELETE .in = by_id, .out = deleted_out, .run = byline_delete, \
	.fault = "BYLINE_DELETE_ERROR"
/* clang-format on */

/* The routes exist twice: below /bylines, and below /admin/bylines with the scope admin. */
static const struct stet_op ops[] = {
	{ "byline_list", "List Bylines",
	    .about = "Bylines, newest first: of users, of guests, by name.",
	    .route = "GET /bylines", .flags = STET_TOOL, .scope = "content:read", READS, LIST,
	    .find = "authors credits writers people who wrote" },
	{ "byline_get", "Get Byline", .about = "One byline by its id.", .route = "GET /bylines/:id",
	    .flags = STET_TOOL, .scope = "content:read", READS, GET,
	    .find = "author credit writer person" },
	{ "byline_translations", "List Byline Translations",
	    .about = "The bylines of one person in all locales.",
	    .route = "GET /bylines/:id/translations", .flags = STET_TOOL, .scope = "content:read",
	    READS, GROUP, .find = "author biography language" },
	{ "byline_create", "Create Byline", .about = "A new byline, of a user or a guest.",
	    .route = "POST /bylines", .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE,
	    .scope = "content:write", WRITES, CREATE,
	    .find = "author credit writer person journalist" },
	{ "byline_translate", "Translate Byline",
	    .about = "The byline of the same person in another locale; what is omitted is copied.",
	    .route = "POST /bylines/:id/translations", .flags = STET_CREATED,
	    .scope = "content:write", WRITES, TRANSLATE },
	{ "byline_update", "Update Byline",
	    .about = "Change members of a byline; those that are omitted stay.",
	    .route = "PUT /bylines/:id", .flags = STET_TOOL | STET_IDEMPOTENT,
	    .scope = "content:write", WRITES, UPDATE,
	    .find = "author biography bio credit writer person portrait photo" },
	{ "byline_delete", "Delete Byline",
	    .about = "Delete a byline. With the last locale of a person go the credits of items.",
	    .route = "DELETE /bylines/:id", .flags = STET_TOOL | STET_DESTRUCTIVE,
	    .scope = "content:write", WRITES, DELETE, .find = "author credit writer person" },

	{ "admin_byline_list", "List Bylines", .about = "Bylines, newest first.",
	    .route = "GET /admin/bylines", .scope = "admin", READS, LIST },
	{ "admin_byline_get", "Get Byline", .about = "One byline by its id.",
	    .route = "GET /admin/bylines/:id", .scope = "admin", READS, GET },
	{ "admin_byline_translations", "List Byline Translations",
	    .about = "The bylines of one person in all locales.",
	    .route = "GET /admin/bylines/:id/translations", .scope = "admin", READS, GROUP },
	{ "admin_byline_create", "Create Byline", .about = "A new byline.",
	    .route = "POST /admin/bylines", .flags = STET_CREATED, .scope = "admin", WRITES,
	    CREATE },
	{ "admin_byline_translate", "Translate Byline",
	    .about = "The byline of the same person in another locale.",
	    .route = "POST /admin/bylines/:id/translations", .flags = STET_CREATED,
	    .scope = "admin", WRITES, TRANSLATE },
	{ "admin_byline_update", "Update Byline", .about = "Change members of a byline.",
	    .route = "PUT /admin/bylines/:id", .scope = "admin", WRITES, UPDATE },
	{ "admin_byline_delete", "Delete Byline", .about = "Delete a byline.",
	    .route = "DELETE /admin/bylines/:id", .flags = STET_DESTRUCTIVE, .scope = "admin",
	    WRITES, DELETE },
};

static const struct stet_hook hooks[] = { STET_ON(schema_changing, 0, credits_schema),
	STET_ON(media_changed, 0, byline_media) };
static const struct stet_service_def services[] = { STET_SERVICE(STET_BYLINES_1, bylines_service) };
static const char *const needs[] = { "auth", "schema", NULL };

static const struct stet_permission permissions[] = {
	{ "bylines:read", 10 },
	{ "bylines:manage", 40 },
};

static const struct stet_status_def statuses[] = {
	{ "BYLINE_LIST_ERROR", 500, "Failed to list bylines" },
	{ "BYLINE_GET_ERROR", 500, "Failed to read the byline" },
	{ "BYLINE_CREATE_ERROR", 500, "Failed to create the byline" },
	{ "BYLINE_UPDATE_ERROR", 500, "Failed to update the byline" },
	{ "BYLINE_DELETE_ERROR", 500, "Failed to delete the byline" },
};

STET_MODULE(bylines) = {
	STET_MODULE_HEAD(bylines),
	.version = "1.0",
	.summary = "Bylines of users and guests, and the credits of items",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.services = STET_TABLE(services),
	.includes = STET_TABLE(bylines_includes),
	.statuses = STET_TABLE(statuses),
};
