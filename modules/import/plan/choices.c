/* choices.c - whether the texts of a field are a few choices, so that it is a select. */
#include "plan/choices.h"
#include <stdint.h>
#include <string.h>

#define LENGTH_MAX 60 /* bytes of a choice */
#define VALUES_MIN 12
#define REPEATED_MIN 4 /* times on average */

bool
choices_note(json_t *counts, size_t most, const char *text)
{
	json_t *count = json_object_get(counts, text);

	if (count != NULL) {
		(void)json_integer_set(count, json_integer_value(count) + 1);
		return true;
	}
	if (json_object_size(counts) >= most || strlen(text) > LENGTH_MAX)
		return false;
	(void)json_object_set_new(counts, text, json_integer(1));
	return true;
}

bool
choices_are(const json_t *counts)
{
	size_t distinct = json_object_size(counts);
	json_int_t values = 0;
	const char *text;
	json_t *count;

	if (distinct < 2 || distinct > CHOICES_MAX)
		return false;
	json_object_foreach((json_t *)(uintptr_t)counts, text, count)
	{
		if (json_integer_value(count) < 2)
			return false;
		values += json_integer_value(count);
	}
	return values >= VALUES_MIN && (size_t)values / REPEATED_MIN >= distinct;
}

json_t *
choices_list(const json_t *counts)
{
	json_t *list = json_array(), *count;
	const char *text;

	json_object_foreach((json_t *)(uintptr_t)counts, text, count)
	{
		(void)json_array_append_new(list, json_string(text));
	}
	return list;
}
