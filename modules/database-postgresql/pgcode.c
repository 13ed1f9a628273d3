/* pgcode.c - converts PostgreSQL's error codes. */
#include "pgcode.h"
#include <string.h>

static const struct {
	const char *state; /* a whole SQLSTATE, or the beginning of some */
	enum db_error error;
} classes[] = {
	{ "23505", DB_CONFLICT }, /* unique_violation */
	{ "54000", DB_LONG }, /* program_limit_exceeded: the row of an index */
	{ "40001", DB_AGAIN }, /* serialization_failure */
	{ "40P01", DB_AGAIN }, /* deadlock_detected */
	{ "57014", DB_TIMEOUT }, /* query_canceled */
	{ "53100", DB_FULL }, /* disk_full */
	{ "53200", DB_FULL }, /* out_of_memory */
	{ "53300", DB_BUSY }, /* too_many_connections */
	{ "55P03", DB_BUSY }, /* lock_not_available */
	{ "57P01", DB_GONE }, /* admin_shutdown */
	{ "57P02", DB_GONE }, /* crash_shutdown */
	{ "57P03", DB_GONE }, /* cannot_connect_now */
	{ "25006", DB_GONE }, /* read_only_sql_transaction: a standby */
	{ "25P03", DB_GONE }, /* idle_in_transaction_session_timeout */
	{ "08", DB_GONE }, /* connection exceptions */
};

/* What a statement that was prepared for other tables says; XX000, if a table goes while it is
 * being opened. */
static const char *const stale[] = { "42703", "42P01", "0A000", "XX000" };

/* The class of an SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html). `reads`: it comes
 * from a read transaction. NULL: the server said nothing, so the connection is lost. */
static enum db_error
class_of(const char *sqlstate, bool reads)
{
	if (sqlstate == NULL)
		return DB_GONE;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strncmp(sqlstate, classes[i].state, strlen(classes[i].state)) == 0)
			return classes[i].error;
	for (size_t i = 0; reads && i < sizeof(stale) / sizeof(stale[0]); i++)
		if (strcmp(sqlstate, stale[i]) == 0)
			return DB_STALE;
	return DB_FAULT;
}

enum db_error
pgcode_say(struct pg_db *c, enum db_error error, const char *why)
{
	c->said.len = 0;
	buf_str(&c->said, why);
	return error;
}

enum db_error
pgcode_note(struct pg_db *c, const PGresult *result)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *more = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	const char *constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);

	/* The server has skipped it, since something before it has failed. */
	if (PQresultStatus(result) == PGRES_PIPELINE_ABORTED)
		return c->lost != DB_OK
			   ? pgcode_lost(c)
			   : pgcode_say(c, DB_FAULT, "skipped, since a statement before it failed");
	c->said.len = 0;
	buf_printf(&c->said, "%s", text != NULL ? text : PQerrorMessage(c->conn));
	/* The details of a constraint hold values. */
	if (constraint != NULL)
		buf_printf(&c->said, " (%s)", constraint);
	else if (more != NULL)
		buf_printf(&c->said, ": %s", more);
	if (state != NULL)
		buf_printf(&c->said, " (postgresql %s)", state);
	return class_of(state, c->db.mode == DB_READ);
}

enum db_error
pgcode_lost(struct pg_db *c)
{
	return c->lost == DB_OK ? DB_OK : pgcode_say(c, c->lost, c->lost_said.data);
}

const char *
pgcode_message(struct db *db)
{
	const struct pg_db *c = pgconn(db);

	return c->said.data != NULL ? c->said.data : "unknown";
}
