/* service.c - functions of a service run as the module that provides it. */
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "module/running.h"

enum stet_status
stet_as_service(struct stet_call *call, const char *name,
    enum stet_status (*fn)(struct stet_call *, void *), void *arg)
{
	const struct service *service = generation_service(call->gen, name);
	const struct loaded *caller = call->owner;
	struct running running;
	enum stet_status status;

	stet_assert(service != NULL); /* a function of it runs, so it exists */
	running_enter(&running, call, service->owner, RUNNING_SERVICE, name);
	call->owner = service->owner;
	status = fn(call, arg);
	call->owner = caller;
	running_leave(&running);
	return status;
}
