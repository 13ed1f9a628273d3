/*
 * grant.c - what a user has granted to a client, and the tokens for it.
 *
 * A grant has one refresh token at a time. The first half of a refresh token names the grant and
 * stays the same, the second half is derived from the token before (core/adr/0054): so the row of
 * the grant suffices to know an old token when it comes again. The database has only hashes.
 */
#include "oauth.h"
#include <string.h>
#include <strings.h>

#define GRANTS_MAX 100 /* grants of a user */
#define GRANTS_OF_CLIENT_MAX 10 /* grants of a user to one client: one for each computer */
/* Access tokens of a grant that are valid at a time. A program may send many requests at once: when
 * a token has ended, each request refreshes it, and all the new tokens are used. */
#define ACCESS_MAX 32

/* ---- secrets ---- */

const char *
secret_text(struct stet_call *call, const char *prefix, const unsigned char *secret)
{
	char *text = stet_alloc(call, PREFIX_LEN + SECRET_LEN + 1);
	size_t len = strlen(prefix);

	memcpy(text, prefix, len);
	sodium_bin2base64(text + len, SECRET_LEN + 1, secret, SECRET_BYTES,
	    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return text;
}

const char *
secret_new(struct stet_call *call, const char *prefix)
{
	unsigned char secret[SECRET_BYTES];
	const char *text;

	randombytes_buf(secret, sizeof(secret));
	text = secret_text(call, prefix, secret);
	sodium_memzero(secret, sizeof(secret));
	return text;
}

void
secret_hash(const char *text, unsigned char hash[HASH_BYTES])
{
	crypto_hash_sha256(hash, (const unsigned char *)text, strlen(text));
}

/* ---- the resource ---- */

/* Returns true if two URLs are equal, apart from the case of scheme and host and from one slash at
 * the end. */
static bool
same_url(const char *ours, size_t origin, const char *theirs)
{
	size_t len = strlen(ours);

	return strncasecmp(ours, theirs, origin) == 0 && strlen(theirs) >= len &&
	       memcmp(ours + origin, theirs + origin, len - origin) == 0 &&
	       (theirs[len] == '\0' || strcmp(theirs + len, "/") == 0);
}

enum stet_status
resource_check(struct stet_call *call, const char *resource, const char **out)
{
	const char *base = stet_base_url(call);

	*out = NULL;
	if (resource == NULL)
		return STET_OK;
	*out = stet_printf(call, "%s%s", base, MCP_PATH);
	if (same_url(*out, strlen(base), resource))
		return STET_OK;
	return oauth_refuse(call, "invalid_target", "The only resource here is %.200s", *out);
}

/* ---- grants ---- */

/* Deletes the user's grants beyond the limits. */
static enum stet_status
make_room(struct stet_call *call, struct stet_tx *tx, const struct oauth_grant *g)
{
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM oauth_grants WHERE user_id = ?1 AND client_id = ?2 AND id NOT IN"
	    " (SELECT id FROM oauth_grants WHERE user_id = ?1 AND client_id = ?2"
	    " ORDER BY used_at DESC, id DESC LIMIT ?3)",
	    STET_ARGS(g->user_id, g->client_id, GRANTS_OF_CLIENT_MAX - 1)));
	return stet_exec(call, tx,
	    "DELETE FROM oauth_grants WHERE user_id = ?1 AND id NOT IN"
	    " (SELECT id FROM oauth_grants WHERE user_id = ?1"
	    " ORDER BY used_at DESC, id DESC LIMIT ?2)",
	    STET_ARGS(g->user_id, GRANTS_MAX - 1));
}

enum stet_status
grant_make(struct stet_call *call, struct stet_tx *tx, const struct oauth_grant *g, const char **id)
{
	const char *now = stet_time_text(call, stet_now(call));

	*id = stet_id(call);
	STET_TRY(make_room(call, tx, g));
	STET_TRY(stet_exec(call, tx, "UPDATE oauth_clients SET used_at = ?1 WHERE id = ?2",
	    STET_ARGS(now, g->client_id)));
	/* Until its first tokens are made, a grant expires after 20 minutes, which is longer than
	 * its code lives. */
	return stet_exec(call, tx,
	    "INSERT INTO oauth_grants (id, user_id, client_id, scopes, resource, created_at,"
	    " used_at, expires_at, collections, ends_at, limits)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10)",
	    STET_ARGS(*id, g->user_id, g->client_id, g->scopes, g->resource, now,
		stet_time_text(call, stet_now(call) + 20 * MINUTE), g->collections, g->ends_at,
		g->limits));
}

enum stet_status
grant_load(struct stet_call *call, const char *id, struct oauth_grant *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT g.id, g.user_id, g.client_id, g.scopes, g.resource, c.scopes, u.role,"
	    " u.disabled, u.email, g.ends_at"
	    " FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id"
	    " JOIN users u ON u.id = g.user_id WHERE g.id = ?1",
	    STET_ARGS(id)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return oauth_refuse(call, "invalid_grant", "The grant has been withdrawn");
	}
	*out = (struct oauth_grant){ .id = stet_col_dup(&rows, 0),
		.user_id = stet_col_dup(&rows, 1),
		.client_id = stet_col_dup(&rows, 2),
		.scopes = stet_col_dup(&rows, 3),
		.resource = stet_col_dup(&rows, 4),
		.client_scopes = stet_col_dup(&rows, 5),
		.role = (int)stet_col_int(&rows, 6),
		.disabled = stet_col_int(&rows, 7) != 0,
		.email = stet_col_dup(&rows, 8),
		.ends_at = stet_col_dup(&rows, 9) };
	STET_TRY(stet_rows_end(&rows));
	if (out->disabled)
		return oauth_refuse(call, "invalid_grant", "User account is disabled");
	return STET_OK;
}

enum stet_status
grant_tell(
    struct stet_call *call, struct stet_tx *tx, const struct oauth_grant *g, const char *what)
{
	return stet_run_account_event(call, tx,
	    &(struct stet_account_event){ .what = what,
		.module = "oauth",
		.user_id = g->user_id,
		.name = g->client_id,
		.address = g->address != NULL ? g->address : stet_client(call) });
}

enum stet_status
grant_end(struct stet_call *call, struct stet_tx *tx, const char *id)
{
	return stet_exec(call, tx, "DELETE FROM oauth_grants WHERE id = ?1", STET_ARGS(id));
}

/* ---- tokens ---- */

/* Makes an access token for those of the scopes that the role still supports. */
enum stet_status
access_issue(struct stet_call *call, struct stet_tx *tx, const struct oauth_grant *g,
    const char *scopes, struct oauth_issued *out)
{
	int64_t life = json_integer_value(stet_setting(call, ACCESS_MINUTES)) * MINUTE, ends;
	unsigned char hash[HASH_BYTES];

	if (g->ends_at != NULL && stet_time_parse(g->ends_at, &ends) &&
	    ends - stet_now(call) < life)
		life = ends - stet_now(call);
	if (life <= 0)
		return oauth_refuse(call, "invalid_grant", "The grant has ended");
	out->scopes = scopes_clamp(call, scopes, g->client_scopes, g->role);
	if (*out->scopes == '\0')
		return oauth_refuse(call, "invalid_grant",
		    "User role no longer supports any of the requested scopes");
	out->seconds = life / 1000;
	out->access = secret_new(call, ACCESS_PREFIX);
	secret_hash(out->access, hash);
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM oauth_tokens WHERE grant_id = ?1 AND id NOT IN (SELECT id FROM oauth_tokens"
	    " WHERE grant_id = ?1 ORDER BY id DESC LIMIT ?2)",
	    STET_ARGS(g->id, ACCESS_MAX - 1)));
	return stet_exec(call, tx,
	    "INSERT INTO oauth_tokens (id, hash, grant_id, scopes, resource, created_at, expires_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	    STET_ARGS(stet_id(call), stet_val_blob(hash, sizeof(hash)), g->id, out->scopes,
		g->resource, stet_time_text(call, stet_now(call)),
		stet_time_text(call, stet_now(call) + life)));
}

const char *
refresh_end(struct stet_call *call)
{
	return stet_time_text(
	    call, stet_now(call) + json_integer_value(stet_setting(call, REFRESH_DAYS)) * DAY);
}

enum stet_status
grant_issue(struct stet_call *call, struct stet_tx *tx, const struct oauth_grant *g,
    struct oauth_issued *out)
{
	unsigned char secret[SECRET_BYTES], family[HASH_BYTES], hash[HASH_BYTES];

	STET_TRY(access_issue(call, tx, g, g->scopes, out));
	randombytes_buf(secret, sizeof(secret));
	crypto_hash_sha256(family, secret, FAMILY_BYTES);
	out->refresh = secret_text(call, REFRESH_PREFIX, secret);
	sodium_memzero(secret, sizeof(secret));
	secret_hash(out->refresh, hash);
	return stet_exec(call, tx,
	    "UPDATE oauth_grants SET family = ?1, refresh = ?2, used_at = ?3, expires_at ="
	    " CASE WHEN ends_at < ?4 THEN ends_at ELSE ?4 END"
	    " WHERE id = ?5",
	    STET_ARGS(stet_val_blob(family, sizeof(family)), stet_val_blob(hash, sizeof(hash)),
		stet_time_text(call, stet_now(call)), refresh_end(call), g->id));
}

void
issued_put(struct stet_json *json, const struct oauth_issued *issued)
{
	stet_put_str(json, "access_token", issued->access);
	stet_put_str(json, "token_type", "Bearer");
	stet_put_int(json, "expires_in", issued->seconds);
	stet_put_str(json, "refresh_token", issued->refresh);
	stet_put_str(json, "scope", issued->scopes);
}
