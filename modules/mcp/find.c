/*
 * find.c - how well tools match the words of a task. A word of the task counts once for a tool: by
 * the place where the tool has it, and the more, the fewer tools have it. Words are compared by
 * their stems; words that say nothing are left out.
 */
#include "mcp.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORD_MOST 32 /* bytes of a stem; the rest is cut off */
#define ASKED_MOST 24 /* words of a task */

/* The stem of the word at `at`, in lower case. Returns its length; 0: no word. */
static size_t
stem_of(const char *at, size_t len, char out[WORD_MOST])
{
	static const char *const endings[] = { "ations", "ation", "ings", "ing", "ies", "ied",
		"ions", "ion", "ers", "er", "ed", "es", "s", "e", "y" };
	size_t n = len < WORD_MOST - 1 ? len : WORD_MOST - 1;

	for (size_t i = 0; i < n; i++)
		out[i] = (char)tolower((unsigned char)at[i]);
	out[n] = '\0';
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t end = strlen(endings[i]);

		if (n >= end + 3 && strcmp(out + n - end, endings[i]) == 0) {
			n -= end;
			break;
		}
	}
	if (n > 3 && out[n - 1] == out[n - 2]) /* "planned": plan */
		n--;
	out[n] = '\0';
	return n;
}

static const char *
next_word(const char *at, size_t *len)
{
	while (*at != '\0' && !isalnum((unsigned char)*at))
		at++;
	for (*len = 0; isalnum((unsigned char)at[*len]); (*len)++)
		;
	return at;
}

static bool
has(const char *text, const char *stem)
{
	char word[WORD_MOST];
	size_t len;

	if (text == NULL)
		return false;
	for (const char *at = next_word(text, &len); len > 0; at = next_word(at + len, &len)) {
		(void)stem_of(at, len, word);
		if (strcmp(word, stem) == 0)
			return true;
	}
	return false;
}

/* What a word is worth by where the tool has it. */
static double
place(const struct stet_op_info *tool, const char *stem)
{
	if (has(tool->name, stem))
		return 4;
	if (has(tool->op->find, stem) || has(tool->op->title, stem))
		return 3;
	return has(tool->op->about, stem) ? 1 : 0;
}

static bool
says_nothing(const char *word, size_t len)
{
	static const char *const words[] = { "a", "an", "and", "are", "as", "at", "be", "by", "can",
		"do", "does", "for", "from", "has", "how", "i", "in", "is", "it", "its", "me", "my",
		"of", "on", "one", "or", "our", "please", "s", "some", "that", "the", "their",
		"this", "to", "want", "was", "we", "what", "with", "you" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == len && strncasecmp(words[i], word, len) == 0)
			return true;
	return false;
}

/* Adds what one word is worth to the scores of the tools. */
static void
count_word(const struct stet_op_info *const *tool, size_t count, const char *stem, double *score)
{
	size_t known = 0;
	double rare;

	for (size_t i = 0; i < count; i++)
		known += place(tool[i], stem) > 0;
	if (known == 0)
		return;
	rare = log(1 + (double)count / (double)known);
	for (size_t i = 0; i < count; i++)
		score[i] += rare * place(tool[i], stem);
}

bool
find_score(const struct stet_op_info *const *tool, size_t count, const char *words, double *score)
{
	char asked[ASKED_MOST][WORD_MOST];
	size_t n = 0, len;

	memset(score, 0, count * sizeof(*score));
	for (const char *at = next_word(words, &len); len > 0 && n < ASKED_MOST;
	     at = next_word(at + len, &len)) {
		bool again = says_nothing(at, len);

		(void)stem_of(at, len, asked[n]);
		for (size_t i = 0; i < n; i++)
			again = again || strcmp(asked[i], asked[n]) == 0;
		if (!again)
			count_word(tool, count, asked[n++], score);
	}
	return n > 0;
}
