/*
 * query.h - parses search words to an FTS5 expression. It does no input or output, and allocates
 * no memory.
 */
#ifndef SEARCH_QUERY_H
#define SEARCH_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#define QUERY_WORDS_MAX 16 /* words and phrases that are used; further ones are ignored */
#define QUERY_TRIGRAM_MIN 3 /* the fewest code points that a trigram index can find */

struct query {
	size_t len; /* bytes of the expression; 0: nothing can match */
	unsigned words; /* words that must match */
	unsigned broad; /* of these, words so short that very many words begin with them */
};

/* The bytes that query_parse may write for a text of `len` bytes, with the final NUL. */
#define QUERY_SIZE(len) (2 * (len) + 8 * QUERY_WORDS_MAX + 1)

/* All words must match; a word matches words that begin with it, except a single letter, which
 * matches only itself. "Quoted words" match as a phrase. A leading minus excludes a word or a
 * phrase. Nothing else has a special meaning. With `trigram`, everything also matches inside of
 * words, and terms of fewer than three code points are ignored. The text is UTF-8; invalid bytes
 * count as blanks. */
void query_parse(const char *text, size_t len, bool trigram, char *out, struct query *);

#endif
