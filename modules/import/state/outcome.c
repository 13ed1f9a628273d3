/* outcome.c - the outcome of each item of a resumable run: the table import_outcome. */
#include "state/outcome.h"
#include "state/ops.h"
#include <stet/steps.h>
#include <string.h>

#define CLEARED 2000 /* rows in one transaction */

/* The list as text; NULL: it is empty. */
static const char *
list_text(struct stet_call *call, const json_t *list)
{
	return json_array_size(list) > 0
		   ? json_dumps_own(call, json_incref((json_t *)(uintptr_t)list))
		   : NULL;
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const char *run, const struct outcome *o)
{
	const struct stet_val values[] = { stet_val_str(run), stet_val_int(o->number),
		stet_val_str(o->source_id), stet_val_str(o->type), stet_val_str(o->title),
		stet_val_str(o->address), stet_val_str(list_text(call, o->old_slugs)),
		stet_val_str(o->outcome), stet_val_str(o->reason),
		stet_val_str(list_text(call, o->notices)), stet_val_str(o->collection),
		stet_val_str(o->item), stet_val_str(o->slug), stet_val_str(o->locale),
		stet_val_int(o->comments), stet_val_int(o->assignments),
		stet_val_str(
		    json_object_size(o->account) > 0
			? json_dumps_own(call, json_incref((json_t *)(uintptr_t)o->account))
			: NULL) };

	return stet_exec(call, tx,
	    "INSERT INTO import_outcome (run, number, source_id, type, title, address, old_slugs,"
	    " outcome, reason, notices, collection, item, slug, locale, comments, assignments,"
	    " account)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
	    " ON CONFLICT (run, number) DO NOTHING",
	    values, sizeof(values) / sizeof(values[0]));
}

enum stet_status
outcome_put(
    struct stet_call *call, struct stet_tx *tx, const struct run *run, const struct outcome *o)
{
	return run->lasts ? insert(call, tx, run->id, o) : STET_OK;
}

enum stet_status
outcome_correct(struct stet_call *call, struct stet_tx *tx, const struct run *run, int64_t number,
    const json_t *account, const json_t *notices)
{
	return stet_exec(call, tx,
	    "UPDATE import_outcome SET account = ?3, notices = ?4 WHERE run = ?1 AND number = ?2",
	    STET_ARGS(run->id, number,
		json_dumps_own(call, json_incref((json_t *)(uintptr_t)account)),
		list_text(call, notices)));
}

enum stet_status
outcome_known(struct stet_call *call, const struct run *run, int64_t number, bool *known)
{
	struct stet_rows rows;

	*known = false;
	if (!run->lasts)
		return STET_OK;
	STET_TRY(
	    stet_query(call, &rows, "SELECT 1 FROM import_outcome WHERE run = ?1 AND number = ?2",
		STET_ARGS(run->id, number)));
	*known = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* ---- places of a file ---- */

struct place {
	const struct run *run;
	struct outcome outcome;
};

static enum stet_status
put_place(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct place *p = arg;

	return outcome_put(call, tx, p->run, &p->outcome);
}

enum stet_status
outcome_tell(struct run *run, const char *place, const char *outcome, const char *reason)
{
	struct place p = { run, { .number = -++run->unnumbered,
				    .title = place,
				    .outcome = outcome,
				    .reason = reason } };

	if (strcmp(outcome, OUTCOME_FAILED) == 0)
		report_error(&run->report, place, reason);
	else
		report_notice(&run->report, place, reason);
	return run->lasts ? stet_write_lane(run->call, put_place, &p) : STET_OK;
}

/* ---- the end ---- */

enum stet_status
outcome_clear(struct stet_call *call, const char *run)
{
	return stet_delete_steps(call,
	    "DELETE FROM import_outcome WHERE run = ?1 AND number IN (SELECT number FROM"
	    " import_outcome WHERE run = ?1 ORDER BY number LIMIT ?2)",
	    STET_ARGS(run, CLEARED), CLEARED);
}
