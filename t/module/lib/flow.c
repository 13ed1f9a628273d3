/* flow.c - a client, a user who agrees, codes and tokens, for tests of OAuth. */
#include "flow.h"
#include <stdio.h>
#include <stdlib.h>

void
flow_client(struct harness *h, const char *kind, const char *id, const char *redirect_uris,
    const char *scopes)
{
	char *sql;

	assert_true(asprintf(&sql,
			"INSERT INTO oauth_clients (id, kind, name, redirect_uris, scopes,"
			" created_at, updated_at) VALUES (?1, '%s', 'A <b>Client</b>', '%s',"
			" %s%s%s, '2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z')",
			kind, redirect_uris, scopes != NULL ? "'" : "",
			scopes != NULL ? scopes : "NULL", scopes != NULL ? "'" : "") > 0);
	person_sql(h, sql, id);
	free(sql);
}

int
flow_begin(void **state)
{
	int failed = person_begin(state);

	assert_ok(harness_send(
	    *state, admin, "POST /schema/collections", "{\"slug\":\"posts\",\"label\":\"Posts\"}"));
	flow_client(*state, "static", CLIENT, "[\"" BACK "\"]", NULL);
	return failed;
}

static struct outcome *
send(struct harness *h, const struct browser *b, const char *request, const char *body)
{
	char headers[512];

	snprintf(headers, sizeof(headers), "Content-Type: application/x-www-form-urlencoded%s%s",
	    b != NULL ? "\r\nCookie: " : "", b != NULL ? b->cookie : "");
	return harness_request(h, nobody, request, headers, body);
}

struct outcome *
flow_show(struct harness *h, const struct browser *b, const char *query)
{
	struct outcome *o;
	char *request;

	assert_true(asprintf(&request, "GET //_cms/oauth/authorize?%s", query) > 0);
	o = send(h, b, request, NULL);
	free(request);
	return o;
}

void
flow_form_token(struct harness *h, const struct browser *b, const char *query, char token[64])
{
	struct outcome *o = flow_show(h, b, query);
	const char *at = strstr(o->text, "name=\"token\" value=\"");

	if (at == NULL)
		fail_msg("no form: %d %s %s", o->http, o->location, o->text);
	snprintf(token, 64, "%.43s", at + 20);
}

struct outcome *
flow_post(struct harness *h, const struct browser *b, const char *path, const char *form)
{
	struct outcome *o;
	char *request;

	assert_true(asprintf(&request, "POST /%s", path) > 0);
	o = send(h, b, request, form);
	free(request);
	return o;
}

struct outcome *
flow_decide(struct harness *h, const struct browser *b, const char *query, const char *fields)
{
	struct outcome *o;
	char token[64], *path, *form;

	flow_form_token(h, b, query, token);
	assert_true(asprintf(&path, "/_cms/oauth/authorize?%s", query) > 0);
	assert_true(asprintf(&form, "token=%s&%s", token, fields) > 0);
	o = flow_post(h, b, path, form);
	free(path);
	free(form);
	return o;
}

void
flow_code(struct harness *h, const struct browser *b, const char *query, char code[64])
{
	struct outcome *o =
	    flow_decide(h, b, query, "action=approve&grant=content%3Aread&grant=content%3Awrite");
	const char *at = strstr(o->location, "code=");

	if (at == NULL)
		fail_msg("no code: %d %s %s", o->http, o->location, o->text);
	assert_int_equal(o->http, 303);
	snprintf(code, 64, "%.43s", at + 5);
}

struct outcome *
flow_token(struct harness *h, const char *fmt, ...)
{
	struct outcome *o;
	va_list args;
	char *form;

	va_start(args, fmt);
	assert_true(vasprintf(&form, fmt, args) > 0);
	va_end(args);
	o = flow_post(h, NULL, "/_cms/api/oauth/token", form);
	free(form);
	return o;
}

struct outcome *
flow_exchange(struct harness *h, const char *code)
{
	return flow_token(h,
	    "grant_type=authorization_code&code=%s&client_id=" CLIENT "&redirect_uri=" BACK
	    "&code_verifier=" VERIFIER,
	    code);
}

struct outcome *
flow_refresh(struct harness *h, const char *refresh)
{
	return flow_token(
	    h, "grant_type=refresh_token&client_id=" CLIENT "&refresh_token=%s", refresh);
}

void
flow_take(struct outcome *o, struct tokens *t)
{
	if (o->http != 200)
		fail_msg("no tokens: %d %s", o->http, o->text);
	snprintf(t->access, sizeof(t->access), "%s", harness_text(o->body, "access_token"));
	snprintf(t->refresh, sizeof(t->refresh), "%s", harness_text(o->body, "refresh_token"));
}

void
flow_tokens(struct harness *h, const struct browser *b, const char *query, struct tokens *tokens)
{
	char code[64];

	flow_code(h, b, query, code);
	flow_take(flow_exchange(h, code), tokens);
}

void
flow_refused(struct outcome *o, const char *error)
{
	if (o->http != 400 || strcmp(harness_text(o->body, "error"), error) != 0)
		fail_msg("not %s: %d %s %s", error, o->http, o->location, o->text);
}

bool
flow_opens(struct harness *h, const char *access)
{
	struct outcome *o = person_ask(h, access, "GET /content/posts", NULL);

	if (o->http != 200)
		assert_int_equal(o->http, 401);
	return o->http == 200;
}
