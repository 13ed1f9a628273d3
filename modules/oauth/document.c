/*
 * document.c - clients whose id is the URL of a document about them (OAuth Client ID Metadata
 * Document). Nothing is stored until a user agrees to the client: the documents lie in memory, a
 * bounded number for a bounded time. Anybody can have us fetch a URL, so this is limited by
 * address, in number at a time, in size and in time; stet_fetch asks public addresses only.
 */
#include "clients.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <stet/fetch.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define CACHED_MAX 128 /* documents of a site */
/* AT_ONCE: fetches of a site that run at the same time. WAITING_MAX: requests that wait for the
 * fetch of another request. Further requests are refused with Retry-After. Both use threads of the
 * slow lane, which has four unless slow-threads says otherwise. */
#define AT_ONCE 2
#define WAITING_MAX 1
#define COME_AGAIN "5" /* seconds, for Retry-After: a fetch takes no longer */
#define BYTES_MAX 10240
#define TIMEOUT (5 * INT64_C(1000)) /* milliseconds */
#define WAIT_SECONDS 7 /* for a fetch that another request has begun */
#define KEPT_LEAST (5 * MINUTE)
#define KEPT_MOST DAY
#define FAILURE_KEPT MINUTE
#define LIMIT 20 /* requests a minute from one address that need a fetch */

/* A cache entry: a document, or the reason why there is none. */
struct cached {
	char *url; /* NULL: the entry is free */
	char *text; /* the document; NULL: `why` says what is wrong */
	char *why;
	int64_t until; /* when the entry expires, by stet_now */
	bool fetching; /* a request fetches it now */
};

struct documents {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int waiting; /* requests that wait for the fetch of another request */
	struct cached place[CACHED_MAX];
};

static char *
copy(const char *text)
{
	char *c = text != NULL ? strdup(text) : NULL;

	if (text != NULL && c == NULL)
		stet_out_of_memory();
	return c;
}

struct documents *
documents_new(void)
{
	struct documents *d = calloc(1, sizeof(*d));
	pthread_condattr_t attr;

	if (d == NULL || pthread_condattr_init(&attr) != 0 ||
	    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) != 0 ||
	    pthread_cond_init(&d->changed, &attr) != 0 || pthread_mutex_init(&d->lock, NULL) != 0)
		stet_out_of_memory();
	pthread_condattr_destroy(&attr);
	return d;
}

static void
clear(struct cached *c)
{
	free(c->url);
	free(c->text);
	free(c->why);
	*c = (struct cached){ .url = NULL };
}

void
documents_free(struct documents *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < CACHED_MAX; i++)
		clear(&d->place[i]);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

/* ---- URLs ---- */

bool
document_is_id(const char *client_id)
{
	return strncmp(client_id, "https://", 8) == 0;
}

/* Returns true if a segment of the path is "." or "..", also with %2e for a dot. */
static bool
has_dots(const char *path)
{
	while (*path == '/') {
		size_t dots = 0;

		for (path++; *path != '\0' && *path != '/';) {
			size_t len = *path == '.' ? 1 : strncasecmp(path, "%2e", 3) == 0 ? 3 : 0;

			if (len == 0) {
				dots = 0;
				path += strcspn(path, "/");
				break;
			}
			dots++;
			path += len;
		}
		if (dots == 1 || dots == 2)
			return true;
	}
	return false;
}

#define URL_CHARS                                                        \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"-._~:/[]@!$&'()*+,;=%"

const char *
document_refuses(const char *url)
{
	size_t host;

	if (!document_is_id(url))
		return "is not https";
	if (strlen(url) > CLIENT_ID_MAX || strspn(url, URL_CHARS) != strlen(url))
		return "is too long, has a query or a fragment, or characters that no URL has";
	host = strcspn(url + 8, "/");
	if (host == 0 || url[8] == ':' || memchr(url + 8, '@', host) != NULL)
		return "has no host, or a user before it";
	if (url[8 + host] == '\0')
		return "has no path";
	return has_dots(url + 8 + host) ? "has a path with . or .. in it" : NULL;
}

/* ---- documents ---- */

enum stet_status
document_read(
    struct stet_call *call, const char *url, const char *text, size_t len, struct oauth_client *out)
{
	const char *why, *id;
	json_t *object = stet_json_parse(call, text, len, &why);

	*out = (struct oauth_client){ .id = url, .kind = CLIENT_DOCUMENT };
	if (!json_is_object(object))
		return oauth_refuse(
		    call, "invalid_client", "The client's document is no JSON object");
	id = json_string_value(json_object_get(object, "client_id"));
	if (id == NULL || strcmp(id, url) != 0)
		return oauth_refuse(call, "invalid_client",
		    "The client's document is about another client_id than its own URL");
	if (json_object_get(object, "client_secret") != NULL ||
	    json_object_get(object, "client_secret_expires_at") != NULL)
		return oauth_refuse(
		    call, "invalid_client", "The client's document has a secret, which is none");
	if (metadata_read(call, object, out) != STET_OK) {
		if (oauth_error(call, &why) == NULL)
			return STET_FAULT;
		return oauth_refuse(call, "invalid_client", "The client's document: %s", why);
	}
	if (out->name == NULL)
		out->name = uri_host(call, url);
	return STET_OK;
}

/* Returns true for application/json and application/...+json. */
static bool
is_json(struct stet_call *call, const char *type)
{
	size_t len = type != NULL ? strcspn(type, "; \t") : 0;
	const char *bare = stet_strndup(call, type != NULL ? type : "", len);

	if (strncasecmp(bare, "application/", 12) != 0)
		return false;
	return strcasecmp(bare + 12, "json") == 0 ||
	       (len > 17 && strcasecmp(bare + len - 5, "+json") == 0);
}

/* Returns for how long Cache-Control lets us keep a response, within our bounds; in
 * milliseconds. */
static int64_t
kept_for(const char *control)
{
	const char *at = control;

	while (at != NULL && *at != '\0') {
		at += strspn(at, ", \t");
		if (strncasecmp(at, "no-store", 8) == 0 || strncasecmp(at, "no-cache", 8) == 0)
			return KEPT_LEAST;
		if (strncasecmp(at, "max-age=", 8) == 0) {
			long long seconds = strtoll(at + 8 + (at[8] == '"'), NULL, 10);

			return seconds >= KEPT_MOST / 1000    ? KEPT_MOST
			       : seconds * 1000 <= KEPT_LEAST ? KEPT_LEAST
							      : seconds * 1000;
		}
		at += strcspn(at, ",");
	}
	return KEPT_LEAST;
}

/* Fetches and checks a document. Sets *text or *why. Returns for how long to cache the result. */
static int64_t
fetch(struct stet_call *call, const char *url, const char **text, const char **why)
{
	static const char *const headers[] = { "Accept: application/json", NULL };
	const struct stet_fetch ask = { .headers = headers, .timeout = TIMEOUT, .most = BYTES_MAX };
	struct oauth_client client;
	struct stet_fetched got;

	*text = NULL;
	*why = NULL;
	if (stet_fetch(call, url, &ask, &got) != STET_OK) {
		*why = stet_printf(
		    call, "The client's document could not be fetched: %s", stet_error_text(call));
		stet_error_clear(call);
	} else if (got.status != 200) {
		*why = stet_printf(call, "The client's document is answered with %d", got.status);
	} else if (!is_json(call, got.type)) {
		*why = "The client's document is not application/json";
	} else if (document_read(call, url, got.body, got.len, &client) != STET_OK) {
		if (oauth_error(call, why) == NULL)
			*why = "The client's document could not be read";
		stet_error_clear(call);
	} else {
		*text = got.body;
	}
	return *text != NULL ? kept_for(got.cache_control) : FAILURE_KEPT;
}

/* ---- the cache ---- */

static struct cached *
find_place(struct documents *d, const char *url)
{
	for (size_t i = 0; i < CACHED_MAX; i++)
		if (d->place[i].url != NULL && strcmp(d->place[i].url, url) == 0)
			return &d->place[i];
	return NULL;
}

/* Returns a free entry, or evicts the one that expires first. NULL: too many fetches are
 * running. */
static struct cached *
take_place(struct documents *d)
{
	struct cached *best = NULL;
	size_t fetching = 0;

	for (size_t i = 0; i < CACHED_MAX; i++) {
		struct cached *c = &d->place[i];

		if (c->fetching)
			fetching++;
		else if (best == NULL || c->until < best->until)
			best = c;
	}
	if (fetching >= AT_ONCE || best == NULL)
		return NULL;
	clear(best);
	return best;
}

/* Waits until no request fetches this URL; does not wait if too many do already. Returns the entry
 * of the URL, or NULL. The lock is held. */
static struct cached *
wait_for(struct documents *d, const char *url)
{
	struct cached *c = find_place(d, url);
	struct timespec until;

	if (c == NULL || !c->fetching || d->waiting >= WAITING_MAX)
		return c;
	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += WAIT_SECONDS;
	d->waiting++;
	while ((c = find_place(d, url)) != NULL && c->fetching)
		if (pthread_cond_timedwait(&d->changed, &d->lock, &until) == ETIMEDOUT)
			break;
	d->waiting--;
	return c;
}

static void
store(struct documents *d, struct cached *c, const char *text, const char *why, int64_t until)
{
	(void)pthread_mutex_lock(&d->lock);
	c->text = copy(text);
	c->why = copy(text == NULL ? why : NULL);
	c->until = until;
	c->fetching = false;
	(void)pthread_cond_broadcast(&d->changed);
	(void)pthread_mutex_unlock(&d->lock);
}

/* Looks a URL up in the cache. Returns true if the cache has a result. If not, sets *place to the
 * entry to fill, or to NULL if the document cannot be fetched now. */
static bool
look_up(struct stet_call *call, struct documents *d, const char *url, const char **text,
    const char **why, struct cached **place)
{
	struct cached *c;
	bool known;

	(void)pthread_mutex_lock(&d->lock);
	c = stet_writing(call) ? find_place(d, url) : wait_for(d, url);
	known = c != NULL && !c->fetching && c->until > stet_now(call);
	*place = NULL;
	if (known) {
		*text = stet_strdup(call, c->text);
		*why = stet_strdup(call, c->why);
	} else if (!stet_writing(call) && (c == NULL || !c->fetching)) {
		if (c != NULL)
			clear(c);
		c = take_place(d);
		if (c != NULL) {
			c->url = copy(url);
			c->fetching = true;
		}
		*place = c;
	}
	(void)pthread_mutex_unlock(&d->lock);
	return known;
}

/* Returns true if the document is in the cache, so that nothing has to be fetched. */
static bool
is_known(struct stet_call *call, struct documents *d, const char *url)
{
	const struct cached *c;
	bool known;

	(void)pthread_mutex_lock(&d->lock);
	c = find_place(d, url);
	known = c != NULL && !c->fetching && c->until > stet_now(call);
	(void)pthread_mutex_unlock(&d->lock);
	return known;
}

enum stet_status
document_find(struct stet_call *call, const char *url, struct oauth_client *out)
{
	struct documents *d = ((struct oauth_state *)stet_state(call))->documents;
	const char *why = document_refuses(url), *text = NULL;
	struct cached *place;
	int64_t keep;

	if (why != NULL)
		return oauth_refuse(call, "invalid_client", "client_id %s", why);
	if (!is_known(call, d, url) && !stet_writing(call))
		STET_TRY(stet_limit(call, "oauth-document", NULL, LIMIT, 60));
	if (!look_up(call, d, url, &text, &why, &place)) {
		if (place == NULL) {
			stet_header(call, "Retry-After", COME_AGAIN);
			return oauth_refuse(call, "temporarily_unavailable",
			    "The client's document cannot be fetched now: try again");
		}
		keep = fetch(call, url, &text, &why);
		store(d, place, text, why, stet_now(call) + keep);
	}
	if (text == NULL)
		return oauth_refuse(call, "invalid_client", "%s", why);
	return document_read(call, stet_strdup(call, url), text, strlen(text), out);
}
