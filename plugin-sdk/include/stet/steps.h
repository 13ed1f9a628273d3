/*
 * steps.h - many writes in few transactions, for the slow lane: an import of a thousand items needs
 * no thousand commits, and one item that is refused does not take the others with it. And one large
 * DELETE in several transactions.
 */
#ifndef STET_STEPS_H
#define STET_STEPS_H

#include <stet/call.h>
#include <stet/sql.h>

struct stet_steps {
	size_t count;
	/* Writes step i. It may be called again for the same step after another one was refused:
	 * what it notes about the step must be the same each time. */
	enum stet_status (*step)(struct stet_call *, struct stet_tx *, void *arg, size_t i);
	/* Step i was refused, and nothing of it is written. `why` is the error as text. Any status
	 * but STET_OK ends the run with it. */
	enum stet_status (*refused)(
	    struct stet_call *, void *arg, size_t i, enum stet_status, const char *why);
	void *arg;
	/* New fields go here, and nowhere else. */
};

/* Does a failure concern what was asked alone, so that another step may do better? A status of 400
 * to 499, or a hook that fails. */
STET_API bool stet_is_refusal(enum stet_status);

/* Runs the steps from 0 on in one transaction. If one is refused (stet_is_refusal), the steps
 * before it are written without it, and a new transaction begins with the next. Any other failure
 * ends the run; what was committed stays. */
STET_MUST static inline enum stet_status stet_write_steps(
    struct stet_call *, const struct stet_steps *);

/* Runs a DELETE of at most `most` rows, which its LIMIT says, again and again until it deletes
 * fewer, each time in a transaction of its own: other writes come in between. `values` are the
 * statement's arguments. */
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
