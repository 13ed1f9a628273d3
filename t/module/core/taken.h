/* taken.h - for plans.c: the statements that ran, and what a first administrator sends. */
#ifndef T_TAKEN_H
#define T_TAKEN_H

#include "harness.h"

/* The statements since they were last taken, and how many ran ever. */
struct taken {
	char *text; /* to be freed */
	uint64_t count;
};
/* Those of the reader and of the writer. */
void take_both(struct harness *, struct taken *reader, struct taken *writer);

/* The body of POST /setup/admin/verify: a passkey, and what was asked for before; to be freed. */
char *founder_text(const char *challenge, const char *token);

#endif
