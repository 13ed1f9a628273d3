/*
 * targeturl.c - URLs of upload targets that need no credentials. An assistant has credentials for
 * the tool server only, and the program that sends the bytes for it has none. So a tool answers an
 * absolute URL with a signature. It is the credential for one pending item, one type and size, an
 * hour, and one upload: the signature covers the key of the item's file, which every upload
 * changes. A request with it acts as the user who asked for the target, with the role that this
 * user has by then.
 */
#include "media.h"
#include <stet/form.h>
#include <string.h>

#define PURPOSE "upload target" /* purpose of the signatures */
#define PARAMETER "signature"
#define TOKEN "target:" /* with the key of the file: token id of the principal */

/* Returns the text to sign: everything about the target that an upload must match. */
static const char *
signed_text(struct stet_call *call, const struct target *t)
{
	return stet_printf(
	    call, "%s\n%s\n%s\n%lld\n%s", t->id, t->key, t->type, (long long)t->size, t->created);
}

enum stet_status
targeturl_make(struct stet_call *call, const struct target *t, const char **out)
{
	const char *signature;

	STET_TRY(signature_make(call, PURPOSE, signed_text(call, t), &signature));
	*out = stet_printf(call, "%s/_cms/api/media/%s/upload?" PARAMETER "=%s",
	    stet_base_url(call), t->id, signature);
	return STET_OK;
}

bool
targeturl_is_stale(struct stet_call *call, const char *key)
{
	const struct stet_principal *who = stet_principal(call);
	const char *token = who != NULL ? who->token_id : NULL;

	return token != NULL && strncmp(token, TOKEN, sizeof(TOKEN) - 1) == 0 &&
	       strcmp(token + sizeof(TOKEN) - 1, key) != 0;
}

enum stet_status
targeturl_refuse(struct stet_call *call)
{
	return stet_fail(call, STET_UNAUTHORIZED, NULL,
	    "The upload URL is not valid, or it was used, or it has expired: confirm the upload, or "
	    "ask for another URL");
}

/* ---- authentication ---- */

/* The signature in the query of a request for the bytes of a target; NULL: there is none. */
static const char *
given(struct stet_call *call)
{
	const char *query = stet_request_query(call), *name, *value = NULL;
	const struct stet_form_field *const *field;
	size_t count;

	if (*query == '\0' || (name = stet_op_name(call)) == NULL || strcmp(name, MEDIA_PUT) != 0)
		return NULL;
	if (stet_form(call, query, strlen(query), &field, &count) == STET_OK)
		(void)stet_form_value(field, count, PARAMETER, &value);
	else /* invalid arguments are reported later */
		stet_error_clear(call);
	return value;
}

/* Finds the target, and the user who asked for it. */
static enum stet_status
find(struct stet_call *call, struct target *t, struct stet_principal *who)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT m.id, m.storage_key, m.mime_type, m.size, m.created_at, u.id, u.email, u.name,"
	    " u.role FROM media_items m JOIN users u ON u.id = m.author_id AND u.disabled = 0"
	    " WHERE m.id = ?1 AND m.status = 'pending'",
	    STET_ARGS(stet_route_arg(call, "id"))));
	if (stet_row(&rows)) {
		*t = (struct target){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2), stet_col_dup(&rows, 4), stet_col_int(&rows, 3) };
		*who = (struct stet_principal){ .id = stet_col_dup(&rows, 5),
			.email = stet_col_dup(&rows, 6),
			.name = stet_col_dup(&rows, 7),
			.role = (int)stet_col_int(&rows, 8),
			.via = STET_VIA_TOKEN,
			.token_id = stet_printf(call, TOKEN "%s", t->key),
			.scopes = "media:write" };
	}
	return stet_rows_end(&rows);
}

static enum stet_status
judge(struct stet_call *call, const char *signature, const struct target *t, bool *good)
{
	int64_t made;

	*good = false;
	if (t->id == NULL || !stet_time_parse(t->created, &made) ||
	    stet_now(call) >= made + TARGET_LIFETIME)
		return STET_OK;
	return signature_check(call, PURPOSE, signed_text(call, t), signature, good);
}

/* The signature takes precedence over other credentials: clients also send those of the tool
 * server, which are not valid for this route. If it is not valid, a bearer token may be. */
enum stet_status
targeturl_authenticate(struct stet_call *call)
{
	const char *signature = given(call);
	struct stet_principal who = { 0 };
	struct target t = { 0 };
	bool good;

	if (signature == NULL)
		return STET_DECLINED;
	STET_TRY(find(call, &t, &who));
	STET_TRY(judge(call, signature, &t, &good));
	if (good)
		stet_principal_set(call, &who);
	else if (stet_request_bearer(call) == NULL)
		return targeturl_refuse(call);
	return good ? STET_OK : STET_DECLINED;
}
