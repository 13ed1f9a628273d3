/*
 * vault.h - encryption of secrets that a module stores. A site has one key of 32 bytes, in a
 * file beside its database (DATA/key) or where the setting key-file says. The core derives two
 * kinds of keys from it: one seals values in the module's tables, one makes MACs. So neither the
 * database nor an unencrypted backup of it reveals a secret.
 */
#ifndef STET_VAULT_H
#define STET_VAULT_H

#include <stet/call.h>

#define STET_SEAL_MAX 65536 /* bytes of a value */
#define STET_MAC_SIZE 32 /* bytes */

/* A column with sealed values, for the table `sealed` of the module's descriptor: `stet key
 * rotate` re-encrypts its values, `stet doctor` checks that they can be decrypted. The column is
 * TEXT and may be NULL; `key` is the table's primary key, a single column. */
struct stet_sealed_column {
	const char *table, *column, *key;
	const char *renew; /* the command that enters a value anew: "stet webhook rotate ID"; NULL:
			      none */
	/* New fields go here, and nowhere else. */
};

/* Encrypts a value for one column of one row (XChaCha20-Poly1305 with a random nonce). `row` is
 * the primary key of the row as text. Call it in the write lane, in the transaction that stores
 * the result. *sealed is ASCII text of about 4/3 * len + 78 bytes, owned by the call. Fails with
 * KEY_UNAVAILABLE if the site has no key, or the key changed since the process read it. */
STET_MUST static inline enum stet_status stet_seal(struct stet_call *, struct stet_tx *,
    const struct stet_sealed_column *, const char *row, const void *value, size_t len,
    const char **sealed);
/* Decrypts what stet_seal returned for the same column and row. Works in any lane. *value is
 * owned by the call, which overwrites it when it ends; a NUL byte follows that *len does not
 * count; len may be NULL. Fails with SEAL_BROKEN if the value was changed, truncated, moved from
 * another place or sealed with another key, and with KEY_UNAVAILABLE if the site has no key. */
STET_MUST static inline enum stet_status stet_unseal(struct stet_call *,
    const struct stet_sealed_column *, const char *row, const char *sealed, const char **value,
    size_t *len);
/* Computes a keyed digest (BLAKE2b) that nobody can make without the site's key. `purpose`
 * separates uses: MACs of different modules and purposes are independent. The MAC of the same
 * data changes with `stet key rotate`. Compare MACs with sodium_memcmp or another constant-time
 * function. Fails with KEY_UNAVAILABLE if the site has no key. */
STET_API STET_MUST enum stet_status stet_mac(struct stet_call *, const char *purpose,
    const void *data, size_t len, unsigned char mac[STET_MAC_SIZE]);

/* ---- the host's side of the functions above, which reads no structure of the module ---- */
STET_API STET_MUST enum stet_status stet_seal_at(struct stet_call *, struct stet_tx *,
    const char *table, const char *column, const char *row, const void *value, size_t len,
    const char **sealed);
STET_API STET_MUST enum stet_status stet_unseal_at(struct stet_call *, const char *table,
    const char *column, const char *row, const char *sealed, const char **value, size_t *len);

static inline enum stet_status
stet_seal(struct stet_call *call, struct stet_tx *tx, const struct stet_sealed_column *c,
    const char *row, const void *value, size_t len, const char **sealed)
{
	return stet_seal_at(call, tx, c->table, c->column, row, value, len, sealed);
}

static inline enum stet_status
stet_unseal(struct stet_call *call, const struct stet_sealed_column *c, const char *row,
    const char *sealed, const char **value, size_t *len)
{
	return stet_unseal_at(call, c->table, c->column, row, sealed, value, len);
}

#endif
