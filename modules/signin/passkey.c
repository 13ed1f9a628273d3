/*
 * passkey.c - sign-in with a passkey, and the user's own passkeys.
 *
 * No address is typed to sign in: the authenticator knows its credentials for this site, so the
 * options list none and reveal nothing about users. All failed assertions get the same response,
 * and an unknown credential costs the verification of a signature, too.
 */
#include "passkey.h"
#include <string.h>

#define OPTIONS_COUNT 10 /* in OPTIONS_SECONDS, of one address */
#define OPTIONS_SECONDS 60
#define VERIFY_COUNT 10
#define VERIFY_SECONDS 60
#define TIMEOUT 60000 /* milliseconds that a browser waits for its user */

/* ---- options (PublicKeyCredentialRequestOptions, 5.5) ---- */

const struct stet_member passkey_options_in[] = {
	{ "email", STET_STRING, STET_NULLABLE | STET_IGNORED,
	    .about = "Not needed: the answer is the same for everybody" },
	{ 0 },
};
const struct stet_member passkey_options_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "options", STET_OBJECT, STET_REQUIRED,
	    .about = "For navigator.credentials.get, as JSON (WebAuthn Level 3, 5.5)" },
	{ 0 },
};

/* Sets *all if every passkey of the site has verified its user before. If one has not, its
 * authenticator may be unable to, and browsers would not offer it if verification were required.
 * The result is the same for every caller, so it reveals nothing about a user. */
static enum stet_status
can_verify(struct stet_call *call, bool *all)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, "SELECT 1 FROM passkeys WHERE verified = 0 LIMIT 1", STET_NO_ARGS));
	*all = !stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
passkey_options(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	char challenge[CHALLENGE_TEXT];
	bool all;

	STET_TRY(stet_limit(call, "passkey-options", NULL, OPTIONS_COUNT, OPTIONS_SECONDS));
	STET_TRY(can_verify(call, &all));
	STET_TRY(
	    challenge_make(call, CHALLENGE_SIGN_IN, "", challenge_browser(call, true), challenge));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_object(out, "options");
	stet_put_str(out, "challenge", challenge);
	stet_put_str(out, "rpId", party_id(call));
	stet_put_int(out, "timeout", TIMEOUT);
	stet_put_str(out, "userVerification", all ? "required" : "preferred");
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- verifying ---- */

const struct stet_member passkey_verify_in[] = { PASSKEY_CREDENTIAL_IN, { 0 } };

struct attempt {
	struct passkey_input in;
	struct challenge challenge;
	struct webauthn_credential credential;
	uint32_t counter; /* the stored one */
	bool verified; /* the authenticator has verified its user before */
	const char *id, *user_id; /* id of the passkey; NULL: it is unknown */
	const char *why; /* why it fails; NULL: it does not */
	struct stet_signin *signin;
};

/* Sets a credential that nobody has: its key is the base point of P-256. */
static void
set_decoy(struct attempt *a)
{
	static const unsigned char base_point[] = { 0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47,
		0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb,
		0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96, 0x4f, 0xe3, 0x42, 0xe2,
		0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16, 0x2b, 0xce,
		0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51,
		0xf5 };

	a->credential = (struct webauthn_credential){ .algorithm = WEBAUTHN_ES256,
		.key_len = sizeof(base_point) };
	memcpy(a->credential.key, base_point, sizeof(base_point));
}

static void
read_row(struct stet_rows *rows, struct attempt *a)
{
	struct webauthn_credential *c = &a->credential;
	const void *key = stet_col_blob(rows, 3, &c->key_len);

	a->id = stet_col_dup(rows, 0);
	a->user_id = stet_col_dup(rows, 1);
	c->algorithm = (int)stet_col_int(rows, 2);
	if (c->key_len > sizeof(c->key))
		c->key_len = 0; /* no valid key: the assertion is refused */
	memcpy(c->key, key, c->key_len);
	a->counter = c->counter = (uint32_t)stet_col_int(rows, 4);
	c->backup_eligible = stet_col_int(rows, 5) != 0;
	a->verified = stet_col_int(rows, 6) != 0;
}

static enum stet_status
find_credential(struct stet_call *call, struct attempt *a)
{
	struct webauthn_credential *c = &a->credential;
	struct stet_rows rows;

	set_decoy(a);
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, user_id, algorithm, public_key, counter, backup_eligible, verified FROM"
	    " passkeys"
	    " WHERE credential_id = ?1",
	    STET_ARGS(stet_val_blob(a->in.id.at, a->in.id.len))));
	if (stet_row(&rows))
		read_row(&rows, a);
	c->id_len = a->in.id.len <= sizeof(c->id) ? a->in.id.len : 0;
	memcpy(c->id, a->in.id.at, c->id_len);
	return stet_rows_end(&rows);
}

/* Checks the user handle, which must be the id of the credential's user (7.2, step 6). Checks that
 * the authenticator has verified its user if it ever did before (step 17): otherwise a thief could
 * sign in with a request that does not ask for it. */
static const char *
check_user(struct stet_call *call, struct attempt *a)
{
	struct webauthn_bytes handle;

	if (a->user_id == NULL)
		return "unknown credential";
	handle = passkey_bytes(call, &a->in, "userHandle");
	if (handle.len != strlen(a->user_id) || memcmp(handle.at, a->user_id, handle.len) != 0)
		return "wrong user handle";
	if (a->verified && !a->credential.verified)
		return "user not verified";
	return NULL;
}

static enum stet_status
check_signature(struct stet_call *call, struct attempt *a, const struct webauthn_expect *expect)
{
	const struct webauthn_assertion assertion = { a->in.id, a->in.client_data,
		passkey_bytes(call, &a->in, "authenticatorData"),
		passkey_bytes(call, &a->in, "signature") };
	enum webauthn_verdict verdict;

	a->why = a->in.bad;
	if (a->why != NULL)
		return STET_OK;
	STET_TRY(find_credential(call, a));
	verdict = webauthn_assert(expect, &assertion, &a->credential);
	if (verdict == WEBAUTHN_FAULT)
		return stet_fault(call, "no memory for a passkey");
	a->why = verdict == WEBAUTHN_GOOD ? check_user(call, a) : webauthn_verdict_name(verdict);
	return STET_OK;
}

static enum stet_status
judge(struct stet_call *call, struct attempt *a)
{
	unsigned char challenge[WEBAUTHN_CHALLENGE_MAX];
	struct webauthn_expect expect = { party_id(call), party_origins(call), { challenge, 0 } };
	enum webauthn_verdict verdict;
	bool good;

	if ((a->why = a->in.bad) != NULL)
		return STET_OK;
	verdict = webauthn_challenge(a->in.client_data, challenge, &expect.challenge.len);
	if (verdict != WEBAUTHN_GOOD) {
		a->why = webauthn_verdict_name(verdict);
		return STET_OK;
	}
	STET_TRY(challenge_read(call, CHALLENGE_SIGN_IN, expect.challenge,
	    challenge_browser(call, false), &a->challenge, &good));
	if (!good) {
		a->why = webauthn_verdict_name(WEBAUTHN_WRONG_CHALLENGE);
		return STET_OK;
	}
	return check_signature(call, a, &expect);
}

/* ---- the write ---- */

/* Stores that challenge and counter are used. Sets a->why if another request was quicker. */
static enum stet_status
use(struct stet_call *call, struct stet_tx *tx, struct attempt *a)
{
	bool good;

	a->why = NULL;
	STET_TRY(challenge_use(call, tx, &a->challenge, &good));
	if (!good) {
		a->why = "challenge used already";
		return STET_OK;
	}
	STET_TRY(stet_exec(call, tx,
	    "UPDATE passkeys SET counter = ?2, backed_up = ?3, last_used_at = ?4, verified = CASE WHEN ?6 <> 0 THEN 1 ELSE verified END"
	    " WHERE id = ?1 AND counter = ?5",
	    STET_ARGS(a->id, (int64_t)a->credential.counter, a->credential.backed_up,
		stet_time_text(call, stet_now(call)), (int64_t)a->counter,
		a->credential.verified)));
	if (stet_changes(call) == 0)
		a->why = "used or deleted meanwhile";
	return STET_OK;
}

/* If a->why is set, fails with the general message. */
static enum stet_status
sign_in(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct attempt *a = arg;

	STET_TRY(use(call, tx, a));
	if (a->why != NULL)
		return stet_fail(call, STET_UNAUTHORIZED, NULL, "Authentication failed");
	STET_TRY(session_start(call, tx, a->signin, a->user_id, METHOD_PASSKEY, a->id));
	return session_reply(call, a->signin);
}

static enum stet_status
refuse(struct stet_call *call, const char *why)
{
	stet_log(call, STET_INFO, "sign-in with a passkey failed: %s", why);
	event_failed(call, METHOD_PASSKEY, NULL);
	stet_error_clear(call);
	return stet_fail(call, STET_UNAUTHORIZED, NULL, "Authentication failed");
}

enum stet_status
passkey_verify(struct stet_call *call)
{
	struct attempt a = { .signin = session_begin(call) };
	enum stet_status status;

	STET_TRY(cookie_check_source(call));
	STET_TRY(stet_limit(call, "passkey-verify", NULL, VERIFY_COUNT, VERIFY_SECONDS));
	STET_TRY(passkey_read(call, &a.in));
	STET_TRY(judge(call, &a));
	if (a.why != NULL)
		return refuse(call, a.why);
	status = stet_write_lane(call, sign_in, &a);
	if (status != STET_OK)
		return a.why != NULL ? refuse(call, a.why) : status;
	session_finish(call, a.signin);
	return STET_OK;
}

/* ---- the user's own passkeys ---- */

const struct stet_member passkey_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "deviceType", STET_STRING, STET_REQUIRED,
	    .about = "singleDevice or multiDevice: synced" },
	{ "backedUp", STET_BOOLEAN, STET_REQUIRED },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "lastUsedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};
const struct stet_member passkey_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = passkey_out },
	{ 0 },
};
const struct stet_member passkey_one_out[] = {
	{ "passkey", STET_OBJECT, STET_REQUIRED, .of = passkey_out },
	{ 0 },
};
const struct stet_member passkey_by_id[] = { { "id", STET_STRING, STET_REQUIRED }, { 0 } };
const struct stet_member passkey_rename_in[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_BOUNDED, .about = "Blanks alone remove it",
	    STET_RANGE(1, PASSKEY_NAME_MAX) },
	{ 0 },
};

#define COLUMNS                                                                  \
	"SELECT id, name, CASE backup_eligible WHEN 0 THEN 'singleDevice' ELSE " \
	"'multiDevice' END, backed_up, created_at, last_used_at FROM passkeys WHERE "

enum stet_status
passkey_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, COLUMNS "user_id = ?1 ORDER BY id", STET_ARGS(stet_principal(call)->id)));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, passkey_out));
	stet_close(out);
	return STET_OK;
}

enum stet_status
passkey_reply(struct stet_call *call, const char *id, const char *user_id)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND, COLUMNS "id = ?1 AND user_id = ?2",
	    STET_ARGS(id, user_id)));
	stet_object(out, NULL);
	stet_object(out, "passkey");
	stet_put_columns(out, &rows, 0, passkey_out, 6);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
unknown(struct stet_call *call)
{
	return stet_fail(call, STET_NOT_FOUND, NULL, "Passkey not found");
}

enum stet_status
passkey_rename(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *user_id = stet_principal(call)->id;

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE passkeys SET name = nullif(trim(?3), '') WHERE id = ?1 AND user_id = ?2",
	    STET_ARGS(id, user_id, stet_arg(call, "name"))));
	return stet_changes(call) == 0 ? unknown(call) : passkey_reply(call, id, user_id);
}

enum stet_status
passkey_delete(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *user_id = stet_principal(call)->id;
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	bool last;

	STET_TRY(stet_exec(call, tx, "DELETE FROM passkeys WHERE id = ?1 AND user_id = ?2",
	    STET_ARGS(id, user_id)));
	if (stet_changes(call) == 0)
		return unknown(call);
	STET_TRY(stet_query(
	    call, &rows, "SELECT 1 FROM passkeys WHERE user_id = ?1 LIMIT 1", STET_ARGS(user_id)));
	last = !stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (last)
		return stet_fail(call, stet_code(call, "LAST_PASSKEY"), NULL,
		    "This is your last passkey: add another one before you delete it");
	STET_TRY(session_end_credential(call, tx, id));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}
