/*
 * vault.c - seals and opens values, and computes MACs, with keys derived from the site's key.
 *
 * A sealed value is base64url of: a byte with the version of this format (1), the id of the site's
 * key (8 bytes), a random nonce (24), the ciphertext, its tag (16). The associated data are the
 * first nine bytes and the names of table, column and row, so a value that is moved, or whose head
 * is changed, cannot be opened.
 *
 * During a rotation the file may hold two keys; the row of table site_key names the one that seals.
 * That row changes in the same transaction as all sealed values. So a process that has read the old
 * key notices when it seals, and all values are always sealed with one key.
 */
#include "secrets/vault.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/words.h"
#include "call/loaded.h"
#include "db/rows.h"
#include "db/writer.h"
#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define HEAD (1 + SITEKEY_ID)
#define NONCE crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
#define TAG crypto_aead_xchacha20poly1305_ietf_ABYTES
#define BINARY_MAX (HEAD + NONCE + STET_SEAL_MAX + TAG)
#define VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING
#define SUBKEY 32 /* bytes */
#define SEAL_CONTEXT "stetseal"
#define MAC_CONTEXT "stet-mac"

_Static_assert(SUBKEY == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "a derived key seals");
_Static_assert(STET_MAC_SIZE == crypto_generichash_BYTES, "a MAC is a keyed BLAKE2b");

/* The site's keys in this process. Never changed once published. Replaced ones are kept until the
 * site is freed, since calls may be reading them. */
struct vault {
	struct vault *older;
	struct sitekeys keys;
	const struct sitekey *current; /* NULL: see `why` */
	char *path, *why;
};

/* ---- values ---- */

/* The associated data: names are separated by NUL bytes, which they cannot contain. To be freed. */
static unsigned char *
associated(const unsigned char head[HEAD], const struct vault_place *at, size_t *len)
{
	struct buf b = { 0 };

	buf_add(&b, head, HEAD);
	buf_printf(&b, "%s%c%s%c%s", at->table, 0, at->column, 0, at->row);
	*len = b.len;
	return (unsigned char *)b.data;
}

char *
vault_close_value(
    const struct sitekey *key, const struct vault_place *at, const void *value, size_t len)
{
	size_t size = HEAD + NONCE + len + TAG, with_len, text_size;
	unsigned char *out = xmalloc(size), *with, subkey[SUBKEY];
	char *text;

	out[0] = VERSION;
	memcpy(out + 1, key->id, SITEKEY_ID);
	randombytes_buf(out + HEAD, NONCE);
	with = associated(out, at, &with_len);
	crypto_kdf_derive_from_key(subkey, sizeof(subkey), 1, SEAL_CONTEXT, key->secret);
	crypto_aead_xchacha20poly1305_ietf_encrypt(
	    out + HEAD + NONCE, NULL, value, len, with, with_len, NULL, out + HEAD, subkey);
	sodium_memzero(subkey, sizeof(subkey));
	text_size = sodium_base64_encoded_len(size, VARIANT);
	text = sodium_bin2base64(xmalloc(text_size), text_size, out, size, VARIANT);
	free(with);
	free(out);
	return text;
}

/* Decodes a sealed text, to be freed. NULL: it is malformed. */
static unsigned char *
binary_of(const char *sealed, size_t *len)
{
	size_t text = strlen(sealed);
	unsigned char *bytes;
	const char *end;

	if (text > sodium_base64_ENCODED_LEN(BINARY_MAX, VARIANT))
		return NULL;
	bytes = xmalloc(text + 1);
	if (sodium_base642bin(bytes, text + 1, sealed, text, NULL, len, &end, VARIANT) == 0 &&
	    end == sealed + text && *len >= HEAD + NONCE + TAG && bytes[0] == VERSION)
		return bytes;
	free(bytes);
	return NULL;
}

/* Decrypts with this key; freed with vault_drop. NULL: the key does not fit, or the value was
 * changed. */
static char *
decrypt(const struct sitekey *key, const struct vault_place *at, const unsigned char *bytes,
    size_t size, size_t *len)
{
	size_t with_len, room = size - HEAD - NONCE - TAG;
	unsigned char *with = associated(bytes, at, &with_len), subkey[SUBKEY];
	char *value = xmalloc(room + 1);

	crypto_kdf_derive_from_key(subkey, sizeof(subkey), 1, SEAL_CONTEXT, key->secret);
	if (crypto_aead_xchacha20poly1305_ietf_decrypt((unsigned char *)value, NULL, NULL,
		bytes + HEAD + NONCE, size - HEAD - NONCE, with, with_len, bytes + HEAD,
		subkey) != 0) {
		free(value);
		value = NULL;
	} else {
		value[room] = '\0';
		*len = room;
	}
	sodium_memzero(subkey, sizeof(subkey));
	free(with);
	return value;
}

char *
vault_open_value(const struct sitekeys *keys, const struct vault_place *at, const char *sealed,
    size_t *len, char **why)
{
	char id[SITEKEY_ID_TEXT], *value = NULL;
	const struct sitekey *key;
	size_t size;
	unsigned char *bytes = binary_of(sealed, &size);

	*why = NULL;
	if (bytes == NULL) {
		*why = words_format("%s.%s of row %s is no sealed value, or was cut or changed",
		    at->table, at->column, at->row);
		return NULL;
	}
	sodium_bin2hex(id, sizeof(id), bytes + 1, SITEKEY_ID);
	if ((key = sitekey_find(keys, id)) == NULL)
		*why = words_format("%s.%s of row %s is sealed with another key, %s", at->table,
		    at->column, at->row, id);
	else if ((value = decrypt(key, at, bytes, size, len)) == NULL)
		*why = words_format("%s.%s of row %s was changed, or belongs to another row",
		    at->table, at->column, at->row);
	free(bytes);
	return value;
}

void
vault_drop(char *value, size_t len)
{
	if (value != NULL)
		sodium_memzero(value, len);
	free(value);
}

/* ---- the table site_key ---- */

/* Returns the id of the key with which the values are sealed; "" if there is none yet. Owned by
 * the call. */
static enum stet_status
recorded(struct stet_call *call, const char **id)
{
	struct stet_rows rows;

	*id = "";
	STET_TRY(stet_query(call, &rows, "SELECT id FROM site_key", STET_NO_ARGS));
	if (stet_row(&rows))
		*id = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
vault_record(struct stet_call *call, struct stet_tx *tx, const struct sitekey *key)
{
	STET_TRY(stet_exec(call, tx, "DELETE FROM site_key", STET_NO_ARGS));
	return stet_exec(call, tx, "INSERT INTO site_key (id, since) VALUES (?1, ?2)",
	    STET_ARGS(key->id_text, stet_time_text(call, clock_now())));
}

/* Records the first key, unless another process has done so. */
static enum stet_status
record_first(struct stet_call *call, struct stet_tx *tx, void *key)
{
	const char *id;

	STET_TRY(recorded(call, &id));
	return *id == '\0' ? vault_record(call, tx, key) : STET_OK;
}

static enum stet_status
record_anew(struct stet_call *call, struct stet_tx *tx, void *key)
{
	return vault_record(call, tx, key);
}

/* Runs `write` (NULL: none), then returns the id in the database, to be freed. NULL: the database
 * cannot be read. */
static char *
ask_database(struct site *site,
    enum stet_status (*write)(struct stet_call *, struct stet_tx *, void *),
    const struct sitekey *key)
{
	struct stet_call *call = call_new();
	struct write_job job = { .call = call, .run = write, .arg = (void *)(uintptr_t)key };
	const char *id = NULL;
	char *said = NULL;
	bool good = true;

	call_enter(call, site);
	if (write != NULL)
		good = writer_run(site->writer, &job) == STET_OK;
	call_free(call);
	call = call_new();
	call_enter(call, site);
	if (good && recorded(call, &id) == STET_OK)
		said = xstrdup(id);
	rows_end_call(call);
	call_free(call);
	return said;
}

/* ---- the key of a site ---- */

/* Reads the key file; if the site never had a key, creates one. */
static void
read_file(struct vault *v, const struct conf_site *conf, bool may_make)
{
	enum sitekey_found found = sitekey_read(v->path, &v->keys, &v->why);
	bool there;

	if (found != SITEKEY_MISSING || !may_make)
		return;
	free(v->why);
	v->keys.count = 1;
	sitekey_make(&v->keys.key[0]);
	if (sitekey_write(conf->data, conf->key_file, &v->keys, false, &there, &v->why))
		return;
	sitekey_wipe(&v->keys);
	if (there)
		(void)sitekey_read(v->path, &v->keys, &v->why);
}

/* Chooses among the file's keys the one that the database names. */
static void
choose(struct vault *v, struct site *site, char *said)
{
	if (v->why == NULL && said != NULL && *said == '\0' && !site->looking) {
		free(said);
		said = ask_database(site, record_first, &v->keys.key[0]);
	}
	if (v->why == NULL && said == NULL)
		v->why = xstrdup("the database does not say with which key it is sealed");
	else if (v->why == NULL && (v->current = sitekey_find(&v->keys, said)) == NULL)
		v->why = words_format("%s holds another key than %s, with which the site's secrets"
				      " are sealed",
		    v->path, said);
	free(said);
}

static void
replace(struct site *site, struct vault *v)
{
	v->older = atomic_load(&site->vault);
	atomic_store(&site->vault, v);
}

static void
settle(struct site *site, bool broken)
{
	struct vault *v = xcalloc(1, sizeof(*v));
	struct conf_site conf = site_conf(site);
	char *said = broken ? NULL : ask_database(site, NULL, NULL);

	v->path = sitekey_path(conf.data, conf.key_file);
	read_file(v, &conf, said != NULL && *said == '\0' && !site->looking);
	choose(v, site, said);
	if (v->why != NULL)
		log_line(STET_ERROR,
		    "site %s: its secrets can be neither sealed nor opened: %s. \"stet doctor\""
		    " tells more",
		    site_name(site), v->why);
	replace(site, v);
}

void
vault_settle(struct site *site, bool broken)
{
	const struct vault *v = atomic_load(&site->vault);
	struct conf_site conf = site_conf(site);
	bool done = false;
	char *path;

	if (v != NULL && v->current != NULL) {
		path = sitekey_path(conf.data, conf.key_file);
		done = strcmp(path, v->path) == 0;
		free(path);
	}
	if (!done)
		settle(site, broken);
}

char *
vault_problem(struct site *site)
{
	const struct vault *v = atomic_load(&site->vault);

	if (v == NULL)
		return xstrdup("its key was not read");
	return v->current != NULL ? NULL : xstrdup(v->why);
}

bool
vault_adopt(struct site *site, char **why)
{
	struct vault *v = xcalloc(1, sizeof(*v));
	struct conf_site conf = site_conf(site);

	v->path = sitekey_path(conf.data, conf.key_file);
	read_file(v, &conf, true);
	if (v->why == NULL)
		choose(v, site, ask_database(site, record_anew, &v->keys.key[0]));
	*why = v->why != NULL ? xstrdup(v->why) : NULL;
	replace(site, v);
	return *why == NULL;
}

void
vault_free(struct site *site)
{
	struct vault *v = atomic_load(&site->vault), *older;

	for (; v != NULL; v = older) {
		older = v->older;
		sitekey_wipe(&v->keys);
		free(v->path);
		free(v->why);
		free(v);
	}
	atomic_store(&site->vault, NULL);
}

/* ---- functions of the SDK ---- */

static enum stet_status
key_of(struct stet_call *call, const struct vault **out)
{
	const struct vault *v = atomic_load(&call->site->vault);

	*out = v;
	if (v != NULL && v->current != NULL)
		return STET_OK;
	/* The reason names paths, which clients must not see. */
	stet_log(call, STET_ERROR, "nothing can be sealed or opened: %s",
	    v != NULL ? v->why : "the site's key was not read");
	return stet_fail(call, STET_KEY_UNAVAILABLE, NULL,
	    "The key of the site is missing: its operator finds in the log why");
}

enum stet_status
stet_seal_at(struct stet_call *call, struct stet_tx *tx, const char *table, const char *column,
    const char *row, const void *value, size_t len, const char **sealed)
{
	struct vault_place at = { table, column, row };
	const struct vault *v;
	const char *id;
	char *text;

	stet_assert(tx != NULL && call->writing);
	if (len > STET_SEAL_MAX)
		return stet_fault(call, "%zu bytes are too many to be sealed", len);
	STET_TRY(key_of(call, &v));
	STET_TRY(recorded(call, &id));
	if (strcmp(id, v->current->id_text) != 0)
		return stet_fail(call, STET_KEY_UNAVAILABLE, NULL,
		    "the key of the site was changed since this process read it: start it again");
	text = vault_close_value(v->current, &at, value, len);
	*sealed = stet_strdup(call, text);
	free(text);
	return STET_OK;
}

/* A value in the call's memory, which is wiped when the call ends. */
struct opened {
	char *value;
	size_t len;
};

static void
drop_opened(void *arg)
{
	struct opened *o = arg;

	vault_drop(o->value, o->len);
}

enum stet_status
stet_unseal_at(struct stet_call *call, const char *table, const char *column, const char *row,
    const char *sealed, const char **value, size_t *len)
{
	struct vault_place at = { table, column, row };
	struct opened *o = stet_alloc(call, sizeof(*o));
	const struct vault *v;
	char *why;

	STET_TRY(key_of(call, &v));
	o->value = vault_open_value(&v->keys, &at, sealed, &o->len, &why);
	if (o->value == NULL) {
		enum stet_status status = stet_fail(call, STET_SEAL_BROKEN, NULL, "%s", why);

		free(why);
		return status;
	}
	stet_defer(call, drop_opened, o);
	*value = o->value;
	if (len != NULL)
		*len = o->len;
	return STET_OK;
}

enum stet_status
stet_mac(struct stet_call *call, const char *purpose, const void *data, size_t len,
    unsigned char mac[STET_MAC_SIZE])
{
	const char *module = call->owner != NULL ? call->owner->m.name : "core";
	unsigned char subkey[SUBKEY];
	crypto_generichash_state state;
	const struct vault *v;

	STET_TRY(key_of(call, &v));
	crypto_kdf_derive_from_key(subkey, sizeof(subkey), 1, MAC_CONTEXT, v->current->secret);
	crypto_generichash_init(&state, subkey, sizeof(subkey), STET_MAC_SIZE);
	/* Hash the NUL of each name too, so that "a" and "bc" differ from "ab" and "c". */
	crypto_generichash_update(&state, (const unsigned char *)module, strlen(module) + 1);
	crypto_generichash_update(&state, (const unsigned char *)purpose, strlen(purpose) + 1);
	crypto_generichash_update(&state, data, len);
	crypto_generichash_final(&state, mac, STET_MAC_SIZE);
	sodium_memzero(&state, sizeof(state));
	sodium_memzero(subkey, sizeof(subkey));
	return STET_OK;
}
