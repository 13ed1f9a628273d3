/*
 * sitekey.h - the file with the key of a site: a line of text for each key it holds. There is one,
 * except while `stet key rotate` is at work or was killed: then there are the old and the new one,
 * and the database says which of them its values are sealed with (vault.c).
 */
#ifndef CORE_SITEKEY_H
#define CORE_SITEKEY_H

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>

#define SITEKEY_BYTES crypto_kdf_KEYBYTES
#define SITEKEY_ID 8 /* bytes */
#define SITEKEY_ID_TEXT (2 * SITEKEY_ID + 1)
#define SITEKEY_TEXT 64 /* room for a key as text */
#define SITEKEY_MOST 2

struct sitekey {
	unsigned char secret[SITEKEY_BYTES];
	unsigned char id[SITEKEY_ID]; /* derived: tells keys apart, and nothing about them */
	char id_text[SITEKEY_ID_TEXT]; /* the same in hexadecimal */
};
/* What a file holds; wiped by sitekey_wipe. */
struct sitekeys {
	struct sitekey key[SITEKEY_MOST];
	size_t count;
};
void sitekey_wipe(struct sitekeys *);
/* A new key of random bytes. */
void sitekey_make(struct sitekey *);
/* The key with this id, or NULL. */
const struct sitekey *sitekey_find(const struct sitekeys *, const char *id_text);

/* Where the key is: the configured file, or DATA/key, which is ours to write; to be freed. */
char *sitekey_path(const char *data, const char *key_file);

enum sitekey_found { SITEKEY_THERE, SITEKEY_MISSING, SITEKEY_BAD };
/* Read a file. Unless it is there and good, *why says what is wrong, to be freed. */
enum sitekey_found sitekey_read(const char *path, struct sitekeys *, char **why);
/* The same from text, without its end of line; and the text of one. */
bool sitekey_parse(struct sitekey *, const char *text, size_t len);
void sitekey_text(const struct sitekey *, char out[SITEKEY_TEXT]);
/* Write DATA/key for its owner alone: whole or not at all, and durable when it returns true. Given
 * to the owner of the directory. An existing one is replaced with `replace` only: otherwise it
 * returns false and *there. Any other failure: *why, to be freed. `there` may be NULL. */
bool sitekey_write(
    const char *data, const struct sitekeys *, bool replace, bool *there, char **why);

#endif
