/* consent.c - the page on which a user agrees that a program may act for them. */
#include "oauth.h"
#include <stet/settings.h>
#include <string.h>

/* The policy has no form-action: browsers apply it to redirects of a form, too, and this form ends
 * with a redirect to the client. */
#define POLICY_CONSENT \
	"default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/* Shows which client asks. Its name proves nothing, but the host that gets the response does. */
static void
put_client(
    struct stet_call *call, struct stet_html *html, const struct authorize *a, const char *site)
{
	bool document = strcmp(a->client.kind, CLIENT_DOCUMENT) == 0;
	bool loopback = uri_is_loopback(a->redirect_uri);
	const char *host = document   ? uri_host(call, a->client.id)
			   : loopback ? stet_word(page_words(call), "here")
				      : uri_host(call, a->redirect_uri);

	stet_html_fill(html, page_words(call),
	    "<p class=\"host\"><strong>{host}</strong></p>\n<p class=\"name\">{claim}</p>\n",
	    "host", host, "name", a->client.name, "site", site, NULL);
	stet_html_fill(html, page_words(call),
	    loopback ? "<p role=\"note\" class=\"warning\">{loopback}</p>\n"
		     : "<p>{answer_to}</p>\n",
	    "host", uri_host(call, a->redirect_uri), NULL);
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
	    " <label for=\"s%d\">",
	    b->count, scope, b->count);
	scope_put(call, b->html, scope);
	stet_html_add(b->html, " <small>(%s)</small></label></p>\n", scope);
}

enum stet_status
consent_page(struct stet_call *call, const struct authorize *a)
{
	const struct stet_principal *user = page_user(call);
	const char *query = stet_request_query(call), *token;
	struct stet_html *html = page_open(call, "consent_title");
	struct boxes boxes = { html, 0 };
	const char *site;

	STET_TRY(page_token(call, query, &token));
	STET_TRY(stet_setting_text(call, "title", &site));
	if (site == NULL || *site == '\0')
		site = uri_host(call, stet_base_url(call));
	put_client(call, html, a, site);
	stet_html_fill(html, page_words(call),
	    "<p>{signed_in}</p>\n<form method=\"post\" action=\"" AUTHORIZE_PATH "?{query}\">\n"
	    "<input type=\"hidden\" name=\"token\" value=\"{token}\">\n"
	    "<fieldset>\n<legend>{may_until}</legend>\n",
	    "who", user->email, "query", query, "token", token, NULL);
	scopes_each(call, a->scopes, put_scope, &boxes);
	stet_html_raw(html, "</fieldset>\n");
	STET_TRY(narrow_put(call, html, a->scopes));
	limits_put(call, html);
	stet_html_fill(html, page_words(call),
	    "<p class=\"two\"><button type=\"submit\" name=\"action\" value=\"deny\">{refuse}"
	    "</button>\n<button type=\"submit\" name=\"action\" value=\"approve\" class=\"go\">"
	    "{allow}</button></p>\n</form>\n"
	    "<p><small>{withdraw_any_time} <a href=\"" APPS_PATH
	    "\">{apps_link}</a>.</small></p>\n",
	    NULL);
	if (a->resource != NULL)
		stet_html_fill(
		    html, page_words(call), "<p><small>{tools_only}</small></p>\n", NULL);
	return page_close(call, html, 200, POLICY_CONSENT);
}
