/*
 * known.c - recognises browsers that have signed in to an account before. Anybody may ask for mails
 * to any address, and the limits for that must not lock the owner out. So a browser that has signed
 * in before has its own limit.
 *
 * It has a cookie: a nonce and a MAC of the nonce and the address. Nothing is stored, and no lookup
 * can take longer for addresses of users.
 */
#include "signin.h"
#include <stet/vault.h>
#include <string.h>

#define NONCE 16 /* bytes */
#define SIZE (NONCE + STET_MAC_SIZE)
#define TEXT_LEN 64 /* SIZE bytes in base64url without padding */
#define NAME "stet-known"
#define NAME_SECURE "__Host-" NAME
#define ATTRIBUTES "; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
#define PURPOSE "known-browser"

static const char *
name_of(struct stet_call *call)
{
	return transport_is_secure(call) ? NAME_SECURE : NAME;
}

static enum stet_status
make_mac(struct stet_call *call, const unsigned char nonce[NONCE], const char *email,
    unsigned char mac[STET_MAC_SIZE])
{
	size_t len = strlen(email);
	unsigned char *data = stet_alloc(call, NONCE + len);

	memcpy(data, nonce, NONCE);
	memcpy(data + NONCE, email, len);
	return stet_mac(call, PURPOSE, data, NONCE + len, mac);
}

void
known_set(struct stet_call *call, const char *email)
{
	unsigned char bytes[SIZE];
	char text[TEXT_LEN + 1];

	randombytes_buf(bytes, NONCE);
	if (make_mac(call, bytes, email, bytes + NONCE) != STET_OK) {
		stet_error_clear(call); /* no site key: the browser stays unknown */
		return;
	}
	sodium_bin2base64(
	    text, sizeof(text), bytes, SIZE, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	stet_header(call, "Set-Cookie",
	    stet_printf(call, "%s=%s" ATTRIBUTES "%s", name_of(call), text,
		transport_is_secure(call) ? "; Secure" : ""));
}

enum stet_status
known_browser(struct stet_call *call, const char *email, const char **browser)
{
	const char *text = stet_request_cookie(call, name_of(call));
	unsigned char bytes[SIZE], mac[STET_MAC_SIZE];
	size_t len;

	*browser = NULL;
	if (text == NULL || strlen(text) != TEXT_LEN ||
	    sodium_base642bin(bytes, sizeof(bytes), text, TEXT_LEN, NULL, &len, NULL,
		sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    len != SIZE)
		return STET_OK;
	STET_TRY(make_mac(call, bytes, email, mac));
	if (sodium_memcmp(mac, bytes + NONCE, sizeof(mac)) == 0)
		*browser = stet_strndup(call, text, TEXT_LEN);
	return STET_OK;
}
