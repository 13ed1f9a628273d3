/* site_menu.c - menus of the settings, and of front matter. */
#include "plan/given.h"
#include "read/text.h"
#include "sources/site.h"
#include <string.h>

#define LAST 999999 /* place of an entry without a weight */

static const char *
first_of(const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (texts[i] != NULL && *texts[i] != '\0')
			return texts[i];
	return "";
}

static const char *
id_of(struct stet_call *call, const struct site_entry *e, const char *name)
{
	return *name != '\0' ? stet_printf(call, "menu:%s:%s:%s", e->menu, e->locale, name) : "";
}

enum stet_status
site_put_entry(const struct site *site, const struct site_entry *e)
{
	struct stet_call *call = site->source->call;
	const json_t *entry = e->entry;
	json_int_t weight = json_integer_value(json_object_get(entry, "weight"));
	const char *const names[] = { text_in(entry, "name"), text_in(entry, "title"), e->title };
	const char *const keys[] = { text_in(entry, "identifier"), text_in(entry, "name"),
		e->title };
	const char *const urls[] = { text_in(entry, "url"), text_in(entry, "pageRef"), e->url };
	const char *url = first_of(urls, 3), *item = e->item;
	const char *locale = site_here(site, *e->locale != '\0' ? e->locale : site->locale);

	if (locale == NULL)
		return source_notice(site->source, first_of(keys, 3), true,
		    stet_printf(call,
			"It is in the menu %.60s of the locale %.16s, which is none here", e->menu,
			e->locale));
	if (item == NULL)
		item = site_target(site, call, e->locale, url);
	return stet_source_put(site->source, STET_SOURCE_ITEM,
	    json_pack("{ss ss ss ss ss ss ss ss sI}", "type", "menu_entry", "menu", e->menu,
		"locale", locale, "id", id_of(call, e, first_of(keys, 3)), "title",
		first_of(names, 3), "item", item != NULL ? item : "", "link", url, "parent",
		id_of(call, e, text_in(entry, "parent")), "order",
		weight != 0 && weight < LAST ? weight : LAST));
}

enum stet_status
site_put_menus(const struct site *site)
{
	const json_t *menu, *entry;
	size_t i, k;

	json_array_foreach(site->menus, i, menu)
	{
		json_array_foreach(json_object_get(menu, "list"), k, entry)
		{
			const struct site_entry e = { .menu = text_in(menu, "menu"),
				.locale = text_in(menu, "locale"),
				.entry = entry };

			STET_TRY(site_put_entry(site, &e));
		}
	}
	json_array_foreach(site->entries, i, entry)
	{
		const struct site_entry e = { .menu = text_in(entry, "menu"),
			.locale = text_in(entry, "locale"),
			.entry = json_object_get(entry, "entry"),
			.item = json_string_value(json_object_get(entry, "item")) };

		STET_TRY(site_put_entry(site, &e));
	}
	return STET_OK;
}
