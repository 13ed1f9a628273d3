/* transfer.h - one outgoing HTTP request, before and after libcurl carries it out. */
#ifndef CORE_TRANSFER_H
#define CORE_TRANSFER_H

#include "base/buf.h"
#include "http/address.h"
#include <curl/curl.h>
#include <stet/fetch.h>

#define TRANSFER_ALLOWED_MAX 64

struct transfer {
	struct stet_call *call;
	const struct stet_fetch *ask;
	struct stet_fetched *out;
	struct address_block allowed[TRANSFER_ALLOWED_MAX]; /* addresses that fetch-allow permits */
	size_t allowed_count;
	size_t most;
	struct buf body;
	CURL *curl;
	struct curl_slist *headers;
	int fd; /* descriptor of the file that gets the body; -1: none */
	const char *path;
	uint64_t written;
	enum stet_status status; /* result of writing the body */
	bool plain; /* http, not https */
	bool refused; /* an address was refused */
	bool late; /* the call's own deadline has passed */
};

/* Makes t->curl ready for a request; everything is borrowed until its end. Fails with
 * VALIDATION_ERROR for a URL that is not allowed; then there is nothing to end. */
STET_MUST enum stet_status transfer_begin(struct transfer *, struct stet_call *, const char *url,
    const struct stet_fetch *, struct stet_fetched *);
/* Returns the URL to which the response redirects; NULL: there is none, or it is not to be
 * followed. If the URL has another origin, removes the headers of *ask. */
const char *transfer_next(struct stet_call *, const char *url, struct stet_fetch *ask,
    const struct stet_fetched *, int *left);
/* Fills t->out as far as the response arrived, and releases t->curl. */
void transfer_close(struct transfer *);
/* As transfer_close, after libcurl has ended the request with `code`. Returns the result of the
 * request. */
STET_MUST enum stet_status transfer_end(struct transfer *, CURLcode);

#endif
