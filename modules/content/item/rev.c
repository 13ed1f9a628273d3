/* rev.c - the _rev of an item: its version and the time of its last change, in Base64. */
#include "item/item.h"
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

int64_t
item_rev_version(const char *rev)
{
	char text[64], *end;
	size_t len;
	long long version;

	if (sodium_base642bin((unsigned char *)text, sizeof(text) - 1, rev, strcspn(rev, "."), NULL,
		&len, NULL, sodium_base64_VARIANT_ORIGINAL) != 0)
		return 0;
	text[len] = '\0';
	if (*text < '1' || *text > '9')
		return 0;
	errno = 0;
	version = strtoll(text, &end, 10);
	return *end == ':' && errno == 0 ? version : 0;
}

/* The text that a _rev encodes, "7:2026-11-20T12:00:00.000Z". Made without printf, since every item
 * that is read needs one. */
struct rev_text {
	char text[64];
	const char *at;
	size_t len;
};

static void
rev_text(int64_t version, const char *updated_at, struct rev_text *out)
{
	char *p = out->text + 24;
	size_t len = strnlen(updated_at, sizeof(out->text) - 26);

	memcpy(p, updated_at, len);
	*--p = ':';
	do
		*--p = (char)('0' + version % 10);
	while ((version /= 10) > 0);
	out->at = p;
	out->len = (size_t)(out->text + 24 - p) + len;
}

char *
item_rev(struct stet_call *call, int64_t version, const char *updated_at)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct rev_text text;
	const unsigned char *s;
	size_t len;
	char *out, *to;

	rev_text(version, updated_at, &text);
	s = (const unsigned char *)text.at;
	len = text.len;
	to = out = stet_alloc(call, (len + 2) / 3 * 4 + 1);
	for (size_t i = 0; i < len; i += 3) {
		/* Missing bytes at the end count as zeros and must not be read. */
		unsigned b = i + 1 < len ? s[i + 1] : 0, c = i + 2 < len ? s[i + 2] : 0;
		unsigned v = (unsigned)s[i] << 16 | b << 8 | c;

		*to++ = digits[v >> 18];
		*to++ = digits[v >> 12 & 63];
		*to++ = i + 1 < len ? digits[v >> 6 & 63] : '=';
		*to++ = i + 2 < len ? digits[v & 63] : '=';
	}
	return out;
}
