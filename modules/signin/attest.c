/*
 * attest.c - attestation objects and authenticator data.
 *
 * CBOR from outside passes webauthn_cbor_span first: libcbor reserves memory for as many elements
 * as an array says it has, so it only gets items that are complete and shallow.
 */
#include "webauthn.h"
#include <cbor.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_LEN = 32, HEAD_LEN = 37, AAGUID_LEN = 16 };
enum {
	FLAG_UP = 0x01,
	FLAG_UV = 0x04,
	FLAG_BE = 0x08,
	FLAG_BS = 0x10,
	FLAG_AT = 0x40,
	FLAG_ED = 0x80
};

static uint32_t
big_endian(const unsigned char *at, size_t len)
{
	uint32_t n = 0;

	for (size_t i = 0; i < len; i++)
		n = n << 8 | at[i];
	return n;
}

/* ---- CBOR (RFC 8949) ---- */

enum major { UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE };

/* Reads the head of an item: its major type and its argument. Returns the length of the head, or
 * 0. */
static size_t
read_head(struct webauthn_bytes b, enum major *major, uint64_t *value)
{
	size_t more;
	unsigned info;

	if (b.len == 0)
		return 0;
	*major = (enum major)(b.at[0] >> 5);
	info = b.at[0] & 0x1f;
	if (info > 27) /* reserved, or of indefinite length */
		return 0;
	more = info < 24 ? 0 : (size_t)1 << (info - 24);
	if (b.len - 1 < more)
		return 0;
	*value = info;
	for (size_t i = 0; i < more; i++)
		*value = (i == 0 ? 0 : *value << 8) | b.at[1 + i];
	/* false, true, null, undefined, and floating point numbers */
	if (*major == SIMPLE && (info < 20 || info == 24))
		return 0;
	return *major == TAG ? 0 : 1 + more;
}

size_t
webauthn_cbor_span(struct webauthn_bytes b, int depth)
{
	enum major major;
	uint64_t value;
	size_t at = read_head(b, &major, &value);

	if (at == 0 || major == UNSIGNED || major == NEGATIVE || major == SIMPLE)
		return at;
	/* Every element has at least one byte, so the input bounds the loop below. */
	if (value > b.len - at)
		return 0;
	if (major == BYTES || major == TEXT)
		return at + (size_t)value;
	if (depth <= 1)
		return 0;
	for (uint64_t left = major == MAP ? value * 2 : value; left > 0; left--) {
		size_t span =
		    webauthn_cbor_span((struct webauthn_bytes){ b.at + at, b.len - at }, depth - 1);

		if (span == 0)
			return 0;
		at += span;
	}
	return at;
}

/* Loads the bytes as one item with nothing after it; NULL if they are not. */
static cbor_item_t *
load(struct webauthn_bytes b)
{
	struct cbor_load_result result;
	cbor_item_t *item;

	if (webauthn_cbor_span(b, WEBAUTHN_DEPTH_MAX) != b.len)
		return NULL;
	item = cbor_load(b.at, b.len, &result);
	if (item != NULL && result.read != b.len)
		cbor_decref(&item);
	return item;
}

/* ---- attestation objects (6.5.4) ---- */

struct members {
	const cbor_item_t *fmt, *statement, *auth_data;
};

static bool
is_text(const cbor_item_t *item, const char *text)
{
	return cbor_isa_string(item) && cbor_string_is_definite(item) &&
	       cbor_string_length(item) == strlen(text) &&
	       memcmp(cbor_string_handle(item), text, strlen(text)) == 0;
}

/* Finds the three members and ignores others. Returns false if one of the three occurs twice. */
static bool
find_members(const cbor_item_t *map, struct members *m)
{
	const struct cbor_pair *pair = cbor_map_handle(map);

	for (size_t i = 0; i < cbor_map_size(map); i++) {
		const cbor_item_t **place = NULL;

		if (is_text(pair[i].key, "fmt"))
			place = &m->fmt;
		else if (is_text(pair[i].key, "attStmt"))
			place = &m->statement;
		else if (is_text(pair[i].key, "authData"))
			place = &m->auth_data;
		if (place != NULL && *place != NULL)
			return false;
		if (place != NULL)
			*place = pair[i].value;
	}
	return true;
}

static bool
are_members_good(const struct members *m)
{
	if (m->fmt == NULL || m->statement == NULL || m->auth_data == NULL)
		return false;
	if (!cbor_isa_string(m->fmt) || !cbor_isa_map(m->statement) ||
	    !cbor_isa_bytestring(m->auth_data) || !cbor_bytestring_is_definite(m->auth_data))
		return false;
	/* The attestation format "none" has an empty statement (8.7). */
	return !is_text(m->fmt, "none") || cbor_map_size(m->statement) == 0;
}

static enum webauthn_verdict
copy_auth_data(const cbor_item_t *root, unsigned char **out, size_t *len)
{
	struct members m = { NULL, NULL, NULL };

	if (!cbor_isa_map(root) || !find_members(root, &m) || !are_members_good(&m))
		return WEBAUTHN_BAD_ATTESTATION;
	*len = cbor_bytestring_length(m.auth_data);
	*out = malloc(*len + 1);
	if (*out == NULL)
		return WEBAUTHN_FAULT;
	if (*len > 0)
		memcpy(*out, cbor_bytestring_handle(m.auth_data), *len);
	return WEBAUTHN_GOOD;
}

enum webauthn_verdict
webauthn_attestation(struct webauthn_bytes b, unsigned char **out, size_t *len)
{
	enum webauthn_verdict verdict;
	cbor_item_t *root;

	if (b.len > WEBAUTHN_INPUT_MAX)
		return WEBAUTHN_TOO_LARGE;
	root = load(b);
	if (root == NULL)
		return WEBAUTHN_BAD_ATTESTATION;
	verdict = copy_auth_data(root, out, len);
	cbor_decref(&root);
	return verdict;
}

/* ---- COSE keys (RFC 9052) ---- */

#define COSE_ALG 3

int
webauthn_key_algorithm(struct webauthn_bytes key)
{
	cbor_item_t *root = load(key);
	const struct cbor_pair *pair;
	int algorithm = 0;

	if (root == NULL)
		return 0;
	pair = cbor_isa_map(root) ? cbor_map_handle(root) : NULL;
	for (size_t i = 0; pair != NULL && i < cbor_map_size(root); i++)
		if (cbor_isa_uint(pair[i].key) && cbor_get_int(pair[i].key) == COSE_ALG &&
		    cbor_isa_negint(pair[i].value) && cbor_get_int(pair[i].value) < 65536)
			algorithm = -1 - (int)cbor_get_int(pair[i].value);
	cbor_decref(&root);
	return algorithm;
}

/* ---- authenticator data (6.1) ---- */

/* Parses the credential at the beginning of *rest (6.5.2), and moves *rest behind it. */
static enum webauthn_verdict
read_credential(struct webauthn_bytes *rest, struct webauthn_auth_data *out)
{
	if (rest->len < AAGUID_LEN + 2)
		return WEBAUTHN_BAD_AUTH_DATA;
	out->id.len = big_endian(rest->at + AAGUID_LEN, 2);
	out->id.at = rest->at + AAGUID_LEN + 2;
	rest->at = out->id.at;
	rest->len -= AAGUID_LEN + 2;
	if (out->id.len > WEBAUTHN_ID_MAX)
		return WEBAUTHN_LONG_ID;
	if (out->id.len == 0 || out->id.len > rest->len)
		return WEBAUTHN_BAD_AUTH_DATA;
	rest->at += out->id.len;
	rest->len -= out->id.len;
	out->key =
	    (struct webauthn_bytes){ rest->at, webauthn_cbor_span(*rest, WEBAUTHN_DEPTH_MAX) };
	rest->at += out->key.len;
	rest->len -= out->key.len;
	return out->key.len == 0 ? WEBAUTHN_BAD_AUTH_DATA : WEBAUTHN_GOOD;
}

enum webauthn_verdict
webauthn_auth_data(struct webauthn_bytes b, struct webauthn_auth_data *out)
{
	enum webauthn_verdict verdict = WEBAUTHN_GOOD;
	struct webauthn_bytes rest;
	unsigned flags;

	if (b.len > WEBAUTHN_INPUT_MAX)
		return WEBAUTHN_TOO_LARGE;
	if (b.len < HEAD_LEN)
		return WEBAUTHN_BAD_AUTH_DATA;
	rest = (struct webauthn_bytes){ b.at + HEAD_LEN, b.len - HEAD_LEN };
	flags = b.at[HASH_LEN];
	*out = (struct webauthn_auth_data){ .whole = b,
		.rp_id_hash = b.at,
		.counter = big_endian(b.at + HASH_LEN + 1, 4),
		.present = (flags & FLAG_UP) != 0,
		.verified = (flags & FLAG_UV) != 0,
		.backup_eligible = (flags & FLAG_BE) != 0,
		.backed_up = (flags & FLAG_BS) != 0,
		.attested = (flags & FLAG_AT) != 0 };
	if (out->attested)
		verdict = read_credential(&rest, out);
	if (verdict != WEBAUTHN_GOOD)
		return verdict;
	/* Extensions are one map up to the end. Without the flag there must be no bytes left. */
	if ((flags & FLAG_ED) == 0)
		return rest.len == 0 ? WEBAUTHN_GOOD : WEBAUTHN_BAD_AUTH_DATA;
	if (rest.len == 0 || rest.at[0] >> 5 != MAP ||
	    webauthn_cbor_span(rest, WEBAUTHN_DEPTH_MAX) != rest.len)
		return WEBAUTHN_BAD_AUTH_DATA;
	return WEBAUTHN_GOOD;
}
