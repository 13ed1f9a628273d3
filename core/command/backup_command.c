/* backup_command.c - `stet backup`. */
#include "command/backup_command.h"
#include "archive/seal.h"
#include "backup/backup.h"
#include "base/pace.h"
#include "call/call.h"
#include "command/arguments.h"
#include "command/command.h"
#include "command/print.h"
#include "command/progress.h"
#include "command/secret.h"
#include "conf/confcheck.h"
#include "conf/confdatabase.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct stet_member backup_in[] = {
	{ "file", STET_STRING, .about = "The archive to make; - is standard output" },
	{ "force", STET_BOOLEAN, .about = "Replace the file if it is there" },
	{ "rate", STET_STRING, .about = "Bytes a second (64MiB); 0 is as fast as it goes" },
	{ "uncompressed", STET_BOOLEAN, .about = "Without zstd" },
	{ "passphrase", STET_BOOLEAN, .about = "Seal it with a passphrase, asked for" },
	{ "passphraseFile", STET_STRING, .about = "Seal it with the first line of this file" },
	{ "publicKey", STET_STRING, .about = "Seal it for the holder of this key's secret half" },
	{ "newKey", STET_STRING,
	    .about = "Only make a pair: the secret key into this file, the public one printed" },
	{ 0 },
};

static const char *
str(const json_t *args, const char *name)
{
	return json_string_value(json_object_get(args, name));
}

static bool
is(const json_t *args, const char *name)
{
	return json_is_true(json_object_get(args, name));
}

static int
wrong(const char *text)
{
	fprintf(stderr, "stet: %s\n", text);
	return EXIT_USAGE;
}

/* Returns -1 if the arguments are valid. */
static int
check(const struct conf_site *site, const json_t *args)
{
	const char *file = str(args, "file"), *rate = str(args, "rate");
	int seals = is(args, "passphrase") + (str(args, "passphraseFile") != NULL) +
		    (str(args, "publicKey") != NULL);

	if (site == NULL)
		return wrong("which site? Say --data DIR or --config FILE before the command");
	if (file == NULL)
		return wrong("FILE is missing");
	if (seals > 1)
		return wrong("--passphrase, --passphrase-file and --public-key exclude each other");
	if (rate != NULL && confcheck_size(rate) < 0)
		return wrong("--rate is a size: 512KiB, 64MiB, 0");
	if (strcmp(file, "-") == 0 && isatty(STDOUT_FILENO) != 0)
		return wrong("an archive is nothing for a terminal: say a file, or redirect it");
	return -1;
}

static bool
find_key(const json_t *args, struct seal_key *key)
{
	if (is(args, "passphrase"))
		return secret_ask(key, true);
	if (str(args, "passphraseFile") != NULL)
		return secret_passphrase(key, str(args, "passphraseFile"));
	return str(args, "publicKey") == NULL || secret_public(key, str(args, "publicKey"));
}

/* Prints the result; on standard error if the archive itself goes to standard output. */
static void
tell(const struct options *o, const struct backup *b, const char *file, const char *seal)
{
	FILE *f = strcmp(file, "-") == 0 ? stderr : stdout;
	json_t *result =
	    json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:s?}", "site", b->site,
		"file", file, "createdAt", b->created_at, "bytes", (json_int_t)b->bytes,
		"databaseBytes", (json_int_t)b->database_bytes, "files", (json_int_t)b->files,
		"fileBytes", (json_int_t)b->file_bytes, "leftOut", (json_int_t)b->left_out,
		"logGrown", (json_int_t)b->log_grown, "sealed", seal != NULL, "damage", b->damage);

	print_command_result(f, o, result);
	if (b->left_out > 0)
		fprintf(stderr,
		    "stet: %llu links, devices or badly named files are not in the archive\n",
		    (unsigned long long)b->left_out);
	if (b->keyless != NULL)
		fprintf(stderr, "stet: the archive lacks the key of the site: %s\n", b->keyless);
	if (b->damage != NULL)
		fprintf(stderr,
		    "stet: the database is damaged, and so is its copy in the archive: %s\n",
		    b->damage);
}

static int
run(const struct conf_site *site, const struct options *o, const json_t *args,
    const struct seal_key *key)
{
	const char *file = str(args, "file"), *rate = str(args, "rate");
	struct backup b = { .site = site->name,
		.data = site->data,
		.key_file = site->key_file,
		.fd = STDOUT_FILENO,
		.compress = !is(args, "uncompressed"),
		.key = key,
		.rate = rate != NULL ? (uint64_t)confcheck_size(rate) : BACKUP_RATE,
		.stop = progress_stop(),
		.progress = progress_show };
	char *why = NULL, *database = site->database != NULL ? confdatabase_place(site) : NULL;
	bool good;

	b.database = database;
	pace_background();
	good = strcmp(file, "-") == 0 ? backup_write(&b, &why)
				      : backup_file(&b, file, is(args, "force"), &why);
	progress_end();
	if (good)
		tell(o, &b, file, key->kind != SEAL_NONE ? "" : NULL);
	else
		fprintf(stderr, "stet: no backup was made: %s\n", why);
	free(why);
	free(database);
	good = good && b.damage == NULL;
	backup_free(&b);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
backup_run(const struct conf_site *site, const struct options *o, int argc, char **argv)
{
	struct seal_key key = { .kind = SEAL_NONE };
	json_t *args = json_object();
	int status = argument_parse(backup_in, "file", argc, argv, args);

	if (status < 0 && str(args, "newKey") != NULL)
		status = secret_pair(str(args, "newKey")) ? EXIT_SUCCESS : EXIT_FAILURE;
	else if (status < 0 && (status = check(site, args)) < 0)
		status = find_key(args, &key) ? run(site, o, args, &key) : EXIT_FAILURE;
	seal_key_wipe(&key);
	json_decref(args);
	return status;
}
