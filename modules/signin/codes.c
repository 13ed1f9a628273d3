/*
 * codes.c - recovery codes, for users who have lost their passkey and have no mail. A user has ten;
 * they are shown once, and each signs in once.
 *
 * A code has 80 random bits, so a plain hash is enough; tries are limited by address and account.
 * The hash includes the user's id, so that a code tells nothing about other users.
 */
#include "signin.h"
#include <stet/users.h>
#include <string.h>

#define CODES 10
#define CODE_BYTES 10
#define CODE_LEN 16 /* CODE_BYTES in base 32 */
#define GROUP 4 /* characters between hyphens */
#define ADDRESS_TRIES 30
#define ADDRESS_SECONDS 300
#define ACCOUNT_TRIES 10
#define ACCOUNT_SECONDS 3600

/* Crockford's alphabet: without I, L, O and U, which people confuse. */
static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/* ---- texts and hashes ---- */

static void
make_code(char code[CODE_LEN + 1])
{
	unsigned char bytes[CODE_LEN];

	randombytes_buf(bytes, sizeof(bytes));
	for (int i = 0; i < CODE_LEN; i++)
		code[i] = alphabet[bytes[i] & 31];
	code[CODE_LEN] = '\0';
	sodium_memzero(bytes, sizeof(bytes));
}

/* Normalises a code as people type it: in any case, with blanks and hyphens, and with letters for
 * digits of a similar shape. Returns false if it is not a valid code. */
static bool
read_code(const char *typed, char code[CODE_LEN + 1])
{
	int n = 0;

	for (; *typed != '\0'; typed++) {
		char c = *typed >= 'a' && *typed <= 'z' ? (char)(*typed - 'a' + 'A') : *typed;

		if (c == '-' || c == ' ')
			continue;
		c = c == 'O' ? '0' : c;
		c = c == 'I' || c == 'L' ? '1' : c;
		if (n == CODE_LEN || strchr(alphabet, c) == NULL)
			return false;
		code[n++] = c;
	}
	code[n] = '\0';
	return n == CODE_LEN;
}

static void
hash_code(const char *user_id, const char *code, unsigned char hash[HASH_BYTES])
{
	crypto_hash_sha256_state state;

	crypto_hash_sha256_init(&state);
	crypto_hash_sha256_update(&state, (const unsigned char *)user_id, strlen(user_id));
	crypto_hash_sha256_update(&state, (const unsigned char *)code, CODE_LEN);
	crypto_hash_sha256_final(&state, hash);
}

/* ---- the user's own codes ---- */

const struct stet_member codes_out[] = {
	{ "codes", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "Ten codes; they are shown this once" },
	{ 0 },
};
const struct stet_member codes_count_out[] = {
	{ "remaining", STET_INTEGER, STET_REQUIRED, .about = "Codes that were not used yet" },
	{ "createdAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};

static enum stet_status
add_code(struct stet_call *call, const char *user_id, struct stet_json *out)
{
	unsigned char hash[HASH_BYTES];
	char code[CODE_LEN + 1], shown[CODE_LEN + CODE_LEN / GROUP + 1];
	size_t n = 0;

	make_code(code);
	hash_code(user_id, code, hash);
	for (int i = 0; i < CODE_LEN; i++) {
		if (i > 0 && i % GROUP == 0)
			shown[n++] = '-';
		shown[n++] = code[i];
	}
	stet_put_strn(out, NULL, shown, n);
	sodium_memzero(code, sizeof(code));
	sodium_memzero(shown, sizeof(shown));
	return stet_exec(call, stet_write_tx(call),
	    "INSERT INTO recovery_codes (hash, user_id, created_at) VALUES (?1, ?2, ?3)",
	    STET_ARGS(
		stet_val_blob(hash, sizeof(hash)), user_id, stet_time_text(call, stet_now(call))));
}

enum stet_status
codes_make(struct stet_call *call)
{
	const char *user_id = stet_principal(call)->id;
	struct stet_json *out = stet_reply(call);

	if (*user_id == '\0') /* a command or a job, not a user */
		return stet_fail(
		    call, STET_INVALID_REQUEST, NULL, "Codes need a user to belong to");
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM recovery_codes WHERE user_id = ?1", STET_ARGS(user_id)));
	stet_object(out, NULL);
	stet_array(out, "codes");
	for (int i = 0; i < CODES; i++)
		STET_TRY(add_code(call, user_id, out));
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

enum stet_status
codes_count(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*), min(created_at) FROM recovery_codes WHERE user_id = ?1",
	    STET_ARGS(stet_principal(call)->id)));
	stet_put_row(stet_reply(call), &rows, codes_count_out);
	return stet_rows_end(&rows);
}

enum stet_status
codes_left(struct stet_call *call, const char *user_id, int64_t *out)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM recovery_codes WHERE user_id = ?1", STET_ARGS(user_id)));
	*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* ---- signing in with a code ---- */

const struct stet_member codes_use_in[] = {
	{ "email", STET_STRING, STET_REQUIRED, .about = "Address of the user",
	    STET_RANGE(1, STET_EMAIL_MAX) },
	{ "code", STET_STRING, STET_REQUIRED, .about = "One of the user's recovery codes",
	    STET_RANGE(1, 100) },
	{ 0 },
};

/* Deletes the code. Runs the same statement if the user does not exist, so that the time tells
 * nothing. */
static enum stet_status
take_code(struct stet_call *call, const char *user_id, const char *code, bool *taken)
{
	unsigned char hash[HASH_BYTES];

	hash_code(user_id != NULL ? user_id : "", code, hash);
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM recovery_codes WHERE hash = ?1 AND user_id = ?2",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)), user_id != NULL ? user_id : "")));
	*taken = user_id != NULL && stet_changes(call) == 1;
	return STET_OK;
}

/* The key of the limit: the address with ASCII letters in lower case, as accounts ignore case. */
static const char *
account_of(struct stet_call *call)
{
	char *email = stet_strdup(call, stet_arg(call, "email"));

	for (char *c = email; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return email;
}

enum stet_status
codes_use(struct stet_call *call)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const char *email = account_of(call), *user_id;
	struct stet_signin *s = session_begin(call);
	char code[CODE_LEN + 1] = "0000000000000000";
	bool taken;

	STET_TRY(cookie_check_source(call));
	STET_TRY(transport_check(call));
	STET_TRY(stet_limit(call, "recovery-code", NULL, ADDRESS_TRIES, ADDRESS_SECONDS));
	STET_TRY(stet_limit(call, "recovery-code-of", email, ACCOUNT_TRIES, ACCOUNT_SECONDS));
	STET_TRY(users->find(call, email, &user_id));
	if (!read_code(stet_arg(call, "code"), code))
		user_id = NULL;
	STET_TRY(take_code(call, user_id, code, &taken));
	sodium_memzero(code, sizeof(code));
	if (!taken) {
		event_failed(call, METHOD_RECOVERY, email);
		return stet_fail(call, stet_code(call, "INVALID_CODE"), NULL,
		    "The address or the code is wrong");
	}
	STET_TRY(session_start(call, stet_write_tx(call), s, user_id, METHOD_RECOVERY, NULL));
	session_finish(call, s);
	return session_reply(call, s);
}
