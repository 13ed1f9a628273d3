/* list.c - lists records, newest first, filtered by actor, operation, subject and time. */
#include "audit.h"

#define LISTING "audit" /* its name in cursors */

const struct stet_member list_in[] = {
	{ "actor", STET_STRING, .about = "Id of the user who did it", STET_RANGE(1, 64) },
	{ "op", STET_STRING, .about = "Name of the operation", STET_RANGE(1, 128) },
	{ "subject", STET_STRING, .about = "Id or name of what was changed or made",
	    STET_RANGE(1, 200) },
	{ "session", STET_STRING, .about = "Of a token's writes", STET_RANGE(1, 64) },
	{ "since", STET_TIME, .about = "From this time on" },
	{ "until", STET_STRING, .about = "Up to this time, or to the end of this day" },
	{ "limit", STET_INTEGER, .about = "Records a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
static const struct stet_member record_shape[] = {
	{ "seq", STET_INTEGER, STET_REQUIRED, .about = "Its place in the chain" },
	{ "time", STET_TIME, STET_REQUIRED },
	{ "actorId", STET_STRING, .about = "The user; absent for commands, jobs and the public" },
	{ "actorEmail", STET_STRING, .about = "The user's address at that time" },
	{ "tokenId", STET_STRING, .about = "The token that was used" },
	{ "via", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("token", "session", "command", "system", "anonymous") },
	{ "op", STET_STRING, STET_REQUIRED },
	{ "module", STET_STRING, STET_REQUIRED },
	{ "names", STET_OBJECT, STET_STORED_JSON, .about = "The arguments that name the subject" },
	{ "subject", STET_STRING, .about = "What was changed or made: its id, else its name" },
	{ "result", STET_STRING, .about = "The id that the answer named, when it is another" },
	{ "changed", STET_ARRAY, STET_STORED_JSON, .item = STET_STRING,
	    .about = "Names of the members that were written" },
	{ "outcome", STET_STRING, STET_REQUIRED, STET_CHOICES("success", "failure", "denied") },
	{ "reason", STET_STRING, .about = "Of what was not a success" },
	{ "client", STET_STRING, .about = "Address of the client" },
	{ "requestId", STET_STRING, STET_REQUIRED, .about = "As in the log" },
	{ "clientName", STET_STRING, .about = "Name of the token, or of the client it is for" },
	{ "tool", STET_STRING, .about = "The tool that an assistant called" },
	{ "session", STET_STRING, .about = "Of the token's writes: GET /assistant-sessions/:id" },
	{ "hash", STET_STRING, STET_REQUIRED, .about = "Of this record and the hash before it" },
	{ 0 },
};
const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = record_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

/* The position where the previous page ended. */
struct place {
	const char *time;
	int64_t seq; /* 0: there was none */
};

static enum stet_status
read_cursor(struct stet_call *call, struct place *out)
{
	const char *cursor = stet_arg(call, "cursor"), *id;
	const json_t *key;

	*out = (struct place){ 0 };
	if (cursor == NULL)
		return STET_OK;
	STET_TRY(stet_cursor_read(call, cursor, LISTING, &key, &id));
	if (!json_is_integer(key) || json_integer_value(key) < 1)
		return stet_fail(call, STET_INVALID_CURSOR, "cursor", "Invalid pagination cursor");
	*out = (struct place){ id, json_integer_value(key) };
	return STET_OK;
}

static enum stet_status
read_until(struct stet_call *call, const char **out)
{
	const char *text = stet_arg(call, "until");
	int64_t ms;

	*out = NULL;
	if (text == NULL)
		return STET_OK;
	if (!stet_time_parse(text, &ms))
		return stet_fail(call, STET_VALIDATION_ERROR, "until",
		    "must be an ISO 8601 date or date and time");
	*out = stet_time_text(call, stet_time_last(text, ms));
	return STET_OK;
}

static void
add_filter(struct stet_sql *sql, const char *literal, const char *value)
{
	if (value == NULL)
		return;
	stet_sql_add(sql, literal);
	stet_sql_bind(sql, stet_val_str(value));
}

/* Selects records by all filters except the subject's condition, with which `where` begins. */
static void
add_select(struct stet_call *call, struct stet_sql *sql, const char *where, const char *until,
    const struct place *from)
{
	stet_sql_add(sql, "SELECT " RECORD_COLUMNS ", hash FROM audit_log WHERE ");
	if (where != NULL)
		add_filter(sql, where, stet_arg(call, "subject"));
	else
		stet_sql_add(sql, "1 = 1");
	add_filter(sql, " AND actor = ", stet_arg(call, "actor"));
	add_filter(sql, " AND op = ", stet_arg(call, "op"));
	add_filter(sql, " AND session = ", stet_arg(call, "session"));
	add_filter(sql, " AND created_at >= ", stet_arg(call, "since"));
	add_filter(sql, " AND created_at <= ", until);
	if (from->seq == 0)
		return;
	add_filter(sql, " AND (created_at, seq) < (", from->time);
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_int(from->seq));
	stet_sql_add(sql, ")");
}

static char *
cursor_of(struct stet_call *call, struct stet_rows *rows)
{
	json_t *key = stet_json_own(call, json_integer(stet_col_int(rows, R_SEQ)));

	return stet_cursor_make(call, LISTING, key, stet_col_str(rows, R_TIME));
}

enum stet_status
audit_list(struct stet_call *call)
{
	int64_t limit = stet_arg_int(call, "limit"), count = 0;
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	const char *next = NULL, *until;
	struct stet_rows rows;
	struct place from;

	STET_TRY(read_cursor(call, &from));
	STET_TRY(read_until(call, &until));
	if (stet_has(call, "subject")) { /* Merges two walks, each along an index: records with this
					    subject, and records whose result names it. */
		add_select(call, sql, "subject = ", until, &from);
		stet_sql_add(sql, " UNION ALL ");
		add_select(call, sql, "result = ", until, &from);
	} else
		add_select(call, sql, NULL, until, &from);
	stet_sql_add(sql, " ORDER BY created_at DESC, seq DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(limit + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows)) {
		if (count == limit) {
			count++;
			break;
		}
		stet_put_row(out, &rows, record_shape);
		if (++count == limit)
			next = cursor_of(call, &rows);
	}
	stet_close(out);
	if (count > limit)
		stet_put_str(out, "nextCursor", next);
	stet_close(out);
	return stet_rows_end(&rows);
}
