/*
 * copied.c - copies the database of a site for an archive. A file of SQLite is copied page by page
 * (dbcopy.h). A database of another engine becomes a file of SQLite (carry.h), so an archive is the
 * same whatever engine the site has.
 */
#include "backup/copied.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/words.h"
#include "db/ask.h"
#include "db/carry.h"
#include "db/sqlite/dbcheck.h"
#include "db/sqlite/dbcopy.h"
#include "module/derived.h"
#include <stdlib.h>
#include <sys/stat.h>

static uint64_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* How large the copy becomes is known for a file only. */
bool
copied_room(const struct backup *b, char **why)
{
	char *file = words_format("%s/" SITE_DATABASE, b->data);
	enum db_there there = db_there(b->database != NULL ? b->database : file);
	bool good = there == DB_THERE;

	if (there == DB_UNKNOWN)
		*why = words_format("the database of site %s cannot be reached", b->site);
	else if (!good)
		*why = words_format("there is no site in %s", b->data);
	good = good && dir_room(b->data, b->database != NULL ? 0 : dbcopy_room(file), why);
	free(file);
	return good;
}

/* ---- the two ways ---- */

static void
pages_done(void *arg, uint64_t done, uint64_t all)
{
	struct backup *b = arg;

	b->progress(b->arg, "copying the database", done, all);
}

static bool
copy_pages(struct backup *b, const char *path, int fd, char **why)
{
	char *database = words_format("%s/" SITE_DATABASE, b->data);
	struct dbcopy c = { .from = database,
		.to = path,
		.fd = fd,
		.pace = { .rate = b->rate, .stop = b->stop },
		.progress = b->progress != NULL ? pages_done : NULL,
		.arg = b };
	bool good = dbcopy_run(&c, why);

	b->log_grown = c.log_grown;
	free(database);
	return good;
}

static bool
copy_rows(struct backup *b, const char *path, char **why)
{
	struct carry c = { .from = b->database,
		.to = path,
		.leave = derived_table,
		.change = derived_absence(),
		.pace = { .rate = b->rate, .stop = b->stop },
		.progress = b->progress,
		.arg = b->arg };
	bool good = carry_run(&c, why);

	carry_free(&c);
	return good;
}

/* ---- the copy ---- */

/* A backup of a damaged database is better than none, but the damage is reported. */
static void
check(struct backup *b, const char *path)
{
	json_t *problems = json_array();
	const char *first;

	if (b->progress != NULL)
		b->progress(b->arg, "checking the copy", 0, 1);
	dbcheck_run(path, problems, problems);
	first = json_string_value(json_array_get(problems, 0));
	if (first != NULL)
		b->damage = xstrdup(first);
	json_decref(problems);
}

bool
copied_write(struct backup *b, const char *path, int fd, char **why)
{
	bool good = b->database != NULL ? copy_rows(b, path, why) : copy_pages(b, path, fd, why);

	b->database_bytes = size_of(path);
	if (good)
		check(b, path);
	return good;
}
