/* seal.c - encrypted streams: their heads, keys and blocks. */
#include "archive/seal.h"
#include <stdint.h>
#include <string.h>

/*
 * The head: 16 bytes of magic, what opens it, 7 zeros; then salt, operations and KiB of Argon2id,
 * or the key of the stream in a sealed box; at 104 the head of the secretstream.
 */
#define AT_KIND 16
#define AT_SALT 24
#define AT_OPS 40
#define AT_MEMORY 44
#define AT_BOX 24
#define AT_STREAM (SEAL_HEAD - (int)crypto_secretstream_xchacha20poly1305_HEADERBYTES)
#define KEY_BYTES crypto_secretstream_xchacha20poly1305_KEYBYTES
#define OPS_MAX 16 /* most work that the head of a hostile file may demand */
#define MEMORY_MAX (1024 * 1024) /* KiB */

static const unsigned char magic[AT_KIND] = "stet sealed 1\n";
static const char public_prefix[] = "stet-public-", secret_prefix[] = "stet-secret-";

/* ---- keys ---- */

void
seal_key_wipe(struct seal_key *k)
{
	sodium_memzero(k, sizeof(*k));
}

static void
key_text(const char *prefix, const unsigned char *key, char out[SEAL_KEY_TEXT])
{
	size_t len = strlen(prefix);

	memcpy(out, prefix, len);
	sodium_bin2base64(out + len, SEAL_KEY_TEXT - len, key, crypto_box_PUBLICKEYBYTES,
	    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

void
seal_pair(char public_text[SEAL_KEY_TEXT], char secret_text[SEAL_KEY_TEXT])
{
	unsigned char public[crypto_box_PUBLICKEYBYTES], secret[crypto_box_SECRETKEYBYTES];

	crypto_box_keypair(public, secret);
	key_text(public_prefix, public, public_text);
	key_text(secret_prefix, secret, secret_text);
	sodium_memzero(secret, sizeof(secret));
}

bool
seal_key_parse(struct seal_key *k, const char *text, bool secret)
{
	const char *prefix = secret ? secret_prefix : public_prefix, *end;
	size_t len = strcspn(text, "\r\n"), head = strlen(prefix), got;

	if (len < head || memcmp(text, prefix, head) != 0 ||
	    sodium_base642bin(k->key, sizeof(k->key), text + head, len - head, NULL, &got, &end,
		sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    got != sizeof(k->key) || end != text + len)
		return false;
	k->kind = secret ? SEAL_SECRET : SEAL_PUBLIC;
	return true;
}

/* ---- the head ---- */

static void
put32(unsigned char *at, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(n >> (8 * i));
}

static uint32_t
get32(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool
stretch(const unsigned char *head, const char *passphrase, unsigned char key[KEY_BYTES])
{
	return crypto_pwhash(key, KEY_BYTES, passphrase, strlen(passphrase), head + AT_SALT,
		   get32(head + AT_OPS), (size_t)get32(head + AT_MEMORY) * 1024,
		   crypto_pwhash_ALG_ARGON2ID13) == 0;
}

bool
seal_begin(struct seal *s, const struct seal_key *k)
{
	unsigned char key[KEY_BYTES];
	bool good;

	memset(s, 0, sizeof(*s));
	memcpy(s->head, magic, sizeof(magic));
	s->head[AT_KIND] = k->kind == SEAL_PASSPHRASE ? 'p' : 'k';
	if (k->kind == SEAL_PASSPHRASE) {
		randombytes_buf(s->head + AT_SALT, crypto_pwhash_SALTBYTES);
		put32(s->head + AT_OPS, crypto_pwhash_OPSLIMIT_MODERATE);
		put32(s->head + AT_MEMORY, crypto_pwhash_MEMLIMIT_MODERATE / 1024);
		good = stretch(s->head, k->passphrase, key);
	} else {
		crypto_secretstream_xchacha20poly1305_keygen(key);
		good = crypto_box_seal(s->head + AT_BOX, key, KEY_BYTES, k->key) == 0;
	}
	if (good)
		good = crypto_secretstream_xchacha20poly1305_init_push(
			   &s->state, s->head + AT_STREAM, key) == 0;
	sodium_memzero(key, sizeof(key));
	return good;
}

int
seal_kind(const unsigned char *head, size_t len)
{
	if (len < SEAL_HEAD || memcmp(head, magic, sizeof(magic)) != 0)
		return SEAL_NONE;
	return head[AT_KIND] == 'p' ? SEAL_PASSPHRASE : SEAL_SECRET;
}

static const char *
open_passphrase(const unsigned char *head, const struct seal_key *k, unsigned char key[KEY_BYTES])
{
	if (k->kind != SEAL_PASSPHRASE)
		return "it is sealed with a passphrase";
	if (get32(head + AT_OPS) > OPS_MAX || get32(head + AT_MEMORY) > MEMORY_MAX)
		return "its head asks for more work than a passphrase is worth: it was not made by"
		       " stet";
	return stretch(head, k->passphrase, key) ? NULL : "there is no memory for its passphrase";
}

static const char *
open_box(const unsigned char *head, const struct seal_key *k, unsigned char key[KEY_BYTES])
{
	unsigned char public[crypto_box_PUBLICKEYBYTES];

	if (k->kind != SEAL_SECRET)
		return "it is sealed for the holder of a secret key";
	if (crypto_scalarmult_base(public, k->key) != 0 ||
	    crypto_box_seal_open(
		key, head + AT_BOX, KEY_BYTES + crypto_box_SEALBYTES, public, k->key) != 0)
		return "this secret key does not open it";
	return NULL;
}

const char *
seal_open(struct seal *s, const unsigned char head[SEAL_HEAD], const struct seal_key *k)
{
	unsigned char key[KEY_BYTES];
	const char *why = NULL;

	memset(s, 0, sizeof(*s));
	memcpy(s->head, head, SEAL_HEAD);
	switch (head[AT_KIND]) {
	case 'p':
		why = open_passphrase(head, k, key);
		break;
	case 'k':
		why = open_box(head, k, key);
		break;
	default:
		why = "it is sealed in a way that this program does not know";
	}
	if (why == NULL && crypto_secretstream_xchacha20poly1305_init_pull(
			       &s->state, s->head + AT_STREAM, key) != 0)
		why = "its head is damaged";
	sodium_memzero(key, sizeof(key));
	return why;
}

/* ---- blocks ---- */

void
seal_block(struct seal *s, const void *in, size_t len, bool last, unsigned char *out)
{
	(void)crypto_secretstream_xchacha20poly1305_push(&s->state, out, NULL, in, len,
	    s->begun ? NULL : s->head, s->begun ? 0 : SEAL_HEAD,
	    last ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : 0);
	s->begun = true;
	s->ended = last;
}

bool
seal_unblock(struct seal *s, const unsigned char *in, size_t len, unsigned char *out, bool *last)
{
	unsigned char tag;

	if (s->ended || len < SEAL_MORE ||
	    crypto_secretstream_xchacha20poly1305_pull(&s->state, out, NULL, &tag, in, len,
		s->begun ? NULL : s->head, s->begun ? 0 : SEAL_HEAD) != 0)
		return false;
	s->begun = true;
	s->ended = *last = tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL;
	return true;
}
