/*
 * answerkey.h - what may make two answers differ, as bytes that can be compared: the keys of the
 * cache of answers (answer.c).
 */
#ifndef CORE_OP_ANSWERKEY_H
#define CORE_OP_ANSWERKEY_H

#include "call/call.h"
#include <string.h>

struct answer_text {
	char *at;
	size_t len;
};

/* Makes the key (op_part.key): the op of a generation, the request, and what decides the caller's
 * rights: role and scopes, or that the caller is anonymous. */
void answerkey_make(struct stet_call *);
/* Everything that a handler can learn about the caller; never empty. */
struct answer_text answerkey_user(struct stet_call *);
/* Hashes the request alone, whoever the caller is. 0: it is of a kind that is not cached. */
uint64_t answerkey_request(struct stet_call *);

static inline size_t
answerkey_length(const char *s)
{
	return s != NULL ? strlen(s) : 0;
}

#endif
