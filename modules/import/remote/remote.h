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
	bool sure; /* it has answered in this form */
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

/* Returns {plugin, defaultLocale, locales} of an exporter's response, a new reference; NULL: its
 * site has one language. */
json_t *remote_locales(const json_t *told);

struct remote_answer {
	int status; /* HTTP status */
	const json_t *body; /* of status 200, owned by the call; NULL: no JSON */
	bool json; /* the response is JSON, whatever its status */
	int64_t total; /* number of all results (X-WP-Total); -1: unknown */
};
/* Requests a path below the API, with a query ("page=2", or NULL). Fails with SSRF_BLOCKED, with
 * SOURCE_ERROR if there is no response or it is too large, or as stet_fetch does. After a 404 or a
 * response that is not JSON, tries the ?rest_route= form of addresses; `plain` keeps the form that
 * works. */
STET_MUST enum stet_status remote_ask(struct stet_call *, struct remote *, const char *path,
    const char *query, int64_t timeout, struct remote_answer *);
/* Fetches a file of at most `most` bytes into a temporary one: part->path and part->size. Fails
 * like remote_ask. */
STET_MUST enum stet_status remote_file(
    struct stet_call *, const char *url, size_t most, struct stet_part *part);
enum remote_shape {
	REMOTE_OBJECT, /* an object */
	REMOTE_LIST, /* an array of objects, or {items} with one: *out is the array */
	REMOTE_PAGE, /* {items: an array of objects, pages?, total?} */
};
/* A request to the exporter. */
struct remote_export {
	const char *path, *query; /* query may be NULL */
	int64_t timeout; /* milliseconds */
	enum remote_shape shape;
	bool optional; /* older exporters lack it: *out is NULL after a 404 or 400 */
};
/* Sends the request, and finds out which exporter the site has. Fails with SOURCE_ERROR after
 * another status than 200, and if the response has another shape. */
STET_MUST enum stet_status remote_export(
    struct stet_call *, struct remote *, const struct remote_export *, const json_t **out);
/* Fails with SOURCE_ERROR: the response to `path` is not what exporters send. */
STET_MUST enum stet_status remote_odd(struct stet_call *, const char *path, const char *what);
/* Sets *out to the number of pages of a list, of `per_page` items each: `pages` of the response, or
 * else what follows from `total`, or else 1. */
STET_MUST enum stet_status remote_pages(
    struct stet_call *, const char *path, const json_t *page, int64_t per_page, int64_t *out);

#endif
