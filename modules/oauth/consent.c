/* consent.c - the pages of this module: plain HTML that needs no script. */
#include "oauth.h"
#include <string.h>

#define POLICY                                                                               \
	"default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; " \
	"base-uri 'none'"
/* Browsers apply form-action to where a form's answer leads as well, which is the client here. */
#define POLICY_CONSENT \
	"default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/* ---- pages ---- */

struct stet_html *
page_open(struct stet_call *call, const char *title)
{
	struct stet_html *html = stet_html_new(call);

	stet_html_add(html,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n"
	    "<link rel=\"stylesheet\" href=\"" STYLE_PATH "\">\n</head>\n<body>\n<main>\n"
	    "<h1>%s</h1>\n",
	    title, title);
	return html;
}

enum stet_status
page_close(struct stet_call *call, struct stet_html *html, int http, const char *policy)
{
	stet_html_raw(html, "</main>\n</body>\n</html>\n");
	return stet_html_reply(call, http, html, policy != NULL ? policy : POLICY);
}

enum stet_status
page_problem(struct stet_call *call, int http, const char *title, const char *text)
{
	struct stet_html *html = page_open(call, title);

	stet_html_add(html, "<p role=\"alert\">%s</p>\n", text);
	return page_close(call, html, http, NULL);
}

const struct stet_principal *
page_user(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	return p != NULL && p->via == STET_VIA_SESSION ? p : NULL;
}

enum stet_status
page_sign_in(struct stet_call *call, int http, const char *here)
{
	return stet_redirect(
	    call, http, stet_printf(call, SIGNIN_PATH "?next=%s", uri_encode(call, here)));
}

/* ---- tokens of forms ---- */

enum stet_status
page_token(struct stet_call *call, const char *subject, const char **token)
{
	const struct stet_principal *user = page_user(call);
	const char *text = stet_printf(call, "%s\n%s\n%s",
	    user != NULL && user->session_id != NULL ? user->session_id : "",
	    user != NULL ? user->id : "", subject);
	unsigned char mac[STET_MAC_SIZE];

	STET_TRY(stet_mac(call, "oauth form", text, strlen(text), mac));
	*token = secret_text(call, "", mac);
	return STET_OK;
}

enum stet_status
page_check(struct stet_call *call, const struct oauth_params *form, const char *subject)
{
	const char *given = params_get(form, "token"), *want;

	STET_TRY(page_token(call, subject, &want));
	if (given != NULL && strlen(given) == strlen(want) &&
	    sodium_memcmp(given, want, strlen(want)) == 0)
		return STET_OK;
	return stet_fail(call, STET_CSRF_REJECTED, NULL, "The form is not of this session");
}

/* ---- consent ---- */

/* Says who asks. What a client calls itself proves nothing; the host to which the answer goes
 * does. */
static void
put_client(struct stet_call *call, struct stet_html *html, const struct authorize *a)
{
	bool document = strcmp(a->client.kind, CLIENT_DOCUMENT) == 0;
	bool loopback = uri_is_loopback(a->redirect_uri);
	const char *host = document   ? uri_host(call, a->client.id)
			   : loopback ? "A program on this computer"
				      : uri_host(call, a->redirect_uri);

	stet_html_add(html,
	    "<p class=\"host\"><strong>%s</strong></p>\n"
	    "<p class=\"name\">calls itself &#8220;%s&#8221; and asks to act for you at %s.</p>\n",
	    host, a->client.name, uri_host(call, stet_base_url(call)));
	if (loopback)
		stet_html_raw(html,
		    "<p role=\"note\" class=\"warning\">The answer goes to this computer, where"
		    " any program may be asking. Go on only if you have just started one that"
		    " needs this.</p>\n");
	else
		stet_html_add(html, "<p>The answer goes to <strong>%s</strong>.</p>\n",
		    uri_host(call, a->redirect_uri));
}

struct boxes {
	struct stet_html *html;
	int count;
};

static void
put_scope(struct stet_call *call, const char *scope, void *arg)
{
	struct boxes *b = arg;

	b->count++;
	stet_html_add(b->html,
	    "<p><input type=\"checkbox\" id=\"s%d\" name=\"grant\" value=\"%s\" checked>"
	    " <label for=\"s%d\">%s <small>(%s)</small></label></p>\n",
	    b->count, scope, b->count, scope_words(call, scope), scope);
}

enum stet_status
consent_page(struct stet_call *call, const struct authorize *a)
{
	const struct stet_principal *user = page_user(call);
	const char *query = stet_request_query(call), *token;
	struct stet_html *html = page_open(call, "Allow access?");
	struct boxes boxes = { html, 0 };

	STET_TRY(page_token(call, query, &token));
	put_client(call, html, a);
	stet_html_add(html,
	    "<p>You are signed in as <strong>%s</strong>.</p>\n"
	    "<form method=\"post\" action=\"" AUTHORIZE_PATH "?%s\">\n"
	    "<input type=\"hidden\" name=\"token\" value=\"%s\">\n"
	    "<fieldset>\n<legend>It may, until you withdraw it:</legend>\n",
	    user->email, query, token);
	scopes_each(call, a->scopes, put_scope, &boxes);
	stet_html_raw(html,
	    "</fieldset>\n"
	    "<p><button type=\"submit\" name=\"action\" value=\"approve\">Allow</button>\n"
	    "<button type=\"submit\" name=\"action\" value=\"deny\" class=\"secondary\">"
	    "Refuse</button></p>\n</form>\n"
	    "<p><small>You can withdraw this at any time: <a href=\"" APPS_PATH
	    "\">programs with access</a>.</small></p>\n");
	if (a->resource != NULL)
		stet_html_raw(html,
		    "<p><small>Its access is limited to the tool server of this site.</small></p>\n");
	return page_close(call, html, 200, POLICY_CONSENT);
}
