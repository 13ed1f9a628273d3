/*
 * secret.h - reads passphrases and keys given on the command line; errors are written to standard
 * error.
 */
#ifndef CORE_SECRET_H
#define CORE_SECRET_H

#include "archive/seal.h"
#include "secrets/sitekey.h"

/* Reads the first line of a file. */
bool secret_passphrase(struct seal_key *, const char *path);
/* Asks on the terminal without echo; twice for a new passphrase. */
bool secret_ask(struct seal_key *, bool new_one);
/* Reads a secret key from a file. */
bool secret_key(struct seal_key *, const char *path);
/* Reads a public key: the text itself, or the file with it. */
bool secret_public(struct seal_key *, const char *text_or_path);
/* Makes a key pair: writes the secret key to a new file and the public key to standard output. */
bool secret_pair(const char *path);

/* Creates the key of a site in a new file. */
bool secret_site_key(const char *path, struct sitekey *);

#endif
