/* trip.c - users who go to a provider's sign-in page and come back. */
#include "trip.h"
#include "issuer.h"
#include "people.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t noon = 1780315200; /* 2026-06-01T12:00:00Z */

void
it_is(struct harness *h, int64_t seconds)
{
	time_t t = (time_t)(noon + seconds);
	struct tm tm;
	char text[40];

	assert_non_null(gmtime_r(&t, &tm));
	assert_true(strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S.000Z", &tm) > 0);
	harness_clock(h, text);
	issuer.now = t;
}

int
trip_begin(void **state)
{
	const struct harness_options options = { .fetch_allow = neighbour_block };

	issuer_reset();
	*state = harness_open(&options);
	noon += 86400;
	it_is(*state, 0);
	return 0;
}

void
provider(struct harness *h, const char *more)
{
	assert_ok(harness_send(h, admin, "POST /admin/identity-providers",
	    "{\"id\":\"corp\",\"label\":\"Corp\",\"issuer\":\"%s\",\"clientId\":\"client-1\","
	    "\"clientSecret\":\"s e:cret\"%s}",
	    issuer_url(), more));
}

static void
parameter(const char *url, const char *name, char *out, size_t size)
{
	char key[40];
	const char *at;

	snprintf(key, sizeof(key), "&%s=", name);
	at = strstr(url, key);
	assert_non_null(at);
	at += strlen(key);
	snprintf(out, size, "%.*s", (int)strcspn(at, "&"), at);
}

void
read_trip(const char *url, const char *set_cookie, struct trip *t)
{
	snprintf(t->url, sizeof(t->url), "%s", url);
	snprintf(t->cookie, sizeof(t->cookie), "%.*s", (int)strcspn(set_cookie, ";"), set_cookie);
	parameter(url, "state", t->state, sizeof(t->state));
	parameter(url, "nonce", t->nonce, sizeof(t->nonce));
	parameter(url, "code_challenge", t->challenge, sizeof(t->challenge));
	issuer.nonce = t->nonce;
}

void
depart(struct harness *h, const char *next, struct trip *t)
{
	char request[200];
	struct outcome *o;

	snprintf(request, sizeof(request), "GET /auth/oauth/corp%s%s", next != NULL ? "?next=" : "",
	    next != NULL ? next : "");
	o = browser_send(h, NULL, request, NULL);
	assert_int_equal(o->http, 302);
	read_trip(o->location, o->set_cookie, t);
}

struct outcome *
come_back(struct harness *h, const struct trip *t, const char *cookie, const char *more)
{
	char request[1000];

	snprintf(
	    request, sizeof(request), "GET /auth/oauth/corp/callback?state=%s%s", t->state, more);
	return browser_send(h, cookie, request, NULL);
}

struct outcome *
travel(struct harness *h)
{
	struct trip t;

	depart(h, NULL, &t);
	return come_back(h, &t, t.cookie, "&code=c1");
}

void
assert_refused(struct outcome *o, const char *word)
{
	char page[100];

	snprintf(page, sizeof(page), "/_cms/signin?error=%s", word);
	assert_int_equal(o->http, 302);
	assert_string_equal(o->location, page);
	assert_null(strstr(o->set_cookie, "stet=A"));
}

const char *
who(struct harness *h, struct outcome *o)
{
	static char email[100];
	char cookie[200];

	assert_int_equal(o->http, 302);
	assert_memory_equal(o->set_cookie, "stet=", 5);
	snprintf(cookie, sizeof(cookie), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	harness_ok(o, browser_send(h, cookie, "GET /auth/me", NULL));
	snprintf(email, sizeof(email), "%s", harness_text(o->data, "email"));
	return email;
}

void
known(struct harness *h, const char *email)
{
	char id[27];

	browser_user(h, email, "author", id);
	person_sql(h, "UPDATE users SET email_verified = 1 WHERE email = ?1", email);
}
