/*
 * sitekey.h - the key file of a site: one line of text for each key. It holds one key, except while
 * `stet key rotate` runs or after it was killed: then it holds the old and the new key, and the
 * database says with which of them its values are sealed (vault.c).
 */
#ifndef CORE_SITEKEY_H
#define CORE_SITEKEY_H

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>

#define SITEKEY_BYTES crypto_kdf_KEYBYTES
#define SITEKEY_ID 8 /* bytes */
#define SITEKEY_ID_TEXT (2 * SITEKEY_ID + 1)
#define SITEKEY_TEXT 64 /* size of a key as text, with room for the NUL */
#define SITEKEY_MOST 2

struct sitekey {
	unsigned char secret[SITEKEY_BYTES];
	unsigned char id[SITEKEY_ID]; /* derived from the secret; reveals nothing of it */
	char id_text[SITEKEY_ID_TEXT]; /* `id` in hexadecimal */
};
/* The contents of a key file; sitekey_wipe clears the secrets. */
struct sitekeys {
	struct sitekey key[SITEKEY_MOST];
	size_t count;
};
void sitekey_wipe(struct sitekeys *);
/* Makes a key of random bytes. */
void sitekey_make(struct sitekey *);
/* Returns the key with this id, or NULL. */
const struct sitekey *sitekey_find(const struct sitekeys *, const char *id_text);

/* Returns the path of the key file, to be freed: the configured one, or DATA/key. */
char *sitekey_path(const char *data, const char *key_file);

enum sitekey_found { SITEKEY_THERE, SITEKEY_MISSING, SITEKEY_BAD };
/* Reads a key file. Unless it returns SITEKEY_THERE, *why says what is wrong, to be freed. */
enum sitekey_found sitekey_read(const char *path, struct sitekeys *, char **why);
/* Reads a key from one line, without its line end; sitekey_text writes it. */
bool sitekey_parse(struct sitekey *, const char *text, size_t len);
void sitekey_text(const struct sitekey *, char out[SITEKEY_TEXT]);
/* Writes the key file (sitekey_path), readable for its owner only: the whole file or nothing, and
 * durable when it returns true. The file gets the owner of the data directory. An existing file is
 * replaced only with `replace`; otherwise it returns false with *there. On any other error *why is
 * set, to be freed. `there` may be NULL. */
bool sitekey_write(const char *data, const char *key_file, const struct sitekeys *, bool replace,
    bool *there, char **why);

#endif
