/* issuer.c - a provider of OpenID Connect on loopback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* first, as cmocka wants it */
#include "harness.h"
#include "issuer.h"
#include <cjose/cjose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct issuer issuer;
struct neighbour issuer_server;

static struct key {
	const char *kid, *alg;
	cjose_jwk_t *jwk;
} keys[ISSUER_KEYS] = { { "e1", "ES256", NULL }, { "r1", "RS256", NULL }, { "e2", "ES256", NULL },
	{ "e3", "ES384", NULL } };

static char answer[32768], url[64];

/* ---- answers ---- */

static const char *
say(int status, json_t *body)
{
	char *text = json_dumps(body, JSON_COMPACT);

	snprintf(answer, sizeof(answer),
	    "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n\r\n%s",
	    status, strlen(text), text);
	free(text);
	json_decref(body);
	return answer;
}

static const char *
fails(int status, const char *error)
{
	return say(status, json_pack("{s:s}", "error", error));
}

static void
change(json_t *object, const json_t *by)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)by, name, value)
	{
		if (json_is_null(value))
			json_object_del(object, name);
		else
			json_object_set(object, name, value);
	}
}

static const char *
metadata(void)
{
	json_t *m = json_pack("{s:s, s:s+, s:s+, s:s+, s:s+}", "issuer", url,
	    "authorization_endpoint", url, "/authorize?tenant=1", "token_endpoint", url, "/token",
	    "jwks_uri", url, "/jwks", "userinfo_endpoint", url, "/userinfo");

	issuer.asked_metadata++;
	change(m, issuer.metadata);
	return say(200, m);
}

static const char *
jwks(void)
{
	json_t *list = json_array();

	issuer.asked_keys++;
	for (int i = 0; i < issuer.published; i++) {
		char *text = cjose_jwk_to_json(keys[i].jwk, false, NULL);
		json_t *one = json_loads(text, 0, NULL);

		json_object_set_new(one, "kid", json_string(keys[i].kid));
		json_object_set_new(one, "use", json_string("sig"));
		json_array_append_new(list, one);
		free(text);
	}
	return say(issuer.published < 0 ? 503 : 200, json_pack("{s:o}", "keys", list));
}

/* ---- ID tokens ---- */

static json_t *
claims(void)
{
	json_t *c = json_pack("{s:s, s:s, s:s, s:I, s:I, s:s, s:s, s:b}", "iss", url, "aud",
	    issuer.client, "sub", "subject-1", "iat", (json_int_t)issuer.now, "exp",
	    (json_int_t)issuer.now + 300, "nonce", issuer.nonce != NULL ? issuer.nonce : "",
	    "email", "Ann@Example.org", "email_verified", 1);

	change(c, issuer.said);
	return c;
}

static cjose_jwk_t *
key_of(const char *kid)
{
	for (int i = 0; i < ISSUER_KEYS; i++)
		if (kid != NULL && strcmp(keys[i].kid, kid) == 0)
			return keys[i].jwk;
	return keys[0].jwk;
}

static char *
encode(const char *text)
{
	char *out;
	size_t len;

	assert_true(cjose_base64url_encode((const uint8_t *)text, strlen(text), &out, &len, NULL));
	return out;
}

/* alg "none", with no signature at all. */
static char *
unsigned_token(const char *payload)
{
	char *head = encode("{\"alg\":\"none\"}"), *body = encode(payload), *out;

	if (asprintf(&out, "%s.%s.", head, body) < 0)
		abort();
	free(head);
	free(body);
	return out;
}

/* HS256, whose secret is the text of a public key. */
static char *
confused_token(const char *payload)
{
	char *public = cjose_jwk_to_json(keys[1].jwk, false, NULL), *out;
	cjose_jwk_t *secret =
	    cjose_jwk_create_oct_spec((const uint8_t *)public, strlen(public), NULL);
	cjose_header_t *header = cjose_header_new(NULL);
	const char *text;
	cjose_jws_t *jws;

	cjose_header_set(header, CJOSE_HDR_ALG, "HS256", NULL);
	cjose_header_set(header, CJOSE_HDR_KID, "r1", NULL);
	jws = cjose_jws_sign(secret, header, (const uint8_t *)payload, strlen(payload), NULL);
	assert_true(cjose_jws_export(jws, &text, NULL));
	out = strdup(text);
	cjose_jws_release(jws);
	cjose_header_release(header);
	cjose_jwk_release(secret);
	free(public);
	return out;
}

static char *
signed_token(const char *payload)
{
	cjose_header_t *header = cjose_header_new(NULL);
	const char *text;
	cjose_jws_t *jws;
	char *out, *last;

	if (issuer.whole != NULL) {
		cjose_header_release(header);
		return strdup(issuer.whole);
	}
	if (strcmp(issuer.alg, "none") == 0 || strcmp(issuer.alg, "HS256") == 0) {
		cjose_header_release(header);
		return issuer.alg[0] == 'n' ? unsigned_token(payload) : confused_token(payload);
	}
	cjose_header_set(header, CJOSE_HDR_ALG, issuer.alg, NULL);
	if (issuer.kid != NULL)
		cjose_header_set(header, CJOSE_HDR_KID, issuer.kid, NULL);
	jws = cjose_jws_sign(key_of(issuer.signer != NULL ? issuer.signer : issuer.kid), header,
	    (const uint8_t *)payload, strlen(payload), NULL);
	assert_non_null(jws);
	assert_true(cjose_jws_export(jws, &text, NULL));
	out = strdup(text);
	last = strrchr(out, '.') + 1;
	if (issuer.broken)
		*last = *last == 'A' ? 'B' : 'A';
	cjose_jws_release(jws);
	cjose_header_release(header);
	return out;
}

static const char *
token(const char *heard)
{
	json_t *all;
	char *payload, *text;

	issuer.asked_token++;
	snprintf(issuer.token_request, sizeof(issuer.token_request), "%s", heard);
	if (issuer.denies)
		return fails(400, "invalid_grant");
	all = claims();
	payload = json_dumps(all, JSON_COMPACT);
	text = signed_token(payload);
	json_decref(all);
	free(payload);
	all = json_pack(
	    "{s:s, s:s, s:s}", "access_token", "at-1", "token_type", "Bearer", "id_token", text);
	free(text);
	return say(200, all);
}

static const char *
choose(const char *heard)
{
	if (strncmp(heard, "GET /.well-known/openid-configuration ", 38) == 0)
		return metadata();
	if (strncmp(heard, "GET /jwks ", 10) == 0)
		return jwks();
	if (strncmp(heard, "POST /token ", 12) == 0)
		return token(heard);
	if (strncmp(heard, "GET /userinfo ", 14) == 0 && issuer.userinfo != NULL &&
	    strstr(heard, "Authorization: Bearer at-1\r\n") != NULL)
		return say(200, json_loads(issuer.userinfo, 0, NULL));
	return fails(404, "not_found");
}

/* ---- for tests ---- */

void
issuer_reset(void)
{
	json_decref(issuer.said);
	json_decref(issuer.metadata);
	issuer = (struct issuer){ .alg = "ES256",
		.kid = "e1",
		.client = "client-1",
		.said = json_object(),
		.metadata = json_object(),
		.now = 1780315200, /* 2026-06-01T12:00:00Z */
		.published = 2 };
}

void
issuer_open(void)
{
	keys[0].jwk = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, NULL);
	keys[1].jwk = cjose_jwk_create_RSA_random(2048, (const uint8_t *)"\1\0\1", 3, NULL);
	keys[2].jwk = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, NULL);
	keys[3].jwk = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_384, NULL);
	for (int i = 0; i < ISSUER_KEYS; i++)
		assert_non_null(keys[i].jwk);
	neighbour_open(&issuer_server);
	issuer_server.choose = choose;
	issuer_reset();
	snprintf(url, sizeof(url), "%s", neighbour_url(&issuer_server, ""));
}

void
issuer_close(void)
{
	neighbour_close(&issuer_server);
	json_decref(issuer.said);
	json_decref(issuer.metadata);
	for (int i = 0; i < ISSUER_KEYS; i++)
		cjose_jwk_release(keys[i].jwk);
}

const char *
issuer_url(void)
{
	return url;
}

void
issuer_says(const char *claim, const char *value)
{
	json_object_set_new(issuer.said, claim, json_loads(value, JSON_DECODE_ANY, NULL));
}
