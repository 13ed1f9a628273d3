/* importing.h - imports that run by themselves: started, watched, carried out. */
#ifndef T_MODULE_IMPORTING_H
#define T_MODULE_IMPORTING_H

#include "harness.h"

#define IMPORTING_JOBS "POST /import/jobs"

/* A site whose administrator is a user, as whom jobs run. */
struct harness *importing_open(void);
/* Starts the import of a channel; config NULL: {}. */
void importing_create(struct harness *, const char *config, const char *channel, char id[40]);
/* A request about a job; `rest` of its path. */
struct outcome *importing_at(
    struct harness *, const char *method, const char *id, const char *rest);
/* The job. */
struct outcome *importing_job(struct harness *, const char *id);
/* Runs what is due; the job is then in this state. */
struct outcome *importing_work(struct harness *, const char *id, const char *state);

/* A test's site, and its end. */
int importing_begin(void **state);
int importing_end(void **state);
/* Imports the channel; the job, which is done. */
struct outcome *importing_run(struct harness *, const char *config, const char *channel);

#endif
