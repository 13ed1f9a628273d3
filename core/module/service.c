/* service.c - functions of a service that run as the module that brings it. */
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "module/running.h"
#include <string.h>

static const struct loaded *
owner_of(const struct stet_call *call, const char *name)
{
	for (size_t i = 0; i < call->gen->service_count; i++)
		if (strcmp(call->gen->service[i].name, name) == 0)
			return call->gen->service[i].owner;
	return NULL;
}

enum stet_status
stet_as_service(struct stet_call *call, const char *name,
    enum stet_status (*fn)(struct stet_call *, void *), void *arg)
{
	const struct loaded *caller = call->owner, *owner = owner_of(call, name);
	struct running running;
	enum stet_status status;

	stet_assert(owner != NULL); /* its own function runs */
	running_enter(&running, call, owner, RUNNING_SERVICE, name);
	call->owner = owner;
	status = fn(call, arg);
	call->owner = caller;
	running_leave(&running);
	return status;
}
