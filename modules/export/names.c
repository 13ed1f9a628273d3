/*
 * names.c - the table export_number: the numbers of attachments and terms. They are in a table and
 * not in memory, since a library may have millions of files. An export deletes its rows at its end;
 * those of a killed export are deleted a day later.
 */
#include "export.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/steps.h>

#define RECENT_MAX 900 /* numbers collected before they are stored */
#define CLEARED 500 /* rows deleted in one transaction */
#define PERIOD INT64_C(3600000)
#define KEPT_MS INT64_C(86400000) /* no export runs longer than a day */

/* ---- names ---- */

const char *
export_run(struct stet_call *call)
{
	return stet_printf(call, "%s %s", stet_time_text(call, stet_now(call)), stet_id(call));
}

const char *
export_name(struct stet_call *call, const char *kind, const char *of, const char *more)
{
	return stet_printf(
	    call, "%s\x1f%s%s%s", kind, of, more != NULL ? "\x1f" : "", more != NULL ? more : "");
}

/* ---- numbers ---- */

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct export *x = arg;
	const char *name;
	json_t *number;

	json_object_foreach(x->recent, name, number) STET_TRY(stet_exec(call, tx,
	    "INSERT INTO export_number (run, name, number) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT (run, name) DO UPDATE SET number = excluded.number",
	    STET_ARGS(x->run, name, (int64_t)json_integer_value(number))));
	return STET_OK;
}

static enum stet_status
store_scope(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, store, arg);
}

enum stet_status
export_remember(struct export *x, const char *name, int64_t number)
{
	(void)json_object_set_new(x->recent, name, json_integer(number));
	if (json_object_size(x->recent) < RECENT_MAX)
		return STET_OK;
	STET_TRY(stet_scope(x->call, store_scope, x));
	(void)json_object_clear(x->recent);
	return STET_OK;
}

enum stet_status
export_recall(struct stet_call *call, const struct export *x, const char *name, int64_t *number)
{
	const json_t *recent = json_object_get(x->recent, name);
	struct stet_rows rows;

	*number = json_integer_value(recent);
	if (recent != NULL)
		return STET_OK;
	STET_TRY(
	    stet_query(call, &rows, "SELECT number FROM export_number WHERE run = ?1 AND name = ?2",
		STET_ARGS(x->run, name)));
	if (stet_row(&rows))
		*number = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

int64_t
attachment_number(struct stet_call *call, struct export *x, const char *id)
{
	int64_t number;

	if (export_recall(call, x, export_name(call, "id", id, NULL), &number) == STET_OK)
		return number;
	stet_error_clear(call);
	return 0;
}

/* ---- the end ---- */

enum stet_status
export_forget(struct stet_call *call, const char *run)
{
	return stet_delete_steps(call,
	    "DELETE FROM export_number WHERE run = ?1 AND name IN (SELECT name FROM export_number"
	    " WHERE run = ?1 ORDER BY name LIMIT ?2)",
	    STET_ARGS(run, CLEARED), CLEARED);
}

/* ---- the job ---- */

/* Finds an export that was killed; *run NULL: there is none. */
static enum stet_status
find_old(struct stet_call *call, const char **run)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT run FROM export_number WHERE run < ?1 ORDER BY run LIMIT 1",
	    STET_ARGS(stet_time_text(call, stet_now(call) - KEPT_MS))));
	*run = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

static enum stet_status
look(struct stet_call *call, bool *found)
{
	const char *run;

	STET_TRY(find_old(call, &run));
	*found = run != NULL;
	return STET_OK;
}

int64_t
names_due(struct stet_call *call)
{
	struct export_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->swept, PERIOD, look);
}

enum stet_status
names_sweep(struct stet_call *call)
{
	const char *run;

	STET_TRY(find_old(call, &run));
	while (run != NULL) {
		STET_TRY(export_forget(call, run));
		STET_TRY(find_old(call, &run));
	}
	return STET_OK;
}
