/* remote.h - sites of other systems, asked over their REST API. Answers are bounded; addresses that
 * are not public are refused, at each redirect again. */
#ifndef IMPORT_REMOTE_H
#define IMPORT_REMOTE_H

#include <jansson.h>
#include <stet/call.h>
#include <stet/module.h>

#define REMOTE_ADDRESS_MAX 2048 /* bytes of a site's address */

struct remote {
	const char *url; /* without a slash at its end */
	bool plain; /* it answers to ?rest_route= only: sites with plain permalinks */
	const char *token; /* of Basic authentication; NULL: nobody signs in */
	const char *space; /* of its exporter, "stet/v1"; NULL: not known yet */
};

/* Exporters by the namespace of their routes, and the member of an answer that is theirs. */
struct exporter {
	const char *space, *member;
};
#define EXPORTERS 2
extern const struct exporter exporters[EXPORTERS];

/* The address of a site as people write it; fails with VALIDATION_ERROR about "url". */
STET_MUST enum stet_status remote_address(struct stet_call *, const char *given, const char **out);

struct remote_answer {
	int status; /* of HTTP */
	const json_t *body; /* owned by the call; NULL: no JSON */
	int64_t total; /* how many the site has of what was asked for; -1: it does not say */
};
/* Asks at a path below the API, with a query ("page=2", or NULL). Fails with SSRF_BLOCKED, with
 * SOURCE_ERROR if no answer comes, and with what else befalls a request. A 404, or a
 * page, is asked again in the other form of addresses, and the form that is right is kept. */
STET_MUST enum stet_status remote_ask(struct stet_call *, struct remote *, const char *path,
    const char *query, int64_t timeout, struct remote_answer *);
/* The same below the exporter's routes, whichever it is. With `optional` *out is NULL for a 404 and
 * a 400: older exporters do not know it. What else is not 200 fails with SOURCE_ERROR. */
STET_MUST enum stet_status remote_export(struct stet_call *, struct remote *, const char *path,
    const char *query, int64_t timeout, bool optional, const json_t **out);

#endif
