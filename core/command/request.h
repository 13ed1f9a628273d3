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
	const char *type, *body; /* of the body; NULL: none */
	const char *const *headers; /* more of them, ends with NULL; NULL: none */
	const char *ca; /* a file of authorities; NULL: SSL_CERT_FILE, else the system's */
	long seconds; /* for the whole exchange; 0: while bytes come */
	size_t most; /* bytes of an answer that is kept */
	FILE *to; /* where an answer of success goes that is no JSON; NULL: it is kept */
};

struct response {
	CURLcode code; /* CURLE_OK: there is a status */
	char error[CURL_ERROR_SIZE]; /* otherwise, why; may be empty */
	long status;
	char *redirect; /* where Location leads; NULL: nowhere */
	char *type; /* Content-Type; NULL: none */
	struct buf body;
	json_t *json; /* NULL: the body is no JSON */
};

/* Sends a request and waits for the answer, which the caller frees. */
void request_send(const struct request *, struct response *);
void response_free(struct response *);
/* Why there is no status; valid as long as the response. */
const char *response_problem(const struct response *);

/* Reads the URL of a site: https, or http to this computer, since tokens are sent to it. Without
 * a scheme it is https. Returns it without a slash at its end, to be freed; NULL: *why, to be
 * freed. */
char *request_site_url(const char *typed, char **why);

#endif
