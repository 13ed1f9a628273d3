/*
 * cookie.c - the session cookie, the source of a request, and the random tokens of cookies and
 * links.
 *
 * Under https the cookie is called __Host-stet, which browsers accept only with Secure, with Path=/
 * and without Domain: a page of another host of the same domain cannot set it.
 */
#include "signin.h"
#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

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

bool
cookie_is_secure(struct stet_call *call)
{
	return strncasecmp(stet_base_url(call), "https://", 8) == 0;
}

static const char *
cookie_name(struct stet_call *call)
{
	return cookie_is_secure(call) ? NAME_SECURE : NAME;
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
		(long long)seconds, cookie_is_secure(call) ? "; Secure" : ""));
}

void
cookie_clear(struct stet_call *call)
{
	stet_header(call, "Set-Cookie",
	    stet_printf(call, "%s=" ATTRIBUTES "; Max-Age=0%s", cookie_name(call),
		cookie_is_secure(call) ? "; Secure" : ""));
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

bool
cookie_is_loopback(const char *host)
{
	static const char *const names[] = { "localhost", "127.", "[::1]" };
	size_t len = strcspn(host, ":/");

	if (strncasecmp(host, names[0], 9) == 0 && (len == 9))
		return true;
	if (len > 10 && strncasecmp(host + len - 10, ".localhost", 10) == 0)
		return true;
	/* An IP address, not a name that begins like one (127.0.0.1.example.org). */
	if (strncmp(host, names[1], 4) == 0 && strspn(host, "0123456789.") == len)
		return true;
	return strncmp(host, names[2], 5) == 0;
}

/* Returns true for an address that only machines of the same network reach (RFC 1918, RFC 3927,
 * RFC 4193, RFC 4291), and for names that only such networks know: nas, nas.local (RFC 6762),
 * nas.home.arpa (RFC 8375), nas.internal, nas.lan. */
static bool
is_local(const char *host)
{
	static const char *const ends[] = { ".local", ".home.arpa", ".internal", ".lan" };
	const bool bracket = *host == '[';
	const size_t len = strcspn(host + bracket, bracket ? "]" : ":/");
	char name[256];
	unsigned char ip[16];

	if (len == 0 || len >= sizeof(name))
		return false;
	memcpy(name, host + bracket, len);
	name[len] = '\0';
	if (inet_pton(AF_INET6, name, ip) == 1)
		return (ip[0] & 0xfe) == 0xfc || (ip[0] == 0xfe && (ip[1] & 0xc0) == 0x80);
	if (inet_pton(AF_INET, name, ip) == 1)
		return ip[0] == 10 || (ip[0] == 172 && (ip[1] & 0xf0) == 16) ||
		       (ip[0] == 192 && ip[1] == 168) || (ip[0] == 169 && ip[1] == 254);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (len > strlen(ends[i]) && strcasecmp(name + len - strlen(ends[i]), ends[i]) == 0)
			return true;
	return strpbrk(name, ".:") == NULL && strspn(name, "0123456789") != len;
}

bool
cookie_may_be_sent(struct stet_call *call)
{
	const char *base = stet_base_url(call), *scheme = strstr(base, "://");

	return cookie_is_secure(call) || scheme == NULL || cookie_is_loopback(scheme + 3) ||
	       (json_is_true(session_setting(call, HTTP_IN_LAN)) && is_local(scheme + 3));
}

enum stet_status
cookie_check_transport(struct stet_call *call)
{
	if (cookie_may_be_sent(call))
		return STET_OK;
	return stet_fail(call, STET_FORBIDDEN, NULL,
	    "Nobody can sign in at %s, since others can read what is sent by http: set up https, and"
	    " name it in base-url of stet.conf, or in a network that you trust set " HTTP_IN_LAN
	    " (stet.conf(5), LIFETIMES)",
	    stet_base_url(call));
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
