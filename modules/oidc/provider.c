/* provider.c - the identity providers of a site: their settings, and the ops for administrators. */
#include "oidc.h"
#include <stet/fetch.h>
#include <string.h>
#include <strings.h>

#define LABEL_MAX 100
#define DOMAINS_MAX 20
#define ROLE_MOST 40 /* only administrators may create administrators */

static const struct stet_sealed_column provider_secret = PROVIDER_SECRET;

/* clang-format off */
#define ID { "id", STET_STRING, STET_REQUIRED, .about = "Id of the provider, part of its URLs", \
	    .pattern = "^[a-z0-9][a-z0-9-]*$", STET_RANGE(1, PROVIDER_ID_MAX) }
#define SAYS(required) \
	{ "label", STET_STRING, required, .about = "Name, for the sign-in page", \
	    STET_RANGE(1, LABEL_MAX) }, \
	{ "issuer", STET_STRING, required, .about = "Issuer, an https URL", STET_RANGE(1, URL_MAX) }, \
	{ "clientId", STET_STRING, required, .about = "What the provider calls this site", \
	    STET_RANGE(1, CLIENT_ID_MAX) }, \
	{ "clientSecret", STET_STRING, STET_NULLABLE, .about = "What this site proves that with; null: " \
	    "nothing", STET_RANGE(1, SECRET_MAX) }, \
	{ "domains", STET_ARRAY, 0, .about = "Domains of addresses that the provider is trusted with: " \
	    "\"example.org\"", .item = STET_STRING, STET_RANGE(0, DOMAINS_MAX) }, \
	{ "role", STET_INTEGER, STET_NULLABLE, .about = "Role of people of these domains who come for " \
	    "the first time: 10 to 40; null: nobody new gets in" }, \
	{ "enabled", STET_BOOLEAN, 0, .about = "May people sign in by it?" }
/* clang-format on */
const struct stet_member provider_by_id[] = { ID, { 0 } };
const struct stet_member provider_create_in[] = { ID, SAYS(STET_REQUIRED), { 0 } };
const struct stet_member provider_update_in[] = { ID, SAYS(0), { 0 } };

static const struct stet_member provider_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "issuer", STET_STRING, STET_REQUIRED },
	{ "clientId", STET_STRING, STET_REQUIRED },
	{ "secretSet", STET_BOOLEAN, STET_REQUIRED, .about = "The secret itself is never shown" },
	{ "domains", STET_ARRAY, STET_REQUIRED | STET_STORED_JSON, .item = STET_STRING },
	{ "role", STET_INTEGER, STET_REQUIRED | STET_NULLABLE },
	{ "enabled", STET_BOOLEAN, STET_REQUIRED },
	{ "redirectUri", STET_STRING, STET_REQUIRED,
	    .about = "What the provider has to know as this site's redirect URI" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
#define COLUMNS                                                                                \
	"SELECT id, label, issuer, client_id, secret IS NOT NULL, domains, role, enabled, ?1 " \
	"|| '/_cms/api/auth/oauth/' || id || '/callback', created_at, updated_at"              \
	" FROM oidc_providers"
const struct stet_member provider_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = provider_shape },
	{ 0 },
};
const struct stet_member provider_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = provider_shape },
	{ 0 },
};
const struct stet_member provider_done_out[] = { { "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 } };

static const struct stet_member public_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "url", STET_STRING, STET_REQUIRED, .about = "Where to send the browser" },
	{ 0 },
};
const struct stet_member provider_public_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = public_shape },
	{ 0 },
};

/* ---- reading ---- */

static enum stet_status
missing(struct stet_call *call, const char *id)
{
	return stet_fail(call, STET_NOT_FOUND, NULL, "There is no provider \"%.40s\"", id);
}

enum stet_status
provider_load(struct stet_call *call, const char *id, struct provider *p)
{
	struct stet_rows rows;
	const char *sealed;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, label, issuer, client_id, secret, domains, role FROM oidc_providers"
	    " WHERE id = ?1 AND enabled = 1",
	    STET_ARGS(id)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return missing(call, id);
	}
	*p = (struct provider){ .id = stet_col_dup(&rows, 0),
		.label = stet_col_dup(&rows, 1),
		.issuer = stet_col_dup(&rows, 2),
		.client_id = stet_col_dup(&rows, 3),
		.domains = stet_col_dup(&rows, 5),
		.role = (int)stet_col_int(&rows, 6) };
	sealed = stet_col_dup(&rows, 4);
	STET_TRY(stet_rows_end(&rows));
	if (sealed == NULL)
		return STET_OK;
	return stet_unseal(call, &provider_secret, p->id, sealed, &p->secret, NULL);
}

bool
provider_trusted(const struct provider *p, const char *email)
{
	json_t *list = json_loads(p->domains, 0, NULL);
	const char *at = strrchr(email, '@');
	bool found = false;

	for (size_t i = 0; at != NULL && i < json_array_size(list); i++)
		found |= strcasecmp(json_string_value(json_array_get(list, i)), at + 1) == 0;
	json_decref(list);
	return found;
}

static enum stet_status
answer(struct stet_call *call, const char *id)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(
	    stet_query(call, &rows, COLUMNS " WHERE id = ?2", STET_ARGS(stet_base_url(call), id)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return missing(call, id);
	}
	stet_object(out, NULL);
	stet_object(out, "item");
	stet_put_columns(out, &rows, 0, provider_shape, 11);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
provider_get(struct stet_call *call)
{
	return answer(call, stet_arg(call, "id"));
}

enum stet_status
provider_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, COLUMNS " ORDER BY id", STET_ARGS(stet_base_url(call))));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, provider_shape));
	stet_close(out);
	return STET_OK;
}

enum stet_status
provider_public(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, label, ?1 || '/_cms/api/auth/oauth/' || id FROM oidc_providers"
	    " WHERE enabled = 1 ORDER BY id",
	    STET_ARGS(stet_base_url(call))));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, public_shape));
	stet_close(out);
	return STET_OK;
}

/* ---- validating ---- */

static void
check_domains(struct stet_call *call)
{
	const json_t *list = stet_arg_json(call, "domains");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *domain = json_string_value(json_array_get(list, i));

		if (stet_mail_address(call, stet_printf(call, "a@%s", domain)) == NULL)
			stet_issue(call, stet_printf(call, "domains[%zu]", i),
			    "must be a domain, such as example.org");
	}
}

static enum stet_status
check(struct stet_call *call)
{
	const char *issuer = stet_arg(call, "issuer");
	const char *why = issuer != NULL ? stet_fetch_refuses(call, issuer) : NULL;
	int64_t role = stet_arg_int(call, "role");

	if (why != NULL)
		stet_issue(call, "issuer", "%s", why);
	if (issuer != NULL && strpbrk(issuer, "?#") != NULL)
		stet_issue(call, "issuer", "must have no query and no fragment");
	if (stet_arg(call, "role") != NULL || role != 0)
		if (role < 10 || role > ROLE_MOST || role % 10 != 0)
			stet_issue(call, "role",
			    "must be 10, 20, 30 or 40: only an administrator makes another one");
	check_domains(call);
	return stet_issues(call);
}

static const char *
domains(struct stet_call *call)
{
	struct stet_json *text;

	if (!stet_has(call, "domains"))
		return NULL;
	text = stet_json_new(call);
	stet_put_json(text, NULL, stet_arg_json(call, "domains"));
	return stet_json_text(text, NULL);
}

static enum stet_status
seal(struct stet_call *call, const char **sealed)
{
	const char *secret = stet_arg(call, "clientSecret");

	*sealed = NULL;
	if (secret == NULL)
		return STET_OK;
	return stet_seal(call, stet_write_tx(call), &provider_secret, stet_arg(call, "id"), secret,
	    strlen(secret), sealed);
}

static struct stet_val
role(struct stet_call *call)
{
	int64_t role = stet_arg_int(call, "role");

	return role != 0 ? stet_val_int(role) : stet_val_null();
}

/* ---- writing ---- */

static enum stet_status
check_room(struct stet_call *call)
{
	struct stet_rows rows;
	int64_t count;

	STET_TRY(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM oidc_providers", STET_NO_ARGS));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= PROVIDERS_MAX)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "A site has %d providers at most: delete one first", PROVIDERS_MAX);
	return STET_OK;
}

enum stet_status
provider_create(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *sealed, *list = domains(call);
	enum stet_status status;

	STET_TRY(check(call));
	STET_TRY(check_room(call));
	STET_TRY(seal(call, &sealed));
	status = stet_exec(call, stet_write_tx(call),
	    "INSERT INTO oidc_providers (id, label, issuer, client_id, secret, domains, role,"
	    " enabled, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
	    STET_ARGS(id, stet_arg(call, "label"), stet_arg(call, "issuer"),
		stet_arg(call, "clientId"), sealed, list != NULL ? list : "[]", role(call),
		(int64_t)(!stet_has(call, "enabled") || stet_arg_bool(call, "enabled")),
		stet_time_text(call, stet_now(call))));
	if (status == STET_CONFLICT)
		return stet_fail(
		    call, STET_CONFLICT, "id", "There is a provider \"%s\" already", id);
	STET_TRY(status);
	return answer(call, id);
}

enum stet_status
provider_update(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *sealed;
	struct stet_val enabled = stet_val_null();

	STET_TRY(check(call));
	STET_TRY(seal(call, &sealed));
	if (stet_has(call, "enabled"))
		enabled = stet_val_int(stet_arg_bool(call, "enabled"));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE oidc_providers SET label = COALESCE(?2, label),"
	    " issuer = COALESCE(?3, issuer), client_id = COALESCE(?4, client_id),"
	    " secret = CASE WHEN ?5 = 1 THEN ?6 ELSE secret END,"
	    " domains = COALESCE(?7, domains),"
	    " role = CASE WHEN ?8 = 1 THEN ?9 ELSE role END,"
	    " enabled = COALESCE(?10, enabled), updated_at = ?11 WHERE id = ?1",
	    STET_ARGS(id, stet_arg(call, "label"), stet_arg(call, "issuer"),
		stet_arg(call, "clientId"), (int64_t)stet_has(call, "clientSecret"), sealed,
		domains(call), (int64_t)stet_has(call, "role"), role(call), enabled,
		stet_time_text(call, stet_now(call)))));
	return answer(call, id);
}

enum stet_status
provider_delete(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "DELETE FROM oidc_providers WHERE id = ?1", STET_ARGS(id)));
	if (stet_changes(call) == 0)
		return missing(call, id);
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
