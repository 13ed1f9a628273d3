/* consent.c - the page on which a user lets a program in. */
#include "oauth.h"
#include <string.h>

/* Browsers apply form-action to where a form's answer leads as well, which is the client here. */
#define POLICY_CONSENT \
	"default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"

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
