/* request.h - requests of the command line to the URL of a site, with libcurl. Redirects are not
 * followed. */
#ifndef CORE_COMMAND_REQUEST_H
#define CORE_COMMAND_REQUEST_H

#include "base/buf.h"
#include <curl/curl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct request {
	const char *url;
	const char *method; /* NULL: POST with a body, else GET */
	const char *token; /* sent as a bearer token; NULL: none */
	const char *type, *body; /* media type and text of the body; NULL: none */
	const char *const *headers; /* further headers, ended by NULL; NULL: none */
	const char *ca; /* file of CA certificates; NULL: SSL_CERT_FILE, else the system's */
	long seconds; /* limit for the whole exchange; 0: none while bytes arrive */
	size_t most; /* limit of a response kept in memory, in bytes */
	FILE *to; /* stream for a successful response that is not JSON; NULL: keep it in memory */
};

struct response {
	CURLcode code; /* CURLE_OK: there is a status */
	char error[CURL_ERROR_SIZE]; /* otherwise, why; may be empty */
	long status;
	char *redirect; /* target of Location; NULL: none */
	char *type; /* Content-Type; NULL: none */
	struct buf body;
	json_t *json; /* NULL: the body is not JSON */
};

/* Sends a request and waits for the answer, which the caller frees. */
void request_send(const struct request *, struct response *);
void response_free(struct response *);
/* Returns why there is no status; valid as long as the response. */
const char *response_problem(const struct response *);

/* Checks and normalizes the URL of a site. It must be https, or http to this computer, since tokens
 * are sent to it. Without a scheme it is https. Returns it without a trailing slash, to be freed;
 * NULL with *why, to be freed. */
char *request_site_url(const char *typed, char **why);

#endif
