/* attest.c - CBOR from outside, attestation objects, and the complete test vectors of W3C. */
#include "verdict.h"
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CBOR ---- */

static size_t
span(const char *bytes, size_t len)
{
	return webauthn_cbor_span(
	    (struct webauthn_bytes){ (const unsigned char *)bytes, len }, WEBAUTHN_DEPTH_MAX);
}
#define SPAN(literal) span((literal), sizeof(literal) - 1)

static void
cbor_is_complete_definite_and_shallow(void **state)
{
	(void)state;
	assert_int_equal(SPAN("\x00"), 1);
	assert_int_equal(SPAN("\x18\xff"), 2);
	assert_int_equal(SPAN("\x3b\xff\xff\xff\xff\xff\xff\xff\xff"), 9);
	assert_int_equal(SPAN("\x43"
			      "abcd"),
	    4);
	assert_int_equal(SPAN("\xa1\x01\x82\x02\x03\x04"), 5);
	assert_int_equal(SPAN("\xf4\xf5"), 1);
	assert_int_equal(SPAN("\xfb"
			      "12345678"),
	    9);
	/* Empty, truncated, or announcing more bytes than follow. */
	assert_int_equal(SPAN(""), 0);
	assert_int_equal(SPAN("\x18"), 0);
	assert_int_equal(SPAN("\x44"
			      "abc"),
	    0);
	assert_int_equal(SPAN("\x82\x01"), 0);
	assert_int_equal(SPAN("\xa1\x01"), 0);
	assert_int_equal(SPAN("\x9b\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 0);
	assert_int_equal(SPAN("\xbb\x80\x00\x00\x00\x00\x00\x00\x00\x01"), 0);
	assert_int_equal(SPAN("\x5b\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 0);
	/* Indefinite lengths, reserved values, tags, undefined simple values. */
	assert_int_equal(SPAN("\x9f\x01\xff"), 0);
	assert_int_equal(SPAN("\x5f\x41\x01\xff"), 0);
	assert_int_equal(SPAN("\x1c"), 0);
	assert_int_equal(SPAN("\xc0\x00"), 0);
	assert_int_equal(SPAN("\xe0"), 0);
	assert_int_equal(SPAN("\xf8\xff"), 0);
	/* Nested eight levels deep, and nine. */
	assert_int_equal(SPAN("\x81\x81\x81\x81\x81\x81\x81\x01"), 8);
	assert_int_equal(SPAN("\x81\x81\x81\x81\x81\x81\x81\x80"), 0);
	assert_int_equal(SPAN("\x81\x81\x81\x81\x81\x81\x81\x81\x01"), 0);
}

#define AUTH_DATA \
	"\x68"    \
	"authData"
#define STATEMENT \
	"\x67"    \
	"attStmt"
#define FMT    \
	"\x63" \
	"fmt"
#define NONE   \
	"\x64" \
	"none"

static enum webauthn_verdict
attestation(const char *bytes, size_t len)
{
	unsigned char *out = NULL;
	enum webauthn_verdict verdict = webauthn_attestation(
	    (struct webauthn_bytes){ (const unsigned char *)bytes, len }, &out, &len);

	free(out);
	return verdict;
}
#define ATTESTATION(literal) attestation((literal), sizeof(literal) - 1)

static void
attestation_objects_have_their_three_members(void **state)
{
	(void)state;
	assert_verdict(
	    ATTESTATION("\xa3" FMT NONE STATEMENT "\xa0" AUTH_DATA "\x41x"), WEBAUTHN_GOOD);
	assert_verdict(ATTESTATION("\xa4" FMT NONE STATEMENT "\xa0" AUTH_DATA "\x41x\x61z\x01"),
	    WEBAUTHN_GOOD);
	/* A statement without attestation, or in an unknown format. */
	assert_verdict(ATTESTATION("\xa3" FMT NONE STATEMENT "\xa1\x01\x02" AUTH_DATA "\x41x"),
	    WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION("\xa3" FMT "\x61"
				   "q" STATEMENT "\xa1\x01\x02" AUTH_DATA "\x41x"),
	    WEBAUTHN_GOOD);
	/* Members that are missing, have another type, or occur twice. */
	assert_verdict(
	    ATTESTATION("\xa2" STATEMENT "\xa0" AUTH_DATA "\x41x"), WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION("\xa2" FMT NONE AUTH_DATA "\x41x"), WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION("\xa2" FMT NONE STATEMENT "\xa0"), WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION("\xa3" FMT "\x01" STATEMENT "\xa0" AUTH_DATA "\x41x"),
	    WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION("\xa3" FMT NONE STATEMENT "\x80" AUTH_DATA "\x41x"),
	    WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION("\xa3" FMT NONE STATEMENT "\xa0" AUTH_DATA "\x61x"),
	    WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(
	    ATTESTATION("\xa4" FMT NONE STATEMENT "\xa0" AUTH_DATA "\x41x" AUTH_DATA "\x41y"),
	    WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION("\x80"), WEBAUTHN_BAD_ATTESTATION);
	assert_verdict(ATTESTATION(""), WEBAUTHN_BAD_ATTESTATION);
}

/* ---- W3C's vectors ---- */

/* Vectors that are refused, and the verdict. */
static const struct {
	const char *id;
	enum webauthn_verdict verdict;
} refused[] = {
	{ "none-es256-crossOrigin", WEBAUTHN_CROSS_ORIGIN },
	{ "none-es256-topOrigin", WEBAUTHN_CROSS_ORIGIN },
	/* Algorithms that no common authenticator uses, and RSA with 3,482 bits. */
	{ "packed-es512", WEBAUTHN_WRONG_ALGORITHM },
	{ "packed-ed448", WEBAUTHN_WRONG_ALGORITHM },
	{ "packed-rs256", WEBAUTHN_BAD_KEY },
};

struct hex {
	unsigned char at[8192];
	size_t len;
};

static struct webauthn_bytes
hex(const json_t *of, const char *name, struct hex *out)
{
	const char *text = json_string_value(json_object_get(of, name));

	assert_non_null(text);
	assert_int_equal(
	    sodium_hex2bin(out->at, sizeof(out->at), text, strlen(text), NULL, &out->len, NULL), 0);
	return (struct webauthn_bytes){ out->at, out->len };
}

static enum webauthn_verdict
judge_vector(const json_t *vector, enum webauthn_verdict *second)
{
	static struct hex h[8];
	const json_t *reg = json_object_get(vector, "registration");
	const json_t *get = json_object_get(vector, "authentication");
	const char *const at[] = { json_string_value(json_object_get(vector, "origin")), NULL };
	struct webauthn_expect want = { json_string_value(json_object_get(vector, "rpId")), at,
		hex(reg, "challenge", &h[0]) };
	const struct webauthn_registration new = { hex(reg, "credentialId", &h[1]),
		hex(reg, "clientDataJSON", &h[2]), hex(reg, "attestationObject", &h[3]) };
	const struct webauthn_assertion in = { new.id, hex(get, "clientDataJSON", &h[4]),
		hex(get, "authenticatorData", &h[5]), hex(get, "signature", &h[6]) };
	struct webauthn_credential c;
	enum webauthn_verdict first = webauthn_register(&want, &new, &c);

	*second = first;
	want.challenge = hex(get, "challenge", &h[7]);
	if (first == WEBAUTHN_GOOD)
		*second = webauthn_assert(&want, &in, &c);
	return first;
}

static void
w3cs_vectors_pass_or_are_refused_by_name(void **state)
{
	char path[4096];
	json_t *vectors, *vector;
	size_t i, good = 0, bad = 0;

	(void)state;
	snprintf(
	    path, sizeof(path), "%s/../shared/data/webauthn-vectors.json", getenv("STET_SOURCE"));
	vectors = json_load_file(path, 0, NULL);
	if (vectors == NULL) {
		print_message("# skipped: W3C's vectors are not there (%s)\n", path);
		return;
	}
	json_array_foreach(vectors, i, vector)
	{
		const char *id = json_string_value(json_object_get(vector, "id"));
		enum webauthn_verdict second, first = judge_vector(vector, &second);

		print_message("# %s: %s, %s\n", id, webauthn_verdict_name(first),
		    webauthn_verdict_name(second));
		good += first == WEBAUTHN_GOOD && second == WEBAUTHN_GOOD;
		bad += first != WEBAUTHN_GOOD;
		for (size_t n = 0; n < sizeof(refused) / sizeof(refused[0]); n++)
			if (strcmp(refused[n].id, id) == 0)
				assert_verdict(first, refused[n].verdict);
	}
	assert_int_equal(good, 10);
	assert_int_equal(bad, 5);
	json_decref(vectors);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cbor_is_complete_definite_and_shallow),
		cmocka_unit_test(attestation_objects_have_their_three_members),
		cmocka_unit_test(w3cs_vectors_pass_or_are_refused_by_name),
	};

	if (sodium_init() < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
