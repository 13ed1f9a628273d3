/* pgend.c - statements on the connection of a copy. */
#include "pgend.h"
#include <string.h>

bool
pgend_failed(struct pg_end *p, const PGresult *r)
{
	const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	const char *where = PQresultErrorField(r, PG_DIAG_CONTEXT);
	const char *detail = PQresultErrorField(r, PG_DIAG_MESSAGE_DETAIL);

	if (text == NULL)
		return carry_fail(&p->end, "PostgreSQL: %.*s",
		    (int)strcspn(PQerrorMessage(p->conn), "\n"), PQerrorMessage(p->conn));
	return carry_fail(&p->end, "PostgreSQL: %s%s%s%s%.*s", text, detail != NULL ? ": " : "",
	    detail != NULL ? detail : "", where != NULL ? ": " : "",
	    where != NULL ? (int)strcspn(where, "\n") : 0, where != NULL ? where : "");
}

PGresult *
pgend_checked(struct pg_end *p, PGresult *r, ExecStatusType wanted)
{
	if (PQresultStatus(r) == wanted)
		return r;
	pgend_failed(p, r);
	PQclear(r);
	return NULL;
}

bool
pgend_run(struct pg_end *p, const char *sql)
{
	PGresult *r = pgend_checked(p, PQexec(p->conn, sql), PGRES_COMMAND_OK);

	PQclear(r);
	return r != NULL;
}

PGresult *
pgend_ask(struct pg_end *p, const char *sql, const char *value)
{
	const char *const values[] = { value };

	return pgend_checked(p,
	    PQexecParams(p->conn, sql, value != NULL ? 1 : 0, NULL, values, NULL, NULL, 0),
	    PGRES_TUPLES_OK);
}
