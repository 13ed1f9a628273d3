/* consents.c - a site whose user grants access to a client of OAuth. */
#include "consents.h"
#include <stdio.h>
#include <stdlib.h>

#define AUTHORIZE                                                                      \
	"/_cms/oauth/authorize?response_type=code&client_id=client&redirect_uri=" BACK \
	"&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
#define FORM "Content-Type: application/x-www-form-urlencoded\r\n"

static void
sign_in(struct consents *c)
{
	char *url = COMMAND(c->d, "user", "recover", ANN), body[100];
	struct answer a;
	struct remote r;

	(void)snprintf(body, sizeof(body), "{\"token\":\"%s\"}", strchr(url, '#') + 1);
	free(url);
	remote_open(&r, c->d, NULL);
	remote_ask(&r, &a, "POST", body, "/auth/magic-link/verify");
	assert_int_equal(a.status, 200);
	(void)snprintf(c->cookie, sizeof(c->cookie), "%.*s",
	    (int)strcspn(answer_header(&a, "Set-Cookie"), ";"), answer_header(&a, "Set-Cookie"));
	answer_free(&a);
	remote_close(&r);
}

void
consents_start(struct consents *c)
{
	struct remote r;

	c->d = remote_new("trusted-proxies = { \"127.0.0.1\" }\n", "base-url = \"" HOUSE "\"\n");
	free(COMMAND(c->d, "user", "add", ANN, "--role", "admin"));
	c->token = COMMAND(c->d, "token", "add", ANN, "--name", "t", "--scope", "admin");
	c->token[strcspn(c->token, "\n")] = '\0';
	daemon_run(c->d, 0);
	sign_in(c);
	remote_open(&r, c->d, c->token);
	json_decref(remote_must(&r, 201, "POST",
	    "{\"id\":\"client\",\"name\":\"Client\",\"redirectUris\":[\"" BACK "\"]}",
	    "/admin/oauth-clients"));
	remote_close(&r);
}

void
consents_end(struct consents *c)
{
	free(c->token);
	c->token = NULL;
	daemon_stop(c->d);
}

void
consents_authorize(const struct consents *c, struct answer *a, const char *method,
    const char *query, const char *more, const char *body)
{
	struct client client;

	client_open(&client, c->d, false);
	client_say(&client,
	    "%s " AUTHORIZE "%s HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n%sContent-Length: "
	    "%zu\r\n\r\n%s",
	    method, query, c->cookie, more, strlen(body), body);
	client_answer(&client, a, false);
	client_close(&client);
}

void
consents_code(const struct consents *c, const char *query, const char *scope, char code[64])
{
	struct answer a;
	const char *at;
	char form[200];

	consents_authorize(c, &a, "GET", query, "", "");
	at = strstr(a.body, "name=\"token\" value=\"");
	assert_non_null(at);
	(void)snprintf(form, sizeof(form), "action=approve&grant=%s&token=%.43s", scope, at + 20);
	answer_free(&a);
	consents_authorize(c, &a, "POST", query, FORM, form);
	assert_int_equal(a.status, 303);
	at = strstr(answer_header(&a, "Location"), "code=");
	assert_non_null(at);
	(void)snprintf(code, 64, "%.43s", at + 5);
	answer_free(&a);
}

void
consents_exchange(const char *code, char body[400])
{
	(void)snprintf(body, 400,
	    "{\"grant_type\":\"authorization_code\",\"code\":\"%s\",\"client_id\":\"client\","
	    "\"redirect_uri\":\"" BACK "\",\"code_verifier\":\"" VERIFIER "\"}",
	    code);
}

void
consents_member(const char *said, const char *name, char out[64])
{
	char key[40];
	const char *at;

	(void)snprintf(key, sizeof(key), "\"%s\":\"", name);
	at = strstr(said, key);
	assert_non_null(at);
	at += strlen(key);
	(void)snprintf(out, 64, "%.*s", (int)strcspn(at, "\""), at);
}
