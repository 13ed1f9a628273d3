/* cors.c - requests by pages of other origins, as the site's configuration allows them. */
#include "net/cors.h"
#include "call/site.h"
#include "http/http1.h"
#include "http/origin.h"
#include "http/router.h"
#include "module/oprow.h"
#include "op/header.h"
#include <string.h>
#include <strings.h>

#define MAX_AGE "7200" /* seconds; no browser keeps it for longer */

static const char allowed_headers[] =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, "
    "Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Range, X-CMS-Request, baggage, "
    "traceparent, tracestate";
/* Response headers that pages may read in addition to the safelisted ones. */
static const char exposed_headers[] =
    "Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Location, Retry-After, Server-Timing, WWW-Authenticate, "
    "X-Request-Id, X-Schema-Version";

/* Copies the site's configuration. Returns NULL if the call has no site. */
static const struct conf_site *
terms(const struct stet_call *call, struct conf_site *copy)
{
	if (call->gen != NULL)
		return call->gen->conf;
	if (call->site == NULL)
		return NULL;
	*copy = site_conf(call->site);
	return copy;
}

/* Returns the request's Origin if the site allows it, else NULL. */
static const char *
allowed(const struct stet_call *call, const struct conf_site *site)
{
	const char *origin = call->head != NULL ? http1_header(call->head, "origin") : NULL;

	return origin != NULL && origin_allowed(site->cors_origins, origin) ? origin : NULL;
}

/* Returns the op of the request; for a preflight, the op of the announced request. NULL: none. */
static const struct op *
op_of(const struct stet_call *call)
{
	struct router_match match = { .op = NULL };
	const char *wanted;

	if (call->op != NULL || call->head == NULL || call->gen == NULL ||
	    call->head->method != HTTP_OPTIONS)
		return call->op;
	wanted = http1_header(call->head, "access-control-request-method");
	for (enum http_method m = 0; wanted != NULL && m < HTTP_OTHER; m++)
		if (strcmp(wanted, http1_method_name[m]) == 0)
			router_find(call->gen->router, m, call->head->path, &match);
	return match.op;
}

static bool
is_for_any_origin(const struct stet_call *call)
{
	const struct op *op = op_of(call);

	return op != NULL && (op->row.flags & STET_ANY_ORIGIN) != 0;
}

void
cors_put(struct buf *b, const struct stet_call *call, bool negotiated)
{
	struct conf_site copy;
	const struct conf_site *site = terms(call, &copy);
	bool some = site != NULL && site->cors_origins != NULL && site->cors_origins[0] != NULL;
	const char *origin = some ? allowed(call, site) : NULL;

	if (is_for_any_origin(call)) {
		if (negotiated)
			header_put(b, "Vary", "Accept-Encoding");
		header_put(b, "Access-Control-Allow-Origin", "*");
		header_put(b, "Access-Control-Expose-Headers", exposed_headers);
		return;
	}
	if (some || negotiated)
		header_put(b, "Vary",
		    !negotiated ? "Origin"
		    : some      ? "Accept-Encoding, Origin"
				: "Accept-Encoding");
	if (origin == NULL)
		return;
	header_put(b, "Access-Control-Allow-Origin", origin);
	if (site->cors_credentials)
		header_put(b, "Access-Control-Allow-Credentials", "true");
	header_put(b, "Access-Control-Expose-Headers", exposed_headers);
}

void
cors_preflight(struct buf *b, const struct stet_call *call, unsigned methods)
{
	struct conf_site copy;
	const struct conf_site *site = terms(call, &copy);

	if (site == NULL || (allowed(call, site) == NULL && !is_for_any_origin(call)) ||
	    http1_header(call->head, "access-control-request-method") == NULL)
		return;
	header_methods(b, "Access-Control-Allow-Methods", methods);
	header_put(b, "Access-Control-Allow-Headers", allowed_headers);
	header_put(b, "Access-Control-Max-Age", MAX_AGE);
}
