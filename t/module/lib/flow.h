/* flow.h - tests of OAuth: a client, a user who consents, codes and tokens. */
#ifndef T_FLOW_H
#define T_FLOW_H

#include "browser.h"
#include "people.h"

#define CLIENT "test-client"
#define BACK "https://client.example/back"
#define VERIFIER "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" /* RFC 7636, appendix B */
#define CHALLENGE "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
#define ISS "iss=http%3A%2F%2Flocalhost%2F_cms"
#define PKCE "&code_challenge=" CHALLENGE "&code_challenge_method=S256"
/* An authorization request without scope, state and resource. */
#define ASK "response_type=code&client_id=" CLIENT "&redirect_uri=" BACK PKCE
#define ASK_BOTH ASK "&scope=content:read+content:write&state=s%261"
#define MCP_URL "http://localhost/_cms/api/mcp"

struct tokens {
	char access[64], refresh[64];
};

/* Opens a site at noon of 2026-06-01 with the client, which may request every scope. */
int flow_begin(void **state);
/* Adds a client of this kind; redirect_uris is JSON. scopes NULL: any. */
void flow_client(struct harness *, const char *kind, const char *id, const char *redirect_uris,
    const char *scopes);
/* Requests the authorization endpoint by GET. b NULL: not signed in. */
struct outcome *flow_show(struct harness *, const struct browser *, const char *query);
/* Returns the CSRF token of the form on that page. */
void flow_form_token(struct harness *, const struct browser *, const char *query, char token[64]);
/* Posts the form with its token and these fields. */
struct outcome *flow_decide(
    struct harness *, const struct browser *, const char *query, const char *fields);
/* Posts a form whose text is `form`, unchanged. */
struct outcome *flow_post(
    struct harness *, const struct browser *, const char *path, const char *form);
/* Gets a code, by consenting to all of content:read and content:write that the query requests. */
void flow_code(struct harness *, const struct browser *, const char *query, char code[64]);
/* Posts a form, printf-like, to the token endpoint. */
struct outcome *flow_token(struct harness *, const char *fmt, ...) STET_FMT(2, 3);
struct outcome *flow_exchange(struct harness *, const char *code);
struct outcome *flow_refresh(struct harness *, const char *refresh);
/* Takes the tokens from a response, which must be a success. */
void flow_take(struct outcome *, struct tokens *);
/* Gets a code and exchanges it for tokens. */
void flow_tokens(struct harness *, const struct browser *, const char *query, struct tokens *);
/* Fails unless the response is 400 with this OAuth error. */
void flow_refused(struct outcome *, const char *error);
/* Returns true if the token opens GET /content/posts. */
bool flow_opens(struct harness *, const char *access);

#endif
