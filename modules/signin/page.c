/*
 * page.c - the HTML pages of signin: sign-in, the landing of links, setup, invitations, the
 * account.
 *
 * A page is its frame and a text of this file; script.js does what its buttons say, by the API.
 * Loading a page uses nothing up: the token of a link is in the fragment, which no server sees.
 */
#include "page.h"
#include <stet/html.h>
#include <stet/mail.h>
#include <stet/settings.h>
#include <string.h>

#define POLICY                                                                          \
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " \
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const struct stet_member page_in[] = {
	{ "next", STET_STRING, .about = "Where to go then: a path of this site" },
	{ "error", STET_STRING, .about = "What went wrong before, as a word" },
	{ 0 },
};

/* ---- the frame ---- */

struct page {
	const char *name; /* what script.js calls it */
	const char *title; /* and heading */
	const char *kind; /* class of the main element */
};

/* The title of the site, or NULL. */
static enum stet_status
site_title(struct stet_call *call, const char **out)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	const json_t *values = NULL;

	if (settings != NULL)
		STET_TRY(settings->get(call, &values));
	*out = json_string_value(json_object_get(values, "title"));
	return STET_OK;
}

static enum stet_status
begin(struct stet_call *call, const struct page *page, struct stet_html **out)
{
	const char *next = stet_arg(call, "next"), *site;
	struct stet_html *html = stet_html_new(call);

	STET_TRY(site_title(call, &site));
	stet_html_add(html,
	    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"referrer\" content=\"same-origin\">\n"
	    "<title>%s</title>\n<link rel=\"stylesheet\" href=\"" PAGE_STYLE "\">\n"
	    "<script src=\"" PAGE_SCRIPT "\" defer></script>\n</head>\n<body>\n",
	    page->title);
	stet_html_add(html, "<main data-page=\"%s\" data-next=\"%s\" class=\"%s\">\n", page->name,
	    stet_is_local_path(next) ? next : PAGE_ACCOUNT, page->kind);
	if (site != NULL && *site != '\0')
		stet_html_add(html, "<p class=\"quiet\">%s</p>\n", site);
	stet_html_add(html, "<h1>%s</h1>\n", page->title);
	*out = html;
	return STET_OK;
}

static enum stet_status
end(struct stet_call *call, struct stet_html *html)
{
	stet_html_raw(html, "</main>\n</body>\n</html>\n");
	return stet_html_reply(call, 200, html, POLICY);
}

/* Where script.js tells what went wrong, and what was done. */
static void
add_news(struct stet_html *html, const char *wrong)
{
	stet_html_add(html,
	    "<div id=\"wrong\" role=\"alert\" tabindex=\"-1\">%s</div>\n"
	    "<div id=\"said\" role=\"status\"></div>\n",
	    wrong);
}

/* A page whose text does not change. */
static enum stet_status
reply(struct stet_call *call, const struct page *page, const char *text)
{
	struct stet_html *html;

	STET_TRY(begin(call, page, &html));
	add_news(html, "");
	stet_html_raw(html, text);
	return end(call, html);
}

/* ---- signing in ---- */

static const char *
explain(const char *word)
{
	static const struct {
		const char *word, *text;
	} words[] = {
		{ "missing_token", "The link is not whole. Open it again, as it was sent to you." },
		{ "invalid_link", "This link was used already, or is not of this site." },
		{ "link_expired", "This link has expired. Ask for a new one." },
		{ "account_disabled",
		    "This account is disabled. Ask somebody who runs this site." },
		{ "user_not_found", "This account does not exist any more." },
		{ "provider_denied", "The other site did not sign you in." },
		{ "provider_failed",
		    "The other site does not answer as it should. Try again later." },
		{ "provider_state", "That took too long, or began in another browser. Try again." },
		{ "not_allowed",
		    "No account here belongs to yours at the other site. Sign in another way and link it." },
		{ "link_required",
		    "Sign in another way first, and link your account at the other site." },
		{ "linked_elsewhere", "That account is linked to another user here." },
	};

	if (word == NULL)
		return "";
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].text;
	return "Signing in did not work. Try again.";
}

#define NO_SCRIPT(what)                                                              \
	"<noscript><p class=\"wrong\">" what                                         \
	" needs JavaScript, which is off in this browser. Turn it on for this site " \
	"and load the page again.</p></noscript>\n"

static const char signin_passkey[] = NO_SCRIPT(
    "Signing in") "<div class=\"part script\" hidden>\n"
		  "<button type=\"button\" class=\"go\" id=\"passkey\">Sign in with a passkey</button>\n"
		  "<div id=\"providers\"></div>\n</div>\n";
static const char signin_mail[] =
    "<form id=\"mail\" class=\"script\" hidden>\n<h2>Or by a link in a mail</h2>\n"
    "<label for=\"address\">Mail address</label>\n"
    "<input id=\"address\" name=\"email\" type=\"email\" autocomplete=\"username webauthn\""
    " required>\n<button>Send me a link</button>\n</form>\n";
static const char signin_recovery[] =
    "<details class=\"script\" hidden>\n<summary>Lost your passkey? Use a recovery code</summary>\n"
    "<form id=\"recovery\">\n<label for=\"recover\">Mail address</label>\n"
    "<input id=\"recover\" name=\"email\" type=\"email\" autocomplete=\"username webauthn\""
    " required>\n"
    "<label for=\"code\">Recovery code</label>\n"
    "<input id=\"code\" name=\"code\" type=\"text\" autocomplete=\"off\" spellcheck=\"false\""
    " required>\n<button>Sign in with the code</button>\n</form>\n"
    "<p class=\"quiet\">No code either? Ask somebody who runs this site for a new link.</p>\n"
    "</details>\n";

enum stet_status
page_signin(struct stet_call *call)
{
	static const struct page page = { "signin", "Sign in", "" };
	struct stet_html *html;

	STET_TRY(begin(call, &page, &html));
	add_news(html, explain(stet_arg(call, "error")));
	stet_html_raw(html, signin_passkey);
	if (stet_mail_configured(call))
		stet_html_raw(html, signin_mail);
	stet_html_raw(html, signin_recovery);
	return end(call, html);
}

enum stet_status
page_link(struct stet_call *call)
{
	static const struct page page = { "link", "Sign in with this link", "" };

	return reply(call, &page,
	    NO_SCRIPT(
		"Signing in") "<div class=\"script\" hidden>\n"
			      "<p>The link works once. Nothing is used until you press the "
			      "button.</p>\n"
			      "<button type=\"button\" class=\"go\" id=\"use\">Sign in</button>\n</div>\n");
}

/* ---- joining ---- */

static const char setup_form[] = NO_SCRIPT(
    "Setting up a site") "<form id=\"setup\" class=\"script\" hidden>\n"
			 "<label for=\"title\">Name of the site</label>\n"
			 "<input id=\"title\" name=\"title\" type=\"text\" maxlength=\"200\" required>\n"
			 "<label for=\"name\">Your name</label>\n"
			 "<input id=\"name\" name=\"name\" type=\"text\" autocomplete=\"name\" maxlength=\"100\""
			 " required>\n"
			 "<label for=\"email\">Your mail address</label>\n"
			 "<input id=\"email\" name=\"email\" type=\"email\" autocomplete=\"email\" required>\n"
			 "<p class=\"quiet\">You become the administrator. A passkey on this device, phone or key takes "
			 "the place of a password.</p>\n"
			 "<button class=\"go\">Make a passkey and begin</button>\n</form>\n";

enum stet_status
page_setup(struct stet_call *call)
{
	static const struct page page = { "setup", "Set up this site", "" };
	static const struct page done = { "", "This site is set up", "" };
	bool complete;

	STET_TRY(setup_complete(call, &complete));
	return complete ? reply(call, &done,
			      "<p>It has an administrator already. "
			      "<a href=\"" PAGE_SIGNIN "\">Sign in</a></p>\n")
			: reply(call, &page, setup_form);
}

enum stet_status
page_invite(struct stet_call *call)
{
	static const struct page page = { "invite", "Accept your invitation", "" };

	return reply(call, &page,
	    NO_SCRIPT("Accepting an invitation") "<form id=\"invite\" class=\"script\" hidden>\n"
						 "<p id=\"invited\"></p>\n"
						 "<label for=\"name\">Your name</label>\n"
						 "<input id=\"name\" name=\"name\" type=\"text\" "
						 "autocomplete=\"name\" maxlength=\"100\">\n"
						 "<button class=\"go\">Accept</button>\n</form>\n");
}

/* ---- the account ---- */

static const char account_own[] = NO_SCRIPT(
    "Changing your account") "<div class=\"script\" hidden>\n"
			     "<p><button type=\"button\" id=\"out\">Sign out</button>"
			     "<a class=\"button\" href=\"/_cms/account/apps\">Programs with access</a></p>\n"
			     "<h2>Passkeys</h2>\n<ul class=\"rows\" id=\"passkeys\"></ul>\n"
			     "<form id=\"add\">\n<label for=\"passkey-name\">Name of a new passkey</label>\n"
			     "<input id=\"passkey-name\" name=\"name\" type=\"text\" maxlength=\"100\""
			     " placeholder=\"Phone, laptop, key\">\n<button>Add a passkey</button>\n</form>\n"
			     "<h2>Recovery codes</h2>\n<p id=\"left\"></p>\n"
			     "<button type=\"button\" id=\"codes\">Make new codes</button>\n"
			     "<div id=\"new-codes\" tabindex=\"-1\"></div>\n"
			     "<h2>Where you are signed in</h2>\n<ul class=\"rows\" id=\"sessions\"></ul>\n"
			     "<button type=\"button\" id=\"others\" class=\"end\">Sign out everywhere else</button>\n"
			     "</div>\n";

static void
add_scopes(struct stet_html *html)
{
	static const struct {
		const char *scope, *text;
	} scopes[] = {
		{ "content:read", "Read content" },
		{ "content:write", "Write content" },
		{ "media:read", "Read media" },
		{ "media:write", "Add and change media" },
		{ "schema:read", "Read the schema" },
		{ "schema:write", "Change the schema" },
		{ "taxonomies:manage", "Change taxonomies" },
		{ "menus:manage", "Change menus" },
		{ "settings:read", "Read settings" },
		{ "settings:manage", "Change settings" },
		{ "mcp:tools", "Use tools of plugins" },
		{ "admin", "Everything, users and tokens too" },
	};

	stet_html_raw(html, "<fieldset>\n<legend>It may</legend>\n");
	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++)
		stet_html_add(html,
		    "<label class=\"tick\"><input type=\"checkbox\" name=\"scope\" value=\"%s\"> "
		    "%s</label>\n",
		    scopes[i].scope, scopes[i].text);
	stet_html_raw(html, "</fieldset>\n");
}

static void
add_tokens(struct stet_html *html)
{
	stet_html_raw(html,
	    "<div class=\"script\" hidden>\n<h2>API tokens</h2>\n"
	    "<ul class=\"rows\" id=\"tokens\"></ul>\n"
	    "<form id=\"token\">\n<label for=\"token-name\">What a new token is for</label>\n"
	    "<input id=\"token-name\" name=\"name\" type=\"text\" maxlength=\"100\" required>\n");
	add_scopes(html);
	stet_html_raw(html, "<label for=\"expires\">Last day (empty: without an end)</label>\n"
			    "<input id=\"expires\" name=\"expires\" type=\"date\">\n"
			    "<button>Make a token</button>\n</form>\n"
			    "<div id=\"new-token\" tabindex=\"-1\"></div>\n</div>\n");
}

enum stet_status
page_account(struct stet_call *call)
{
	static const struct page page = { "account", "Your account", "wide" };
	const struct stet_principal *p = stet_principal(call);
	struct stet_html *html;

	if (p == NULL || p->session_id == NULL)
		return stet_redirect(call, 302, PAGE_SIGNIN "?next=" PAGE_ACCOUNT);
	STET_TRY(begin(call, &page, &html));
	stet_html_add(html, "<p class=\"quiet\">%s</p>\n", p->email);
	add_news(html, explain(stet_arg(call, "error")));
	stet_html_raw(html, account_own);
	if (p->role >= ROLE_ADMIN)
		add_tokens(html);
	return end(call, html);
}

/* ---- script and style ---- */

/* They change with the daemon: a browser asks each time, and is answered 304. */
static enum stet_status
reply_lines(struct stet_call *call, const char *type, const char *const *lines)
{
	stet_header(call, "Cache-Control", "no-cache");
	stet_reply_type(call, type);
	for (; *lines != NULL; lines++)
		STET_TRY(stet_write(call, *lines, strlen(*lines)));
	return STET_OK;
}

enum stet_status
page_style(struct stet_call *call)
{
	return reply_lines(call, "text/css; charset=utf-8", page_style_lines);
}

enum stet_status
page_script(struct stet_call *call)
{
	return reply_lines(call, "text/javascript; charset=utf-8", page_script_lines);
}
