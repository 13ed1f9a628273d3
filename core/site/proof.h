/*
 * proof.h - tests whether an address leads to this very site. A process that can write to the data
 * directory creates a file with a random name there and asks at the address whether the site has
 * it. The answer reveals nothing to anyone else; see adr/0028.
 */
#ifndef CORE_PROOF_H
#define CORE_PROOF_H

#include <stdbool.h>

#define PROOF_TOKEN_SIZE 33 /* 32 hexadecimal digits */

/* Creates a proof in a site's data directory. Returns false with *why, to be freed. */
bool proof_begin(const char *data, char token[PROOF_TOKEN_SIZE], char **why);
void proof_end(const char *data, const char *token);

#endif
