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

/* Run it in the read lane, as nobody; the status of the call comes back. */
enum stet_status inside_read(struct harness *, inside_fn *, void *);
/* In the write lane, in a transaction of its own. */
enum stet_status inside_write(struct harness *, inside_fn *, void *);
/* Run one statement of SQL behind the modules' back; ?1 is `arg` (NULL: none). */
void inside_sql(struct harness *, const char *sql, const char *arg);
/* The first column of the first row, as text; "" when there is none. Static buffer. */
const char *inside_ask(struct harness *, const char *sql);
/* An item of this id in c_<collection>, published; slug is the id. */
void inside_item(struct harness *, const char *collection, const char *id);
/* A call of a module by nobody, as its jobs are run with; to be freed. */
struct stet_call *inside_call(struct harness *, const char *module);
/* The job of the module content, as the daemon runs it: a call for it, to be freed; and run. */
void inside_job(struct harness *, struct stet_call **, struct stet_job *);
/* The first job of another module. */
void inside_job_of(struct harness *, const char *module, struct stet_call **, struct stet_job *);
void inside_sweep(struct harness *);
void inside_run_job(struct harness *, const char *module); /* of inside_job_of */
/* Run the first job of a module that is due, once; false: none is. */
bool inside_work(struct harness *, const char *module);
/* Enable or disable a plugin. */
void inside_enable(struct harness *, const char *module, bool enable);

#endif
