/* account.c - the sessions of the user who is signed in: lists them, ends them, signs out. */
#include "signin.h"
#include <string.h>

const struct stet_member done_out[] = { { "success", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

static enum stet_status
done(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}

/* ---- signing out ---- */

/* Ends the session of the cookie, also when the request was authenticated by a token. */
enum stet_status
session_logout(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	if (p->session_id != NULL)
		STET_TRY(stet_exec(call, stet_write_tx(call), "DELETE FROM sessions WHERE id = ?1",
		    STET_ARGS(p->session_id)));
	cookie_clear(call);
	return done(call);
}

/* ---- the list ---- */

static const struct stet_member session_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "method", STET_STRING, STET_REQUIRED,
	    .about = "How the user signed in: passkey, link, recovery, invite, setup, oidc" },
	{ "agent", STET_STRING, STET_REQUIRED, .about = "User-Agent of the browser" },
	{ "address", STET_STRING, STET_REQUIRED, .about = "Where the user signed in from" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "lastSeenAt", STET_TIME, STET_REQUIRED, .about = "To the minute" },
	{ "expiresAt", STET_TIME, STET_REQUIRED, .about = "When it ends, unless it is used" },
	{ "current", STET_BOOLEAN, STET_REQUIRED, .about = "The session of this request" },
	{ 0 },
};
const struct stet_member session_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = session_out },
	{ 0 },
};

enum stet_status
session_list(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, method, agent, address, created_at, seen_at, ends_at FROM sessions"
	    " WHERE user_id = ?1 AND ends_at > ?2 ORDER BY id DESC",
	    STET_ARGS(p->id, stet_time_text(call, stet_now(call)))));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows)) {
		stet_object(out, NULL);
		stet_put_columns(out, &rows, 0, session_out, 7);
		stet_put_bool(out, "current",
		    p->session_id != NULL && strcmp(p->session_id, stet_col_str(&rows, 0)) == 0);
		stet_close(out);
	}
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- ending ---- */

const struct stet_member session_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the session" },
	{ 0 },
};

enum stet_status
session_end(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	const char *id = stet_arg(call, "id");

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM sessions WHERE id = ?1 AND user_id = ?2", STET_ARGS(id, p->id)));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Session not found: %s", id);
	if (p->session_id != NULL && strcmp(p->session_id, id) == 0)
		cookie_clear(call);
	return done(call);
}

enum stet_status
session_end_others(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM sessions WHERE user_id = ?1 AND id <> ?2",
	    STET_ARGS(p->id, p->session_id != NULL ? p->session_id : "")));
	return done(call);
}
