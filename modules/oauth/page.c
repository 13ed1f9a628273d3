/* page.c - the frame of this module's pages, and the tokens of their forms. The pages are plain
 * HTML without scripts. */
#include "oauth.h"
#include <string.h>

#define POLICY                                                                               \
	"default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; " \
	"base-uri 'none'"

/* ---- pages ---- */

struct stet_html *
page_open(struct stet_call *call, const char *name)
{
	const char *title = stet_word(page_words(call), name);
	struct stet_html *html = stet_html_new(call);

	stet_html_add(html,
	    "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n"
	    "<link rel=\"stylesheet\" href=\"" STYLE_PATH "\">\n</head>\n<body>\n<main>\n"
	    "<p class=\"brand\"><em>%s</em></p>\n<h1>%s</h1>\n",
	    page_language(call), title, stet_word(page_words(call), "brand"), title);
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
page_is_ours(
    struct stet_call *call, const struct oauth_params *form, const char *subject, bool *ours)
{
	const char *given = params_get(form, "token"), *want;

	STET_TRY(page_token(call, subject, &want));
	*ours = given != NULL && strlen(given) == strlen(want) &&
		sodium_memcmp(given, want, strlen(want)) == 0;
	return STET_OK;
}

enum stet_status
page_check(struct stet_call *call, const struct oauth_params *form, const char *subject)
{
	bool ours;

	STET_TRY(page_is_ours(call, form, subject, &ours));
	return ours ? STET_OK
		    : stet_fail(call, STET_CSRF_REJECTED, NULL, "The form is not of this session");
}
