/*
 * search - full-text search in the items of collections, by SQLite's FTS5.
 *
 * An index consists of shards: FTS5 tables of limited size, for one status and locale each
 * (core/adr/0013-search-in-shards.md). A new index is built beside the one in use, and then
 * replaces it.
 */
#include "search.h"
#include "fulltext/extension.h"

/* The states of a shard: 0 it takes documents, 1 it is full, 2 it is full and optimised into one
 * segment. A document is an item in an index; n is its number in its shard. */
#define TABLES                                                                            \
	"CREATE TABLE search_state (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),"    \
	" last INTEGER NOT NULL);"                                                        \
	"INSERT INTO search_state (one, last) VALUES (1, 0);"                             \
	"CREATE TABLE search_config ("                                                    \
	" collection TEXT NOT NULL PRIMARY KEY," /* slug of the collection */             \
	" enabled INTEGER NOT NULL,"                                                      \
	" tokenizer TEXT NOT NULL,"                                                       \
	" weights TEXT," /* JSON: {field: number} */                                      \
	" supported INTEGER NOT NULL);" /* `supports` contained search when last read */  \
	"CREATE TABLE search_index ("                                                     \
	" id INTEGER NOT NULL PRIMARY KEY,"                                               \
	" collection TEXT NOT NULL,"                                                      \
	" state TEXT NOT NULL," /* building, serving, discarded */                        \
	" tokenizer TEXT NOT NULL,"                                                       \
	" columns TEXT NOT NULL," /* JSON: ids of fields; the first is column c0 */       \
	" cursor TEXT NOT NULL," /* while building: the last item that was indexed */     \
	" total INTEGER NOT NULL,"                                                        \
	" done INTEGER NOT NULL);"                                                        \
	"CREATE INDEX search_index_collection ON search_index (collection, id);"          \
	"CREATE TABLE search_shard ("                                                     \
	" id INTEGER NOT NULL PRIMARY KEY," /* number of the table search_fts_<id> */     \
	" index_id INTEGER NOT NULL,"                                                     \
	" status TEXT NOT NULL,"                                                          \
	" locale TEXT NOT NULL,"                                                          \
	" docs INTEGER NOT NULL,"                                                         \
	" placed INTEGER NOT NULL," /* the highest n that was used */                     \
	" state INTEGER NOT NULL);"                                                       \
	"CREATE INDEX search_shard_place ON search_shard (index_id, status, locale, id);" \
	"CREATE INDEX search_shard_full ON search_shard (id) WHERE state = 1;"            \
	"CREATE TABLE search_doc ("                                                       \
	" index_id INTEGER NOT NULL,"                                                     \
	" entry TEXT NOT NULL,"                                                           \
	" shard INTEGER NOT NULL,"                                                        \
	" n INTEGER NOT NULL,"                                                            \
	" digest TEXT NOT NULL," /* digest of the document's texts */                     \
	" PRIMARY KEY (index_id, entry));"                                                \
	"CREATE UNIQUE INDEX search_doc_place ON search_doc (shard, n, entry);"
#define MISSED                                                                          \
	"CREATE TABLE search_missed (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1)," \
	" absence INTEGER NOT NULL,"                                                    \
	" newest INTEGER NOT NULL," /* the last index that existed when it began */     \
	" index_id INTEGER NOT NULL," /* the index that is being compared */            \
	" entry TEXT NOT NULL);" /* the item that was compared last */
#define FAILED                                                                       \
	"CREATE TABLE search_failed (collection TEXT NOT NULL, entry TEXT NOT NULL," \
	" PRIMARY KEY (collection, entry));"

/* Tables of an index beside the database. If tokenizers change, the number is raised, and all of
 * them are built anew. */
const char search_tables[] = "/* tokenizers 1 */" TABLES MISSED FAILED
			     "CREATE TABLE search_applied (one INTEGER NOT NULL PRIMARY KEY CHECK "
			     "(one = 1), n INTEGER NOT NULL, at INTEGER NOT NULL, entry TEXT NOT "
			     "NULL);";

static const struct stet_migration migrations[] = {
	{ 1, "indexes, shards and documents", TABLES, NULL },
	{ 2, "how far it is with what was missed while it was off", MISSED, NULL },
	{ 3, "terms of shards", NULL, index_add_terms },
	{ 4, "items that a transaction has changed",
	    "CREATE TABLE search_pending (n INTEGER NOT NULL PRIMARY KEY, collection TEXT NOT NULL,"
	    " entry TEXT NOT NULL);",
	    NULL },
	{ 5, "items that could not be indexed", FAILED, NULL },
	{ 6, "indexes without regard to accents in every script", NULL, index_renew_all },
	{ 7, "changes that indexes beside the database follow",
	    "CREATE TABLE search_change (n INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL,"
	    " kind TEXT NOT NULL, collection TEXT NOT NULL, entry TEXT NOT NULL);",
	    NULL },
};

/* What is left tells what is to be indexed. */
static const char *const derived[] = { "search_index", "search_shard", "search_doc",
	"search_missed", "search_pending", "search_failed", "search_change", NULL };

static const struct stet_op ops[] = {
	{ "search", "Search",
	    .about =
		"Full-text search in published items, best matches first. search_enable turns it on.",
	    .flags = STET_TOOL | STET_COSTLY, .lane = STET_READ, .permission = "search:read",
	    .scope = "content:read", .in = search_tool_in, .out = search_out, .run = search_tool,
	    .fault = "SEARCH_ERROR", .more = STET_MORE_COLLECTIONS,
	    .find = "find look for words text site question mention" },
	{ "search_query", "Search", .about = "Full-text search, best matches first.",
	    .route = "GET /search", .flags = STET_PUBLIC | STET_COSTLY, .lane = STET_READ,
	    .cached = true, .scope = "content:read", .in = search_query_in, .out = search_out,
	    .run = search_query, .fault = "SEARCH_ERROR", .more = STET_MORE_COLLECTIONS },
	{ "search_similar", "Similar Items",
	    .about = "Published items with the words that are typical of this one, the most "
		     "similar first.",
	    .route = "GET /search/similar/:collection/:id",
	    .flags = STET_TOOL | STET_PUBLIC | STET_COSTLY, .lane = STET_READ, .cached = true,
	    .scope = "content:read", .in = search_similar_in, .out = search_similar_out,
	    .run = search_similar, .fault = "SEARCH_ERROR",
	    .find = "like related duplicate alike recommend articles posts" },
	{ "content_answer_context", "Passages for a Question",
	    .about = "Passages of published items that may answer a question, the best first, with "
		     "the ids of their items.",
	    .route = "GET /search/context", .flags = STET_TOOL | STET_COSTLY, .lane = STET_READ,
	    .permission = "search:read", .scope = "content:read", .in = search_context_in,
	    .out = search_context_out, .run = search_context, .fault = "SEARCH_ERROR",
	    .more = STET_MORE_COLLECTIONS,
	    .find = "answer ask what does the site say quote source facts" },
	{ "search_suggest", "Suggest Titles",
	    .about = "Titles of published items with words that begin like these.",
	    .route = "GET /search/suggest", .flags = STET_PUBLIC | STET_COSTLY, .lane = STET_READ,
	    .cached = true, .scope = "content:read", .in = search_suggest_in,
	    .out = search_suggest_out, .run = search_suggest, .fault = "SUGGESTION_ERROR",
	    .more = STET_MORE_COLLECTIONS },
	{ "search_enable", "Enable Search",
	    .about = "Turn search of a collection on or off, or change how it works.",
	    .route = "POST /search/enable", .flags = STET_TOOL | STET_ADDITIVE, .lane = STET_SLOW,
	    .permission = "search:manage", .scope = "admin", .in = search_enable_in,
	    .out = search_enable_out, .run = search_enable, .fault = "SEARCH_ERROR",
	    .find = "searchable find index full text" },
	{ "search_rebuild", "Rebuild Index",
	    .about = "Build the index of a collection anew; the old one serves until it is done.",
	    .route = "POST /search/rebuild", .lane = STET_SLOW, .permission = "search:manage",
	    .scope = "admin", .in = search_rebuild_in, .out = search_rebuild_out,
	    .run = search_rebuild, .fault = "REBUILD_ERROR" },
	{ "search_stats", "Search Statistics",
	    .about = "How many items are indexed, for each collection that is searched.",
	    .route = "GET /search/stats", .lane = STET_READ, .permission = "search:manage",
	    .scope = "content:read", .out = search_stats_out, .run = search_stats,
	    .fault = "STATS_ERROR" },
	{ "search_public", "Public Search",
	    .about = "Tell or set what callers without credentials find.", .lane = STET_WRITE,
	    .permission = "search:manage", .scope = "admin", .in = search_public_in,
	    .out = search_public_out, .run = search_public },
	{ "search_verify", "Check Indexes",
	    .about = "Compare the indexes with the items, and let FTS5 check its tables.",
	    .lane = STET_SLOW, .permission = "search:manage", .scope = "admin",
	    .out = search_verify_out, .run = search_verify },
};

static const struct stet_command commands[] = {
	{ "search enable", "search_enable", .operands = "collection enabled",
	    .about = "Turn search of a collection on (true) or off (false)." },
	{ "search rebuild", "search_rebuild", .operands = "collection",
	    .about = "Build the index of a collection anew." },
	{ "search stats", "search_stats", .about = "Show how many items are indexed." },
	{ "search public", "search_public", .operands = "publicSearch", .print = "publicSearch",
	    .about = "Tell or set what callers without credentials find: items of collections with "
		     "publicRead, or of all.",
	    .at_init = true },
	{ "search verify", "search_verify", .print = "problems",
	    .about = "Compare the indexes with the items." },
};

static const struct stet_setting_def settings[] = {
	{ { "publicSearch", STET_STRING,
	    .about = "What callers without credentials find: items of collections with publicRead, "
		     "or of all that are indexed. public-search of stet.conf counts before it",
	    PUBLIC_SEARCH, .fallback = "\"collections\"" } },
};

static const struct stet_hook hooks[] = { STET_ON(entry_changed, 0, search_entry),
	STET_ON(schema_changing, 0, search_schema) };
static const struct stet_job jobs[] = { { SEARCH_JOB, build_due, build_run,
					    .flags = STET_JOB_EVERYWHERE },
	{ "changes", changes_due, changes_clean } };
static const char *const needs[] = { "auth", "schema", "content", NULL };

static const struct stet_permission permissions[] = {
	{ "search:read", 10 },
	{ "search:manage", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "SEARCH_NOT_ENABLED", 400, "Search is not enabled for the collection" },
	{ "NO_SEARCHABLE_FIELDS", 400, "The collection has no searchable field" },
	{ "SEARCH_ERROR", 500, "The search failed" },
	{ "SUGGESTION_ERROR", 500, "Failed to suggest" },
	{ "REBUILD_ERROR", 500, "Failed to build the index" },
	{ "STATS_ERROR", 500, "Failed to count what is indexed" },
};

static const struct stet_check checks[] = {
	{ "search", search_check },
};

static const struct stet_service_def services[] = { STET_SERVICE(STET_SEARCH_1, search_service) };

static const struct stet_sqlite_extension extensions[] = {
	{ fulltext_open, fulltext_release, fulltext_close },
};

static enum stet_status
search_open(struct stet_call *call, void *arg)
{
	struct search_state *state = arg;

	STET_TRY(stet_derived_open(call, search_tables, &state->derived));
	return learned_open(call, &state->learned);
}

static void
search_close(void *arg)
{
	struct search_state *state = arg;

	learned_close(state->learned);
	stet_derived_close(state->derived);
}

STET_MODULE(search) = {
	STET_MODULE_HEAD(search),
	.version = "1.0",
	.summary = "Full-text search",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.commands = STET_TABLE(commands),
	.jobs = STET_TABLE(jobs),
	.statuses = STET_TABLE(statuses),
	.checks = STET_TABLE(checks),
	.services = STET_TABLE(services),
	.settings = STET_TABLE(settings),
	.sqlite_extensions = STET_TABLE(extensions),
	.derived = derived,
	.state_size = sizeof(struct search_state),
	.open = search_open,
	.close = search_close,
};
