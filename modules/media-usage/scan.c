/*
 * scan.c - scans the items of a collection and corrects the index: some items in a transaction, so
 * that writers do not wait. The progress is in the database, so a scan continues after a crash.
 * Writes during a scan update the index themselves.
 */
#include "media-usage.h"
#include <string.h>

#define BATCH SCAN_BATCH /* items in a transaction, at most */
#define BATCH_MS 50 /* milliseconds after which a transaction ends */
#define RUN_STEPS 50 /* most steps of a run of the job */
/* Milliseconds that an item waits in the queue before the job indexes it. A second request for the
 * item in this time finds it pending. */
#define WORK_DELAY 15000

enum stet_status
scan_begin(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *without, const char **run)
{
	*run = stet_id(call);
	return stet_exec(call, tx,
	    "INSERT INTO media_coverage (collection_id, slug, state, shape, run, cursor, indexed, "
	    "failed, deleted, error, started_at, completed_at) VALUES (?1, ?2, 'never', ?3, ?4, "
	    "'', 0, 0, 0, NULL, ?5, NULL) ON CONFLICT (collection_id) DO UPDATE SET shape = ?3, "
	    "run = ?4, cursor = '', indexed = 0, failed = 0, deleted = 0, error = NULL, "
	    "started_at = ?5, completed_at = NULL",
	    STET_ARGS(c->id, c->slug, coverage_shape(call, c, without), *run,
		stet_time_text(call, stet_now(call))));
}

/* ---- a step ---- */

enum stet_status
scan_ids(struct stet_call *call, const struct stet_collection *c, const char *after,
    const char **id, size_t *count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*count = 0;
	stet_sql_add(sql, "SELECT id FROM (SELECT id FROM (");
	if (holder_of(c) != NULL)
		holder_select_keys(holder_of(c), sql, after);
	else {
		stet_sql_add(sql, "SELECT id FROM ");
		stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
		stet_sql_add(sql, " WHERE id > ");
		stet_sql_bind(sql, stet_val_str(after));
	}
	stet_sql_add(sql, " ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(BATCH));
	stet_sql_add(sql, ") a UNION SELECT content_id FROM (SELECT DISTINCT content_id FROM "
			  "media_use WHERE collection_id = ");
	stet_sql_bind(sql, stet_val_str(c->id));
	stet_sql_add(sql, " AND content_id > ");
	stet_sql_bind(sql, stet_val_str(after));
	stet_sql_add(sql, " ORDER BY content_id LIMIT ");
	stet_sql_bind(sql, stet_val_int(BATCH));
	stet_sql_add(sql, ") b) c ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(BATCH));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		id[(*count)++] = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

/* Indexes an item. One that cannot be read is recorded, and does not stop the scan. */
static enum stet_status
scan_item(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *id, const char *without, struct coverage *at)
{
	struct entry entry;
	const char *error = NULL;

	if (entry_read(call, c, id, without, NULL, &entry) != STET_OK) {
		stet_error_clear(call);
		at->failed++;
		at->error = "CONTENT_USAGE_REPAIR_ERROR";
		return work_failed(call, tx, c->id, id, "MEDIA_USAGE_PROCESSING_FAILED");
	}
	if (entry.broken)
		error = "DRAFT_REVISION_NOT_FOUND";
	STET_TRY(entry_write(call, tx, c, id, &entry, &at->deleted));
	at->indexed += entry.sources;
	if (error == NULL)
		return STET_OK;
	at->failed++;
	at->error = error;
	return work_failed(call, tx, c->id, id, "MEDIA_USAGE_SNAPSHOT_FAILED");
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const struct coverage *at, bool done)
{
	const char *state = at->failed == 0                 ? "complete"
			    : at->indexed + at->deleted > 0 ? "partial"
							    : "failed";

	if (done && at->failed == 0)
		STET_TRY(work_done(call, tx, c->id));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE media_coverage SET cursor = ?2, indexed = ?3, failed = ?4, deleted = ?5, "
	    "error = ?6 WHERE collection_id = ?1",
	    STET_ARGS(c->id, at->cursor, at->indexed, at->failed, at->deleted, at->error)));
	if (!done)
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE media_coverage SET state = ?2, ended = run, run = NULL, cursor = '', "
	    "completed_at = ?3 "
	    "WHERE collection_id = ?1",
	    STET_ARGS(c->id, state, stet_time_text(call, stet_now(call))));
}

enum stet_status
scan_step(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *without)
{
	const char **id = stet_alloc(call, BATCH * sizeof(*id));
	const int64_t until = stet_now(call) + BATCH_MS;
	struct coverage at;
	size_t count, i = 0;

	STET_TRY(coverage_read(call, c->id, &at));
	if (at.run == NULL)
		return STET_OK;
	STET_TRY(scan_ids(call, c, at.cursor, id, &count));
	do {
		if (i < count)
			STET_TRY(scan_item(call, tx, c, id[i], without, &at));
		i++;
	} while (i < count && stet_now(call) < until);
	if (count > 0)
		at.cursor = id[i - 1];
	return store(call, tx, c, &at, count < BATCH && i >= count);
}

/* ---- changes of the schema ---- */

/* Scans a collection again if its shape has changed. A new field changes uses, too: a draft may
 * have a value for a deleted field of this name. Small collections are done at once; the job
 * continues with large ones. */
static enum stet_status
rescan(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *without)
{
	struct coverage at;
	const char *run;

	STET_TRY(coverage_read(call, c->id, &at));
	if (!at.there || (at.run == NULL && strcmp(at.state, "never") == 0) ||
	    strcmp(at.shape, coverage_shape(call, c, without)) == 0)
		return STET_OK;
	stet_job_wake(call, USAGE_JOB);
	STET_TRY(scan_begin(call, tx, c, without, &run));
	return scan_step(call, tx, c, without);
}

/* A collection that is made while the index is active is covered: it is empty. */
static enum stet_status
created(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c)
{
	const char *run;
	bool active;

	STET_TRY(activation_is_active(call, &active));
	if (!active)
		return STET_OK;
	STET_TRY(scan_begin(call, tx, c, NULL, &run));
	return scan_step(call, tx, c, NULL);
}

enum stet_status
usage_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	const struct stet_collection *c;

	STET_TRY(collection_by_slug(call, collection, &c));
	if (c == NULL)
		return STET_OK;
	if (field != NULL)
		return rescan(call, tx, c, strcmp(change, "delete") == 0 ? field : NULL);
	if (strcmp(change, "create") == 0)
		return created(call, tx, c);
	if (strcmp(change, "delete") == 0)
		return deletion_begin(call, tx, c->id, c->slug);
	return rescan(call, tx, c, NULL);
}

/* ---- what was missed while the module was off ---- */

/* Deletes what the index has of collections that are gone. */
static enum stet_status
forget_gone(struct stet_call *call, struct stet_tx *tx)
{
	struct stet_rows rows;
	const char **id;
	size_t count = 0, room = 1;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT (SELECT count(DISTINCT collection_id) FROM media_use_count) + (SELECT "
	    "count(*) FROM media_coverage)",
	    STET_NO_ARGS));
	room += (size_t)stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	id = stet_alloc(call, room * sizeof(*id));
	STET_TRY(stet_query(call, &rows,
	    "SELECT collection_id FROM media_use_count UNION SELECT collection_id FROM "
	    "media_coverage",
	    STET_NO_ARGS));
	while (stet_row(&rows) && count < room)
		id[count++] = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++) {
		const struct stet_collection *c;

		STET_TRY(collection_by_id(call, id[i], &c));
		if (c == NULL && !holder_is_id(id[i])) /* a table may come back with its module */
			STET_TRY(deletion_begin(call, tx, id[i], NULL));
	}
	return STET_OK;
}

enum stet_status
scan_missed(struct stet_call *call, struct stet_tx *tx)
{
	struct stet_absence absence;

	STET_TRY(stet_absence(call, &absence));
	if (!absence.open)
		return STET_OK;
	STET_TRY(forget_gone(call, tx));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE media_coverage SET run = NULL, state = CASE state WHEN 'never' THEN state "
	    "ELSE 'stale' END",
	    STET_NO_ARGS));
	return stet_absence_over(call, tx, absence.number);
}

/* ---- tables other than those of items ---- */

enum stet_status
scan_holders(struct stet_call *call, struct stet_tx *tx, const struct covered_all *all)
{
	const char *run;

	for (size_t i = all->collections; i < all->count; i++)
		if (!all->list[i].row.there) {
			STET_TRY(scan_begin(call, tx, all->list[i].collection, NULL, &run));
			STET_TRY(scan_step(call, tx, all->list[i].collection, NULL));
		}
	return STET_OK;
}

enum stet_status
usage_holder(struct stet_call *call, struct stet_tx *tx, const char *table, const char *id)
{
	const struct stet_collection *holder = holder_of_table(call, table);
	struct entry entry;
	const char *run;

	if (holder == NULL)
		return STET_OK;
	if (id == NULL) {
		stet_job_wake(call, USAGE_JOB);
		STET_TRY(scan_begin(call, tx, holder, NULL, &run));
		return scan_step(call, tx, holder, NULL);
	}
	STET_TRY(entry_read(call, holder, id, NULL, NULL, &entry));
	return entry_write(call, tx, holder, id, &entry, NULL);
}

/* ---- the job ---- */

const struct covered *
scan_next(const struct covered_all *all, bool active)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct coverage *row = &all->list[i].row;

		if (row->run != NULL || strcmp(row->state, "stale") == 0 ||
		    (active && strcmp(row->state, "never") == 0))
			return &all->list[i];
	}
	return NULL;
}

enum stet_status
scan_any(struct stet_call *call, struct stet_tx *tx, bool *more)
{
	const struct covered *next;
	struct covered_all all;
	const char *run;
	bool active;

	STET_TRY(activation_is_active(call, &active));
	STET_TRY(coverage_all(call, &all));
	*more = all.missed;
	if (all.missed)
		return scan_missed(call, tx);
	next = scan_next(&all, active);
	*more = next != NULL;
	if (next == NULL)
		return STET_OK;
	if (next->row.run == NULL)
		STET_TRY(scan_begin(call, tx, next->collection, NULL, &run));
	return scan_step(call, tx, next->collection, NULL);
}

static enum stet_status
is_due(struct stet_call *call, int64_t *at)
{
	struct covered_all all;
	bool active, failed;
	int64_t deletion;

	STET_TRY(activation_is_active(call, &active));
	STET_TRY(coverage_all(call, &all));
	if (all.missed || scan_next(&all, active) != NULL) {
		*at = stet_now(call);
		return STET_OK;
	}
	STET_TRY(work_when(call, at));
	if (*at >= 0)
		*at += WORK_DELAY;
	STET_TRY(deletion_when(call, &deletion, &failed));
	if (deletion >= 0 && (*at < 0 || deletion < *at))
		*at = deletion;
	return STET_OK;
}

int64_t
scan_due(struct stet_call *call)
{
	int64_t at = -1;

	if (is_due(call, &at) != STET_OK)
		stet_log(call, STET_ERROR, "media-usage: %s", stet_error_text(call));
	return at;
}

struct step {
	bool more;
};

static enum stet_status
write_step(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct step *step = arg;
	bool scanned, worked, deleted;

	STET_TRY(scan_any(call, tx, &scanned));
	STET_TRY(work_step(call, tx, stet_now(call) - WORK_DELAY, &worked));
	STET_TRY(deletion_step(call, tx, &deleted));
	step->more = scanned || worked || deleted;
	return STET_OK;
}

static enum stet_status
one_step(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, write_step, arg);
}

enum stet_status
scan_run(struct stet_call *call)
{
	struct step step = { true };

	for (int i = 0; step.more && i < RUN_STEPS; i++)
		STET_TRY(stet_scope(call, one_step, &step));
	return STET_OK;
}
