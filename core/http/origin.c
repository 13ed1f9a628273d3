/* origin.c - compares an origin with a list of allowed ones. */
#include "http/origin.h"
#include <string.h>
#include <strings.h>

/* Returns true if the origin fits a pattern with a star, such as "https://(star).example.org".
 * Upper and lower case are the same in schemes and host names. */
static bool
below(const char *pattern, const char *origin)
{
	const char *star = strstr(pattern, "://*."), *name, *end;

	if (star == NULL)
		return false;
	star += 3;
	if (strncasecmp(origin, pattern, (size_t)(star - pattern)) != 0)
		return false;
	name = origin + (star - pattern);
	end = name + strlen(name) - strlen(star + 1);
	if (strlen(name) <= strlen(star + 1) || strcasecmp(end, star + 1) != 0)
		return false;
	/* The star stands for characters of a host name only: "https://evil.com/.example.org"
	 * does not fit. */
	return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") >=
	       (size_t)(end - name);
}

bool
origin_allowed(char *const *list, const char *origin)
{
	/* Browsers send "null" for sandboxed frames, local files and some redirects, whoever
	 * wrote them, so it identifies nobody. */
	if (strcasecmp(origin, "null") == 0)
		return false;
	for (; list != NULL && *list != NULL; list++)
		if (strcmp(*list, "*") == 0 || below(*list, origin) ||
		    (strchr(*list, '*') == NULL && strcasecmp(*list, origin) == 0))
			return true;
	return false;
}
