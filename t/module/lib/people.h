/* people.h - tests of auth: users and tokens made through commands, requests that carry them. */
#ifndef T_PEOPLE_H
#define T_PEOPLE_H

#include "harness.h"

struct person {
	char id[27], token_id[27], token[64];
};

/* Set-up and tear-down of a test: a site, at noon of 2026-06-01. */
int person_begin(void **state);
int person_end(void **state);
/* A user with a token of these scopes (JSON array text) that ends then (NULL: never). */
struct person person_make(
    struct harness *, const char *email, const char *role, const char *scopes, const char *expires);
/* A request with this Authorization header (NULL: none) and X-CMS-Request. */
struct outcome *person_send(
    struct harness *, const char *authorization, const char *request, const char *body);
/* The same with the token as a bearer. */
struct outcome *person_ask(
    struct harness *, const char *token, const char *request, const char *body);
/* Run a statement that changes data, behind the back of the modules. */
void person_sql(struct harness *, const char *sql, const char *arg);

#endif
