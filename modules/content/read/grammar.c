/*
 * grammar.c - the text of the argument include:
 *
 *	include = kind *("," kind)
 *	kind = name ["(" args ")"]
 *
 * A name is a small letter, letters, digits, "_" and "-"; args are of these, ".", ":", "*" and ",".
 * Blanks may stand around commas and parentheses. Of references the args are field[:depth], or
 * *[:depth]; those of usedBy are read in usedby.c.
 */
#include "read/include.h"
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define NAME LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
#define ARGS NAME ".:*, "

static const char *
skip_blanks(const char *p)
{
	return p + strspn(p, " ");
}

/* Reads a name; NULL: there is none. */
static const char *
read_name(struct stet_call *call, const char **p)
{
	const char *begin = *p;

	if (*begin == '\0' || strchr(LETTERS, *begin) == NULL)
		return NULL;
	*p += strspn(begin, NAME);
	return stet_strndup(call, begin, (size_t)(*p - begin));
}

/* Reads "(...)" if there is one. Returns false if it has no end. */
static bool
read_args(struct stet_call *call, const char **p, const char **args)
{
	size_t len;

	*args = NULL;
	if (**p != '(')
		return true;
	len = strspn(*p + 1, ARGS);
	if ((*p)[1 + len] != ')')
		return false;
	*args = stet_strndup(call, *p + 1, len);
	*p = skip_blanks(*p + len + 2);
	return true;
}

int
grammar_read(struct stet_call *call, const char *text, struct include_word *words, size_t *at)
{
	const char *p = skip_blanks(text);
	int n = 0;

	for (;; p = skip_blanks(p + 1)) {
		struct include_word word = { 0 };

		*at = (size_t)(p - text);
		if (n == INCLUDE_KINDS_MAX || (word.name = read_name(call, &p)) == NULL)
			return -1;
		p = skip_blanks(p);
		*at = (size_t)(p - text);
		if (!read_args(call, &p, &word.args))
			return -1;
		*at = (size_t)(p - text);
		words[n++] = word;
		if (*p == '\0')
			return n;
		if (*p != ',')
			return -1;
	}
}

/* Reads ":2" if there is one. Returns false if it is not a valid depth. */
static bool
read_depth(const char **p, int *depth)
{
	*depth = 1;
	if (**p != ':')
		return true;
	*depth = (*p)[1] - '0';
	if (*depth < 1 || *depth > REFER_DEPTH)
		return false;
	*p += 2;
	return true;
}

int
grammar_fields(struct stet_call *call, const char *args, struct include_field *fields, size_t most)
{
	const char *p = skip_blanks(args);
	int n = 0;

	for (;; p = skip_blanks(p + 1)) {
		struct include_field f = { 0 };

		if ((size_t)n == most)
			return -1;
		if (*p == '*') {
			f.slug = "*";
			p++;
		} else
			f.slug = read_name(call, &p);
		if (f.slug == NULL || !read_depth(&p, &f.depth))
			return -1;
		fields[n++] = f;
		p = skip_blanks(p);
		if (*p == '\0')
			return n;
		if (*p != ',')
			return -1;
	}
}
