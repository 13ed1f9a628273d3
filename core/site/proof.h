/*
 * proof.h - tests whether an address leads to this very site, for `stet doctor`. The command
 * creates DATA/tmp/proof-<32 random digits> and requests GET /auth/site/<the digits> below
 * base-url. A site that has the file answers 200, all others answer 404. Then the file is removed.
 *
 * A number or a signing key in the database would prove nothing: a copy of the site and a restored
 * backup have the same database, and these are the sites to tell apart. The response repeats the
 * host, the client and X-Forwarded-For as the daemon saw them, so that the command can report
 * proxies that hide them. Only a process that can write to the data directory gets a 200, so others
 * learn nothing.
 */
#ifndef CORE_PROOF_H
#define CORE_PROOF_H

#include <stdbool.h>

#define PROOF_TOKEN_SIZE 33 /* 32 hexadecimal digits */

/* Creates a proof in a site's data directory. Returns false with *why, to be freed. */
bool proof_begin(const char *data, char token[PROOF_TOKEN_SIZE], char **why);
void proof_end(const char *data, const char *token);

#endif
