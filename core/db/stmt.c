/*
 * stmt.c - the cache of prepared statements of one connection. The key is the text of the SQL; the
 * least recently used idle statement is evicted.
 */
#include "db/stmt.h"
#include "base/arena.h"
#include "base/buf.h"
#include "db/own.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* bytes; longer texts are built for one call and unlikely to come again */
#define SQL_CACHED_MAX 16384

static void
idle_remove(struct stmt *s)
{
	struct db *db = s->db;

	*(s->prev != NULL ? &s->prev->next : &db->latest) = s->next;
	*(s->next != NULL ? &s->next->prev : &db->oldest) = s->prev;
	s->prev = s->next = NULL;
}

static void
idle_add(struct stmt *s)
{
	struct db *db = s->db;

	s->prev = NULL;
	s->next = db->latest;
	*(db->latest != NULL ? &db->latest->prev : &db->oldest) = s;
	db->latest = s;
}

static void
destroy(struct stmt *s)
{
	struct stmt **link = &s->db->bucket[s->hash % STMT_BUCKETS];

	while (*link != s)
		link = &(*link)->chain;
	*link = s->chain;
	s->db->cached--;
	sqlite3_finalize(s->handle);
	free(s);
}

static bool
blank(const char *tail)
{
	return tail[strspn(tail, " \t\r\n;")] == '\0';
}

/* Returns true if the statement writes something that the count of changed rows may not show. */
static bool
alters(sqlite3_stmt *handle, const char *sql)
{
	return sqlite3_stmt_readonly(handle) == 0 && strncmp(sql, "INSERT ", 7) != 0 &&
	       strncmp(sql, "UPDATE ", 7) != 0 && strncmp(sql, "DELETE ", 7) != 0;
}

/* For tests that look for table scans: records the text and query plan of a new statement. */
static void
trace(struct db *db, const char *sql)
{
	sqlite3_stmt *plan;
	struct buf text = { 0 };

	buf_printf(db->trace, "%s\n", sql);
	buf_printf(&text, "EXPLAIN QUERY PLAN %s", sql);
	if (sqlite3_prepare_v2(db->handle, text.data, -1, &plan, NULL) == SQLITE_OK) {
		while (sqlite3_step(plan) == SQLITE_ROW)
			buf_printf(
			    db->trace, "    %s\n", (const char *)sqlite3_column_text(plan, 3));
		sqlite3_finalize(plan);
	}
	buf_free(&text);
}

int
stmt_prepare(
    struct db *db, const char *sql, int size, unsigned flags, sqlite3_stmt **out, const char **tail)
{
	int rc;

	db->renames = db->denied = false;
	rc = sqlite3_prepare_v3(db->handle, sql, size, flags, out, tail);
	if (rc == SQLITE_OK && db->renames && !own_rename(db->plugin, sql)) {
		sqlite3_finalize(*out);
		*out = NULL;
		db->denied = true;
		rc = SQLITE_AUTH;
	}
	return rc;
}

const char *
stmt_error(const struct db *db)
{
	return db->denied ? "a plugin creates, changes and drops only tables, indexes and triggers "
			    "whose names begin with its own and an underscore"
			  : sqlite3_errmsg(db->handle);
}

static struct stmt *
prepare(struct db *db, const char *sql, size_t len, uint64_t hash)
{
	struct stmt *s = xmalloc(sizeof(*s) + len + 1);
	struct stmt **bucket = &db->bucket[hash % STMT_BUCKETS];
	const char *tail = NULL;

	*s = (struct stmt){ .chain = *bucket,
		.db = db,
		.hash = hash,
		.len = len,
		.busy = true,
		.sql = (char *)(s + 1) };
	memcpy(s->sql, sql, len + 1);
	if (stmt_prepare(db, s->sql, (int)len + 1, SQLITE_PREPARE_PERSISTENT, &s->handle, &tail) !=
	    SQLITE_OK) {
		free(s);
		return NULL;
	}
	/* Blank SQL has no handle. A second statement in the text would be ignored silently. */
	if (s->handle == NULL || !blank(tail)) {
		sqlite3_finalize(s->handle);
		free(s);
		return NULL;
	}
	s->alters = alters(s->handle, s->sql);
	*bucket = s;
	db->cached++;
	db->busy++;
	if (db->trace != NULL)
		trace(db, s->sql);
	return s;
}

struct stmt *
stmt_get(struct db *db, const char *sql, bool *again)
{
	size_t len = strlen(sql);
	uint64_t hash = XXH3_64bits(sql, len);
	struct stmt *idle = NULL;

	*again = false;
	for (struct stmt *s = db->bucket[hash % STMT_BUCKETS]; s != NULL; s = s->chain) {
		if (s->hash != hash || s->len != len || memcmp(s->sql, sql, len) != 0)
			continue;
		if (s->busy)
			*again = true;
		else
			idle = s;
	}
	/* The rules for a plugin's tables are checked while a statement is prepared, so a plugin
	 * never gets a statement that another module has prepared. */
	if (idle != NULL && (db->plugin == NULL || !idle->alters)) {
		idle_remove(idle);
		idle->busy = true;
		db->busy++;
		return idle;
	}
	if (db->cached >= STMT_CACHE_MAX && db->oldest != NULL) {
		struct stmt *old = db->oldest;

		idle_remove(old);
		destroy(old);
	}
	return prepare(db, sql, len, hash);
}

void
stmt_put(struct stmt *s)
{
	sqlite3_reset(s->handle);
	s->busy = false;
	s->db->busy--;
	s->prev = s->next = NULL;
	if (s->len > SQL_CACHED_MAX || s->db->cached > STMT_CACHE_MAX)
		destroy(s);
	else
		idle_add(s);
}

void
stmt_free_idle(struct db *db)
{
	while (db->latest != NULL) {
		struct stmt *s = db->latest;

		idle_remove(s);
		destroy(s);
	}
}
