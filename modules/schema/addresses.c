/* addresses.c - checks patterns of addresses: those of a collection, and those of its locales. */
#include "schema.h"
#include <string.h>

/* A pattern such as "/blog/{slug}": each brace encloses a word. */
void
schema_check_address(struct stet_call *call, const char *member, const char *pattern)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_";

	if (pattern == NULL)
		return;
	for (const char *p = pattern; *p != '\0';) {
		size_t n = *p == '{' ? strspn(p + 1, word) : 0;

		if (*p == '}' || (*p == '{' && (n == 0 || p[n + 1] != '}'))) {
			stet_issue(
			    call, member, "must have {word} placeholders and no other braces");
			return;
		}
		p += *p == '{' ? n + 2 : 1;
	}
}

#define PATTERN_MAX 500 /* bytes */

/* Returns true for a path whose placeholders all can be filled. */
static bool
is_address(struct stet_call *call, const char *pattern)
{
	static const char *const parts[] = { "slug", "x", "id", "x", "locale", "x", "collection",
		"x", "year", "x", "month", "x", "day", "x", NULL };
	const char *path = stet_path_fill(call, pattern, parts);

	return path != NULL && path[strcspn(path, "{}")] == '\0';
}

/* {locale: pattern}, for locales of the site. */
void
schema_check_addresses(struct stet_call *call)
{
	json_t *all = (json_t *)(uintptr_t)stet_arg_json(call, "urlPatterns"), *value;
	const char *locale;

	json_object_foreach(all, locale, value)
	{
		const char *at = stet_printf(call, "urlPatterns.%.40s", locale),
			   *text = json_string_value(value);
		bool known = false;

		for (const char *const *l = stet_locales(call); *l != NULL; l++)
			known = known || strcmp(*l, locale) == 0;
		if (!known)
			stet_issue(call, at, "is no locale of the site");
		else if (text == NULL || strlen(text) > PATTERN_MAX || !is_address(call, text))
			stet_issue(call, at,
			    "must be a path with the placeholders {slug}, {id}, {locale}, "
			    "{collection}, {year}, {month} and {day}");
	}
}
