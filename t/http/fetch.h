/*
 * fetch.h - requests to daemons that may end meanwhile, from any thread: what does not come is
 * said, and fails no test by itself.
 */
#ifndef T_HTTP_FETCH_H
#define T_HTTP_FETCH_H

#include "remote.h"

struct fetcher; /* a client; used by one thread at a time */

/* Sends this token with each request. */
struct fetcher *fetch_new(const char *token);
void fetch_free(struct fetcher *);
/* One more header line for each request, without line end; NULL: no more. */
void fetch_with(struct fetcher *, const char *header);

/* Sends a request and returns the status of the answer; 0: none came. The path is relative to the
 * API; body NULL: none. *json, if json is not NULL, is the answer, to be released; NULL: it is
 * none. Answers other than 200, 201, 404 and 503 are printed. */
int fetch(struct fetcher *, const struct daemon *, const char *method, const char *path,
    const char *body, json_t **json);
/* The item in such an answer; NULL: none. */
const json_t *fetch_item(const json_t *answer);

#endif
