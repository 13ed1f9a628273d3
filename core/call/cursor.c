/*
 * cursor.c - positions in lists, as clients pass them from page to page (keyset pagination). A
 * cursor is base64url of a checksum seeded with the name of the list, the type of the key, the key
 * and the id of the last row. The checksum detects cursors of other lists and damaged ones. A
 * cursor is no secret: the client has seen its values in the last row.
 */
#include <sodium.h>
#include <stet/call.h>
#include <string.h>
#include <xxhash.h>

#define CURSOR_MAX 2048 /* characters */
#define RAW_MAX ((CURSOR_MAX - 1) / 4 * 3) /* bytes before base64 */
#define HEAD 11 /* checksum (8), type (1), length of the id (2) */
#define ID_MAX 255
#define KEY_MAX 1024 /* bytes of a string */

_Static_assert(HEAD + KEY_MAX + ID_MAX <= RAW_MAX, "every cursor fits");

enum key_type { KEY_NULL = 'n', KEY_INT = 'i', KEY_REAL = 'r', KEY_TEXT = 's' };

static void
sum(const char *listing, const unsigned char *raw, size_t len, unsigned char out[8])
{
	XXH64_hash_t seed = XXH3_64bits(listing, strlen(listing));
	XXH64_canonical_t canonical;

	XXH64_canonicalFromHash(&canonical, XXH3_64bits_withSeed(raw + 8, len - 8, seed));
	memcpy(out, canonical.digest, 8);
}

/* Cuts a longer text at a character boundary and returns its length. */
static size_t
cut(const char *s, size_t len)
{
	if (len <= KEY_MAX)
		return len;
	for (len = KEY_MAX; len > 0 && ((unsigned char)s[len] & 0xc0) == 0x80; len--)
		;
	return len;
}

static size_t
put_key(unsigned char *raw, const json_t *key)
{
	int64_t i = json_integer_value(key);
	double r = json_real_value(key);
	size_t n;

	switch (key == NULL ? JSON_NULL : json_typeof(key)) {
	case JSON_INTEGER:
		raw[8] = KEY_INT;
		memcpy(raw + HEAD, &i, sizeof i);
		return sizeof i;
	case JSON_REAL:
		raw[8] = KEY_REAL;
		memcpy(raw + HEAD, &r, sizeof r);
		return sizeof r;
	case JSON_STRING:
		raw[8] = KEY_TEXT;
		n = cut(json_string_value(key), json_string_length(key));
		memcpy(raw + HEAD, json_string_value(key), n);
		return n;
	default:
		raw[8] = KEY_NULL;
		return 0;
	}
}

char *
stet_cursor_make(struct stet_call *call, const char *listing, const json_t *key, const char *id)
{
	unsigned char raw[RAW_MAX];
	size_t id_len = strnlen(id, ID_MAX), len, size;
	char *out;

	len = HEAD + put_key(raw, key);
	raw[9] = (unsigned char)id_len;
	raw[10] = 0;
	memcpy(raw + len, id, id_len);
	len += id_len;
	sum(listing, raw, len, raw);
	size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	out = stet_alloc(call, size);
	sodium_bin2base64(out, size, raw, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return out;
}

/* Decodes a key. Returns NULL if it is malformed. */
static json_t *
get_key(unsigned char type, const unsigned char *p, size_t len)
{
	int64_t i;
	double r;

	switch (type) {
	case KEY_NULL:
		return len == 0 ? json_null() : NULL;
	case KEY_INT:
		if (len != sizeof i)
			return NULL;
		memcpy(&i, p, sizeof i);
		return json_integer(i);
	case KEY_REAL:
		if (len != sizeof r)
			return NULL;
		memcpy(&r, p, sizeof r);
		return json_real(r); /* NULL if it is not finite */
	case KEY_TEXT:
		if (memchr(p, 0, len) != NULL)
			return NULL;
		return json_stringn((const char *)p, len); /* NULL if it is not UTF-8 */
	default:
		return NULL;
	}
}

static bool
parse(struct stet_call *call, const char *text, const char *listing, const json_t **key,
    const char **id)
{
	unsigned char raw[RAW_MAX], check[8];
	size_t len, id_len, text_len = strnlen(text, CURSOR_MAX + 1);
	json_t *k;

	if (text_len > CURSOR_MAX || sodium_base642bin(raw, sizeof raw, text, text_len, NULL, &len,
					 NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
		return false;
	if (len < HEAD)
		return false;
	id_len = raw[9];
	if (raw[10] != 0 || id_len == 0 || HEAD + id_len > len)
		return false;
	sum(listing, raw, len, check);
	if (memcmp(check, raw, sizeof check) != 0)
		return false;
	k = get_key(raw[8], raw + HEAD, len - HEAD - id_len);
	if (k == NULL)
		return false;
	*key = stet_json_own(call, k);
	*id = stet_strndup(call, (const char *)raw + len - id_len, id_len);
	return strlen(*id) == id_len && stet_utf8_length(*id) >= 0;
}

enum stet_status
stet_cursor_read(struct stet_call *call, const char *cursor, const char *listing,
    const json_t **key, const char **id)
{
	if (parse(call, cursor, listing, key, id))
		return STET_OK;
	return stet_fail(call, STET_INVALID_CURSOR, "cursor",
	    "Invalid pagination cursor: it is not one of this listing and order");
}
