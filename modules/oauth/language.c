/* language.c - the language of the pages: one of en, de, es and fr (stet/words.h). */
#include "oauth.h"
#include <stet/words.h>

static const struct stet_words languages[] = {
	{ "en", oauth_words },
	{ "de", oauth_words_de },
	{ "es", oauth_words_es },
	{ "fr", oauth_words_fr },
	{ 0 },
};

const struct stet_word *
page_words(struct stet_call *call)
{
	return stet_words(call, languages)->words;
}

const char *
page_language(struct stet_call *call)
{
	return stet_words(call, languages)->language;
}
