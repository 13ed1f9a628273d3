/* browser.c - users who sign in with links, and requests that carry their session cookies. */
#include "browser.h"
#include <stdio.h>

void
browser_user(struct harness *h, const char *email, const char *role, char id[27])
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "user_add",
			  "{\"email\":\"%s\",\"name\":\"Some One\",\"role\":\"%s\"}", email, role));
	snprintf(id, 27, "%s", harness_text(o->data, "id"));
}

void
browser_link(struct harness *h, const char *email, char token[64])
{
	struct outcome *o;
	const char *at;

	harness_ok(o, harness_op(h, admin, "user_recover", "{\"email\":\"%s\"}", email));
	at = strstr(harness_text(o->data, "url"), "/_cms/signin/link#");
	assert_non_null(at);
	snprintf(token, 64, "%s", strchr(at, '#') + 1);
}

void
browser_sign_in(struct harness *h, const char *email, struct browser *b)
{
	struct outcome *o;
	char token[64], body[100];

	browser_link(h, email, token);
	snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
	harness_ok(o, browser_send(h, NULL, "POST /auth/magic-link/verify", body));
	snprintf(b->user, sizeof(b->user), "%s", harness_text(o->data, "user.id"));
	snprintf(
	    b->cookie, sizeof(b->cookie), "%.*s", (int)strcspn(o->set_cookie, ";"), o->set_cookie);
	assert_true(strncmp(b->cookie, "stet=", 5) == 0);
}

struct browser
browser_make(struct harness *h, const char *email, const char *role)
{
	struct browser b;

	browser_user(h, email, role, b.user);
	browser_sign_in(h, email, &b);
	return b;
}

struct outcome *
browser_send(struct harness *h, const char *cookie, const char *request, const char *body)
{
	char headers[1024];

	snprintf(headers, sizeof(headers), "X-CMS-Request: 1%s%s",
	    cookie != NULL ? "\r\nCookie: " : "", cookie != NULL ? cookie : "");
	return harness_request(h, nobody, request, headers, body);
}

struct outcome *
browser_ask(struct harness *h, const struct browser *b, const char *request, const char *body)
{
	return browser_send(h, b->cookie, request, body);
}
