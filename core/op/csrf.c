/* csrf.c - the defence against cross-site request forgery. */
#include "op/csrf.h"
#include "http/http1.h"
#include "module/oprow.h"
#include <string.h>
#include <strings.h>

static bool
changes_state(const struct http1_head *head)
{
	return head->method != HTTP_GET && head->method != HTTP_HEAD &&
	       head->method != HTTP_OPTIONS;
}

/* Returns true if the origin is that of the base URL or of the request's host. */
static bool
is_own(struct stet_call *call, const char *origin)
{
	const char *base = stet_base_url(call), *scheme = strstr(base, "://");
	const char *host = http1_header(call->head, "host"), *name = strstr(origin, "://");
	size_t len = scheme != NULL ? (size_t)(scheme - base) + 3 : 0;

	len += strcspn(base + len, "/");
	if (strncasecmp(base, origin, len) == 0 && origin[len] == '\0')
		return true;
	return name != NULL && host != NULL && strcasecmp(name + 3, host) == 0;
}

/* Checks where the request comes from. Browsers send Sec-Fetch-Site (W3C Fetch Metadata) and Origin
 * (RFC 6454); other clients send neither. */
static enum stet_status
check_source(struct stet_call *call)
{
	const char *site = http1_header(call->head, "sec-fetch-site");
	const char *origin = http1_header(call->head, "origin");

	if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
		return stet_fail(call, STET_CSRF_REJECTED, NULL,
		    "A page of another site cannot change anything here with your session");
	if (origin != NULL && !is_own(call, origin))
		return stet_fail(call, STET_CSRF_REJECTED, NULL,
		    "A page of %.200s cannot change anything at %s with your session", origin,
		    stet_base_url(call));
	return STET_OK;
}

enum stet_status
csrf_check(struct stet_call *call, const struct op *op)
{
	bool session = call->has_principal && call->principal.via == STET_VIA_SESSION;
	const char *said;

	if (call->head == NULL || !changes_state(call->head) || (!op->csrf && !session))
		return STET_OK;
	if (session)
		STET_TRY(check_source(call));
	said = http1_header(call->head, "x-cms-request");
	if ((op->row.flags & STET_FORM) != 0 || (said != NULL && strcmp(said, "1") == 0))
		return STET_OK;
	return stet_fail(
	    call, STET_CSRF_REJECTED, NULL, "Missing required header X-CMS-Request: 1");
}
