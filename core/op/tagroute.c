/* tagroute.c - finds the GET whose entity tag the If-Match of a request names. */
#include "op/tagroute.h"
#include "call/call.h"
#include "call/site.h"
#include "http/http1.h"
#include "http/router.h"
#include "module/generation.h"
#include "op/part.h"
#include <string.h>

#define ABOVE_MAX 2 /* segments between an action and its resource */

static bool
has_tag(const struct op *op)
{
	return op != NULL && op->row.lane == STET_READ &&
	       (op->row.flags & (STET_STREAM | STET_FILE)) == 0;
}

void
tagroute_find(struct stet_call *call)
{
	const struct http1_head *head = call->head;
	struct router_match match;
	char *path, *slash;

	if (head->method == HTTP_GET || head->method == HTTP_HEAD || call->gen == NULL ||
	    http1_header(head, "if-match") == NULL)
		return;
	path = stet_strdup(call, head->path);
	for (int above = 0; above <= ABOVE_MAX; above++) {
		router_find(call->gen->router, HTTP_GET, path, &match);
		if (has_tag(match.op)) {
			op_part(call)->precondition = stet_alloc(call, sizeof(match));
			*op_part(call)->precondition = match;
			return;
		}
		slash = strrchr(path, '/');
		if (slash == NULL || slash == path)
			return;
		*slash = '\0';
	}
}
