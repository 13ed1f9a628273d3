/*
 * transfer.c - a site as files, for moving it between installations (development, staging,
 * production): the table of commands.
 */
#include "transfer.h"

static const struct stet_command commands[] = {
	{ "export", .run = export_run, .usage = "DIR",
	    .about = "Write the site as files that diff well: definitions, content, structures." },
	{ "import site", .run = import_run, .usage = "DIR [--delete] [--dry-run] [--strict]",
	    .about = "Make the site what the files of an export say, in one transaction.",
	    .details =
		"  DIR                  Where \"stet export\" wrote\n"
		"  --delete             Delete what no file has; otherwise it stays\n"
		"  --dry-run            Try all of it, say what would change, and undo it\n"
		"  --strict             Refuse values that a save would refuse; otherwise they are\n"
		"                       kept as they were, and listed\n" },
	{ "schema diff", .run = schema_diff_run, .usage = "DIR",
	    .about = "What differs between the site's definitions and those of an export." },
	{ "schema plan", .run = schema_plan_run, .usage = "DIR",
	    .about = "The steps to the definitions of an export, and the rows each touches." },
	{ "schema apply", .run = schema_apply_run, .usage = "DIR [--yes | --plan FINGERPRINT]",
	    .about = "Take those steps, in one transaction.",
	    .details =
		"  DIR                  Where \"stet export\" wrote\n"
		"  --yes                Do not ask\n"
		"  --plan FINGERPRINT   Do not ask; refuse if the plan has another one by now\n" },
};

STET_MODULE(transfer) = {
	STET_MODULE_HEAD(transfer),
	.version = "1.0",
	.summary = "A site as files: export and import",
	.license = "MIT",
	.commands = STET_TABLE(commands),
};
