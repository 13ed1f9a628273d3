/*
 * jobs.h - imports as background jobs. A job is a row of import_job and the files that it names; it
 * runs all stages, from the analysis to the rewritten addresses. Jobs survive a restart of the
 * daemon and continue where they were.
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
	int64_t attempts; /* attempts since the last progress, including the current one */
	json_t *options; /* the configuration, as it was given */
	json_t *found; /* {items, attachments, terms, types}; NULL: not analysed yet */
	json_t *result; /* {items, media, terms, …}: what was done so far; never NULL */
};

/* ---- job_ops.c ---- */

extern const struct stet_member job_create_in[], job_by_id[], job_out[], job_list_in[],
    job_list_out[], job_items_in[], job_items_out[], job_report_in[], job_deleted_out[];
stet_handler job_create, job_get, job_list, job_pause, job_resume, job_cancel, job_delete,
    job_events;

/* ---- tool.c: the tool for assistants ---- */

extern const struct stet_member tool_in[], tool_out[];
enum stet_lane tool_lane(struct stet_call *);
stet_handler tool_run;

/* ---- job_control.c: the requested state and the progress of a job ---- */

/* Finds the oldest job that is to run; *job NULL: there is none. */
STET_MUST enum stet_status job_next(struct stet_call *, struct job **);
/* Marks a job as running and counts the attempt. The count starts over if the last attempt
 * processed an item. */
STET_MUST enum stet_status job_begins(struct stet_call *, struct job *);
/* Stores the progress, and resets the count of attempts. */
STET_MUST enum stet_status job_keeps(struct stet_call *, struct job *);
/* The daemon stopped the job: that was no failed attempt. */
STET_MUST enum stet_status job_rests(struct stet_call *, struct job *);
/* *wanted: the state that was requested, or NULL. */
STET_MUST enum stet_status job_wanted(struct stet_call *, const char *id, const char **wanted);
/* Stops a job in this state. `why`: an error message, or NULL. */
STET_MUST enum stet_status job_stops(
    struct stet_call *, const struct job *, const char *state, const char *why);
/* The first finds a job that is old or deleted (*id NULL: none), the second deletes one with all
 * its rows. */
STET_MUST enum stet_status jobs_old(struct stet_call *, const char **id);
STET_MUST enum stet_status jobs_forget(struct stet_call *, const char *id);

/* ---- job_work.c ---- */

int64_t job_due(struct stet_call *);
stet_handler job_run;

/* ---- job_report.c: the outcome of each item ---- */

stet_handler job_items, job_report;
/* Adds the sums of a run's outcomes to `result`: items, media, byCollection, comments,
 * assignments. */
STET_MUST enum stet_status report_sum(struct stet_call *, const char *run, json_t *result);
/* Adds `account` and `lost`: the accounts of all outcomes, and `rest`. */
STET_MUST enum stet_status report_account(
    struct stet_call *, const char *run, const json_t *rest, json_t *result);
/* Writes all outcomes of a run through `put`, as "json", "jsonl" or "csv". */
STET_MUST enum stet_status report_write(struct stet_call *, const char *run, const char *format,
    enum stet_status (*put)(struct stet_call *, void *, const char *, size_t), void *arg);

/* Writes a CSV cell (RFC 4180). A text that a spreadsheet would take for a formula gets a ' in
 * front. */
void report_cell(FILE *, const char *text, bool first);

/* ---- sweep.c: removes what is old ---- */

#define SWEEP_JOB "sweep"
struct import_state {
	_Atomic int64_t next; /* time of the next check */
};
int64_t sweep_due(struct stet_call *);
stet_handler sweep_run;

/* ---- redirects.c: from old addresses to new ones ---- */

extern const struct stet_member job_redirects_in[];
stet_handler job_redirects;
/* Writes a redirect for each old address that no item has here: "csv" (from, to, status), "nginx"
 * (of a map of $request_uri), or "netlify". */
STET_MUST enum stet_status redirects_write(struct stet_call *, const char *run, const char *format,
    enum stet_status (*put)(struct stet_call *, void *, const char *, size_t), void *arg);

/* ---- command.c: `stet import wxr`, `stet import from` ---- */

int command_wxr(struct stet_call *, int argc, char **argv);
int command_from(struct stet_call *, int argc, char **argv);

#endif
