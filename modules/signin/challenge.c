/*
 * challenge.c - challenges of WebAuthn ceremonies, without a row for each.
 *
 * A challenge is a nonce, its expiry, its kind and the user, with a MAC of the site's key. So
 * asking for one writes nothing, however often strangers do, and every daemon with the key can
 * check it. When a ceremony succeeds, the nonce goes into used_challenges in the same transaction.
 * Until it expires, using it again violates the primary key.
 */
#include "passkey.h"
#include <string.h>

#define LIFETIME INT64_C(300000) /* milliseconds */
#define PURPOSE "passkey-challenge"
enum { EXPIRY = CHALLENGE_NONCE, KIND = EXPIRY + 8, USER = KIND + 1, USER_LEN = 26 };
#define BODY_MAX (USER + USER_LEN)

/* ---- the MAC ---- */

/* The length of the body depends only on its kind, so body and digest cannot be confused. */
static enum stet_status
make_mac(struct stet_call *call, const unsigned char *body, size_t len, const char *binding,
    unsigned char mac[STET_MAC_SIZE])
{
	unsigned char data[BODY_MAX + HASH_BYTES];

	memcpy(data, body, len);
	crypto_hash_sha256(data + len, (const unsigned char *)binding, strlen(binding));
	return stet_mac(call, PURPOSE, data, len + HASH_BYTES, mac);
}

static size_t
body_len(enum challenge_kind kind)
{
	return kind == CHALLENGE_SIGN_IN ? USER : BODY_MAX;
}

/* ---- making and reading ---- */

enum stet_status
challenge_make(struct stet_call *call, enum challenge_kind kind, const char *user_id,
    const char *binding, char text[CHALLENGE_TEXT])
{
	unsigned char bytes[BODY_MAX + STET_MAC_SIZE];
	const uint64_t expires = (uint64_t)(stet_now(call) + LIFETIME);
	const size_t len = body_len(kind);

	randombytes_buf(bytes, CHALLENGE_NONCE);
	for (int i = 0; i < 8; i++)
		bytes[EXPIRY + i] = (unsigned char)(expires >> (56 - 8 * i));
	bytes[KIND] = (unsigned char)kind;
	if (len > USER)
		memcpy(bytes + USER, user_id, USER_LEN);
	STET_TRY(make_mac(call, bytes, len, binding, bytes + len));
	sodium_bin2base64(text, CHALLENGE_TEXT, bytes, len + STET_MAC_SIZE,
	    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return STET_OK;
}

enum stet_status
challenge_read(struct stet_call *call, enum challenge_kind kind, struct webauthn_bytes b,
    const char *binding, struct challenge *out, bool *good)
{
	const size_t len = body_len(kind);
	unsigned char mac[STET_MAC_SIZE];
	uint64_t expires = 0;

	*good = false;
	if (b.len != len + STET_MAC_SIZE || b.at[KIND] != kind)
		return STET_OK;
	STET_TRY(make_mac(call, b.at, len, binding, mac));
	if (sodium_memcmp(mac, b.at + len, sizeof(mac)) != 0)
		return STET_OK;
	for (int i = 0; i < 8; i++)
		expires = expires << 8 | b.at[EXPIRY + i];
	memset(out, 0, sizeof(*out));
	out->expires_at = (int64_t)expires;
	memcpy(out->nonce, b.at, CHALLENGE_NONCE);
	if (len > USER)
		memcpy(out->user_id, b.at + USER, USER_LEN);
	*good = stet_now(call) < out->expires_at;
	return STET_OK;
}

enum stet_status
challenge_use(struct stet_call *call, struct stet_tx *tx, const struct challenge *c, bool *good)
{
	enum stet_status status;

	*good = false;
	/* Checked again: after the expiry, the row of an earlier use may be deleted. */
	if (stet_now(call) >= c->expires_at)
		return STET_OK;
	status =
	    stet_exec(call, tx, "INSERT INTO used_challenges (nonce, expires_at) VALUES (?1, ?2)",
		STET_ARGS(stet_val_blob(c->nonce, sizeof(c->nonce)),
		    stet_time_text(call, c->expires_at)));
	*good = status == STET_OK;
	return status == STET_CONFLICT ? STET_OK : status;
}

/* ---- the browser ---- */

#define COOKIE "stet-signin"
#define COOKIE_SECURE "__Host-" COOKIE
#define ATTRIBUTES "; Path=/; HttpOnly; SameSite=Lax; Max-Age=600"

static bool
is_secret(const char *value)
{
	return value != NULL && strlen(value) == SECRET_LEN;
}

/* Browsers send Sec-Fetch-Site and keep cookies, so only they get a secret. Other clients may not
 * keep cookies, and no page can make them sign in as somebody else. */
const char *
challenge_browser(struct stet_call *call, bool make)
{
	const bool secure = strncmp(stet_base_url(call), "https:", 6) == 0;
	const char *name = secure ? COOKIE_SECURE : COOKIE;
	const char *secret = stet_request_cookie(call, name);
	char new[SECRET_LEN + 1];

	if (is_secret(secret))
		return secret;
	if (!make || stet_request_header(call, "sec-fetch-site") == NULL)
		return "";
	secret_make(new);
	stet_header(call, "Set-Cookie",
	    stet_printf(call, "%s=%s" ATTRIBUTES "%s", name, new, secure ? "; Secure" : ""));
	return stet_strdup(call, new);
}
