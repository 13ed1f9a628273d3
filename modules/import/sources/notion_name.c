/* notion_name.c - names of files in exports of Notion, which end with the id of their page. */
#include "plan/prepare.h"
#include "plan/suggest.h"
#include "sources/notion.h"
#include <string.h>

#define ID_LEN 32

const char *
notion_text(const json_t *object, const char *member)
{
	const char *text = json_string_value(json_object_get(object, member));

	return text != NULL ? text : "";
}

const char *
notion_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

const char *
notion_id(struct stet_call *call, const char *text, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (; len >= ID_LEN; len--) {
		const char *at = text + len - ID_LEN;

		if (strspn(at, digits) >= ID_LEN)
			return stet_strndup(call, at, ID_LEN);
	}
	return NULL;
}

const char *
notion_split(struct stet_call *call, const char *path, const char **id, const char **bare)
{
	const char *base = notion_base(path), *dot = strrchr(base, '.'), *whole;
	size_t len = dot != NULL ? (size_t)(dot - path) : strlen(path),
	       front = (size_t)(base - path);

	whole = *bare = *id = stet_strndup(call, path, len);
	if (len - front < ID_LEN || notion_id(call, whole + len - ID_LEN, ID_LEN) == NULL)
		return whole;
	*id = stet_strdup(call, whole + len - ID_LEN);
	len -= ID_LEN;
	*bare = stet_strndup(call, whole, len > front && whole[len - 1] == ' ' ? len - 1 : len);
	return whole;
}

enum stet_status
notion_path(struct stet_call *call, const char *type, const char *slug, const char **path)
{
	const char *collection = suggest_collection(call, type);
	const char *parts[] = { "slug", slug, "collection", collection, NULL }, *pattern;
	const struct stet_collection *c;

	STET_TRY(suggest_find(call, collection, &c));
	pattern = c != NULL ? c->url_pattern : prepare_pattern(collection);
	*path = pattern != NULL && *pattern != '\0' ? stet_path_fill(call, pattern, parts) : NULL;
	if (*path == NULL)
		*path = stet_path_fill(call, "/{collection}/{slug}", parts);
	return STET_OK;
}
