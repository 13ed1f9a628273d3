/*
 * build.c - work that is too long for one transaction: filling a new index, removing an old one,
 * and optimising a full shard into one segment. Each step is one transaction, which also stores the
 * work that remains. So the call that started the work, or the job, can take the next step, in this
 * or another process, also after a crash.
 */
#include "search.h"
#include <string.h>

#define FOLLOW_MS 250 /* how often an index beside the database looks for changes of others */
#define AWAY_MS 1000 /* the same while the database is away */
#define WAIT_MS 10000 /* how long a client waits, before the job continues alone */
#define RUN_STEPS 20 /* steps of the job before it lets other work use its thread */
#define MERGE_STEPS 64 /* steps of shard_merge; more than the pages of a shard allow */

struct step {
	const char *collection; /* NULL: any collection */
	bool again; /* there is more to do */
};

/* ---- filling a new index ---- */

static enum stet_status
swap(struct stet_call *call, struct stet_tx *tx, const struct index *x)
{
	STET_TRY(index_discard(call, tx, x->collection, "serving"));
	STET_TRY(failed_forget(call, tx, x->collection));
	return stet_exec(call, tx,
	    "UPDATE search_index SET state = 'serving', done = total WHERE id = ?1",
	    STET_ARGS(x->id));
}

static enum stet_status
next_ids(struct stet_call *call, const struct index *x, const char **id, size_t *count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, x->collection);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(x->cursor));
	stet_sql_add(sql, " ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(BUILD_BATCH));
	*count = 0;
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		id[(*count)++] = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
fill(struct stet_call *call, struct stet_tx *tx, const struct index *x)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char **id = stet_alloc(call, BUILD_BATCH * sizeof(*id));
	const struct stet_collection *c;
	size_t count;

	STET_TRY(schema->collection(call, x->collection, &c));
	STET_TRY(next_ids(call, x, id, &count));
	STET_TRY(doc_sync(call, tx, x, c, id, count, true));
	if (count < BUILD_BATCH)
		return swap(call, tx, x);
	return stet_exec(call, tx,
	    "UPDATE search_index SET cursor = ?2, done = done + ?3 WHERE id = ?1",
	    STET_ARGS(x->id, id[count - 1], (long)count));
}

static enum stet_status
write_total(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct index *x = arg;

	return stet_exec(call, tx, "UPDATE search_index SET total = ?2 WHERE id = ?1",
	    STET_ARGS(x->id, x->total));
}

/* Counts the items, to show progress. Runs outside the write lane, since it reads a whole index. */
static enum stet_status
count_items(struct stet_call *call, struct index *x)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT count(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, x->collection);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	x->total = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return index_write(call, write_total, x);
}

/* ---- removing an old index ---- */

static enum stet_status
drop_shard(struct stet_call *call, struct stet_tx *tx, int64_t shard)
{
	STET_TRY(stet_exec(call, tx, "DELETE FROM search_doc WHERE shard = ?1", STET_ARGS(shard)));
	STET_TRY(stet_exec(call, tx, "DELETE FROM search_shard WHERE id = ?1", STET_ARGS(shard)));
	return shard_drop(call, tx, shard);
}

static enum stet_status
drop_next_shard(struct stet_call *call, struct stet_tx *tx, int64_t index)
{
	struct stet_rows rows;
	int64_t shard = 0;

	STET_TRY(stet_derived_query(
	    call, &rows, "SELECT min(id) FROM search_shard WHERE index_id = ?1", STET_ARGS(index)));
	if (stet_row(&rows))
		shard = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (shard > 0)
		return drop_shard(call, tx, shard);
	return stet_exec(call, tx, "DELETE FROM search_index WHERE id = ?1", STET_ARGS(index));
}

/* ---- steps ---- */

/* Reads a number from the first row; 0 if there is no row. */
static enum stet_status
ask(struct stet_call *call, const char *sql, const char *collection, int64_t *out)
{
	struct stet_rows rows;

	*out = 0;
	STET_TRY(stet_derived_query(call, &rows, sql, STET_ARGS(collection)));
	if (stet_row(&rows))
		*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

#define NEXT_DISCARDED                                                                      \
	"SELECT id FROM search_index WHERE state = 'discarded' AND (collection = ?1 OR ?1 " \
	"IS NULL) ORDER BY id LIMIT 1"
#define NEXT_FULL                                                                       \
	"SELECT id FROM search_shard WHERE state = 1 AND (index_id IN (SELECT id FROM " \
	"search_index WHERE collection = ?1) OR ?1 IS NULL) ORDER BY id LIMIT 1"

static enum stet_status
write_step(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct step *step = arg;
	struct index *list;
	size_t count;
	int64_t id;

	step->again = true;
	STET_TRY(index_list(call, step->collection, "building", &list, &count));
	if (count > 0)
		return fill(call, tx, &list[0]);
	STET_TRY(ask(call, NEXT_DISCARDED, step->collection, &id));
	if (id > 0)
		return drop_next_shard(call, tx, id);
	step->again = false;
	return STET_OK;
}

struct merge {
	int64_t shard;
	int step;
};

static enum stet_status
write_merge(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct merge *m = arg;
	int64_t still;

	/* The shard may have been emptied and dropped meanwhile. */
	STET_TRY(ask(call, "SELECT id FROM search_shard WHERE id = ?1 AND state = 1",
	    stet_printf(call, "%lld", (long long)m->shard), &still));
	if (still == 0)
		return STET_OK;
	if (m->step < MERGE_STEPS)
		return shard_merge(call, tx, m->shard, m->step == 0);
	return stet_exec(
	    call, tx, "UPDATE search_shard SET state = 2 WHERE id = ?1", STET_ARGS(m->shard));
}

static enum stet_status
merge_one(struct stet_call *call, struct step *step)
{
	struct merge m = { 0 };

	STET_TRY(ask(call, NEXT_FULL, step->collection, &m.shard));
	step->again = m.shard > 0;
	for (; m.shard > 0 && m.step <= MERGE_STEPS; m.step++)
		STET_TRY(index_write(call, write_merge, &m));
	return STET_OK;
}

/* Changes that were missed while the module was off come first. A call that builds one collection
 * leaves them to the job. */
static enum stet_status
one_step(struct stet_call *call, void *arg)
{
	struct step *step = arg;
	struct index *list;
	size_t count;
	bool missed = false, pending = false;

	STET_TRY(beside_step(call, &pending));
	if (pending)
		return STET_OK;
	if (step->collection == NULL)
		STET_TRY(missed_any(call, &missed));
	if (missed)
		return missed_step(call);
	if (step->collection == NULL && !stet_derived_apart(call))
		STET_TRY(pending_any(call, &pending));
	if (pending)
		return pending_step(call);
	STET_TRY(index_list(call, step->collection, "building", &list, &count));
	if (count > 0 && list[0].total < 0)
		STET_TRY(count_items(call, &list[0]));
	STET_TRY(index_write(call, write_step, step));
	return step->again ? STET_OK : merge_one(call, step);
}

enum stet_status
build_now(struct stet_call *call, const char *collection)
{
	const struct stet_principal *p = stet_principal(call);
	bool patient = p != NULL && p->via == STET_VIA_COMMAND;
	int64_t until = stet_now(call) + WAIT_MS;
	struct step step = { collection, true };

	while (step.again && (patient || stet_now(call) < until))
		STET_TRY(stet_scope(call, one_step, &step));
	return STET_OK;
}

/* ---- the job ---- */

/* A site in PostgreSQL may be away for a while, which others log, and the tables of its collections
 * may change while they are read. The job looks again soon, for as long as it takes. */
static bool
is_away(struct stet_call *call, enum stet_status status)
{
	if (status != STET_UNAVAILABLE || !stet_derived_apart(call))
		return false;
	stet_log(call, STET_DEBUG, "search: %s", stet_error_text(call));
	stet_error_clear(call);
	return true;
}

static enum stet_status
find_work(struct stet_call *call, bool *work)
{
	bool missed, pending;
	int64_t n;

	STET_TRY(missed_any(call, &missed));
	STET_TRY(pending_any(call, &pending));
	STET_TRY(ask(call,
	    "SELECT EXISTS (SELECT 1 FROM search_index WHERE state <> 'serving') OR EXISTS "
	    "(SELECT 1 FROM search_shard WHERE state = ?1)",
	    "1", &n));
	*work = missed || pending || n != 0;
	return STET_OK;
}

int64_t
build_due(struct stet_call *call)
{
	bool work = false;
	enum stet_status status = find_work(call, &work);

	if (is_away(call, status))
		return stet_now(call) + AWAY_MS;
	if (status != STET_OK)
		stet_log(call, STET_ERROR, "search: %s", stet_error_text(call));
	if (work)
		return stet_now(call);
	/* Commits of other daemons wake nobody here. */
	return stet_derived_apart(call) ? stet_now(call) + FOLLOW_MS : -1;
}

enum stet_status
build_run(struct stet_call *call)
{
	struct step step = { NULL, true };
	enum stet_status status = STET_OK;

	for (int i = 0; status == STET_OK && step.again && i < RUN_STEPS; i++)
		status = stet_scope(call, one_step, &step);
	return is_away(call, status) ? STET_OK : status;
}
