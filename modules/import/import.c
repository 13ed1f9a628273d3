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
};

static const struct stet_permission permissions[] = {
	{ "import:execute", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "PROBE_ERROR", 500, "Failed to probe the site" },
};

static const char *const needs[] = { "auth", "schema", "content", "media", NULL };
static const char *const guarded[] = { "/import", NULL };

STET_MODULE(import) = {
	STET_MODULE_HEAD(import),
	.version = "1.0",
	.summary = "Content of other systems: export files, and sites with an exporter",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.statuses = STET_TABLE(statuses),
	.guarded = guarded,
};
