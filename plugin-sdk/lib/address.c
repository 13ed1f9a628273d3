/* address.c - addresses on the site that people read: its own, and those of items. */
#include <stet/content.h>
#include <stet/settings.h>
#include <string.h>

enum stet_status
stet_site_address(struct stet_call *call, const char **out)
{
	enum stet_status status = stet_setting_text(call, "url", out);
	size_t len;

	if (*out == NULL || **out == '\0')
		*out = stet_base_url(call);
	len = strcspn(*out, "?#");
	while (len > 0 && (*out)[len - 1] == '/')
		len--;
	*out = stet_strndup(call, *out, len);
	return status;
}

const char *
stet_item_path(struct stet_call *call, const char *pattern, const char *collection, const char *id,
    const char *slug, const char *locale)
{
	const char *const parts[] = { "slug", slug, "id", id, "locale", locale, "collection",
		collection, NULL };
	const char *path = slug != NULL ? stet_path_fill(call, pattern, parts) : NULL;

	return path != NULL && strchr(path, '{') == NULL ? path : NULL;
}
