/*
 * idtoken.c - ID tokens (OpenID Connect Core 1.0, sections 2 and 3.1.3.7). cjose verifies the
 * signature. Only algorithms of our list are accepted, and each only with a key of its type: so a
 * public key can never serve as the secret of an HMAC. cjose aborts the process on some invalid
 * base64, so tokens and keys are checked here first.
 */
#include "idtoken.h"
#include <cjose/cjose.h>
#include <sodium.h>
#include <string.h>

static const struct algorithm {
	const char *name, *key_type, *curve; /* curve NULL: any */
} algorithms[] = {
	{ "RS256", "RSA", NULL },
	{ "PS256", "RSA", NULL },
	{ "ES256", "EC", "P-256" },
	{ "ES384", "EC", "P-384" },
};

/* ---- base64url ---- */

/* Returns true if these bytes are base64url without padding, and at least one byte decoded. */
static bool
is_base64url(const char *text, size_t len)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	return len >= 2 && len % 4 != 1 && strspn(text, digits) >= len;
}

/* Returns true if a token has three parts in base64url (RFC 7515, 7.1). */
static bool
is_compact(const char *token)
{
	for (int part = 0; part < 3; part++) {
		size_t len = strcspn(token, ".");

		if (!is_base64url(token, len) || (token[len] == '.') != (part < 2))
			return false;
		token += len + 1;
	}
	return true;
}

/* ---- the header ---- */

/* Returns the token's header as JSON, or NULL if it is not JSON. */
static json_t *
read_header(const char *token)
{
	const char *dot = strchr(token, '.');
	unsigned char text[4096];
	size_t len;

	if (dot == NULL || sodium_base642bin(text, sizeof(text), token, (size_t)(dot - token), NULL,
			       &len, NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
		return NULL;
	return json_loadb((const char *)text, len, JSON_REJECT_DUPLICATES, NULL);
}

static const char *
text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static bool
is(const json_t *object, const char *name, const char *value)
{
	const char *text = text_of(object, name);

	return text != NULL && strcmp(text, value) == 0;
}

static const struct algorithm *
find_algorithm(const json_t *header)
{
	/* Extensions named in "crit" must be understood (RFC 7515, 4.1.11); we support none. */
	if (json_object_get(header, "crit") != NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++)
		if (is(header, "alg", algorithms[i].name))
			return &algorithms[i];
	return NULL;
}

/* ---- the signature ---- */

/* Returns true if the signature may be of this key, by its type, curve, use, algorithm and id. */
static bool
fits(const json_t *key, const struct algorithm *alg, const char *kid)
{
	if (!is(key, "kty", alg->key_type) || (alg->curve != NULL && !is(key, "crv", alg->curve)))
		return false;
	if (json_object_get(key, "use") != NULL && !is(key, "use", "sig"))
		return false;
	if (json_object_get(key, "alg") != NULL && !is(key, "alg", alg->name))
		return false;
	return kid == NULL || is(key, "kid", kid);
}

/* Returns a new JWK with only the public members of a key; NULL: it lacks one of them. The caller
 * releases it. */
static json_t *
public_part(const json_t *key, bool rsa)
{
	const char *const names[] = { rsa ? "n" : "x", rsa ? "e" : "y" };
	json_t *out = json_pack("{s:s}", "kty", rsa ? "RSA" : "EC");

	if (!rsa)
		json_object_set(out, "crv", json_object_get(key, "crv"));
	for (size_t i = 0; i < 2; i++) {
		const char *text = text_of(key, names[i]);

		if (text == NULL || !is_base64url(text, strlen(text))) {
			json_decref(out);
			return NULL;
		}
		json_object_set_new(out, names[i], json_string(text));
	}
	return out;
}

static bool
verifies(const char *token, const json_t *key)
{
	json_t *public = public_part(key, is(key, "kty", "RSA"));
	char *text = public != NULL ? json_dumps(public, JSON_COMPACT) : NULL;
	cjose_jws_t *jws = cjose_jws_import(token, strlen(token), NULL);
	cjose_jwk_t *jwk = text != NULL ? cjose_jwk_import(text, strlen(text), NULL) : NULL;
	bool good = jws != NULL && jwk != NULL && cjose_jws_verify(jws, jwk, NULL);

	cjose_jwk_release(jwk);
	cjose_jws_release(jws);
	json_decref(public);
	free(text);
	return good;
}

static bool
check_signature(const char *token, const json_t *header, const struct algorithm *alg,
    const json_t *keys, bool *unknown_key)
{
	const char *kid = text_of(header, "kid");
	const json_t *list = json_object_get(keys, "keys");

	*unknown_key = true;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *key = json_array_get(list, i);

		if (!fits(key, alg, kid))
			continue;
		*unknown_key = false;
		if (verifies(token, key))
			return true;
	}
	/* The token does not name its key, so a key that we do not have yet may have signed it. */
	if (kid == NULL)
		*unknown_key = true;
	return false;
}

/* ---- the claims ---- */

static json_t *
read_claims(const char *token)
{
	cjose_jws_t *jws = cjose_jws_import(token, strlen(token), NULL);
	json_t *claims = NULL;
	uint8_t *text;
	size_t len;

	if (jws != NULL && cjose_jws_get_plaintext(jws, &text, &len, NULL))
		claims = json_loadb((const char *)text, len, JSON_REJECT_DUPLICATES, NULL);
	cjose_jws_release(jws);
	return claims;
}

/* Returns NULL if the token was issued for this client, or what is wrong with it. */
static const char *
check_audience(const json_t *claims, const char *client_id)
{
	const json_t *aud = json_object_get(claims, "aud");
	bool ours = is(claims, "aud", client_id);

	for (size_t i = 0; i < json_array_size(aud); i++) {
		const char *one = json_string_value(json_array_get(aud, i));

		ours |= one != NULL && strcmp(one, client_id) == 0;
	}
	if (!ours)
		return "its audience (aud) is another client";
	if (json_array_size(aud) > 1 && json_object_get(claims, "azp") == NULL)
		return "it has several audiences, and does not say for which one it was issued (azp)";
	if (json_object_get(claims, "azp") != NULL && !is(claims, "azp", client_id))
		return "it was issued for another client (azp)";
	return NULL;
}

static const char *
check_times(const json_t *claims, int64_t now)
{
	const json_t *exp = json_object_get(claims, "exp"), *iat = json_object_get(claims, "iat");
	const json_t *nbf = json_object_get(claims, "nbf");

	if (!json_is_number(exp) || json_number_value(exp) <= (double)(now - IDTOKEN_SKEW))
		return "it has expired (exp)";
	if (!json_is_number(iat) || json_number_value(iat) > (double)(now + IDTOKEN_SKEW))
		return "it was issued in the future (iat): compare the clocks";
	if (json_number_value(iat) < (double)(now - IDTOKEN_AGE))
		return "it was issued long ago (iat)";
	if (nbf != NULL &&
	    (!json_is_number(nbf) || json_number_value(nbf) > (double)(now + IDTOKEN_SKEW)))
		return "it is not valid yet (nbf)";
	return NULL;
}

static const char *
check_nonce(const json_t *claims, const char *nonce)
{
	const char *said = text_of(claims, "nonce");

	if (said == NULL || strlen(said) != strlen(nonce) ||
	    sodium_memcmp(said, nonce, strlen(nonce)) != 0)
		return "it does not belong to this sign-in (nonce)";
	return NULL;
}

static const char *
check_claims(const json_t *claims, const struct idtoken_check *check)
{
	const char *subject = text_of(claims, "sub"), *why;

	if (!json_is_object(claims))
		return "its claims are no JSON object";
	if (!is(claims, "iss", check->issuer))
		return "its issuer (iss) is another one";
	if ((why = check_audience(claims, check->client_id)) != NULL ||
	    (why = check_times(claims, check->now)) != NULL ||
	    (why = check_nonce(claims, check->nonce)) != NULL)
		return why;
	if (subject == NULL || *subject == '\0' || strlen(subject) > SUBJECT_MAX)
		return "it names no subject (sub)";
	return NULL;
}

json_t *
idtoken_verify(
    const char *token, const struct idtoken_check *check, const char **why, bool *unknown_key)
{
	json_t *header, *claims;
	const struct algorithm *alg;

	*unknown_key = false;
	*why = NULL;
	if (strlen(token) > IDTOKEN_MAX) {
		*why = "it is too long";
		return NULL;
	}
	header = is_compact(token) ? read_header(token) : NULL;
	alg = find_algorithm(header);
	if (header == NULL)
		*why = "it is no signed token (JWS)";
	else if (alg == NULL)
		*why = "it is not signed by RS256, PS256, ES256 or ES384";
	else if (!check_signature(token, header, alg, check->keys, unknown_key))
		*why = *unknown_key ? "the provider has no key for its signature"
				    : "its signature is wrong";
	json_decref(header);
	if (*why != NULL)
		return NULL;
	claims = read_claims(token);
	*why = check_claims(claims, check);
	if (*why == NULL)
		return claims;
	json_decref(claims);
	return NULL;
}
