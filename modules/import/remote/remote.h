/*
 * remote.h - requests to the REST API of sites of other systems. Responses are limited in size;
 * addresses that are not public are refused, also at each redirect.
 */
#ifndef IMPORT_REMOTE_H
#define IMPORT_REMOTE_H

#include <jansson.h>
#include <stet/call.h>
#include <stet/module.h>

#define REMOTE_ADDRESS_MAX 2048 /* bytes of a site's address */

struct remote {
	const char *url; /* without a slash at its end */
	bool plain; /* it answers to ?rest_route= only: sites with plain permalinks */
	const char *token; /* for Basic authentication; NULL: no credentials */
	const char *space; /* namespace of its exporter, "stet/v1"; NULL: not known yet */
};

/* The known exporters: the namespace of their routes, and a member that identifies their
 * response. */
struct exporter {
	const char *space, *member;
};
#define EXPORTERS 2
extern const struct exporter exporters[EXPORTERS];

/* Normalizes the address of a site as people type it: adds https://, cuts slashes at the end. Fails
 * with VALIDATION_ERROR about "url". */
STET_MUST enum stet_status remote_address(struct stet_call *, const char *given, const char **out);

struct remote_answer {
	int status; /* HTTP status */
	const json_t *body; /* owned by the call; NULL: no JSON */
	int64_t total; /* number of all results (X-WP-Total); -1: unknown */
};
/* Requests a path below the API, with a query ("page=2", or NULL). Fails with SSRF_BLOCKED, with
 * SOURCE_ERROR if there is no response or it is too large, or as stet_fetch does. After a 404 or a
 * response that is not JSON, tries the ?rest_route= form of addresses; `plain` keeps the form that
 * works. */
STET_MUST enum stet_status remote_ask(struct stet_call *, struct remote *, const char *path,
    const char *query, int64_t timeout, struct remote_answer *);
/* Requests a path of the exporter, and finds out which exporter the site has. With `optional` *out
 * is NULL after a 404 or 400: older exporters lack some paths. Other statuses than 200 fail with
 * SOURCE_ERROR. */
STET_MUST enum stet_status remote_export(struct stet_call *, struct remote *, const char *path,
    const char *query, int64_t timeout, bool optional, const json_t **out);

#endif
