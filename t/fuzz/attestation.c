/*
 * attestation.c - attestation objects: accepted input is one CBOR item, and a registered credential
 * has the id and a supported algorithm.
 * fuzz: with modules/signin/webauthn.c
 * fuzz: with modules/signin/attest.c
 */
#include "../../modules/signin/webauthn.h"
#include "fuzz.h"
#include <string.h>

#define CLIENT \
	"{\"type\":\"webauthn.create\",\"challenge\":\"AAAA\",\"origin\":\"https://example.org\"}"

static void
check_registration(const uint8_t *data, size_t size)
{
	static const char *const origins[] = { "https://example.org", NULL };
	static const unsigned char challenge[3];
	const struct webauthn_expect expect = { "example.org", origins, { challenge, 3 } };
	const struct webauthn_registration in = { { (const unsigned char *)"0123456789abcdef", 16 },
		{ (const unsigned char *)CLIENT, strlen(CLIENT) }, { data, size } };
	struct webauthn_credential c;

	if (webauthn_register(&expect, &in, &c) != WEBAUTHN_GOOD)
		return;
	must(c.id_len == 16 && memcmp(c.id, "0123456789abcdef", 16) == 0);
	must(c.algorithm == WEBAUTHN_ES256 || c.algorithm == WEBAUTHN_EDDSA ||
	     c.algorithm == WEBAUTHN_ES384 || c.algorithm == WEBAUTHN_RS256);
	must(c.key_len > 0 && c.key_len <= WEBAUTHN_KEY_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct webauthn_bytes b = { data, size };
	unsigned char *copy;
	size_t len;

	must(webauthn_cbor_span(b, WEBAUTHN_DEPTH_MAX) <= size);
	if (webauthn_attestation(b, &copy, &len) == WEBAUTHN_GOOD) {
		must(len < size && webauthn_cbor_span(b, WEBAUTHN_DEPTH_MAX) == size);
		free(copy);
	}
	check_registration(data, size);
	return 0;
}
