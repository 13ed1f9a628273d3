/*
 * authenticator.h - a software authenticator and its browser. It makes the responses of WebAuthn
 * ceremonies: valid ones and, with a member changed, every kind of invalid one.
 */
#ifndef T_AUTHENTICATOR_H
#define T_AUTHENTICATOR_H

#include <jansson.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AUTH_UP = 0x01, AUTH_UV = 0x04, AUTH_BE = 0x08, AUTH_BS = 0x10, AUTH_ED = 0x80 };

struct authenticator {
	int algorithm; /* COSE: -7, -8, -35 or -257 */
	EVP_PKEY *key;
	unsigned char id[2048];
	size_t id_len;
	char user[64]; /* the user handle; set by authenticator_create_json */
	const char *rp_id, *origin;
	uint32_t counter; /* signature counter of the next response; the caller increments it */
	unsigned flags; /* flags of registrations and assertions: UP and UV */
	const char *type; /* type in the client data; NULL: that of the ceremony */
	const char *extra; /* further members of client data: ",\"a\":1"; NULL: none */
	const char *fmt; /* format of the attestation; "none" */
};

struct authenticator_response {
	unsigned char client[4096], data[8192], signature[512];
	size_t client_len;
	size_t data_len; /* attestation object, or authenticator data */
	size_t signature_len; /* assertions only */
};

void authenticator_open(
    struct authenticator *, int algorithm, const char *rp_id, const char *origin);
void authenticator_close(struct authenticator *);
/* Make the response to a challenge (base64url): a registration, or an assertion. */
void authenticator_create(
    struct authenticator *, const char *challenge, struct authenticator_response *);
void authenticator_get(
    struct authenticator *, const char *challenge, struct authenticator_response *);
/* Signs an assertion anew, after its client data or authenticator data were changed. */
void authenticator_sign(struct authenticator *, struct authenticator_response *);
/* Makes a response to the server's options, as the JSON that a browser sends
 * (PublicKeyCredential.toJSON). */
json_t *authenticator_create_json(struct authenticator *, const json_t *options);
json_t *authenticator_get_json(struct authenticator *, const json_t *options);
/* Makes such a JSON, as text from malloc, from only the challenge and the id of a user. A created
 * credential has a new id. */
char *authenticator_text(
    struct authenticator *, bool create, const char *challenge, const char *user_id);

#endif
