/*
 * fetch.c - outgoing HTTP requests: one, or many at once. What may be asked is checked by
 * transfer.c, for each redirect again.
 */
#include "fetch/fetch.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "fetch/transfer.h"
#include <stdlib.h>
#include <stet/table.h>
#include <string.h>

/* ---- one ---- */

static enum stet_status
ask_once(
    struct stet_call *call, const char *url, const struct stet_fetch *ask, struct stet_fetched *out)
{
	struct transfer t;

	STET_TRY(transfer_begin(&t, call, url, ask, out));
	return transfer_end(&t, curl_easy_perform(t.curl));
}

static enum stet_status
ask_for(struct stet_call *call, const char *url, struct stet_fetch *ask, struct stet_fetched *out)
{
	int64_t begun = clock_monotonic();
	enum stet_status status;
	int left = ask->body == NULL ? ask->redirects : 0;

	stet_assert(!call->writing);
	do {
		status = ask_once(call, url, ask, out);
	} while (status == STET_OK && (url = transfer_next(call, url, ask, out, &left)) != NULL);
	out->duration = clock_monotonic() - begun;
	return status;
}

enum stet_status
stet_fetch_sized(struct stet_call *call, const char *url, const struct stet_fetch *theirs,
    size_t size, struct stet_fetched *out, size_t out_size)
{
	struct stet_fetched fetched;
	struct stet_fetch ask;
	enum stet_status status;

	stet_extend(&ask, sizeof(ask), theirs, size);
	status = ask_for(call, url, &ask, &fetched);
	stet_extend(out, out_size, &fetched, sizeof(fetched));
	return status;
}

/* ---- many ---- */

#define AT_ONCE 4
#define PER_HOST 2
#define POLL_MS 200 /* milliseconds between checks of the call's deadline */

struct under_way {
	struct transfer t;
	struct stet_fetch ask;
	struct stet_fetched out;
	size_t i; /* index of the URL */
	const char *url; /* NULL: this place is free */
	int64_t begun;
	int left; /* redirects */
};
struct crowd {
	struct stet_call *call;
	const struct stet_fetch_many *many;
	const struct stet_fetch *ask;
	CURLM *multi;
	struct under_way *place;
	int places, running;
	bool *begun; /* by URL: its transfer was begun */
	size_t open; /* URLs below it have begun, all of them */
};

/* Scheme and host as they are written. */
static size_t
host_end(const char *url)
{
	const char *host = strstr(url, "://");

	return host == NULL ? strlen(url) : (size_t)(host - url) + 3 + strcspn(host + 3, "/?#");
}

static int
to_host(const struct crowd *c, const char *url)
{
	size_t len = host_end(url);
	int count = 0;

	for (int i = 0; i < c->places; i++)
		count += c->place[i].url != NULL && host_end(c->place[i].url) == len &&
			 strncasecmp(c->place[i].url, url, len) == 0;
	return count;
}

/* The next URL whose host is not asked too much; `count` if there is none now. */
static size_t
next_url(struct crowd *c)
{
	const int most = c->many->per_host > 0 ? c->many->per_host : PER_HOST;

	while (c->open < c->many->count && c->begun[c->open])
		c->open++;
	for (size_t i = c->open; i < c->many->count; i++)
		if (!c->begun[i] && to_host(c, c->many->url[i]) < most)
			return i;
	return c->many->count;
}

static enum stet_status
tell(struct crowd *c, struct under_way *u, enum stet_status status)
{
	u->url = NULL;
	u->out.duration = clock_monotonic() - u->begun;
	return c->many->done(c->call, c->many->arg, u->i, status, &u->out);
}

/* Begins the request to u->url, which may be refused at once. */
static enum stet_status
go(struct crowd *c, struct under_way *u)
{
	enum stet_status status = transfer_begin(&u->t, c->call, u->url, &u->ask, &u->out);

	if (status != STET_OK)
		return tell(c, u, status);
	stet_assert(curl_easy_setopt(u->t.curl, CURLOPT_PRIVATE, u) == CURLE_OK);
	stet_assert(curl_multi_add_handle(c->multi, u->t.curl) == CURLM_OK);
	c->running++;
	return STET_OK;
}

static enum stet_status
fill(struct crowd *c)
{
	for (int i = 0; i < c->places; i++) {
		struct under_way *u = &c->place[i];

		while (u->url == NULL) {
			u->i = next_url(c);
			if (u->i == c->many->count)
				return STET_OK;
			c->begun[u->i] = true;
			u->url = c->many->url[u->i];
			u->ask = *c->ask;
			u->left = u->ask.redirects;
			u->begun = clock_monotonic();
			STET_TRY(go(c, u));
		}
	}
	return STET_OK;
}

static enum stet_status
ended(struct crowd *c, struct under_way *u, CURLcode code)
{
	const char *next = NULL;
	enum stet_status status;

	stet_assert(curl_multi_remove_handle(c->multi, u->t.curl) == CURLM_OK);
	c->running--;
	status = transfer_end(&u->t, code);
	if (status == STET_OK)
		next = transfer_next(c->call, u->url, &u->ask, &u->out, &u->left);
	if (next == NULL)
		return tell(c, u, status);
	u->url = next;
	return go(c, u);
}

static enum stet_status
step(struct crowd *c)
{
	struct CURLMsg *message;
	void *u = NULL;
	int left;

	stet_assert(curl_multi_perform(c->multi, &left) == CURLM_OK);
	while ((message = curl_multi_info_read(c->multi, &left)) != NULL) {
		if (message->msg != CURLMSG_DONE)
			continue;
		(void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &u);
		STET_TRY(ended(c, u, message->data.result));
	}
	STET_TRY(fill(c));
	if (c->running > 0)
		stet_assert(curl_multi_poll(c->multi, NULL, 0, POLL_MS, NULL) == CURLM_OK);
	return STET_OK;
}

/* Ends the transfers in progress without reporting them. */
static void
leave(struct crowd *c)
{
	for (int i = 0; i < c->places; i++) {
		struct under_way *u = &c->place[i];

		if (u->url == NULL)
			continue;
		(void)curl_multi_remove_handle(c->multi, u->t.curl);
		transfer_close(&u->t);
	}
}

enum stet_status
stet_fetch_many_sized(struct stet_call *call, const struct stet_fetch_many *theirs, size_t size,
    const struct stet_fetch *ask_theirs, size_t ask_size)
{
	struct stet_fetch_many many;
	struct stet_fetch ask;
	struct crowd c = { .call = call, .many = &many, .ask = &ask };
	enum stet_status status;

	stet_extend(&many, sizeof(many), theirs, size);
	stet_extend(&ask, sizeof(ask), ask_theirs, ask_size);
	stet_assert(!call->writing && ask.body == NULL);
	stet_fetch_library();
	c.places = many.at_once > 0 ? many.at_once : AT_ONCE;
	c.place = stet_alloc(call, sizeof(*c.place) * (size_t)c.places);
	c.begun = stet_alloc(call, many.count + 1);
	c.multi = curl_multi_init();
	stet_assert(c.multi != NULL);
	status = fill(&c);
	while (status == STET_OK && c.running > 0)
		status = step(&c);
	leave(&c);
	curl_multi_cleanup(c.multi);
	return status;
}
