/*
 * taxonomies - classifies items: taxonomies, their terms, and the terms of items.
 *
 * Each taxonomy and each term has a row for each locale; the rows of one share a translation
 * group. An assignment joins the translation groups of an item and a term.
 */
#include "taxonomies.h"

static const struct stet_migration migrations[] = {
	{ 1, "taxonomies, terms and assignments",
	    "CREATE TABLE taxonomy ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " name TEXT NOT NULL,"
	    " label TEXT NOT NULL,"
	    " label_singular TEXT,"
	    " hierarchical INTEGER NOT NULL,"
	    " collections TEXT NOT NULL," /* JSON array of slugs */
	    " locale TEXT NOT NULL,"
	    " translation_group TEXT NOT NULL);"
	    "CREATE UNIQUE INDEX taxonomy_name ON taxonomy (name, locale);"
	    "CREATE TABLE term ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " taxonomy TEXT NOT NULL," /* name of the taxonomy */
	    " slug TEXT NOT NULL,"
	    " label TEXT NOT NULL,"
	    " description TEXT,"
	    " parent_group TEXT NOT NULL," /* empty: no parent */
	    " position INTEGER NOT NULL," /* among its siblings; may have gaps */
	    " locale TEXT NOT NULL,"
	    " translation_group TEXT NOT NULL);"
	    "CREATE UNIQUE INDEX term_slug ON term (taxonomy, slug, locale);"
	    "CREATE UNIQUE INDEX term_group ON term (translation_group, locale);"
	    "CREATE INDEX term_parent ON term (taxonomy, parent_group, position);"
	    "CREATE INDEX term_order ON term (taxonomy, position, label, id);"
	    "CREATE INDEX term_locale ON term (taxonomy, locale, position, label, id);"
	    "CREATE TABLE content_term ("
	    " collection TEXT NOT NULL," /* slug of the collection */
	    " entry_group TEXT NOT NULL," /* translation group of the items */
	    " taxonomy TEXT NOT NULL,"
	    " term_group TEXT NOT NULL,"
	    " shown TEXT NOT NULL," /* locales in which it is counted, space separated */
	    " PRIMARY KEY (collection, entry_group, taxonomy, term_group));"
	    "CREATE INDEX content_term_term ON content_term (term_group);"
	    "CREATE TABLE term_count ("
	    " term_group TEXT NOT NULL,"
	    " locale TEXT NOT NULL," /* empty: total of all locales */
	    " collection TEXT NOT NULL,"
	    " n INTEGER NOT NULL,"
	    " PRIMARY KEY (term_group, locale, collection));",
	    taxonomy_seed },
	{ 2, "what was deleted and is not cleared away yet",
	    "CREATE TABLE taxonomy_gone ("
	    " kind TEXT NOT NULL," /* taxonomy: `id` is its name; term: its translation group */
	    " name TEXT NOT NULL,"
	    " PRIMARY KEY (kind, name));" },
	{ 3, "how far counts are made anew",
	    "CREATE TABLE term_recount ("
	    " since TEXT NOT NULL PRIMARY KEY," /* when the module was disabled */
	    " collection TEXT NOT NULL," /* from here: key of the last recounted assignment */
	    " entry_group TEXT NOT NULL,"
	    " taxonomy TEXT NOT NULL,"
	    " term_group TEXT NOT NULL,"
	    " done INTEGER NOT NULL);" },
	{ 4, "items by term, in the orders of lists",
	    "CREATE TABLE term_item ("
	    " collection TEXT NOT NULL,"
	    " entry_group TEXT NOT NULL,"
	    " term_group TEXT NOT NULL,"
	    " item TEXT NOT NULL,"
	    " item_status TEXT NOT NULL,"
	    " created TEXT NOT NULL,"
	    " published TEXT,"
	    " PRIMARY KEY (collection, entry_group, term_group, item));"
	    "CREATE INDEX term_item_created ON term_item"
	    " (term_group, collection, item_status, created, item);"
	    "CREATE INDEX term_item_published ON term_item"
	    " (term_group, collection, item_status, published, item)",
	    items_anew },
	/* Migration 7 fills the keys. */
	{ 5, "terms by the beginning of their label or slug",
	    "ALTER TABLE term ADD COLUMN label_key TEXT NOT NULL DEFAULT '';"
	    "CREATE INDEX term_label_key ON term (taxonomy, locale, label_key, id);"
	    "CREATE INDEX term_by_slug ON term (taxonomy, locale, slug, id)" },
	{ 6, "terms by the beginning of their slug in any case",
	    "DROP INDEX term_by_slug;"
	    "CREATE INDEX term_slug_key ON term (taxonomy, locale, lower(slug), id)" },
	{ 7, "terms by the beginning of their label or slug without accents",
	    "DROP INDEX term_slug_key;"
	    "ALTER TABLE term ADD COLUMN slug_key TEXT NOT NULL DEFAULT '';"
	    "CREATE INDEX term_slug_key ON term (taxonomy, locale, slug_key, id)",
	    sought_anew },
};

/* ---- transfer files ---- */

static const struct stet_member taxonomy_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "labelSingular", STET_STRING },
	{ "hierarchical", STET_BOOLEAN, STET_REQUIRED },
	{ "collections", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member term_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "taxonomy", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING },
	{ "parentGroup", STET_STRING, STET_REQUIRED },
	{ "position", STET_INTEGER, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member assigned_row[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "entryGroup", STET_STRING, STET_REQUIRED },
	{ "taxonomy", STET_STRING, STET_REQUIRED },
	{ "termGroup", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_transfer transfers[] = {
	{ .kind = "taxonomies",
	    .table = "taxonomy",
	    .row = taxonomy_row,
	    .key = "id",
	    .name = "t.locale || '/' || t.name",
	    .feed = "taxonomy",
	    .feed_id = "name" },
	{ .kind = "terms",
	    .table = "term",
	    .row = term_row,
	    .key = "id",
	    .moves = "slug",
	    .derived = "label_key",
	    .settled = sought_anew,
	    .name = "t.taxonomy || '/' || t.locale || '/' || t.slug",
	    .feed = "taxonomy",
	    .feed_id = "taxonomy",
	    .media = "description",
	    .media_kind = "term",
	    .media_name = "t.label" },
	{ .kind = "assigned-terms",
	    .table = "content_term",
	    .row = assigned_row,
	    .many = true,
	    .key = "collection entryGroup taxonomy termGroup",
	    .name = "t.collection || '/' || t.entry_group",
	    .order = "t.taxonomy, t.term_group",
	    .derived = "shown",
	    .changed = assign_moved,
	    .settled = count_anew },
};

/* clang-format off */
#define READS .lane = STET_READ, .cached = true, .permission = "taxonomies:read", \
	.scope = "content:read", .open = stet_public_read
#define WRITES .lane = STET_WRITE, .permission = "taxonomies:manage", .scope = "taxonomies:manage"
/* clang-format on */

static const struct stet_op ops[] = {
	{ "taxonomy_list", "List Taxonomies",
	    .about = "All taxonomies, such as categories and tags.", .route = "GET /taxonomies",
	    .flags = STET_TOOL, READS, .in = taxonomy_list_in, .out = taxonomy_list_out,
	    .run = taxonomy_list, .fault = "TAXONOMY_LIST_ERROR",
	    .find = "categories tags classification" },
	{ "taxonomy_get", "Get Taxonomy", .about = "One taxonomy, in a locale.",
	    .route = "GET /taxonomies/:name", .flags = STET_TOOL, READS, .in = taxonomy_by_name,
	    .out = taxonomy_out, .run = taxonomy_get, .fault = "TAXONOMY_GET_ERROR",
	    .find = "categories tags classification" },
	{ "taxonomy_create", "Create Taxonomy",
	    .about = "A new taxonomy, or one in another locale.", .route = "POST /taxonomies",
	    .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE, WRITES, .in = taxonomy_create_in,
	    .out = taxonomy_out, .run = taxonomy_create, .fault = "TAXONOMY_CREATE_ERROR",
	    .find = "category tag system classification new" },
	{ "taxonomy_update", "Update Taxonomy",
	    .about = "Change the definition of one locale; what is omitted stays.",
	    .route = "PUT /taxonomies/:name", .flags = STET_TOOL | STET_IDEMPOTENT, WRITES,
	    .in = taxonomy_update_in, .out = taxonomy_out, .run = taxonomy_update,
	    .fault = "TAXONOMY_UPDATE_ERROR", .find = "rename categories tags classification" },
	{ "taxonomy_delete", "Delete Taxonomy",
	    .about = "Delete a taxonomy in all locales, its terms, and their assignments. Items "
		     "stay.",
	    .route = "DELETE /taxonomies/:name", .flags = STET_TOOL | STET_DESTRUCTIVE, WRITES,
	    .in = taxonomy_delete_in, .out = deleted_out, .run = taxonomy_delete,
	    .fault = "TAXONOMY_DELETE_ERROR", .find = "categories tags remove classification" },
	{ "taxonomy_translations", "List Taxonomy Translations",
	    .about = "The definitions of a taxonomy in all locales.",
	    .route = "GET /taxonomies/:name/translations", READS, .in = taxonomy_by_name,
	    .out = taxonomy_translations_out, .run = taxonomy_translations,
	    .fault = "TAXONOMY_TRANSLATIONS_ERROR" },

	{ "term_tree", "List Terms",
	    .about =
		"The terms of a taxonomy in manual order, as a tree if it is hierarchical; with "
		"search, those that begin so.",
	    .route = "GET /taxonomies/:taxonomy/terms", READS, .in = terms_in, .out = terms_out,
	    .run = term_tree, .fault = "TERM_LIST_ERROR" },
	{ "taxonomy_list_terms", "List Taxonomy Terms",
	    .about = "The terms of a taxonomy in manual order, a page at a time.",
	    .flags = STET_TOOL, READS, .in = term_list_in, .out = term_list_out, .run = term_list,
	    .fault = "TERM_LIST_ERROR", .find = "categories tags topics all show" },
	{ "term_create", "Create Term", .about = "A new term, the last of its siblings.",
	    .route = "POST /taxonomies/:taxonomy/terms", .flags = STET_CREATED, WRITES,
	    .in = term_create_in, .out = term_out, .run = term_create,
	    .fault = "TERM_CREATE_ERROR" },
	{ "taxonomy_create_term", "Create Taxonomy Term",
	    .about = "A new term, the last of its siblings.", .flags = STET_TOOL | STET_ADDITIVE,
	    WRITES, .in = term_create_tool_in, .out = term_out, .run = term_create,
	    .fault = "TERM_CREATE_ERROR", .find = "add category tag topic label new" },
	{ "term_get", "Get Term", .about = "One term, with its children and the number of items.",
	    .route = "GET /taxonomies/:taxonomy/terms/:termSlug", READS, .in = term_get_in,
	    .out = term_out, .run = term_get, .fault = "TERM_GET_ERROR" },
	{ "taxonomy_update_term", "Update Taxonomy Term",
	    .about = "Change a term. A new parent holds for all locales.",
	    .route = "PUT /taxonomies/:taxonomy/terms/:termSlug",
	    .flags = STET_TOOL | STET_IDEMPOTENT, WRITES, .in = term_update_in, .out = term_out,
	    .run = term_update, .fault = "TERM_UPDATE_ERROR",
	    .find = "rename category tag topic move merge parent" },
	{ "taxonomy_delete_term", "Delete Taxonomy Term",
	    .about = "Delete a term that has no children.",
	    .route = "DELETE /taxonomies/:taxonomy/terms/:termSlug",
	    .flags = STET_TOOL | STET_DESTRUCTIVE, WRITES, .in = term_delete_in, .out = deleted_out,
	    .run = term_delete, .fault = "TERM_DELETE_ERROR",
	    .find = "category tag topic remove get rid" },
	{ "term_translations", "List Term Translations", .about = "A term in all locales.",
	    .route = "GET /taxonomies/:taxonomy/terms/:termSlug/translations", READS,
	    .in = term_get_in, .out = term_translations_out, .run = term_translations,
	    .fault = "TERM_GET_ERROR" },
	{ "taxonomy_term_translations", "List Term Translations", .about = "A term in all locales.",
	    .flags = STET_TOOL, READS, .in = term_by_id_in, .out = term_translations_out,
	    .run = term_translations_tool, .fault = "TERM_GET_ERROR",
	    .find = "category tag language" },
	{ "term_translate", "Translate Term",
	    .about = "A term in another locale; what is omitted is copied.",
	    .route = "POST /taxonomies/:taxonomy/terms/:termSlug/translations",
	    .flags = STET_CREATED, WRITES, .in = term_translate_in, .out = term_out,
	    .run = term_translate, .fault = "TERM_CREATE_ERROR" },
	{ "term_reorder", "Reorder Terms",
	    .about = "Let terms of one group change places among themselves; others stay.",
	    .route = "POST /taxonomies/:taxonomy/reorder", .flags = STET_TOOL | STET_IDEMPOTENT,
	    WRITES, .in = reorder_in, .out = reorder_out, .run = term_reorder,
	    .fault = "TERM_REORDER_ERROR",
	    .find = "order sort move categories tags first last position" },
};

static const struct stet_hook hooks[] = {
	STET_ON(entry_changed, 0, count_follow),
	STET_ON(entry_before_purge, 0, assign_purge),
	STET_ON(schema_changing, 0, assign_schema),
};
static const struct stet_service_def services[] = { STET_SERVICE(
    STET_TAXONOMIES_1, taxonomies_service) };
static const struct stet_job jobs[] = { { FORGET_JOB, forget_due, forget_run },
	{ "recount", recount_due, recount_run } };
static const char *const needs[] = { "auth", "schema", NULL };

static const struct stet_permission permissions[] = {
	{ "taxonomies:read", 10 },
	{ "taxonomies:manage", 40 },
};

static const struct stet_scope_def scopes[] = { { "taxonomies:manage", "content:write" } };

static const struct stet_status_def statuses[] = {
	{ "REORDER_MISMATCH", 400, "The listed ids do not match the group" },
	{ "TAXONOMY_LIST_ERROR", 500, "Failed to list taxonomies" },
	{ "TAXONOMY_GET_ERROR", 500, "Failed to read the taxonomy" },
	{ "TAXONOMY_CREATE_ERROR", 500, "Failed to create the taxonomy" },
	{ "TAXONOMY_UPDATE_ERROR", 500, "Failed to update the taxonomy" },
	{ "TAXONOMY_DELETE_ERROR", 500, "Failed to delete the taxonomy" },
	{ "TAXONOMY_TRANSLATIONS_ERROR", 500, "Failed to list translations of the taxonomy" },
	{ "TERM_LIST_ERROR", 500, "Failed to list terms" },
	{ "TERM_GET_ERROR", 500, "Failed to read the term" },
	{ "TERM_CREATE_ERROR", 500, "Failed to create the term" },
	{ "TERM_UPDATE_ERROR", 500, "Failed to update the term" },
	{ "TERM_DELETE_ERROR", 500, "Failed to delete the term" },
	{ "TERM_REORDER_ERROR", 500, "Failed to reorder terms" },
};

STET_MODULE(taxonomies) = {
	STET_MODULE_HEAD(taxonomies),
	.version = "1.0",
	.summary = "Taxonomies, their terms, and the terms of items",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.scopes = STET_TABLE(scopes),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.services = STET_TABLE(services),
	.includes = STET_TABLE(taxonomies_includes),
	.jobs = STET_TABLE(jobs),
	.statuses = STET_TABLE(statuses),
};
