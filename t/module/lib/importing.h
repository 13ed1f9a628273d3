/* importing.h - tests of import jobs: starting, watching and running them. */
#ifndef T_MODULE_IMPORTING_H
#define T_MODULE_IMPORTING_H

#include "harness.h"

#define IMPORTING_JOBS "POST /import/jobs"

/* Opens a site whose administrator is a row of users, since jobs run as a user. */
struct harness *importing_open(void);
/* Starts the import of a channel; config NULL: {}. */
void importing_create(struct harness *, const char *config, const char *channel, char id[40]);
/* Sends a request about a job; `rest` ends its path. */
struct outcome *importing_at(
    struct harness *, const char *method, const char *id, const char *rest);
/* Requests the job. */
struct outcome *importing_job(struct harness *, const char *id);
/* Runs the due jobs, and checks that the job is then in this state. */
struct outcome *importing_work(struct harness *, const char *id, const char *state);

/* Set-up and tear-down: a site in *state. */
int importing_begin(void **state);
int importing_end(void **state);
/* Imports the channel by a job that must succeed; returns the job. */
struct outcome *importing_run(struct harness *, const char *config, const char *channel);

#endif
