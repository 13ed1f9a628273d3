/*
 * clientdata - client data of WebAuthn ceremonies: nothing but a JSON object that says our type,
 * challenge and origin gets as far as the signature, and no signature here is good.
 * fuzz: with modules/signin/webauthn.c
 * fuzz: with modules/signin/attest.c
 */
#include "../../modules/signin/webauthn.h"
#include "fuzz.h"
#include <jansson.h>
#include <sodium.h>
#include <string.h>

#define RP "example.org"
#define ORIGIN "https://example.org"

static void
check_members(const uint8_t *data, size_t size)
{
	json_t *client = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
	const char *type = json_string_value(json_object_get(client, "type"));
	const char *origin = json_string_value(json_object_get(client, "origin"));
	const json_t *cross = json_object_get(client, "crossOrigin");

	must(type != NULL && strcmp(type, "webauthn.get") == 0);
	must(origin != NULL && strcmp(origin, ORIGIN) == 0);
	must(cross == NULL || json_is_false(cross));
	must(json_object_get(client, "topOrigin") == NULL);
	json_decref(client);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const origins[] = { ORIGIN, NULL };
	unsigned char challenge[WEBAUTHN_CHALLENGE_MAX], auth[37] = { 0 };
	struct webauthn_expect expect = { RP, origins, { challenge, 0 } };
	const struct webauthn_assertion in = { { (const unsigned char *)"id", 2 }, { data, size },
		{ auth, sizeof(auth) }, { (const unsigned char *)"no", 2 } };
	struct webauthn_credential c = {
		.id = "id", .id_len = 2, .algorithm = WEBAUTHN_EDDSA, .key = { 1 }, .key_len = 32
	};
	enum webauthn_verdict verdict;

	crypto_hash_sha256(auth, (const unsigned char *)RP, strlen(RP));
	auth[32] = 1; /* flag: user present */
	verdict = webauthn_challenge(in.client_data, challenge, &expect.challenge.len);
	if (verdict != WEBAUTHN_GOOD)
		return 0;
	must(expect.challenge.len <= WEBAUTHN_CHALLENGE_MAX);
	verdict = webauthn_assert(&expect, &in, &c);
	must(verdict != WEBAUTHN_GOOD && verdict != WEBAUTHN_WRONG_CHALLENGE);
	if (verdict == WEBAUTHN_WRONG_SIGNATURE || verdict == WEBAUTHN_BAD_KEY)
		check_members(data, size);
	return 0;
}
