/* language.c - the language of the pages: the one of en, de, es and fr that the browser prefers
 * (Accept-Language, RFC 9110 12.5.4). */
#include "oauth.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RANGES_MAX 32 /* of a header that are read; browsers send less than ten */

static const struct language {
	const char *name;
	const struct stet_word *words;
} languages[] = {
	{ "en", oauth_words },
	{ "de", oauth_words_de },
	{ "es", oauth_words_es },
	{ "fr", oauth_words_fr },
};

/* Returns the language that a range names ("de-AT" names de), or NULL. */
static const struct language *
named(const char *range, size_t len)
{
	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
		size_t n = strlen(languages[i].name);

		if (len >= n && strncasecmp(range, languages[i].name, n) == 0 &&
		    (len == n || range[n] == '-'))
			return &languages[i];
	}
	return NULL;
}

/* The weight of a range: 1 if it names none, 0 if it cannot be read. */
static double
weight(const char *range, size_t len)
{
	const char *at = memchr(range, ';', len), *end = range + len;

	if (at == NULL)
		return 1;
	for (at++; at < end && (*at == ' ' || *at == '\t'); at++)
		;
	return end - at > 2 && strncasecmp(at, "q=", 2) == 0 ? strtod(at + 2, NULL) : 0;
}

static const struct language *
language_of(struct stet_call *call)
{
	const char *at = stet_request_header(call, "accept-language");
	const struct language *best = NULL;
	double most = 0;

	for (int i = 0; at != NULL && *at != '\0' && i < RANGES_MAX; i++) {
		size_t len;
		const struct language *l;

		at += strspn(at, " \t,");
		len = strcspn(at, ",");
		l = named(at, strcspn(at, " \t;,"));
		if (l != NULL && weight(at, len) > most) {
			best = l;
			most = weight(at, len);
		}
		at += len;
	}
	return best != NULL ? best : &languages[0];
}

const struct stet_word *
page_words(struct stet_call *call)
{
	return language_of(call)->words;
}

const char *
page_language(struct stet_call *call)
{
	return language_of(call)->name;
}
