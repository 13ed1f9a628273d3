/*
 * provider.c - what an identity provider publishes. The first line is its metadata: accepted
 * metadata has the issuer that was asked, and permitted endpoints. The rest is its set of keys: a
 * token that the target signs is valid only with the target's key, whatever other keys the set has.
 * fuzz: with modules/oidc
 */
#include "../../modules/oidc/idtoken.h"
#include "../../modules/oidc/oidc.h"
#include "call/call.h"
#include "call/site.h"
#include "conf/conf.h"
#include "fuzz.h"
#include <cjose/base64.h>
#include <cjose/cjose.h>
#include <stet/fetch.h>
#include <string.h>

#define ISSUER "https://id.example"
#define NOW 1780315200
#define OUR_X "I44LKv-lJsfXcwcG9Nu2fbNx3Q0EJR9hFOeyE0J8wLU"
#define OUR_Y "rP_Or2l_y7L1yVNoI5ne2zMjKHqs8TD-ICSSIAwyVzc"
#define OUR_D "QJAY4SF_LdAbeEChXF1kc-jHDrzkA7w2Pwncw_xv-Fk" /* a key made for this test */

static const char *
text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

static void
take_metadata(const char *text)
{
	static const char *const endpoints[] = { "authorization_endpoint", "token_endpoint",
		"jwks_uri" };
	char *none[] = { NULL };
	struct conf_site conf = { .fetch_allow = none };
	struct generation gen = { .conf = &conf };
	struct stet_call *call = call_new();
	const char *why;
	const json_t *metadata = stet_json_parse(call, text, strlen(text), &why);

	call->gen = &gen;
	why = json_is_object(metadata) ? metadata_refuses(call, ISSUER, metadata) : "no object";
	if (why == NULL) {
		must(strcmp(text_of(metadata, "issuer"), ISSUER) == 0);
		for (size_t i = 0; i < 3; i++)
			must(strncasecmp(text_of(metadata, endpoints[i]), "https://", 8) == 0 &&
			     stet_fetch_refuses(call, text_of(metadata, endpoints[i])) == NULL);
	}
	call->gen = NULL;
	call_free(call);
}

/* The token is signed once and used for all inputs. */
static const char *
our_token(void)
{
	static const char key[] = "{\"kty\":\"EC\",\"kid\":\"1\",\"crv\":\"P-256\",\"x\":\"" OUR_X
				  "\",\"y\":\"" OUR_Y "\",\"d\":\"" OUR_D "\"}";
	static const char claims[] =
	    "{\"iss\":\"" ISSUER "\",\"aud\":\"site\",\"sub\":\"1\",\"nonce\":\"n\","
	    "\"exp\":1780315800,\"iat\":1780315200}";
	static const char *token;
	cjose_header_t *header;
	cjose_jwk_t *jwk;
	cjose_jws_t *jws;

	if (token != NULL)
		return token;
	jwk = cjose_jwk_import(key, strlen(key), NULL);
	header = cjose_header_new(NULL);
	must(jwk != NULL && cjose_header_set(header, CJOSE_HDR_ALG, CJOSE_HDR_ALG_ES256, NULL) &&
	     cjose_header_set(header, CJOSE_HDR_KID, "1", NULL));
	jws = cjose_jws_sign(jwk, header, (const uint8_t *)claims, strlen(claims), NULL);
	must(jws != NULL && cjose_jws_export(jws, &token, NULL));
	token = strdup(token);
	cjose_jws_release(jws);
	cjose_header_release(header);
	cjose_jwk_release(jwk);
	return token;
}

/* Returns true if the base64url text is this coordinate. Two bits of the last character have no
 * meaning. */
static bool
is_coordinate(const json_t *key, const char *name, const char *ours)
{
	uint8_t *a = NULL, *b = NULL;
	const char *text = text_of(key, name);
	size_t a_len = 0, b_len = 0;
	bool same = cjose_base64url_decode(text, strlen(text), &a, &a_len, NULL) &&
		    cjose_base64url_decode(ours, strlen(ours), &b, &b_len, NULL) &&
		    a_len == b_len && memcmp(a, b, a_len) == 0;

	free(a);
	free(b);
	return same;
}

static bool
has_our_key(const json_t *keys)
{
	const json_t *list = json_object_get(keys, "keys"), *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		if (is_coordinate(one, "x", OUR_X) && is_coordinate(one, "y", OUR_Y))
			return true;
	}
	return false;
}

static void
take_keys(const char *text)
{
	json_t *keys = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *claims;
	const struct idtoken_check check = { ISSUER, "site", "n", NOW, keys };
	const char *why;
	bool unknown;

	claims = idtoken_verify(our_token(), &check, &why, &unknown);
	must((claims == NULL) == (why != NULL));
	must(claims == NULL || has_our_key(keys));
	json_decref(claims);
	json_decref(keys);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *end;

	must(text != NULL);
	end = strchr(text, '\n');
	if (end != NULL) {
		*end = '\0';
		take_keys(end + 1);
	}
	take_metadata(text);
	free(text);
	return 0;
}
