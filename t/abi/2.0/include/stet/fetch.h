/*
 * fetch.h - requests to other machines. For the slow lane and for jobs: the thread waits for the
 * answer. Only https is spoken, to addresses that everybody may reach; what the site's fetch-allow
 * names (stet.conf(5)) may be asked besides, over http as well. The address is checked when it is
 * connected to, so that a name which changes its meaning gains nothing. Redirects are not followed,
 * proxies of the environment not used, certificates always verified.
 */
#ifndef STET_FETCH_H
#define STET_FETCH_H

#include <stet/call.h>

/* Zero in any member means its default. */
struct stet_fetch {
	const char *method; /* GET, or POST with a body */
	const char *const *headers; /* "Name: value", NULL-terminated */
	const void *body;
	size_t body_len;
	int64_t timeout; /* ms for all of it; 10 s */
	size_t most; /* bytes of the answer's body that are kept; 1 MiB */
	bool cut; /* an answer that is longer is cut, and no failure */
	/* New fields go here, and nowhere else. */
};

struct stet_fetched {
	int status; /* of HTTP; a redirect is an answer like others */
	const char *type; /* Content-Type, or NULL */
	const char *body; /* and a NUL behind it; the call's */
	size_t len;
	bool cut;
	int64_t duration; /* ms */
	/* New fields go here, and nowhere else. */
};

/* Ask. VALIDATION_ERROR for a URL that may not be asked, UPSTREAM_ERROR when no answer came, with a
 * text that says why; any answer, whatever its status, is STET_OK. *out is filled as far as it
 * came. */
STET_MUST static inline enum stet_status stet_fetch(
    struct stet_call *, const char *url, const struct stet_fetch *, struct stet_fetched *out);
/* Is this a URL that may be asked, before its name is looked up? NULL, or what is wrong with it. */
STET_API const char *stet_fetch_refuses(struct stet_call *, const char *url);

/* What it is to the host: it is told how long structures were when its caller was built. */
STET_API STET_MUST enum stet_status stet_fetch_sized(struct stet_call *, const char *,
    const struct stet_fetch *, size_t, struct stet_fetched *, size_t);

static inline enum stet_status
stet_fetch(
    struct stet_call *call, const char *url, const struct stet_fetch *ask, struct stet_fetched *out)
{
	return stet_fetch_sized(call, url, ask, sizeof(*ask), out, sizeof(*out));
}

#endif
