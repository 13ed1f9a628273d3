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

/* A request with this token, which is looked up first, between the two. */
void taken_with_token(struct harness *, const char *token, FILE *to);

/* The body of POST /setup/admin/verify: a passkey, and what was asked for before; to be freed. */
char *founder_text(const char *challenge, const char *token);

/* What was kept of answers, by letter. */
extern char taken_kept[26][256];
/* Keeps a text of the answer to this op: "a=path". */
void taken_keep(const struct outcome *, const char *op, const char *keep);
/* The text with those in place of $a; @create, @get and @founder: the answer of a passkey to the
 * challenge in $l. To be freed. */
char *taken_arguments(const struct harness_user *, const char *args);

#endif
