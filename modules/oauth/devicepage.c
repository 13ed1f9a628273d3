/*
 * devicepage.c - the page on which a user lets a device in: the code is typed, what the device
 * wants is shown, and the user agrees or refuses. Plain forms, no script.
 */
#include "clients.h"
#include <string.h>

/* ---- words ---- */

#define TITLE "Connect a device"
#define ASK_CODE "Type the code that your device or program shows."
#define CODE_LABEL "Code"
#define NEXT "Continue"
#define WARNING                                                                                  \
	"Go on only if you have just started this yourself, and the same code is on the screen " \
	"in front of you. If somebody sent you the code or this link, refuse: they would get "   \
	"into your account."
#define WANTS "It wants to act for you on this site, and may:"
#define APPROVE "Allow"
#define DENY "Refuse"
#define APPROVED "The device is connected. You can close this page."
#define DENIED "The device was refused. You can close this page."
#define STALE "This page was not sent by your browser, or is too old. Begin again."
#define NOTHING "Your account has none of the rights that the device asks for."

/* ---- pages ---- */

static enum stet_status
message_page(struct stet_call *call, int http, const char *text)
{
	struct stet_html *html = page_open(call, TITLE);

	stet_html_add(html, "<p role=\"status\">%s</p>\n", text);
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

/* Asks for the code; `wrong` says what was wrong with the last one, NULL: nothing. */
static enum stet_status
code_page(struct stet_call *call, int http, const char *code, const char *wrong)
{
	struct stet_html *html = page_open(call, TITLE);

	if (wrong != NULL)
		stet_html_add(html, "<p role=\"alert\" id=\"wrong\">%s</p>\n", wrong);
	stet_html_add(html, "<p>%s</p>\n", ASK_CODE);
	STET_TRY(form_begin(call, html));
	stet_html_add(html,
	    "<p><label for=\"user_code\">%s</label>\n<input id=\"user_code\" name=\"user_code\""
	    " value=\"%s\" required maxlength=\"20\" autocomplete=\"off\" autocapitalize=\"characters\""
	    " spellcheck=\"false\"%s></p>\n<p><button type=\"submit\">%s</button></p>\n</form>\n",
	    CODE_LABEL, code, "", NEXT);
	return page_close(call, html, http, NULL);
}

static void
put_scope(struct stet_call *call, const char *scope, void *arg)
{
	stet_html_add(arg,
	    "<li><label><input type=\"checkbox\" name=\"scope\" value=\"%s\" checked> %s"
	    "</label></li>\n",
	    scope, scope_words(call, scope));
}

/* Who asks. A document's host is proved by the document, a name is only claimed. */
static void
put_client(struct stet_call *call, struct stet_html *html, const struct device *d)
{
	if (strcmp(d->client.kind, CLIENT_DOCUMENT) == 0)
		stet_html_add(html,
		    "<p class=\"host\"><strong>%s</strong></p>\n<p>It calls itself “%s”.</p>\n",
		    uri_host(call, d->client_id), d->client.name);
	else if (strcmp(d->client.kind, CLIENT_STATIC) == 0)
		stet_html_add(html, "<p class=\"host\"><strong>%s</strong></p>\n", d->client.name);
	else
		stet_html_add(html,
		    "<p>A program that calls itself “%s”. Nobody has checked this name.</p>\n",
		    d->client.name);
}

/* Shows the request with its permissions, of which each can be taken away. */
static enum stet_status
request_page(struct stet_call *call, const struct device *d, const char *wrong)
{
	const char *scopes = device_scopes(call, d);
	struct stet_html *html = page_open(call, TITLE);

	if (wrong != NULL)
		stet_html_add(html, "<p role=\"alert\">%s</p>\n", wrong);
	put_client(call, html, d);
	stet_html_add(html,
	    "<p>Code <strong>%s</strong>, asked for at %s from the address %s.</p>\n"
	    "<p role=\"note\">%s</p>\n",
	    d->user_code, d->created_at, *d->address != '\0' ? d->address : "of this computer",
	    WARNING);
	STET_TRY(form_begin(call, html));
	stet_html_add(
	    html, "<input type=\"hidden\" name=\"user_code\" value=\"%s\">\n", d->user_code);
	if (*scopes != '\0') {
		stet_html_add(html, "<fieldset><legend>%s</legend><ul>\n", WANTS);
		scopes_each(call, scopes, put_scope, html);
		stet_html_add(html, "</ul></fieldset>\n<p>You are signed in as %s.</p>\n<p>",
		    stet_principal(call)->email);
		stet_html_add(html,
		    "<button type=\"submit\" name=\"action\" value=\"approve\">%s</button>\n",
		    APPROVE);
	} else {
		stet_html_add(html, "<p>%s</p>\n<p>", NOTHING);
	}
	stet_html_add(html,
	    "<button type=\"submit\" name=\"action\" value=\"deny\">%s</button></p>\n</form>\n",
	    DENY);
	return page_close(call, html, wrong != NULL ? 400 : 200, NULL);
}

/* ---- requests ---- */

/* The code of a link, if it has the form of one: it goes into another link. */
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

/* The scopes whose boxes are ticked, of those that can be granted. */
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
		return request_page(call, d, "Leave at least one permission, or refuse.");
	status = device_decide(call, d, scopes);
	if (status == stet_code(call, "INVALID_CODE")) {
		stet_error_clear(call);
		return code_page(call, 400, "", "Somebody has decided this meanwhile.");
	}
	STET_TRY(status);
	return message_page(call, 200, approve ? APPROVED : DENIED);
}

/* What the page says of a code that was not found; NULL: the call has failed otherwise. */
static const char *
wrong_code(struct stet_call *call, enum stet_status status)
{
	if (status == stet_code(call, "INVALID_CODE"))
		return "No device waits with this code. Look at it again.";
	if (status == stet_code(call, "EXPIRED_CODE"))
		return "This code has expired. Begin again on the device.";
	if (status == STET_RATE_LIMITED)
		return "Too many wrong codes. Try again in 15 minutes.";
	return NULL;
}

/* Fields of forms, which a browser sends as often as they are ticked. */
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
		return message_page(call, 403, STALE);
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
