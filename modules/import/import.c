/*
 * import - content of other systems: from export files (WXR), or from a running site by an exporter
 * that is installed there. Nothing is written before a source is known to be readable to its end.
 */
#include "files/media.h"
#include "files/rewrite.h"
#include "job/jobs.h"
#include "plan/analyze.h"
#include "plan/prepare.h"
#include "read/form.h"
#include "remote/exporter.h"
#include "remote/probe.h"
#include "run/execute.h"
#include "sources/sources.h"
#include "state/ids.h"
#include "state/moved.h"
#include <stet/content.h>
#include <string.h>

/* clang-format off */
#define IMPORTS .lane = STET_SLOW, .permission = "import:execute", .scope = "admin"
#define JOB_READS .lane = STET_READ, .permission = "import:execute", .scope = "admin"
#define JOB_WRITES                                                                       \
	.lane = STET_WRITE, .permission = "import:execute", .scope = "admin",            \
	.flags = STET_IDEMPOTENT | STET_BODY_OPTIONAL
/* clang-format on */
#define LISTS_MAX (64u << 20) /* bytes of a body with many addresses */

static const struct stet_op ops[] = {
	{ "import_probe", "Probe Site for Import",
	    .about = "What runs at an address, and how its content can be imported.",
	    .route = "POST /import/probe", IMPORTS, .in = probe_in, .out = probe_out,
	    .run = import_probe, .fault = "PROBE_ERROR" },
	{ "import_analyze", "Analyze Export File",
	    .about =
		"What is in an export (WXR, also packed by gzip or zip), the part \"file\" of a form; "
		"several are one export. Nothing is written.",
	    .route = "POST /import/platform/analyze", .flags = STET_MULTIPART, IMPORTS,
	    .out = analyze_out, .run = import_analyze, .body_most = import_body_most,
	    .fault = "WXR_ANALYZE_ERROR" },
	{ "import_execute", "Import Export File",
	    .about = "Import an export (WXR, also packed by gzip or zip): the parts \"file\" and "
		     "\"config\" of a form; or the file of an analysis, as JSON.",
	    .route = "POST /import/platform/execute", .flags = STET_MULTIPART | STET_OR_JSON,
	    IMPORTS, .in = execute_in, .out = execute_out, .run = import_execute,
	    .body_most = import_body_most, .fault = "WXR_IMPORT_ERROR" },
	{ "import_prepare", "Prepare Collections for Import",
	    .about = "Make the collections and fields that an import needs. What exists stays as "
		     "it is.",
	    .route = "POST /import/platform/prepare", IMPORTS, .in = prepare_in, .out = prepare_out,
	    .run = import_prepare, .answers = "application/json", .fault = "WXR_PREPARE_ERROR" },
	{ "import_media", "Copy Media",
	    .about =
		"Fetch the attachments of a source into the library. A file that is there already "
		"is not stored again, and one that was copied before is not fetched again.",
	    .route = "POST /import/platform/media", .flags = STET_STREAM, IMPORTS, .in = media_in,
	    .run = import_media, .answers = "application/x-ndjson application/json",
	    .body_max = LISTS_MAX, .fault = "IMPORT_ERROR" },
	{ "import_rewrite", "Rewrite Addresses",
	    .about =
		"Replace addresses of files of a source in all content, live values and drafts. "
		"Each change is a save with a revision.",
	    .route = "POST /import/platform/rewrite-urls", IMPORTS, .in = rewrite_in,
	    .out = rewrite_out, .run = import_rewrite, .body_max = LISTS_MAX,
	    .fault = "REWRITE_ERROR" },

	{ "import_exporter_analyze", "Analyze Site",
	    .about = "What is at a site that has an exporter. Nothing is written.",
	    .route = "POST /import/platform-plugin/analyze", IMPORTS, .in = exporter_analyze_in,
	    .out = exporter_analyze_out, .run = exporter_analyze,
	    .fault = "WP_PLUGIN_ANALYZE_ERROR" },
	{ "import_exporter_execute", "Import Site",
	    .about =
		"Import a site through its exporter, in phases; the client carries cursors and maps "
		"from one request to the next.",
	    .route = "POST /import/platform-plugin/execute", IMPORTS, .in = exporter_in,
	    .out = exporter_out, .run = exporter_execute, .body_max = LISTS_MAX,
	    .fault = "WP_PLUGIN_IMPORT_ERROR" },

	{ "import_job_create", "Start Import",
	    .about =
		"Import an export by itself, stage by stage: analyze, prepare, execute, media, "
		"rewrite. It goes on where it was after the daemon has ended.",
	    .route = "POST /import/jobs", .flags = STET_MULTIPART | STET_OR_JSON | STET_CREATED,
	    IMPORTS, .in = job_create_in, .out = job_out, .run = job_create,
	    .body_most = import_body_most, .fault = "IMPORT_JOB_ERROR" },
	{ "import", "Import Content",
	    .about = "Import an export of another system: analyze, plan (a dry run), start; then "
		     "ask for progress.",
	    .flags = STET_TOOL, IMPORTS, .choose = tool_lane, .in = tool_in, .out = tool_out,
	    .run = tool_run, .fault = "IMPORT_JOB_ERROR",
	    .find = "migrate wordpress wxr ghost csv export file site other system report" },
	{ "import_job_list", "List Imports", .about = "Imports, newest first.",
	    .route = "GET /import/jobs", JOB_READS, .in = job_list_in, .out = job_list_out,
	    .run = job_list, .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_get", "Get Import", .about = "How far an import is, and what it has done.",
	    .route = "GET /import/jobs/:job", JOB_READS, .in = job_by_id, .out = job_out,
	    .run = job_get, .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_events", "Watch Import",
	    .about = "The import as a line of JSON, now and whenever it has changed, until it is "
		     "finished or paused. A stream may end before: ask again.",
	    .route = "GET /import/jobs/:job/events", .flags = STET_STREAM, JOB_READS,
	    .in = job_by_id, .run = job_events, .answers = "application/x-ndjson",
	    .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_items", "List Outcomes", .about = "What became of each item of an import.",
	    .route = "GET /import/jobs/:job/items", JOB_READS, .in = job_items_in,
	    .out = job_items_out, .run = job_items, .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_report", "Download Report",
	    .about = "What became of all items of an import, as a file.",
	    .route = "GET /import/jobs/:job/report", .flags = STET_STREAM, IMPORTS,
	    .in = job_report_in, .run = job_report,
	    .answers = "application/json application/x-ndjson text/csv",
	    .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_redirects", "Download Redirects",
	    .about =
		"Where the addresses of the source lead now: a line for each item whose address "
		"is another one here, and for each slug that it had before.",
	    .route = "GET /import/jobs/:job/redirects", .flags = STET_STREAM, IMPORTS,
	    .in = job_redirects_in, .run = job_redirects, .answers = "text/csv text/plain",
	    .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_pause", "Pause Import", .about = "Let an import wait.",
	    .route = "POST /import/jobs/:job/pause", JOB_WRITES, .in = job_by_id, .out = job_out,
	    .run = job_pause, .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_resume", "Resume Import",
	    .about = "Let an import go on that is paused, or has failed.",
	    .route = "POST /import/jobs/:job/resume", JOB_WRITES, .in = job_by_id, .out = job_out,
	    .run = job_resume, .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_cancel", "Cancel Import", .about = "End an import. What it has made stays.",
	    .route = "POST /import/jobs/:job/cancel", JOB_WRITES, .in = job_by_id, .out = job_out,
	    .run = job_cancel, .fault = "IMPORT_JOB_ERROR" },
	{ "import_job_delete", "Delete Import",
	    .about = "Remove a finished import and its report. What it has made stays.",
	    .route = "DELETE /import/jobs/:job", .lane = STET_WRITE, .permission = "import:execute",
	    .scope = "admin", .flags = STET_DESTRUCTIVE, .in = job_by_id, .out = job_deleted_out,
	    .run = job_delete, .fault = "IMPORT_JOB_ERROR" },
};

static const struct stet_migration migrations[] = {
	{ 1, "files that were copied",
	    "CREATE TABLE import_copies (url TEXT PRIMARY KEY, media_id TEXT NOT NULL,"
	    " copied_at TEXT NOT NULL);",
	    NULL },
	{ 2, "ids of the sources of running imports",
	    "CREATE TABLE import_map ("
	    " run TEXT NOT NULL,"
	    " kind TEXT NOT NULL,"
	    " source TEXT NOT NULL,"
	    " value TEXT NOT NULL,"
	    " PRIMARY KEY (run, kind, source));" },
	{ 3, "analysed files that are kept",
	    "CREATE TABLE import_upload ("
	    " file TEXT NOT NULL PRIMARY KEY,"
	    " analysis TEXT NOT NULL,"
	    " number INTEGER NOT NULL," /* among the files of the analysis */
	    " owner TEXT NOT NULL,"
	    " size INTEGER NOT NULL,"
	    " types TEXT NOT NULL," /* JSON: {type of posts: collection} */
	    " kept_at TEXT NOT NULL);"
	    "CREATE INDEX import_upload_analysis ON import_upload (analysis, number);" },
	{ 4, "what became of each item of an import",
	    "CREATE TABLE import_outcome ("
	    " run TEXT NOT NULL,"
	    " number INTEGER NOT NULL," /* of the item in the export; below 0: a place of the file
					 */
	    " source_id TEXT,"
	    " type TEXT,"
	    " title TEXT,"
	    " address TEXT," /* in the source */
	    " old_slugs TEXT," /* JSON: [slug] */
	    " outcome TEXT NOT NULL,"
	    " reason TEXT,"
	    " notices TEXT," /* JSON: [text] */
	    " collection TEXT,"
	    " item TEXT,"
	    " slug TEXT,"
	    " locale TEXT,"
	    " comments INTEGER NOT NULL,"
	    " assignments INTEGER NOT NULL,"
	    " PRIMARY KEY (run, number));"
	    "CREATE INDEX import_outcome_kind ON import_outcome (run, outcome, number);" },
	{ 5, "imports that run by themselves",
	    "CREATE TABLE import_job ("
	    " id TEXT NOT NULL PRIMARY KEY," /* also of its rows in the map and of its outcomes */
	    " owner TEXT NOT NULL," /* id of the user; '': a command */
	    " state TEXT NOT NULL,"
	    " wanted TEXT," /* the state that it was asked to take */
	    " stage INTEGER NOT NULL," /* enum stage */
	    " done INTEGER NOT NULL," /* of the stage */
	    " total INTEGER NOT NULL,"
	    " attempts INTEGER NOT NULL," /* that came no further */
	    " told INTEGER NOT NULL DEFAULT 0," /* outcomes there were when the last one began */
	    " options TEXT NOT NULL," /* JSON */
	    " found TEXT," /* JSON */
	    " result TEXT NOT NULL," /* JSON */
	    " error TEXT,"
	    " upload TEXT NOT NULL," /* import_upload.analysis */
	    " created_at TEXT NOT NULL,"
	    " started_at TEXT,"
	    " updated_at TEXT NOT NULL,"
	    " finished_at TEXT);"
	    "CREATE INDEX import_job_open ON import_job (id) WHERE finished_at IS NULL;"
	    "CREATE INDEX import_job_created ON import_job (created_at, id);" },
	{ 6, "ids of the sources that stay",
	    "CREATE TABLE import_source ("
	    " origin TEXT NOT NULL," /* of the ids: the site */
	    " source TEXT NOT NULL," /* the id there */
	    " collection TEXT NOT NULL," /* '': it is a file */
	    " item TEXT NOT NULL,"
	    " slug TEXT," /* slug in the source */
	    " hash TEXT NOT NULL," /* of what the item was made from */
	    " version INTEGER NOT NULL," /* version of the item then */
	    " comment INTEGER NOT NULL," /* highest id of one that has come */
	    " PRIMARY KEY (origin, source));"
	    "CREATE INDEX import_source_item ON import_source (collection, item);" },
	{ 7, "what was read of each item, and stored",
	    "ALTER TABLE import_outcome ADD COLUMN account TEXT;" }, /* JSON: account.h */
	{ 8, "where items were in their source",
	    "CREATE TABLE import_moved ("
	    " collection TEXT NOT NULL,"
	    " path TEXT NOT NULL," /* with its query */
	    " item TEXT NOT NULL,"
	    " permalink INTEGER NOT NULL," /* 0: of an earlier slug */
	    " PRIMARY KEY (collection, path));" },
};

static const struct stet_command commands[] = {
	{ "import wxr", .run = command_wxr,
	    .usage = "FILE ... [--dry-run] [--map TYPE=COLLECTION] [--fields] [--field NAME=FIELD] "
		     "[--type NAME=TYPE] [--media-dir DIR] [--no-media] [--locale LOCALE] "
		     "[--update] [--source NAME] [--report FILE] [--redirects FILE]",
	    .about = "Import an export of a WordPress-style site (WXR, also in gzip or zip).",
	    .details =
		"    --dry-run              only try it: nothing is written\n"
		"    --map TYPE=COLLECTION  where posts of a type go; TYPE= leaves them out\n"
		"    --fields               make fields for custom fields that have none here\n"
		"    --field NAME=FIELD     the field here of a custom field, also of a hidden one;\n"
		"                           NAME= leaves it out\n"
		"    --type NAME=TYPE       the type of the field that is made for a custom field\n"
		"    --media-dir DIR        where the files of wp-content/uploads lie; others are fetched\n"
		"    --no-media             leave pictures and files where they are\n"
		"    --locale LOCALE        of items that name none\n"
		"    --update               change what was imported before and has changed there;\n"
		"                           what was changed here, too, stays as it is\n"
		"    --source NAME          keep the ids of the export under this name; the address\n"
		"                           of its site without it\n"
		"    --report FILE          what became of each item: FILE.json, .jsonl or .csv\n"
		"    --redirects FILE       old addresses and new ones: FILE.csv, .map (of nginx),\n"
		"                           or _redirects (of Netlify)\n"
		"Makes the collections and fields that are missing, and nothing twice: it may be\n"
		"interrupted and run again. Items are known by the ids that they have there.\n" },
	{ "import from", .run = command_from,
	    .usage = "FORMAT FILE ... [--dry-run] [--map TYPE=COLLECTION] [--field NAME=FIELD] "
		     "[--type COLUMN=TYPE] [--relation COLUMN=FILE.COLUMN] [--set NAME=VALUE] "
		     "[--media-dir DIR] [--no-media] [--locale LOCALE] "
		     "[--update] [--source NAME] [--report FILE] [--redirects FILE]",
	    .about =
		"Import what another system has: ghost, markdown, csv, jsonl, sanity, contentful, "
		"strapi, directus, payload, notion, blogger, substack, medium, drupal, or a plugin's.",
	    .details =
		"    FORMAT                 one of the importers; without one they are listed\n"
		"    --field NAME=FIELD     the field here of a column or member; NAME= leaves it out\n"
		"    --type COLUMN=TYPE     the type of its field, in place of the one that its\n"
		"                           values suggest; of one of several files FILE.COLUMN\n"
		"    --relation COLUMN=FILE.COLUMN\n"
		"                           the column of csv or jsonl names rows of another file,\n"
		"                           as posts.author_id=authors.id\n"
		"    --set NAME=VALUE       an option of the importer\n"
		"The other options are those of import wxr. Files of a directory are taken from it.\n" },
};

static const struct stet_member url_options[] = {
	{ "url", STET_STRING, .about = "Address of its site, as https://blog.example.org" },
	{ 0 },
};
static const struct stet_member single_options[] = {
	{ "type", STET_STRING, .about = "Collection of a single file" },
	{ 0 },
};
static const struct stet_member row_options[] = {
	{ "fields", STET_OBJECT, .about = "{column: field or member here}; \"\" leaves one out" },
	{ "status", STET_STRING, .about = "Of items whose row does not say one",
	    STET_CHOICES("draft", "published") },
	{ "type", STET_STRING, .about = "Of rows that do not say one" },
	{ "types", STET_OBJECT, .about = "{column: type of its field in a new collection}" },
	{ "relations", STET_OBJECT,
	    .about = "{column: type.column}: its values name rows of this type by that column" },
	{ "dates", STET_STRING, .about = "Order of day and month, where the rows do not show it",
	    STET_CHOICES("dmy", "mdy") },
	{ "encoding", STET_STRING,
	    .about = "Of a table that is neither UTF-8 nor UTF-16, as windows-1252" },
	{ 0 },
};
static const struct stet_member markdown_options[] = {
	{ "locales", STET_STRING, .about = "Locales that names have, as en,de; most are found" },
	{ "paths", STET_STRING,
	    .about = "Documents below others: tree (they get a parent), joined (their slugs have "
		     "the names of directories), name (these are left out)",
	    .fallback = "\"tree\"", STET_CHOICES("tree", "joined", "name") },
	{ "data", STET_STRING, .about = "Files of data: rows (items), or no",
	    .fallback = "\"rows\"", STET_CHOICES("rows", "no") },
	{ 0 },
};
static const struct stet_member status_options[] = {
	{ "status", STET_STRING, .about = "Of its pages, which do not say one",
	    STET_CHOICES("draft", "published") },
	{ 0 },
};
/* The admin pages offer the first one that reads the ending of a file. */
static const struct stet_importer importers[] = {
	{ "ghost", "An export of Ghost (JSON); --set url=URL: the address of its site.",
	    ghost_source, .label = "Ghost (JSON)",
	    .files = (const char *const[]){ ".json", "application/json", NULL },
	    .options = url_options },
	{ "markdown",
	    "Markdown and HTML with front matter of YAML, TOML or JSON, a directory, a zip file or a "
	    "tar archive, as Hugo, "
	    "Jekyll, Astro, Eleventy and Docusaurus have it; --set locales=de,fr, paths=joined|name, "
	    "data=no.",
	    markdown_source, .label = "Markdown: Hugo, Jekyll, Astro (zip)",
	    .files =
		(const char *const[]){ ".zip", ".tar", ".tgz", ".gz", "application/zip", NULL },
	    .options = markdown_options },
	{ "csv",
	    "Rows of CSV below a line of names, of several files with the names of these as types; "
	    "--field NAME=FIELD: where a column goes; --set status=published, type=TYPE, dates=dmy "
	    "or mdy, encoding=NAME.",
	    csv_source, .label = "Table (CSV)",
	    .files = (const char *const[]){ ".csv", ".tsv", ".txt", "text/csv", NULL },
	    .options = row_options },
	{ "jsonl",
	    "Lines of JSON, an object each, or an array of objects; --field and --set as for csv.",
	    lines_source, .label = "Lines of JSON",
	    .files = (const char *const[]){ ".jsonl", ".ndjson", ".json", NULL },
	    .options = row_options },
	{ "sanity",
	    "A dataset of Sanity: the unpacked directory of its export, a zip file of that, or its "
	    "data.ndjson alone.",
	    sanity_source, .label = "Sanity (dataset, zip)",
	    .files = (const char *const[]){ ".zip", ".ndjson", ".tar", ".tgz", ".gz",
		"application/zip", NULL } },
	{ "contentful",
	    "An export of Contentful (JSON); or its directory, or a zip file of that, with the "
	    "downloaded files.",
	    contentful_source, .label = "Contentful (JSON, zip)",
	    .files = (const char *const[]){ ".json", ".zip", "application/json", NULL } },
	{ "strapi",
	    "The unpacked directory of an export of Strapi 4 or 5 (strapi export --no-encrypt), or "
	    "a zip file of that.",
	    strapi_source, .label = "Strapi (zip)",
	    .files =
		(const char *const[]){ ".zip", ".tar", ".tgz", ".gz", "application/zip", NULL } },
	{ "directus",
	    "Items of Directus (JSON), a file for each collection, in a directory or a zip file, "
	    "beside the schema snapshot (JSON or YAML), directus_files.json and uploads; --set "
	    "type=COLLECTION: of a single file.",
	    directus_source, .label = "Directus (JSON, zip)",
	    .files = (const char *const[]){ ".zip", ".json", "application/zip", NULL },
	    .options = single_options },
	{ "payload",
	    "Documents of Payload as lines of JSON, a file for each collection, in a directory or "
	    "a zip file, beside its files; --set type=COLLECTION: of a single file.",
	    payload_source, .label = "Payload (lines of JSON, zip)",
	    .files = (const char *const[]){ ".zip", ".jsonl", "application/zip", NULL },
	    .options = single_options },
	{ "notion",
	    "An export of Notion, as Markdown and CSV or as HTML: its zip file, or the unpacked "
	    "directory; --set status=published.",
	    notion_source, .label = "Notion (zip)",
	    .files = (const char *const[]){ ".zip", "application/zip", NULL },
	    .options = status_options },
	{ "blogger",
	    "An export of Blogger: its feed (Atom), or the zip file of Takeout; --set url=URL: the "
	    "address of the blog.",
	    blogger_source, .label = "Blogger (feed, zip)",
	    .files = (const char *const[]){ ".xml", ".atom", ".zip", "application/atom+xml", NULL },
	    .options = url_options },
	{ "substack",
	    "An export of Substack: its zip file, or the unpacked directory; --set url=URL: the "
	    "address of the publication.",
	    substack_source, .label = "Substack (zip)",
	    .files = (const char *const[]){ ".zip", "application/zip", NULL },
	    .options = url_options },
	{ "medium", "An export of Medium: its zip file, or the unpacked directory.", medium_source,
	    .label = "Medium (zip)",
	    .files = (const char *const[]){ ".zip", "application/zip", NULL } },
	{ "drupal",
	    "Documents of Drupal's JSON:API (node--TYPE with what they include), saved as files: "
	    "one, a directory or a zip file; --set url=URL: the address of the site.",
	    drupal_source, .label = "Drupal (JSON:API, zip)",
	    .files = (const char *const[]){ ".zip", ".json", "application/vnd.api+json", NULL },
	    .options = url_options },
};

static const struct stet_file_column files[] = { { "import_upload", "file", .size = "size" } };
static const struct stet_job jobs[] = { { SWEEP_JOB, sweep_due, sweep_run },
	{ IMPORT_JOB, job_due, job_run } };

static const struct stet_permission permissions[] = {
	{ "import:execute", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "PROBE_ERROR", 500, "Failed to probe the site" },
	{ "NO_STORAGE", 501, "Storage not configured" },
	{ "IMPORT_JOB_ERROR", 500, "Failed to serve the import" },
	{ "IMPORT_ERROR", 500, "Failed to copy the media" },
	{ "REWRITE_ERROR", 500, "Failed to rewrite the addresses" },
	{ "WP_PLUGIN_ANALYZE_ERROR", 500, "Failed to analyze the site" },
	{ "WP_PLUGIN_IMPORT_ERROR", 500, "Failed to import the site" },
	{ "WXR_ANALYZE_ERROR", 500, "Failed to analyze the export" },
	{ "WXR_IMPORT_ERROR", 500, "Failed to import the export" },
	{ "WXR_IMPORT_TAXONOMY_CONFLICT", 409, "A term belongs to another translation group" },
	{ "WXR_PREPARE_ERROR", 500, "Failed to prepare the collections" },
};

static const struct stet_setting_def settings[] = {
	{ { "maxExportSize", STET_INTEGER, STET_BOUNDED,
	    .about = "Most bytes of an export file, also unpacked", STET_RANGE(1, EXPORT_MOST),
	    .fallback = "2147483648" } },
};

/* An item that its schedule publishes gets a new version, but nobody has changed it. The job that
 * does so has no user; imports and their jobs act as one, or store the version themselves. */
static enum stet_status
note_published(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	if (strcmp(change, "publish") != 0 || stet_principal(call)->via != STET_VIA_SYSTEM)
		return STET_OK;
	return ids_follow(call, tx, collection->slug, id, version - 1);
}

static const struct stet_hook hooks[] = { STET_ON(entry_changed, 0, note_published) };
static const char *const needs[] = { "auth", "schema", "content", "html", NULL };
static const char *const guarded[] = { "/import", NULL };

static const struct stet_service_def services[] = {
	STET_SERVICE(STET_IMPORT_MOVED_1, moved_service),
};

STET_MODULE(import) = {
	STET_MODULE_HEAD(import),
	.version = "1.0",
	.summary = "Content of other systems: export files, and sites with an exporter",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.permissions = STET_TABLE(permissions),
	.commands = STET_TABLE(commands),
	.files = STET_TABLE(files),
	.jobs = STET_TABLE(jobs),
	.importers = STET_TABLE(importers),
	.state_size = sizeof(struct import_state),
	.settings = STET_TABLE(settings),
	.statuses = STET_TABLE(statuses),
	.services = STET_TABLE(services),
	.guarded = guarded,
};
