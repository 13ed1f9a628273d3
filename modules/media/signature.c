/*
 * signature.c - signatures in URLs: whoever has such a URL may do what it allows. A signature is
 * the first half of a MAC with the site's key (stet_mac), so `stet key rotate` ends all of them.
 */
#include "media.h"
#include <sodium.h>
#include <stet/vault.h>
#include <string.h>

#define MAC_BYTES 16 /* length of a signature: 128 bits */
#define VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING

enum stet_status
signature_make(struct stet_call *call, const char *purpose, const char *text, const char **out)
{
	const size_t size = sodium_base64_encoded_len(MAC_BYTES, VARIANT);
	unsigned char mac[STET_MAC_SIZE];

	STET_TRY(stet_mac(call, purpose, text, strlen(text), mac));
	*out = sodium_bin2base64(stet_alloc(call, size), size, mac, MAC_BYTES, VARIANT);
	return STET_OK;
}

enum stet_status
signature_check(
    struct stet_call *call, const char *purpose, const char *text, const char *given, bool *right)
{
	const char *made;

	STET_TRY(signature_make(call, purpose, text, &made));
	*right = given != NULL && strlen(given) == strlen(made) &&
		 sodium_memcmp(given, made, strlen(made)) == 0;
	return STET_OK;
}
