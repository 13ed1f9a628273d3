/*
 * far.h - reads of a site whose database is elsewhere (db_far; adr/0088): what a worker must not
 * do, since each question is a round trip. Readers of the site, a few threads with a connection
 * each, do it: they admit the call, and run it if it reads. Calls that had arrived before a reader
 * begins its turn share its transaction.
 */
#ifndef CORE_OP_FAR_H
#define CORE_OP_FAR_H

#include "call/call.h"

/* Makes the connections of a site, and the readers of one that a daemon serves, if its database is
 * elsewhere. The place of the database is set. */
void far_open(struct site *);
/* Ends both. No call of the site runs any more. */
void far_close(struct site *);

/* What a reader is to do with a call (op_part.far). */
enum far_way {
	FAR_ENTER, /* admit it, and run it if nothing is needed of the worker before */
	FAR_AGAIN, /* a parked call: the same, and it can run in any case */
	FAR_READ /* run it: it has been admitted */
};

static inline bool
far_is(const struct stet_call *call)
{
	return call->site->readers != NULL;
}

/* Gives the call to a reader, which calls run(call). Returns false if too many wait; the call then
 * has its error. For workers. */
bool far_submit(struct stet_call *, enum far_way, void (*run)(struct stet_call *));

/* ---- for `run` ---- */

enum far_next {
	FAR_BACK, /* the worker goes on with it */
	FAR_RUN,
	FAR_MOVED /* another reader has it: it must not be touched */
};
/* Begins to read, and admits the call. Sets op_part.passed if it may run. */
enum far_next far_begin(struct stet_call *);
/* After the run, of a call that may run twice: returns true if it is to be done again, from
 * its beginning, since tables have changed or the connection was lost. */
bool far_repeat(struct stet_call *);

#endif
