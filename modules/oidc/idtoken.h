/*
 * idtoken.h - ID tokens (OpenID Connect Core 1.0, section 2): verifies signature and claims. Uses
 * neither the database nor the network.
 */
#ifndef IDTOKEN_H
#define IDTOKEN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDTOKEN_MAX 16384 /* bytes of a token */
#define IDTOKEN_SKEW 60 /* seconds that the provider's clock may differ from ours */
#define IDTOKEN_AGE 600 /* seconds after which a token that was just issued is too old */
#define SUBJECT_MAX 255 /* characters: section 2, "sub" */

struct idtoken_check {
	const char *issuer, *client_id, *nonce;
	int64_t now; /* seconds since the epoch */
	const json_t *keys; /* a JWK set: {"keys": [...]} */
};

/*
 * Verifies a token and returns its claims, or NULL with the reason in *why, a constant text. Only
 * RS256, PS256, ES256 and ES384 are accepted, each with a key of its type. *unknown_key is set if
 * the set has no key for the token: the provider may have new ones.
 */
json_t *idtoken_verify(
    const char *token, const struct idtoken_check *, const char **why, bool *unknown_key);

#endif
