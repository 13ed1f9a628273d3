/* pglimit.c - see pglimit.h. */
#include "pglimit.h"
#include "base/words.h"
#include "call/call.h"
#include "pgcode.h"
#include <inttypes.h>
#include <stdlib.h>

#define USES 3 /* from which a limit has a statement of its own */

/* The place of this limit; one that has none takes the place of a limit without a statement. NULL:
 * all have one. */
static struct pg_limited *
find(struct pg_limit *l, int64_t value)
{
	struct pg_limited *rare = NULL;

	for (size_t i = 0; i < PGLIMIT_VALUES; i++) {
		struct pg_limited *at = &l->value[i];

		if (at->uses > 0 && at->value == value)
			return at;
		if (at->uses < USES && (rare == NULL || at->uses < rare->uses))
			rare = at;
	}
	if (rare != NULL)
		*rare = (struct pg_limited){ .value = value };
	return rare;
}

static enum db_error
prepare(struct pg_db *c, struct pg_limited *at, const char *sql, const Oid *type, int others)
{
	char *name;
	PGresult *r = NULL;
	enum db_error error = DB_OK;
	bool sent;

	at->name = ++c->names;
	name = words_format(PGCONN_NAMED, at->name);
	sent = pgconn_took(c, PQsendPrepare(c->conn, name, sql, others, type));
	free(name);
	if (!sent)
		return pgconn_lost(c);
	error = pgconn_expect(c, (struct pg_answer){ .to = &r });
	if (error == DB_OK)
		error = pgconn_wait(c, &r);
	if (error == DB_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
		error = pgcode_note(c, r);
	pgconn_unwant(c, &r);
	at->generation = error == DB_OK ? c->generation : 0;
	return error;
}

const struct pg_limited *
pglimit_for(struct pg_db *c, struct pg_limit *l, const char *text, const struct stet_val *limit,
    const Oid *type, int others, enum db_error *error)
{
	struct pg_limited *at;

	*error = DB_OK;
	if (l->at == 0 || limit->type != STET_V_INT || limit->u.i < 0)
		return NULL;
	at = find(l, limit->u.i);
	if (at == NULL || (at->uses < USES && ++at->uses < USES))
		return NULL;
	if (at->generation != c->generation) {
		char *sql = words_format("%.*s%" PRId64, (int)l->at, text, at->value);

		*error = prepare(c, at, sql, type, others);
		free(sql);
	}
	return *error == DB_OK ? at : NULL;
}

void
pglimit_drop(struct pg_db *c, const struct pg_limit *l)
{
	for (size_t i = 0; i < PGLIMIT_VALUES; i++)
		if (l->value[i].generation != 0 && l->value[i].generation == c->generation)
			pgconn_drop(c, l->value[i].name);
}
