/* path.c - builds paths of a site from patterns such as "/{locale}/{slug}". */
#include "call/call.h"
#include <string.h>

/* Returns true for an absolute path. "//host" is not a path: browsers treat it as another host. */
static bool
is_path(const char *s)
{
	if (s[0] != '/' || s[1] == '/')
		return false;
	for (; *s != '\0'; s++)
		if ((unsigned char)*s <= ' ' || *s == 0x7f || *s == '\\' || *s == '#')
			return false;
	return true;
}

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("-._~", c) != NULL;
}

static char *
escaped(struct stet_call *call, const char *s)
{
	static const char hex[] = "0123456789ABCDEF";
	char *out = stet_alloc(call, strlen(s) * 3 + 1), *to = out;

	for (; *s != '\0'; s++) {
		if (is_plain(*s)) {
			*to++ = *s;
			continue;
		}
		*to++ = '%';
		*to++ = hex[(unsigned char)*s >> 4];
		*to++ = hex[(unsigned char)*s & 15];
	}
	return out;
}

/* Returns the value of the part named between the braces. NULL if it is missing or empty, since
 * "/{slug}/x" must not become "//x". */
static const char *
value_of(const char *brace, const char *const *parts)
{
	size_t len = strcspn(brace + 1, "}");

	for (; brace[len + 1] == '}' && *parts != NULL; parts += 2)
		if (strlen(*parts) == len && memcmp(*parts, brace + 1, len) == 0)
			return parts[1] != NULL && *parts[1] != '\0' ? parts[1] : NULL;
	return NULL;
}

char *
stet_path_fill(struct stet_call *call, const char *pattern, const char *const *parts)
{
	char *out = stet_strdup(call, "");

	if (!is_path(pattern))
		return NULL;
	while (*pattern != '\0') {
		size_t step = strcspn(pattern, "{");
		const char *value = pattern[step] == '{' ? value_of(pattern + step, parts) : NULL;

		if (value == NULL) {
			step += pattern[step] == '{';
			out = stet_printf(call, "%s%.*s", out, (int)step, pattern);
			pattern += step;
			continue;
		}
		out = stet_printf(call, "%s%.*s%s", out, (int)step, pattern, escaped(call, value));
		pattern += step + strcspn(pattern + step, "}") + 1;
	}
	return out;
}

bool
stet_is_local_path(const char *path)
{
	if (path == NULL || path[0] != '/' || path[1] == '/')
		return false;
	for (; *path != '\0'; path++)
		if (*path <= ' ' || *path > '~' || *path == '\\')
			return false;
	return true;
}
