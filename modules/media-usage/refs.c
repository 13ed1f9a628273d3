/* refs.c - the list of references that were found in values. */
#include "media-usage.h"
#include <string.h>

static void
put(struct refs *refs, const struct ref *ref)
{
	struct ref *list;

	if (refs->count == refs->room) {
		refs->room = refs->room > 0 ? 2 * refs->room : 8;
		list = stet_alloc(refs->call, refs->room * sizeof(*list));
		for (size_t i = 0; i < refs->count; i++)
			list[i] = refs->list[i];
		refs->list = list;
	}
	refs->list[refs->count++] = *ref;
}

void
refs_add(
    struct refs *refs, const char *field, const char *path, const char *type, const char *media)
{
	if (media != NULL)
		put(refs, &(struct ref){ media, refs->variant, field, path, type, NULL });
}

void
refs_add_id(struct refs *refs, const char *field, const char *path, const char *id)
{
	refs_add(refs, field, path, "media_id", stet_strndup(refs->call, id, strlen(id)));
}

void
refs_add_file(struct refs *refs, const char *field, const char *path, const char *name)
{
	put(refs, &(struct ref){ NULL, refs->variant, field, path, "media_url", name });
	refs->has_files = true;
}
