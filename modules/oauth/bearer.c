/*
 * bearer.c - requests with an access token.
 *
 * A request takes one statement, which joins the token with its grant, its client and its user. So
 * the withdrawal of a grant, a new role, a changed client or a disabled user take effect at once.
 */
#include "oauth.h"
#include <stet/credential.h>
#include <string.h>

/* Kinds of credentials (credential.h): for the whole API, and for the tool server alone. */
static const char kind_api, kind_mcp;

enum column {
	HASH,
	EXPIRES,
	GRANT,
	SCOPES,
	RESOURCE,
	CLIENT_SCOPES,
	USER,
	EMAIL,
	NAME,
	ROLE,
	DISABLED,
	COLLECTIONS,
	CLIENT_NAME,
	LIMITS
};

struct found {
	struct stet_principal principal;
	int64_t until;
	const char *kind;
};

static enum stet_status
refuse(struct stet_call *call)
{
	return stet_fail(call, STET_UNAUTHORIZED, NULL, "Invalid or expired token");
}

/* Returns true for the ops of the tool server. Its GET and DELETE answer 405, also to a token that
 * is for the tool server alone: with 401, clients would refresh their token at each connection. */
static bool
is_tool_server(const char *op)
{
	static const char *const ops[] = { MCP_OP, "mcp_get", "mcp_delete" };

	for (size_t i = 0; op != NULL && i < sizeof(ops) / sizeof(ops[0]); i++)
		if (strcmp(op, ops[i]) == 0)
			return true;
	return false;
}

/* Makes the user the principal of the call. Its token_id is the grant, since users see and withdraw
 * grants. */
static enum stet_status
admit(struct stet_call *call, const struct found *f)
{
	struct oauth_state *state = stet_state(call);

	if (stet_now(call) >= f->until)
		return refuse(call);
	if (f->kind == &kind_mcp && !is_tool_server(stet_op_name(call)))
		return refuse(call);
	stet_principal_set(call, &f->principal);
	stet_usage_note(call, state->used, f->principal.token_id, USED_JOB);
	return STET_OK;
}

static bool
read_token(
    struct stet_call *call, struct stet_rows *rows, const unsigned char *hash, struct found *out)
{
	const char *resource = stet_col_str(rows, RESOURCE), *ours;
	size_t len;
	const void *stored = stet_col_blob(rows, HASH, &len);

	if (len != HASH_BYTES || sodium_memcmp(stored, hash, len) != 0 ||
	    stet_col_int(rows, DISABLED) != 0 ||
	    !stet_time_parse(stet_col_str(rows, EXPIRES), &out->until))
		return false;
	/* The site's URL may have changed since: then the token is for another resource. */
	if (resource_check(call, resource, &ours) != STET_OK)
		return false;
	out->kind = resource != NULL ? &kind_mcp : &kind_api;
	out->principal = (struct stet_principal){ .id = stet_col_str(rows, USER),
		.email = stet_col_str(rows, EMAIL),
		.name = stet_col_str(rows, NAME),
		.role = (int)stet_col_int(rows, ROLE),
		.via = STET_VIA_TOKEN,
		.token_id = stet_col_str(rows, GRANT),
		.scopes = limits_scopes(call,
		    narrow_scopes(call,
			scopes_clamp(call, stet_col_str(rows, SCOPES),
			    stet_col_str(rows, CLIENT_SCOPES), (int)stet_col_int(rows, ROLE)),
			stet_col_str(rows, COLLECTIONS)),
		    stet_col_str(rows, LIMITS)),
		.client = stet_col_str(rows, CLIENT_NAME) };
	return true;
}

static enum stet_status
look_up(struct stet_call *call, const char *text, struct found *out, bool *good)
{
	unsigned char hash[HASH_BYTES];
	struct stet_rows rows;

	secret_hash(text, hash);
	STET_TRY(stet_query(call, &rows,
	    "SELECT t.hash, t.expires_at, g.id, t.scopes, t.resource, c.scopes, u.id, u.email,"
	    " u.name, u.role, u.disabled, g.collections, c.name, g.limits FROM oauth_tokens t"
	    " JOIN oauth_grants g ON g.id = t.grant_id"
	    " JOIN oauth_clients c ON c.id = g.client_id"
	    " JOIN users u ON u.id = g.user_id WHERE t.hash = ?1",
	    STET_ARGS(stet_val_blob(hash, sizeof(hash)))));
	*good = stet_row(&rows) && read_token(call, &rows, hash, out);
	if (*good)
		stet_credential_keep(call, out->kind, text, TOKEN_LEN, &out->principal, out->until);
	if (*good && admit(call, out) != STET_OK)
		*good = false;
	return stet_rows_end(&rows);
}

enum stet_status
bearer_authenticate(struct stet_call *call)
{
	static const char *const kinds[] = { &kind_api, &kind_mcp };
	const char *text = stet_request_bearer(call);
	struct found found;
	bool good;

	if (text == NULL || strncmp(text, ACCESS_PREFIX, PREFIX_LEN) != 0)
		return STET_DECLINED;
	if (strlen(text) != TOKEN_LEN)
		return refuse(call);
	for (size_t i = 0; i < 2; i++) {
		const struct stet_principal *known =
		    stet_credential_known(call, kinds[i], text, TOKEN_LEN, &found.until);

		if (known == NULL)
			continue;
		found.principal = *known;
		found.kind = kinds[i];
		return admit(call, &found);
	}
	STET_TRY(look_up(call, text, &found, &good));
	return good ? STET_OK : refuse(call);
}

/* ---- last use ---- */

static enum stet_status
write_used(struct stet_call *call, struct stet_tx *tx, const char *id, int64_t at)
{
	return stet_exec(call, tx,
	    "UPDATE oauth_grants SET used_at = ?1 WHERE id = ?2 AND used_at < ?1",
	    STET_ARGS(stet_time_text(call, at), id));
}

int64_t
used_due(struct stet_call *call)
{
	struct oauth_state *state = stet_state(call);

	return stet_usage_due(call, state->used);
}

enum stet_status
used_write(struct stet_call *call)
{
	struct oauth_state *state = stet_state(call);

	return stet_usage_write(call, state->used, write_used);
}
