/*
 * words.h - texts for people in several languages: of pages that are plain HTML, and of mails. A
 * module has a table of texts for each language that it speaks, with the same names in each.
 */
#ifndef STET_WORDS_H
#define STET_WORDS_H

#include <stet/html.h>

/* The texts of a module in one language. A module's array of these ends with a language NULL; its
 * first row is used if no other fits. This structure never gets new members. */
struct stet_words {
	const char *language; /* "de" */
	const struct stet_word *words;
};

/*
 * Returns the row for the page of this call: in the language of the profile of the person who is
 * signed in, or else the one that the browser prefers (Accept-Language, RFC 9110 12.5.4), or else
 * that of the site's default locale. "de-AT" finds "de".
 */
STET_API const struct stet_words *stet_words(struct stet_call *, const struct stet_words *);
/* Returns the row for a text that is sent to a person: in this language (users.language; NULL: none
 * is chosen), or else in that of the site's default locale. */
STET_API const struct stet_words *stet_words_in(
    struct stet_call *, const struct stet_words *, const char *language);
/*
 * Returns the text of this name with {name} replaced by the values of the arguments, names and
 * values in pairs, ended by NULL. It is plain text, for mails: nothing is escaped.
 *
 *	stet_word_fill(call, words, "subject", "site", title, NULL)
 */
STET_API const char *stet_word_fill(
    struct stet_call *, const struct stet_word *, const char *name, ...) __attribute__((sentinel));

#endif
