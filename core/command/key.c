/*
 * key.c - the command `stet key`. Rotation takes three steps: the new key is added to the file
 * beside the old one; one transaction seals all values with the new key and records its id in the
 * database; the old key is removed from the file. Whenever the process is killed, the file holds
 * the key that the database names.
 *
 * No daemon may have the site open meanwhile, since it has the old key in memory.
 */
#include "command/key.h"
#include "base/arena.h"
#include "base/words.h"
#include "call/call.h"
#include "command/arguments.h"
#include "command/print.h"
#include "command/secret.h"
#include "db/ask.h"
#include "db/reader.h"
#include "db/writer.h"
#include "module/module.h"
#include "secrets/sealed.h"
#include "site/exclusive.h"
#include "site/live.h"
#include "site/own.h"
#include "site/site.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct change {
	const struct conf_site *conf;
	const struct options *o;
	struct site *site;
	struct sitekeys old, new; /* new: one key */
	struct sealed_work work;
	char *why;
};

static bool
read_keys(const char *path, struct sitekeys *keys, char **why)
{
	return sitekey_read(path, keys, why) == SITEKEY_THERE;
}

/* ---- rotate ---- */

/* A module that is not loaded may have sealed values, which would be lost with the old key. */
static bool
all_installed(struct change *c)
{
	json_t *journal = db_ask_journal(c->site->db_place, &c->why), *row;
	const char *module;
	bool good = journal != NULL;

	json_object_foreach(journal, module,
	    row) if (good && strcmp(module, "core") != 0 && modules_find(module) == NULL)
	{
		c->why = words_format("the module %s made tables, and is not installed: what it has"
				      " sealed would be lost. Install it first, or say --force",
		    module);
		good = false;
	}
	json_decref(journal);
	return good;
}

static enum stet_status
read_id(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	char **id = arg;
	struct stet_rows rows;

	(void)tx;
	STET_TRY(stet_query(call, &rows, "SELECT id FROM site_key", STET_NO_ARGS));
	if (stet_row(&rows) && *id == NULL)
		*id = xstrdup(stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

/* Returns the id of the key that the database names, to be freed, or NULL. It is read in the write
 * lane: the server of a database may not be through yet with what a killed rotation has sent. */
static char *
current_id(const struct change *c)
{
	struct stet_call *call = command_begin(c->site);
	char *id = NULL;
	struct write_job job = { .call = call, .run = read_id, .arg = &id };

	if (writer_run(c->site->writer, &job) != STET_OK)
		(void)command_failed(call);
	call_free(call);
	return id;
}

/* Puts the current key first and drops a key that an interrupted rotation has left. */
static bool
read_old(struct change *c)
{
	char *path = sitekey_path(c->conf->data, c->conf->key_file), *id = NULL;
	const struct sitekey *current = NULL;
	struct sitekey kept;
	bool good = (c->why = vault_problem(c->site)) == NULL && read_keys(path, &c->old, &c->why);

	if (good && (id = current_id(c)) != NULL)
		current = sitekey_find(&c->old, id);
	if (good && current == NULL)
		c->why = xstrdup("the key was changed just now: try again");
	if (current != NULL) {
		kept = *current;
		c->old.key[0] = kept;
		c->old.count = 1;
		sodium_memzero(&kept, sizeof(kept));
	}
	free(id);
	free(path);
	return current != NULL;
}

/* Gets the new key: a fresh one, or the only key in the given file. */
static bool
find_new(struct change *c, const char *file)
{
	if (file == NULL) {
		sitekey_make(&c->new.key[0]);
		c->new.count = 1;
		return true;
	}
	if (!read_keys(file, &c->new, &c->why))
		return false;
	if (c->new.count == 1 && strcmp(c->new.key[0].id_text, c->old.key[0].id_text) != 0)
		return true;
	c->why = xstrdup(c->new.count > 1 ? "the file with the new key holds two"
					  : "the file with the new key holds the old one");
	return false;
}

static bool
reseal(struct change *c)
{
	struct stet_call *call = command_begin(c->site);
	struct write_job job = { .call = call, .run = sealed_rekey, .arg = &c->work };
	bool good;

	c->work.from = &c->old;
	c->work.to = &c->new.key[0];
	c->work.own = &own_sealed;
	good = writer_run(c->site->writer, &job) == STET_OK;
	if (!good)
		(void)command_failed(call);
	call_free(call);
	return good;
}

/* Runs the three steps: write both keys to the file, seal the values again, keep only the new
 * key. */
static bool
change(struct change *c)
{
	struct sitekeys both = { .key = { c->old.key[0], c->new.key[0] }, .count = 2 };
	bool own = c->conf->key_file == NULL, good;

	good = !own || sitekey_write(c->conf->data, NULL, &both, true, NULL, &c->why);
	sitekey_wipe(&both);
	return good && reseal(c) &&
	       (!own || sitekey_write(c->conf->data, NULL, &c->new, true, NULL, &c->why));
}

static void
tell_change(const struct change *c, const char *file)
{
	print_command_result(stdout, c->o,
	    json_pack("{s:s, s:s, s:s, s:I, s:O}", "site", c->conf->name, "was",
		c->old.key[0].id_text, "key", c->new.key[0].id_text, "sealed",
		(json_int_t)c->work.count, "notOpened", c->work.left));
	if (file != NULL)
		fprintf(stderr, "stet: now put %s in the place of %s\n", file, c->conf->key_file);
}

static int
rotate(struct site *site, const struct conf_site *conf, const struct options *o, const json_t *args)
{
	struct change c = { .conf = conf, .o = o, .site = site };
	const char *file = json_string_value(json_object_get(args, "file"));
	bool good = (json_is_true(json_object_get(args, "force")) || all_installed(&c)) &&
		    read_old(&c) && find_new(&c, file) && change(&c);

	if (good)
		tell_change(&c, file);
	else if (c.why != NULL)
		fprintf(stderr, "stet: the key was not changed: %s\n", c.why);
	sitekey_wipe(&c.old);
	sitekey_wipe(&c.new);
	json_decref(c.work.left);
	free(c.why);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- adopt ---- */

static int
adopt(struct site *site, const struct conf_site *conf, const struct options *o)
{
	char *why = vault_problem(site), *path = sitekey_path(conf->data, conf->key_file), *id;
	int status = EXIT_FAILURE;

	if (why == NULL)
		fprintf(stderr, "stet: %s is the key of the site already\n", path);
	else {
		free(why);
		if (vault_adopt(site, &why)) {
			id = sealed_key_id(site->db_place);
			print_command_result(stdout, o,
			    json_pack(
				"{s:s, s:s, s:s?}", "site", conf->name, "file", path, "key", id));
			fputs(
			    "stet: what another key has sealed is lost: \"stet doctor\" names it\n",
			    stderr);
			free(id);
			status = EXIT_SUCCESS;
		} else
			fprintf(stderr, "stet: %s\n", why);
	}
	free(why);
	free(path);
	return status;
}

/* ---- make ---- */

static int
make(const struct options *o, const char *file)
{
	struct sitekey key;
	bool good = secret_site_key(file, &key);

	if (good)
		print_command_result(
		    stdout, o, json_pack("{s:s, s:s}", "file", file, "key", key.id_text));
	sodium_memzero(&key, sizeof(key));
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the command ---- */

const struct stet_member key_in[] = {
	{ "what", STET_STRING, STET_REQUIRED,
	    .about = "rotate: seal all secrets with a new key. adopt: go on with the key that is "
		     "there, or a new one, when the site's own is lost. make: a file with a new "
		     "key",
	    STET_CHOICES("rotate", "adopt", "make") },
	{ "file", STET_STRING,
	    .about = "The file to make; or the one with the new key, where the configuration names "
		     "a key-file" },
	{ "force", STET_BOOLEAN, .about = "Rotate although a module is not installed" },
	{ 0 },
};

static int
on_site(const struct conf_site *conf, const struct options *o, const json_t *args, bool adopts)
{
	int lock, status = EXIT_FAILURE;
	struct site *site = NULL;
	char *why = NULL;

	if (!site_daemons_live(conf, &lock, &why))
		site = site_open(conf, false, &why);
	/* A daemon may have come since, which would seal with the old key: from here on it cannot.
	 */
	if (site == NULL || !exclusive_begin(site, &why) || site_others_live(conf, &why))
		fprintf(stderr, "stet: %s\n", why != NULL ? why : "the site cannot be opened");
	else if (adopts)
		status = adopt(site, conf, o);
	else
		status = rotate(site, conf, o, args);
	if (site != NULL)
		exclusive_end(site);
	free(why);
	if (site != NULL) {
		reader_close(NULL);
		site_close(site);
	}
	if (lock >= 0)
		close(lock);
	return status;
}

static int
wrong(const char *text)
{
	fprintf(stderr, "stet: %s\n", text);
	return EXIT_USAGE;
}

static int
run(const struct conf_site *conf, const struct options *o, const json_t *args)
{
	const char *what = json_string_value(json_object_get(args, "what"));
	const char *file = json_string_value(json_object_get(args, "file"));
	bool adopts = strcmp(what, "adopt") == 0;

	if (strcmp(what, "make") == 0)
		return file != NULL ? make(o, file) : wrong("say which file to make");
	if (conf == NULL)
		return wrong("which site? Say --data DIR or --config FILE");
	if (file != NULL && (adopts || conf->key_file == NULL))
		return wrong("no file is wanted: the site has its key in its data directory");
	if (file == NULL && !adopts && conf->key_file != NULL)
		return wrong("the configuration names a key-file: say which file holds the new key"
			     " (\"stet key make FILE\")");
	if (access(conf->data, F_OK) != 0)
		return wrong("there is no site; \"stet init\" makes one");
	return on_site(conf, o, args, adopts);
}

int
key_run(const struct conf_site *conf, const struct options *o, int argc, char **argv)
{
	json_t *args = json_object();
	int status = argument_parse(key_in, "what file", argc, argv, args);

	if (status < 0)
		status = run(conf, o, args);
	json_decref(args);
	return status;
}
