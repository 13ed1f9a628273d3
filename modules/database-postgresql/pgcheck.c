/*
 * pgcheck.c - whether a schema holds a site, and whether its indexes are whole. The second is asked
 * of the extension amcheck (postgresql.org/docs/current/amcheck.html), which an administrator of
 * the server installs. References need no check: PostgreSQL keeps them.
 */
#include "pgcheck.h"
#include "pgconn.h"
#include "pgdial.h"
#include "pgsite.h"
#include <string.h>

static PGconn *
dial(struct pg_db *c, const char *place)
{
	pgplace_read(&c->place, place);
	c->db.mode = DB_READ;
	return pgdial(c);
}

enum db_there
pgcheck_there(const char *place)
{
	struct pg_db c = { 0 };
	PGconn *conn = dial(&c, place);
	int found = conn != NULL ? pgsite_count(&c, conn, "site_state") : -1;

	PQfinish(conn);
	pgplace_free(&c.place);
	return found > 0 ? DB_THERE : found == 0 ? DB_NOT_THERE : DB_UNKNOWN;
}

/* ---- amcheck ---- */

static PGresult *
ask(PGconn *conn, const char *sql, const char *value)
{
	const char *const values[] = { value };

	return PQexecParams(conn, sql, value != NULL ? 1 : 0, NULL, values, NULL, NULL, 0);
}

static void
add_error(json_t *list, const PGresult *r, const char *index)
{
	const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);

	json_array_append_new(
	    list, json_sprintf("%s: %s", index, text != NULL ? text : "the server is gone"));
}

/* Checks an index. Returns false if the user may not. */
static bool
check_index(PGconn *conn, const char *sql, const char *index, json_t *damage, json_t *notes)
{
	PGresult *r = ask(conn, sql, index);
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
	bool may = state == NULL || strcmp(state, "42501") != 0; /* insufficient_privilege */

	if (!may)
		add_error(notes, r, "amcheck");
	else if (PQresultStatus(r) != PGRES_TUPLES_OK)
		add_error(damage, r, index);
	PQclear(r);
	return may;
}

static void
check_indexes(PGconn *conn, const char *function, json_t *damage, json_t *notes)
{
	struct buf sql = { 0 };
	PGresult *r = ask(conn,
	    "SELECT i.oid::regclass FROM pg_catalog.pg_class AS i"
	    " JOIN pg_catalog.pg_am AS a ON a.oid = i.relam"
	    " JOIN pg_catalog.pg_namespace AS s ON s.oid = i.relnamespace"
	    " WHERE s.nspname = current_schema() AND i.relkind = 'i' AND a.amname = 'btree'"
	    " ORDER BY i.relname",
	    NULL);
	bool may = true;

	buf_str(&sql, "SELECT ");
	buf_str(&sql, function);
	buf_str(&sql, ".bt_index_check($1::regclass)");
	for (int i = 0; may && i < PQntuples(r); i++)
		may = check_index(conn, sql.data, PQgetvalue(r, i, 0), damage, notes);
	PQclear(r);
	buf_free(&sql);
}

void
pgcheck_all(const char *place, json_t *damage, json_t *references, json_t *notes)
{
	struct pg_db c = { 0 };
	PGconn *conn = dial(&c, place);
	PGresult *r = NULL;

	(void)references;
	if (conn == NULL)
		json_array_append_new(damage, json_string("the database cannot be reached"));
	else
		r = ask(conn,
		    "SELECT quote_ident(s.nspname) FROM pg_catalog.pg_extension AS e"
		    " JOIN pg_catalog.pg_namespace AS s ON s.oid = e.extnamespace"
		    " WHERE e.extname = 'amcheck'",
		    NULL);
	if (conn != NULL && PQntuples(r) > 0)
		check_indexes(conn, PQgetvalue(r, 0, 0), damage, notes);
	else if (conn != NULL)
		json_array_append_new(notes,
		    json_string(
			"The extension amcheck is not installed: indexes were not checked."));
	PQclear(r);
	PQfinish(conn);
	pgplace_free(&c.place);
}
