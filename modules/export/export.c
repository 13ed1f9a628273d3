/* export.c - the descriptor of the module export, which writes sites for other systems. */
#include "export.h"
#include "command.h"

static const struct stet_migration migrations[] = {
	{ 1, "numbers of running exports",
	    "CREATE TABLE export_number ("
	    " run TEXT NOT NULL," /* time when it began, and an id */
	    " name TEXT NOT NULL," /* its kind, and the file or term that has the number */
	    " number INTEGER NOT NULL,"
	    " PRIMARY KEY (run, name));" },
};

static const struct stet_command commands[] = {
	{ "export wxr", .run = command_export_wxr,
	    .usage = "[FILE] [--collection NAME] [--map COLLECTION=TYPE] [--status STATUS]",
	    .about = "Write the site as an export that WordPress imports (WXR 1.2).",
	    .details =
		"    FILE                   where it goes; standard output without it\n"
		"    --collection NAME      only items of this one; may be given again\n"
		"    --map COLLECTION=TYPE  the type of posts that its items are\n"
		"    --status STATUS        only published, draft, scheduled or trash; may be\n"
		"                           given again. Without it all but the trash\n"
		"Import reads it back without a loss.\n" },
	{ "export markdown", .run = command_export_markdown,
	    .usage = "DIRECTORY " OUTGOING_OPTIONS " [--no-media]",
	    .about = "Write the site as Markdown for Hugo, Astro or Eleventy.",
	    .details = "    DIRECTORY          a new directory, or an empty one\n"
		       "    --collection NAME  only items of this one; may be given again\n"
		       "    --locale LOCALE    only items of this locale\n"
		       "    --drafts           items that are not published, too\n"
		       "    --no-media         do not copy files: link to them on this site\n"
		       "Import from markdown reads it back.\n" },
	{ "export jsonl", .run = command_export_jsonl, .usage = "[FILE] " OUTGOING_OPTIONS,
	    .about = "Write items as lines of JSON.",
	    .details = "    FILE               where it goes; standard output without it\n"
		       "    --collection NAME  only items of this one; may be given again\n"
		       "    --locale LOCALE    only items of this locale\n"
		       "    --drafts           items that are not published, too\n"
		       "Import from jsonl reads it back.\n" },
};

static const struct stet_job jobs[] = { { "sweep", names_due, names_sweep } };
static const char *const needs[] = { "auth", "schema", "content", "html", NULL };

STET_MODULE(export) = {
	STET_MODULE_HEAD(export),
	.version = "1.0",
	.summary = "Leaving: the site for WordPress, as Markdown, and as lines of JSON",
	.license = "MIT",
	.needs = needs,
	.migrations = STET_TABLE(migrations),
	.commands = STET_TABLE(commands),
	.jobs = STET_TABLE(jobs),
	.state_size = sizeof(struct export_state),
};
