/* adopt.h - a call goes on in another generation of its site than it began in. */
#ifndef CORE_CALL_ADOPT_H
#define CORE_CALL_ADOPT_H

#include "call/call.h"

/* Before the call writes: go on in the site's current generation if that has modules
 * which were enabled since the call began. UNAVAILABLE if others are gone from it. */
enum stet_status adopt_current(struct stet_call *);
/* Go on in a generation that becomes the site's with this call's commit. Takes the reference. */
void adopt_try(struct stet_call *, struct generation *);
/* The write failed: goes back to the generation before adopt_try, if there is one. */
void adopt_try_over(struct stet_call *);
/* Drops the references to the generations that the call had before. */
void adopt_free(struct stet_call *);

#endif
