/*
 * steps.h - many writes in few transactions, for the slow lane: so an import of a thousand items
 * does not need a thousand commits, and one refused item does not undo the others. Also runs one
 * large DELETE in several transactions.
 */
#ifndef STET_STEPS_H
#define STET_STEPS_H

#include <stet/call.h>
#include <stet/sql.h>

struct stet_steps {
	size_t count;
	/* Writes step i. It may be called again for the same step after another step was refused,
	 * and must then record the same results for it. */
	enum stet_status (*step)(struct stet_call *, struct stet_tx *, void *arg, size_t i);
	/* Called if step i was refused; nothing of it is written. `why` is the error as text. Any
	 * status but STET_OK ends the run with that status. */
	enum stet_status (*refused)(
	    struct stet_call *, void *arg, size_t i, enum stet_status, const char *why);
	void *arg;
	/* New fields go here, and nowhere else. */
};

/* Returns true if a failure concerns only this request, so that other steps may succeed: an HTTP
 * status of 400 to 499, or a failed hook. */
STET_API bool stet_is_refusal(enum stet_status);

/* Runs the steps from 0 on in one transaction. If one is refused (stet_is_refusal), the steps
 * before it are written without it, and a new transaction begins with the next. Any other failure
 * ends the run; what was committed stays. */
STET_MUST static inline enum stet_status stet_write_steps(
    struct stet_call *, const struct stet_steps *);

/* Runs a DELETE with a LIMIT of `most` rows again and again until it deletes fewer, each time in a
 * transaction of its own, so that other writes can run in between. `values` are the statement's
 * arguments. */
STET_API STET_MUST enum stet_status stet_delete_steps(
    struct stet_call *, const char *sql, const struct stet_val *values, size_t count, int64_t most);

STET_API STET_MUST enum stet_status stet_write_steps_sized(
    struct stet_call *, const struct stet_steps *, size_t);

static inline enum stet_status
stet_write_steps(struct stet_call *call, const struct stet_steps *steps)
{
	return stet_write_steps_sized(call, steps, sizeof(*steps));
}

#endif
