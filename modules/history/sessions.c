/* sessions.c - the sessions of tokens: a list, and what was done in one. */
#include "history.h"
#include <string.h>

#define LISTING "assistant-sessions" /* its name in cursors */

/* clang-format off */
#define MEMBERS \
	{ "id", STET_STRING, STET_REQUIRED }, \
	{ "tokenId", STET_STRING, STET_REQUIRED, .about = "The token, or the grant of the client" }, \
	{ "clientName", STET_STRING }, \
	{ "actorId", STET_STRING, STET_REQUIRED, .about = "The user for whom it wrote" }, \
	{ "actorName", STET_STRING }, \
	{ "startedAt", STET_TIME, STET_REQUIRED }, \
	{ "lastAt", STET_TIME, STET_REQUIRED, .about = "Of its last write, to the minute" }, \
	{ "writes", STET_INTEGER, STET_REQUIRED, .about = "Records of it" }
/* clang-format on */
static const struct stet_member row_shape[] = { MEMBERS, { 0 } };
#define COLUMNS                                                      \
	"id, token, client, actor, actor_name, started_at, last_at," \
	" (SELECT count(*) FROM history AS h WHERE h.session = assistant_session.id)"

const struct stet_member sessions_in[] = {
	{ "token", STET_STRING, .about = "Of this token or grant", STET_RANGE(1, 64) },
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member sessions_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = row_shape, .about = "Newest first" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member session_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the session" },
	{ "limit", STET_INTEGER, STET_RANGE(1, 200), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member session_out[] = {
	{ "session", STET_OBJECT, STET_REQUIRED, .of = row_shape },
	{ "items", STET_ARRAY, STET_REQUIRED, .of = record_shape, .about = "Newest first" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

static const char *
caller(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	return p != NULL ? p->id : "";
}

/* Returns true if the caller sees the sessions of all users: administrators, but not each of their
 * assistants. */
static bool
sees_all(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	return stet_may(call, "history:read_any") && stet_scope_allows(p->scopes, "admin");
}

/* The token whose sessions alone the caller sees: an assistant sees its own. NULL: those of the
 * user's tokens. */
static const char *
own_token(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	return p->via == STET_VIA_TOKEN ? (p->token_id != NULL ? p->token_id : "") : NULL;
}

enum stet_status
sessions_list(struct stet_call *call)
{
	int64_t limit = stet_arg_int(call, "limit"), n = 0;
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	const char *before, *last = NULL;
	struct stet_rows rows;

	STET_TRY(page_begin(call, LISTING, &before));
	stet_sql_add(sql, "SELECT " COLUMNS " FROM assistant_session WHERE id < ");
	stet_sql_bind(sql, stet_val_str(before));
	if (stet_has(call, "token")) {
		stet_sql_add(sql, " AND token = ");
		stet_sql_bind(sql, stet_val_str(stet_arg(call, "token")));
	}
	if (!sees_all(call)) {
		stet_sql_add(sql, " AND actor = ");
		stet_sql_bind(sql, stet_val_str(caller(call)));
		if (own_token(call) != NULL) {
			stet_sql_add(sql, " AND token = ");
			stet_sql_bind(sql, stet_val_str(own_token(call)));
		}
	}
	stet_sql_add(sql, " ORDER BY id DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(limit + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows)) {
		if (n++ == limit)
			break;
		last = stet_col_dup(&rows, 0);
		stet_put_row(out, &rows, row_shape);
	}
	stet_close(out);
	if (n > limit)
		stet_put_str(out, "nextCursor", stet_cursor_make(call, LISTING, json_null(), last));
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
find(struct stet_call *call, const char *id, struct stet_rows *rows)
{
	STET_TRY(stet_one(call, rows, STET_NOT_FOUND,
	    "SELECT " COLUMNS " FROM assistant_session WHERE id = ?1", STET_ARGS(id)));
	if (sees_all(call))
		return STET_OK;
	if (strcmp(stet_col_str(rows, 3), caller(call)) != 0)
		return stet_fail(call, STET_FORBIDDEN, NULL, "The session is another user's");
	if (own_token(call) == NULL || strcmp(stet_col_str(rows, 1), own_token(call)) == 0)
		return STET_OK;
	return stet_fail(call, STET_INSUFFICIENT_SCOPE, NULL,
	    "The session is another token's: that needs the scope admin");
}

enum stet_status
session_mine(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(find(call, id, &rows));
	return stet_rows_end(&rows);
}

enum stet_status
session_own(struct stet_call *call, const char **id)
{
	const char *token = own_token(call);
	struct stet_rows rows;

	if (token == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "id",
		    "is required: only tokens have sessions of their own");
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT id FROM assistant_session WHERE token = ?1 ORDER BY id DESC LIMIT 1",
	    STET_ARGS(token)));
	*id = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
session_get(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *before;
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(page_begin(call, id, &before));
	STET_TRY(find(call, id, &rows));
	stet_object(out, NULL);
	stet_object(out, "session");
	stet_put_columns(
	    out, &rows, 0, row_shape, (int)(sizeof(row_shape) / sizeof(*row_shape)) - 1);
	stet_close(out);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_query(call, &rows,
	    "SELECT " RECORD_COLUMNS " FROM history WHERE session = ?1 AND id < ?2"
	    " ORDER BY id DESC LIMIT ?3",
	    STET_ARGS(id, before, stet_arg_int(call, "limit") + 1)));
	return page_put(call, out, &rows, id);
}
