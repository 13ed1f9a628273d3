/*
 * start.c - begins a sign-in: sends the browser to the provider, which sends it back with `state`.
 *
 * Nothing is stored until then. The state is, in base64url:
 *
 * id (16 bytes, random) | expiry (8) | user who links an account (26, or NUL) | MAC (32)
 *
 * The MAC also covers the provider and a cookie of this browser, which has random bytes and the
 * path to go to. So a state does not work in another browser (login CSRF, RFC 9700 section 4.7.1).
 * The PKCE verifier and the nonce are MACs of the same data. callback.c stores the id when it is
 * used, so that it cannot be used again.
 */
#include "oidc.h"
#include <sodium.h>
#include <string.h>
#include <strings.h>

#define LIFETIME (INT64_C(10) * 60 * 1000) /* milliseconds */
#define LIFETIME_SECONDS 600
#define USER_LEN 26
#define HEAD_LEN (16 + 8 + USER_LEN)
#define STATE_LEN (HEAD_LEN + STET_MAC_SIZE)
#define B64 sodium_base64_VARIANT_URLSAFE_NO_PADDING
#define STARTS 60 /* requests from one address, in START_SECONDS */
#define START_SECONDS 300

/* clang-format off */
#define PROVIDER \
	{ "provider", STET_STRING, STET_REQUIRED, .about = "Id of the provider", \
	    STET_RANGE(1, PROVIDER_ID_MAX) }
/* clang-format on */
const struct stet_member start_in[] = {
	PROVIDER,
	{ "next", STET_STRING, .about = "Where to go then: a path of this site",
	    STET_RANGE(0, 1000) },
	{ 0 },
};
const struct stet_member link_in[] = { PROVIDER, { 0 } };
const struct stet_member link_out[] = {
	{ "url", STET_STRING, STET_REQUIRED, .about = "Where to send the browser" },
	{ 0 },
};

static const char *
base64(struct stet_call *call, const void *bytes, size_t len)
{
	size_t size = sodium_base64_ENCODED_LEN(len, B64);

	return sodium_bin2base64(stet_alloc(call, size), size, bytes, len, B64);
}

static bool
is_https(struct stet_call *call)
{
	return strncasecmp(stet_base_url(call), "https://", 8) == 0;
}

static const char *
cookie_name(struct stet_call *call)
{
	return is_https(call) ? "__Host-stet-oidc" : "stet-oidc";
}

static void
set_cookie(struct stet_call *call, const char *value, int seconds)
{
	stet_header(call, "Set-Cookie",
	    stet_printf(call, "%s=%s; Path=/; HttpOnly; SameSite=Lax; Max-Age=%d%s",
		cookie_name(call), value, seconds, is_https(call) ? "; Secure" : ""));
}

void
attempt_clear(struct stet_call *call)
{
	set_cookie(call, "", 0);
}

const char *
redirect_uri(struct stet_call *call, const char *provider)
{
	return stet_printf(
	    call, "%s/_cms/api/auth/oauth/%s/callback", stet_base_url(call), provider);
}

/* Computes a MAC of the state's head, the provider and the cookie. */
static enum stet_status
mac(struct stet_call *call, const char *purpose, const unsigned char head[HEAD_LEN],
    const char *provider, const char *cookie, unsigned char out[STET_MAC_SIZE])
{
	size_t a = strlen(provider) + 1, b = strlen(cookie);
	unsigned char *all = stet_alloc(call, HEAD_LEN + a + b);

	memcpy(all, head, HEAD_LEN);
	memcpy(all + HEAD_LEN, provider, a);
	memcpy(all + HEAD_LEN + a, cookie, b);
	return stet_mac(call, purpose, all, HEAD_LEN + a + b, out);
}

/* Derives the PKCE verifier and the nonce. */
static enum stet_status
derive(struct stet_call *call, const unsigned char head[HEAD_LEN], const char *provider,
    const char *cookie, struct attempt *a)
{
	unsigned char bytes[STET_MAC_SIZE];

	STET_TRY(mac(call, "oidc verifier", head, provider, cookie, bytes));
	a->verifier = base64(call, bytes, sizeof(bytes));
	STET_TRY(mac(call, "oidc nonce", head, provider, cookie, bytes));
	a->nonce = base64(call, bytes, sizeof(bytes));
	return STET_OK;
}

static void
put_time(unsigned char out[8], int64_t ms)
{
	for (int i = 0; i < 8; i++)
		out[i] = (unsigned char)((uint64_t)ms >> (56 - 8 * i));
}

/* ---- to the provider ---- */

static void
add_parameter(struct stet_call *call, const char **url, const char *name, const char *value)
{
	static const char *const pattern = "/{v}";
	const char *parts[] = { "v", value, NULL };

	/* stet_path_fill percent-encodes all characters that are not unreserved (RFC 3986). */
	*url = stet_printf(call, "%s%c%s=%s", *url, strchr(*url, '?') != NULL ? '&' : '?', name,
	    stet_path_fill(call, pattern, parts) + 1);
}

/* Sets *url to the provider's sign-in page with all parameters, and sets the cookie. */
static enum stet_status
begin(struct stet_call *call, const char *user_id, const char *next, const char **url)
{
	unsigned char state[STATE_LEN] = { 0 }, secret[32], digest[crypto_hash_sha256_BYTES];
	const char *cookie, *endpoint;
	const json_t *metadata;
	struct provider p;
	struct attempt a;

	STET_TRY(provider_load(call, stet_arg(call, "provider"), &p));
	STET_TRY(discover(call, &p, false, &metadata, NULL));
	randombytes_buf(secret, sizeof(secret));
	cookie = stet_printf(call, "%s.%s", base64(call, secret, sizeof(secret)),
	    stet_is_local_path(next) ? base64(call, next, strlen(next)) : "");
	randombytes_buf(state, 16);
	put_time(state + 16, stet_now(call) + LIFETIME);
	if (user_id != NULL)
		memcpy(state + 24, user_id, USER_LEN);
	STET_TRY(mac(call, "oidc state", state, p.id, cookie, state + HEAD_LEN));
	STET_TRY(derive(call, state, p.id, cookie, &a));
	crypto_hash_sha256(digest, (const unsigned char *)a.verifier, strlen(a.verifier));
	endpoint = json_string_value(json_object_get(metadata, "authorization_endpoint"));
	*url = endpoint;
	add_parameter(call, url, "response_type", "code");
	add_parameter(call, url, "client_id", p.client_id);
	add_parameter(call, url, "redirect_uri", redirect_uri(call, p.id));
	add_parameter(call, url, "scope", "openid email profile");
	add_parameter(call, url, "state", base64(call, state, sizeof(state)));
	add_parameter(call, url, "nonce", a.nonce);
	add_parameter(call, url, "code_challenge", base64(call, digest, sizeof(digest)));
	add_parameter(call, url, "code_challenge_method", "S256");
	set_cookie(call, cookie, LIFETIME_SECONDS);
	return STET_OK;
}

enum stet_status
start_signin(struct stet_call *call)
{
	const char *url;
	enum stet_status status;

	STET_TRY(stet_limit(call, "oidc-start", NULL, STARTS, START_SECONDS));
	status = begin(call, NULL, stet_arg(call, "next"), &url);
	if (status == STET_OK)
		return stet_redirect(call, 302, url);
	if (status != STET_UPSTREAM_ERROR && status != STET_VALIDATION_ERROR)
		return status;
	stet_log(call, STET_WARN, "sign-in by %s: %s", stet_arg(call, "provider"),
	    stet_error_text(call));
	stet_error_clear(call);
	return stet_redirect(call, 302, PAGE_SIGNIN "?error=provider_failed");
}

enum stet_status
start_link(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	struct stet_json *out = stet_reply(call);
	const char *url;

	if (p->session_id == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, NULL,
		    "An account at a provider is linked in a browser that is signed in");
	STET_TRY(stet_limit(call, "oidc-start", NULL, STARTS, START_SECONDS));
	STET_TRY(begin(call, p->id, NULL, &url));
	stet_object(out, NULL);
	stet_put_str(out, "url", url);
	stet_close(out);
	return STET_OK;
}

/* ---- from the provider ---- */

static const char *
read_next(struct stet_call *call, const char *cookie)
{
	const char *dot = strchr(cookie, '.');
	char *text;
	size_t len;

	if (dot == NULL || dot[1] == '\0')
		return NULL;
	text = stet_alloc(call, strlen(dot) + 1);
	if (sodium_base642bin((unsigned char *)text, strlen(dot), dot + 1, strlen(dot + 1), NULL,
		&len, NULL, B64) != 0)
		return NULL;
	return stet_is_local_path(text) ? text : NULL;
}

bool
attempt_read(struct stet_call *call, const char *provider, struct attempt *a)
{
	const char *text = stet_arg(call, "state");
	const char *cookie = stet_request_cookie(call, cookie_name(call));
	unsigned char state[STATE_LEN], good[STET_MAC_SIZE];
	size_t len;

	memset(a, 0, sizeof(*a));
	if (text == NULL || cookie == NULL || strlen(cookie) > 2000 ||
	    sodium_base642bin(state, sizeof(state), text, strlen(text), NULL, &len, NULL, B64) !=
		0 ||
	    len != sizeof(state) ||
	    mac(call, "oidc state", state, provider, cookie, good) != STET_OK ||
	    sodium_memcmp(good, state + HEAD_LEN, sizeof(good)) != 0)
		return false;
	for (int i = 0; i < 8; i++)
		a->expires = (int64_t)((uint64_t)a->expires << 8 | state[16 + i]);
	if (stet_now(call) >= a->expires)
		return false;
	memcpy(a->id, state, sizeof(a->id));
	if (state[24] != '\0')
		a->user_id = stet_strndup(call, (const char *)state + 24, USER_LEN);
	a->next = read_next(call, cookie);
	return derive(call, state, provider, cookie, a) == STET_OK;
}
