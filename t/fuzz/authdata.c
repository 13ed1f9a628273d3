/*
 * authdata.c - authenticator data: parsed parts lie within the input and end at its last byte, and
 * the data is invalid with a byte less or more.
 * fuzz: with modules/signin/webauthn.c
 * fuzz: with modules/signin/attest.c
 */
#include "../../modules/signin/webauthn.h"
#include "fuzz.h"
#include <string.h>

static void
check_inside(const struct webauthn_auth_data *d, const uint8_t *data, size_t size)
{
	size_t end = 37;

	must(d->rp_id_hash == data && size >= end);
	if (d->attested) {
		must(d->id.at == data + 55 && d->id.len > 0 && d->id.len <= WEBAUTHN_ID_MAX);
		must(d->key.at == d->id.at + d->id.len && d->key.len > 0);
		end = 55 + d->id.len + d->key.len;
		must(webauthn_key_algorithm(d->key) > -65537);
	}
	must(end <= size);
	must((data[32] & 0x80) != 0 || end == size);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct webauthn_auth_data d, other;
	uint8_t *longer;

	if (webauthn_auth_data((struct webauthn_bytes){ data, size }, &d) != WEBAUTHN_GOOD)
		return 0;
	check_inside(&d, data, size);
	must(
	    webauthn_auth_data((struct webauthn_bytes){ data, size - 1 }, &other) != WEBAUTHN_GOOD);
	longer = malloc(size + 1);
	must(longer != NULL);
	memcpy(longer, data, size);
	longer[size] = 0;
	must(webauthn_auth_data((struct webauthn_bytes){ longer, size + 1 }, &other) !=
	     WEBAUTHN_GOOD);
	free(longer);
	return 0;
}
