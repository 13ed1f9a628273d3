/* authenticator.c - a software authenticator and its browser. */
#include "authenticator.h"
#include "base/log.h"
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define must(x) stet_assert(x)

/* ---- bytes and CBOR ---- */

struct out {
	unsigned char *at;
	size_t len, size;
};

static void
put(struct out *o, const void *bytes, size_t len)
{
	must(len <= o->size - o->len);
	memcpy(o->at + o->len, bytes, len);
	o->len += len;
}

static void
put_number(struct out *o, uint64_t n, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--)
		put(o, &(unsigned char){ (unsigned char)(n >> (8 * i)) }, 1);
}

enum { POSITIVE, NEGATIVE, BYTES, TEXT, ARRAY, MAP };

static void
head(struct out *o, int major, size_t n)
{
	if (n < 24) {
		put_number(o, (unsigned)major << 5 | n, 1);
	} else if (n < 256) {
		put_number(o, (unsigned)major << 5 | 24, 1);
		put_number(o, n, 1);
	} else {
		put_number(o, (unsigned)major << 5 | 25, 1);
		put_number(o, n, 2);
	}
}

static void
integer(struct out *o, int n)
{
	head(o, n < 0 ? NEGATIVE : POSITIVE, (size_t)(n < 0 ? -1 - n : n));
}

static void
bytes(struct out *o, const void *at, size_t len)
{
	head(o, BYTES, len);
	put(o, at, len);
}

static void
text(struct out *o, const char *s)
{
	head(o, TEXT, strlen(s));
	put(o, s, strlen(s));
}

/* ---- keys ---- */

void
authenticator_open(struct authenticator *a, int algorithm, const char *rp_id, const char *origin)
{
	memset(a, 0, sizeof(*a));
	a->algorithm = algorithm;
	a->key = algorithm == -7    ? EVP_EC_gen("P-256")
		 : algorithm == -35 ? EVP_EC_gen("P-384")
		 : algorithm == -8  ? EVP_PKEY_Q_keygen(NULL, NULL, "ED25519")
				    : EVP_RSA_gen(2048);
	must(a->key != NULL);
	a->id_len = 32;
	randombytes_buf(a->id, sizeof(a->id));
	a->rp_id = rp_id;
	a->origin = origin;
	a->flags = AUTH_UP | AUTH_UV;
	a->fmt = "none";
}

void
authenticator_close(struct authenticator *a)
{
	EVP_PKEY_free(a->key);
	a->key = NULL;
}

/* A big number of the key, in `len` bytes. */
static void
number(struct out *o, const struct authenticator *a, const char *name, int len)
{
	unsigned char value[512];
	BIGNUM *n = NULL;

	must(EVP_PKEY_get_bn_param(a->key, name, &n) == 1);
	must(BN_bn2binpad(n, value, len) == len);
	bytes(o, value, (size_t)len);
	BN_free(n);
}

/* The public key as COSE (RFC 9053). */
static void
put_key(struct out *o, const struct authenticator *a)
{
	const bool curve = a->algorithm == -7 || a->algorithm == -35;
	const int size = a->algorithm == -35 ? 48 : 32;
	unsigned char raw[32];
	size_t len = sizeof(raw);

	head(o, MAP, curve ? 5 : 4);
	integer(o, 1);
	integer(o, curve ? 2 : a->algorithm == -8 ? 1 : 3);
	integer(o, 3);
	integer(o, a->algorithm);
	integer(o, -1);
	if (a->algorithm == -257) {
		number(o, a, OSSL_PKEY_PARAM_RSA_N, 256);
		integer(o, -2);
		number(o, a, OSSL_PKEY_PARAM_RSA_E, 3);
		return;
	}
	integer(o, a->algorithm == -7 ? 1 : a->algorithm == -35 ? 2 : 6);
	integer(o, -2);
	if (a->algorithm == -8) {
		must(EVP_PKEY_get_raw_public_key(a->key, raw, &len) == 1);
		bytes(o, raw, len);
		return;
	}
	number(o, a, OSSL_PKEY_PARAM_EC_PUB_X, size);
	integer(o, -3);
	number(o, a, OSSL_PKEY_PARAM_EC_PUB_Y, size);
}

/* ---- responses ---- */

static void
put_client(struct authenticator *a, const char *type, const char *challenge,
    struct authenticator_response *r)
{
	int n = snprintf((char *)r->client, sizeof(r->client),
	    "{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\",\"crossOrigin\":false%s}",
	    a->type != NULL ? a->type : type, challenge, a->origin,
	    a->extra != NULL ? a->extra : "");

	must(n > 0 && (size_t)n < sizeof(r->client));
	r->client_len = (size_t)n;
}

static void
put_auth_data(struct out *o, const struct authenticator *a, bool attested)
{
	static const unsigned char aaguid[16];
	unsigned char hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, (const unsigned char *)a->rp_id, strlen(a->rp_id));
	put(o, hash, sizeof(hash));
	put_number(o, a->flags | (attested ? 0x40U : 0U), 1);
	put_number(o, a->counter, 4);
	if (attested) {
		put(o, aaguid, sizeof(aaguid));
		put_number(o, a->id_len, 2);
		put(o, a->id, a->id_len);
		put_key(o, a);
	}
	if ((a->flags & AUTH_ED) != 0) {
		head(o, MAP, 1);
		text(o, "credProtect");
		integer(o, 2);
	}
}

void
authenticator_create(
    struct authenticator *a, const char *challenge, struct authenticator_response *r)
{
	unsigned char data[4096];
	struct out auth = { data, 0, sizeof(data) }, o = { r->data, 0, sizeof(r->data) };

	memset(r, 0, sizeof(*r));
	put_client(a, "webauthn.create", challenge, r);
	put_auth_data(&auth, a, true);
	head(&o, MAP, 3);
	text(&o, "fmt");
	text(&o, a->fmt);
	text(&o, "attStmt");
	head(&o, MAP, 0);
	text(&o, "authData");
	bytes(&o, data, auth.len);
	r->data_len = o.len;
}

void
authenticator_sign(struct authenticator *a, struct authenticator_response *r)
{
	unsigned char message[sizeof(r->data) + crypto_hash_sha256_BYTES];
	const EVP_MD *digest = a->algorithm == -8    ? NULL
			       : a->algorithm == -35 ? EVP_sha384()
						     : EVP_sha256();
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	memcpy(message, r->data, r->data_len);
	crypto_hash_sha256(message + r->data_len, r->client, r->client_len);
	r->signature_len = sizeof(r->signature);
	must(EVP_DigestSignInit(ctx, NULL, digest, NULL, a->key) == 1);
	must(EVP_DigestSign(ctx, r->signature, &r->signature_len, message,
		 r->data_len + crypto_hash_sha256_BYTES) == 1);
	EVP_MD_CTX_free(ctx);
}

void
authenticator_get(struct authenticator *a, const char *challenge, struct authenticator_response *r)
{
	struct out o = { r->data, 0, sizeof(r->data) };

	memset(r, 0, sizeof(*r));
	put_client(a, "webauthn.get", challenge, r);
	put_auth_data(&o, a, false);
	r->data_len = o.len;
	authenticator_sign(a, r);
}

/* ---- as JSON ---- */

static json_t *
base64(const void *at, size_t len)
{
	size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	char *encoded = malloc(size);
	json_t *json;

	must(encoded != NULL);
	sodium_bin2base64(encoded, size, at, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	json = json_string(encoded);
	free(encoded);
	return json;
}

static json_t *
credential(const struct authenticator *a, json_t *response)
{
	return json_pack("{s:o, s:o, s:s, s:s, s:{}, s:o}", "id", base64(a->id, a->id_len), "rawId",
	    base64(a->id, a->id_len), "type", "public-key", "authenticatorAttachment", "platform",
	    "clientExtensionResults", "response", response);
}

static const char *
challenge_of(const json_t *options)
{
	const char *challenge = json_string_value(json_object_get(options, "challenge"));

	must(challenge != NULL);
	return challenge;
}

json_t *
authenticator_create_json(struct authenticator *a, const json_t *options)
{
	const json_t *user = json_object_get(json_object_get(options, "user"), "id");
	struct authenticator_response r;

	must(json_string_length(user) < sizeof(a->user));
	memcpy(a->user, json_string_value(user), json_string_length(user) + 1);
	authenticator_create(a, challenge_of(options), &r);
	return credential(
	    a, json_pack("{s:o, s:o, s:[s]}", "clientDataJSON", base64(r.client, r.client_len),
		   "attestationObject", base64(r.data, r.data_len), "transports", "internal"));
}

json_t *
authenticator_get_json(struct authenticator *a, const json_t *options)
{
	struct authenticator_response r;

	authenticator_get(a, challenge_of(options), &r);
	return credential(
	    a, json_pack("{s:o, s:o, s:o, s:s}", "clientDataJSON", base64(r.client, r.client_len),
		   "authenticatorData", base64(r.data, r.data_len), "signature",
		   base64(r.signature, r.signature_len), "userHandle", a->user));
}

char *
authenticator_text(struct authenticator *a, bool create, const char *challenge, const char *user_id)
{
	json_t *options = json_pack("{s:s, s:{s:o}}", "challenge", challenge, "user", "id",
	    base64(user_id, strlen(user_id)));
	json_t *credential;
	char *text;

	if (create)
		randombytes_buf(a->id, a->id_len);
	credential =
	    create ? authenticator_create_json(a, options) : authenticator_get_json(a, options);
	text = json_dumps(credential, 0);
	json_decref(credential);
	json_decref(options);
	return text;
}
