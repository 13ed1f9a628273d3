/*
 * forget.c - removes what remains of deleted taxonomies and terms, in small transactions.
 *
 * The call that deletes a term or taxonomy hides it from everybody at once (TERM_LIVES). Its
 * remaining rows may be a hundred thousand terms and a million assignments, which is too much
 * for one transaction: all other writes would wait. So that call deletes a few rows and a job
 * deletes the rest, some in each transaction. The table taxonomy_gone lists what must still be
 * removed, so that a crash loses nothing.
 */
#include "taxonomies.h"

#define FORGET_ROWS 500 /* rows in one transaction: about ten milliseconds */
#define FORGET_TERMS 200 /* terms that are deleted with their taxonomy at once */
#define RUN_STEPS 20 /* steps of the job before it lets other work use its thread */

/* Returns the first entry of this kind in taxonomy_gone; NULL: none. */
static enum stet_status
next(struct stet_call *call, const char *kind, const char **name)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT name FROM taxonomy_gone WHERE kind = ?1 ORDER BY name LIMIT 1",
	    STET_ARGS(kind)));
	*name = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

static enum stet_status
mark(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *name)
{
	return stet_exec(call, tx, "INSERT INTO taxonomy_gone (kind, name) VALUES (?1, ?2)",
	    STET_ARGS(kind, name));
}

static enum stet_status
unmark(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *name)
{
	return stet_exec(call, tx, "DELETE FROM taxonomy_gone WHERE kind = ?1 AND name = ?2",
	    STET_ARGS(kind, name));
}

/* Deletes up to *room assignments of a term, and after the last one its counts. */
static enum stet_status
take_assignments(struct stet_call *call, struct stet_tx *tx, const char *group, int64_t *room)
{
	int64_t asked = *room;

	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM content_term WHERE (collection, entry_group, taxonomy, term_group) IN"
	    " (SELECT collection, entry_group, taxonomy, term_group FROM content_term"
	    " WHERE term_group = ?1 LIMIT ?2)",
	    STET_ARGS(group, asked)));
	*room -= stet_changes(call) + 1;
	if (stet_changes(call) == asked)
		return STET_OK;
	STET_TRY(
	    stet_exec(call, tx, "DELETE FROM term_count WHERE term_group = ?1", STET_ARGS(group)));
	return unmark(call, tx, "term", group);
}

/* Deletes some terms of a taxonomy, and adds them to taxonomy_gone. */
static enum stet_status
take_terms(struct stet_call *call, struct stet_tx *tx, const char *taxonomy, int64_t *room)
{
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO taxonomy_gone (kind, name) SELECT 'term', translation_group FROM term"
	    " WHERE taxonomy = ?1 LIMIT ?2 ON CONFLICT (kind, name) DO NOTHING",
	    STET_ARGS(taxonomy, FORGET_TERMS)));
	if (stet_changes(call) == 0)
		return unmark(call, tx, "taxonomy", taxonomy);
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM term WHERE translation_group IN"
	    " (SELECT name FROM taxonomy_gone WHERE kind = 'term')",
	    STET_NO_ARGS));
	*room -= stet_changes(call);
	return stet_run_media_holder_changed(call, tx, "term", NULL);
}

/* Handles terms before taxonomies, since take_terms adds terms to the list. */
static enum stet_status
take_some(struct stet_call *call, struct stet_tx *tx, void *again)
{
	const char *term = "", *taxonomy = "";
	int64_t room = FORGET_ROWS;

	while (room > 0 && taxonomy != NULL) {
		STET_TRY(next(call, "term", &term));
		if (term != NULL) {
			STET_TRY(take_assignments(call, tx, term, &room));
			continue;
		}
		STET_TRY(next(call, "taxonomy", &taxonomy));
		if (taxonomy != NULL)
			STET_TRY(take_terms(call, tx, taxonomy, &room));
	}
	*(bool *)again = taxonomy != NULL;
	return STET_OK;
}

static enum stet_status
forget(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *name)
{
	bool again;

	STET_TRY(mark(call, tx, kind, name));
	STET_TRY(take_some(call, tx, &again));
	if (again)
		stet_job_wake(call, FORGET_JOB);
	return STET_OK;
}

enum stet_status
forget_term(struct stet_call *call, struct stet_tx *tx, const char *group)
{
	return forget(call, tx, "term", group);
}

enum stet_status
forget_taxonomy(struct stet_call *call, struct stet_tx *tx, const char *name)
{
	return forget(call, tx, "taxonomy", name);
}

enum stet_status
forget_check(struct stet_call *call, const char *name)
{
	bool found;

	STET_TRY(has_row(call, &found,
	    "SELECT 1 FROM taxonomy_gone WHERE kind = 'taxonomy' AND name = ?1", STET_ARGS(name)));
	if (found)
		return stet_fail(call, STET_CONFLICT, "name",
		    "The deleted taxonomy '%s' is still being cleared away; try again soon", name);
	return STET_OK;
}

/* ---- the job ---- */

int64_t
forget_due(struct stet_call *call)
{
	bool found = false;

	if (has_row(call, &found, "SELECT 1 FROM taxonomy_gone LIMIT 1", STET_NO_ARGS) != STET_OK)
		stet_log(call, STET_ERROR, "taxonomies: %s", stet_error_text(call));
	return found ? stet_now(call) : -1;
}

enum stet_status
forget_run(struct stet_call *call)
{
	bool again = true;

	for (int i = 0; again && i < RUN_STEPS; i++)
		STET_TRY(stet_write_lane(call, take_some, &again));
	return STET_OK;
}
