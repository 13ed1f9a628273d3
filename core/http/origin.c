/* origin.c - which origins a list of allowed ones covers. */
#include "http/origin.h"
#include <string.h>
#include <strings.h>

/* Is it https://x.example.org, where the list has a star for the x? */
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
	/* Nothing but the name of a host stands for the star. */
	return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") >=
	       (size_t)(end - name);
}

bool
origin_allowed(char *const *list, const char *origin)
{
	/* Sandboxed frames and files have this one, whoever they belong to. */
	if (strcasecmp(origin, "null") == 0)
		return false;
	for (; list != NULL && *list != NULL; list++)
		if (strcmp(*list, "*") == 0 || below(*list, origin) ||
		    (strchr(*list, '*') == NULL && strcasecmp(*list, origin) == 0))
			return true;
	return false;
}
