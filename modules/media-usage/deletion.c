/*
 * deletion.c - deletes the rows that the index has of deleted collections, some at a time. Queries
 * ignore these rows, and the ids of the collections are never used again.
 */
#include "media-usage.h"
#include <string.h>

#define AT_ONCE 500 /* rows in a transaction */

enum stet_status
deletion_begin(
    struct stet_call *call, struct stet_tx *tx, const char *collection_id, const char *slug)
{
	struct stet_rows rows;

	if (slug == NULL) {
		STET_TRY(stet_query(call, &rows,
		    "SELECT slug FROM media_coverage WHERE collection_id = ?1",
		    STET_ARGS(collection_id)));
		slug = stet_row(&rows) ? stet_col_dup(&rows, 0) : "";
		STET_TRY(stet_rows_end(&rows));
	}
	STET_TRY(stet_exec(call, tx, "DELETE FROM media_coverage WHERE collection_id = ?1",
	    STET_ARGS(collection_id)));
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO media_deletion (collection_id, slug, state, phase, attempts, next_at, "
	    "updated_at) VALUES (?1, ?2, 'pending', 'work', 0, ?3, ?3) ON CONFLICT "
	    "(collection_id) DO NOTHING",
	    STET_ARGS(collection_id, slug, stet_time_text(call, stet_now(call)))));
	stet_job_wake(call, USAGE_JOB);
	return STET_OK;
}

/* ---- phases: each deletes some rows and returns how many it has found ---- */

typedef enum stet_status phase_fn(
    struct stet_call *, struct stet_tx *, const char *collection_id, size_t *found);

/* The key of a row, besides the collection. */
struct named {
	const char *a, *b;
};

static enum stet_status
select_some(struct stet_call *call, const char *sql, const char *collection_id,
    struct named list[AT_ONCE], size_t *found)
{
	struct stet_rows rows;

	*found = 0;
	STET_TRY(stet_query(call, &rows, sql, STET_ARGS(collection_id, AT_ONCE)));
	while (*found < AT_ONCE && stet_row(&rows)) {
		list[*found].a = stet_col_dup(&rows, 0);
		list[(*found)++].b = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
delete_work(struct stet_call *call, struct stet_tx *tx, const char *collection_id, size_t *found)
{
	struct named list[AT_ONCE];

	STET_TRY(select_some(call,
	    "SELECT content_id, NULL FROM media_work WHERE collection_id = ?1 LIMIT ?2",
	    collection_id, list, found));
	for (size_t i = 0; i < *found; i++)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM media_work WHERE collection_id = ?1 AND content_id = ?2",
		    STET_ARGS(collection_id, list[i].a)));
	return STET_OK;
}

static enum stet_status
delete_uses(struct stet_call *call, struct stet_tx *tx, const char *collection_id, size_t *found)
{
	struct named list[AT_ONCE];

	STET_TRY(select_some(call,
	    "SELECT media_id, content_id FROM media_use WHERE collection_id = ?1 LIMIT ?2",
	    collection_id, list, found));
	for (size_t i = 0; i < *found; i++)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM media_use WHERE media_id = ?2 AND collection_id = ?1 AND "
		    "content_id = ?3",
		    STET_ARGS(collection_id, list[i].a, list[i].b)));
	return STET_OK;
}

static enum stet_status
delete_counts(struct stet_call *call, struct stet_tx *tx, const char *collection_id, size_t *found)
{
	struct named list[AT_ONCE];

	STET_TRY(select_some(call,
	    "SELECT media_id, NULL FROM media_use_count WHERE collection_id = ?1 LIMIT ?2",
	    collection_id, list, found));
	for (size_t i = 0; i < *found; i++)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM media_use_count WHERE media_id = ?2 AND collection_id = ?1",
		    STET_ARGS(collection_id, list[i].a)));
	return STET_OK;
}

static const struct phase {
	const char *name;
	phase_fn *run;
} phases[] = {
	{ "work", delete_work },
	{ "sources", delete_uses },
	{ "counts", delete_counts },
};
#define PHASES (sizeof(phases) / sizeof(phases[0]))

/* Stores the next phase; after the last one, deletes the row. */
static enum stet_status
checkpoint(struct stet_call *call, struct stet_tx *tx, const char *collection_id, size_t next)
{
	if (next == PHASES)
		return stet_exec(call, tx, "DELETE FROM media_deletion WHERE collection_id = ?1",
		    STET_ARGS(collection_id));
	return stet_exec(call, tx,
	    "UPDATE media_deletion SET state = 'pending', phase = ?2, attempts = 0, next_at = ?3, "
	    "lease_until = NULL, error = NULL, updated_at = ?3 WHERE collection_id = ?1",
	    STET_ARGS(collection_id, phases[next].name, stet_time_text(call, stet_now(call))));
}

enum stet_status
deletion_step(struct stet_call *call, struct stet_tx *tx, bool *more)
{
	const char *now = stet_time_text(call, stet_now(call)), *id = NULL, *phase = NULL;
	struct stet_rows rows;
	size_t at = 0, found;

	STET_TRY(stet_query(call, &rows,
	    "SELECT collection_id, phase FROM media_deletion WHERE (state IN ('pending', 'retry') "
	    "AND next_at <= ?1) OR (state = 'leased' AND lease_until <= ?1) ORDER BY next_at, "
	    "collection_id LIMIT 1",
	    STET_ARGS(now)));
	if (stet_row(&rows)) {
		id = stet_col_dup(&rows, 0);
		phase = stet_col_dup(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	*more = id != NULL;
	if (id == NULL)
		return STET_OK;
	while (at + 1 < PHASES && strcmp(phases[at].name, phase) != 0)
		at++;
	STET_TRY(phases[at].run(call, tx, id, &found));
	return found < AT_ONCE ? checkpoint(call, tx, id, at + 1) : STET_OK;
}

enum stet_status
deletion_when(struct stet_call *call, int64_t *at, bool *failed)
{
	struct stet_rows rows;

	*at = -1;
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT min(CASE state WHEN 'failed' THEN NULL WHEN 'leased' THEN lease_until ELSE "
	    "next_at END), sum(CASE state WHEN 'failed' THEN 1 ELSE 0 END) FROM media_deletion",
	    STET_NO_ARGS));
	if (!stet_col_null(&rows, 0) && !stet_time_parse(stet_col_str(&rows, 0), at))
		*at = stet_now(call);
	*failed = stet_col_int(&rows, 1) > 0;
	return stet_rows_end(&rows);
}

/* ---- the ops ---- */

static const struct stet_member deletion_item[] = {
	{ "collectionId", STET_STRING, STET_REQUIRED },
	{ "collectionSlug", STET_STRING, STET_REQUIRED },
	{ "state", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("pending", "retry", "leased", "failed") },
	{ "phase", STET_STRING, STET_REQUIRED, .about = "What is being deleted" },
	{ "attemptCount", STET_INTEGER, STET_REQUIRED },
	{ "nextAttemptAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "leaseExpiresAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "lastErrorCode", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member deletion_list_in[] = {
	{ "state", STET_STRING, STET_CHOICES("pending", "retry", "leased", "failed"),
	    .fallback = "\"failed\"" },
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "Items a page", STET_RANGE(1, 100),
	    .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member deletion_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = deletion_item },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member deletion_retry_in[] = {
	{ "collectionId", STET_STRING, STET_REQUIRED, STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member deletion_retry_out[] = {
	{ "changed", STET_BOOLEAN, STET_REQUIRED },
	{ "item", STET_OBJECT, STET_REQUIRED, .of = deletion_item },
	{ 0 },
};

#define ITEMS                                                                                    \
	"SELECT id, slug, state, phase, attempts, next_at, lease_until, error, updated_at FROM " \
	"(SELECT collection_id AS id, slug, state, phase, attempts, next_at, lease_until, "      \
	"error, updated_at FROM media_deletion) d WHERE "

enum stet_status
usage_deletions(struct stet_call *call)
{
	struct stet_page page = { .listing = "media-usage-deletions",
		.key = "updated_at",
		.key_column = 8,
		.id_column = 0 };
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, ITEMS "state = ");
	stet_sql_bind(sql, stet_val_str(stet_arg(call, "state")));
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, deletion_item);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
check_state(struct stet_call *call, const char *id)
{
	const char *now = stet_time_text(call, stet_now(call)), *state, *until;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT state, lease_until FROM media_deletion WHERE collection_id = ?1",
	    STET_ARGS(id)));
	state = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	until = state != NULL ? stet_col_dup(&rows, 1) : NULL;
	STET_TRY(stet_rows_end(&rows));
	if (state == NULL)
		return stet_fail(call, STET_NOT_FOUND, "collectionId",
		    "Nothing is left of a collection with this id");
	if (strcmp(state, "leased") == 0 && until != NULL && strcmp(until, now) > 0)
		return lease_refuse(call, until);
	if (strcmp(state, "pending") == 0)
		return stet_fail(
		    call, stet_code(call, "WORK_CHANGED"), NULL, "It is pending already");
	return STET_OK;
}

enum stet_status
usage_deletion_retry(struct stet_call *call)
{
	const char *id = stet_arg(call, "collectionId");
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(check_state(call, id));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE media_deletion SET state = 'pending', attempts = 0, next_at = ?2, lease_until "
	    "= NULL, error = NULL, updated_at = ?2 WHERE collection_id = ?1",
	    STET_ARGS(id, stet_time_text(call, stet_now(call)))));
	stet_job_wake(call, USAGE_JOB);
	STET_TRY(stet_one(call, &rows, STET_FAULT, ITEMS "id = ?1", STET_ARGS(id)));
	stet_object(out, NULL);
	stet_put_bool(out, "changed", true);
	stet_object(out, "item");
	stet_put_columns(
	    out, &rows, 0, deletion_item, sizeof(deletion_item) / sizeof(deletion_item[0]) - 1);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}
