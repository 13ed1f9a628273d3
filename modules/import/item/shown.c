/* shown.c - counts what Portable Text shows. Both sides of a comparison are counted by it: what the
 * source has and what is stored, or what was to be stored and what the database holds. */
#include "item/shown.h"
#include <string.h>

#define DEPTH_MAX 100 /* levels of blocks that are counted */

int64_t
shown_characters(const char *text, bool html)
{
	int64_t count = 0;
	bool tag = false;

	for (const char *c = text; *c != '\0'; c++) {
		tag = html && (*c == '<' || (tag && *c != '>'));
		count += !tag && !(html && *c == '>') && strchr(" \t\r\n", *c) == NULL &&
			 ((unsigned char)*c & 0xc0) != 0x80;
	}
	return count;
}

static void
count_text(struct stet_html_counts *counts, const char *name, const char *text)
{
	static const char *const shown[] = { "text", "caption", "citation", "code", "tex", "html" };

	if (strcmp(name, "href") == 0 || (strcmp(name, "link") == 0 && *text != '\0'))
		counts->links++;
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (strcmp(name, shown[i]) == 0)
			counts->characters += shown_characters(text, strcmp(name, "html") == 0);
}

static void
count_part(struct stet_html_counts *counts, const char *name, const json_t *part, int depth)
{
	const char *type = json_string_value(json_object_get(part, "_type")), *member;
	json_t *one;
	size_t i;

	if (json_is_string(part))
		count_text(counts, name, json_string_value(part));
	if (depth == DEPTH_MAX)
		return;
	if (type != NULL && strcmp(type, "image") == 0)
		counts->pictures++;
	else if (type != NULL && (strcmp(type, "embed") == 0 || strcmp(type, "video") == 0 ||
				     strcmp(type, "audio") == 0))
		counts->players++;
	json_array_foreach((json_t *)(uintptr_t)part, i, one)
	    count_part(counts, name, one, depth + 1);
	json_object_foreach((json_t *)(uintptr_t)part, member, one)
	    count_part(counts, member, one, depth + 1);
}

void
shown_add(struct stet_html_counts *counts, const json_t *value)
{
	count_part(counts, json_is_string(value) ? "text" : "", value, 0);
}
