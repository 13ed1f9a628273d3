/*
 * jobs.h - imports that run by themselves: a row of import_job and the file that it names, from the
 * analysis to the rewritten addresses. They survive the end of the daemon, and go on where they
 * were.
 */
#ifndef IMPORT_JOBS_H
#define IMPORT_JOBS_H

#include "job/stages.h"
#include <stdio.h>
#include <stet/module.h>

#define IMPORT_JOB "run" /* the background job that runs them, one at a time */

#define JOB_QUEUED "queued"
#define JOB_RUNNING "running"
#define JOB_PAUSED "paused"
#define JOB_CANCELLED "cancelled"
#define JOB_DONE "done"
#define JOB_FAILED "failed"
#define JOB_DELETED "deleted" /* its rows are being removed */

extern const char *const stage_name[STAGES + 1]; /* the last one: nothing is left to do */

struct job {
	const char *id, *owner, *state, *wanted, *upload;
	enum stage stage;
	int64_t done, total;
	int64_t attempts; /* that came no further, with the one that runs */
	json_t *options; /* the configuration, as it was given */
	json_t *found; /* {items, attachments, terms, types}; NULL: not analysed yet */
	json_t *result; /* {imported, skipped, …}: what was done so far; never NULL */
};

/* ---- job_ops.c ---- */

extern const struct stet_member job_create_in[], job_by_id[], job_out[], job_list_in[],
    job_list_out[], job_items_in[], job_items_out[], job_report_in[], job_deleted_out[];
stet_handler job_create, job_get, job_list, job_pause, job_resume, job_cancel, job_delete,
    job_events;

/* ---- job_control.c: what is wanted of a job, and what it says of itself ---- */

/* The oldest that has something to do; *job NULL: there is none. */
STET_MUST enum stet_status job_next(struct stet_call *, struct job **);
/* A job begins to run: counts the attempt, afresh where the one before told of an item. */
STET_MUST enum stet_status job_begins(struct stet_call *, struct job *);
/* Stores how far it is. */
STET_MUST enum stet_status job_keeps(struct stet_call *, struct job *);
/* It was told to end, and goes on later: that was no failed attempt. */
STET_MUST enum stet_status job_rests(struct stet_call *, struct job *);
/* *wanted: NULL, or the state that it was asked to take. */
STET_MUST enum stet_status job_wanted(struct stet_call *, const char *id, const char **wanted);
/* It stops: one of the states; `why`: for people, or NULL. */
STET_MUST enum stet_status job_stops(
    struct stet_call *, const struct job *, const char *state, const char *why);
/* Old and deleted ones, with all their rows; *found: there is one. */
STET_MUST enum stet_status jobs_old(struct stet_call *, const char **id);
STET_MUST enum stet_status jobs_forget(struct stet_call *, const char *id);

/* ---- job_work.c ---- */

int64_t job_due(struct stet_call *);
stet_handler job_run;

/* ---- job_report.c: what became of each item ---- */

stet_handler job_items, job_report;
/* What the rows of a run say together, into {imported, skipped, drafts, failed, …}. */
STET_MUST enum stet_status report_sum(struct stet_call *, const char *run, json_t *result);
/* Writes all rows of a run: "json", "jsonl" or "csv". */
STET_MUST enum stet_status report_write(struct stet_call *, const char *run, const char *format,
    enum stet_status (*put)(struct stet_call *, void *, const char *, size_t), void *arg);

/* A cell of RFC 4180. Spreadsheets take some texts for formulas: those begin with a quote here. */
void report_cell(FILE *, const char *text, bool first);

/* ---- sweep.c: removes what is old ---- */

#define SWEEP_JOB "sweep"
struct import_state {
	_Atomic int64_t next; /* when the job looks again */
};
int64_t sweep_due(struct stet_call *);
stet_handler sweep_run;

/* ---- redirects.c: from the addresses of the source to those here ---- */

extern const struct stet_member job_redirects_in[];
stet_handler job_redirects;
/* Writes a line for each address of an item that is another one here: "csv" (from, to, status),
 * "nginx" (of a map of $request_uri), or "netlify". */
STET_MUST enum stet_status redirects_write(struct stet_call *, const char *run, const char *format,
    enum stet_status (*put)(struct stet_call *, void *, const char *, size_t), void *arg);

/* ---- command.c: `stet import wxr`, `stet import from` ---- */

int command_wxr(struct stet_call *, int argc, char **argv);
int command_from(struct stet_call *, int argc, char **argv);

#endif
