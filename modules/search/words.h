/* words.h - the words of texts, counted. */
#ifndef SEARCH_WORDS_H
#define SEARCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORD_SIZE 48 /* bytes; longer words are ignored */

struct counted {
	char text[WORD_SIZE]; /* folded (stet_fold) */
	size_t len; /* 0: a free place */
	double count;
};
/* A table of words by hash, with open addressing. */
struct words {
	struct counted *word;
	size_t room; /* a power of two; with more than one, at most three quarters are used */
	size_t count;
};

/* Is this code point a letter? */
bool words_letter(int32_t);
/* Returns the word; NULL if it is not there. */
struct counted *words_find(const struct words *, const char *text, size_t len);
/* Adds to the count of a word, which is put into the table if there is room. */
void words_add(struct words *, const char *text, size_t len, double count);
/* For qsort: those that are counted most first. */
int words_by_count(const void *, const void *);
/* Counts the words of a text of at least three characters. With `known`, only those that are in
 * the table are counted; otherwise also others, until the table is full. `total` counts all;
 * without a table (NULL) nothing else is done. */
void words_count(struct words *, const char *text, double weight, bool known, double *total);

#endif
