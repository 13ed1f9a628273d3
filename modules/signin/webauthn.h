/*
 * webauthn.h - verifies WebAuthn ceremonies (Web Authentication Level 3, 7.1 and 7.2).
 *
 * Pure functions over bytes, without database, network or call: so tests, fuzzers and a second
 * verifier can be compared with them. Every byte comes from outside. libfido2 reads public keys and
 * verifies signatures; everything else is checked here.
 */
#ifndef WEBAUTHN_H
#define WEBAUTHN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/status.h>

#define WEBAUTHN_INPUT_MAX \
	65536 /* bytes of client data, attestation object and authenticator data */
#define WEBAUTHN_ID_MAX 1023 /* bytes of a credential id (4) */
#define WEBAUTHN_KEY_MAX 259 /* bytes of a public key as libfido2 keeps it: RSA, 2,048 bits */
#define WEBAUTHN_CHALLENGE_MAX 128 /* bytes */
/* Nesting of CBOR; the certificate of an attestation is at depth 3. */
#define WEBAUTHN_DEPTH_MAX 8

/* The algorithms that are offered and accepted, by their COSE numbers. */
enum webauthn_algorithm {
	WEBAUTHN_ES256 = -7,
	WEBAUTHN_EDDSA = -8,
	WEBAUTHN_ES384 = -35,
	WEBAUTHN_RS256 = -257 /* 2,048 bits, the only size that libfido2 reads */
};
#define WEBAUTHN_ALGORITHMS                                                    \
	{                                                                      \
		WEBAUTHN_ES256, WEBAUTHN_EDDSA, WEBAUTHN_ES384, WEBAUTHN_RS256 \
	}

/* Why a ceremony is refused. */
enum webauthn_verdict {
	WEBAUTHN_GOOD,
	WEBAUTHN_TOO_LARGE,
	WEBAUTHN_BAD_CLIENT_DATA, /* not a JSON object with the members required */
	WEBAUTHN_WRONG_TYPE,
	WEBAUTHN_WRONG_CHALLENGE,
	WEBAUTHN_WRONG_ORIGIN,
	WEBAUTHN_CROSS_ORIGIN, /* in a frame of another origin (crossOrigin, topOrigin) */
	WEBAUTHN_BAD_ATTESTATION, /* not a CBOR map with the members required */
	WEBAUTHN_BAD_AUTH_DATA,
	WEBAUTHN_WRONG_RP_ID,
	WEBAUTHN_NOT_PRESENT, /* the user did not touch the authenticator */
	WEBAUTHN_WRONG_BACKUP, /* backup flags contradict each other or the registration */
	WEBAUTHN_WRONG_ID, /* not the credential that the response names */
	WEBAUTHN_LONG_ID,
	WEBAUTHN_WRONG_ALGORITHM, /* not one that we offer */
	WEBAUTHN_BAD_KEY,
	WEBAUTHN_WRONG_COUNTER, /* not higher than the last one: the authenticator may be a copy */
	WEBAUTHN_WRONG_SIGNATURE,
	WEBAUTHN_FAULT, /* out of memory */
	WEBAUTHN_VERDICTS
};
/* The name of a verdict for logs, tests and people: "wrong origin". */
const char *webauthn_verdict_name(enum webauthn_verdict);

/* Bytes owned by the caller. */
struct webauthn_bytes {
	const unsigned char *at;
	size_t len;
};

/* The values that a ceremony must have. */
struct webauthn_expect {
	const char *rp_id; /* the domain that credentials are for: "example.org" */
	const char *const *origins; /* NULL-terminated; "https://example.org" */
	struct webauthn_bytes challenge; /* the challenge that the client got from us */
};

/* A stored credential. */
struct webauthn_credential {
	unsigned char id[WEBAUTHN_ID_MAX];
	size_t id_len;
	int algorithm; /* enum webauthn_algorithm */
	unsigned char key[WEBAUTHN_KEY_MAX];
	size_t key_len;
	uint32_t counter; /* counter of signatures; 0: the authenticator does not count */
	bool backup_eligible, backed_up;
	bool verified; /* the authenticator verified its user in the last ceremony */
};

struct webauthn_registration {
	struct webauthn_bytes id; /* rawId */
	struct webauthn_bytes client_data; /* clientDataJSON */
	struct webauthn_bytes attestation; /* attestationObject */
};

struct webauthn_assertion {
	struct webauthn_bytes id, client_data;
	struct webauthn_bytes auth_data; /* authenticatorData */
	struct webauthn_bytes signature;
};

/* Reads only the challenge of client data and checks nothing else, so that the caller can find out
 * whether the challenge is its own. */
STET_MUST enum webauthn_verdict webauthn_challenge(struct webauthn_bytes client_data,
    unsigned char challenge[WEBAUTHN_CHALLENGE_MAX], size_t *len);
/* Verifies a registration. On WEBAUTHN_GOOD, *out is the new credential. The attestation statement
 * is ignored: we ask for none. */
STET_MUST enum webauthn_verdict webauthn_register(const struct webauthn_expect *,
    const struct webauthn_registration *, struct webauthn_credential *out);
/* Verifies an assertion with a stored credential. On WEBAUTHN_GOOD, sets the credential's counter,
 * backed_up and verified to the values of the assertion. */
STET_MUST enum webauthn_verdict webauthn_assert(const struct webauthn_expect *,
    const struct webauthn_assertion *, struct webauthn_credential *);

/* ---- attest.c: CBOR and authenticator data ---- */

/* Authenticator data (6.1). Pointers point into the bytes that were parsed. */
struct webauthn_auth_data {
	struct webauthn_bytes whole;
	const unsigned char *rp_id_hash; /* 32 bytes */
	uint32_t counter;
	bool present, verified, backup_eligible, backed_up;
	bool attested; /* has a credential: the two members below */
	struct webauthn_bytes id, key; /* the key as COSE */
};
/* Parses authenticator data; no byte may be left over. Fails with WEBAUTHN_BAD_AUTH_DATA,
 * WEBAUTHN_TOO_LARGE or WEBAUTHN_LONG_ID. */
STET_MUST enum webauthn_verdict webauthn_auth_data(
    struct webauthn_bytes, struct webauthn_auth_data *out);
/* Copies the authenticator data out of an attestation object: *out is from malloc. */
STET_MUST enum webauthn_verdict webauthn_attestation(
    struct webauthn_bytes, unsigned char **out, size_t *len);
/* The algorithm of a COSE key; 0 if it names none. */
int webauthn_key_algorithm(struct webauthn_bytes key);
/* The length of the CBOR item at the beginning of the bytes. 0 if there is no complete item, or if
 * it has an indefinite length, tags, or more than `depth` levels. Time is linear in the bytes. */
size_t webauthn_cbor_span(struct webauthn_bytes, int depth);

#endif
