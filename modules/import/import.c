/*
 * import - content of other systems: from export files (WXR), or from a running site by an exporter
 * that is installed there. Nothing is written before a source is known to be readable to its end.
 */
#include "import.h"

/* clang-format off */
#define IMPORTS .lane = STET_SLOW, .permission = "import:execute", .scope = "admin"
/* clang-format on */

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
	{ "import_prepare", "Prepare Collections for Import",
	    .about = "Make the collections and fields that an import needs. What exists stays as "
		     "it is.",
	    .route = "POST /import/platform/prepare", IMPORTS, .in = prepare_in, .out = prepare_out,
	    .run = import_prepare, .answers = "application/json", .fault = "WXR_PREPARE_ERROR" },
};

static const struct stet_permission permissions[] = {
	{ "import:execute", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "PROBE_ERROR", 500, "Failed to probe the site" },
	{ "WXR_ANALYZE_ERROR", 500, "Failed to analyze the export" },
	{ "WXR_PREPARE_ERROR", 500, "Failed to prepare the collections" },
};

static const struct stet_setting_def settings[] = {
	{ { "maxExportSize", STET_INTEGER, STET_BOUNDED,
	    .about = "Most bytes of an export file, also unpacked", STET_RANGE(1, EXPORT_MOST),
	    .fallback = "2147483648" } },
};

static const char *const needs[] = { "auth", "schema", "content", NULL };
static const char *const guarded[] = { "/import", NULL };

STET_MODULE(import) = {
	STET_MODULE_HEAD(import),
	.version = "1.0",
	.summary = "Content of other systems: export files, and sites with an exporter",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.settings = STET_TABLE(settings),
	.statuses = STET_TABLE(statuses),
	.guarded = guarded,
};
