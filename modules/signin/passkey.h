/* passkey.h - passkeys: what sign-in, setup and invitations share. */
#ifndef PASSKEY_H
#define PASSKEY_H

#include "signin.h"
#include "webauthn.h"

#define PASSKEYS_MAX 10 /* passkeys of a user */
#define PASSKEY_NAME_MAX 100 /* characters */
#define PASSKEY_BODY_MAX 262144 /* bytes of a request: 64 KiB in base64, three times */

/* ---- challenge.c: challenges without a table ---- */

/* Purposes of challenges. A challenge is valid only for its kind. */
enum challenge_kind {
	CHALLENGE_SIGN_IN = 1,
	CHALLENGE_ADD, /* a passkey for a user who exists */
	CHALLENGE_JOIN /* the first passkey of a user who is about to be added */
};

#define CHALLENGE_NONCE 16 /* bytes */
#define CHALLENGE_TEXT 120 /* longest challenge in base64url, and a NUL */

struct challenge {
	unsigned char nonce[CHALLENGE_NONCE];
	int64_t expires_at; /* milliseconds since the epoch */
	char user_id[27]; /* the user who gets a passkey; "" at sign-in */
};

/* Makes a challenge that is valid for five minutes. `binding` is "" or a secret of the browser or
 * of a link. The challenge does not contain it, but challenge_read needs the same value. */
STET_MUST enum stet_status challenge_make(struct stet_call *, enum challenge_kind,
    const char *user_id, const char *binding, char text[CHALLENGE_TEXT]);
/* Reads a challenge from a client. *good is false if it is not ours, is of another kind, has
 * another binding, or has expired. */
STET_MUST enum stet_status challenge_read(struct stet_call *, enum challenge_kind,
    struct webauthn_bytes, const char *binding, struct challenge *out, bool *good);
/* Marks a challenge as used. *good is false if it was used before, or has expired. Call it in the
 * transaction that stores the result of the ceremony. */
STET_MUST enum stet_status challenge_use(
    struct stet_call *, struct stet_tx *, const struct challenge *, bool *good);
/* The secret of this browser, to which challenges for sign-in are bound; "": none. With `make`, a
 * browser that has none gets one. */
const char *challenge_browser(struct stet_call *, bool make);

/* ---- party.c: the relying party, and credentials from clients ---- */

/* The domain of this site's passkeys: the host of the base URL. */
const char *party_id(struct stet_call *);
/* The origins that may use these passkeys, NULL-terminated. */
const char *const *party_origins(struct stet_call *);

/* A credential as a client sends it (PublicKeyCredential.toJSON). */
struct passkey_input {
	struct webauthn_bytes id, client_data;
	const json_t *response;
	const char *bad; /* why it cannot be read; NULL: it can */
};
/* Reads the credential of the request: the member `credential`, or its members at the top level.
 * Fails with VALIDATION_ERROR if it has not the form of one. Sets out->bad if a text is not
 * base64url or `id` differs from `rawId`. */
STET_MUST enum stet_status passkey_read(struct stet_call *, struct passkey_input *out);
/* Decodes a member of the response; sets in->bad if it is missing or not base64url. */
struct webauthn_bytes passkey_bytes(struct stet_call *, struct passkey_input *in, const char *name);
/* The members of a credential, for requests that contain one. */
/* clang-format off */
#define PASSKEY_CREDENTIAL_IN \
	{ "credential", STET_OBJECT, .about = "PublicKeyCredential.toJSON(); its members may also stand at the top level" }, \
	{ "id", STET_STRING }, \
	{ "rawId", STET_STRING }, \
	{ "response", STET_OBJECT }, \
	{ "type", STET_STRING, STET_CHOICES("public-key") }, \
	{ "authenticatorAttachment", STET_STRING, STET_NULLABLE }, \
	{ "clientExtensionResults", STET_OBJECT }
/* clang-format on */

/* ---- enrol.c: registering passkeys ---- */

/*
 * Registers a passkey for somebody who is not a user yet, in three steps:
 * 1. passkey_join_options writes the member `options` into the open object of the reply. It chooses
 * the new user's id, which comes back with the challenge.
 * 2. passkey_join_read, in the slow lane, verifies the credential of the request.
 * 3. passkey_store, in the write lane, stores the passkey and marks the challenge as used. The user
 * must have been added with new->user_id before (struct stet_user_new, `id`).
 *
 * `binding` is a secret that both requests contain, such as the token of a link.
 */
struct passkey_new {
	struct webauthn_credential credential;
	struct challenge challenge;
	const char *user_id, *transports;
	const char *name; /* NULL: none */
	const char *id; /* id of the passkey; set by passkey_store */
};
STET_MUST enum stet_status passkey_join_options(struct stet_call *, struct stet_json *,
    const char *email, const char *name, const char *binding);
STET_MUST enum stet_status passkey_join_read(
    struct stet_call *, const char *binding, struct passkey_new *out);
/* Fails with CREDENTIAL_EXISTS, PASSKEY_LIMIT or CHALLENGE_EXPIRED. */
STET_MUST enum stet_status passkey_store(
    struct stet_call *, struct stet_tx *, struct passkey_new *);

/* ---- passkey.c: the ops ---- */

extern const struct stet_member passkey_options_in[], passkey_options_out[], passkey_verify_in[];
extern const struct stet_member passkey_out[], passkey_list_out[], passkey_one_out[];
extern const struct stet_member passkey_add_options_in[], passkey_add_options_out[];
extern const struct stet_member passkey_add_in[], passkey_rename_in[], passkey_by_id[];
stet_handler passkey_options, passkey_verify, passkey_list, passkey_rename, passkey_delete;
stet_handler passkey_add_options, passkey_add;
/* Writes a passkey of this user as the member `passkey`. Fails with NOT_FOUND. */
STET_MUST enum stet_status passkey_reply(struct stet_call *, const char *id, const char *user_id);

#define PASSKEY_MIGRATION                                                                   \
	"CREATE TABLE passkeys ("                                                           \
	" id TEXT NOT NULL PRIMARY KEY,"                                                    \
	" user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,"                   \
	" credential_id BLOB NOT NULL UNIQUE,"                                              \
	" algorithm INTEGER NOT NULL," /* COSE */                                           \
	" public_key BLOB NOT NULL," /* as libfido2 keeps it: x and y; or n and e */        \
	" counter INTEGER NOT NULL,"                                                        \
	" backup_eligible INTEGER NOT NULL,"                                                \
	" backed_up INTEGER NOT NULL,"                                                      \
	" transports TEXT NOT NULL," /* space separated */                                  \
	" name TEXT,"                                                                       \
	" created_at TEXT NOT NULL,"                                                        \
	" last_used_at TEXT);"                                                              \
	"CREATE INDEX passkeys_user ON passkeys (user_id, id);"                             \
	"CREATE TABLE used_challenges ("                                                    \
	" nonce BLOB NOT NULL PRIMARY KEY,"                                                 \
	" expires_at TEXT NOT NULL);" /* then the challenge is refused, and the row goes */ \
	"CREATE INDEX used_challenges_expires ON used_challenges (expires_at);"
/* verified: the authenticator has verified its user at least once. So it is able to, and must do so
 * each time from then on. */
#define PASSKEY_VERIFIED_MIGRATION                                             \
	"ALTER TABLE passkeys ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;" \
	"CREATE INDEX passkeys_unverified ON passkeys (id) WHERE verified = 0;"

#endif
