/*
 * names.c - the fields that the names of a source become. Names of columns, of front matter and of
 * objects are free texts: several can make one slug ("First name" and "first-name"), and a slug can
 * be reserved. Each name gets a field of its own, or values would replace each other in silence.
 */
#include "plan/names.h"
#include "plan/suggest.h"
#include <string.h>

#define NAMES_MAX 10000 /* of one reading */
#define NUMBERS_MAX 1000 /* names that make one slug */
#define SLUG_MAX 63

/* Does the slug belong to another name? */
static bool
is_taken(const json_t *owners, const char *slug, const char *name)
{
	const char *owner = json_string_value(json_object_get(owners, slug));

	return owner != NULL ? strcmp(owner, name) != 0
			     : suggest_is_own(slug) && strcmp(slug, name) != 0;
}

const char *
names_field(struct stet_call *call, json_t *owners, const char *name, const char **why)
{
	const char *wanted = suggest_field(call, name), *slug = wanted;
	int number = 1;

	*why = NULL;
	while (is_taken(owners, slug, name) && number < NUMBERS_MAX) {
		const char *end = stet_printf(call, "_%d", ++number);

		slug = stet_printf(call, "%.*s%s", (int)(SLUG_MAX - strlen(end)), wanted, end);
	}
	if (json_object_get(owners, slug) != NULL)
		return number < NUMBERS_MAX ? slug : NULL;
	if (number == NUMBERS_MAX || json_object_size(owners) >= NAMES_MAX)
		return NULL;
	(void)json_object_set_new(owners, slug, json_string(name));
	if (number > 1)
		*why = stet_printf(call,
		    "\"%.100s\" becomes the field \"%s\", since another name is \"%s\" here", name,
		    slug, wanted);
	else if (strncmp(slug, "field_", 6) == 0 && strcmp(slug, name) != 0)
		*why = stet_printf(call,
		    "\"%.100s\" becomes the field \"%s\", since a field cannot have its name", name,
		    slug);
	return slug;
}
