/*
 * query.h - parses search words, and writes FTS5 expressions of them. It does no input or output,
 * and allocates no memory.
 */
#ifndef SEARCH_QUERY_H
#define SEARCH_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Different words and phrases that are used; further ones are ignored. */
#define QUERY_WORDS_MAX 32
#define QUERY_TRIGRAM_MIN 3 /* the fewest code points that a trigram index can find */
#define QUERY_PHRASES_MAX (5 * QUERY_WORDS_MAX) /* strings of an expression */

struct query_term {
	const char *text; /* in the text that was parsed; contains no quotes */
	size_t len;
	bool phrase; /* was quoted */
	bool exclude;
	bool prefix; /* matches words that begin with it, too */
	bool broad; /* the prefix is so short that very many words begin with it */
};
struct query {
	struct query_term term[QUERY_WORDS_MAX];
	size_t count;
	size_t words; /* terms that are neither phrases nor excluded */
	size_t phrases; /* phrases that are not excluded */
};

/* How an expression uses a word. */
enum query_use {
	QUERY_FINDS, /* items that have one of these are found */
	QUERY_COUNTS, /* only adds to the score of items that are found */
	QUERY_IGNORED,
};

struct query_string {
	signed char term; /* index of its term in the query; -1: adds nothing to the score */
	bool prefix; /* matches words that begin with it */
	bool begins; /* the next string is this word with prefix */
};
/* An expression. Its strings are numbered in their order, as FTS5 numbers its phrases. */
struct query_text {
	char *text; /* the caller's, of QUERY_SIZE bytes */
	size_t len; /* 0: nothing can match */
	size_t count; /* strings */
	struct query_string string[QUERY_PHRASES_MAX];
};

/* The size of an expression for a text of `len` bytes, including the final NUL. */
#define QUERY_SIZE(len) (5 * (len) + 16 * QUERY_PHRASES_MAX + 64)

/* A word matches words that begin with it, except a single letter, which matches only itself.
 * "Quoted words" match as a phrase. A leading minus excludes a word or a phrase. Nothing else has
 * a special meaning. With `trigram`, everything also matches inside of words, and terms of fewer
 * than three code points are ignored. The text is UTF-8; invalid bytes count as blanks. */
void query_parse(const char *text, size_t len, bool trigram, struct query *);
/* Reads the term at *at, after any blanks: its text, len, phrase and exclude. Moves *at past it.
 * Returns false at the end of the text. */
bool query_next(const char **at, const char *end, struct query_term *);
/* Returns the length of the character at p. Sets *c to the character, or to a blank for a byte that
 * is not valid UTF-8. */
size_t query_character(const char *p, const char *end, int32_t *c);
/* Returns true if this character separates words. */
bool query_blank(int32_t);
/* Writes the expression for items that have all words and phrases. */
void query_all(const struct query *, struct query_text *);
/* Writes the expression for items that have all phrases and at least one word with QUERY_FINDS.
 * `use` and `prefix` are by term. */
void query_some(
    const struct query *, const enum query_use *use, const bool *prefix, struct query_text *);
/* Writes the expression for one term. */
void query_one(const struct query_term *, bool prefix, struct query_text *);

#endif
