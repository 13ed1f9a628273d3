/* cors.c - pages of other origins, by the site's configuration. */
#include "net/cors.h"
#include "call/site.h"
#include "http/http1.h"
#include "http/origin.h"
#include "op/header.h"
#include <string.h>
#include <strings.h>

#define MAX_AGE "7200" /* seconds; no browser keeps it for longer */

static const char allowed_headers[] =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, "
    "Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Range, X-CMS-Request";
/* Besides those that any page may read. */
static const char exposed_headers[] =
    "Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Location, Retry-After, Server-Timing, WWW-Authenticate, "
    "X-Request-Id, X-Schema-Version";

/* NULL: there is no site. */
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

/* The request's Origin when the site allows it, else NULL. */
static const char *
allowed(const struct stet_call *call, const struct conf_site *site)
{
	const char *origin = call->head != NULL ? http1_header(call->head, "origin") : NULL;

	return origin != NULL && origin_allowed(site->cors_origins, origin) ? origin : NULL;
}

void
cors_put(struct buf *b, const struct stet_call *call, bool negotiated)
{
	struct conf_site copy;
	const struct conf_site *site = terms(call, &copy);
	bool some = site != NULL && site->cors_origins != NULL && site->cors_origins[0] != NULL;
	const char *origin = some ? allowed(call, site) : NULL;

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

	if (site == NULL || allowed(call, site) == NULL ||
	    http1_header(call->head, "access-control-request-method") == NULL)
		return;
	header_methods(b, "Access-Control-Allow-Methods", methods);
	header_put(b, "Access-Control-Allow-Headers", allowed_headers);
	header_put(b, "Access-Control-Max-Age", MAX_AGE);
}
