/* flow.h - tests of OAuth: a client, a user who agrees, codes and tokens. */
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
/* A request for authorization without scope, state and resource. */
#define ASK "response_type=code&client_id=" CLIENT "&redirect_uri=" BACK PKCE
#define ASK_BOTH ASK "&scope=content:read+content:write&state=s%261"
#define MCP_URL "http://localhost/_cms/api/mcp"

struct tokens {
	char access[64], refresh[64];
};

/* A site at noon of 2026-06-01 with the client, which may have every scope. */
int flow_begin(void **state);
/* Adds a client of this kind; redirect_uris is JSON, scopes NULL: any. */
void flow_client(struct harness *, const char *kind, const char *id, const char *redirect_uris,
    const char *scopes);
/* GET of the authorization endpoint. b NULL: not signed in. */
struct outcome *flow_show(struct harness *, const struct browser *, const char *query);
/* The token of the form on that page. */
void flow_form_token(struct harness *, const struct browser *, const char *query, char token[64]);
/* POST of a form with that token and these fields. */
struct outcome *flow_decide(
    struct harness *, const struct browser *, const char *query, const char *fields);
/* POST of a form's text as it is. */
struct outcome *flow_post(
    struct harness *, const struct browser *, const char *path, const char *form);
/* A code for every scope that the query asks for, of content:read and content:write. */
void flow_code(struct harness *, const struct browser *, const char *query, char code[64]);
/* POST of a form to the token endpoint, printf-like. */
struct outcome *flow_token(struct harness *, const char *fmt, ...) STET_FMT(2, 3);
struct outcome *flow_exchange(struct harness *, const char *code);
struct outcome *flow_refresh(struct harness *, const char *refresh);
/* Takes the tokens out of an answer, which must be one. */
void flow_take(struct outcome *, struct tokens *);
/* All of it. */
void flow_tokens(struct harness *, const struct browser *, const char *query, struct tokens *);
/* Fails unless the answer is 400 with this error of OAuth. */
void flow_refused(struct outcome *, const char *error);
/* Returns true if the token opens GET /content/posts. */
bool flow_opens(struct harness *, const char *access);

#endif
