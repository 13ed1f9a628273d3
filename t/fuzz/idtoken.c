/*
 * idtoken - ID tokens and the keys of a provider. First byte k: a set of keys, a line end, and a
 * token that is not signed with our key. Otherwise: claims, which the target signs. An accepted
 * token must be of this issuer, for this client, valid now, and belong to this sign-in.
 * fuzz: with modules/oidc/idtoken.c
 */
#include "../../modules/oidc/idtoken.h"
#include "fuzz.h"
#include <cjose/cjose.h>
#include <string.h>

#define ISSUER "https://id.example"
#define CLIENT "site"
#define NONCE "0123456789abcdef"
#define NOW 1780315200

static const char *
text_of(const json_t *claims, const char *name)
{
	const char *text = json_string_value(json_object_get(claims, name));

	return text != NULL ? text : "";
}

/* Verifies once. Returns the claims, to be released. */
static json_t *
verify(const char *token, const json_t *keys)
{
	const struct idtoken_check check = { ISSUER, CLIENT, NONCE, NOW, keys };
	bool unknown;
	const char *why;
	json_t *claims = idtoken_verify(token, &check, &why, &unknown);

	must((claims == NULL) == (why != NULL));
	return claims;
}

static void
take_foreign(const char *text)
{
	const char *end = strchr(text, '\n');
	json_t *keys;

	if (end == NULL)
		return;
	keys = json_loadb(text, (size_t)(end - text), JSON_REJECT_DUPLICATES, NULL);
	must(verify(end + 1, keys) == NULL);
	json_decref(keys);
}

static void
check_claims(const json_t *claims)
{
	const json_t *aud = json_object_get(claims, "aud");
	bool ours = strcmp(text_of(claims, "aud"), CLIENT) == 0;
	double exp = json_number_value(json_object_get(claims, "exp"));
	double iat = json_number_value(json_object_get(claims, "iat"));

	for (size_t i = 0; i < json_array_size(aud); i++) {
		const char *one = json_string_value(json_array_get(aud, i));

		ours = ours || (one != NULL && strcmp(one, CLIENT) == 0);
	}
	must(ours);
	must(json_array_size(aud) < 2 || strcmp(text_of(claims, "azp"), CLIENT) == 0);
	must(strcmp(text_of(claims, "iss"), ISSUER) == 0);
	must(strcmp(text_of(claims, "nonce"), NONCE) == 0);
	must(exp > NOW - IDTOKEN_SKEW && iat <= NOW + IDTOKEN_SKEW && iat >= NOW - IDTOKEN_AGE);
	must(*text_of(claims, "sub") != '\0' && strlen(text_of(claims, "sub")) <= SUBJECT_MAX);
}

static void
take_signed(const uint8_t *data, size_t size)
{
	static cjose_jwk_t *key;
	static json_t *keys;
	cjose_header_t *header = cjose_header_new(NULL);
	const char *token;
	cjose_jws_t *jws;
	json_t *claims;

	if (key == NULL) {
		char *text;

		key = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, NULL);
		text = cjose_jwk_to_json(key, false, NULL);
		keys = json_pack("{s:[o]}", "keys", json_loads(text, 0, NULL));
		free(text);
	}
	must(cjose_header_set(header, CJOSE_HDR_ALG, CJOSE_HDR_ALG_ES256, NULL));
	jws = cjose_jws_sign(key, header, data, size, NULL);
	if (jws != NULL && cjose_jws_export(jws, &token, NULL)) {
		claims = verify(token, keys);
		if (claims != NULL)
			check_claims(claims);
		json_decref(claims);
	}
	cjose_jws_release(jws);
	cjose_header_release(header);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size < 2)
		return 0;
	if (*data != 'k') {
		take_signed(data, size);
		return 0;
	}
	text = strndup((const char *)data + 1, size - 1);
	must(text != NULL);
	take_foreign(text);
	free(text);
	return 0;
}
