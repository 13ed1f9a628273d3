/*
 * seal.h - encryption of a stream in blocks (XChaCha20-Poly1305, libsodium's secretstream) under
 * a passphrase (Argon2id) or for the holder of a secret key (sealed box). Changed, missing,
 * moved or added blocks are detected. It does no input or output.
 */
#ifndef CORE_SEAL_H
#define CORE_SEAL_H

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>

#define SEAL_HEAD 128 /* bytes before the first block */
#define SEAL_BLOCK 65536 /* bytes of plain text in a block; only the last block may be shorter */
#define SEAL_MORE crypto_secretstream_xchacha20poly1305_ABYTES /* bytes by which a block grows */
#define SEAL_KEY_TEXT 64 /* room for a key as text */

/* A key to encrypt or decrypt with; wiped by seal_key_wipe. */
struct seal_key {
	enum { SEAL_NONE, SEAL_PASSPHRASE, SEAL_PUBLIC, SEAL_SECRET } kind;
	char passphrase[1024];
	unsigned char key[crypto_box_PUBLICKEYBYTES];
};
void seal_key_wipe(struct seal_key *);
/* Makes a new key pair, as two texts without line breaks. */
void seal_pair(char public_text[SEAL_KEY_TEXT], char secret_text[SEAL_KEY_TEXT]);
/* Reads a key from its text. Returns false if it is not one. */
bool seal_key_parse(struct seal_key *, const char *text, bool secret);

struct seal {
	crypto_secretstream_xchacha20poly1305_state state;
	unsigned char head[SEAL_HEAD]; /* the head, which the first block authenticates */
	bool begun, ended;
};
/* Makes the head. Returns false if there is no memory for Argon2id. */
bool seal_begin(struct seal *, const struct seal_key *);
/* Encrypts a block. out has room for len + SEAL_MORE bytes. */
void seal_block(struct seal *, const void *in, size_t len, bool last, unsigned char *out);

/* Tells from its first bytes how a stream is encrypted; SEAL_NONE: it is not. */
int seal_kind(const unsigned char *head, size_t len);
/* Returns NULL, or why the stream cannot be decrypted with this key. */
const char *seal_open(struct seal *, const unsigned char head[SEAL_HEAD], const struct seal_key *);
/* Decrypts a block. out has room for len - SEAL_MORE bytes. Returns false if the block was
 * changed, or the key is another. */
bool seal_unblock(
    struct seal *, const unsigned char *in, size_t len, unsigned char *out, bool *last);

#endif
