/* import.c - the service for importers: stores comments from other systems. */
#include "comments.h"
#include <stet/table.h>
#include <string.h>

/* Finds the comment in the results of an earlier import; *out is NULL if it is not there. */
static enum stet_status
find_same(struct stet_call *call, const struct stet_comment *c, const char *at, const char **out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM comment WHERE collection = ?1 AND entry_id = ?2 AND created_at = ?3"
	    " AND body = ?4 AND coalesce(author_email, '') = lower(?5)",
	    STET_ARGS(c->collection, c->entry_id, at, c->body,
		c->author_email != NULL ? c->author_email : "")));
	*out = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct stet_comment_import *from,
    const char **id, bool *added)
{
	const char *at = stet_time_text(call, from->created_at);
	struct stet_comment c = { .id = stet_id(call),
		.collection = from->collection,
		.entry_id = from->entry_id,
		.author_name =
		    comment_clean(call, from->author_name != NULL ? from->author_name : "", false),
		.author_email = from->author_email,
		.author_user_id = from->author_user_id,
		.body = comment_clean(call, from->body, true),
		.status = from->status,
		.reason = "Imported" };

	if (*c.author_name == '\0')
		c.author_name = COMMENT_ANONYMOUS;
	STET_TRY(find_same(call, &c, at, id));
	*added = *id == NULL;
	if (!*added)
		return STET_OK;
	if (from->parent_id != NULL)
		STET_TRY(comment_thread(call, &c, from->parent_id, false, &c.parent_id));
	*id = c.id;
	return comment_insert(call, tx, &c, at);
}

static enum stet_status
import(struct stet_call *call, struct stet_tx *tx, const struct stet_comment_import *given,
    size_t size, const char **id, bool *added)
{
	struct stet_comment_import from;

	stet_extend(&from, sizeof(from), given, size);
	return store(call, tx, &from, id, added);
}

/* ---- export ---- */

#define TOLD                                                                                        \
	"SELECT id, parent_id, author_name, author_email, author_user_id, body, status, created_at" \
	" FROM comment WHERE "

struct telling {
	const char *collection, *entry_id;
	stet_comment_fn *fn;
	void *arg;
};

static enum stet_comment_status
status_of(const char *name)
{
	int status = 0;

	while (status < STET_COMMENT_STATUSES - 1 && strcmp(comment_statuses[status], name) != 0)
		status++;
	return (enum stet_comment_status)status;
}

static enum stet_status
tell(struct stet_call *call, struct stet_rows *rows, const struct telling *t)
{
	const struct stet_comment c = { .id = stet_col_str(rows, 0),
		.collection = t->collection,
		.entry_id = t->entry_id,
		.parent_id = stet_col_str(rows, 1),
		.author_name = stet_col_str(rows, 2),
		.author_email = stet_col_str(rows, 3),
		.author_user_id = stet_col_str(rows, 4),
		.body = stet_col_str(rows, 5),
		.ip_hash = "",
		.user_agent = "",
		.status = status_of(stet_col_str(rows, 6)),
		.created_at = stet_col_str(rows, 7) };

	return t->fn(call, &c, t->arg);
}

static enum stet_status
tell_replies(struct stet_call *call, const struct telling *t, const char *thread)
{
	struct stet_rows rows;
	enum stet_status status = STET_OK;

	STET_TRY(stet_query(
	    call, &rows, TOLD "parent_id = ?1 ORDER BY status, created_at, id", STET_ARGS(thread)));
	while (status == STET_OK && stet_row(&rows))
		status = tell(call, &rows, t);
	STET_TRY(stet_rows_end(&rows));
	return status;
}

static enum stet_status
each(struct stet_call *call, const char *collection, const char *entry_id, stet_comment_fn *fn,
    void *arg)
{
	const struct telling t = { collection, entry_id, fn, arg };
	struct stet_rows rows;
	enum stet_status status = STET_OK;

	STET_TRY(stet_query(call, &rows,
	    TOLD "collection = ?1 AND entry_id = ?2 AND parent_id IS NULL"
		 " ORDER BY status, created_at, id",
	    STET_ARGS(collection, entry_id)));
	while (status == STET_OK && stet_row(&rows)) {
		status = tell(call, &rows, &t);
		if (status == STET_OK)
			status = tell_replies(call, &t, stet_col_str(&rows, 0));
	}
	STET_TRY(stet_rows_end(&rows));
	return status;
}

static enum stet_status
count(
    struct stet_call *call, const char *collection, const char *const *ids, size_t most, int64_t *n)
{
	json_t *list = stet_json_own(call, json_array());
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	for (size_t i = 0; i < most; i++)
		(void)json_array_append_new(list, json_string(ids[i]));
	stet_sql_add(sql, "SELECT count(*) FROM comment WHERE collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND entry_id");
	comment_in(sql, list);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*n = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

const struct stet_comments_1 comments_service = { .import = import, .each = each, .count = count };
