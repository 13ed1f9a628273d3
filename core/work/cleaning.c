/* cleaning.c - when jobs that delete old rows are due. */
#include "base/log.h"
#include "call/call.h"
#include "call/status.h"
#include <stdatomic.h>
#include <stet/module.h>

int64_t
stet_cleaning_due(struct stet_call *call, _Atomic int64_t *next, int64_t period_ms,
    enum stet_status (*look)(struct stet_call *, bool *found))
{
	int64_t now = stet_now(call), due = *next;
	bool found = false;

	/* If the clock was set back, do not wait for the old time. */
	if (due > now && due <= now + period_ms)
		return due;
	if (look(call, &found) != STET_OK)
		stet_log(call, status_level(call->error.status), "%s: %s", call->owner->m.name,
		    stet_error_text(call));
	if (found)
		return now;
	*next = now + period_ms;
	return now + period_ms;
}
