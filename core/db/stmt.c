/*
 * stmt.c - the cache of prepared statements of one connection. The key is the text of the SQL; the
 * least recently used idle statement is evicted.
 */
#include "db/stmt.h"
#include "base/arena.h"
#include "base/buf.h"
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
	s->driver->drop(s);
}

static enum db_error
prepare(struct db *db, const char *sql, size_t len, uint64_t hash, struct stmt **out)
{
	struct stmt **bucket = &db->bucket[hash % STMT_BUCKETS], *s;
	enum db_error error = db->driver->get(db, sql, len, &s);

	if (error != DB_OK)
		return error;
	s->chain = *bucket;
	s->db = db;
	s->driver = db->driver;
	s->hash = hash;
	s->len = len;
	s->busy = true;
	*bucket = *out = s;
	db->cached++;
	db->busy++;
	if (db->trace != NULL) {
		buf_printf(db->trace, "%s\n", sql);
		if (db->driver->plan != NULL)
			db->driver->plan(db, sql, db->trace);
	}
	return DB_OK;
}

enum db_error
stmt_get(struct db *db, const char *sql, struct stmt **out, bool *again)
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
		*out = idle;
		return DB_OK;
	}
	if (db->cached >= STMT_CACHE_MAX && db->oldest != NULL) {
		struct stmt *old = db->oldest;

		idle_remove(old);
		destroy(old);
	}
	return prepare(db, sql, len, hash, out);
}

void
stmt_put(struct stmt *s)
{
	s->driver->put(s);
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
