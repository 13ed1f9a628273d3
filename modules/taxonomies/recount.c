/*
 * recount.c - corrects counts after the module was disabled on a site, and missed changes of items.
 *
 * Each assignment stores the locales in which it was counted, so the job visits every assignment
 * once, some in each transaction; the table term_recount stores its progress.
 */
#include "taxonomies.h"
#include <string.h>

#define RECOUNT_ROWS 300 /* rows in one transaction: about ten milliseconds */
#define RUN_STEPS 20 /* steps of the job before it lets other work use its thread */

struct assignment {
	const char *collection, *group, *taxonomy, *term, *shown;
};

struct progress {
	int64_t absence; /* the absence for which it counts (stet_absence) */
	struct assignment last; /* the last assignment that was checked */
	bool done;
};

/* ---- progress ---- */

/* Reads the progress; ignores that of an earlier absence, so that the job starts again. */
static enum stet_status
load(struct stet_call *call, struct progress *p)
{
	struct stet_absence absence;
	struct stet_rows rows;

	*p = (struct progress){ .last = { "", "", "", "", "" } };
	STET_TRY(stet_absence(call, &absence));
	p->absence = absence.number;
	p->done = !absence.open;
	if (p->done)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT collection, entry_group, taxonomy, term_group FROM term_recount"
	    " WHERE since = ?1",
	    STET_ARGS(stet_printf(call, "%lld", (long long)p->absence))));
	if (stet_row(&rows)) {
		p->last.collection = stet_col_dup(&rows, 0);
		p->last.group = stet_col_dup(&rows, 1);
		p->last.taxonomy = stet_col_dup(&rows, 2);
		p->last.term = stet_col_dup(&rows, 3);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct progress *p)
{
	const struct assignment *a = &p->last;

	STET_TRY(stet_exec(call, tx, "DELETE FROM term_recount", STET_NO_ARGS));
	if (p->done)
		return stet_absence_over(call, tx, p->absence);
	return stet_exec(call, tx,
	    "INSERT INTO term_recount (since, collection, entry_group, taxonomy, term_group, done)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, 0)",
	    STET_ARGS(stet_printf(call, "%lld", (long long)p->absence), a->collection, a->group,
		a->taxonomy, a->term));
}

/* ---- assignments ---- */

static enum stet_status
read_some(
    struct stet_call *call, const struct assignment *after, struct assignment *out, size_t *count)
{
	struct stet_rows rows;

	*count = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT collection, entry_group, taxonomy, term_group, shown FROM content_term"
	    " WHERE (collection, entry_group, taxonomy, term_group) > (?1, ?2, ?3, ?4)"
	    " ORDER BY collection, entry_group, taxonomy, term_group LIMIT ?5",
	    STET_ARGS(
		after->collection, after->group, after->taxonomy, after->term, RECOUNT_ROWS)));
	while (stet_row(&rows))
		out[(*count)++] = (struct assignment){ stet_col_dup(&rows, 0),
			stet_col_dup(&rows, 1), stet_col_dup(&rows, 2), stet_col_dup(&rows, 3),
			stet_col_dup(&rows, 4) };
	return stet_rows_end(&rows);
}

static enum stet_status
has_items(struct stet_call *call, const struct assignment *a, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, a->collection);
	stet_sql_add(sql, " WHERE translation_group = ");
	stet_sql_bind(sql, stet_val_str(a->group));
	stet_sql_add(sql, " LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* Corrects the assignments of one group. If its items or its collection were deleted while the
 * module was off, deletes the assignments. */
static enum stet_status
settle(struct stet_call *call, struct stet_tx *tx, const struct assignment *a, size_t count)
{
	const char *now = "";
	bool there;

	STET_TRY(is_collection(call, a->collection, &there));
	if (there)
		STET_TRY(count_shown(call, a->collection, a->group, &now));
	if (there && *now == '\0')
		STET_TRY(has_items(call, a, &there));
	if (there)
		STET_TRY(items_settle(call, tx, a->collection, a->group));
	for (size_t i = 0; i < count; i++)
		if (!there)
			STET_TRY(
			    assign_take(call, tx, a->collection, a->group, a[i].term, a[i].shown));
		else if (strcmp(a[i].shown, now) != 0)
			STET_TRY(count_settle(
			    call, tx, a->collection, a->group, a[i].term, a[i].shown, now));
	return STET_OK;
}

static enum stet_status
recount_some(struct stet_call *call, struct stet_tx *tx, void *again)
{
	struct assignment *all = stet_alloc(call, RECOUNT_ROWS * sizeof(*all));
	struct progress p;
	size_t count, end;

	STET_TRY(load(call, &p));
	*(bool *)again = false;
	if (p.done)
		return STET_OK;
	STET_TRY(read_some(call, &p.last, all, &count));
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && strcmp(all[end].group, all[i].group) == 0 &&
				  strcmp(all[end].collection, all[i].collection) == 0;)
			end++;
		STET_TRY(settle(call, tx, &all[i], end - i));
	}
	p.done = count < RECOUNT_ROWS;
	if (count > 0)
		p.last = all[count - 1];
	*(bool *)again = !p.done;
	return store(call, tx, &p);
}

/* ---- the job ---- */

int64_t
recount_due(struct stet_call *call)
{
	struct progress p;

	if (load(call, &p) == STET_OK)
		return p.done ? -1 : stet_now(call);
	stet_log(call, STET_ERROR, "taxonomies: %s", stet_error_text(call));
	return -1;
}

enum stet_status
recount_run(struct stet_call *call)
{
	bool again = true;

	for (int i = 0; again && i < RUN_STEPS; i++)
		STET_TRY(stet_write_lane(call, recount_some, &again));
	return STET_OK;
}
