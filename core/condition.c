/* condition.c - what a client says that it has: If-None-Match. */
#include "condition.h"
#include <string.h>

bool
condition_good_tag(const char *tag)
{
	for (; *tag != '\0'; tag++)
		if (*tag <= 0x20 || *tag == '"' || *tag == 0x7f)
			return false;
	return true;
}

/* Is the tag in an If-None-Match list? Weak comparison: W/ does not count. */
static bool
list_has_tag(const char *list, const char *tag)
{
	size_t len = strlen(tag);

	for (;;) {
		const char *end;

		list += strspn(list, " \t,");
		if (*list == '*')
			return true;
		if (strncmp(list, "W/", 2) == 0)
			list += 2;
		if (*list != '"')
			return false;
		end = strchr(list + 1, '"');
		if (end == NULL)
			return false;
		if ((size_t)(end - list - 1) == len && memcmp(list + 1, tag, len) == 0)
			return true;
		list = end + 1;
	}
}

bool
condition_none_match(const struct http1_head *head, const char *tag)
{
	if (head->method != HTTP_GET && head->method != HTTP_HEAD)
		return false;
	for (size_t i = 0; i < head->header_count; i++)
		if (strcmp(head->header[i].name, "if-none-match") == 0 &&
		    list_has_tag(head->header[i].value, tag))
			return true;
	return false;
}
