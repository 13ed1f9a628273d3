/*
 * work.c - single items that are to be indexed again: an operator asked for it, or a scan could not
 * read them. An item is read, indexed and removed from the queue in one transaction, so no lease is
 * needed; leases in the table are respected all the same.
 */
#include "media-usage.h"
#include <string.h>

#define ATTEMPTS_MAX 5
#define PAUSE_MS 30000LL /* after the first failure; each further one doubles it */
#define PAUSE_MAX_MS 900000LL
#define AT_ONCE 20 /* items in a transaction, at most */
#define ID_LENGTH 2048

/* ---- the queue ---- */

enum stet_status
work_failed(struct stet_call *call, struct stet_tx *tx, const char *collection_id, const char *id,
    const char *error)
{
	return stet_exec(call, tx,
	    "INSERT INTO media_work (collection_id, content_id, state, attempts, attempted_at, "
	    "error, updated_at) VALUES (?1, ?2, 'failed', 1, ?4, ?3, ?4) ON CONFLICT "
	    "(collection_id, content_id) DO UPDATE SET state = 'failed', attempts = "
	    "media_work.attempts + 1, attempted_at = ?4, error = ?3, updated_at = ?4, next_at = "
	    "NULL, lease_until = NULL",
	    STET_ARGS(collection_id, id, error, stet_time_text(call, stet_now(call))));
}

enum stet_status
work_done(struct stet_call *call, struct stet_tx *tx, const char *collection_id)
{
	return stet_exec(
	    call, tx, "DELETE FROM media_work WHERE collection_id = ?1", STET_ARGS(collection_id));
}

struct job {
	const char *collection, *id;
	int64_t attempts;
};

/* Removes an item that is indexed. If no queued item is left, a scan that failed only for such
 * items becomes complete. */
static enum stet_status
finish(struct stet_call *call, struct stet_tx *tx, const struct job *job)
{
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM media_work WHERE collection_id = ?1 AND content_id = ?2",
	    STET_ARGS(job->collection, job->id)));
	return stet_exec(call, tx,
	    "UPDATE media_coverage SET state = 'complete', error = NULL WHERE collection_id = ?1 "
	    "AND state IN ('partial', 'failed') AND run IS NULL AND NOT EXISTS (SELECT 1 FROM "
	    "media_work WHERE collection_id = ?1)",
	    STET_ARGS(job->collection));
}

static enum stet_status
put_off(struct stet_call *call, struct stet_tx *tx, const struct job *job, const char *error)
{
	int64_t attempts = job->attempts + 1, now = stet_now(call), pause = PAUSE_MS;

	for (int64_t i = 1; i < attempts && pause < PAUSE_MAX_MS; i++)
		pause *= 2;
	if (pause > PAUSE_MAX_MS)
		pause = PAUSE_MAX_MS;
	return stet_exec(call, tx,
	    "UPDATE media_work SET state = ?3, attempts = ?4, next_at = ?5, lease_until = NULL, "
	    "attempted_at = ?6, error = ?7, updated_at = ?6 WHERE collection_id = ?1 AND "
	    "content_id = ?2",
	    STET_ARGS(job->collection, job->id, attempts < ATTEMPTS_MAX ? "retry" : "failed",
		attempts, attempts < ATTEMPTS_MAX ? stet_time_text(call, now + pause) : NULL,
		stet_time_text(call, now), error));
}

static enum stet_status
do_item(struct stet_call *call, struct stet_tx *tx, const struct job *job)
{
	const struct stet_collection *c;
	struct entry entry;

	STET_TRY(collection_by_id(call, job->collection, &c));
	if (c == NULL)
		return finish(call, tx, job);
	if (entry_read(call, c, job->id, NULL, NULL, &entry) != STET_OK) {
		stet_error_clear(call);
		return put_off(call, tx, job, "MEDIA_USAGE_PROCESSING_FAILED");
	}
	STET_TRY(entry_write(call, tx, c, job->id, &entry, NULL));
	if (entry.broken)
		return put_off(call, tx, job, "MEDIA_USAGE_SNAPSHOT_FAILED");
	return finish(call, tx, job);
}

#define DUE                                                                            \
	"((state IN ('pending', 'retry') AND next_at <= ?1) OR (state = 'leased' AND " \
	"lease_until <= ?1))"

enum stet_status
work_step(struct stet_call *call, struct stet_tx *tx, int64_t now, bool *more)
{
	struct job job[AT_ONCE];
	struct stet_rows rows;
	size_t count = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT collection_id, content_id, attempts FROM media_work WHERE " DUE
	    " ORDER BY COALESCE(next_at, lease_until), collection_id, content_id LIMIT ?2",
	    STET_ARGS(stet_time_text(call, now), AT_ONCE)));
	while (count < AT_ONCE && stet_row(&rows)) {
		job[count].collection = stet_col_dup(&rows, 0);
		job[count].id = stet_col_dup(&rows, 1);
		job[count++].attempts = stet_col_int(&rows, 2);
	}
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++)
		STET_TRY(do_item(call, tx, &job[i]));
	*more = count > 0;
	return STET_OK;
}

enum stet_status
work_when(struct stet_call *call, int64_t *at)
{
	struct stet_rows rows;

	*at = -1;
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT min(at) FROM (SELECT min(next_at) AS at FROM media_work WHERE state = "
	    "'pending' UNION ALL SELECT min(next_at) FROM media_work WHERE state = 'retry' UNION "
	    "ALL SELECT min(lease_until) FROM media_work WHERE state = 'leased') w",
	    STET_NO_ARGS));
	if (!stet_col_null(&rows, 0) && !stet_time_parse(stet_col_str(&rows, 0), at))
		*at = stet_now(call);
	return stet_rows_end(&rows);
}

/* ---- reading the queue ---- */

static const struct stet_member work_item[] = {
	{ "collectionId", STET_STRING, STET_REQUIRED },
	{ "collectionSlug", STET_STRING, STET_REQUIRED },
	{ "contentId", STET_STRING, STET_REQUIRED },
	{ "state", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("pending", "retry", "leased", "failed") },
	{ "attemptCount", STET_INTEGER, STET_REQUIRED, .about = "How often it has failed" },
	{ "nextAttemptAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "leaseExpiresAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "lastAttemptedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "lastErrorCode", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member work_list_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection",
	    STET_RANGE(1, 63), .pattern = "^[a-z][a-z0-9_]*(?![\\s\\S])" },
	{ "state", STET_STRING, STET_CHOICES("pending", "retry", "leased", "failed") },
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "Items a page", STET_RANGE(1, 100),
	    .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member work_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = work_item },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member work_retry_in[] = {
	{ "collectionId", STET_STRING, STET_REQUIRED, STET_RANGE(1, ID_LENGTH) },
	{ "contentId", STET_STRING, STET_REQUIRED, STET_RANGE(1, ID_LENGTH) },
	{ 0 },
};
const struct stet_member work_retry_out[] = {
	{ "changed", STET_BOOLEAN, STET_REQUIRED, .about = "false: it was pending already" },
	{ "item", STET_OBJECT, STET_REQUIRED, .of = work_item },
	{ 0 },
};

enum stet_status
usage_work(struct stet_call *call)
{
	struct stet_page page = {
		.listing = "media-usage-work", .key = "updated_at", .key_column = 9, .id_column = 2
	};
	const char *slug = stet_arg(call, "collection"), *state = stet_arg(call, "state");
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	const struct stet_collection *c;
	struct stet_rows rows;

	STET_TRY(collection_by_slug(call, slug, &c));
	if (c == NULL)
		return stet_fail(call, stet_code(call, "COLLECTION_NOT_FOUND"), "collection",
		    "Collection not found: %s", slug);
	stet_sql_add(sql, "SELECT * FROM (SELECT collection_id, ");
	stet_sql_bind(sql, stet_val_str(c->slug));
	stet_sql_add(sql, " AS slug, content_id AS id, state, attempts, next_at, lease_until, "
			  "attempted_at, error, updated_at FROM media_work) w WHERE "
			  "collection_id = ");
	stet_sql_bind(sql, stet_val_str(c->id));
	if (state != NULL) {
		stet_sql_add(sql, " AND state = ");
		stet_sql_bind(sql, stet_val_str(state));
	}
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, work_item);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- retrying ---- */

static enum stet_status
answer(struct stet_call *call, const struct stet_collection *c, const char *id, bool changed)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT collection_id, ?3, content_id, state, attempts, next_at, lease_until, "
	    "attempted_at, error, updated_at FROM media_work WHERE collection_id = ?1 AND "
	    "content_id = ?2",
	    STET_ARGS(c->id, id, c->slug)));
	stet_object(out, NULL);
	stet_put_bool(out, "changed", changed);
	stet_object(out, "item");
	stet_put_columns(out, &rows, 0, work_item, sizeof(work_item) / sizeof(work_item[0]) - 1);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
lease_refuse(struct stet_call *call, const char *until)
{
	enum stet_status status = stet_fail(call, stet_code(call, "WORK_LEASE_ACTIVE"), NULL,
	    "Somebody is at work on it until %s", until);

	stet_detail(call, "leaseExpiresAt", until);
	return status;
}

/* *pending: the item is queued already. Fails if the row is leased. */
static enum stet_status
is_pending(struct stet_call *call, const struct stet_collection *c, const char *id, bool *pending)
{
	const char *now = stet_time_text(call, stet_now(call)), *until = NULL;
	struct stet_rows rows;

	*pending = false;
	STET_TRY(stet_query(call, &rows,
	    "SELECT state, lease_until FROM media_work WHERE collection_id = ?1 AND content_id = "
	    "?2",
	    STET_ARGS(c->id, id)));
	if (stet_row(&rows)) {
		*pending = strcmp(stet_col_str(&rows, 0), "pending") == 0;
		if (strcmp(stet_col_str(&rows, 0), "leased") == 0)
			until = stet_col_dup(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	return until != NULL && strcmp(until, now) > 0 ? lease_refuse(call, until) : STET_OK;
}

enum stet_status
usage_work_retry(struct stet_call *call)
{
	const char *collection = stet_arg(call, "collectionId"), *id = stet_arg(call, "contentId");
	struct stet_tx *tx = stet_write_tx(call);
	const struct stet_collection *c;
	struct coverage at = { 0 };
	bool active, pending;

	STET_TRY(activation_is_active(call, &active));
	STET_TRY(collection_by_id(call, collection, &c));
	if (c != NULL)
		STET_TRY(coverage_read(call, c->id, &at));
	if (!active || !at.there)
		return stet_fail(call, stet_code(call, "COLLECTION_NOT_FOUND"), "collectionId",
		    "No collection with this id is indexed");
	STET_TRY(is_pending(call, c, id, &pending));
	if (pending)
		return answer(call, c, id, false);
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO media_work (collection_id, content_id, state, attempts, next_at, "
	    "updated_at) VALUES (?1, ?2, 'pending', 0, ?3, ?3) ON CONFLICT (collection_id, "
	    "content_id) DO UPDATE SET state = 'pending', attempts = 0, next_at = ?3, "
	    "lease_until = NULL, attempted_at = NULL, error = NULL, updated_at = ?3",
	    STET_ARGS(c->id, id, stet_time_text(call, stet_now(call)))));
	stet_job_wake(call, USAGE_JOB);
	return answer(call, c, id, true);
}
