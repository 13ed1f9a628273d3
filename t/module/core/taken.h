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

/* The body of POST /setup/admin/verify: a passkey, and what was asked for before; to be freed. */
char *founder_text(const char *challenge, const char *token);

/* What was kept of answers, by letter. */
extern char taken_kept[26][256];
/* The text with those in place of $a; @create, @get and @founder: the answer of a passkey to the
 * challenge in $l. To be freed. */
char *taken_arguments(const struct harness_user *, const char *args);

#endif
