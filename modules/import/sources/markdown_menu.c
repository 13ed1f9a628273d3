/* markdown_menu.c - the menus to which a document adds itself: menu: main, or [main, footer], or
 * {main: {weight, name, parent, identifier}}. */
#include "sources/markdown.h"
#include <string.h>

static enum stet_status
put(const struct document *d, const char *menu, const json_t *entry)
{
	const struct site_entry e = { .menu = menu,
		.locale = d->place.locale,
		.entry = entry,
		.item = d->place.id,
		.title = json_string_value(json_object_get(d->item, "title")),
		.url = json_string_value(json_object_get(d->item, "link")) };

	return site_put_entry(d->site, &e);
}

enum stet_status
document_put_menus(const struct document *d)
{
	const json_t *menus = document_front(d, DOCUMENT_MENUS);
	const char *name;
	json_t *entry;
	size_t i;

	if (json_is_string(menus))
		return put(d, json_string_value(menus), NULL);
	json_array_foreach((json_t *)(uintptr_t)menus, i, entry)
	{
		if (json_is_string(entry))
			STET_TRY(put(d, json_string_value(entry), NULL));
	}
	json_object_foreach((json_t *)(uintptr_t)menus, name, entry) STET_TRY(put(d, name, entry));
	return STET_OK;
}
