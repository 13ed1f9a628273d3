/* words.h - the words of texts, counted. */
#ifndef SEARCH_WORDS_H
#define SEARCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stet_call;

#define WORD_SIZE 48 /* bytes; longer words are ignored */

struct counted {
	char text[WORD_SIZE]; /* folded (stet_fold) */
	size_t len; /* 0: a free slot */
	double count;
};
/* A table of words by hash, with open addressing. */
struct words {
	struct counted *word;
	size_t room; /* slots, a power of two; if more than one, at most 3/4 are used */
	size_t count;
	uint64_t *used; /* a bit for each slot that is used */
};

/* Makes an empty table; `room` is a power of two, and at least 64. */
struct words words_new(struct stet_call *, size_t room);
void words_clear(struct words *);
/* Returns the next word from slot *at on, and moves *at behind it; NULL: there is none. */
struct counted *words_next(const struct words *, size_t *at);

/* Returns true if this code point is a letter. */
bool words_letter(int32_t);
/* Returns the word; NULL if it is not there. */
struct counted *words_find(const struct words *, const char *text, size_t len);
/* Adds to the count of a word. A new word enters the table if there is room. */
void words_add(struct words *, const char *text, size_t len, double count);
/* For qsort: by count, highest first. */
int words_by_count(const void *, const void *);
/* Counts the text's words of at least three letters. With `known`, counts only words that are in
 * the table; otherwise adds new ones until the table is full. Adds `weight` to *total for each
 * word, short ones too; without a table (NULL) that is all. */
void words_count(struct words *, const char *text, double weight, bool known, double *total);

#endif
