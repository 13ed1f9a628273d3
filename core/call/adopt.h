/* adopt.h - moves a call that writes to a newer generation of its site. */
#ifndef CORE_CALL_ADOPT_H
#define CORE_CALL_ADOPT_H

#include "call/call.h"

/* The state of a module that this call enables. The site gets it when the call commits
 * (site/enabling.c). */
struct pending {
	struct stet_call *call;
	struct pending *next; /* the next of the same call */
	const struct loaded *module;
	void *state;
	bool installed;
};

/* To be called before the call writes. If the site's current generation has every module of the
 * call's generation and more, the call continues in the current one. Fails with UNAVAILABLE if
 * modules were also disabled meanwhile. */
enum stet_status adopt_current(struct stet_call *);
/* The call enables a module: it continues in a generation that becomes the site's when the call
 * commits. Takes the reference. */
void adopt_try(struct stet_call *, struct generation *);
/* The write failed: the call returns to the generation before adopt_try, if there is one. */
void adopt_try_over(struct stet_call *);
/* Drops the references to the call's earlier generations. */
void adopt_free(struct stet_call *);

#endif
