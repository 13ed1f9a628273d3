/*
 * feeds - what readers and search engines follow: Atom and JSON Feed of collections, and the
 * sitemap. Public collections (publicRead) that have a urlPattern are in them.
 */
#include "feeds.h"
#include <stet/feeds.h>

/* clang-format off */
#define READS .permission = "content:read", .scope = "content:read", .fault = "FEED_ERROR"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "feed_atom", "Atom Feed", .about = "The newest items of a public collection as Atom.",
	    .route = "GET /feeds/:collection/atom.xml", .flags = STET_AT_ROOT, .lane = STET_READ,
	    .cached = true, READS, .in = feed_in, .run = feed_atom, .open = stet_collection_open,
	    .answers = "application/atom+xml" },
	{ "feed_json", "JSON Feed",
	    .about = "The newest items of a public collection as JSON Feed.",
	    .route = "GET /feeds/:collection/feed.json", .flags = STET_AT_ROOT, .lane = STET_READ,
	    .cached = true, READS, .in = feed_in, .run = feed_json, .open = stet_collection_open,
	    .answers = "application/feed+json" },
	{ "sitemap", "Sitemap",
	    .about = "The addresses of published items; above 50,000 the index of its parts.",
	    .route = "GET /sitemap.xml", .flags = STET_AT_ROOT | STET_STREAM, .lane = STET_SLOW,
	    READS, .run = sitemap_read, .open = sitemap_is_open, .answers = "application/xml" },
	{ "sitemap_part", "Part of the Sitemap",
	    .about = "Addresses of published items of one collection.",
	    .route = "GET /sitemaps/:collection/:part", .flags = STET_AT_ROOT | STET_STREAM,
	    .lane = STET_SLOW, READS, .in = part_in, .run = sitemap_part,
	    .open = stet_collection_open, .answers = "application/xml" },
};

static const struct stet_setting_def settings[] = {
	{ { "items", STET_INTEGER, STET_BOUNDED, "Items of a feed", STET_RANGE(1, 50),
	    .fallback = "20" } },
};

static const struct stet_migration migrations[] = {
	{ .version = 1,
	    .name = "when the public has seen a change",
	    .sql = "CREATE TABLE feeds_mark (collection TEXT PRIMARY KEY NOT NULL,"
		   " mark TEXT NOT NULL)" },
};
static const struct stet_hook hooks[] = { STET_ON(entry_changed, 0, mark_follow) };

static const struct stet_feeds_1 service = { sitemap_address };
static const struct stet_service_def services[] = { STET_SERVICE(STET_FEEDS_1, service) };
static const char *const needs[] = { "auth", "schema", "content", NULL };
static const struct stet_status_def statuses[] = {
	{ "FEED_ERROR", 500, "Failed to make the feed" },
};

STET_MODULE(feeds) = {
	STET_MODULE_HEAD(feeds),
	.version = "1.0",
	.summary = "Atom and JSON Feed of collections, and the sitemap",
	.license = "MIT",
	.needs = needs,
	.migrations = STET_TABLE(migrations),
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.settings = STET_TABLE(settings),
	.services = STET_TABLE(services),
	.statuses = STET_TABLE(statuses),
	.state_size = sizeof(struct feeds_state),
	.open = feeds_open,
	.close = feeds_close,
};
