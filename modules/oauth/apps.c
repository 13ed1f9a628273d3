/* apps.c - lists and withdraws the user's grants: over the API, and on a page. */
#include "oauth.h"
#include <string.h>

#define COLUMNS                                                                                                                      \
	"SELECT g.id, g.client_id, c.name, g.scopes, g.resource, g.created_at, g.used_at, "                                          \
	"g.collections, g.ends_at, c.kind, c.redirect_uris, g.limits FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id" \
	" WHERE g.user_id = ?1 AND g.family IS NOT NULL AND g.expires_at > ?2 ORDER BY g.id DESC"

static const struct stet_member grant_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "clientId", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED, .about = "What the client calls itself" },
	{ "scopes", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "resource", STET_STRING, STET_NULLABLE, .about = "null: the whole API" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "lastUsedAt", STET_TIME, STET_REQUIRED, .about = "To the minute" },
	{ "collections", STET_ARRAY, .item = STET_STRING, .about = "Absent: all" },
	{ "endsAt", STET_TIME, .about = "Absent: when it is revoked, or unused for long" },
	{ "limits", STET_OBJECT, STET_REQUIRED, .of = limits_out, .about = "What applies" },
	{ 0 },
};
const struct stet_member grants_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = grant_out },
	{ 0 },
};
const struct stet_member grant_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the grant" },
	{ 0 },
};
const struct stet_member grant_ended_out[] = {
	{ "revoked", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

static enum stet_status
query(struct stet_call *call, struct stet_rows *rows)
{
	return stet_query(call, rows, COLUMNS,
	    STET_ARGS(stet_principal(call)->id, stet_time_text(call, stet_now(call))));
}

static void
put_one_scope(struct stet_call *call, const char *scope, void *arg)
{
	(void)call;
	stet_put_str(arg, NULL, scope);
}

enum stet_status
grants_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(query(call, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows)) {
		stet_object(out, NULL);
		stet_put_columns(out, &rows, 0, grant_out, 3);
		stet_array(out, "scopes");
		scopes_each(call, stet_col_str(&rows, 3), put_one_scope, out);
		stet_close(out);
		stet_put_columns(out, &rows, 4, grant_out + 4, 3);
		if (!stet_col_null(&rows, 7)) {
			stet_array(out, "collections");
			scopes_each(call, stet_col_str(&rows, 7), put_one_scope, out);
			stet_close(out);
		}
		stet_put_columns(out, &rows, 8, grant_out + 8, 1);
		limits_json(call, out, stet_col_str(&rows, 11));
		stet_close(out);
	}
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
end(struct stet_call *call, struct stet_tx *tx, const char *id, bool *found)
{
	STET_TRY(stet_exec(call, tx, "DELETE FROM oauth_grants WHERE id = ?1 AND user_id = ?2",
	    STET_ARGS(id, stet_principal(call)->id)));
	*found = stet_changes(call) > 0;
	return STET_OK;
}

enum stet_status
grants_end(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	bool found;

	STET_TRY(end(call, stet_write_tx(call), stet_arg(call, "id"), &found));
	if (!found)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Grant not found");
	stet_object(out, NULL);
	stet_put_bool(out, "revoked", true);
	stet_close(out);
	return STET_OK;
}

/* ---- for other modules ---- */

static enum stet_status
client_of(struct stet_call *call, const char *grant, const char **name)
{
	struct stet_rows rows;

	*name = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT c.name FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id"
	    " WHERE g.id = ?1 AND g.expires_at > ?2",
	    STET_ARGS(grant, stet_time_text(call, stet_now(call)))));
	if (stet_row(&rows))
		*name = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

const struct stet_oauth_1 apps_service = { client_of };

/* ---- the page ---- */

static void
put_item(struct stet_call *call, const char *scope, void *arg)
{
	stet_html_raw(arg, "<li>");
	scope_put(call, arg, scope);
	stet_html_raw(arg, "</li>\n");
}

static void
put_grant(struct stet_call *call, struct stet_html *html, struct stet_rows *rows, const char *token)
{
	const char *name = stet_col_str(rows, 2), *id = stet_col_str(rows, 0), *why;
	bool document = strcmp(stet_col_str(rows, 9), CLIENT_DOCUMENT) == 0;
	size_t len;
	const char *uris = stet_col_text(rows, 10, &len);
	const char *uri =
	    json_string_value(json_array_get(stet_json_parse(call, uris, len, &why), 0));

	if (document)
		uri = stet_col_str(rows, 1);
	stet_html_fill(html, page_words(call),
	    "<section>\n<h2>{host}</h2>\n<p>{apps_grant}</p>\n<ul>\n", "host",
	    uri != NULL && !uri_is_loopback(uri) ? uri_host(call, uri)
						 : stet_word(page_words(call), "apps_local"),
	    "name", name, "since", stet_col_str(rows, 5), "used", stet_col_str(rows, 6), NULL);
	scopes_each(call, stet_col_str(rows, 3), put_item, html);
	if (!stet_col_null(rows, 7))
		stet_html_fill(html, page_words(call), "<li>{in_collections}</li>\n", "collections",
		    stet_col_str(rows, 7), NULL);
	if (!stet_col_null(rows, 8))
		stet_html_fill(html, page_words(call), "<li>{ends_at}</li>\n", "time",
		    stet_col_str(rows, 8), NULL);
	limits_list(call, html, stet_col_str(rows, 11));
	stet_html_fill(html, page_words(call),
	    "</ul>\n<form method=\"post\" action=\"" APPS_PATH "\">\n"
	    "<input type=\"hidden\" name=\"token\" value=\"{token}\">\n"
	    "<input type=\"hidden\" name=\"id\" value=\"{id}\">\n"
	    "<button type=\"submit\" aria-label=\"{apps_withdraw_of}\">{apps_withdraw}</button>\n"
	    "</form>\n</section>\n",
	    "token", token, "id", id, "name", name, NULL);
}

enum stet_status
apps_show(struct stet_call *call)
{
	struct stet_html *html;
	struct stet_rows rows;
	const char *token;
	int count = 0;

	if (page_user(call) == NULL)
		return page_sign_in(call, 302, APPS_PATH);
	STET_TRY(page_token(call, APPS_PATH, &token));
	html = page_open(call, "apps_title");
	STET_TRY(query(call, &rows));
	for (; stet_row(&rows); count++)
		put_grant(call, html, &rows, token);
	STET_TRY(stet_rows_end(&rows));
	if (count == 0)
		stet_html_fill(html, page_words(call), "<p>{apps_none}</p>\n", NULL);
	stet_html_fill(
	    html, page_words(call), "<p><a href=\"/_cms/account\">{account_link}</a></p>\n", NULL);
	return page_close(call, html, 200, NULL);
}

enum stet_status
apps_end(struct stet_call *call)
{
	struct oauth_params form;
	const char *id;
	size_t len;
	const char *body = stet_body(call, &len);
	bool found;

	if (page_user(call) == NULL)
		return page_sign_in(call, 303, APPS_PATH);
	STET_TRY(stet_form(call, body != NULL ? body : "", len, &form.field, &form.count));
	STET_TRY(page_check(call, &form, APPS_PATH));
	id = params_get(&form, "id");
	STET_TRY(end(call, stet_write_tx(call), id != NULL ? id : "", &found));
	return stet_redirect(call, 303, APPS_PATH);
}
