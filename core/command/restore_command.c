/* restore_command.c - `stet restore`. */
#include "command/restore_command.h"
#include "archive/pack.h"
#include "archive/seal.h"
#include "archive/unpack.h"
#include "backup/archive.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/leftover.h"
#include "base/words.h"
#include "call/call.h"
#include "command/arguments.h"
#include "command/backup_command.h"
#include "command/command.h"
#include "command/print.h"
#include "command/progress.h"
#include "command/restore.h"
#include "command/restore_key.h"
#include "command/secret.h"
#include "conf/confdatabase.h"
#include "db/ask.h"
#include "db/carry.h"
#include "db/shut.h"
#include "module/derived.h"
#include "site/datadir.h"
#include "site/live.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct stet_member restore_in[] = {
	{ "file", STET_STRING, STET_REQUIRED, .about = "The backup; - is standard input" },
	{ "force", STET_BOOLEAN, .about = "Replace the site that is there; it is kept beside" },
	{ "yes", STET_BOOLEAN, .about = "Do not ask whether --force is meant" },
	{ "passphraseFile", STET_STRING, .about = "What opens it is the first line of this file" },
	{ "keyFile", STET_STRING,
	    .about = "The secret key that opens it; of a backup that is not encrypted, the key of "
		     "the site" },
	{ 0 },
};

/* The state of one restore. */
struct restoring {
	const struct conf_site *site;
	const struct options *o;
	const json_t *args;
	struct archive archive;
	char *beside, *kept, *why;
	char *place; /* of a database that is no file in the directory; NULL: it is one */
	struct carry carry; /* into that database */
	json_t *notes;
	int held; /* lock of the directory that is being unpacked */
};

static const char *
str(const json_t *args, const char *name)
{
	return json_string_value(json_object_get(args, name));
}

/* ---- checks before unpacking ---- */

static bool
confirmed(const struct restoring *r)
{
	char line[16];

	if (json_is_true(json_object_get(r->args, "yes")))
		return true;
	if (isatty(STDIN_FILENO) == 0 || strcmp(str(r->args, "file"), "-") == 0) {
		fputs(
		    "stet: nobody is there to be asked whether --force is meant: say --yes, too\n",
		    stderr);
		return false;
	}
	fprintf(stderr, "The site in %s%s%s will be replaced; it is kept beside. Go on? [no/yes] ",
	    r->site->data, r->place != NULL ? " and in the schema " : "",
	    r->place != NULL ? r->site->database_schema : "");
	if (fgets(line, sizeof(line), stdin) != NULL && strcmp(line, "yes\n") == 0)
		return true;
	fputs("stet: nothing was changed\n", stderr);
	return false;
}

/* Returns true if there is no site, or it may be replaced. */
static bool
may(struct restoring *r)
{
	char *place = confdatabase_place(r->site);
	enum db_there there = db_there(place);

	free(place);
	if (there == DB_UNKNOWN)
		r->why = xstrdup("the database in PostgreSQL cannot be reached");
	if (there != DB_THERE)
		return there == DB_NOT_THERE;
	r->carry.replace = json_is_true(json_object_get(r->args, "force"));
	if (r->carry.replace)
		return confirmed(r);
	if (r->place != NULL)
		fprintf(stderr,
		    "stet: there is a site in the schema %s already; --force replaces it\n",
		    r->site->database_schema);
	else
		fprintf(stderr, "stet: there is a site in %s already; --force replaces it\n",
		    r->site->data);
	return false;
}

/* ---- unpacking ---- */

int
restore_input(const char *path)
{
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
					: open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fprintf(stderr, "stet: %s: %s\n", path, strerror(errno));
	return fd;
}

/* Gets the key: from the arguments, otherwise a passphrase from the terminal. */
static bool
find_key(const struct unpack *u, const json_t *args, struct seal_key *key)
{
	if (unpack_sealed(u) == SEAL_NONE)
		return true;
	if (str(args, "passphraseFile") != NULL)
		return secret_passphrase(key, str(args, "passphraseFile"));
	if (str(args, "keyFile") != NULL)
		return secret_key(key, str(args, "keyFile"));
	if (unpack_sealed(u) == SEAL_PASSPHRASE)
		return secret_ask(key, false);
	fputs("stet: it is sealed for the holder of a secret key: say --key-file FILE\n", stderr);
	return false;
}

bool
restore_unpack(struct archive *a, const json_t *args, const char *directory, int fd, char **why)
{
	struct seal_key key = { .kind = SEAL_NONE };
	struct unpack u;
	bool good;

	*why = NULL;
	/* The reason why there is no key was written already. */
	good = unpack_begin(&u, fd) && find_key(&u, args, &key) && unpack_open(&u, &key);
	if (u.why != NULL)
		*why = xstrdup(u.why);
	seal_key_wipe(&key);
	a->from = &u;
	a->sealed = unpack_sealed(&u) != SEAL_NONE;
	a->directory = good ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	a->progress = progress_show;
	a->stop = progress_stop();
	if (good)
		good = archive_read(a, why);
	progress_end();
	if (good && syncfs(a->directory) != 0) {
		*why = words_format("%s: %s", directory, strerror(errno));
		good = false;
	}
	if (a->directory >= 0)
		close(a->directory);
	unpack_free(&u);
	return good;
}

static bool
check_restored(struct restoring *r)
{
	json_t *problems = json_array();
	bool good;

	restore_check(r->beside, problems, r->notes);
	good = json_array_size(problems) == 0;
	if (!good)
		r->why = xstrdup(json_string_value(json_array_get(problems, 0)));
	json_decref(problems);
	return good && restore_key(r->beside, r->site,
			   r->archive.sealed ? NULL : str(r->args, "keyFile"), r->notes, &r->why);
}

/* ---- the report ---- */

static void
tell(const struct restoring *r)
{
	json_t *result = json_pack("{s:s, s:s, s:O, s:O, s:I, s:I, s:s?, s:s*, s:O}", "site",
	    r->site->name, "data", r->site->data, "from", json_object_get(r->archive.head, "site"),
	    "createdAt", json_object_get(r->archive.head, "createdAt"), "files",
	    (json_int_t)r->archive.files, "bytes", (json_int_t)r->archive.bytes, "kept", r->kept,
	    "keptSchema", r->carry.kept, "notes", r->notes);

	print_command_result(stdout, r->o, result);
}

/* ---- the command ---- */

/* Files of modules that are kept elsewhere are in no archive, and these are not there yet. */
static void
note_files(const struct restoring *r)
{
	char *files = words_format("%s/" DATADIR_FILES, r->beside);

	if (access(files, F_OK) == 0)
		json_array_append_new(r->notes,
		    json_sprintf("the backup holds files of modules: they are in %s/" DATADIR_FILES
				 ", and stet.conf keeps them elsewhere",
			r->site->data));
	free(files);
}

/* The archive's file of SQLite becomes the database where the site has it, up to the last step. */
static bool
carry(struct restoring *r)
{
	char *file = words_format("%s/" SITE_DATABASE, r->beside);
	bool good;

	r->carry.from = file;
	r->carry.to = r->place;
	r->carry.leave = derived_table;
	r->carry.change = derived_absence();
	r->carry.pace.stop = progress_stop();
	r->carry.progress = progress_show;
	good = carry_begin(&r->carry, &r->why);
	progress_end();
	if (good && unlink(file) != 0) {
		r->why = words_format("%s: %s", file, strerror(errno));
		good = false;
	}
	free(file);
	note_files(r);
	return good;
}

/* Who has come since the old schema was closed would go on reading it. */
static bool
alone(struct restoring *r, struct shut *shut)
{
	if (site_others_live(r->site, &r->why))
		return false;
	if (shut_last(shut))
		return true;
	r->why = xstrdup("the database was open to others while it was copied");
	return false;
}

/* Only a directory that is no mount point can be switched, so that comes before the last step of
 * the database. */
static bool
switch_both(struct restoring *r, struct shut *shut)
{
	char *why;

	if (!restore_switch(r->beside, r->site->data, &r->kept, &r->why))
		return false;
	if (r->place == NULL || (alone(r, shut) && carry_keep(&r->carry, &r->why)))
		return true;
	restore_switch_back(r->site->data, r->kept);
	why = r->why;
	r->why = words_format("%s; the data directory is the one from before", why);
	free(why);
	return false;
}

/* Copying may take long: nobody writes into the schema that is replaced, from the beginning of the
 * copy to the moment in which it has another name. */
static bool
replace(struct restoring *r)
{
	struct shut *shut =
	    r->carry.replace && r->place != NULL ? shut_begin(r->place, &r->why) : NULL;
	bool good = r->why == NULL && (r->place == NULL || carry(r)) && switch_both(r, shut);

	shut_end(shut, !good);
	return good;
}

static bool
restore(struct restoring *r, int fd)
{
	if ((r->beside = restore_beside(r->site->data, &r->held, &r->why)) == NULL)
		return false;
	r->archive.owner = r->beside;
	return restore_unpack(&r->archive, r->args, r->beside, fd, &r->why) && check_restored(r) &&
	       replace(r);
}

/* Holds the daemon's lock if there is a directory to lock. */
static int
run(struct restoring *r)
{
	int lock = -1, fd;
	bool good = true;

	if (site_daemons_live(r->site, &lock, &r->why))
		good = false;
	else if (!may(r) || (fd = restore_input(str(r->args, "file"))) < 0)
		good = false;
	else {
		r->notes = json_array();
		good = restore(r, fd);
		close(fd);
		if (!good && r->beside != NULL)
			leftover_remove(r->beside);
		if (r->held >= 0)
			close(r->held);
	}
	if (good)
		tell(r);
	else if (r->why != NULL) {
		fputs("stet: nothing was restored: ", stderr);
		print_text(stderr, r->why); /* escapes it: part of it may come from the archive */
		fputc('\n', stderr);
	}
	if (lock >= 0)
		close(lock);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
restore_run(const struct conf_site *site, const struct options *o, int argc, char **argv)
{
	json_t *args = json_object();
	struct restoring r = { .site = site, .o = o, .args = args, .held = -1 };
	int status = argument_parse(restore_in, "file", argc, argv, args);

	if (status < 0) {
		r.place = site->database != NULL ? confdatabase_place(site) : NULL;
		status = run(&r);
	}
	carry_free(&r.carry);
	archive_free(&r.archive);
	json_decref(r.notes);
	json_decref(args);
	free(r.beside);
	free(r.kept);
	free(r.place);
	free(r.why);
	return status;
}
