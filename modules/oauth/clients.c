/* clients.c - OAuth clients for administrators: entered, listed, changed, deleted. */
#include "clients.h"
#include <string.h>

#define ID_PATTERN "^[A-Za-z0-9][A-Za-z0-9._-]*(?![\\s\\S])"

#define SCOPES_MEMBER                                                                       \
	{                                                                                   \
		"scopes", STET_ARRAY, STET_NULLABLE,                                        \
		    .about = "The most that its tokens may have; null: whatever users may", \
		    .item = STET_STRING, STET_RANGE(0, 50)                                  \
	}
#define URIS_MEMBER(flags_)                                                                   \
	{                                                                                     \
		"redirectUris", STET_ARRAY, (flags_),                                         \
		    .about = "Where users are sent back to: https, or http on this computer", \
		    .item = STET_STRING, STET_RANGE(1, CLIENT_URIS_MAX)                       \
	}

const struct stet_member client_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "What the client calls itself in requests",
	    STET_RANGE(1, 100), .pattern = ID_PATTERN },
	{ "name", STET_STRING, STET_REQUIRED, .about = "What users read", STET_RANGE(1, 100) },
	URIS_MEMBER(STET_REQUIRED),
	SCOPES_MEMBER,
	{ 0 },
};
const struct stet_member client_change_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "The id of the client", STET_RANGE(1, 2000) },
	{ "name", STET_STRING, .about = "What users read", STET_RANGE(1, 100) },
	URIS_MEMBER(0),
	SCOPES_MEMBER,
	{ 0 },
};
const struct stet_member client_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "The id of the client", STET_RANGE(1, 2000) },
	{ 0 },
};
const struct stet_member client_out[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "What the client calls itself in requests" },
	{ "kind", STET_STRING, STET_REQUIRED,
	    .about = "How it became known: an administrator, its registration, its document, or a "
		     "device code",
	    STET_CHOICES(CLIENT_STATIC, CLIENT_REGISTERED, CLIENT_DOCUMENT, CLIENT_DEVICE) },
	{ "name", STET_STRING, STET_REQUIRED, .about = "What users read" },
	{ "redirectUris", STET_ARRAY, STET_REQUIRED, .about = "Where users are sent back to",
	    .item = STET_STRING },
	{ "scopes", STET_ARRAY, STET_REQUIRED | STET_NULLABLE,
	    .about = "The most that its tokens may have; null: whatever users may",
	    .item = STET_STRING },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ "lastUsedAt", STET_TIME, STET_NULLABLE, .about = "When a user last agreed to it" },
	{ 0 },
};
const struct stet_member clients_in[] = {
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "Clients a page", STET_RANGE(1, 100),
	    .fallback = "50" },
	{ "cursor", STET_STRING, .about = "Where the page begins", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member clients_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = client_out },
	{ "nextCursor", STET_STRING, .about = "Where the next page begins" },
	{ 0 },
};
const struct stet_member client_deleted_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

#define COLUMNS "id, kind, name, redirect_uris, scopes, created_at, updated_at, used_at"

static void
put_one_scope(struct stet_call *call, const char *scope, void *json)
{
	(void)call;
	stet_put_str(json, NULL, scope);
}

static void
put_client(struct stet_call *call, struct stet_json *out, struct stet_rows *rows)
{
	const char *scopes = stet_col_dup(rows, 4), *uris;
	size_t len;

	stet_object(out, NULL);
	stet_put_str(out, "id", stet_col_str(rows, 0));
	stet_put_str(out, "kind", stet_col_str(rows, 1));
	stet_put_str(out, "name", stet_col_str(rows, 2));
	uris = stet_col_text(rows, 3, &len);
	stet_put_raw(out, "redirectUris", uris, len);
	if (scopes != NULL) {
		stet_array(out, "scopes");
		scopes_each(call, scopes, put_one_scope, out);
		stet_close(out);
	} else {
		stet_put_null(out, "scopes");
	}
	stet_put_str(out, "createdAt", stet_col_str(rows, 5));
	stet_put_str(out, "updatedAt", stet_col_str(rows, 6));
	stet_put_str(out, "lastUsedAt", stet_col_str(rows, 7));
	stet_close(out);
}

static enum stet_status
answer(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT " COLUMNS " FROM oauth_clients WHERE id = ?1", STET_ARGS(id)));
	put_client(call, stet_reply(call), &rows);
	return STET_OK;
}

enum stet_status
client_list(struct stet_call *call)
{
	struct stet_page page = {
		.listing = "oauth-clients", .key = "created_at", .key_column = 5
	};
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT " COLUMNS " FROM oauth_clients WHERE 1 = 1");
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		put_client(call, out, &rows);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
client_get(struct stet_call *call)
{
	return answer(call, stet_arg(call, "id"));
}

/* ---- changes ---- */

/* Returns the scopes as the database has them. Reports unknown ones as issues. */
static const char *
read_scopes(struct stet_call *call)
{
	const json_t *list = stet_arg_json(call, "scopes"), *value;
	const char *kept = "";
	size_t i;

	if (list == NULL)
		return NULL;
	json_array_foreach((json_t *)list, i, value)
	{
		const char *scope = json_string_value(value);

		if (strchr(scope, ' ') != NULL || *scope == '\0' ||
		    *scopes_clamp(call, scope, NULL, 50) == '\0')
			stet_issue(
			    call, stet_printf(call, "scopes[%zu]", i), "There is no such scope");
		else
			kept = stet_printf(call, "%s%s%s", kept, *kept != '\0' ? " " : "", scope);
	}
	if (json_array_size(list) == 0)
		stet_issue(call, "scopes", "must have a scope, or be null");
	return kept;
}

static void
check_uris(struct stet_call *call, const json_t *list)
{
	const json_t *value;
	const char *why;
	size_t i;

	json_array_foreach(
	    (json_t *)list, i, value) if (!redirect_allowed(json_string_value(value), &why))
	    stet_issue(call, stet_printf(call, "redirectUris[%zu]", i), "%s", why);
}

static enum stet_status
read_client(struct stet_call *call, struct oauth_client *c)
{
	if (stet_arg(call, "name") != NULL)
		c->name = stet_arg(call, "name");
	if (!client_name_ok(c->name))
		stet_issue(call, "name", "is blank, too long, or has control characters");
	if (stet_arg_json(call, "redirectUris") != NULL) {
		c->redirect_uris = stet_arg_json(call, "redirectUris");
		check_uris(call, c->redirect_uris);
	}
	if (stet_has(call, "scopes"))
		c->scopes = read_scopes(call);
	return stet_issues(call);
}

enum stet_status
client_create(struct stet_call *call)
{
	struct oauth_client client = { .id = stet_arg(call, "id"), .kind = CLIENT_STATIC };
	struct stet_rows rows;
	bool taken;

	STET_TRY(read_client(call, &client));
	STET_TRY(stet_query(
	    call, &rows, "SELECT 1 FROM oauth_clients WHERE id = ?1", STET_ARGS(client.id)));
	taken = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (taken)
		return stet_fail(
		    call, STET_CONFLICT, "id", "There is a client with the id %.100s", client.id);
	STET_TRY(client_store(call, stet_write_tx(call), &client));
	return answer(call, client.id);
}

enum stet_status
client_update(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");
	struct oauth_client client;
	enum stet_status status = client_find(call, id, &client);

	if (status == STET_DECLINED)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such client");
	STET_TRY(status);
	/* The client would undo the change the next time that it asks. */
	if (strcmp(client.kind, CLIENT_DOCUMENT) == 0 || strcmp(client.kind, CLIENT_DEVICE) == 0)
		return stet_fail(call, STET_CONFLICT, "id",
		    "This client describes itself: it can only be deleted");
	STET_TRY(read_client(call, &client));
	STET_TRY(client_store(call, stet_write_tx(call), &client));
	return answer(call, id);
}

/* Its grants, codes and tokens go with it. */
enum stet_status
client_delete(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	STET_TRY(stet_exec(call, stet_write_tx(call), "DELETE FROM oauth_clients WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "id"))));
	if (stet_changes(call) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such client");
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
