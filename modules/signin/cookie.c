/*
 * cookie.c - the session cookie, the source of a request, and the random tokens of cookies and
 * links.
 *
 * Under https the cookie is called __Host-stet, which browsers accept only with Secure, with Path=/
 * and without Domain: a page of another host of the same domain cannot set it.
 */
#include "signin.h"
#include <string.h>

#define NAME_SECURE "__Host-stet"
#define NAME "stet"
#define ATTRIBUTES "; Path=/; HttpOnly; SameSite=Lax"

/* ---- tokens ---- */

void
secret_make(char token[SECRET_LEN + 1])
{
	unsigned char secret[SECRET_BYTES];

	randombytes_buf(secret, sizeof(secret));
	sodium_bin2base64(token, SECRET_LEN + 1, secret, sizeof(secret),
	    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	sodium_memzero(secret, sizeof(secret));
}

void
secret_hash(const char *token, unsigned char hash[HASH_BYTES])
{
	crypto_hash_sha256(hash, (const unsigned char *)token, SECRET_LEN);
}

/* ---- the cookie ---- */

static const char *
cookie_name(struct stet_call *call)
{
	return transport_is_secure(call) ? NAME_SECURE : NAME;
}

const char *
cookie_read(struct stet_call *call)
{
	const char *value = stet_request_cookie(call, cookie_name(call));

	if (value == NULL || strlen(value) != SECRET_LEN ||
	    strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") !=
		SECRET_LEN)
		return NULL;
	return value;
}

void
cookie_set(struct stet_call *call, const char *token, int64_t seconds)
{
	stet_header(call, "Set-Cookie",
	    stet_printf(call, "%s=%s" ATTRIBUTES "; Max-Age=%lld%s", cookie_name(call), token,
		(long long)seconds, transport_is_secure(call) ? "; Secure" : ""));
}

void
cookie_clear(struct stet_call *call)
{
	stet_header(call, "Set-Cookie",
	    stet_printf(call, "%s=" ATTRIBUTES "; Max-Age=0%s", cookie_name(call),
		transport_is_secure(call) ? "; Secure" : ""));
}

/* ---- the source of a request ---- */

void
copy_printable(char *to, size_t size, const char *from)
{
	size_t n = 0;

	for (; from != NULL && *from != '\0' && n + 1 < size; from++)
		to[n++] = *from >= ' ' && *from <= '~' ? *from : '?';
	to[n] = '\0';
}

enum stet_status
cookie_check_source(struct stet_call *call)
{
	const char *said = stet_request_header(call, "x-cms-request");
	const char *site = stet_request_header(call, "sec-fetch-site");
	const char *origin = stet_request_header(call, "origin");

	if (said != NULL && strcmp(said, "1") == 0)
		return STET_OK;
	if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
		return stet_fail(call, STET_CSRF_REJECTED, NULL,
		    "A page of another site cannot sign anybody in here");
	if (origin != NULL && !stet_origin_allowed(call, origin))
		return stet_fail(call, STET_CSRF_REJECTED, NULL,
		    "A page of %.200s cannot sign anybody in here", origin);
	return STET_OK;
}
