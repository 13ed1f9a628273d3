/* batch.h - many small writes in few transactions. */
#ifndef IMPORT_BATCH_H
#define IMPORT_BATCH_H

#include <stet/call.h>

struct batch {
	size_t count; /* of steps */
	/* Writes step i. It may be called again for the same step after another was refused, so
	 * what it counts is counted anew. */
	enum stet_status (*step)(struct stet_call *, struct stet_tx *, void *, size_t i);
	/* Step i was refused, and nothing of it is written. `why`: the error as text. */
	enum stet_status (*refused)(struct stet_call *, void *, size_t i, const char *why);
	void *arg;
};

/* Runs the steps from 0 on in one transaction, or in several: what was written before a step that
 * is refused stays, and those after it are written too. Any other failure ends the run. From the
 * slow lane. */
STET_MUST enum stet_status batch_write(struct stet_call *, const struct batch *);

#endif
