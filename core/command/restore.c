/* restore.c - checks the unpacked directory and makes it the site's. */
#include "command/restore.h"
#include "backup/keeper.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/leftover.h"
#include "base/words.h"
#include "db/ask.h"
#include "db/sqlite/dbcheck.h"
#include "site/migrate.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- checking ---- */

static void
check_journal(const json_t *journal, json_t *problems, json_t *notes)
{
	const char *module;
	json_t *row;

	json_object_foreach((json_t *)(uintptr_t)journal, module, row)
	{
		bool known;
		char *why =
		    migrate_refusal(module, json_integer_value(json_object_get(row, "version")),
			json_string_value(json_object_get(row, "digest")), &known);

		if (why != NULL)
			json_array_append_new(problems, json_string(why));
		else if (!known)
			json_array_append_new(notes,
			    json_sprintf("it holds tables of the module %s, which is not installed"
					 " here",
				module));
		free(why);
	}
}

void
restore_check(const char *directory, json_t *problems, json_t *notes)
{
	char *database = words_format("%s/" SITE_DATABASE, directory), *why = NULL;
	json_t *journal;

	dbcheck_run(database, problems, problems);
	if (json_array_size(problems) == 0) {
		if ((journal = db_ask_journal(database, &why)) != NULL)
			check_journal(journal, problems, notes);
		else
			json_array_append_new(problems, json_string(why));
		json_decref(journal);
	}
	free(why);
	free(database);
}

/* ---- directories ---- */

/* Resolves links to the site's directory; to be freed. */
static char *
real_dup(const char *data)
{
	char *real = realpath(data, NULL);

	return real != NULL ? real : xstrdup(data);
}

char *
restore_beside(const char *data, int *held, char **why)
{
	char *real = real_dup(data), *parent = dir_parent_dup(real);
	char *path = words_format("%s" DATADIR_RESTORING "XXXXXX", real);
	struct stat st;
	bool there = stat(real, &st) == 0;

	leftover_sweep(real, DATADIR_RESTORING);
	*held = mkdtemp(path) != NULL ? leftover_claim(path) : -1;
	if (*held < 0) {
		*why =
		    words_format("a directory cannot be made in %s: %s", parent, strerror(errno));
		free(path);
		path = NULL;
	} else {
		dir_give(*held, there ? real : parent);
		if (there)
			(void)fchmod(*held, st.st_mode & 07777);
	}
	free(parent);
	free(real);
	return path;
}

/* ---- the switch ---- */

/* Files of the program, not of the site, stay with the directory's path. */
static void
bring_along(const char *from, const char *to)
{
	static const char *const names[] = { DATADIR_BACKUPS, DATADIR_UPGRADES, DATADIR_MODULES,
		KEEPER_STATUS };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *old = words_format("%s/%s", from, names[i]);
		char *new = words_format("%s/%s", to, names[i]);

		(void)rename(old, new); /* it may be missing */
		free(old);
		free(new);
	}
}

static char *
kept_name(const char *real)
{
	char now[CLOCK_TEXT_SIZE];

	clock_digits(clock_now(), now);
	return words_format("%s.before-restore-%s", real, now);
}

static bool
fail(char **why, const char *what)
{
	*why = errno == EBUSY ? words_format("%s is a mount point, and cannot be switched: let the"
					     " data directory be one inside it",
				    what)
			      : words_format("%s: %s", what, strerror(errno));
	return false;
}

bool
restore_switch(const char *beside, const char *data, char **kept, char **why)
{
	char *real = real_dup(data), *parent = dir_parent_dup(real), *name = kept_name(real);
	struct stat st;
	bool good = true;

	*kept = NULL;
	leftover_unclaim(beside); /* from here on no sweep may remove it */
	if (lstat(real, &st) != 0) {
		if (renameat2(AT_FDCWD, beside, AT_FDCWD, real, RENAME_NOREPLACE) != 0)
			good = fail(why, real);
	} else if (renameat2(AT_FDCWD, beside, AT_FDCWD, real, RENAME_EXCHANGE) != 0)
		good = fail(why, real);
	else {
		/* The switch is done; the old directory has the other name. */
		bring_along(beside, real);
		*kept = xstrdup(rename(beside, name) == 0 ? name : beside);
	}
	/* The rename succeeded: from here on a failure leaves the new directory in place. */
	if (good && !dir_sync(parent, why)) {
		fprintf(stderr, "stet: %s\n", *why);
		free(*why);
		*why = NULL;
	}
	free(real);
	free(parent);
	free(name);
	return good;
}

void
restore_switch_back(const char *data, const char *kept)
{
	char *real = real_dup(data);

	if (kept == NULL)
		leftover_remove(real);
	else if (renameat2(AT_FDCWD, kept, AT_FDCWD, real, RENAME_EXCHANGE) == 0) {
		bring_along(kept, real);
		leftover_remove(kept);
	}
	free(real);
}
