/*
 * copy.c - `stet database copy`: the way from SQLite to PostgreSQL and back. The site stays where
 * it is; another value of `database` in stet.conf makes the copy the site's database.
 */
#include "command/copy.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/words.h"
#include "command/arguments.h"
#include "command/print.h"
#include "command/progress.h"
#include "conf/confdatabase.h"
#include "conf/confdriver.h"
#include "db/ask.h"
#include "db/carry.h"
#include "db/db.h"
#include "db/stamp.h"
#include "module/derived.h"
#include "module/driver.h"
#include "site/live.h"
#include "site/site.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct stet_member copy_in[] = {
	{ "into", STET_STRING, STET_REQUIRED,
	    .about =
		"The URI of a database in PostgreSQL (postgresql:///stet?host=/run/postgresql), "
		"or the path of a new file of SQLite" },
	{ "schema", STET_STRING,
	    .about =
		"Its schema, as database-schema in stet.conf (stet_ and the name of the site)" },
	{ "passwordFile", STET_STRING,
	    .about = "Its password is the first line of this file, as database-password-file" },
	{ 0 },
};

struct copying {
	const struct conf_site *site;
	const struct options *o;
	const char *into, *schema, *password_file;
	struct conf_site target; /* the site with its other database */
	char *why;
};

static char *
dup_or_null(const char *text)
{
	return text != NULL ? xstrdup(text) : NULL;
}

/* ---- the target ---- */

static bool
is_uri(const char *text)
{
	return strncmp(text, CONFDATABASE_SCHEME, strlen(CONFDATABASE_SCHEME)) == 0 ||
	       strstr(text, "://") != NULL;
}

/* The module that brings the engine is usually loaded because stet.conf names it. */
static bool
load_engine(struct copying *c)
{
	if (driver_find(c->o->module_path, c->o->plugin_path, "database-postgresql", &c->why) ==
		NULL &&
	    c->why == NULL)
		c->why = site_lacks_engine(&c->target);
	return c->why == NULL;
}

/* Returns the place of the target as db_open takes it, to be freed; NULL with c->why. */
static char *
place_of(struct copying *c)
{
	struct conf_site *t = &c->target;
	const char *flaw;

	if (!is_uri(c->into)) {
		if (c->schema == NULL && c->password_file == NULL)
			return xstrdup(c->into);
		c->why = xstrdup("--schema and --password-file are about PostgreSQL");
		return NULL;
	}
	free(t->database);
	free(t->database_schema);
	free(t->database_password_file);
	t->database = xstrdup(c->into);
	t->database_schema = dup_or_null(c->schema);
	t->database_password_file = dup_or_null(c->password_file);
	confdatabase_finish(t);
	if ((flaw = confdatabase_flaw(t)) != NULL)
		c->why = xstrdup(flaw);
	return flaw == NULL && load_engine(c) ? confdatabase_place(t) : NULL;
}

/* ---- the copy ---- */

/* A file that was not opened since it was made has no state yet. */
static bool
state_of(struct copying *c, const char *place, struct stamp *state)
{
	struct db *db = db_open(place, DB_READ);
	bool good = db != NULL;

	if (!good)
		c->why = words_format("the database of site %s cannot be opened", c->site->name);
	else if (!stamp_read(db, state))
		*state = (struct stamp){ 0 };
	db_close(db);
	return good;
}

static json_t *
notes_of(const struct copying *c)
{
	json_t *notes = json_array();

	if (!is_uri(c->into))
		json_array_append_new(notes,
		    json_sprintf(
			"A site without the key database has its file in DATA/" SITE_DATABASE "."));
	else if (c->site->files_directory == NULL &&
		 strcmp(confdriver_of(c->site), CONF_DIRECTORY) == 0)
		json_array_append_new(notes,
		    json_string("Files of the site stay in DATA/" DATADIR_FILES
				": with database, stet.conf needs files or files-directory."));
	return notes;
}

static void
tell(const struct copying *c, const struct carry *carry)
{
	print_command_result(stdout, c->o,
	    json_pack("{s:s, s:s, s:s?, s:I, s:I, s:o}", "site", c->site->name, "into", c->into,
		"schema", is_uri(c->into) ? c->target.database_schema : NULL, "tables",
		(json_int_t)carry->tables, "rows", (json_int_t)carry->rows, "notes", notes_of(c)));
}

/* A database that others write to meanwhile would lose what they have written. */
static bool
copy(struct copying *c, const char *from, const char *to)
{
	struct carry carry = { .from = from,
		.to = to,
		.leave = derived_table,
		.change = derived_absence(),
		.pace = { .stop = progress_stop() },
		.progress = progress_show };
	struct stamp before, after;
	bool good =
	    state_of(c, from, &before) && carry_begin(&carry, &c->why) && state_of(c, from, &after);

	if (good && !stamp_same(&before, &after)) {
		c->why = xstrdup("the site was written meanwhile: end what writes, and copy again");
		good = false;
	}
	good = good && carry_keep(&carry, &c->why);
	progress_end();
	if (good)
		tell(c, &carry);
	carry_free(&carry);
	return good;
}

static bool
run(struct copying *c)
{
	char *from = confdatabase_place(c->site), *to = place_of(c);
	int lock = -1;
	bool good = to != NULL;

	if (good && db_there(from) == DB_NOT_THERE) {
		c->why = words_format("there is no site in %s",
		    c->site->database != NULL ? c->site->database_schema : c->site->data);
		good = false;
	}
	good = good && !site_daemons_live(c->site, &lock, &c->why) && copy(c, from, to);
	if (lock >= 0)
		close(lock);
	free(from);
	free(to);
	return good;
}

int
copy_run(const struct conf_site *site, const struct options *o, int argc, char **argv)
{
	json_t *args = json_object();
	int status = argument_parse(copy_in, NULL, argc, argv, args);
	struct copying c = { .site = site,
		.o = o,
		.into = json_string_value(json_object_get(args, "into")),
		.schema = json_string_value(json_object_get(args, "schema")),
		.password_file = json_string_value(json_object_get(args, "passwordFile")) };

	if (status < 0 && c.into == NULL) {
		fputs("stet: --into is missing: say which database to make\n", stderr);
		status = EXIT_USAGE;
	} else if (status < 0) {
		c.target = conf_site_dup(site);
		status = run(&c) ? EXIT_SUCCESS : EXIT_FAILURE;
		conf_site_drop(&c.target);
	}
	if (c.why != NULL) {
		fputs("stet: nothing was copied: ", stderr);
		print_text(stderr, c.why);
		fputc('\n', stderr);
	}
	free(c.why);
	json_decref(args);
	return status;
}
