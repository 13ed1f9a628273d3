/*
 * fetch.h - HTTP requests to other servers, for the slow lane and jobs: the thread blocks until the
 * response has arrived.
 *
 * Only https to public addresses is allowed, so that nobody can use the daemon to reach its own
 * network (SSRF). The site's setting fetch-allow (stet.conf(5)) names exceptions, which may use
 * http too. The address is checked when the connection is made, so a DNS name that changes
 * between lookup and connection (DNS rebinding) does not get around the check. Redirects are not
 * followed unless asked for, proxies of the environment are not used, and certificates are always
 * verified.
 */
#ifndef STET_FETCH_H
#define STET_FETCH_H

#include <stet/call.h>

/* A request. Zero in a member means its default. */
struct stet_fetch {
	const char *method; /* GET, or POST with a body */
	const char *const *headers; /* "Name: value", NULL-terminated */
	const void *body;
	size_t body_len;
	int64_t timeout; /* milliseconds for the whole request; default 10 s */
	size_t most; /* the most bytes of the response's body; default 1 MiB */
	bool cut; /* a longer response is truncated to `most`; otherwise it fails, at once if its
	Content-Length is too large */
	bool plain; /* http to public addresses is allowed, too */
	int redirects; /* redirects to follow, each checked like the first URL; they have no body,
	and no `headers` if they lead to another origin */
	bool to_file; /* the body of a success goes to a temporary file (stet_fetched.path) */
	const char *header; /* name of a response header to return (stet_fetched.header) */
	/* New fields go here, and nowhere else. */
};

struct stet_fetched {
	int status; /* HTTP status; a redirect is returned like any other */
	const char *type; /* Content-Type, or NULL */
	const char *body; /* owned by the call; a NUL byte follows it */
	size_t len;
	bool cut;
	int64_t duration; /* ms */
	const char *cache_control; /* its Cache-Control, or NULL */
	const char *location; /* where a redirect leads, or NULL */
	bool refused; /* the URL or the address behind it is not allowed */
	/* With to_file: the file, removed when the call ends, with `len` bytes; NULL: the status
	 * was no success. */
	const char *path;
	const char *header; /* the value of the header that was asked for, or NULL */
	/* New fields go here, and nowhere else. */
};

/* Sends the request and waits for the response; any HTTP status is STET_OK. Fails with
 * VALIDATION_ERROR for a URL that is not allowed, and with UPSTREAM_ERROR and the reason if no
 * response came; *out is then filled as far as the response arrived. In a job, fails with
 * UNAVAILABLE if another daemon of the site runs it now: nothing was sent. */
STET_MUST static inline enum stet_status stet_fetch(
    struct stet_call *, const char *url, const struct stet_fetch *, struct stet_fetched *out);

/* Many requests at once, none with a body. */
struct stet_fetch_many {
	const char *const *url;
	size_t count; /* of URLs; all of them are in memory, so at most a few hundred */
	int at_once; /* requests under way; default 4 */
	int per_host; /* of these, to one host; default 2 */
	/* Called for each response as it arrives, in any order, with the results that stet_fetch
	 * would return for url[i]. It must handle a recorded error (stet_error_clear). Any status
	 * but STET_OK ends all requests. */
	enum stet_status (*done)(
	    struct stet_call *, void *arg, size_t i, enum stet_status, const struct stet_fetched *);
	void *arg;
	/* New fields go here, and nowhere else. */
};
/* Sends the requests and waits for the responses; `ask` applies to each of them. */
STET_MUST static inline enum stet_status stet_fetch_many(
    struct stet_call *, const struct stet_fetch_many *, const struct stet_fetch *ask);

/* Makes libcurl ready for this process, with the daemon's functions for memory. A module that links
 * libcurl itself calls this before its first other call to it, instead of curl_global_init, from
 * any thread, as often as it likes. */
STET_API void stet_fetch_library(void);

/* Checks a URL before its name is looked up. Returns NULL if it is allowed, or the reason why
 * not. */
STET_API const char *stet_fetch_refuses(struct stet_call *, const char *url);

/* The host's side of stet_fetch: gets the sizes of the structures in the caller's headers. */
STET_API STET_MUST enum stet_status stet_fetch_sized(struct stet_call *, const char *,
    const struct stet_fetch *, size_t, struct stet_fetched *, size_t);

STET_API STET_MUST enum stet_status stet_fetch_many_sized(
    struct stet_call *, const struct stet_fetch_many *, size_t, const struct stet_fetch *, size_t);

static inline enum stet_status
stet_fetch_many(
    struct stet_call *call, const struct stet_fetch_many *many, const struct stet_fetch *ask)
{
	return stet_fetch_many_sized(call, many, sizeof(*many), ask, sizeof(*ask));
}

static inline enum stet_status
stet_fetch(
    struct stet_call *call, const char *url, const struct stet_fetch *ask, struct stet_fetched *out)
{
	return stet_fetch_sized(call, url, ask, sizeof(*ask), out, sizeof(*out));
}

#endif
