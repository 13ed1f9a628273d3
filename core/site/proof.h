/*
 * proof.h - does an address lead to this very site? Who can write into its data directory leaves a
 * file of a random name there, and asks at the address whether the site has it. The answer tells
 * nobody else anything; see adr/0028.
 */
#ifndef CORE_PROOF_H
#define CORE_PROOF_H

#include <stdbool.h>

#define PROOF_TOKEN_SIZE 33 /* 32 hexadecimal digits */

/* Leave a proof in a site's data directory. false: *why, to be freed. */
bool proof_begin(const char *data, char token[PROOF_TOKEN_SIZE], char **why);
void proof_end(const char *data, const char *token);

#endif
