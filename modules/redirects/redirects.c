/* redirects.c - the tables of the module: which item left an address last, and rules of that. */
#include "redirects.h"

static const struct stet_migration migrations[] = {
	{ 1, "old addresses of items",
	    "CREATE TABLE redirect ("
	    " collection TEXT NOT NULL," /* slug of the collection */
	    " slug TEXT NOT NULL,"
	    " locale TEXT NOT NULL,"
	    " entry_id TEXT NOT NULL," /* the item that left the address last */
	    " left_at TEXT NOT NULL,"
	    " PRIMARY KEY (collection, slug, locale));"
	    "CREATE INDEX redirect_entry ON redirect (entry_id, left_at);"
	    "CREATE INDEX redirect_order ON redirect (collection, slug, entry_id);",
	    NULL, STET_ADDITIVE },
};

static const struct stet_member redirect_row[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "entryId", STET_STRING, STET_REQUIRED },
	{ "leftAt", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_transfer transfers[] = {
	{ .kind = "redirects",
	    .table = "redirect",
	    .row = redirect_row,
	    .key = "collection slug locale",
	    .many = true,
	    .name = "t.collection",
	    .order = "t.slug, t.locale",
	    .changed = move_loaded },
};

static const struct stet_op ops[] = {
	/* It was an op of the module import, and keeps its name. */
	{ "import_redirect_list", "List Old Addresses",
	    .about = "Where published items of a collection were: in the sources that they were "
		     "imported from, and with earlier slugs. A site leads from there to their "
		     "pages.",
	    .route = "GET /redirects/:collection", .lane = STET_READ, .permission = "content:read",
	    .scope = "content:read", .open = stet_collection_open, .in = list_in, .out = list_out,
	    .run = list, .fault = "REDIRECT_ERROR" },
	{ "redirect_export", "Export Redirects",
	    .about = "Redirects from old addresses of published items to their pages, as a map of "
		     "nginx, a file _redirects, or JSON.",
	    .route = "GET /redirects", .lane = STET_SLOW, .flags = STET_STREAM,
	    .permission = "content:read", .scope = "content:read", .in = export_in,
	    .run = export_rules, .answers = "application/json text/plain",
	    .fault = "REDIRECT_ERROR" },
	{ "redirect_of_item", "List Old Slugs of an Item",
	    .about = "Slugs that lead to an item since it had them; not those at which another "
		     "item is now.",
	    .route = "GET /content/:collection/:id/redirects", .lane = STET_READ,
	    .permission = "content:read", .scope = "content:read", .in = of_item_in,
	    .out = of_item_out, .run = of_item, .fault = "REDIRECT_ERROR" },
	{ "redirect_delete", "Forget Old Slug", .about = "Let an old slug of an item lead nowhere.",
	    .route = "DELETE /content/:collection/:id/redirects/:slug", .flags = STET_DESTRUCTIVE,
	    .lane = STET_WRITE, .permission = "content:publish_own", .scope = "content:write",
	    .in = forget_in, .out = forget_out, .run = forget, .fault = "REDIRECT_ERROR" },
};

static const struct stet_command commands[] = {
	{ "redirects", .run = command_redirects,
	    .usage = "[--format nginx|netlify|json] [--collection SLUG]",
	    .about = "Print redirects from old addresses of items to their pages.",
	    .details =
		"    --format FORMAT    nginx: lines of a map of $request_uri; netlify: a file\n"
		"                       _redirects, which Cloudflare Pages reads, too; json\n"
		"    --collection SLUG  only those of this collection\n" },
};

static const struct stet_hook hooks[] = {
	STET_ON(entry_address_left, 0, move_left),
	STET_ON(entry_changed, 0, move_entry),
	STET_ON(schema_changing, 0, move_schema),
};
static const struct stet_service_def services[] = {
	STET_SERVICE(STET_REDIRECTS_1, redirects_service),
};
static const char *const needs[] = { "auth", "schema", "content", NULL };
static const struct stet_status_def statuses[] = {
	{ "REDIRECT_ERROR", 500, "Failed to read or store old addresses" },
};

STET_MODULE(redirects) = {
	STET_MODULE_HEAD(redirects),
	.version = "1.0",
	.summary = "Old slugs of items lead on: redirects for the site",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.services = STET_TABLE(services),
	.commands = STET_TABLE(commands),
	.statuses = STET_TABLE(statuses),
};
