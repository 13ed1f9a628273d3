/* given_menu.c - entries of menus that importers hand on, as an export has them. */
#include "plan/given_menu.h"
#include "read/text.h"
#include "state/ops.h"
#include <stet/importer.h>
#include <string.h>

enum stet_status
given_menu(struct stet_call *call, const struct wxr_sink *sink, const json_t *o,
    const struct wxr_item *nothing)
{
	const char *menu = text_member(call, o, "menu"), *locale = text_member(call, o, "locale"),
		   *to = text_member(call, o, "item");
	const char *slug = *locale != '\0' ? stet_printf(call, "%s.%s", menu, locale) : menu;
	const struct wxr_label label = { "nav_menu", slug, menu };
	const struct wxr_meta meta[] = { { "_menu_item_type",
					     *to != '\0' ? "post_type" : "custom" },
		{ "_menu_item_object", "post" }, { "_menu_item_object_id", to },
		{ "_menu_item_url", text_member(call, o, "link") },
		{ "_menu_item_menu_item_parent", text_member(call, o, "parent") } };
	struct wxr_item item = *nothing;

	item.type = "nav_menu_item";
	item.status = "publish";
	item.key = text_member(call, o, "id");
	item.title = text_member(call, o, "title");
	item.menu_order = json_integer_value(json_object_get(o, "order"));
	item.labels = &label;
	item.label_count = 1;
	item.meta = meta;
	item.meta_count = sizeof(meta) / sizeof(meta[0]);
	return sink->item(sink->arg, &item);
}

enum stet_status
given_menu_name(struct stet_call *call, const struct wxr_sink *sink, const json_t *o)
{
	const char *menu = text_member(call, o, "menu"), *locale = text_member(call, o, "locale");
	const char *own =
	    json_dumps_own(call, json_pack("{ss ss}", "name", menu, "locale", locale));
	const struct wxr_meta meta = { "_stet", own };
	const struct wxr_term term = { .id = 0,
		.taxonomy = "nav_menu",
		.slug = stet_printf(call, "%s.%s", menu, locale),
		.name = menu,
		.description = "",
		.parent = "",
		.meta = &meta,
		.meta_count = 1 };

	return sink->term != NULL && *locale != '\0' ? sink->term(sink->arg, &term) : STET_OK;
}
