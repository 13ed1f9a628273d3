/* secret.h - passphrases and keys that the command line names; what is wrong is said on standard
 * error. */
#ifndef CORE_SECRET_H
#define CORE_SECRET_H

#include "archive/seal.h"
#include "work/sitekey.h"

/* The first line of a file. */
bool secret_passphrase(struct seal_key *, const char *path);
/* From the terminal, not shown; twice when it is a new one. */
bool secret_ask(struct seal_key *, bool new_one);
/* A secret key from a file. */
bool secret_key(struct seal_key *, const char *path);
/* A public key: itself, or the file that it stands in. */
bool secret_public(struct seal_key *, const char *text_or_path);
/* Make a pair: the secret key into a new file, the public one onto standard output. */
bool secret_pair(const char *path);

/* Make the key of a site, into a new file. */
bool secret_site_key(const char *path, struct sitekey *);

#endif
