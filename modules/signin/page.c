/*
 * page.c - the HTML pages of signin: sign-in, the landing page of links, setup, invitations, the
 * account.
 *
 * A page is the frame and the markup of this file with texts of words.c, or of translations.c in
 * the language of the person or browser. script.js runs the actions of the buttons, through the
 * API. Loading a page uses up no link: the token is in the URL's fragment, which browsers do not
 * send.
 */
#include "page.h"
#include <stdlib.h>
#include <stet/admin.h>
#include <stet/mail.h>
#include <stet/settings.h>
#include <stet/words.h>
#include <string.h>

#define POLICY                                                                          \
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " \
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const struct stet_member page_in[] = {
	{ "next", STET_STRING, .about = "Where to go then: a path of this site" },
	{ "error", STET_STRING, .about = "What went wrong before, as a word" },
	{ 0 },
};

/* ---- the language ---- */

static const struct stet_words page_languages[] = {
	{ "en", signin_words },
	{ "de", signin_words_de },
	{ "es", signin_words_es },
	{ "fr", signin_words_fr },
	{ 0 },
};
static const struct stet_words script_languages[] = {
	{ "en", script_words },
	{ "de", script_words_de },
	{ "es", script_words_es },
	{ "fr", script_words_fr },
	{ 0 },
};

static const char *
word(struct stet_call *call, const char *name)
{
	return stet_word(stet_words(call, page_languages)->words, name);
}

/* ---- the frame ---- */

struct page {
	const char *name; /* the name in script.js */
	const char *title; /* title and heading: a name in signin_words */
	const char *kind; /* class of the main element */
};

/* The texts of script.js, as JSON. */
static const char *
texts_of_script(struct stet_call *call)
{
	json_t *all = stet_json_own(call, json_object());
	const char *copy;
	char *text;

	for (const struct stet_word *w = stet_words(call, script_languages)->words; w->name != NULL;
	     w++)
		(void)json_object_set_new(all, w->name, json_string(w->text));
	text = json_dumps(all, JSON_COMPACT);
	if (text == NULL)
		stet_out_of_memory();
	copy = stet_strdup(call, text);
	free(text);
	return copy;
}

static enum stet_status
begin(struct stet_call *call, const struct page *page, struct stet_html **out)
{
	const char *next = stet_arg(call, "next"), *site;
	const char *title = word(call, page->title);
	struct stet_html *html = stet_html_new(call);

	STET_TRY(stet_setting_text(call, "title", &site));
	stet_html_add(html,
	    "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"referrer\" content=\"same-origin\">\n"
	    "<title>%s</title>\n<link rel=\"stylesheet\" href=\"" PAGE_STYLE "\">\n"
	    "<script src=\"" PAGE_SCRIPT "\" defer></script>\n</head>\n<body>\n",
	    stet_words(call, page_languages)->language, title);
	stet_html_add(html,
	    "<main data-page=\"%s\" data-next=\"%s\" class=\"%s\" data-words=\"%s\">\n", page->name,
	    stet_is_local_path(next) ? next : PAGE_ACCOUNT, page->kind, texts_of_script(call));
	if (site != NULL && *site != '\0')
		stet_html_add(html, "<p class=\"quiet\">%s</p>\n", site);
	stet_html_add(html, "<h1>%s</h1>\n", title);
	*out = html;
	return STET_OK;
}

static enum stet_status
end(struct stet_call *call, struct stet_html *html)
{
	stet_html_raw(html, "</main>\n</body>\n</html>\n");
	return stet_html_reply(call, 200, html, POLICY);
}

/* Adds the places where script.js shows errors and results. */
static void
add_news(struct stet_html *html, const char *wrong)
{
	stet_html_add(html,
	    "<div id=\"wrong\" role=\"alert\" tabindex=\"-1\">%s</div>\n"
	    "<div id=\"said\" role=\"status\"></div>\n",
	    wrong);
}

/* Adds the notice for browsers without scripts. `what` names a text in signin_words: the action
 * that needs a script. */
static void
add_no_script(struct stet_call *call, struct stet_html *html, const char *what)
{
	stet_html_fill(html, stet_words(call, page_languages)->words,
	    "<noscript><p class=\"wrong\">{no_script}</p></noscript>\n", "what", word(call, what),
	    NULL);
}

static void
add(struct stet_call *call, struct stet_html *html, const char *markup)
{
	stet_html_fill(html, stet_words(call, page_languages)->words, markup, NULL);
}

/* Sends a page without variable content. `what`: as for add_no_script; NULL: no notice. */
static enum stet_status
reply(struct stet_call *call, const struct page *page, const char *what, const char *markup)
{
	struct stet_html *html;

	STET_TRY(begin(call, page, &html));
	add_news(html, "");
	if (what != NULL)
		add_no_script(call, html, what);
	add(call, html, markup);
	return end(call, html);
}

/* ---- the admin pages ---- */

/* If the admin pages have a page of this name, redirects to it and returns true. The browser keeps
 * the URL fragment, which carries the token. */
static bool
sent_to_admin(struct stet_call *call, const char *name)
{
	const struct stet_admin_1 *admin = stet_service(call, STET_ADMIN_1);
	const char *next = stet_arg(call, "next"), *error = stet_arg(call, "error");
	const char *parts[] = { "next", next, "error", error, NULL };
	bool goes_on = stet_is_local_path(next), failed = error != NULL && *error != '\0';

	if (admin == NULL || !admin->has_pages(call))
		return false;
	(void)stet_redirect(call, 302,
	    stet_path_fill(call,
		stet_printf(call, "/_cms/admin/%s%s%s%s", name, goes_on ? "?next={next}" : "",
		    failed ? goes_on ? "&" : "?" : "", failed ? "error={error}" : ""),
		parts));
	return true;
}

/* ---- signing in ---- */

static const char *
explain(struct stet_call *call, const char *error)
{
	static const char *const words[] = { "missing_token", "invalid_link", "link_expired",
		"account_disabled", "user_not_found", "provider_denied", "provider_failed",
		"provider_state", "not_allowed", "link_required", "linked_elsewhere" };

	if (error == NULL)
		return "";
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(error, words[i]) == 0)
			return word(call, error);
	return word(call, "failed");
}

static const char signin_passkey[] =
    "<div class=\"part script\" hidden>\n"
    "<button type=\"button\" class=\"go\" id=\"passkey\">{with_passkey}</button>\n"
    "<div id=\"providers\"></div>\n</div>\n";
static const char signin_mail[] =
    "<form id=\"mail\" class=\"script\" hidden>\n<h2>{by_mail}</h2>\n"
    "<label for=\"address\">{address}</label>\n"
    "<input id=\"address\" name=\"email\" type=\"email\" autocomplete=\"username webauthn\""
    " required>\n<button>{send_link}</button>\n</form>\n";
static const char signin_recovery[] =
    "<details class=\"script\" hidden>\n<summary>{lost}</summary>\n"
    "<form id=\"recovery\">\n<label for=\"recover\">{address}</label>\n"
    "<input id=\"recover\" name=\"email\" type=\"email\" autocomplete=\"username webauthn\""
    " required>\n"
    "<label for=\"code\">{recovery_code}</label>\n"
    "<input id=\"code\" name=\"code\" type=\"text\" autocomplete=\"off\" spellcheck=\"false\""
    " required>\n<button>{with_code}</button>\n</form>\n"
    "<p class=\"quiet\">{no_code}</p>\n"
    "</details>\n";

enum stet_status
page_signin(struct stet_call *call)
{
	static const struct page page = { "signin", "signin_title", "" };
	struct stet_html *html;

	if (sent_to_admin(call, "signin"))
		return STET_OK;
	STET_TRY(begin(call, &page, &html));
	add_news(html, explain(call, stet_arg(call, "error")));
	add_no_script(call, html, "signing_in");
	add(call, html, signin_passkey);
	if (stet_mail_configured(call))
		add(call, html, signin_mail);
	add(call, html, signin_recovery);
	return end(call, html);
}

enum stet_status
page_link(struct stet_call *call)
{
	static const struct page page = { "link", "link_title", "" };

	if (sent_to_admin(call, "link"))
		return STET_OK;
	return reply(call, &page, "signing_in",
	    "<div class=\"script\" hidden>\n<p>{link_once}</p>\n"
	    "<button type=\"button\" class=\"go\" id=\"use\">{signin_title}</button>\n</div>\n");
}

/* ---- setup and invitations ---- */

static const char setup_form[] =
    "<form id=\"setup\" class=\"script\" hidden>\n"
    "<label for=\"title\">{site_name}</label>\n"
    "<input id=\"title\" name=\"title\" type=\"text\" maxlength=\"200\" required>\n"
    "<label for=\"name\">{your_name}</label>\n"
    "<input id=\"name\" name=\"name\" type=\"text\" autocomplete=\"name\" maxlength=\"100\""
    " required>\n"
    "<label for=\"email\">{your_address}</label>\n"
    "<input id=\"email\" name=\"email\" type=\"email\" autocomplete=\"email\" required>\n"
    "<p class=\"quiet\">{setup_about}</p>\n"
    "<button class=\"go\">{setup_go}</button>\n</form>\n";

enum stet_status
page_setup(struct stet_call *call)
{
	static const struct page page = { "setup", "setup_title", "" };
	static const struct page done = { "", "setup_done_title", "" };
	bool complete;

	if (sent_to_admin(call, "setup"))
		return STET_OK;
	STET_TRY(setup_complete(call, &complete));
	return complete
		   ? reply(call, &done, NULL,
			 "<p>{setup_done} <a href=\"" PAGE_SIGNIN "\">{signin_title}</a></p>\n")
		   : reply(call, &page, "setting_up", setup_form);
}

enum stet_status
page_invite(struct stet_call *call)
{
	static const struct page page = { "invite", "invite_title", "" };

	if (sent_to_admin(call, "invite"))
		return STET_OK;
	return reply(call, &page, "accepting",
	    "<form id=\"invite\" class=\"script\" hidden>\n<p id=\"invited\"></p>\n"
	    "<label for=\"name\">{your_name}</label>\n"
	    "<input id=\"name\" name=\"name\" type=\"text\" autocomplete=\"name\""
	    " maxlength=\"100\">\n<button class=\"go\">{accept}</button>\n</form>\n");
}

/* ---- the account ---- */

static const char account_own[] =
    "<div class=\"script\" hidden>\n"
    "<p><button type=\"button\" id=\"out\">{sign_out}</button>"
    "<a class=\"button\" href=\"/_cms/account/apps\">{apps}</a></p>\n"
    "<h2>{passkeys}</h2>\n<ul class=\"rows\" id=\"passkeys\"></ul>\n"
    "<form id=\"add\">\n<label for=\"passkey-name\">{passkey_name}</label>\n"
    "<input id=\"passkey-name\" name=\"name\" type=\"text\" maxlength=\"100\""
    " placeholder=\"{passkey_hint}\">\n<button>{passkey_add}</button>\n</form>\n"
    "<h2>{codes}</h2>\n<p id=\"left\"></p>\n"
    "<button type=\"button\" id=\"codes\">{codes_new}</button>\n"
    "<div id=\"new-codes\" tabindex=\"-1\"></div>\n"
    "<h2>{sessions}</h2>\n<ul class=\"rows\" id=\"sessions\"></ul>\n"
    "<button type=\"button\" id=\"others\" class=\"end\">{sign_out_others}</button>\n"
    "</div>\n";

static void
add_scopes(struct stet_call *call, struct stet_html *html)
{
	static const char *const scopes[] = { "content:read", "content:write", "media:read",
		"media:write", "schema:read", "schema:write", "taxonomies:manage", "menus:manage",
		"settings:read", "settings:manage", "mcp:tools", "admin" };

	add(call, html, "<fieldset>\n<legend>{it_may}</legend>\n");
	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++)
		stet_html_add(html,
		    "<label class=\"tick\"><input type=\"checkbox\" name=\"scope\" value=\"%s\"> "
		    "%s</label>\n",
		    scopes[i], word(call, scopes[i]));
	stet_html_raw(html, "</fieldset>\n");
}

static void
add_tokens(struct stet_call *call, struct stet_html *html)
{
	add(call, html,
	    "<div class=\"script\" hidden>\n<h2>{tokens}</h2>\n"
	    "<ul class=\"rows\" id=\"tokens\"></ul>\n"
	    "<form id=\"token\">\n<label for=\"token-name\">{token_name}</label>\n"
	    "<input id=\"token-name\" name=\"name\" type=\"text\" maxlength=\"100\" required>\n");
	add_scopes(call, html);
	add(call, html,
	    "<label for=\"expires\">{token_expires}</label>\n"
	    "<input id=\"expires\" name=\"expires\" type=\"date\">\n"
	    "<button>{token_make}</button>\n</form>\n"
	    "<div id=\"new-token\" tabindex=\"-1\"></div>\n</div>\n");
}

enum stet_status
page_account(struct stet_call *call)
{
	static const struct page page = { "account", "account_title", "wide" };
	const struct stet_principal *p = stet_principal(call);
	struct stet_html *html;

	if (p == NULL || p->session_id == NULL)
		return stet_redirect(call, 302, PAGE_SIGNIN "?next=" PAGE_ACCOUNT);
	if (sent_to_admin(call, "me"))
		return STET_OK;
	STET_TRY(begin(call, &page, &html));
	stet_html_add(html, "<p class=\"quiet\">%s</p>\n", p->email);
	add_news(html, explain(call, stet_arg(call, "error")));
	add_no_script(call, html, "changing");
	add(call, html, account_own);
	if (p->role >= ROLE_ADMIN)
		add_tokens(call, html);
	return end(call, html);
}

/* ---- script and style ---- */

/* Both change with the daemon: a browser asks each time, and gets 304 if they have not changed. */
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
