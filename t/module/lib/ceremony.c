/* ceremony.c - ceremonies of passkeys, through the API. */
#include "ceremony.h"
#include <stdio.h>
#include <stdlib.h>

/* Moves the clock on by a minute, so that no rate limit is reached. */
void
next_minute(struct harness *h)
{
	static int minute;
	char time[32];

	minute = (minute + 1) % 1440;
	snprintf(time, sizeof(time), "2026-06-01T%02d:%02d:00.000Z", minute / 60, minute % 60);
	harness_clock(h, time);
}

/* ---- ceremonies ---- */

/* Requests the options by POST path; owned by the caller. */
json_t *
options(struct harness *h, const struct browser *b, const char *path)
{
	char request[100];
	struct outcome *o;

	snprintf(request, sizeof(request), "POST %s", path);
	harness_ok(o, browser_send(h, b != NULL ? b->cookie : NULL, request, NULL));
	return json_incref(json_object_get(o->data, "options"));
}

/* Sends a credential, as the member `credential` if wrapped. Takes the reference to it. */
struct outcome *
post(struct harness *h, const struct browser *b, const char *path, json_t *credential, bool wrapped)
{
	json_t *body = wrapped ? json_pack("{s:o}", "credential", credential) : credential;
	char request[100], *text = json_dumps(body, 0);
	struct outcome *o;

	snprintf(request, sizeof(request), "POST %s", path);
	o = browser_send(h, b != NULL ? b->cookie : NULL, request, text);
	free(text);
	json_decref(body);
	return o;
}

struct outcome *
enrol(struct harness *h, const struct browser *b, struct authenticator *a)
{
	json_t *o = options(h, b, "/auth/passkey/register/options");
	json_t *credential = authenticator_create_json(a, o);

	json_decref(o);
	return post(h, b, "/auth/passkey/register/verify", credential, true);
}

json_t *
assertion(struct harness *h, struct authenticator *a)
{
	json_t *o = options(h, NULL, "/auth/passkey/options");
	json_t *credential = authenticator_get_json(a, o);

	json_decref(o);
	return credential;
}

struct outcome *
verify(struct harness *h, json_t *credential)
{
	return post(h, NULL, "/auth/passkey/verify", credential, false);
}

struct outcome *
sign_in(struct harness *h, struct authenticator *a)
{
	next_minute(h);
	return verify(h, assertion(h, a));
}

void
assert_refused(struct outcome *o)
{
	assert_code(o, "UNAUTHORIZED");
	assert_int_equal(o->http, 401);
	assert_string_equal(o->message, REFUSED);
	assert_null(o->details);
	assert_string_equal(o->set_cookie, "");
}

int
setup(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));
	struct outcome *o;

	s->h = harness_open(NULL);
	next_minute(s->h);
	s->ann = browser_make(s->h, ANN, "author");
	authenticator_open(&s->a, -7, "localhost", ORIGIN);
	harness_ok(o, enrol(s->h, &s->ann, &s->a));
	snprintf(s->id, sizeof(s->id), "%s", harness_text(o->data, "passkey.id"));
	*state = s;
	return 0;
}

int
teardown(void **state)
{
	struct scene *s = *state;

	authenticator_close(&s->a);
	harness_close(s->h, false);
	free(s);
	return 0;
}
