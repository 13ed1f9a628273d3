/* inside.h - tests that call the SDK as a module does: a function inside a call of its own. */
#ifndef T_INSIDE_H
#define T_INSIDE_H

#include "harness.h"
#include <stet/module.h>

/* Set-up and tear-down: a harness in *state, and a clock that stands at 2026-06-01T12:00:00.000Z.
 */
int inside_begin(void **state);
int inside_end(void **state);

typedef enum stet_status inside_fn(struct stet_call *, void *);

/* Runs a function in the read lane, as an anonymous caller; returns its status. */
enum stet_status inside_read(struct harness *, inside_fn *, void *);
/* Runs a function in the write lane, in a transaction of its own. */
enum stet_status inside_write(struct harness *, inside_fn *, void *);
/* Runs one SQL statement without the module's code; ?1 is `arg` (NULL: none). */
void inside_sql(struct harness *, const char *sql, const char *arg);
/* Inserts a user with the id and role of this one: jobs and links act as users that exist. */
void inside_user(struct harness *, const struct harness_user *);
/* Returns the first column of the first row as text, or "" if there is no row. Static buffer. */
const char *inside_ask(struct harness *, const char *sql);
/* Inserts a published item into c_<collection>; its slug is the id. */
void inside_item(struct harness *, const char *collection, const char *id);
/* Makes an anonymous call of a module, as its jobs get; the caller frees it. */
struct stet_call *inside_call(struct harness *, const char *module);
/* Prepare the first job of the module content: a call, which the caller frees, and the job's
 * row. */
void inside_job(struct harness *, struct stet_call **, struct stet_job *);
/* Prepares the first job of this module. */
void inside_job_of(struct harness *, const char *module, struct stet_call **, struct stet_job *);
void inside_sweep(struct harness *);
void inside_run_job(struct harness *, const char *module); /* runs the job of inside_job_of */
/* Runs the first job of a module that is due, once. Returns false if none is due. */
bool inside_work(struct harness *, const char *module);
/* Enable or disable a plugin. */
void inside_enable(struct harness *, const char *module, bool enable);

#endif
