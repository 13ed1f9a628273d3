/* people.h - tests of auth: users and tokens that commands make, and requests with such tokens. */
#ifndef T_PEOPLE_H
#define T_PEOPLE_H

#include "harness.h"

struct person {
	char id[27], token_id[27], token[64];
};

/* Set-up and tear-down of a test: a site, at noon of 2026-06-01. */
int person_begin(void **state);
int person_end(void **state);
/* Makes a user with a token of these scopes (a JSON array) that expires then (NULL: never). */
struct person person_make(
    struct harness *, const char *email, const char *role, const char *scopes, const char *expires);
/* Sends a request with this Authorization header (NULL: none) and X-CMS-Request. */
struct outcome *person_send(
    struct harness *, const char *authorization, const char *request, const char *body);
/* Sends a request with the token as its bearer. */
struct outcome *person_ask(
    struct harness *, const char *token, const char *request, const char *body);
/* Runs a SQL statement that changes data, without the module's code. */
void person_sql(struct harness *, const char *sql, const char *arg);

#endif
