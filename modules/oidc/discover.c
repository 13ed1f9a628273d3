/*
 * discover.c - the metadata of a provider (OpenID Connect Discovery 1.0) and its signing keys. Both
 * are cached in memory for an hour. If a token is signed by a key that is not in the cache, the
 * keys are fetched again, at most once a minute.
 *
 * A failure is cached for half a minute. So a provider that does not respond holds a thread for
 * eight seconds once, not for each sign-in: one request fetches, one waits for the result, and
 * further ones wait three seconds at most.
 */
#include "oidc.h"
#include <stdlib.h>
#include <stet/fetch.h>
#include <string.h>
#include <time.h>

#define PATH "/.well-known/openid-configuration"
#define KEEP INT64_C(3600000) /* milliseconds */
#define RENEW_EVERY 60000
#define KEEP_FAILURE 30000
#define METADATA_MAX 65536 /* bytes */
#define KEYS_MAX 262144
#define TIMEOUT 8000 /* milliseconds */
/* Milliseconds that requests wait for the fetch of another; counted from the start of that fetch.
 * Both values are short because other calls need the threads of the slow lane, too. */
#define WAIT 3000 /* for most requests */
#define WAIT_MOST (2 * TIMEOUT + WAIT) /* for one request: until metadata and keys are fetched */

enum stet_status
discover_open(struct stet_call *call, void *state)
{
	struct oidc_state *s = state;
	pthread_condattr_t attr;

	if (pthread_condattr_init(&attr) != 0 ||
	    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) != 0 ||
	    pthread_cond_init(&s->asked, &attr) != 0 || pthread_mutex_init(&s->lock, NULL) != 0)
		return stet_fault(call, "no lock for the metadata of providers");
	pthread_condattr_destroy(&attr);
	return STET_OK;
}

static void
forget(struct known *k)
{
	free(k->issuer);
	free(k->failure);
	json_decref(k->metadata);
	json_decref(k->keys);
	memset(k, 0, sizeof(*k));
}

void
discover_close(void *state)
{
	struct oidc_state *s = state;

	for (size_t i = 0; i < PROVIDERS_MAX; i++)
		forget(&s->known[i]);
	pthread_cond_destroy(&s->asked);
	pthread_mutex_destroy(&s->lock);
}

/* ---- the cache ---- */

static char *
copy(const char *text)
{
	char *c = strdup(text);

	if (c == NULL)
		stet_out_of_memory();
	return c;
}

/* Under the lock: the entry of the provider; NULL: there is none. */
static struct known *
find(struct oidc_state *s, const struct provider *p)
{
	for (size_t i = 0; i < PROVIDERS_MAX; i++)
		if (strcmp(s->known[i].id, p->id) == 0)
			return &s->known[i];
	return NULL;
}

/* Under the lock: an empty entry for the provider. If all entries are in use, evicts the oldest. */
static struct known *
make_room(struct oidc_state *s, const struct provider *p)
{
	struct known *k = find(s, p);

	if (k == NULL) {
		k = &s->known[0];
		for (size_t i = 1; i < PROVIDERS_MAX; i++)
			if (s->known[i].read_at < k->read_at)
				k = &s->known[i];
	}
	forget(k);
	memcpy(k->id, p->id, strlen(p->id) + 1);
	k->issuer = copy(p->issuer);
	return k;
}

static bool
fresh(int64_t now, int64_t at, int64_t keep)
{
	return at <= now && now - at < keep;
}

/* The cached values that are still fresh, as values of the call; NULL: not in the cache. */
struct recalled {
	const json_t *metadata, *keys;
	const char *failure; /* why the missing ones could not be fetched */
};

static struct recalled
recall(struct stet_call *call, const struct provider *p, bool renew)
{
	struct oidc_state *s = stet_state(call);
	const int64_t now = stet_now(call);
	struct recalled r = { .failure = NULL };
	struct known *k;

	pthread_mutex_lock(&s->lock);
	k = find(s, p);
	if (k == NULL || strcmp(k->issuer, p->issuer) != 0) {
		pthread_mutex_unlock(&s->lock);
		return r;
	}
	if (k->metadata != NULL && fresh(now, k->read_at, KEEP)) {
		r.metadata = stet_json_own(call, json_deep_copy(k->metadata));
		if (k->keys != NULL && fresh(now, k->keys_at, renew ? RENEW_EVERY : KEEP))
			r.keys = stet_json_own(call, json_deep_copy(k->keys));
	}
	if (k->failure != NULL && fresh(now, k->failed_at, KEEP_FAILURE))
		r.failure = stet_strdup(call, k->failure);
	pthread_mutex_unlock(&s->lock);
	return r;
}

static void
keep_metadata(struct stet_call *call, const struct provider *p, const json_t *metadata)
{
	struct oidc_state *s = stet_state(call);
	struct known *k;

	pthread_mutex_lock(&s->lock);
	k = make_room(s, p);
	k->metadata = json_deep_copy(metadata);
	k->read_at = stet_now(call);
	pthread_mutex_unlock(&s->lock);
}

static void
keep_keys(struct stet_call *call, const struct provider *p, const json_t *keys)
{
	struct oidc_state *s = stet_state(call);
	struct known *k;

	pthread_mutex_lock(&s->lock);
	if ((k = find(s, p)) != NULL) {
		json_decref(k->keys);
		k->keys = json_deep_copy(keys);
		k->keys_at = stet_now(call);
		free(k->failure);
		k->failure = NULL;
	}
	pthread_mutex_unlock(&s->lock);
}

/* Caches the failure of a fetch. Fresh metadata and keys stay in the entry. */
static enum stet_status
keep_failure(struct stet_call *call, const struct provider *p, enum stet_status status)
{
	struct oidc_state *s = stet_state(call);
	const int64_t now = stet_now(call);
	struct known *k;

	if (status != STET_UPSTREAM_ERROR)
		return status;
	pthread_mutex_lock(&s->lock);
	k = find(s, p);
	if (k == NULL || strcmp(k->issuer, p->issuer) != 0 || !fresh(now, k->read_at, KEEP)) {
		k = make_room(s, p);
		k->read_at = now;
	}
	free(k->failure);
	k->failure = copy(stet_error_text(call));
	k->failed_at = now;
	pthread_mutex_unlock(&s->lock);
	return status;
}

/* ---- turns: which request may fetch ---- */

static int64_t
monotonic(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Under the lock: returns a fetch that must end before this provider can be fetched from: one of
 * the same provider, or the oldest if all slots are in use. If there is none, returns NULL and sets
 * *free to a free slot. */
static const struct asking *
in_the_way(struct oidc_state *s, const char *id, struct asking **free)
{
	const struct asking *oldest = &s->asking[0];

	*free = NULL;
	for (size_t i = 0; i < ASKING_MAX; i++) {
		struct asking *a = &s->asking[i];

		if (strcmp(a->id, id) == 0)
			return a;
		if (*a->id == '\0')
			*free = a;
		if (a->since < oldest->since)
			oldest = a;
	}
	return *free == NULL ? oldest : NULL;
}

/* Under the lock: waits until some fetch ends. Returns false if `a` began `most` milliseconds
 * ago. */
static bool
wait_for(struct oidc_state *s, const struct asking *a, int64_t most)
{
	const int64_t end = a->since + most;
	const struct timespec until = { .tv_sec = end / 1000, .tv_nsec = end % 1000 * 1000000 };

	return pthread_cond_timedwait(&s->asked, &s->lock, &until) == 0;
}

/* Waits for a slot and takes it; turn_give releases it. NULL: the other fetches took too long. */
static struct asking *
turn_take(struct oidc_state *s, const char *id)
{
	const struct asking *other;
	struct asking *mine;
	bool patient = false;

	pthread_mutex_lock(&s->lock);
	while ((other = in_the_way(s, id, &mine)) != NULL) {
		if (!patient && !s->waiting)
			patient = s->waiting = true;
		if (!wait_for(s, other, patient ? WAIT_MOST : WAIT))
			break;
	}
	if (patient)
		s->waiting = false;
	if (other != NULL)
		mine = NULL;
	if (mine != NULL) {
		memcpy(mine->id, id, strlen(id) + 1);
		mine->since = monotonic();
	}
	pthread_mutex_unlock(&s->lock);
	return mine;
}

static void
turn_give(struct oidc_state *s, struct asking *mine)
{
	pthread_mutex_lock(&s->lock);
	*mine->id = '\0';
	pthread_cond_broadcast(&s->asked);
	pthread_mutex_unlock(&s->lock);
}

/* ---- fetching ---- */

static enum stet_status
refuse(struct stet_call *call, const struct provider *p, const char *why)
{
	return stet_fail(call, STET_UPSTREAM_ERROR, NULL, "The provider %s: %s", p->id, why);
}

static enum stet_status
ask(struct stet_call *call, const struct provider *p, const char *url, size_t most,
    const json_t **out)
{
	static const char *const headers[] = { "Accept: application/json", NULL };
	const struct stet_fetch how = { .headers = headers, .timeout = TIMEOUT, .most = most };
	struct stet_fetched got;
	const char *why;

	STET_TRY(stet_fetch(call, url, &how, &got));
	if (got.status != 200)
		return refuse(call, p, stet_printf(call, "%.200s answers %d", url, got.status));
	*out = stet_json_parse(call, got.body, got.len, &why);
	if (!json_is_object(*out))
		return refuse(call, p, stet_printf(call, "%.200s is no JSON object", url));
	return STET_OK;
}

static bool
has_url(struct stet_call *call, const json_t *metadata, const char *member)
{
	const char *url = json_string_value(json_object_get(metadata, member));

	return url != NULL && strlen(url) <= URL_MAX && stet_fetch_refuses(call, url) == NULL;
}

const char *
metadata_refuses(struct stet_call *call, const char *issuer, const json_t *metadata)
{
	const char *said = json_string_value(json_object_get(metadata, "issuer"));

	/* Section 4.3: otherwise one provider could pass for another. */
	if (said == NULL || strcmp(said, issuer) != 0)
		return "its metadata is that of another issuer";
	if (!has_url(call, metadata, "authorization_endpoint") ||
	    !has_url(call, metadata, "token_endpoint") || !has_url(call, metadata, "jwks_uri"))
		return "its metadata lacks an endpoint, or has one that is not https";
	return NULL;
}

static enum stet_status
ask_metadata(struct stet_call *call, const struct provider *p, const json_t **metadata)
{
	size_t len = strlen(p->issuer);
	const char *why;

	while (len > 0 && p->issuer[len - 1] == '/')
		len--;
	STET_TRY(ask(
	    call, p, stet_printf(call, "%.*s" PATH, (int)len, p->issuer), METADATA_MAX, metadata));
	why = metadata_refuses(call, p->issuer, *metadata);
	if (why != NULL)
		return refuse(call, p, why);
	keep_metadata(call, p, *metadata);
	return STET_OK;
}

static enum stet_status
ask_keys(
    struct stet_call *call, const struct provider *p, const json_t *metadata, const json_t **keys)
{
	STET_TRY(
	    ask(call, p, json_string_value(json_object_get(metadata, "jwks_uri")), KEYS_MAX, keys));
	keep_keys(call, p, *keys);
	return STET_OK;
}

static bool
suffices(const struct recalled *r, bool keys)
{
	return r->metadata != NULL && (!keys || r->keys != NULL);
}

/* Fetches the values that the cache lacks. */
static enum stet_status
complete(struct stet_call *call, const struct provider *p, struct recalled *r, bool keys)
{
	enum stet_status status = STET_OK;

	if (suffices(r, keys))
		return STET_OK;
	if (r->failure != NULL)
		return stet_fail(
		    call, STET_UPSTREAM_ERROR, NULL, "%s (not asked again yet)", r->failure);
	if (r->metadata == NULL)
		status = ask_metadata(call, p, &r->metadata);
	if (status == STET_OK && keys && r->keys == NULL)
		status = ask_keys(call, p, r->metadata, &r->keys);
	return keep_failure(call, p, status);
}

enum stet_status
discover(struct stet_call *call, const struct provider *p, bool renew, const json_t **metadata,
    const json_t **keys)
{
	struct oidc_state *s = stet_state(call);
	struct recalled r = recall(call, p, renew);
	struct asking *turn = NULL;
	enum stet_status status;

	if (r.failure == NULL && !suffices(&r, keys != NULL)) {
		turn = turn_take(s, p->id);
		if (turn == NULL)
			return refuse(call, p, "it has not answered others yet");
		/* Another request may have fetched them meanwhile. */
		r = recall(call, p, renew);
	}
	status = complete(call, p, &r, keys != NULL);
	if (turn != NULL)
		turn_give(s, turn);
	*metadata = r.metadata;
	if (keys != NULL)
		*keys = r.keys;
	return status;
}
