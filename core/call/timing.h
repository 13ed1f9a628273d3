/*
 * timing.h - the header Server-Timing: where a request's time went, if the configuration asks for
 * it.
 */
#ifndef CORE_TIMING_H
#define CORE_TIMING_H

#include "call/call.h"

struct timing {
	int64_t admitted, started, ended; /* clock_monotonic_us; 0: not yet */
	int64_t sql; /* us inside SQLite */
	const char *cache; /* "hit" or "miss"; NULL: the response is not cached */
};

/* Starts timing of this call. */
void timing_begin(struct stet_call *);
/* To be called when the call has passed authentication and checks, when its handler begins in its
 * lane, and when it has ended. */
void timing_admitted(struct stet_call *);
void timing_started(struct stet_call *);
void timing_ended(struct stet_call *);
/* To be called around SQLite's work for the call. */
int64_t timing_sql_begin(const struct stet_call *);
void timing_sql_end(struct stet_call *, int64_t begun);
/* The call looks for a cached response, or has found one. */
void timing_cache(struct stet_call *, bool hit);
/* Appends the header if the call is timed. */
void timing_put(struct buf *, const struct stet_call *);

#endif
