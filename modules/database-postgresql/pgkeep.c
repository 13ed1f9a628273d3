/*
 * pgkeep.c - gives the new schema its name, and commits. If the answer to that never comes, it took
 * place if the schema has the mark of the new one. If it has not, the old session must be over.
 */
#include "pgkeep.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/words.h"
#include "pgdial.h"
#include "pgwait.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RESOLVE_MS 30000 /* until the server must have told */
#define AGAIN_US 200000 /* between two questions */

bool
pgkeep_begin(struct pg_end *p)
{
	PGresult *r = pgend_ask(p,
	    "UPDATE site_state SET n = 1, mark = decode(replace(gen_random_uuid()::text, '-', ''),"
	    " 'hex') RETURNING encode(mark, 'hex'), (SELECT pid || ' ' || backend_start"
	    " FROM pg_catalog.pg_stat_activity WHERE pid = pg_catalog.pg_backend_pid())",
	    NULL);

	if (r == NULL)
		return false;
	p->mark = xstrdup(PQgetvalue(r, 0, 0));
	p->session = xstrdup(PQgetvalue(r, 0, 1));
	PQclear(r);
	return true;
}

static bool
rename_schema(struct pg_end *p, const char *from, const char *to)
{
	char *old = PQescapeIdentifier(p->conn, from, strlen(from));
	char *new = PQescapeIdentifier(p->conn, to, strlen(to));
	char *sql = words_format("ALTER SCHEMA %s RENAME TO %s", old, new);
	bool good = pgend_run(p, sql);

	free(sql);
	PQfreemem(old);
	PQfreemem(new);
	return good;
}

/* Takes the lock of writers in the schema that is replaced: nobody writes to it from here to the
 * commit, and afterwards it counts as closed (db/shut.h). */
static bool
lock_old(struct pg_end *p)
{
	char *name = PQescapeIdentifier(p->conn, p->final, strlen(p->final));
	char *sql = words_format("TABLE %s.site_state FOR UPDATE", name);
	PGresult *r = pgend_ask(p, sql, NULL);

	PQclear(r);
	free(sql);
	PQfreemem(name);
	return r != NULL;
}

static bool
rename_both(struct pg_end *p)
{
	if (lock_old(p) && rename_schema(p, p->final, p->end.kept) &&
	    rename_schema(p, p->at.place.schema, p->final))
		return true;
	PQclear(PQexec(p->conn, "ROLLBACK")); /* others may have the lock again */
	return false;
}

/* ---- no answer ---- */

/* Returns true if the session of the copy is over, so that all it has done can be seen. */
static bool
is_over(struct pg_end *p)
{
	const char *const values[] = { p->session };
	PGresult *r = pgwait_run(&p->at, p->conn,
	    "SELECT 1 FROM pg_catalog.pg_stat_activity WHERE pid || ' ' || backend_start = $1", 1,
	    values);
	bool over = PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) == 0;

	PQclear(r);
	return over;
}

/* Returns true if the site's schema is the new one. *told false: the server does not say. */
static bool
has_mark(struct pg_end *p, bool *told)
{
	const char *const values[] = { p->final != NULL ? p->final : p->at.place.schema };
	PGresult *r;
	bool has;

	PQclear(pgwait_run(&p->at, p->conn,
	    "SELECT set_config('search_path', quote_ident($1), false)", 1, values));
	r = pgwait_run(&p->at, p->conn, "SELECT encode(mark, 'hex') FROM site_state", 0, NULL);
	has = PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) == 1 &&
	      strcmp(PQgetvalue(r, 0, 0), p->mark) == 0;
	*told = r != NULL && PQstatus(p->conn) == CONNECTION_OK;
	PQclear(r);
	return has;
}

static bool
resolve(struct pg_end *p)
{
	int64_t until = clock_monotonic() + RESOLVE_MS;

	while (clock_monotonic() < until) {
		bool over, told = false;

		PQfinish(p->conn);
		if ((p->conn = pgdial(&p->at)) != NULL) {
			over = is_over(p);
			if (has_mark(p, &told))
				return true;
			if (over && told)
				return carry_fail(&p->end,
				    "the connection to PostgreSQL was lost in the last step, which"
				    " did not take place");
		}
		(void)usleep(AGAIN_US);
	}
	return carry_fail(&p->end,
	    "the connection to PostgreSQL was lost in the last step, and the server does not tell"
	    " whether that took place");
}

bool
pgkeep(struct carry_end *end)
{
	struct pg_end *p = pg(end);
	PGresult *r;

	if (p->final != NULL && !rename_both(p))
		return false;
	r = PQexec(p->conn, "COMMIT");
	if (PQstatus(p->conn) == CONNECTION_BAD) {
		PQclear(r);
		return resolve(p);
	}
	r = pgend_checked(p, r, PGRES_COMMAND_OK);
	PQclear(r);
	return r != NULL;
}
