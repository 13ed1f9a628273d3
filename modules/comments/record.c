/* record.c - comments in the database: cleans texts, inserts, moderates and deletes. */
#include "comments.h"
#include <string.h>

const char *const comment_statuses[STET_COMMENT_STATUSES + 1] = { [STET_COMMENT_PENDING] =
								      "pending",
	[STET_COMMENT_APPROVED] = "approved",
	[STET_COMMENT_SPAM] = "spam",
	[STET_COMMENT_TRASH] = "trash" };

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Returns the replacement of a character; '\0': remove it. */
static char
cleaned(char c, bool lines)
{
	if (c == '\r')
		c = '\n';
	if (is_blank(c))
		return lines ? c : ' ';
	return (unsigned char)c < 0x20 || c == 0x7f ? '\0' : c;
}

char *
comment_clean(struct stet_call *call, const char *text, bool lines)
{
	char *out = stet_strdup(call, text), *to = out;

	for (const char *p = out; *p != '\0'; p++) {
		bool first_of_two = p[0] == '\r' && p[1] == '\n';

		if (!first_of_two && (*to = cleaned(*p, lines)) != '\0')
			to++;
	}
	*to = '\0';
	while (is_blank(*out))
		out++;
	while (to > out && is_blank(to[-1]))
		*--to = '\0';
	return out;
}

enum stet_status
comment_insert(
    struct stet_call *call, struct stet_tx *tx, const struct stet_comment *c, const char *at)
{
	const struct stet_val values[] = { stet_val_str(c->id), stet_val_str(c->collection),
		stet_val_str(c->entry_id), stet_val_str(c->parent_id), stet_val_str(c->author_name),
		stet_val_str(c->author_email), stet_val_str(c->author_user_id),
		stet_val_str(c->body), stet_val_str(comment_statuses[c->status]),
		stet_val_str(c->reason), stet_val_str(c->ip_hash), stet_val_str(c->user_agent),
		stet_val_str(at) };

	return stet_exec(call, tx,
	    "INSERT INTO comment (id, collection, entry_id, parent_id, author_name, author_email,"
	    " author_user_id, body, status, reason, ip_hash, user_agent, created_at, updated_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, lower(?6), ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)",
	    values, sizeof(values) / sizeof(values[0]));
}

enum stet_status
comment_thread(struct stet_call *call, const struct stet_comment *of, const char *id, bool approved,
    const char **out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT coalesce(parent_id, id), status FROM comment"
	    " WHERE id = ?1 AND collection = ?2 AND entry_id = ?3",
	    STET_ARGS(id, of->collection, of->entry_id)));
	*out = NULL;
	if (stet_row(&rows) && (!approved || strcmp(stet_col_str(&rows, 1), "approved") == 0))
		*out = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

void
comment_in(struct stet_sql *sql, const json_t *ids)
{
	stet_sql_add(sql, " IN (");
	for (size_t i = 0; i < json_array_size(ids); i++) {
		if (i > 0)
			stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(json_string_value(json_array_get(ids, i))));
	}
	stet_sql_add(sql, ")");
}

/* ---- moderation ---- */

/* Calls the hooks before the statuses change. */
static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, const json_t *ids, const char *status)
{
	struct stet_sql *sql = stet_sql_new(call);
	json_t *payloads = stet_json_own(call, json_array()), *payload;
	struct stet_rows rows;
	size_t i;

	if (!stet_hooked(call, STET_AT_comment_after_moderate))
		return STET_OK;
	stet_sql_add(sql, "SELECT id, collection, entry_id, status FROM comment WHERE status <> ");
	stet_sql_bind(sql, stet_val_str(status));
	stet_sql_add(sql, " AND id");
	comment_in(sql, ids);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		(void)json_array_append_new(
		    payloads, json_pack("{ss ss ss ss ss ss}", "id", stet_col_str(&rows, 0),
				  "collection", stet_col_str(&rows, 1), "contentId",
				  stet_col_str(&rows, 2), "previousStatus", stet_col_str(&rows, 3),
				  "status", status, "moderatorId", stet_principal(call)->id));
	STET_TRY(stet_rows_end(&rows));
	json_array_foreach(payloads, i, payload)
	{
		STET_TRY(stet_notify(call, tx, STET_AT_comment_after_moderate, payload));
	}
	return STET_OK;
}

enum stet_status
comment_set_status(struct stet_call *call, struct stet_tx *tx, const json_t *ids,
    enum stet_comment_status status, int64_t *affected)
{
	struct stet_sql *sql = stet_sql_new(call);

	STET_TRY(tell(call, tx, ids, comment_statuses[status]));
	stet_sql_add(sql, "UPDATE comment SET status = ");
	stet_sql_bind(sql, stet_val_str(comment_statuses[status]));
	stet_sql_add(sql, ", updated_at = ");
	stet_sql_bind(sql, stet_val_str(stet_time_text(call, stet_now(call))));
	stet_sql_add(sql, " WHERE status <> ");
	stet_sql_bind(sql, stet_val_str(comment_statuses[status]));
	stet_sql_add(sql, " AND id");
	comment_in(sql, ids);
	STET_TRY(stet_sql_exec(sql, tx));
	*affected = stet_changes(call);
	return STET_OK;
}

enum stet_status
comment_remove(struct stet_call *call, struct stet_tx *tx, const json_t *ids, int64_t *affected)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "DELETE FROM comment WHERE id");
	comment_in(sql, ids);
	STET_TRY(stet_sql_exec(sql, tx));
	*affected = stet_changes(call);
	return STET_OK;
}

/* ---- when an item or a collection is deleted ---- */

enum stet_status
comment_purge(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	return stet_exec(call, tx, "DELETE FROM comment WHERE collection = ?1 AND entry_id = ?2",
	    STET_ARGS(stet_entry_collection(entry)->slug, stet_entry_id(entry)));
}

enum stet_status
comment_schema(struct stet_call *call, struct stet_tx *tx, const char *change,
    const char *collection, const char *field)
{
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	return stet_exec(
	    call, tx, "DELETE FROM comment WHERE collection = ?1", STET_ARGS(collection));
}
