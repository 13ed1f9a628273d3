/* taken.h - for plans.c: the statements that ran, and what a first administrator sends. */
#ifndef T_TAKEN_H
#define T_TAKEN_H

#include "harness.h"
#include <stdio.h>

/* Forgets the statements that ran so far, and returns their number. */
uint64_t taken_begin(struct harness *);
/* Writes how many ran since `before`, and their plans, under the name of a call and a note (NULL:
 * none). */
void taken_end(struct harness *, uint64_t before, const char *op, const char *note, FILE *to);

/* Sends a request with this token, so that the lookup of the token is recorded. */
void taken_with_token(struct harness *, const char *token, FILE *to);

/* Returns the body of POST /setup/admin/verify with a new passkey; the caller frees it. */
char *founder_text(const char *challenge, const char *token);

/* Texts kept from responses, by letter. */
extern char taken_kept[26][256];
/* Keeps a text of the response to this op: "a=path". */
void taken_keep(const struct outcome *, const char *op, const char *keep);
/* Replaces $a and others by the kept texts. @create, @get and @founder become passkey responses to
 * the challenge in $l. The caller frees the result. */
char *taken_arguments(const struct harness_user *, const char *args);

#endif
