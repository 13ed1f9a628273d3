/* token.c - the token endpoint: codes and refresh tokens become access tokens; revocation. */
#include "clients.h"
#include <string.h>

/* For this long after a refresh token was used, it can be used again for the same successor; the
 * successor is not replaced, even if it is used itself; and old access tokens stay valid
 * (core/adr/0054). */
#define GRACE MINUTE
#define VERIFIER_MIN 43 /* RFC 7636 4.1 */
#define VERIFIER_MAX 128
#define BASE64URL "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/* Ends the grant of a code or refresh token that was used twice, and reports whose it was. */
static enum stet_status
end_stolen(struct stet_call *call, struct stet_tx *tx, const char *grant, const char *why)
{
	struct oauth_grant g;
	enum stet_status status = grant_load(call, grant, &g);

	if (status == STET_OK)
		STET_TRY(grant_tell(call, tx, &g, "oauth_stolen"));
	else if (status != STET_DECLINED)
		return status;
	STET_TRY(grant_end(call, tx, grant));
	stet_log(call, STET_WARN, "oauth: a code or token was used twice: its grant has ended");
	return oauth_refuse(call, "invalid_grant", "%s", why);
}

/* ---- codes ---- */

struct code {
	const char *grant, *redirect_uri, *challenge;
	int64_t until;
};

/* Marks the code as used, so that only one request can exchange it, even if that exchange fails. A
 * code that comes twice has been stolen, so its grant ends (RFC 9700 2.1.1, RFC 6749 4.1.2). */
static enum stet_status
code_take(struct stet_call *call, struct stet_tx *tx, const char *text, struct code *out)
{
	unsigned char hash[HASH_BYTES];
	struct stet_rows rows;
	bool used;

	secret_hash(text, hash);
	STET_TRY(stet_query(call, &rows,
	    "SELECT grant_id, redirect_uri, challenge, expires_at, used_at FROM oauth_codes"
	    " WHERE hash = ?1",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)))));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return oauth_refuse(call, "invalid_grant", "Invalid authorization code");
	}
	*out = (struct code){ .grant = stet_col_dup(&rows, 0),
		.redirect_uri = stet_col_dup(&rows, 1),
		.challenge = stet_col_dup(&rows, 2) };
	if (!stet_time_parse(stet_col_str(&rows, 3), &out->until))
		out->until = 0;
	used = !stet_col_null(&rows, 4);
	STET_TRY(stet_rows_end(&rows));
	if (used)
		return end_stolen(call, tx, out->grant, "Invalid authorization code");
	return stet_exec(call, tx, "UPDATE oauth_codes SET used_at = ?1 WHERE hash = ?2",
	    STET_ARGS(stet_time_text(call, stet_now(call)), stet_val_blob(hash, sizeof(hash))));
}

bool
pkce_proves(const char *verifier, const char *challenge)
{
	unsigned char hash[HASH_BYTES];
	char text[SECRET_LEN + 1];
	size_t len = strlen(verifier);

	if (len < VERIFIER_MIN || len > VERIFIER_MAX || strspn(verifier, BASE64URL ".~") != len ||
	    strlen(challenge) != SECRET_LEN)
		return false;
	secret_hash(verifier, hash);
	sodium_bin2base64(
	    text, sizeof(text), hash, sizeof(hash), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return sodium_memcmp(text, challenge, SECRET_LEN) == 0;
}

struct exchange {
	const char *code, *redirect_uri, *client_id, *verifier, *resource;
};

static enum stet_status
exchange_check(struct stet_call *call, const struct exchange *x, const struct code *code,
    struct oauth_grant *g)
{
	const char *resource;

	if (stet_now(call) >= code->until)
		return oauth_refuse(call, "invalid_grant", "Authorization code expired");
	STET_TRY(grant_load(call, code->grant, g));
	if (strcmp(g->client_id, x->client_id) != 0)
		return oauth_refuse(call, "invalid_grant", "client_id mismatch");
	if (strcmp(code->redirect_uri, x->redirect_uri) != 0)
		return oauth_refuse(call, "invalid_grant", "redirect_uri mismatch");
	if (!pkce_proves(x->verifier, code->challenge))
		return oauth_refuse(call, "invalid_grant", "PKCE verification failed");
	STET_TRY(resource_check(call, x->resource, &resource));
	if (resource != NULL)
		g->resource = resource;
	return STET_OK;
}

static enum stet_status
code_exchange(struct stet_call *call, const struct oauth_params *p, struct oauth_issued *out)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct exchange x = { .resource = params_get(p, "resource") };
	struct oauth_grant g;
	struct code code;
	enum stet_status status;

	STET_TRY(params_need(call, p, "code", &x.code));
	STET_TRY(params_need(call, p, "redirect_uri", &x.redirect_uri));
	STET_TRY(params_need(call, p, "client_id", &x.client_id));
	STET_TRY(params_need(call, p, "code_verifier", &x.verifier));
	STET_TRY(code_take(call, tx, x.code, &code));
	status = exchange_check(call, &x, &code, &g);
	if (status == STET_OK)
		status = grant_issue(call, tx, &g, out);
	if (status == STET_DECLINED)
		STET_TRY(grant_end(call, tx, code.grant));
	return status == STET_OK ? grant_tell(call, tx, &g, "oauth_token") : status;
}

/* ---- refresh tokens ---- */

struct refresh {
	const char *text;
	unsigned char secret[SECRET_BYTES], hash[HASH_BYTES], family[HASH_BYTES];
	/* of the grant's row: */
	const char *grant;
	bool known; /* it is the present token, or the one before within the grace period */
	bool moves; /* using it makes its successor the present token */
	bool is_answer; /* it is the present token and so new that it is returned again */
	int64_t until;
};

static bool
refresh_decode(const char *text, struct refresh *out)
{
	size_t len;

	if (strncmp(text, REFRESH_PREFIX, PREFIX_LEN) != 0 || strlen(text) != TOKEN_LEN ||
	    sodium_base642bin(out->secret, sizeof(out->secret), text + PREFIX_LEN, SECRET_LEN, NULL,
		&len, NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    len != sizeof(out->secret))
		return false;
	out->text = text;
	secret_hash(text, out->hash);
	crypto_hash_sha256(out->family, out->secret, FAMILY_BYTES);
	return true;
}

static bool
is_hash(struct stet_rows *rows, int column, const unsigned char *hash)
{
	size_t len;
	const void *stored = stet_col_blob(rows, column, &len);

	return stored != NULL && len == HASH_BYTES && sodium_memcmp(stored, hash, len) == 0;
}

/* Returns true within the grace period, also if the clock was set back by less than that. */
static bool
is_recent(struct stet_call *call, const char *rotated_at)
{
	int64_t at, ago;

	if (rotated_at == NULL || !stet_time_parse(rotated_at, &at))
		return false;
	ago = stet_now(call) - at;
	return ago >= -GRACE && ago <= GRACE;
}

/* Finds the grant to which a refresh token belongs or has belonged. */
static enum stet_status
refresh_find(struct stet_call *call, const char *text, struct refresh *out)
{
	struct stet_rows rows;
	bool current, recent;

	*out = (struct refresh){ .text = NULL };
	if (!refresh_decode(text, out))
		return oauth_refuse(call, "invalid_grant", "Invalid refresh token");
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, refresh, previous, rotated_at, expires_at FROM oauth_grants"
	    " WHERE family = ?1",
	    STET_ARGS(stet_val_blob(out->family, sizeof(out->family)))));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return oauth_refuse(call, "invalid_grant", "Invalid refresh token");
	}
	out->grant = stet_col_dup(&rows, 0);
	current = is_hash(&rows, 1, out->hash);
	recent = is_recent(call, stet_col_str(&rows, 3));
	out->known = current || (recent && is_hash(&rows, 2, out->hash));
	out->moves = current && !recent;
	out->is_answer = current && recent;
	if (!stet_time_parse(stet_col_str(&rows, 4), &out->until))
		out->until = 0;
	return stet_rows_end(&rows);
}

/* The refresh token to return. It is derived from the old one, so that a repeated request gets the
 * same one (core/adr/0054). */
static enum stet_status
successor(struct stet_call *call, const struct refresh *r, const char **text)
{
	unsigned char next[SECRET_BYTES], mac[STET_MAC_SIZE];

	if (r->is_answer) {
		*text = r->text;
		return STET_OK;
	}
	STET_TRY(stet_mac(call, "oauth refresh", r->text, TOKEN_LEN, mac));
	memcpy(next, r->secret, FAMILY_BYTES);
	memcpy(next + FAMILY_BYTES, mac, sizeof(next) - FAMILY_BYTES);
	*text = secret_text(call, REFRESH_PREFIX, next);
	sodium_memzero(next, sizeof(next));
	return STET_OK;
}

static enum stet_status
rotate(struct stet_call *call, struct stet_tx *tx, const struct refresh *r, const char *next)
{
	unsigned char hash[HASH_BYTES];
	const char *now = stet_time_text(call, stet_now(call));

	if (!r->moves)
		return STET_OK;
	secret_hash(next, hash);
	return stet_exec(call, tx,
	    "UPDATE oauth_grants SET refresh = ?1, previous = ?2, rotated_at = ?3, used_at = ?3,"
	    " expires_at = CASE WHEN ends_at < ?4 THEN ends_at ELSE ?4 END WHERE id = ?5",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)), stet_val_blob(r->hash, sizeof(r->hash)),
		now, refresh_end(call), r->grant));
}

/* When a refresh token is replaced, the grant's access tokens expire GRACE later, not at once. A
 * client may send two requests at the same time: one refreshes while the other still uses an access
 * token, which must not be answered with 401. */
static enum stet_status
end_access(struct stet_call *call, struct stet_tx *tx, const struct refresh *r)
{
	if (!r->moves)
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE oauth_tokens SET expires_at = ?2 WHERE grant_id = ?1 AND expires_at > ?2",
	    STET_ARGS(r->grant, stet_time_text(call, stet_now(call) + GRACE)));
}

static enum stet_status
check_request(struct stet_call *call, const struct oauth_params *p, struct oauth_grant *g)
{
	const char *client = params_get(p, "client_id"), *scope = params_get(p, "scope"), *resource;

	if (client != NULL && strcmp(client, g->client_id) != 0)
		return oauth_refuse(call, "invalid_grant", "client_id mismatch");
	if (scope != NULL && (strlen(scope) > SCOPES_LEN || !scopes_within(call, scope, g->scopes)))
		return oauth_refuse(
		    call, "invalid_scope", "The user has not granted all of these scopes");
	STET_TRY(resource_check(call, params_get(p, "resource"), &resource));
	if (resource != NULL)
		g->resource = resource;
	return STET_OK;
}

static enum stet_status
token_refresh(struct stet_call *call, const struct oauth_params *p, struct oauth_issued *out)
{
	struct stet_tx *tx = stet_write_tx(call);
	const char *text, *scope = params_get(p, "scope");
	struct oauth_grant g;
	struct refresh r;

	STET_TRY(params_need(call, p, "refresh_token", &text));
	STET_TRY(refresh_find(call, text, &r));
	if (!r.known)
		return end_stolen(call, tx, r.grant, "Refresh token was used before");
	if (stet_now(call) >= r.until)
		return oauth_refuse(call, "invalid_grant", "Refresh token expired");
	STET_TRY(grant_load(call, r.grant, &g));
	STET_TRY(check_request(call, p, &g));
	STET_TRY(successor(call, &r, &out->refresh));
	STET_TRY(end_access(call, tx, &r));
	STET_TRY(access_issue(call, tx, &g, scope != NULL ? scope : g.scopes, out));
	STET_TRY(grant_tell(call, tx, &g, "oauth_refresh"));
	return rotate(call, tx, &r, out->refresh);
}

/* ---- the endpoint ---- */

static enum stet_status
issue(struct stet_call *call, const struct oauth_params *p, struct oauth_issued *out)
{
	const char *type;

	STET_TRY(params_need(call, p, "grant_type", &type));
	if (strcmp(type, "authorization_code") == 0)
		return code_exchange(call, p, out);
	if (strcmp(type, "refresh_token") == 0)
		return token_refresh(call, p, out);
	if (strcmp(type, DEVICE_GRANT) == 0)
		return device_exchange(call, stet_write_tx(call), p, out);
	return oauth_refuse(call, "unsupported_grant_type", "There is no such grant_type here");
}

static enum stet_status
read_body(struct stet_call *call, struct oauth_params *p)
{
	STET_TRY(stet_limit(call, "oauth-token", NULL, 120, 60));
	return params_body(call, p);
}

static enum stet_status
answer(struct stet_call *call, struct oauth_issued *issued)
{
	struct oauth_params p;

	STET_TRY(read_body(call, &p));
	return issue(call, &p, issued);
}

enum stet_status
oauth_token(struct stet_call *call)
{
	struct stet_json *json = stet_json_new(call);
	struct oauth_issued issued = { .seconds = 0 };
	enum stet_status status = answer(call, &issued);

	if (status != STET_OK)
		return oauth_reply(call, status);
	stet_object(json, NULL);
	issued_put(json, &issued);
	stet_close(json);
	return oauth_send(call, 200, json);
}

static void
put_issued(struct stet_json *json, const void *arg)
{
	issued_put(json, arg);
}

enum stet_status
oauth_token_refresh(struct stet_call *call)
{
	struct oauth_issued issued = { .seconds = 0 };
	struct oauth_params p;
	enum stet_status status = read_body(call, &p);

	if (status == STET_OK)
		status = token_refresh(call, &p, &issued);
	return status == STET_OK ? oauth_send_twice(call, put_issued, &issued)
				 : oauth_reply(call, status);
}

/* ---- revocation (RFC 7009) ---- */

static enum stet_status
check_owner(struct stet_call *call, struct stet_tx *tx, const char *grant, const char *client,
    struct oauth_grant *g)
{
	STET_TRY(grant_load(call, grant, g));
	if (client != NULL && strcmp(client, g->client_id) != 0)
		return oauth_refuse(call, "invalid_grant", "The token is another client's");
	return grant_tell(call, tx, g, "oauth_revoke");
}

static enum stet_status
revoke_refresh(struct stet_call *call, struct stet_tx *tx, const char *text, const char *client)
{
	struct oauth_grant g;
	struct refresh r;

	STET_TRY(refresh_find(call, text, &r));
	STET_TRY(check_owner(call, tx, r.grant, client, &g));
	return grant_end(call, tx, r.grant);
}

static enum stet_status
revoke_access(struct stet_call *call, struct stet_tx *tx, const char *text, const char *client)
{
	unsigned char hash[HASH_BYTES];
	struct oauth_grant g;
	struct stet_rows rows;
	const char *grant;

	secret_hash(text, hash);
	STET_TRY(stet_query(call, &rows, "SELECT grant_id FROM oauth_tokens WHERE hash = ?1",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)))));
	grant = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	STET_TRY(stet_rows_end(&rows));
	if (grant == NULL)
		return oauth_refuse(call, "invalid_grant", "Unknown token");
	STET_TRY(check_owner(call, tx, grant, client, &g));
	return stet_exec(call, tx, "DELETE FROM oauth_tokens WHERE hash = ?1",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash))));
}

static enum stet_status
revoke(struct stet_call *call, const char *text, const char *client)
{
	struct stet_tx *tx = stet_write_tx(call);

	return strncmp(text, REFRESH_PREFIX, PREFIX_LEN) == 0
		   ? revoke_refresh(call, tx, text, client)
		   : revoke_access(call, tx, text, client);
}

static void
put_revoked(struct stet_json *json, const void *arg)
{
	(void)arg;
	stet_put_bool(json, "revoked", true);
}

/* Unknown tokens and those of another client are answered as if they were revoked (RFC 7009 2.2),
 * so that guessing tells nothing. */
enum stet_status
oauth_token_revoke(struct stet_call *call)
{
	struct oauth_params p;
	enum stet_status status = read_body(call, &p);
	const char *token;

	if (status == STET_OK)
		status = params_need(call, &p, "token", &token);
	if (status != STET_OK)
		return oauth_reply(call, status);
	status = revoke(call, token, params_get(&p, "client_id"));
	if (status != STET_OK && status != STET_DECLINED)
		return status;
	return oauth_send_twice(call, put_revoked, NULL);
}
