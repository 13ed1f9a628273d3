/* weight.c - estimates the length of a value in an answer of a tool. */
#include "mcp.h"
#include <string.h>

static size_t
weigh_text(const char *s, size_t len)
{
	size_t weight = 6;

	for (size_t i = 0; i < len; i++)
		weight += (unsigned char)s[i] >= 0x80   ? 4
			  : s[i] == '"' || s[i] == '\\' ? 6
			  : (unsigned char)s[i] < ' '   ? 13
							: 2;
	return weight;
}

size_t
weight_of(const json_t *v)
{
	size_t weight = 4, i;
	const char *name;
	json_t *of;

	if (json_is_string(v))
		return weigh_text(json_string_value(v), json_string_length(v));
	if (json_is_number(v))
		return 2 * json_dumpb(v, NULL, 0, JSON_ENCODE_ANY);
	if (!json_is_object(v) && !json_is_array(v))
		return 10;
	json_object_foreach((json_t *)(uintptr_t)v, name, of) weight +=
	    weigh_text(name, strlen(name)) + weight_of(of) + 4;
	json_array_foreach((json_t *)(uintptr_t)v, i, of) weight += weight_of(of) + 2;
	return weight;
}
