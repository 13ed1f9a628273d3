/*
 * session.c - the sessions in which tokens write: one lasts until its token has written nothing for
 * half an hour. So a session is what an assistant did in one go, whatever its client calls that.
 */
#include "history.h"
#include <string.h>

#define NOTED 60000 /* ms: the time of the last write is stored to this precision */

struct session {
	const char *token, *id;
	int64_t last;
};

static const char table[] = "assistant_session";

/* Keeps the session of the token with the transaction, so that a batch of writes looks it up once.
 */
static void
keep(struct stet_call *call, const struct session *s)
{
	void **slot = stet_tx_slot(call, table, table);
	const size_t token = strlen(s->token) + 1, id = strlen(s->id) + 1; /* with their ends */
	struct session *kept;

	if (slot == NULL)
		return;
	kept = *slot = stet_tx_alloc(call, sizeof(*kept) + token + id);
	*kept = *s;
	kept->token = memcpy(kept + 1, s->token, token);
	kept->id = memcpy((char *)(kept + 1) + token, s->id, id);
}

static enum stet_status
find(struct stet_call *call, const char *token, struct session *out)
{
	void **slot = stet_tx_slot(call, table, table);
	const struct session *kept = slot != NULL ? *slot : NULL;
	struct stet_rows rows;

	*out = (struct session){ .token = token };
	if (kept != NULL && strcmp(kept->token, token) == 0) {
		*out = (struct session){ token, stet_strdup(call, kept->id), kept->last };
		return STET_OK;
	}
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, last_at FROM assistant_session WHERE token = ?1"
	    " ORDER BY id DESC LIMIT 1",
	    STET_ARGS(token)));
	if (stet_row(&rows)) {
		out->id = stet_col_dup(&rows, 0);
		(void)stet_time_parse(stet_col_str(&rows, 1), &out->last);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
begin(struct stet_call *call, const struct stet_principal *p, struct session *s)
{
	const char *now = stet_time_text(call, stet_now(call));

	s->id = stet_id(call);
	return stet_exec(call, stet_write_tx(call),
	    "INSERT INTO assistant_session (id, token, client, actor, actor_name, started_at,"
	    " last_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
	    STET_ARGS(s->id, p->token_id, p->client, *p->id != '\0' ? p->id : NULL, p->name, now));
}

static enum stet_status
session(struct stet_call *call, const char **out)
{
	const struct stet_principal *p = stet_principal(call);
	const int64_t now = stet_now(call);
	struct session s;

	*out = NULL;
	if (p == NULL || p->via != STET_VIA_TOKEN || p->token_id == NULL || *p->id == '\0')
		return STET_OK;
	STET_TRY(find(call, p->token_id, &s));
	if (s.id == NULL || now - s.last > SESSION_GAP)
		STET_TRY(begin(call, p, &s));
	else if (now - s.last >= NOTED)
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "UPDATE assistant_session SET last_at = ?2 WHERE id = ?1",
		    STET_ARGS(s.id, stet_time_text(call, now))));
	else {
		*out = s.id;
		return STET_OK;
	}
	s.last = now;
	keep(call, &s);
	*out = s.id;
	return STET_OK;
}

const struct stet_history_1 history_service = { session };
