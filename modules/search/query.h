/* query.h - what people type into a search box, as an expression of FTS5. No I/O, no memory. */
#ifndef SEARCH_QUERY_H
#define SEARCH_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#define QUERY_WORDS_MAX 16 /* words and phrases that count; what follows them is left out */
#define QUERY_TRIGRAM_MIN 3 /* code points that a trigram index needs to find anything */

struct query {
	size_t len; /* of the expression; 0: nothing can match */
	unsigned words; /* that must be there */
	unsigned broad; /* of them, those so short that very many words begin with them */
};

/* Bytes that query_parse may need for a text of `len` bytes, with the final NUL. */
#define QUERY_SIZE(len) (2 * (len) + 8 * QUERY_WORDS_MAX + 1)

/*
 * Words are ANDed and match words that begin with them, "quoted words" match as a phrase, a leading
 * minus excludes a word or a phrase; nothing else has a meaning. A single letter stands for itself
 * only. With `trigram` everything matches inside words, and what is shorter than three code points
 * is left out. The text is UTF-8; anything else is taken as blanks.
 */
void query_parse(const char *text, size_t len, bool trigram, char *out, struct query *);

#endif
