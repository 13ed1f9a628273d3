/* route.c - see route.h. */
#include "op/route.h"
#include "call/site.h"
#include "http/http1.h"
#include "http/router.h"
#include "op/part.h"

enum stet_status
route_call(struct stet_call *call)
{
	struct op_part *part = op_part(call);

	router_find(call->gen->router, call->head->method, call->head->path, &part->match);
	call->op = part->match.op;
	if (call->op != NULL) {
		call->owner = call->op->owner;
		return STET_OK;
	}
	if (part->match.allowed != 0)
		return stet_fail(call, STET_METHOD_NOT_ALLOWED, NULL, "Method not allowed");
	return stet_fail(call, STET_NOT_FOUND, NULL, "Not found");
}
