/*
 * webauthn.c - verifies registrations and assertions. Cheap checks run first: sizes, client data,
 * authenticator data; the signature is last.
 */
#include "webauthn.h"
#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/es384.h>
#include <fido/rs256.h>
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

const char *
webauthn_verdict_name(enum webauthn_verdict verdict)
{
	static const char *const names[WEBAUTHN_VERDICTS] = {
		[WEBAUTHN_GOOD] = "good",
		[WEBAUTHN_TOO_LARGE] = "too large",
		[WEBAUTHN_BAD_CLIENT_DATA] = "malformed client data",
		[WEBAUTHN_WRONG_TYPE] = "wrong type",
		[WEBAUTHN_WRONG_CHALLENGE] = "wrong challenge",
		[WEBAUTHN_WRONG_ORIGIN] = "wrong origin",
		[WEBAUTHN_CROSS_ORIGIN] = "cross-origin",
		[WEBAUTHN_BAD_ATTESTATION] = "malformed attestation object",
		[WEBAUTHN_BAD_AUTH_DATA] = "malformed authenticator data",
		[WEBAUTHN_WRONG_RP_ID] = "wrong relying party",
		[WEBAUTHN_NOT_PRESENT] = "user not present",
		[WEBAUTHN_WRONG_BACKUP] = "inconsistent backup flags",
		[WEBAUTHN_WRONG_ID] = "wrong credential id",
		[WEBAUTHN_LONG_ID] = "credential id too long",
		[WEBAUTHN_WRONG_ALGORITHM] = "unsupported algorithm",
		[WEBAUTHN_BAD_KEY] = "malformed public key",
		[WEBAUTHN_WRONG_COUNTER] = "signature counter not increased",
		[WEBAUTHN_WRONG_SIGNATURE] = "wrong signature",
		[WEBAUTHN_FAULT] = "internal failure",
	};

	return verdict < WEBAUTHN_VERDICTS ? names[verdict] : "unknown";
}

/* ---- client data (5.8.1) ---- */

/* Parses the client data; the caller releases the object. NULL if it is not an object, has a member
 * twice, a string with NUL, or bytes after its end. */
static json_t *
load_client_data(struct webauthn_bytes b)
{
	json_t *json = json_loadb((const char *)b.at, b.len, JSON_REJECT_DUPLICATES, NULL);

	if (json_is_object(json))
		return json;
	json_decref(json);
	return NULL;
}

static bool
read_challenge(const json_t *client, unsigned char out[WEBAUTHN_CHALLENGE_MAX], size_t *len)
{
	const json_t *text = json_object_get(client, "challenge");
	const char *from = json_string_value(text), *end;
	size_t n = json_string_length(text);

	return from != NULL && n > 0 &&
	       sodium_base642bin(out, WEBAUTHN_CHALLENGE_MAX, from, n, NULL, len, &end,
		   sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
	       end == from + n;
}

enum webauthn_verdict
webauthn_challenge(
    struct webauthn_bytes b, unsigned char challenge[WEBAUTHN_CHALLENGE_MAX], size_t *len)
{
	json_t *client;
	bool good;

	if (b.len > WEBAUTHN_INPUT_MAX)
		return WEBAUTHN_TOO_LARGE;
	client = load_client_data(b);
	if (client == NULL)
		return WEBAUTHN_BAD_CLIENT_DATA;
	good = read_challenge(client, challenge, len);
	json_decref(client);
	return good ? WEBAUTHN_GOOD : WEBAUTHN_WRONG_CHALLENGE;
}

static bool
is_one_of(const char *text, const char *const *list)
{
	while (*list != NULL && strcmp(text, *list) != 0)
		list++;
	return *list != NULL;
}

static enum webauthn_verdict
judge_client(const struct webauthn_expect *expect, const json_t *client, const char *type)
{
	const char *is = json_string_value(json_object_get(client, "type"));
	const char *origin = json_string_value(json_object_get(client, "origin"));
	const json_t *cross = json_object_get(client, "crossOrigin");
	unsigned char challenge[WEBAUTHN_CHALLENGE_MAX];
	size_t len;

	if (is == NULL || strcmp(is, type) != 0)
		return WEBAUTHN_WRONG_TYPE;
	if (!read_challenge(client, challenge, &len) || len != expect->challenge.len ||
	    sodium_memcmp(challenge, expect->challenge.at, len) != 0)
		return WEBAUTHN_WRONG_CHALLENGE;
	if (origin == NULL || !is_one_of(origin, expect->origins))
		return WEBAUTHN_WRONG_ORIGIN;
	/* Our pages never ask for credentials in a frame of another site. */
	if ((cross != NULL && !json_is_false(cross)) ||
	    json_object_get(client, "topOrigin") != NULL)
		return WEBAUTHN_CROSS_ORIGIN;
	return WEBAUTHN_GOOD;
}

static enum webauthn_verdict
check_client(const struct webauthn_expect *expect, struct webauthn_bytes b, const char *type)
{
	enum webauthn_verdict verdict;
	json_t *client;

	if (b.len > WEBAUTHN_INPUT_MAX)
		return WEBAUTHN_TOO_LARGE;
	client = load_client_data(b);
	if (client == NULL)
		return WEBAUTHN_BAD_CLIENT_DATA;
	verdict = judge_client(expect, client, type);
	json_decref(client);
	return verdict;
}

/* ---- authenticator data ---- */

static enum webauthn_verdict
check_auth_data(const struct webauthn_expect *expect, const struct webauthn_auth_data *data)
{
	unsigned char hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, (const unsigned char *)expect->rp_id, strlen(expect->rp_id));
	if (sodium_memcmp(hash, data->rp_id_hash, sizeof(hash)) != 0)
		return WEBAUTHN_WRONG_RP_ID;
	if (!data->present)
		return WEBAUTHN_NOT_PRESENT;
	if (data->backed_up && !data->backup_eligible)
		return WEBAUTHN_WRONG_BACKUP;
	return WEBAUTHN_GOOD;
}

static bool
is_same(struct webauthn_bytes a, struct webauthn_bytes b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* ---- public keys ---- */

static bool
is_supported(int algorithm)
{
	static const int all[] = WEBAUTHN_ALGORITHMS;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] == algorithm)
			return true;
	return false;
}

/* A public key in the form of libfido2. */
struct key {
	int algorithm;
	union {
		es256_pk_t *es256;
		eddsa_pk_t *eddsa;
		es384_pk_t *es384;
		rs256_pk_t *rs256;
		const void *any;
	} pk;
};

static void
key_free(struct key *key)
{
	switch (key->algorithm) {
	case WEBAUTHN_ES256:
		es256_pk_free(&key->pk.es256);
		break;
	case WEBAUTHN_EDDSA:
		eddsa_pk_free(&key->pk.eddsa);
		break;
	case WEBAUTHN_ES384:
		es384_pk_free(&key->pk.es384);
		break;
	case WEBAUTHN_RS256:
		rs256_pk_free(&key->pk.rs256);
		break;
	}
}

static bool
key_new(struct key *key)
{
	switch (key->algorithm) {
	case WEBAUTHN_ES256:
		return (key->pk.es256 = es256_pk_new()) != NULL;
	case WEBAUTHN_EDDSA:
		return (key->pk.eddsa = eddsa_pk_new()) != NULL;
	case WEBAUTHN_ES384:
		return (key->pk.es384 = es384_pk_new()) != NULL;
	default:
		return (key->pk.rs256 = rs256_pk_new()) != NULL;
	}
}

static int
key_read(struct key *key, const unsigned char *at, size_t len)
{
	switch (key->algorithm) {
	case WEBAUTHN_ES256:
		return es256_pk_from_ptr(key->pk.es256, at, len);
	case WEBAUTHN_EDDSA:
		return eddsa_pk_from_ptr(key->pk.eddsa, at, len);
	case WEBAUTHN_ES384:
		return es384_pk_from_ptr(key->pk.es384, at, len);
	default:
		return rs256_pk_from_ptr(key->pk.rs256, at, len);
	}
}

/* Opens a stored key. Fails if its point is not on its curve. Call key_free in either case. */
static enum webauthn_verdict
key_open(const struct webauthn_credential *c, struct key *key)
{
	*key = (struct key){ .algorithm = c->algorithm };
	if (!is_supported(c->algorithm))
		return WEBAUTHN_WRONG_ALGORITHM;
	if (!key_new(key))
		return WEBAUTHN_FAULT;
	return key_read(key, c->key, c->key_len) == FIDO_OK ? WEBAUTHN_GOOD : WEBAUTHN_BAD_KEY;
}

/* Copies authenticator data up to the end of the key and clears the flag for extensions: libfido2
 * parses some extensions, which we do not need. From malloc. */
static unsigned char *
without_extensions(const struct webauthn_auth_data *data, size_t *len)
{
	enum { FLAGS = 32, FLAG_ED = 0x80 };
	unsigned char *copy;

	*len = (size_t)(data->key.at + data->key.len - data->whole.at);
	copy = malloc(*len);
	if (copy == NULL)
		return NULL;
	memcpy(copy, data->whole.at, *len);
	copy[FLAGS] &= (unsigned char)~FLAG_ED;
	return copy;
}

static enum webauthn_verdict
read_key(fido_cred_t *cred, const struct webauthn_auth_data *data, struct webauthn_credential *out)
{
	size_t len;
	unsigned char *copy = without_extensions(data, &len);
	int rc;

	if (copy == NULL)
		return WEBAUTHN_FAULT;
	rc = fido_cred_set_type(cred, out->algorithm);
	if (rc == FIDO_OK)
		rc = fido_cred_set_authdata_raw(cred, copy, len);
	free(copy);
	out->key_len = fido_cred_pubkey_len(cred);
	if (rc != FIDO_OK || fido_cred_pubkey_ptr(cred) == NULL || out->key_len > sizeof(out->key))
		return WEBAUTHN_BAD_KEY;
	memcpy(out->key, fido_cred_pubkey_ptr(cred), out->key_len);
	return WEBAUTHN_GOOD;
}

/* Converts the COSE key of a registration into that of the credential. */
static enum webauthn_verdict
take_key(const struct webauthn_auth_data *data, struct webauthn_credential *out)
{
	enum webauthn_verdict verdict;
	fido_cred_t *cred;
	struct key key;

	out->algorithm = webauthn_key_algorithm(data->key);
	if (!is_supported(out->algorithm))
		return WEBAUTHN_WRONG_ALGORITHM;
	fido_init(0); /* initialises libfido2 for this thread */
	cred = fido_cred_new();
	if (cred == NULL)
		return WEBAUTHN_FAULT;
	verdict = read_key(cred, data, out);
	fido_cred_free(&cred);
	if (verdict != WEBAUTHN_GOOD)
		return verdict;
	verdict = key_open(out, &key);
	key_free(&key);
	return verdict;
}

/* ---- the two ceremonies ---- */

static enum webauthn_verdict
judge_registration(const struct webauthn_expect *expect, struct webauthn_bytes id,
    struct webauthn_bytes auth_data, struct webauthn_credential *out)
{
	struct webauthn_auth_data data;
	enum webauthn_verdict verdict = webauthn_auth_data(auth_data, &data);

	if (verdict == WEBAUTHN_GOOD)
		verdict = check_auth_data(expect, &data);
	if (verdict != WEBAUTHN_GOOD)
		return verdict;
	if (!data.attested)
		return WEBAUTHN_BAD_AUTH_DATA;
	if (!is_same(id, data.id))
		return WEBAUTHN_WRONG_ID;
	*out = (struct webauthn_credential){ .id_len = data.id.len,
		.counter = data.counter,
		.backup_eligible = data.backup_eligible,
		.backed_up = data.backed_up,
		.verified = data.verified };
	memcpy(out->id, data.id.at, data.id.len);
	return take_key(&data, out);
}

enum webauthn_verdict
webauthn_register(const struct webauthn_expect *expect, const struct webauthn_registration *in,
    struct webauthn_credential *out)
{
	enum webauthn_verdict verdict = check_client(expect, in->client_data, "webauthn.create");
	unsigned char *auth_data = NULL;
	size_t len;

	if (verdict == WEBAUTHN_GOOD)
		verdict = webauthn_attestation(in->attestation, &auth_data, &len);
	if (verdict != WEBAUTHN_GOOD)
		return verdict;
	verdict =
	    judge_registration(expect, in->id, (struct webauthn_bytes){ auth_data, len }, out);
	free(auth_data);
	return verdict;
}

static bool
is_signed(fido_assert_t *assert, const struct webauthn_expect *expect,
    const struct webauthn_assertion *in, const struct key *key)
{
	return fido_assert_set_count(assert, 1) == FIDO_OK &&
	       fido_assert_set_rp(assert, expect->rp_id) == FIDO_OK &&
	       fido_assert_set_clientdata(assert, in->client_data.at, in->client_data.len) ==
		   FIDO_OK &&
	       fido_assert_set_authdata_raw(assert, 0, in->auth_data.at, in->auth_data.len) ==
		   FIDO_OK &&
	       fido_assert_set_sig(assert, 0, in->signature.at, in->signature.len) == FIDO_OK &&
	       fido_assert_verify(assert, 0, key->algorithm, key->pk.any) == FIDO_OK;
}

static enum webauthn_verdict
check_signature(const struct webauthn_expect *expect, const struct webauthn_assertion *in,
    const struct webauthn_credential *c)
{
	fido_assert_t *assert;
	struct key key;
	enum webauthn_verdict verdict = key_open(c, &key);

	if (verdict == WEBAUTHN_GOOD) {
		fido_init(0); /* initialises libfido2 for this thread */
		assert = fido_assert_new();
		if (assert == NULL)
			verdict = WEBAUTHN_FAULT;
		else if (!is_signed(assert, expect, in, &key))
			verdict = WEBAUTHN_WRONG_SIGNATURE;
		fido_assert_free(&assert);
	}
	key_free(&key);
	return verdict;
}

/* Returns true if the counter has increased, or if the authenticator has no counter and always
 * sends 0 (6.1.1). */
static bool
is_counter_good(uint32_t now, uint32_t before)
{
	return (now == 0 && before == 0) || now > before;
}

enum webauthn_verdict
webauthn_assert(const struct webauthn_expect *expect, const struct webauthn_assertion *in,
    struct webauthn_credential *c)
{
	enum webauthn_verdict verdict = check_client(expect, in->client_data, "webauthn.get");
	struct webauthn_auth_data data;

	if (verdict == WEBAUTHN_GOOD)
		verdict = in->signature.len > WEBAUTHN_INPUT_MAX
			      ? WEBAUTHN_TOO_LARGE
			      : webauthn_auth_data(in->auth_data, &data);
	if (verdict == WEBAUTHN_GOOD)
		verdict = check_auth_data(expect, &data);
	if (verdict != WEBAUTHN_GOOD)
		return verdict;
	if (data.attested) /* only registrations contain a credential */
		return WEBAUTHN_BAD_AUTH_DATA;
	if (!is_same(in->id, (struct webauthn_bytes){ c->id, c->id_len }))
		return WEBAUTHN_WRONG_ID;
	if (data.backup_eligible != c->backup_eligible)
		return WEBAUTHN_WRONG_BACKUP;
	verdict = check_signature(expect, in, c);
	if (verdict != WEBAUTHN_GOOD)
		return verdict;
	if (!is_counter_good(data.counter, c->counter))
		return WEBAUTHN_WRONG_COUNTER;
	c->counter = data.counter;
	c->backed_up = data.backed_up;
	c->verified = data.verified;
	return WEBAUTHN_GOOD;
}
