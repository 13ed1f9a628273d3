/* languages.c - pages and mails of signin in the language of the person, of the browser, or of the
 * site. */
#include "browser.h"
#include "inside.h"
#include "mailed.h"
#include "wording.h"
#include <stdio.h>

/* Tables of the module (page.h and signin.h of it, which a test of the core's headers cannot
 * include). */
extern const struct stet_word signin_words[], signin_words_de[], signin_words_es[],
    signin_words_fr[], script_words[], script_words_de[], script_words_es[], script_words_fr[];
extern const struct stet_words mail_languages[];

static int
begin_french(void **state)
{
	static const char *const locales[] = { "fr-CA", "en", NULL };

	return begin_in(state, locales);
}

static void
every_text_is_translated_with_the_same_values(void **state)
{
	static const struct stet_word *const pages[] = { signin_words_de, signin_words_es,
		signin_words_fr };
	static const struct stet_word *const scripts[] = { script_words_de, script_words_es,
		script_words_fr };

	(void)state;
	for (size_t i = 0; i < COUNT(pages); i++) {
		wording_same(signin_words, pages[i]);
		wording_same(script_words, scripts[i]);
	}
	wording_complete(mail_languages);
}

/* ---- pages ---- */

static void
assert_page(
    struct harness *h, const char *path, const char *header, const char *lang, const char *title)
{
	char request[200], html[40], heading[200];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /%s", path);
	(void)snprintf(html, sizeof(html), "<html lang=\"%s\">", lang);
	(void)snprintf(heading, sizeof(heading), "<h1>%s</h1>", title);
	o = harness_request(h, nobody, request, header, NULL);
	if (o->http != 200 || strstr(o->text, html) == NULL || strstr(o->text, heading) == NULL)
		fail_msg("%s, %s: %d %s", path, header, o->http, o->text);
}

static void
every_page_is_in_the_language_that_the_browser_prefers(void **state)
{
	assert_page(*state, "/_cms/signin", "Accept-Language: de-AT,en;q=0.5", "de", "Anmelden");
	assert_page(*state, "/_cms/signin", "Accept-Language: es", "es", "Iniciar sesión");
	assert_page(*state, "/_cms/signin", "Accept-Language: fr", "fr", "Se connecter");
	assert_page(*state, "/_cms/signin", "Accept-Language: en", "en", "Sign in");
	assert_page(
	    *state, "/_cms/signin/link", "Accept-Language: de", "de", "Mit diesem Link anmelden");
	assert_page(*state, "/_cms/invite", "Accept-Language: es", "es", "Aceptar su invitación");
	assert_page(*state, "/_cms/setup", "Accept-Language: de", "de", "Website einrichten");
}

static void
other_browsers_get_the_language_of_the_site(void **state)
{
	assert_page(*state, "/_cms/signin", "Accept-Language: pt-BR", "fr", "Se connecter");
	assert_page(*state, "/_cms/signin", "X-A: b", "fr", "Se connecter");
}

static void
an_error_of_the_page_is_in_its_language(void **state)
{
	struct outcome *o = harness_request(
	    *state, nobody, "GET //_cms/signin?error=link_expired", "Accept-Language: de", NULL);

	assert_non_null(strstr(o->text, "Dieser Link ist abgelaufen. Fordern Sie einen neuen an."));
}

static void
the_script_gets_its_texts_in_that_language(void **state)
{
	struct outcome *o =
	    harness_request(*state, nobody, "GET //_cms/signin", "Accept-Language: de", NULL);

	assert_non_null(strstr(o->text, "Dieses Gerät hat schon einen Passkey von Ihnen."));
	assert_null(strstr(o->text, "This device already has"));
}

static void
the_profile_comes_before_the_browser(void **state)
{
	struct browser ann;
	struct outcome *o;
	char headers[200];

	browser_sign_in(*state, ANN, &ann);
	(void)snprintf(headers, sizeof(headers), "Cookie: %s\r\nAccept-Language: de", ann.cookie);
	o = harness_request(*state, nobody, "GET //_cms/account", headers, NULL);
	assert_non_null(strstr(o->text, "<h1>Ihr Konto</h1>"));
	assert_ok(browser_ask(*state, &ann, "PUT /auth/me", "{\"language\":\"es\"}"));
	o = harness_request(*state, nobody, "GET //_cms/account", headers, NULL);
	assert_non_null(strstr(o->text, "<html lang=\"es\">"));
	assert_non_null(strstr(o->text, "<h1>Su cuenta</h1>"));
	harness_ok(o, browser_ask(*state, &ann, "GET /auth/me", NULL));
	assert_string_equal(harness_text(o->data, "language"), "es");
	harness_ok(o, browser_ask(*state, &ann, "GET /admin/manifest", NULL));
	assert_string_equal(harness_text(o->data, "user.language"), "es");
}

static void
a_language_is_set_and_forgotten_without_the_name(void **state)
{
	struct browser ann;
	struct outcome *o;

	browser_sign_in(*state, ANN, &ann);
	assert_ok(browser_ask(*state, &ann, "PUT /auth/me", "{\"name\":\"Ann\"}"));
	assert_ok(browser_ask(*state, &ann, "PUT /auth/me", "{\"language\":\"de\"}"));
	assert_code(browser_ask(*state, &ann, "PUT /auth/me", "{\"language\":\"tlh\"}"),
	    "VALIDATION_ERROR");
	assert_code(browser_ask(*state, &ann, "PUT /auth/me", "{}"), "VALIDATION_ERROR");
	harness_ok(o, browser_ask(*state, &ann, "GET /auth/me", NULL));
	assert_string_equal(harness_text(o->data, "name"), "Ann");
	assert_string_equal(harness_text(o->data, "language"), "de");
	assert_ok(browser_ask(*state, &ann, "PUT /auth/me", "{\"language\":null}"));
	harness_ok(o, browser_ask(*state, &ann, "GET /auth/me", NULL));
	assert_null(json_object_get(o->data, "language"));
	assert_string_equal(harness_text(o->data, "name"), "Ann");
}

/* ---- mails ---- */

static void
a_link_comes_in_the_language_of_the_profile(void **state)
{
	static const char *const rows[][2] = { { "en", "It works once, within 15 minutes." },
		{ "de", "Der Link funktioniert einmal, innerhalb von 15 Minuten." },
		{ "es", "El enlace funciona una sola vez y caduca en 15 minutos." },
		{ "fr", "Le lien fonctionne une seule fois et expire dans 15 minutes." } };
	char token[64], email[40], id[27];

	for (size_t i = 0; i < COUNT(rows); i++) {
		(void)snprintf(email, sizeof(email), "%s@example.org", rows[i][0]);
		browser_user(*state, email, "author", id);
		inside_sql(
		    *state, "UPDATE users SET language = substr(email, 1, 2) WHERE id = ?1", id);
		postbox_forget(&server);
		assert_ok(post(*state, SEND, "email", email));
		work(*state);
		if (server.mails != 1 || strstr(server.mail, rows[i][1]) == NULL)
			fail_msg("%s: %s", rows[i][0], server.mail);
		postbox_token(&server, LINK, token);
	}
}

static void
without_one_it_comes_in_that_of_the_site(void **state)
{
	assert_ok(post(*state, SEND, "email", ANN));
	work(*state);
	assert_non_null(strstr(server.mail, "Le lien fonctionne une seule fois"));
}

static void
an_invitation_comes_in_the_language_of_the_site(void **state)
{
	char token[64];

	assert_ok(
	    harness_request(*state, admin, INVITE, NULL, "{\"email\":\"" BOB "\",\"role\":30}"));
	work(*state);
	assert_non_null(strstr(server.mail, "expire dans 7 jours."));
	postbox_token(&server, INVITED, token);
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
#define FRENCH(name) cmocka_unit_test_setup_teardown(name, begin_french, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_is_translated_with_the_same_values),
		FRENCH(every_page_is_in_the_language_that_the_browser_prefers),
		FRENCH(other_browsers_get_the_language_of_the_site),
		T(an_error_of_the_page_is_in_its_language),
		T(the_script_gets_its_texts_in_that_language),
		T(the_profile_comes_before_the_browser),
		T(a_language_is_set_and_forgotten_without_the_name),
		T(a_link_comes_in_the_language_of_the_profile),
		FRENCH(without_one_it_comes_in_that_of_the_site),
		FRENCH(an_invitation_comes_in_the_language_of_the_site),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
