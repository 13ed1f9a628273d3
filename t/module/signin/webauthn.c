/* webauthn.c - verdicts on ceremonies of a software authenticator, with one error at a time. */
#include "authenticator.h"
#include "verdict.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RP "example.org"
#define ORIGIN "https://example.org"
#define OTHER_ORIGIN "https://www.example.org"
#define CHALLENGE "AAECAwQFBgcICQoLDA0ODw" /* 0 to 15 */

static const unsigned char challenge[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
static const char *const origins[] = { ORIGIN, OTHER_ORIGIN, NULL };
static const struct webauthn_expect expect = { RP, origins, { challenge, sizeof(challenge) } };
static const int algorithms[] = WEBAUTHN_ALGORITHMS;
#define ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

static enum webauthn_verdict
judge_new(const struct authenticator *a, const struct authenticator_response *r,
    struct webauthn_credential *out)
{
	const struct webauthn_registration in = { { a->id, a->id_len },
		{ r->client, r->client_len }, { r->data, r->data_len } };

	return webauthn_register(&expect, &in, out);
}

static enum webauthn_verdict
judge(const struct authenticator *a, const struct authenticator_response *r,
    struct webauthn_credential *c)
{
	const struct webauthn_assertion in = { { a->id, a->id_len }, { r->client, r->client_len },
		{ r->data, r->data_len }, { r->signature, r->signature_len } };

	return webauthn_assert(&expect, &in, c);
}

/* Return the verdict on a registration and on an assertion by this authenticator as it is. */
static enum webauthn_verdict
verdict_new(struct authenticator *a, struct webauthn_credential *out)
{
	struct authenticator_response r;

	authenticator_create(a, CHALLENGE, &r);
	return judge_new(a, &r, out);
}

static enum webauthn_verdict
verdict(struct authenticator *a, const struct webauthn_credential *stored)
{
	struct webauthn_credential c = *stored;
	struct authenticator_response r;

	authenticator_get(a, CHALLENGE, &r);
	return judge(a, &r, &c);
}

struct scene {
	struct authenticator a;
	struct webauthn_credential c; /* the credential as registered */
};

static int
setup(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	authenticator_open(&s->a, WEBAUTHN_ES256, RP, ORIGIN);
	*state = s;
	return verdict_new(&s->a, &s->c) != WEBAUTHN_GOOD;
}

static int
teardown(void **state)
{
	struct scene *s = *state;

	authenticator_close(&s->a);
	free(s);
	return 0;
}

/* ---- what is good ---- */

static void
each_algorithm_registers_and_signs_in(void **state)
{
	(void)state;
	for (size_t i = 0; i < ALGORITHMS; i++) {
		struct webauthn_credential c;
		struct authenticator a;

		authenticator_open(&a, algorithms[i], RP, ORIGIN);
		assert_verdict(verdict_new(&a, &c), WEBAUTHN_GOOD);
		assert_int_equal(c.algorithm, algorithms[i]);
		assert_int_equal(c.id_len, a.id_len);
		assert_memory_equal(c.id, a.id, a.id_len);
		assert_true(c.verified);
		assert_verdict(verdict(&a, &c), WEBAUTHN_GOOD);
		a.origin = OTHER_ORIGIN;
		assert_verdict(verdict(&a, &c), WEBAUTHN_GOOD);
		authenticator_close(&a);
	}
}

static void
user_verification_is_told_and_not_required(void **state)
{
	struct scene *s = *state;
	struct authenticator_response r;

	s->a.flags = AUTH_UP;
	authenticator_get(&s->a, CHALLENGE, &r);
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_GOOD);
	assert_false(s->c.verified);
}

static void
extensions_and_unknown_client_data_are_ignored(void **state)
{
	struct scene *s = *state;
	struct webauthn_credential c;

	s->a.flags |= AUTH_ED;
	s->a.extra = ",\"new\":{\"members\":[1]}";
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_GOOD);
	assert_verdict(verdict(&s->a, &c), WEBAUTHN_GOOD);
}

static void
ids_of_1023_bytes_are_taken_and_longer_ones_refused(void **state)
{
	struct scene *s = *state;
	struct webauthn_credential c;

	s->a.id_len = 1023;
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_GOOD);
	assert_verdict(verdict(&s->a, &c), WEBAUTHN_GOOD);
	s->a.id_len = 1024;
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_LONG_ID);
	s->a.id_len = 0;
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_BAD_AUTH_DATA);
}

/* ---- client data ---- */

static void
the_other_ceremonys_type_is_refused(void **state)
{
	static const char *const types[] = { "", "webauthn", "payment.get", "WEBAUTHN.GET",
		"webauthn.get ", "webauthn.creat" };
	struct scene *s = *state;
	struct webauthn_credential c;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		s->a.type = types[i];
		assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_WRONG_TYPE);
		assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_TYPE);
	}
	s->a.type = "webauthn.get";
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_WRONG_TYPE);
	s->a.type = "webauthn.create";
	assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_TYPE);
}

static void
only_the_listed_origins_are_taken_letter_by_letter(void **state)
{
	static const char *const wrong[] = { "", "null", "http://example.org",
		"https://example.org/", "https://example.org:443", "https://example.org:8443",
		"https://EXAMPLE.org", "https://example.org.evil.test", "https://evil.test",
		"https://a.example.org", "https://example.or", "https://xexample.org",
		"https://example.org@evil.test", " https://example.org",
		"android:apk-key-hash:AAAA" };
	struct scene *s = *state;
	struct webauthn_credential c;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		s->a.origin = wrong[i];
		assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_WRONG_ORIGIN);
		assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_ORIGIN);
	}
}

static void
frames_of_other_origins_are_refused(void **state)
{
	static const char *const extra[] = { ",\"topOrigin\":\"https://example.org\"",
		",\"topOrigin\":null", ",\"topOrigin\":\"https://evil.test\"" };
	static const char *const cross[] = { "true", "null", "1", "\"\"", "[]" };
	struct authenticator_response r;
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(extra) / sizeof(extra[0]); i++) {
		s->a.extra = extra[i];
		assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_CROSS_ORIGIN);
	}
	for (size_t i = 0; i < sizeof(cross) / sizeof(cross[0]); i++) {
		struct webauthn_credential c = s->c;

		authenticator_get(&s->a, CHALLENGE, &r);
		r.client_len = (size_t)snprintf((char *)r.client, sizeof(r.client),
		    "{\"type\":\"webauthn.get\",\"challenge\":\"" CHALLENGE
		    "\",\"origin\":\"" ORIGIN "\",\"crossOrigin\":%s}",
		    cross[i]);
		authenticator_sign(&s->a, &r);
		assert_verdict(judge(&s->a, &r, &c), WEBAUTHN_CROSS_ORIGIN);
	}
}

static void
every_other_challenge_is_refused(void **state)
{
	static const char *const wrong[] = { "", "AAECAwQFBgcICQoLDA0OD", "AAECAwQFBgcICQoLDA0O",
		(CHALLENGE "=="), (CHALLENGE "A"), "AAECAwQFBgcICQoLDA0OEA",
		"AAECAwQFBgcICQoLDA0ODx", (" " CHALLENGE), "AAECAwQFBgcI/QoLDA0ODw" };
	struct authenticator_response r;
	struct webauthn_credential c;
	struct scene *s = *state;
	char *longer = calloc(1, 1001);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		authenticator_create(&s->a, wrong[i], &r);
		assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_WRONG_CHALLENGE);
		authenticator_get(&s->a, wrong[i], &r);
		assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_WRONG_CHALLENGE);
	}
	memset(longer, 'A', 1000);
	authenticator_get(&s->a, longer, &r);
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_WRONG_CHALLENGE);
	free(longer);
}

static void
client_data_is_strict_json(void **state)
{
	static const char *const wrong[] = { "", "null", "[]", "\"\"", "{", "{}x", "\xef\xbb\xbf{}",
		"{\"type\":\"webauthn.get\",\"type\":\"webauthn.get\"}", "{\"a\":\"\\u0000\"}",
		"{\"a\":\"\xff\"}", "{'a':1}", "{\"a\":1,}" };
	struct authenticator_response r;
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		unsigned char out[WEBAUTHN_CHALLENGE_MAX];
		size_t len;

		authenticator_get(&s->a, CHALLENGE, &r);
		r.client_len = (size_t)snprintf((char *)r.client, sizeof(r.client), "%s", wrong[i]);
		assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_BAD_CLIENT_DATA);
		assert_verdict(webauthn_challenge(
				   (struct webauthn_bytes){ r.client, r.client_len }, out, &len),
		    WEBAUTHN_BAD_CLIENT_DATA);
	}
	/* A member is missing or has another type. */
	r.client_len = (size_t)snprintf((char *)r.client, sizeof(r.client), "{\"type\":7}");
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_WRONG_TYPE);
	r.client_len = (size_t)snprintf(
	    (char *)r.client, sizeof(r.client), "{\"type\":\"webauthn.get\",\"challenge\":{}}");
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_WRONG_CHALLENGE);
	r.client_len = (size_t)snprintf((char *)r.client, sizeof(r.client),
	    "{\"type\":\"webauthn.get\",\"challenge\":\"" CHALLENGE "\",\"origin\":[]}");
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_WRONG_ORIGIN);
}

/* ---- authenticator data ---- */

static void
credentials_of_another_party_are_refused(void **state)
{
	static const char *const wrong[] = { "", "evil.test", "www.example.org", "org",
		"EXAMPLE.org" };
	struct scene *s = *state;
	struct webauthn_credential c;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		s->a.rp_id = wrong[i];
		assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_WRONG_RP_ID);
		assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_RP_ID);
	}
}

static void
somebody_has_to_be_present(void **state)
{
	struct scene *s = *state;
	struct webauthn_credential c;

	s->a.flags = AUTH_UV;
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_NOT_PRESENT);
	assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_NOT_PRESENT);
}

static void
backup_flags_have_to_agree(void **state)
{
	struct scene *s = *state;
	struct webauthn_credential c;
	struct authenticator_response r;

	/* Flags say backed up, but not eligible for backup. */
	s->a.flags |= AUTH_BS;
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_WRONG_BACKUP);
	assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_BACKUP);
	/* Eligibility must not change; the backup state may. */
	s->a.flags = AUTH_UP | AUTH_BE;
	assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_BACKUP);
	assert_verdict(verdict_new(&s->a, &c), WEBAUTHN_GOOD);
	assert_true(c.backup_eligible && !c.backed_up);
	s->a.flags |= AUTH_BS;
	authenticator_get(&s->a, CHALLENGE, &r);
	assert_verdict(judge(&s->a, &r, &c), WEBAUTHN_GOOD);
	assert_true(c.backed_up);
	s->a.flags = AUTH_UP;
	assert_verdict(verdict(&s->a, &c), WEBAUTHN_WRONG_BACKUP);
}

static void
the_counter_has_to_rise_unless_there_is_none(void **state)
{
	static const struct {
		uint32_t stored, sent;
		enum webauthn_verdict verdict;
	} cases[] = { { 0, 0, WEBAUTHN_GOOD }, { 0, 1, WEBAUTHN_GOOD },
		{ 0, UINT32_MAX, WEBAUTHN_GOOD }, { 1, 0, WEBAUTHN_WRONG_COUNTER },
		{ 1, 1, WEBAUTHN_WRONG_COUNTER }, { 5, 4, WEBAUTHN_WRONG_COUNTER },
		{ 5, 6, WEBAUTHN_GOOD }, { UINT32_MAX, UINT32_MAX, WEBAUTHN_WRONG_COUNTER },
		{ UINT32_MAX, 0, WEBAUTHN_WRONG_COUNTER } };
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct webauthn_credential c = s->c;
		struct authenticator_response r;

		c.counter = cases[i].stored;
		s->a.counter = cases[i].sent;
		authenticator_get(&s->a, CHALLENGE, &r);
		assert_verdict(judge(&s->a, &r, &c), cases[i].verdict);
		assert_int_equal(
		    c.counter, cases[i].verdict == WEBAUTHN_GOOD ? cases[i].sent : cases[i].stored);
	}
}

static void
ids_have_to_be_that_of_the_credential(void **state)
{
	struct scene *s = *state;
	struct webauthn_credential c;
	struct authenticator_response r;

	authenticator_create(&s->a, CHALLENGE, &r);
	s->a.id[31] ^= 1;
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_WRONG_ID);
	assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_ID);
	s->a.id[31] ^= 1;
	s->a.id_len = 31;
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_WRONG_ID);
	assert_verdict(verdict(&s->a, &s->c), WEBAUTHN_WRONG_ID);
}

static void
trailing_and_missing_bytes_are_refused(void **state)
{
	struct scene *s = *state;
	struct authenticator_response good, r;
	struct webauthn_credential c;

	authenticator_create(&s->a, CHALLENGE, &good);
	for (size_t len = 0; len < good.data_len; len++) {
		r = good;
		r.data_len = len;
		assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_BAD_ATTESTATION);
	}
	r = good;
	r.data[r.data_len++] = 0;
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_BAD_ATTESTATION);

	authenticator_get(&s->a, CHALLENGE, &good);
	for (size_t len = 0; len < good.data_len; len++) {
		r = good;
		r.data_len = len;
		authenticator_sign(&s->a, &r);
		assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_BAD_AUTH_DATA);
	}
	r = good;
	r.data[r.data_len++] = 0xa0; /* an empty map, without the flag of extensions */
	authenticator_sign(&s->a, &r);
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_BAD_AUTH_DATA);
	r.data[32] |= AUTH_ED;
	authenticator_sign(&s->a, &r);
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_GOOD);
	r.data[r.data_len - 1] = 0x80; /* an array */
	authenticator_sign(&s->a, &r);
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_BAD_AUTH_DATA);
}

static void
an_assertion_has_no_credential_in_it(void **state)
{
	struct scene *s = *state;
	struct authenticator_response r;
	unsigned char *data;
	size_t len;

	authenticator_create(&s->a, CHALLENGE, &r);
	assert_verdict(
	    webauthn_attestation((struct webauthn_bytes){ r.data, r.data_len }, &data, &len),
	    WEBAUTHN_GOOD);
	authenticator_get(&s->a, CHALLENGE, &r);
	memcpy(r.data, data, len);
	r.data_len = len;
	authenticator_sign(&s->a, &r);
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_BAD_AUTH_DATA);
	free(data);
}

static void
a_registration_without_credential_is_refused(void **state)
{
	struct scene *s = *state;
	struct authenticator_response r;
	struct webauthn_credential c;
	unsigned char *flags;

	authenticator_create(&s->a, CHALLENGE, &r);
	/* authData is a byte string with a length of one byte; its flags follow the hash. */
	flags = (unsigned char *)memmem(r.data, r.data_len, "authData\x58", 9) + 10 + 32;
	*flags &= (unsigned char)~0x40;
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_BAD_AUTH_DATA);
}

/* ---- keys and signatures ---- */

static void
each_changed_bit_of_a_signature_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ALGORITHMS; i++) {
		struct authenticator_response r;
		struct webauthn_credential c;
		struct authenticator a;

		authenticator_open(&a, algorithms[i], RP, ORIGIN);
		assert_verdict(verdict_new(&a, &c), WEBAUTHN_GOOD);
		authenticator_get(&a, CHALLENGE, &r);
		for (size_t at = 0; at < r.signature_len; at++) {
			r.signature[at] ^= (unsigned char)(1 << at % 8);
			assert_verdict(judge(&a, &r, &c), WEBAUTHN_WRONG_SIGNATURE);
			r.signature[at] ^= (unsigned char)(1 << at % 8);
		}
		r.signature[r.signature_len++] = 0;
		assert_verdict(judge(&a, &r, &c), WEBAUTHN_WRONG_SIGNATURE);
		r.signature_len = 0;
		assert_verdict(judge(&a, &r, &c), WEBAUTHN_WRONG_SIGNATURE);
		authenticator_close(&a);
	}
}

static void
signatures_of_another_key_are_refused(void **state)
{
	struct scene *s = *state;
	struct authenticator other;
	struct webauthn_credential c;

	for (size_t i = 0; i < ALGORITHMS; i++) {
		authenticator_open(&other, algorithms[i], RP, ORIGIN);
		memcpy(other.id, s->a.id, s->a.id_len);
		assert_verdict(verdict(&other, &s->c), WEBAUTHN_WRONG_SIGNATURE);
		/* A stored key with the algorithm of another key. */
		assert_verdict(verdict_new(&other, &c), WEBAUTHN_GOOD);
		c.algorithm = algorithms[(i + 1) % ALGORITHMS];
		assert_int_not_equal(verdict(&other, &c), WEBAUTHN_GOOD);
		c.algorithm = -37;
		assert_verdict(verdict(&other, &c), WEBAUTHN_WRONG_ALGORITHM);
		authenticator_close(&other);
	}
}

static void
a_signature_covers_client_and_authenticator_data(void **state)
{
	struct scene *s = *state;
	struct authenticator_response r;

	s->a.extra = ",\"a\":\"b\"";
	authenticator_get(&s->a, CHALLENGE, &r);
	r.client[r.client_len - 3] = 'c';
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_WRONG_SIGNATURE);
	authenticator_get(&s->a, CHALLENGE, &r);
	r.data[36]++; /* the counter */
	assert_verdict(judge(&s->a, &r, &s->c), WEBAUTHN_WRONG_SIGNATURE);
}

static void
keys_of_other_kinds_and_points_off_the_curve_are_refused(void **state)
{
	static const unsigned char alg[] = { 0x03, 0x26, 0x20, 0x01, 0x21 }; /* 3: -7, -1: 1, -2: */
	struct scene *s = *state;
	struct authenticator_response r;
	struct webauthn_credential c;
	unsigned char *at;

	authenticator_create(&s->a, CHALLENGE, &r);
	at = memmem(r.data, r.data_len, alg, sizeof(alg));
	assert_non_null(at);
	at[1] = 0x27; /* algorithm -8, with a key of P-256 */
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_BAD_KEY);
	at[1] = 0x28; /* algorithm -9 */
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_WRONG_ALGORITHM);
	at[1] = 0x06; /* algorithm 6: a MAC */
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_WRONG_ALGORITHM);
	at[1] = 0x26;
	at[3] = 0x02; /* another curve */
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_BAD_KEY);
	at[3] = 0x01;
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_GOOD);
	memset(at + 7, 1, 32);
	assert_verdict(judge_new(&s->a, &r, &c), WEBAUTHN_BAD_KEY);
}

/* ---- sizes ---- */

static void
more_than_64_kib_are_refused_unread(void **state)
{
	struct scene *s = *state;
	unsigned char *large = calloc(1, WEBAUTHN_INPUT_MAX + 1), out[WEBAUTHN_CHALLENGE_MAX];
	struct webauthn_bytes b = { large, WEBAUTHN_INPUT_MAX + 1 };
	struct webauthn_auth_data data;
	struct authenticator_response r;
	struct webauthn_assertion in;
	struct webauthn_registration new;
	struct webauthn_credential c;
	unsigned char *copy;
	size_t len;

	assert_verdict(webauthn_challenge(b, out, &len), WEBAUTHN_TOO_LARGE);
	assert_verdict(webauthn_attestation(b, &copy, &len), WEBAUTHN_TOO_LARGE);
	assert_verdict(webauthn_auth_data(b, &data), WEBAUTHN_TOO_LARGE);
	authenticator_get(&s->a, CHALLENGE, &r);
	in = (struct webauthn_assertion){ { s->a.id, s->a.id_len }, b, { r.data, r.data_len },
		{ r.signature, r.signature_len } };
	assert_verdict(webauthn_assert(&expect, &in, &s->c), WEBAUTHN_TOO_LARGE);
	in.client_data = (struct webauthn_bytes){ r.client, r.client_len };
	in.signature = b;
	assert_verdict(webauthn_assert(&expect, &in, &s->c), WEBAUTHN_TOO_LARGE);
	in.auth_data = b;
	assert_verdict(webauthn_assert(&expect, &in, &s->c), WEBAUTHN_TOO_LARGE);
	authenticator_create(&s->a, CHALLENGE, &r);
	new = (struct webauthn_registration){ { s->a.id, s->a.id_len }, { r.client, r.client_len },
		b };
	assert_verdict(webauthn_register(&expect, &new, &c), WEBAUTHN_TOO_LARGE);
	free(large);
}

static void
every_verdict_has_a_name(void **state)
{
	(void)state;
	for (int v = 0; v < WEBAUTHN_VERDICTS; v++)
		assert_true(strlen(webauthn_verdict_name((enum webauthn_verdict)v)) > 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_algorithm_registers_and_signs_in),
		TEST(user_verification_is_told_and_not_required),
		TEST(extensions_and_unknown_client_data_are_ignored),
		TEST(ids_of_1023_bytes_are_taken_and_longer_ones_refused),
		TEST(the_other_ceremonys_type_is_refused),
		TEST(only_the_listed_origins_are_taken_letter_by_letter),
		TEST(frames_of_other_origins_are_refused),
		TEST(every_other_challenge_is_refused),
		TEST(client_data_is_strict_json),
		TEST(credentials_of_another_party_are_refused),
		TEST(somebody_has_to_be_present),
		TEST(backup_flags_have_to_agree),
		TEST(the_counter_has_to_rise_unless_there_is_none),
		TEST(ids_have_to_be_that_of_the_credential),
		TEST(trailing_and_missing_bytes_are_refused),
		TEST(an_assertion_has_no_credential_in_it),
		TEST(a_registration_without_credential_is_refused),
		TEST(each_changed_bit_of_a_signature_is_refused),
		TEST(signatures_of_another_key_are_refused),
		TEST(a_signature_covers_client_and_authenticator_data),
		TEST(keys_of_other_kinds_and_points_off_the_curve_are_refused),
		TEST(more_than_64_kib_are_refused_unread),
		TEST(every_verdict_has_a_name),
	};

	if (sodium_init() < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
