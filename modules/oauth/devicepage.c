/*
 * devicepage.c - the page on which a user approves a device. The user types the code, sees what the
 * device asks for, and agrees or refuses. Plain forms, no script.
 */
#include "clients.h"
#include <string.h>

/* ---- pages ---- */

static enum stet_status
message_page(struct stet_call *call, int http, const char *word)
{
	struct stet_html *html = page_open(call, "device_title");

	stet_html_add(html, "<p role=\"status\">%s</p>\n", stet_word(page_words(call), word));
	return page_close(call, html, http, NULL);
}

static enum stet_status
form_begin(struct stet_call *call, struct stet_html *html)
{
	const char *token;

	STET_TRY(page_token(call, DEVICE_PAGE_PATH, &token));
	stet_html_add(html,
	    "<form method=\"post\" action=\"" DEVICE_PAGE_PATH "\">\n"
	    "<input type=\"hidden\" name=\"token\" value=\"%s\">\n",
	    token);
	return STET_OK;
}

/* Asks for the code. `wrong` names the text about the last code in oauth_words; NULL: there is
 * none. */
static enum stet_status
code_page(struct stet_call *call, int http, const char *code, const char *wrong)
{
	struct stet_html *html = page_open(call, "device_title");

	if (wrong != NULL)
		stet_html_add(html, "<p role=\"alert\" id=\"wrong\">%s</p>\n",
		    stet_word(page_words(call), wrong));
	stet_html_fill(html, page_words(call), "<p>{device_ask}</p>\n", NULL);
	STET_TRY(form_begin(call, html));
	stet_html_fill(html, page_words(call),
	    "<p><label for=\"user_code\">{device_code}</label>\n"
	    "<input id=\"user_code\" name=\"user_code\""
	    " value=\"{code}\" required maxlength=\"20\" autocomplete=\"off\""
	    " autocapitalize=\"characters\" spellcheck=\"false\"></p>\n"
	    "<p><button type=\"submit\">{device_next}</button></p>\n</form>\n",
	    "code", code, NULL);
	return page_close(call, html, http, NULL);
}

static void
put_scope(struct stet_call *call, const char *scope, void *arg)
{
	stet_html_add(arg,
	    "<li><label><input type=\"checkbox\" name=\"scope\" value=\"%s\" checked> ", scope);
	scope_put(call, arg, scope);
	stet_html_raw(arg, "</label></li>\n");
}

/* Shows which client asks. The host of a document is proved, but a name is only a claim. */
static void
put_client(struct stet_call *call, struct stet_html *html, const struct device *d)
{
	if (strcmp(d->client.kind, CLIENT_DOCUMENT) == 0)
		stet_html_fill(html, page_words(call),
		    "<p class=\"host\"><strong>{host}</strong></p>\n<p>{device_document}</p>\n",
		    "host", uri_host(call, d->client_id), "name", d->client.name, NULL);
	else if (strcmp(d->client.kind, CLIENT_STATIC) == 0)
		stet_html_add(html, "<p class=\"host\"><strong>%s</strong></p>\n", d->client.name);
	else
		stet_html_fill(html, page_words(call), "<p>{device_claim}</p>\n", "name",
		    d->client.name, NULL);
}

/* Shows the request and its permissions; the user can untick each of them. */
static enum stet_status
request_page(struct stet_call *call, const struct device *d, const char *wrong)
{
	const char *scopes = device_scopes(call, d);
	struct stet_html *html = page_open(call, "device_title");

	if (wrong != NULL)
		stet_html_add(
		    html, "<p role=\"alert\">%s</p>\n", stet_word(page_words(call), wrong));
	put_client(call, html, d);
	stet_html_fill(html, page_words(call),
	    "<p>{device_asked}</p>\n<p role=\"note\">{device_warning}</p>\n", "code", d->user_code,
	    "time", d->created_at, "address",
	    *d->address != '\0' ? d->address : stet_word(page_words(call), "device_near"), NULL);
	STET_TRY(form_begin(call, html));
	stet_html_add(
	    html, "<input type=\"hidden\" name=\"user_code\" value=\"%s\">\n", d->user_code);
	if (*scopes != '\0') {
		stet_html_fill(html, page_words(call),
		    "<fieldset><legend>{device_wants}</legend><ul>\n", NULL);
		scopes_each(call, scopes, put_scope, html);
		stet_html_fill(html, page_words(call),
		    "</ul></fieldset>\n<p>{signed_in}</p>\n<p>"
		    "<button type=\"submit\" name=\"action\" value=\"approve\" class=\"go\">{allow}</button>\n",
		    "who", stet_principal(call)->email, NULL);
	} else {
		stet_html_fill(html, page_words(call), "<p>{device_nothing}</p>\n<p>", NULL);
	}
	stet_html_fill(html, page_words(call),
	    "<button type=\"submit\" name=\"action\" value=\"deny\">{refuse}</button></p>\n</form>\n",
	    NULL);
	return page_close(call, html, wrong != NULL ? 400 : 200, NULL);
}

/* ---- requests ---- */

/* The code in a link, or "" if it has not the form of a code. It is copied into another link. */
static const char *
code_of(const struct oauth_params *p)
{
	const char *code = params_get(p, "user_code");

	return code != NULL && strlen(code) <= 20 &&
		       strspn(code,
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") ==
			   strlen(code)
		   ? code
		   : "";
}

static enum stet_status
sign_in_first(struct stet_call *call, const char *code)
{
	return stet_redirect(call, 302,
	    stet_printf(call, SIGNIN_PATH "?next=" DEVICE_PAGE_PATH "%s%s",
		*code != '\0' ? "%3Fuser_code%3D" : "", code));
}

enum stet_status
device_page(struct stet_call *call)
{
	struct oauth_params query;
	const char *code = "";

	if (params_query(call, &query) == STET_OK)
		code = code_of(&query);
	if (page_user(call) == NULL)
		return sign_in_first(call, code);
	return code_page(call, 200, code, NULL);
}

/* The ticked scopes, as far as this user can grant them. */
static const char *
ticked(struct stet_call *call, const struct oauth_params *form, const struct device *d)
{
	const char *offered = device_scopes(call, d), *kept = "";

	for (size_t i = 0; i < form->count; i++) {
		const struct stet_form_field *f = form->field[i];

		if (strcmp(f->name, "scope") == 0 && strchr(f->value, ' ') == NULL &&
		    *f->value != '\0' && scopes_within(call, f->value, offered) &&
		    !scopes_within(call, f->value, kept))
			kept =
			    stet_printf(call, "%s%s%s", kept, *kept != '\0' ? " " : "", f->value);
	}
	return kept;
}

static enum stet_status
decide(struct stet_call *call, const struct oauth_params *form, const struct device *d,
    const char *action)
{
	bool approve = strcmp(action, "approve") == 0;
	const char *scopes = approve ? ticked(call, form, d) : NULL;
	enum stet_status status;

	if (approve && *scopes == '\0')
		return request_page(call, d, "device_none_left");
	status = device_decide(call, d, scopes);
	if (status == stet_code(call, "INVALID_CODE")) {
		stet_error_clear(call);
		return code_page(call, 400, "", "device_decided");
	}
	STET_TRY(status);
	return message_page(call, 200, approve ? "device_approved" : "device_denied");
}

/* The name in oauth_words of the text for a wrong code. NULL: the call failed for another
 * reason. */
static const char *
wrong_code(struct stet_call *call, enum stet_status status)
{
	if (status == stet_code(call, "INVALID_CODE"))
		return "device_unknown";
	if (status == stet_code(call, "EXPIRED_CODE"))
		return "device_expired";
	if (status == STET_RATE_LIMITED)
		return "device_limited";
	return NULL;
}

/* Reads the form without a check for repeated fields: browsers send "scope" once for each ticked
 * box. */
static enum stet_status
read_form(struct stet_call *call, struct oauth_params *out)
{
	size_t len;
	const char *body = stet_body(call, &len);

	*out = (struct oauth_params){ .count = 0 };
	return body != NULL ? stet_form(call, body, len, &out->field, &out->count) : STET_OK;
}

enum stet_status
device_post(struct stet_call *call)
{
	const char *code, *action, *wrong;
	enum stet_status status;
	struct oauth_params form;
	struct device device;
	bool ours;

	if (page_user(call) == NULL)
		return sign_in_first(call, "");
	STET_TRY(read_form(call, &form));
	STET_TRY(page_is_ours(call, &form, DEVICE_PAGE_PATH, &ours));
	if (!ours)
		return message_page(call, 403, "device_stale");
	code = params_get(&form, "user_code");
	action = params_get(&form, "action");
	status = device_find(call, code != NULL ? code : "", &device);
	wrong = status != STET_OK ? wrong_code(call, status) : NULL;
	if (wrong != NULL) {
		stet_error_clear(call);
		return code_page(call, status == STET_RATE_LIMITED ? 429 : 400, "", wrong);
	}
	STET_TRY(status);
	if (action != NULL)
		return decide(call, &form, &device, action);
	return request_page(call, &device, NULL);
}
