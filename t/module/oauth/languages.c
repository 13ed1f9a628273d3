/* languages.t - the pages of the authorization server in the languages of browsers. */
#include "../../../modules/oauth/oauth.h"
#include "flow.h"
#include "wording.h"

static const struct stet_word *const translations[] = { oauth_words_de, oauth_words_es,
	oauth_words_fr };

static void
every_text_is_translated_with_the_same_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(translations) / sizeof(translations[0]); i++)
		wording_same(oauth_words, translations[i]);
}

static void
the_page_is_in_the_language_that_the_browser_prefers(void **state)
{
	static const struct {
		const char *header, *language, *title;
	} rows[] = {
		{ "X-A: b", "en", "Invalid authorization request" },
		{ "Accept-Language: de", "de", "Ungültige Anfrage" },
		{ "Accept-Language: de-AT,de;q=0.9,en;q=0.8", "de", "Ungültige Anfrage" },
		{ "Accept-Language: pt, en;q=0.5, es-MX;q=0.7", "es", "Solicitud no válida" },
		{ "Accept-Language: FR ;q=1", "fr", "Demande non valide" },
		{ "Accept-Language: fr;q=0, de;q=0.1", "de", "Ungültige Anfrage" },
		{ "Accept-Language: deu, *;q=0.1", "en", "Invalid authorization request" },
		{ "Accept-Language: ,,;q=,de;q=x;q", "en", "Invalid authorization request" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char lang[32];
		struct outcome *o = harness_request(
		    *state, nobody, "GET //_cms/oauth/authorize?client_id=x", rows[i].header, NULL);

		(void)snprintf(lang, sizeof(lang), "<html lang=\"%s\">", rows[i].language);
		if (o->http != 400 || strstr(o->text, lang) == NULL ||
		    strstr(o->text, rows[i].title) == NULL)
			fail_msg("%s: %d %s", rows[i].header, o->http, o->text);
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, flow_begin, person_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_is_translated_with_the_same_values),
		T(the_page_is_in_the_language_that_the_browser_prefers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
