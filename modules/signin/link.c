/*
 * link.c - one-time links: random tokens that sign a user in once, from a mail, an invitation or a
 * command. The database has only their SHA-256.
 */
#include "signin.h"
#include <string.h>

enum stet_status
link_make(struct stet_call *call, struct stet_tx *tx, const struct link *link, const char *token)
{
	unsigned char hash[HASH_BYTES];
	const int64_t now = stet_now(call);

	secret_hash(token, hash);
	return stet_exec(call, tx,
	    "INSERT INTO signin_links (id, hash, kind, user_id, email, role, inviter, created_at,"
	    " expires_at) VALUES (?1, ?2, ?3, ?4, lower(?5), ?6,"
	    " (SELECT id FROM users WHERE id = ?7), ?8, ?9)"
	    " ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at"
	    " WHERE signin_links.kind = excluded.kind",
	    STET_ARGS(link->id != NULL ? link->id : stet_id(call),
		stet_val_blob(hash, sizeof(hash)), link->kind, link->user_id, link->email,
		link->role != 0 ? stet_val_int(link->role) : stet_val_null(), link->inviter,
		stet_time_text(call, now), stet_time_text(call, now + link->lifetime)));
}

enum stet_status
link_set_token(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *id,
    const char *token, bool *found)
{
	unsigned char hash[HASH_BYTES];

	secret_hash(token, hash);
	STET_TRY(stet_exec(call, tx,
	    "UPDATE signin_links SET hash = ?3 WHERE id = ?1 AND kind = ?2 AND expires_at > ?4",
	    STET_ARGS(id, kind, stet_val_blob(hash, sizeof(hash)),
		stet_time_text(call, stet_now(call)))));
	*found = stet_changes(call) == 1;
	return STET_OK;
}

static enum stet_status
unknown(struct stet_call *call)
{
	return stet_fail(call, stet_code(call, "INVALID_TOKEN"), NULL,
	    "This link is not valid, or was used already");
}

static void
read_link(struct stet_rows *rows, const unsigned char *hash, struct link *out)
{
	size_t len;
	const void *stored = stet_col_blob(rows, 8, &len);

	if (len != HASH_BYTES || sodium_memcmp(stored, hash, len) != 0)
		return;
	out->id = stet_col_dup(rows, 0);
	out->kind = stet_col_dup(rows, 1);
	out->user_id = stet_col_dup(rows, 2);
	out->email = stet_col_dup(rows, 3);
	out->role = (int)stet_col_int(rows, 4);
	out->inviter = stet_col_dup(rows, 5);
	out->created_at = stet_col_dup(rows, 6);
	out->expires_at = stet_col_dup(rows, 7);
}

enum stet_status
link_find(struct stet_call *call, const char *kind, const char *token, struct link *out)
{
	unsigned char hash[HASH_BYTES];
	struct stet_rows rows;
	int64_t until;

	if (token == NULL || strlen(token) != SECRET_LEN)
		return unknown(call);
	secret_hash(token, hash);
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, kind, user_id, email, role, inviter, created_at, expires_at, hash"
	    " FROM signin_links WHERE hash = ?1",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)))));
	*out = (struct link){ .id = NULL };
	if (stet_row(&rows))
		read_link(&rows, hash, out);
	STET_TRY(stet_rows_end(&rows));
	if (out->id == NULL || strcmp(out->kind, LINK_USED) == 0 ||
	    (kind != NULL && strcmp(kind, out->kind) != 0))
		return unknown(call);
	if (!stet_time_parse(out->expires_at, &until) || stet_now(call) >= until)
		return stet_fail(
		    call, stet_code(call, "TOKEN_EXPIRED"), NULL, "This link has expired");
	return STET_OK;
}

enum stet_status
link_take(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *token,
    struct link *out)
{
	STET_TRY(link_find(call, kind, token, out));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE signin_links SET kind = ?2, user_id = NULL, email = NULL WHERE id = ?1"
	    " AND kind = ?3",
	    STET_ARGS(out->id, LINK_USED, out->kind)));
	return stet_changes(call) == 1 ? STET_OK : unknown(call);
}

enum stet_status
link_drop(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *user_id,
    const char *email)
{
	if (user_id != NULL)
		STET_TRY(
		    stet_exec(call, tx, "DELETE FROM signin_links WHERE user_id = ?1 AND kind = ?2",
			STET_ARGS(user_id, kind)));
	if (email != NULL)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM signin_links WHERE email = lower(?1) AND kind = ?2",
		    STET_ARGS(email, kind)));
	return STET_OK;
}
