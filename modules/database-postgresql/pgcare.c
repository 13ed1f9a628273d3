/*
 * pgcare.c - sees that tables which have grown have statistics. The server's autovacuum looks once
 * a minute, if it is on; until then, a table that an import has filled counts as empty, and lists
 * walk the wrong index (STET_UNINDEXED in sql.h).
 */
#include "pgcare.h"
#include "base/clock.h"
#include "base/log.h"
#include "pgcode.h"

#define CHANGES 50 /* statements that change something, between two looks */
#define PAUSE_MS 1000 /* the server counts what was changed once a second */
#define PAUSE_SHARE 20 /* so many times as long as the last look took, writes go on without one */
#define COUNTED_MS 1200 /* so much after a change, the end of a statement counts it */

/* Tables of which more than a share has changed. All daemons of the site are counted. The row of
 * site_state is read with each turn of the readers, past its dead versions: what a long read has
 * kept of them goes before they fill many pages. While a snapshot is open for long, nothing of them
 * goes; afterwards the pages are empty, are read nevertheless, and the row may be in the last one,
 * so the table is written anew. None of this waits for a lock: whoever makes an index of a table
 * holds it for long, and readers would wait behind it. */
#define DUE(SHARE)                                                             \
	"(SELECT format('ANALYZE (SKIP_LOCKED) %I', s.relname)"                \
	" FROM pg_catalog.pg_stat_user_tables AS s"                            \
	" JOIN pg_catalog.pg_class AS r ON r.oid = s.relid"                    \
	" WHERE s.schemaname = current_schema()"                               \
	" AND s.n_mod_since_analyze > 500 + greatest(r.reltuples, 0) * " SHARE \
	" ORDER BY s.n_mod_since_analyze DESC LIMIT 8)"                        \
	" UNION ALL SELECT 'VACUUM (TRUNCATE OFF, SKIP_LOCKED) site_state'"    \
	" WHERE pg_stat_get_dead_tuples('site_state'::regclass) > 30"          \
	" UNION ALL SELECT 'VACUUM (FULL, SKIP_LOCKED) site_state'"            \
	" FROM (SELECT pg_relation_size('site_state'::regclass)"               \
	" / current_setting('block_size')::bigint AS pages) AS s"              \
	" WHERE pages > " PGCARE_PAGES_TEXT                                    \
	" AND pg_stat_get_dead_tuples('site_state'::regclass) < 4 * pages"

static void
run(struct pg_db *c, const char *sql)
{
	int64_t began = clock_monotonic();
	PGresult *r = NULL;

	if (pgconn_send(c, sql) == DB_OK &&
	    pgconn_expect(c, (struct pg_answer){ .to = &r }) == DB_OK)
		(void)pgconn_wait(c, &r);
	if (PQresultStatus(r) != PGRES_COMMAND_OK)
		log_line(STET_WARN, "%s: %s", sql, pgcode_message(&c->db));
	else
		log_line(
		    STET_DEBUG, "%s took %lld ms", sql, (long long)(clock_monotonic() - began));
	pgconn_unwant(c, &r);
}

static inline int64_t
greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void
look(struct pg_db *c, const char *due)
{
	PGresult *r = NULL;
	int64_t began = clock_monotonic();

	c->cared = c->written;
	c->db.deadline = 0;
	if (pgconn_send(c, due) == DB_OK &&
	    pgconn_expect(c, (struct pg_answer){ .to = &r, .bounded = true }) == DB_OK)
		(void)pgconn_wait(c, &r);
	for (int i = 0; i < PQntuples(r) && !c->gone; i++)
		run(c, PQgetvalue(r, i, 0));
	pgconn_unwant(c, &r);
	c->cared_at = clock_monotonic();
	c->cared_until = greater(c->cared_until, c->cared_at + PAUSE_SHARE * (c->cared_at - began));
}

/* At rest: a session tells what it has changed when a statement ends, but not within a second of
 * the last time, and then only ten seconds later. */
static void
look_at_last(struct pg_db *c)
{
	if (pgconn_send(c, "SELECT") == DB_OK &&
	    pgconn_expect(c, (struct pg_answer){ .bounded = true }) == DB_OK &&
	    pgconn_wait(c, NULL) == DB_OK)
		look(c, DUE("0.2"));
}

static bool
may_look(const struct pg_db *c)
{
	return !c->gone && !c->open && c->written != c->cared;
}

/* Statistics of 30,000 rows take half a second, and writers wait meanwhile. A table that grows fast
 * is due again and again, so all of this may take a twentieth of the time, except for tables whose
 * statistics are of no use any more. */
void
pgcare_tend(struct db *db)
{
	struct pg_db *c = pgconn(db);
	int64_t now = c->tended_at = clock_monotonic();

	if (may_look(c) && c->written - c->cared >= CHANGES && now - c->cared_at >= PAUSE_MS)
		look(c, now < c->cared_until ? DUE("4") : DUE("0.2"));
}

bool
pgcare_rest(struct db *db)
{
	struct pg_db *c = pgconn(db);

	if (!may_look(c))
		return true;
	if (clock_monotonic() - c->tended_at < COUNTED_MS)
		return false;
	look_at_last(c);
	return true;
}

void
pgcare_close(struct db *db)
{
	if (may_look(pgconn(db)))
		look_at_last(pgconn(db));
	pgconn_close(db);
}
