/* dbcopy.c - a database copied page by page inside a read transaction. */
#include "db/sqlite/dbcopy.h"
#include "base/pace.h"
#include "base/words.h"
#include "db/sqlite/checkpoint.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 10000 /* how long to wait for another process that locks the database */
#define STEP_PAGES 128 /* pages between two pauses of the rate limit */
#define LOG_LONG (256u << 20) /* bytes of WAL growth from which the rate is lifted */

/* The two connections of a copy. */
struct pair {
	sqlite3 *from, *to;
	sqlite3_backup *backup;
};

static bool
fail(const struct dbcopy *c, sqlite3 *handle, char **why)
{
	*why = words_format("%s cannot be copied: %s", c->from,
	    handle != NULL ? sqlite3_errmsg(handle) : "out of memory");
	return false;
}

uint64_t
dbcopy_room(const char *path)
{
	struct stat st;

	return (stat(path, &st) == 0 ? (uint64_t)st.st_size : 0) + checkpoint_log_size(path);
}

/* Begins the read transaction: from here on `from` shows one state. */
static int
begin(struct pair *p, const struct dbcopy *c)
{
	int rc =
	    sqlite3_open_v2(c->from, &p->from, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_busy_timeout(p->from, WAIT_MS);
	if (rc == SQLITE_OK) /* only the writer may checkpoint */
		rc = sqlite3_db_config(p->from, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(p->from,
		    "PRAGMA query_only = ON; BEGIN; SELECT count(*) FROM sqlite_schema", NULL, NULL,
		    NULL);
	return rc;
}

static int
open_copy(struct pair *p, const struct dbcopy *c)
{
	int rc = sqlite3_open_v2(c->to, &p->to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(
		    p->to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
	return rc;
}

/* Lifts the rate if the WAL has grown long: it cannot restart before the copy is done. */
static void
watch_log(struct dbcopy *c, uint64_t before)
{
	uint64_t now = checkpoint_log_size(c->from);

	if (now > before && now - before > c->log_grown)
		c->log_grown = now - before;
	if (c->log_grown > LOG_LONG)
		c->pace.rate = 0;
}

static bool
step(struct pair *p, struct dbcopy *c, char **why)
{
	uint64_t before = checkpoint_log_size(c->from), held = 0;
	int page = 4096, rc;
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(p->from, "PRAGMA page_size", -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW)
		page = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	do {
		uint64_t all;

		rc = sqlite3_backup_step(p->backup, STEP_PAGES);
		all = (uint64_t)sqlite3_backup_pagecount(p->backup);
		c->bytes = all * (uint64_t)page;
		if (c->progress != NULL)
			c->progress(
			    c->arg, all - (uint64_t)sqlite3_backup_remaining(p->backup), all);
		watch_log(c, before);
		pace_write(c->fd, &held, (uint64_t)STEP_PAGES * (uint64_t)page);
		if (rc == SQLITE_OK && !pace_spend(&c->pace, (size_t)STEP_PAGES * (size_t)page)) {
			*why = words_format("it was told to stop");
			return false;
		}
	} while (rc == SQLITE_OK);
	return rc == SQLITE_DONE || fail(c, p->to, why);
}

/* Takes the copy out of WAL mode, so that it is a single file. */
static int
without_log(const char *path)
{
	sqlite3 *handle = NULL;
	int rc = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(handle,
		    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE", NULL, NULL,
		    NULL);
	sqlite3_close(handle);
	return rc;
}

static bool
copy(struct pair *p, struct dbcopy *c, char **why)
{
	bool good;

	if (begin(p, c) != SQLITE_OK)
		return fail(c, p->from, why);
	if (open_copy(p, c) != SQLITE_OK)
		return fail(c, p->to, why);
	if ((p->backup = sqlite3_backup_init(p->to, "main", p->from, "main")) == NULL)
		return fail(c, p->to, why);
	good = step(p, c, why);
	if (sqlite3_backup_finish(p->backup) != SQLITE_OK && good)
		good = fail(c, p->to, why);
	return good;
}

bool
dbcopy_run(struct dbcopy *c, char **why)
{
	struct pair pair = { 0 };
	bool good;

	*why = NULL;
	good = copy(&pair, c, why);
	sqlite3_close(pair.from);
	sqlite3_close(pair.to);
	if (good && without_log(c->to) != SQLITE_OK) {
		*why = words_format("%s: the copy cannot be finished", c->to);
		good = false;
	}
	if (good && fsync(c->fd) != 0) {
		*why = words_format("%s: %s", c->to, strerror(errno));
		good = false;
	}
	return good;
}
