/*
 * checkpoint.c - decides when the WAL is copied into its database and restarted.
 *
 * SQLite's automatic checkpoints are off, since they make one commit wait for all the copying.
 * Instead a thread copies the WAL while the writer goes on (checkpointer.h), or the writer does
 * when it is idle. Once everything is copied, the writer restarts the WAL, for which no reader may
 * need its end; otherwise the file would grow for ever.
 */
#include "db/sqlite/checkpoint.h"
#include "base/log.h"
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#define IDLE 1000 /* pages in the WAL from which an idle writer copies it */
#define FULL 4096 /* pages (16 MiB) from which it is copied in any case */
#define LONG 16384 /* pages (64 MiB) from which a restart waits longer for readers */
#define WAIT_MS 5 /* how long a restart waits for readers */
#define LONG_WAIT_MS 100
#define FILE_MAX (64 << 20) /* bytes to which the WAL's file is cut; the rest is reused */
#define CUT (32 << 20) /* bytes that a busy writer cuts off at a time */

/* Pages that are not copied yet, as far as this connection knows. */
static int
left(const struct sqlite_db *c)
{
	return c->wal_pages - c->wal_done;
}

/* Runs a checkpoint of SQLite's mode. Returns false if readers prevented it from finishing. */
static bool
checkpoint(struct sqlite_db *c, int mode, int wait_ms)
{
	static struct log_gate gate; /* a full disk fails each checkpoint: log that once a minute */
	int pages = -1, done = -1, rc;

	sqlite3_busy_timeout(c->handle, wait_ms);
	rc = sqlite3_wal_checkpoint_v2(c->handle, NULL, mode, &pages, &done);
	sqlite3_busy_timeout(c->handle, LITECONN_BUSY_MS);
	if (rc != SQLITE_OK && rc != SQLITE_BUSY)
		log_seldom(
		    &gate, STET_WARN, "%s: checkpoint: %s", c->db.path, sqlite3_errmsg(c->handle));
	if (pages >= 0) {
		c->wal_pages = pages;
		c->wal_done = done;
	}
	return rc == SQLITE_OK;
}

uint64_t
checkpoint_log_size(const char *path)
{
	char log[4096];
	struct stat st;

	(void)snprintf(log, sizeof(log), "%s-wal", path);
	return stat(log, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Cuts the file of a WAL that was restarted. SQLite cuts it after the next commit, when the part
 * beyond the limit holds nothing valid. Only CUT bytes at a time, since freeing a gigabyte takes
 * half a second. */
static void
trim(struct sqlite_db *c)
{
	uint64_t size = checkpoint_log_size(c->db.path);
	char words[64];

	if (size <= FILE_MAX)
		return;
	(void)snprintf(words, sizeof(words), "PRAGMA journal_size_limit = %" PRIu64,
	    size - CUT > FILE_MAX ? size - CUT : FILE_MAX);
	if (liteconn_pragma(c, words) != SQLITE_OK)
		log_line(STET_WARN, "%s: %s: %s", c->db.path, words, sqlite3_errmsg(c->handle));
}

bool
checkpoint_full(const struct sqlite_db *c)
{
	return left(c) >= FULL;
}

/* Restarts the WAL if all of it is copied. Waits a moment for readers; new writes wait too. If
 * readers take longer, the next attempt comes when the WAL has grown by a quarter: a reader of a
 * much older state, such as a backup, will not end in a moment. */
static void
start_over(struct sqlite_db *c)
{
	int wait_ms;

	c->wal_next = c->wal_pages + FULL;
	if (checkpoint_full(c))
		return;
	wait_ms = c->wal_pages >= LONG ? LONG_WAIT_MS : WAIT_MS;
	if (checkpoint(c, SQLITE_CHECKPOINT_RESTART, wait_ms)) {
		c->wal_next = 0;
		trim(c);
	} else
		c->wal_next = c->wal_pages * 5 / 4;
}

bool
checkpoint_due(const struct sqlite_db *c)
{
	return checkpoint_full(c) && c->wal_pages >= c->wal_next;
}

int
checkpoint_log_pages(const struct sqlite_db *c)
{
	return c->wal_pages;
}

void
checkpoint_copied(struct sqlite_db *c, int done)
{
	c->wal_done = done < c->wal_pages ? done : c->wal_pages;
	start_over(c);
}

void
checkpoint_idle(struct sqlite_db *c)
{
	if (left(c) >= IDLE && c->wal_pages >= c->wal_next)
		(void)checkpoint(c, SQLITE_CHECKPOINT_PASSIVE, 0);
	if (left(c) == 0 && checkpoint_log_size(c->db.path) > FILE_MAX)
		(void)checkpoint(c, SQLITE_CHECKPOINT_TRUNCATE, 0);
}

void
checkpoint_empty_log(struct sqlite_db *c)
{
	(void)checkpoint(c, SQLITE_CHECKPOINT_TRUNCATE, LONG_WAIT_MS);
}
