/*
 * seal.h - encryption of a stream in blocks (XChaCha20-Poly1305, libsodium's secretstream) under a
 * passphrase (Argon2id) or for the holder of a secret key (sealed box). Changed, missing, moved or
 * added blocks are noticed. No input, no output: bytes in, bytes out.
 */
#ifndef CORE_SEAL_H
#define CORE_SEAL_H

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>

#define SEAL_HEAD 128 /* bytes before the first block */
#define SEAL_BLOCK 65536 /* of the text; every block but the last is of this size */
#define SEAL_MORE crypto_secretstream_xchacha20poly1305_ABYTES /* by which a block grows */
#define SEAL_KEY_TEXT 64 /* room for a key as text */

/* What opens or closes; wiped by seal_key_wipe. */
struct seal_key {
	enum { SEAL_NONE, SEAL_PASSPHRASE, SEAL_PUBLIC, SEAL_SECRET } kind;
	char passphrase[1024];
	unsigned char key[crypto_box_PUBLICKEYBYTES];
};
void seal_key_wipe(struct seal_key *);
/* A new pair as text, each on a line without its end. */
void seal_pair(char public_text[SEAL_KEY_TEXT], char secret_text[SEAL_KEY_TEXT]);
/* A key from its text; false: it is none of this kind. */
bool seal_key_parse(struct seal_key *, const char *text, bool secret);

struct seal {
	crypto_secretstream_xchacha20poly1305_state state;
	unsigned char head[SEAL_HEAD]; /* vouched for by the first block */
	bool begun, ended;
};
/* Make the head. false: there is no memory for Argon2id. */
bool seal_begin(struct seal *, const struct seal_key *);
/* out has room for len + SEAL_MORE. */
void seal_block(struct seal *, const void *in, size_t len, bool last, unsigned char *out);

/* Is this the beginning of a sealed stream, and what opens it? SEAL_NONE: it is not sealed. */
int seal_kind(const unsigned char *head, size_t len);
/* NULL, or why it cannot be opened with this. */
const char *seal_open(struct seal *, const unsigned char head[SEAL_HEAD], const struct seal_key *);
/* out has room for len - SEAL_MORE. false: it is not what was sealed, or another key opens it. */
bool seal_unblock(
    struct seal *, const unsigned char *in, size_t len, unsigned char *out, bool *last);

#endif
