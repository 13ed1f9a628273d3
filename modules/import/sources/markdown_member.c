/* markdown_member.c - members of the front matter, and of what becomes of a document. */
#include "sources/markdown.h"
#include <string.h>
#include <strings.h>

void
document_set(json_t *object, const char *member, const char *text)
{
	(void)json_object_set_new(object, member, json_string(text));
}

bool
document_is_one(const char *name, const char *names)
{
	const char *at = names;
	size_t len = strlen(name);

	for (; len > 0 && (at = strchr(at, ' ')) != NULL && *++at != '\0';)
		if (strncasecmp(at, name, len) == 0 && at[len] == ' ')
			return true;
	return false;
}

const json_t *
document_front(const struct document *d, const char *names)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)d->front, key, value)
	{
		if (document_is_one(key, names))
			return value;
	}
	return NULL;
}
