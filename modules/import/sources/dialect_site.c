/*
 * dialect_site.c - addresses of the site in the language of Jekyll and Eleventy: {{ site.baseurl
 * }},
 * {{ "/about/" | relative_url }}. Without the address of the site they are paths from its root.
 */
#include "sources/dialect.h"
#include <string.h>

/* Returns what follows the word; NULL: the text does not begin with it. */
static const char *
after(const char *s, const char *word)
{
	size_t len = strlen(word);

	s += strspn(s, " \t-");
	return strncmp(s, word, len) == 0 ? s + len : NULL;
}

static const char *
after_any(const char *s, const char *const *words, size_t count)
{
	const char *end = NULL;

	for (size_t i = 0; end == NULL && i < count; i++)
		end = after(s, words[i]);
	return end;
}

size_t
dialect_site(struct dialect *d, const char *s)
{
	static const char *const names[] = { "site.baseurl", "site.url" };
	static const char *const filters[] = { "relative_url", "absolute_url", "url",
		"prepend: site.baseurl", "prepend:site.baseurl" };
	const char *at = after(s, "{{"), *path = NULL, *end;
	size_t len = 0;

	if (at == NULL)
		return 0;
	end = after_any(at, names, sizeof(names) / sizeof(names[0]));
	if (end == NULL) {
		at += strspn(at, " \t-");
		if (*at != '"' && *at != '\'')
			return 0;
		path = at + 1;
		len = strcspn(path, "\"'\n");
		if (path[len] != *at || (end = after(path + len + 1, "|")) == NULL)
			return 0;
		end = after_any(end, filters, sizeof(filters) / sizeof(filters[0]));
	}
	end = end != NULL ? after(end, "}}") : NULL;
	if (end == NULL)
		return 0;
	if (len > 0)
		(void)fprintf(d->out, "%s%.*s", *path == '/' ? "" : "/", (int)len, path);
	return (size_t)(end - s);
}
