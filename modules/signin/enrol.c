/* enrol.c - registers passkeys: for users who are signed in, and the first one of a new user. */
#include "passkey.h"
#include <stet/settings.h>
#include <string.h>

#define TIMEOUT 60000 /* milliseconds that a browser waits for its user */
#define TRANSPORTS_MAX 100 /* characters */

/* ---- options (PublicKeyCredentialCreationOptions, 5.4) ---- */

/* The name of the site, for authenticators to show. */
static const char *
party_name(struct stet_call *call)
{
	const char *title;

	if (stet_setting_text(call, "title", &title) != STET_OK)
		title = NULL;
	return title != NULL && *title != '\0' ? title : party_id(call);
}

static void
put_base64(
    struct stet_call *call, struct stet_json *out, const char *key, const void *bytes, size_t len)
{
	size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	char *text = stet_alloc(call, size);

	sodium_bin2base64(text, size, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	stet_put_str(out, key, text);
}

static void
put_algorithms(struct stet_json *out)
{
	static const int all[] = WEBAUTHN_ALGORITHMS;

	stet_array(out, "pubKeyCredParams");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		stet_object(out, NULL);
		stet_put_str(out, "type", "public-key");
		stet_put_int(out, "alg", all[i]);
		stet_close(out);
	}
	stet_close(out);
}

static void
put_transports(struct stet_json *out, const char *all)
{
	stet_array(out, "transports");
	for (size_t len; *all != '\0'; all += len + strspn(all + len, " ")) {
		len = strcspn(all, " ");
		stet_put_strn(out, NULL, all, len);
	}
	stet_close(out);
}

/* Excludes the user's own passkeys, so that no authenticator gets a second one. */
static enum stet_status
put_excluded(struct stet_call *call, struct stet_json *out, const char *user_id)
{
	struct stet_rows rows;
	const void *id;
	size_t len;

	stet_array(out, "excludeCredentials");
	STET_TRY(stet_query(call, &rows,
	    "SELECT credential_id, transports FROM passkeys WHERE user_id = ?1 ORDER BY id",
	    STET_ARGS(user_id)));
	while (stet_row(&rows)) {
		id = stet_col_blob(&rows, 0, &len);
		stet_object(out, NULL);
		stet_put_str(out, "type", "public-key");
		put_base64(call, out, "id", id, len);
		put_transports(out, stet_col_str(&rows, 1));
		stet_close(out);
	}
	stet_close(out);
	return stet_rows_end(&rows);
}

struct person {
	const char *id, *email, *name;
};

static void
put_people(struct stet_call *call, struct stet_json *out, const struct person *person)
{
	const bool named = person->name != NULL && *person->name != '\0';

	stet_object(out, "rp");
	stet_put_str(out, "name", party_name(call));
	stet_put_str(out, "id", party_id(call));
	stet_close(out);
	stet_object(out, "user");
	put_base64(call, out, "id", person->id, strlen(person->id));
	stet_put_str(out, "name", person->email);
	stet_put_str(out, "displayName", named ? person->name : person->email);
	stet_close(out);
}

static enum stet_status
put_options(struct stet_call *call, struct stet_json *out, const struct person *person,
    const char *challenge)
{
	stet_object(out, "options");
	stet_put_str(out, "challenge", challenge);
	put_people(call, out, person);
	put_algorithms(out);
	stet_put_int(out, "timeout", TIMEOUT);
	stet_put_str(out, "attestation", "none");
	stet_object(out, "authenticatorSelection");
	stet_put_str(out, "residentKey", "required"); /* sign-in needs no address */
	stet_put_bool(out, "requireResidentKey", true); /* the name of this member in Level 1 */
	stet_put_str(out, "userVerification", "required"); /* it is the only factor */
	stet_close(out);
	STET_TRY(put_excluded(call, out, person->id));
	stet_close(out);
	return STET_OK;
}

/* ---- verifying ---- */

static enum stet_status
refuse(struct stet_call *call, const char *why)
{
	stet_log(call, STET_INFO, "passkey refused: %s", why);
	return stet_fail(call, stet_code(call, "PASSKEY_REJECTED"), "credential",
	    "The passkey cannot be registered: %s", why);
}

static enum stet_status
expired(struct stet_call *call)
{
	return stet_fail(call, stet_code(call, "CHALLENGE_EXPIRED"), NULL,
	    "The challenge has expired or was used already: start again");
}

/* The transports that the browser named, separated by blanks; hints for sign-in later. */
static const char *
read_transports(struct stet_call *call, const json_t *response)
{
	const json_t *list = json_object_get(response, "transports"), *one;
	const char *all = "";
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, one)
	{
		const char *word = json_string_value(one);
		size_t len = word != NULL ? strlen(word) : 0;

		if (len == 0 || len > 20 || strlen(all) + len >= TRANSPORTS_MAX ||
		    strspn(word, "abcdefghijklmnopqrstuvwxyz-") != len)
			continue;
		all = *all == '\0' ? word : stet_printf(call, "%s %s", all, word);
	}
	return stet_strdup(call, all);
}

static enum stet_status
judge(struct stet_call *call, enum challenge_kind kind, const char *binding,
    struct passkey_input *in, struct passkey_new *out)
{
	unsigned char challenge[WEBAUTHN_CHALLENGE_MAX];
	struct webauthn_expect expect = { party_id(call), party_origins(call), { challenge, 0 } };
	const struct webauthn_registration made = { in->id, in->client_data,
		passkey_bytes(call, in, "attestationObject") };
	enum webauthn_verdict verdict;
	bool good;

	if (in->bad != NULL)
		return refuse(call, in->bad);
	verdict = webauthn_challenge(in->client_data, challenge, &expect.challenge.len);
	if (verdict == WEBAUTHN_GOOD) {
		STET_TRY(
		    challenge_read(call, kind, expect.challenge, binding, &out->challenge, &good));
		if (!good)
			return expired(call);
		verdict = webauthn_register(&expect, &made, &out->credential);
		if (verdict == WEBAUTHN_GOOD && !out->credential.verified)
			return refuse(call, "it did not ask for a PIN, fingerprint or face: set one"
					    " up, or use another");
	}
	if (verdict == WEBAUTHN_FAULT)
		return stet_fault(call, "no memory for a passkey");
	return verdict == WEBAUTHN_GOOD ? STET_OK : refuse(call, webauthn_verdict_name(verdict));
}

/* A name without blanks around it; NULL if nothing is left. */
static const char *
trimmed(struct stet_call *call, const char *name)
{
	size_t len;

	if (name == NULL)
		return NULL;
	name += strspn(name, " \t\r\n");
	len = strlen(name);
	while (len > 0 && strchr(" \t\r\n", name[len - 1]) != NULL)
		len--;
	return len > 0 ? stet_strndup(call, name, len) : NULL;
}

static enum stet_status
read_new(
    struct stet_call *call, enum challenge_kind kind, const char *binding, struct passkey_new *out)
{
	struct passkey_input in;

	memset(out, 0, sizeof(*out));
	STET_TRY(passkey_read(call, &in));
	STET_TRY(judge(call, kind, binding, &in, out));
	out->user_id = out->challenge.user_id;
	out->transports = read_transports(call, in.response);
	return STET_OK;
}

/* ---- storing ---- */

static enum stet_status
check_count(struct stet_call *call, const char *user_id)
{
	struct stet_rows rows;
	int64_t count;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM passkeys WHERE user_id = ?1", STET_ARGS(user_id)));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= PASSKEYS_MAX)
		return stet_fail(call, stet_code(call, "PASSKEY_LIMIT"), NULL,
		    "You have %d passkeys, and that is the most: delete one first", PASSKEYS_MAX);
	return STET_OK;
}

enum stet_status
passkey_store(struct stet_call *call, struct stet_tx *tx, struct passkey_new *new)
{
	const struct webauthn_credential *c = &new->credential;
	enum stet_status status;
	bool good;

	STET_TRY(challenge_use(call, tx, &new->challenge, &good));
	if (!good)
		return expired(call);
	STET_TRY(check_count(call, new->user_id));
	new->id = stet_id(call);
	status = stet_exec(call, tx,
	    "INSERT INTO passkeys (id, user_id, credential_id, algorithm, public_key, counter,"
	    " backup_eligible, backed_up, transports, name, created_at, verified)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
	    STET_ARGS(new->id, new->user_id, stet_val_blob(c->id, c->id_len), c->algorithm,
		stet_val_blob(c->key, c->key_len), (int64_t)c->counter, c->backup_eligible,
		c->backed_up, new->transports, new->name, stet_time_text(call, stet_now(call)),
		c->verified));
	if (status == STET_CONFLICT)
		return stet_fail(call, stet_code(call, "CREDENTIAL_EXISTS"), "credential",
		    "This passkey is registered already");
	return status;
}

/* ---- the first passkey of a new user ---- */

enum stet_status
passkey_join_options(struct stet_call *call, struct stet_json *out, const char *email,
    const char *name, const char *binding)
{
	const struct person person = { stet_id(call), email, name };
	char challenge[CHALLENGE_TEXT];

	STET_TRY(challenge_make(call, CHALLENGE_JOIN, person.id, binding, challenge));
	return put_options(call, out, &person, challenge);
}

enum stet_status
passkey_join_read(struct stet_call *call, const char *binding, struct passkey_new *out)
{
	return read_new(call, CHALLENGE_JOIN, binding, out);
}

/* ---- a further passkey of a user ---- */

const struct stet_member passkey_add_options_in[] = {
	{ "name", STET_STRING, STET_NULLABLE | STET_IGNORED,
	    .about = "Of the passkey; it counts when the passkey is registered" },
	{ 0 },
};
const struct stet_member passkey_add_options_out[] = {
	{ "options", STET_OBJECT, STET_REQUIRED,
	    .about = "For navigator.credentials.create, as JSON (WebAuthn Level 3, 5.4)" },
	{ 0 },
};
const struct stet_member passkey_add_in[] = {
	PASSKEY_CREDENTIAL_IN,
	{ "name", STET_STRING, STET_NULLABLE | STET_BOUNDED, .about = "What its owner calls it",
	    STET_RANGE(0, PASSKEY_NAME_MAX) },
	{ 0 },
};

enum stet_status
passkey_add_options(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	const struct person person = { p->id, p->email, p->name };
	struct stet_json *out = stet_reply(call);
	char challenge[CHALLENGE_TEXT];

	STET_TRY(check_count(call, p->id));
	STET_TRY(challenge_make(call, CHALLENGE_ADD, p->id, "", challenge));
	stet_object(out, NULL);
	STET_TRY(put_options(call, out, &person, challenge));
	stet_close(out);
	return STET_OK;
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct passkey_new *new = arg;

	STET_TRY(passkey_store(call, tx, new));
	return passkey_reply(call, new->id, new->user_id);
}

enum stet_status
passkey_add(struct stet_call *call)
{
	struct passkey_new new;

	STET_TRY(stet_limit(call, "passkey-register", stet_principal(call)->id, 20, 60));
	STET_TRY(read_new(call, CHALLENGE_ADD, "", &new));
	/* The challenge names its user: a passkey cannot be registered for somebody else. */
	if (strcmp(new.user_id, stet_principal(call)->id) != 0)
		return expired(call);
	new.name = trimmed(call, stet_arg(call, "name"));
	return stet_write_lane(call, store, &new);
}
