/* timing.h - Server-Timing: where the time of a request went, for those whose configuration asks.
 */
#ifndef CORE_TIMING_H
#define CORE_TIMING_H

#include "call/call.h"

struct timing {
	int64_t admitted, started, ended; /* clock_monotonic_us; 0: not yet */
	int64_t sql; /* us inside SQLite */
};

/* This call is timed. */
void timing_begin(struct stet_call *);
/* Past the gate; the handler begins, in its lane; it has ended. */
void timing_admitted(struct stet_call *);
void timing_started(struct stet_call *);
void timing_ended(struct stet_call *);
/* Around what SQLite does for the call. */
int64_t timing_sql_begin(const struct stet_call *);
void timing_sql_end(struct stet_call *, int64_t begun);
/* The header, if the call is timed. */
void timing_put(struct buf *, const struct stet_call *);

#endif
