/* place.c - where the arguments of an operation come from: its path, its query, its body. */
#include "openapi.h"
#include <string.h>

/* Routes of the same form may name a parameter differently ("/menus/:name", "/menus/:menu"), but
 * the document has one path for them. So the n-th parameter of the path is the n-th parameter of
 * each op's route. */
bool
place_in_path(const char *route, const char *name, int *index)
{
	size_t len = strlen(name);

	*index = 0;
	for (const char *p = strstr(route, "/:"); p != NULL; p = strstr(p + 1, "/:"), ++*index)
		if (strncmp(p + 2, name, len) == 0 && (p[2 + len] == '/' || p[2 + len] == '\0'))
			return true;
	return false;
}

static bool
by_query(const struct operation *o)
{
	return strcmp(o->method, "get") == 0 || strcmp(o->method, "delete") == 0;
}

enum place
place_of(const struct operation *o, const struct stet_member *m)
{
	int index;

	if (place_in_path(o->info->route, m->name, &index))
		return IN_PATH;
	return by_query(o) || (m->flags & STET_QUERY) != 0 ? IN_QUERY : IN_BODY;
}

size_t
place_body_count(const struct operation *o)
{
	size_t n = 0;

	for (const struct stet_member *m = o->info->op->in; m != NULL && m->name != NULL; m++)
		n += place_of(o, m) == IN_BODY && (m->flags & STET_IGNORED) == 0;
	return n;
}

bool
place_has_body(const struct operation *o)
{
	return !by_query(o) &&
	       ((o->info->op->flags & (STET_RAW | STET_SPOOL)) != 0 || place_body_count(o) > 0);
}
