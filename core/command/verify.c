/*
 * verify.c - the command `stet verify`: checks of the engine, migrations, and the modules' own
 * checks.
 */
#include "command/verify.h"
#include "backup/archive.h"
#include "base/buf.h"
#include "base/leftover.h"
#include "base/words.h"
#include "call/call.h"
#include "call/error.h"
#include "call/json.h"
#include "call/site.h"
#include "command/arguments.h"
#include "command/command.h"
#include "command/print.h"
#include "command/restore.h"
#include "command/restore_command.h"
#include "db/driver.h"
#include "db/rows.h"
#include "files/storecheck.h"
#include "op/args.h"
#include "op/dispatch.h"
#include <errno.h>
#include <stdlib.h>
#include <stet/file.h>
#include <string.h>
#include <unistd.h>

#define VERIFYING "-verify-" /* in the name of the directory for a database that is checked */

/* Adds a check to the report: {name, ok, problems}. Takes ownership of problems. */
static void
report(json_t *checks, const char *name, json_t *problems)
{
	json_array_append_new(checks, json_pack("{s:s, s:b, s:o}", "check", name, "ok",
					  json_array_size(problems) == 0, "problems", problems));
}

static json_t *
failure(struct stet_call *call)
{
	enum stet_status status = error_outcome(call);
	const char *text = call->error.text != NULL ? call->error.text : stet_status_text(status);

	return json_pack("[o]", json_sprintf("%s: %s", stet_status_name(status), text));
}

static void
database(struct site *site, json_t *checks)
{
	json_t *damage = json_array(), *references = json_array(), *notes = json_array();

	db_driver_of(site->db_place)->check(site->db_place, damage, references, notes);
	report(checks, "database", damage);
	if (json_array_size(notes) > 0)
		json_object_set(json_array_get(checks, 0), "notes", notes);
	report(checks, "references", references);
	json_decref(notes);
}

/* A site is broken if its migrations failed or its journal is newer than its modules. */
static void
migrations(struct site *site, json_t *checks)
{
	json_t *problems = json_array();

	if (site->broken != NULL)
		json_array_append_new(problems, json_string(site->broken));
	report(checks, "migrations", problems);
}

/* ---- modules ---- */

static void
run_check(struct site *site, json_t *checks, const struct op *op)
{
	struct stet_call *call = command_begin(site);
	const char *why;
	size_t position;
	json_t *result = NULL, *problems;

	call->op = op;
	call->owner = op->owner;
	if (args_json(call, NULL) == STET_OK && dispatch_run(call) == STET_OK)
		result = json_parse(call->out.buf.data, call->out.buf.len, &why, &position);
	if (result == NULL)
		problems = failure(call);
	else if (json_is_array(json_object_get(result, "problems")))
		problems = json_incref(json_object_get(result, "problems"));
	else
		problems = json_pack("[s]", "its check answers no list of problems");
	report(checks, op->owner->m.name, problems);
	json_decref(result);
	rows_end_call(call);
	call_free(call);
}

static void
modules(struct site *site, json_t *checks)
{
	struct generation *gen = site_generation(site);

	for (size_t i = 0; i < gen->op_count; i++) {
		const struct op *op = &gen->op[i];
		struct buf name = { 0 };

		buf_printf(&name, "%s_verify", op->owner->m.name);
		for (char *c = name.data; *c != '\0'; c++)
			*c = (char)(*c == '-' ? '_' : *c);
		if (strcmp(op->row.name, name.data) == 0 || strcmp(op->row.name, "verify") == 0)
			run_check(site, checks, op);
		buf_free(&name);
	}
	generation_put(gen);
}

/* ---- files ---- */

static void
check_files(struct site *site, const struct loaded *owner, json_t *problems, json_t *notes)
{
	struct stet_call *call = command_begin(site);

	call->owner = owner;
	if (storecheck_verify(call, problems, notes) != STET_OK)
		json_array_extend(problems, stet_json_own(call, failure(call)));
	rows_end_call(call);
	call_free(call);
}

/* Checks files of all modules that keep any; without such modules nothing is reported. */
static void
files(struct site *site, json_t *checks)
{
	struct generation *gen = site_generation(site);
	json_t *problems = json_array(), *notes = json_array();
	bool some = false;

	for (size_t i = 0; i < gen->module_count; i++) {
		if (gen->module[i]->m.files.count == 0)
			continue;
		some = true;
		check_files(site, gen->module[i], problems, notes);
	}
	generation_put(gen);
	if (some) {
		report(checks, "files", problems);
		json_object_set(
		    json_array_get(checks, json_array_size(checks) - 1), "notes", notes);
	} else
		json_decref(problems);
	json_decref(notes);
}

/* ---- the report ---- */

static void
say_each(const json_t *list)
{
	const json_t *words;
	size_t i;

	json_array_foreach(list, i, words)
	{
		fputs("  ", stdout);
		print_text(
		    stdout, json_string_value(words) != NULL ? json_string_value(words) : "?");
		fputc('\n', stdout);
	}
}

static void
say(const json_t *checks)
{
	const json_t *c;
	size_t i;

	json_array_foreach(checks, i, c)
	{
		const json_t *problems = json_object_get(c, "problems");

		printf("%-20s %s\n", json_string_value(json_object_get(c, "check")),
		    json_array_size(problems) == 0 ? "ok" : "DAMAGED");
		say_each(problems);
		say_each(json_object_get(c, "notes"));
	}
}

/* Prints the checks and frees them. Returns an exit status. */
static int
conclude(const struct options *o, json_t *checks)
{
	bool ok = true;
	char *text;
	json_t *c;
	size_t i;

	json_array_foreach(checks, i, c) ok &= json_is_true(json_object_get(c, "ok"));
	if (!o->json)
		say(checks);
	else {
		text = json_text(checks);
		printf("{\"ok\":%s,\"checks\":%s}\n", ok ? "true" : "false", text);
		free(text);
	}
	json_decref(checks);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
verify_run(struct site *site, const struct options *o, int argc, char **argv)
{
	json_t *checks = json_array();

	(void)argc; /* with arguments, the command checks a backup */
	(void)argv;
	database(site, checks);
	migrations(site, checks);
	modules(site, checks);
	files(site, checks);
	return conclude(o, checks);
}

/* ---- a backup ---- */

const struct stet_member verify_in[] = {
	{ "file", STET_STRING, .about = "A backup, rather than a site; - is standard input" },
	{ "passphraseFile", STET_STRING, .about = "What opens it is the first line of this file" },
	{ "keyFile", STET_STRING, .about = "The secret key that opens it" },
	{ 0 },
};

/* Returns a directory for the backup's database, locked by *held; NULL after an error message. */
static char *
scratch(int *held)
{
	const char *top = getenv("TMPDIR");
	char *base = words_format("%s/stet", top != NULL && *top != '\0' ? top : "/var/tmp");
	char *path = words_format("%s" VERIFYING "XXXXXX", base);

	leftover_sweep(base, VERIFYING);
	free(base);
	if (mkdtemp(path) != NULL && (*held = leftover_claim(path)) >= 0)
		return path;
	fprintf(stderr, "stet: %s: %s\n", path, strerror(errno));
	free(path);
	return NULL;
}

/* Checks the archive. Returns NULL if it could not be read. */
static json_t *
check_file(const json_t *args, int fd, const char *directory)
{
	struct archive archive = { .owner = directory, .database_only = true };
	json_t *checks, *problems, *notes;
	char *why = NULL;
	bool good = restore_unpack(&archive, args, directory, fd, &why);

	/* A missing key was reported already, and is no problem of the archive. */
	if (!good && why == NULL) {
		archive_free(&archive);
		return NULL;
	}
	checks = json_array();
	problems = json_array();
	notes = json_array();
	if (!good)
		json_array_append_new(problems, json_string(why));
	report(checks, "archive", problems);
	if (good) {
		problems = json_array();
		restore_check(directory, problems, notes);
		report(checks, "database", problems);
	}
	archive_free(&archive);
	json_decref(notes);
	free(why);
	return checks;
}

int
verify_file(const struct conf_site *site, const struct options *o, int argc, char **argv)
{
	json_t *args = json_object(), *checks;
	int status = argument_parse(verify_in, "file", argc, argv, args), fd, held;
	const char *file = json_string_value(json_object_get(args, "file"));
	char *directory;

	(void)site;
	if (status < 0 && file == NULL) {
		fputs("stet: FILE is missing\n", stderr);
		status = EXIT_USAGE;
	} else if (status < 0 && (fd = restore_input(file)) < 0)
		status = EXIT_FAILURE;
	else if (status < 0) {
		status = EXIT_FAILURE;
		if ((directory = scratch(&held)) != NULL) {
			checks = check_file(args, fd, directory);
			if (checks != NULL)
				status = conclude(o, checks);
			leftover_remove(directory);
			close(held);
			free(directory);
		}
		close(fd);
	}
	json_decref(args);
	return status;
}
