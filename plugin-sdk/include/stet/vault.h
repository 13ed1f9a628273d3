/*
 * vault.h - secrets at rest. A site has one key of 32 bytes, in a file beside its database
 * (DATA/key) or where the configuration says (key-file). The core derives other keys from it:
 * one seals values that a module stores in its tables, one makes MACs. So neither the database nor
 * a backup of it that is not encrypted tells a secret.
 */
#ifndef STET_VAULT_H
#define STET_VAULT_H

#include <stet/call.h>

#define STET_SEAL_MAX 65536 /* bytes of a value that is sealed */
#define STET_MAC_SIZE 32 /* bytes */

/*
 * A column of the module's with sealed values, for the table `sealed` of its descriptor: `stet key
 * rotate` seals them anew, `stet doctor` looks whether they can be opened. The column is TEXT and
 * may be NULL; `key` is the primary key of the table, a column of its own.
 */
struct stet_sealed_column {
	const char *table, *column, *key;
	/* New fields go here, and nowhere else. */
};

/*
 * Encrypt a value for one column of one row (XChaCha20-Poly1305, a random nonce). `row` is the
 * value of the row's primary key as text. In the write lane, in the transaction that stores the
 * result. *sealed is ASCII text, about 4/3 of `len` and 78 bytes long, and owned by the call. Fails
 * with KEY_UNAVAILABLE when the site has no key, or the key changed since the process read it.
 */
STET_MUST static inline enum stet_status stet_seal(struct stet_call *, struct stet_tx *,
    const struct stet_sealed_column *, const char *row, const void *value, size_t len,
    const char **sealed);
/*
 * Decrypt what stet_seal answered for this very column and row. *value is owned by the call, which
 * overwrites it when it ends; a NUL byte follows that *len does not count. len may be NULL. In any
 * lane. Fails with SEAL_BROKEN when the value was changed, cut, moved from another place, or sealed
 * with another key, and with KEY_UNAVAILABLE when the site has no key.
 */
STET_MUST static inline enum stet_status stet_unseal(struct stet_call *,
    const struct stet_sealed_column *, const char *row, const char *sealed, const char **value,
    size_t *len);
/*
 * A keyed digest (BLAKE2b) of `len` bytes: nobody can make it without the site's key. `purpose`
 * names what it is for; MACs of different modules and of different purposes have nothing in common.
 * It is another one after `stet key rotate`. Compare with sodium_memcmp or the like. Fails with
 * KEY_UNAVAILABLE when the site has no key.
 */
STET_API STET_MUST enum stet_status stet_mac(struct stet_call *, const char *purpose,
    const void *data, size_t len, unsigned char mac[STET_MAC_SIZE]);

/* What they are to the host, which reads no structure of the module's. */
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
