/*
 * tokens.c - personal access tokens: creates them, looks them up for each request, lists and
 * revokes them.
 *
 * A delivery token belongs to no user: its principal has no id, the role Subscriber and two scopes,
 * so it reads published items and media, and what a site could open to everybody, and owns nothing.
 * It is valid while the user who made it may make
 * delivery tokens; a token made by a command has no such user.
 *
 * Only the SHA-256 of a token is stored, so the database does not reveal tokens. Tokens are
 * random with more than 200 bits, so a plain hash is enough.
 */
#include "auth.h"
#include <sodium.h>
#include <stet/credential.h>
#include <string.h>

#define RANDOM_BYTES 32
#define TEXT_LEN 43 /* RANDOM_BYTES in base64url without padding */
#define TOKEN_LEN (sizeof(TOKEN_PREFIX) - 1 + TEXT_LEN)
#define SHOWN 4 /* characters after the prefix that lists show */
#define SCOPES_MAX 100

/* ---- finding the user of a token ---- */

enum stet_status
token_refuse(struct stet_call *call)
{
	return stet_fail(call, STET_UNAUTHORIZED, NULL, "Invalid or expired token");
}

static bool
is_delivery(const char *text)
{
	return strncmp(text, DELIVERY_PREFIX, sizeof(DELIVERY_PREFIX) - 1) == 0;
}

struct found {
	int64_t until; /* milliseconds; INT64_MAX: does not expire */
	struct stet_principal principal;
};

/* Reads the row as the token of a user who is not disabled; *found tells whether it is one. */
static void
read_token(struct stet_rows *rows, const unsigned char *hash, struct found *out, bool *found)
{
	const char *expires = stet_col_str(rows, 3);
	size_t len;
	const void *stored = stet_col_blob(rows, 1, &len);

	*found = len == crypto_hash_sha256_BYTES && sodium_memcmp(stored, hash, len) == 0 &&
		 stet_col_int(rows, 8) == 0;
	out->until = INT64_MAX;
	if (expires != NULL && !stet_time_parse(expires, &out->until))
		*found = false;
	out->principal = (struct stet_principal){ .id = stet_col_str(rows, 4),
		.email = stet_col_str(rows, 5),
		.name = stet_col_str(rows, 6),
		.role = (int)stet_col_int(rows, 7),
		.via = STET_VIA_TOKEN,
		.token_id = stet_col_str(rows, 0),
		.scopes = stet_col_str(rows, 2),
		.client = stet_col_str(rows, 9) };
}

static bool
admit(struct stet_call *call, const struct stet_principal *p, int64_t until)
{
	struct auth_state *s = stet_state(call);

	if (until != INT64_MAX && stet_now(call) >= until)
		return false;
	stet_principal_set(call, p);
	stet_usage_note(call, s->usage, p->token_id, USAGE_JOB);
	return true;
}

enum stet_status
token_authenticate(struct stet_call *call, const char *text)
{
	static const char kind;
	unsigned char hash[crypto_hash_sha256_BYTES];
	const struct stet_principal *known;
	struct stet_rows rows;
	struct found token;
	bool good = false;
	int64_t until;

	if (strlen(text) != TOKEN_LEN)
		return token_refuse(call);
	if ((known = stet_credential_known(call, &kind, text, TOKEN_LEN, &until)) != NULL)
		return admit(call, known, until) ? STET_OK : token_refuse(call);
	crypto_hash_sha256(hash, (const unsigned char *)text, TOKEN_LEN);
	STET_TRY(stet_query(call, &rows,
	    is_delivery(text)
		? DELIVERY_PRINCIPAL
		: "SELECT t.id, t.hash, t.scopes, t.expires_at, u.id, u.email, u.name,"
		  " u.role, u.disabled, t.name"
		  " FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ?1",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)))));
	if (stet_row(&rows))
		read_token(&rows, hash, &token, &good);
	if (good)
		stet_credential_keep(call, &kind, text, TOKEN_LEN, &token.principal, token.until);
	good = good && admit(call, &token.principal, token.until);
	STET_TRY(stet_rows_end(&rows));
	return good ? STET_OK : token_refuse(call);
}

/* ---- JSON ---- */

/* clang-format off */
#define INFO(...) \
	{ "id", STET_STRING, STET_REQUIRED }, \
	{ "name", STET_STRING, STET_REQUIRED }, \
	{ "prefix", STET_STRING, STET_REQUIRED, .about = "How the token begins" }, \
	{ "scopes", STET_ARRAY, STET_REQUIRED, .item = STET_STRING }, \
	{ "userId", STET_STRING, __VA_ARGS__ }, \
	{ "expiresAt", STET_TIME, STET_NULLABLE }, \
	{ "lastUsedAt", STET_TIME, STET_NULLABLE, .about = "To the minute" }, \
	{ "createdAt", STET_TIME, STET_REQUIRED }
/* clang-format on */
static const struct stet_member info_out[] = { INFO(STET_REQUIRED), { 0 } };
static const struct stet_member any_out[] = {
	INFO(STET_REQUIRED | STET_NULLABLE, .about = "null: nobody's, a delivery token"),
	{ "createdBy", STET_STRING, STET_NULLABLE,
	    .about = "Of a delivery token: id of the user; null: a command" },
	{ "suspended", STET_BOOLEAN,
	    .about = "Of a delivery token: it is refused, since that user is disabled or may not"
		     " make one any more" },
	{ 0 },
};
const struct stet_member tokens_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = info_out },
	{ 0 },
};
const struct stet_member token_created_out[] = {
	{ "token", STET_STRING, STET_REQUIRED, .about = "The token itself; it is not stored" },
	{ "info", STET_OBJECT, STET_REQUIRED, .of = info_out },
	{ 0 },
};
const struct stet_member tokens_any_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = any_out },
	{ 0 },
};
const struct stet_member token_added_out[] = {
	{ "token", STET_STRING, STET_REQUIRED, .about = "The token itself; it is not stored" },
	{ "info", STET_OBJECT, STET_REQUIRED, .of = any_out },
	{ 0 },
};
const struct stet_member token_revoked_out[] = {
	{ "revoked", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

#define INFO_COLUMNS                                                                           \
	"SELECT id, name, prefix, scopes, user_id, expires_at, last_used_at, created_at FROM " \
	"api_tokens "
/* INFO_COLUMNS, followed by the last members of any_out. */
#define DELIVERY_COLUMNS                                                           \
	"SELECT t.id, t.name, t.prefix, '" DELIVERY_SCOPE "', NULL, t.expires_at," \
	" t.last_used_at, t.created_at, t.maker,"                                  \
	" CASE WHEN " DELIVERY_SUSPENDED " THEN 1 ELSE 0 END" DELIVERY_FROM

static void
put_info(struct stet_json *out, const char *key, struct stet_rows *rows)
{
	const char *scope = stet_col_str(rows, 3);

	stet_object(out, key);
	stet_put_columns(out, rows, 0, info_out, 3);
	stet_array(out, "scopes");
	for (size_t len; *scope != '\0'; scope += len + strspn(scope + len, " ")) {
		len = strcspn(scope, " ");
		stet_put_strn(out, NULL, scope, len);
	}
	stet_close(out);
	stet_put_columns(out, rows, 4, any_out + 4, 4);
	if (stet_col_null(rows, 4))
		stet_put_columns(out, rows, 8, any_out + 8, 2);
	stet_close(out);
}

static enum stet_status
put_list(struct stet_call *call, struct stet_rows *rows)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(rows))
		put_info(out, NULL, rows);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(rows);
}

static enum stet_status
list(struct stet_call *call, const char *user_id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, INFO_COLUMNS "WHERE user_id = ?1 ORDER BY id DESC", STET_ARGS(user_id)));
	return put_list(call, &rows);
}

enum stet_status
delivery_list(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, DELIVERY_COLUMNS "ORDER BY t.id DESC", STET_NO_ARGS));
	return put_list(call, &rows);
}

enum stet_status
token_list(struct stet_call *call)
{
	return list(call, stet_principal(call)->id);
}

#define DELIVERY(about_)                                                                         \
	{ "email", STET_STRING, .about = "Address of the user", STET_RANGE(1, STET_EMAIL_MAX) }, \
	{                                                                                        \
		"delivery", STET_BOOLEAN, .about = (about_), .fallback = "false"                 \
	}
const struct stet_member token_list_in[] = {
	DELIVERY("Delivery tokens, which are nobody's"),
	{ 0 },
};

/* Checks the arguments: a token belongs to a user, or is a delivery token. */
static enum stet_status
check_owner(struct stet_call *call)
{
	if (stet_arg_bool(call, "delivery") && stet_has(call, "email"))
		stet_issue(call, "email", "a delivery token is nobody's");
	if (!stet_arg_bool(call, "delivery") && stet_arg(call, "email") == NULL)
		stet_issue(call, "email", "is required, or delivery");
	return stet_issues(call);
}

enum stet_status
token_list_of(struct stet_call *call)
{
	const char *user_id;

	STET_TRY(check_owner(call));
	if (stet_arg_bool(call, "delivery"))
		return delivery_list(call);
	STET_TRY(user_by_email(call, stet_arg(call, "email"), &user_id));
	return list(call, user_id);
}

/* ---- last use ---- */

static enum stet_status
write_used(struct stet_call *call, struct stet_tx *tx, const char *id, int64_t at)
{
	const char *text = stet_time_text(call, at);

	STET_TRY(stet_exec(call, tx,
	    "UPDATE api_tokens SET last_used_at = ?1 WHERE id = ?2"
	    " AND (last_used_at IS NULL OR last_used_at < ?1)",
	    STET_ARGS(text, id)));
	if (stet_changes(call) > 0)
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE delivery_token SET last_used_at = ?1 WHERE id = ?2"
	    " AND (last_used_at IS NULL OR last_used_at < ?1)",
	    STET_ARGS(text, id));
}

int64_t
token_used_due(struct stet_call *call)
{
	struct auth_state *s = stet_state(call);

	return stet_usage_due(call, s->usage);
}

enum stet_status
token_used_write(struct stet_call *call)
{
	struct auth_state *s = stet_state(call);

	return stet_usage_write(call, s->usage, write_used);
}

/* ---- creating ---- */

#define SCOPE_PATTERN                                                                                 \
	"^(content:read|content:write|content:draft|media:read|media:write|schema:read|schema:write|" \
	"taxonomies:manage|menus:manage|settings:read|settings:manage|admin|"                         \
	"collection:[a-z][a-z0-9_]{0,62}|"                                                            \
	"limit:(calls|writes|items|deletions):[1-9][0-9]{0,5}|"                                       \
	"mcp:compact|"                                                                                \
	"mcp:tools(:[a-z][a-z0-9_-]{0,62})?)(?![\\s\\S])"
#define SCOPES_ABOUT                                                                        \
	"content:read, content:write, media:read, media:write, schema:read, schema:write, " \
	"taxonomies:manage, menus:manage, settings:read, settings:manage, mcp:tools, "      \
	"mcp:tools:<plugin id>, admin; content:draft: drafts only; collection:<slug>: "     \
	"content of these collections only; limit:<what>:<number>: calls a minute, writes " \
	"an hour, items in a batch, deletions a day; mcp:compact: the short list of tools"

const struct stet_member token_create_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "What the token is for",
	    STET_RANGE(1, 100) },
	{ "scopes", STET_ARRAY, STET_REQUIRED, .about = SCOPES_ABOUT, .item = STET_STRING,
	    .pattern = SCOPE_PATTERN, STET_RANGE(1, SCOPES_MAX) },
	{ "expiresAt", STET_TIME, STET_NULLABLE, .about = "When it ends; never, when left out" },
	{ 0 },
};
const struct stet_member token_add_in[] = {
	DELIVERY("Nobody's: it reads what is published, media, and no more"),
	{ "name", STET_STRING, STET_REQUIRED, .about = "What the token is for",
	    STET_RANGE(1, 100) },
	{ "scope", STET_ARRAY, .about = SCOPES_ABOUT, .item = STET_STRING, .pattern = SCOPE_PATTERN,
	    STET_RANGE(1, SCOPES_MAX) },
	{ "expires", STET_TIME, STET_NULLABLE, .about = "When it ends; never, when left out" },
	{ 0 },
};
const struct stet_member delivery_create_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "What the token is for",
	    STET_RANGE(1, 100) },
	{ "expiresAt", STET_TIME, STET_NULLABLE, .about = "When it ends; never, when left out" },
	{ 0 },
};

/* Refuses scopes that open all collections beside some collections: the limit would be none. */
static void
check_limit(struct stet_call *call, const char *path, const json_t *scopes)
{
	const char *opens = NULL;
	const json_t *scope;
	bool limited = false;
	size_t i;

	json_array_foreach(scopes, i, scope)
	{
		const char *text = json_string_value(scope);

		if (strcmp(text, "admin") == 0 || strcmp(text, "schema:write") == 0)
			opens = text;
		limited = limited || strncmp(text, "collection:", strlen("collection:")) == 0;
	}
	if (opens != NULL && limited)
		stet_issue(
		    call, path, "must not have %s beside collections: it opens all of them", opens);
}

/* Returns the scopes without duplicates, separated by spaces, as they are stored. */
static const char *
join(struct stet_call *call, const json_t *scopes)
{
	const char *text = "";

	for (size_t i = 0; i < json_array_size(scopes); i++) {
		const char *scope = json_string_value(json_array_get(scopes, i));
		bool again = false;

		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(scope, json_string_value(json_array_get(scopes, k))) == 0;
		if (!again)
			text = stet_printf(call, "%s%s%s", text, *text != '\0' ? " " : "", scope);
	}
	return text;
}

/* Returns a new token with this prefix, and its hash for the database. */
static const char *
draw(struct stet_call *call, const char *prefix, unsigned char hash[crypto_hash_sha256_BYTES])
{
	unsigned char secret[RANDOM_BYTES];
	char text[TEXT_LEN + 1];
	const char *token;

	randombytes_buf(secret, sizeof(secret));
	sodium_bin2base64(
	    text, sizeof(text), secret, sizeof(secret), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	token = stet_printf(call, "%s%s", prefix, text);
	crypto_hash_sha256(hash, (const unsigned char *)token, TOKEN_LEN);
	sodium_memzero(secret, sizeof(secret));
	sodium_memzero(text, sizeof(text));
	return token;
}

/* Writes the reply: the token, and its row. Ends the rows. */
static enum stet_status
put_made(struct stet_call *call, const char *token, struct stet_rows *rows)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_str(out, "token", token);
	put_info(out, "info", rows);
	stet_close(out);
	return stet_rows_end(rows);
}

/* Stores a new token of a user and writes it as the reply. */
static enum stet_status
make(struct stet_call *call, const char *user_id, const json_t *scopes, const char *expires)
{
	unsigned char hash[crypto_hash_sha256_BYTES];
	const char *id = stet_id(call), *token = draw(call, TOKEN_PREFIX, hash);
	struct stet_rows rows;

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO api_tokens (id, user_id, name, prefix, hash, scopes, expires_at, created_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	    STET_ARGS(id, user_id, stet_arg(call, "name"),
		stet_val_strn(token, sizeof(TOKEN_PREFIX) - 1 + SHOWN),
		stet_val_blob(hash, sizeof(hash)), join(call, scopes), expires,
		stet_time_text(call, stet_now(call)))));
	STET_TRY(stet_one(call, &rows, STET_FAULT, INFO_COLUMNS "WHERE id = ?1", STET_ARGS(id)));
	return put_made(call, token, &rows);
}

/* Stores a new delivery token and writes it as the reply. */
static enum stet_status
make_delivery(struct stet_call *call, const char *expires)
{
	unsigned char hash[crypto_hash_sha256_BYTES];
	const char *id = stet_id(call), *token = draw(call, DELIVERY_PREFIX, hash);
	struct stet_rows rows;

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO delivery_token (id, name, prefix, hash, expires_at, created_at, maker)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT id FROM users WHERE id = ?7))",
	    STET_ARGS(id, stet_arg(call, "name"),
		stet_val_strn(token, sizeof(DELIVERY_PREFIX) - 1 + SHOWN),
		stet_val_blob(hash, sizeof(hash)), expires, stet_time_text(call, stet_now(call)),
		stet_principal(call)->id)));
	STET_TRY(
	    stet_one(call, &rows, STET_FAULT, DELIVERY_COLUMNS "WHERE t.id = ?1", STET_ARGS(id)));
	return put_made(call, token, &rows);
}

enum stet_status
delivery_create(struct stet_call *call)
{
	return make_delivery(call, stet_arg(call, "expiresAt"));
}

enum stet_status
token_create(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	if (*p->id == '\0') /* a command, or a job */
		return stet_fail(
		    call, STET_INVALID_REQUEST, NULL, "A token needs a user to belong to");
	check_limit(call, "scopes", stet_arg_json(call, "scopes"));
	STET_TRY(stet_issues(call));
	return make(call, p->id, stet_arg_json(call, "scopes"), stet_arg(call, "expiresAt"));
}

static bool
is_delivery_scope(const json_t *scopes)
{
	const json_t *scope;
	size_t i;

	json_array_foreach(scopes, i, scope)
	{
		if (strcmp(json_string_value(scope), "content:read") != 0 &&
		    strcmp(json_string_value(scope), "media:read") != 0)
			return false;
	}
	return true;
}

enum stet_status
token_add(struct stet_call *call)
{
	bool delivery = stet_arg_bool(call, "delivery");
	const char *user_id;

	if (delivery && stet_has(call, "scope") && !is_delivery_scope(stet_arg_json(call, "scope")))
		stet_issue(call, "scope", "of a delivery token is always content:read, media:read");
	if (!delivery && !stet_has(call, "scope"))
		stet_issue(call, "scope", "is required");
	check_limit(call, "scope", stet_arg_json(call, "scope"));
	STET_TRY(check_owner(call));
	if (delivery)
		return make_delivery(call, stet_arg(call, "expires"));
	STET_TRY(user_by_email(call, stet_arg(call, "email"), &user_id));
	return make(call, user_id, stet_arg_json(call, "scope"), stet_arg(call, "expires"));
}

/* ---- revoking ---- */

const struct stet_member token_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the token" },
	{ 0 },
};

static enum stet_status
revoked(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Token not found");
	stet_object(out, NULL);
	stet_put_bool(out, "revoked", true);
	stet_close(out);
	return STET_OK;
}

enum stet_status
token_revoke(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "DELETE FROM api_tokens WHERE id = ?1 AND user_id = ?2",
	    STET_ARGS(stet_arg(call, "id"), stet_principal(call)->id)));
	return revoked(call);
}

enum stet_status
delivery_revoke(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call), "DELETE FROM delivery_token WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "id"))));
	return revoked(call);
}

enum stet_status
token_revoke_any(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call), "DELETE FROM api_tokens WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "id"))));
	return stet_changes(call) > 0 ? revoked(call) : delivery_revoke(call);
}
