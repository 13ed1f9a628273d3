/* markdown_menu.c - the menus to which a document adds itself: menu: main, or [main, footer], or
 * {main: {weight, name, parent, identifier}}. */
#include "read/text.h"
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

/* Adds the document to a sidebar that shows its directory; one that is the page of its directory is
 * the link of that. */
static enum stet_status
put_shown(const struct document *d)
{
	const json_t *bar = NULL, *entry;
	const char *above = site_shown(d->site, d->name, &bar), *base = text_base(d->name);
	const char *directory, *label;

	if (above == NULL)
		return STET_OK;
	directory = stet_strndup(d->call, d->name, (size_t)(base - d->name));
	if (strcmp(directory, above) != 0 && strcmp(d->place.page, d->place.path) != 0)
		return STET_OK;
	label = json_string_value(document_front(d, " sidebar_label "));
	entry = stet_json_own(d->call,
	    json_pack("{ss ss ss sI}", "name", label != NULL ? label : "", "identifier", d->name,
		"parent", strcmp(directory, above) == 0 ? text_in(bar, "parent") : directory,
		"weight", site_position(document_front(d, " sidebar_position "), base)));
	return put(d, text_in(bar, "menu"), entry);
}

enum stet_status
document_put_menus(const struct document *d)
{
	const json_t *menus = document_front(d, DOCUMENT_MENUS);
	const char *name;
	json_t *entry;
	size_t i;

	STET_TRY(put_shown(d));
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
