/* structure.c - writes sections as reusable blocks, and menus. */
#include "export.h"
#include <stet/taxonomies.h>
#include <string.h>

/* ---- sections ---- */

/* Adds the data of a section for which reusable blocks have no element. */
static void
put_own(struct stet_call *call, struct export *x, const json_t *section)
{
	json_t *own = stet_json_own(call, json_object());
	json_t *about = json_object_get(section, "description"),
	       *words = json_object_get(section, "keywords");

	if (json_is_string(about))
		(void)json_object_set(own, "description", about);
	if (json_array_size(words) > 0)
		(void)json_object_set(own, "keywords", words);
	if (json_object_size(own) > 0)
		export_meta(x, "_stet", export_json(call, own));
}

static enum stet_status
put_section(struct stet_call *call, struct export *x, const json_t *section)
{
	struct post p = { .number = ++x->next,
		.type = "wp_block",
		.status = "publish",
		.slug = export_text(section, "slug"),
		.title = escape_entities(call, export_text(section, "title")),
		.created = export_text(section, "createdAt"),
		.modified = export_text(section, "updatedAt") };

	p.content = export_markup(call, x, json_object_get(section, "content"));
	post_open(call, x, &p);
	put_own(call, x, section);
	post_close(x);
	x->done.sections++;
	return STET_OK;
}

/* ---- menus ---- */

const char *
menu_slug(struct stet_call *call, const struct export *x, const json_t *menu)
{
	const char *name = export_text(menu, "name"), *locale = export_text(menu, "locale");

	return strcmp(locale, x->locale) == 0 ? name : stet_printf(call, "%s-%s", name, locale);
}

/* Returns the number of a menu item; 0 if the menu has no such item. Numbers of a menu's items are
 * consecutive. */
static int64_t
number_in(const json_t *items, int64_t first, const char *id)
{
	const json_t *item;
	size_t i;

	json_array_foreach(items, i, item)
	{
		if (strcmp(export_text(item, "id"), id) == 0)
			return first + (int64_t)i;
	}
	return 0;
}

/* Returns the words as a serialized PHP array. */
static const char *
classes_of(struct stet_call *call, const char *words)
{
	json_t *list = stet_json_own(call, json_array());

	while (*(words += strspn(words, " ")) != '\0') {
		size_t len = strcspn(words, " ");

		(void)json_array_append_new(list, json_stringn(words, len));
		words += len;
	}
	if (json_array_size(list) == 0)
		(void)json_array_append_new(list, json_string(""));
	return export_list(call, list);
}

/* The target of a menu item. */
struct target {
	int64_t number;
	const char *kind, *type, *url; /* _menu_item_type, _menu_item_object */
};

/* Looks up the number of a term, and WordPress's name of its taxonomy. */
static enum stet_status
find_term(struct stet_call *call, const struct export *x, const char *id, struct target *t)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	struct stet_term_found found = { 0 };
	struct stet_table table;

	if (taxonomies == NULL)
		return STET_OK;
	STET_TRY(taxonomies->find(call, &id, 1, x->locale, &table));
	stet_table_row(&table, 0, &found, sizeof(found));
	if (found.slug == NULL)
		return STET_OK;
	t->kind = "taxonomy";
	t->type = strcmp(found.taxonomy, "tag") == 0 ? "post_tag" : found.taxonomy;
	return export_recall(
	    call, x, export_name(call, "term", found.taxonomy, found.slug), &t->number);
}

static enum stet_status
target_of(struct stet_call *call, const struct export *x, const json_t *item, struct target *t)
{
	const char *id = export_text(item, "referenceId"),
		   *collection = export_text(item, "referenceCollection");

	*t = (struct target){ .kind = "post_type", .url = export_text(item, "customUrl") };
	if (*id != '\0' && strcmp(export_text(item, "type"), "taxonomy") == 0)
		STET_TRY(find_term(call, x, id, t));
	else if (*id != '\0' && *collection != '\0')
		STET_TRY(number_of_item(call, x, collection, id, &t->number, &t->type));
	if (t->number == 0) {
		t->kind = t->type = "custom";
		if (*t->url == '\0')
			t->url = export_text(item, "url");
		return STET_OK;
	}
	/* Readers recognize pages only by this type. */
	if (strcmp(export_text(item, "type"), "page") == 0)
		t->type = "page";
	return STET_OK;
}

static void
put_link(struct stet_call *call, struct export *x, const json_t *item, const struct target *t,
    int64_t parent, int64_t number)
{
	bool custom = t->number == 0;

	export_meta(x, "_menu_item_type", t->kind);
	export_meta(x, "_menu_item_menu_item_parent", export_id(call, parent));
	export_meta(x, "_menu_item_object_id", export_id(call, custom ? number : t->number));
	export_meta(x, "_menu_item_object", t->type);
	export_meta(x, "_menu_item_target", export_text(item, "target"));
	export_meta(x, "_menu_item_classes", classes_of(call, export_text(item, "cssClasses")));
	export_meta(x, "_menu_item_xfn", "");
	export_meta(x, "_menu_item_url", t->url);
}

static enum stet_status
put_menu_item(struct stet_call *call, struct export *x, const json_t *menu, size_t i, int64_t first)
{
	const json_t *items = json_object_get(menu, "items"), *item = json_array_get(items, i);
	const char *slug = menu_slug(call, x, menu);
	int64_t parent = number_in(items, first, export_text(item, "parentId"));
	struct target t;
	struct post p = { .number = first + (int64_t)i,
		.type = "nav_menu_item",
		.status = "publish",
		.order = (int64_t)i + 1,
		.title = escape_plain(call, export_text(item, "label")),
		.excerpt = escape_plain(call, export_text(item, "titleAttr")),
		.created = export_text(item, "createdAt"),
		.modified = export_text(item, "createdAt") };

	STET_TRY(target_of(call, x, item, &t));
	p.slug = export_id(call, p.number);
	post_open(call, x, &p);
	export_label(x, "nav_menu", slug, escape_entities(call, export_text(menu, "label")));
	put_link(call, x, item, &t, parent, p.number);
	post_close(x);
	return STET_OK;
}

static enum stet_status
put_menu(struct stet_call *call, struct export *x, const json_t *menu)
{
	int64_t first = x->next + 1;
	json_t *whole;
	size_t count;

	STET_TRY(stet_invoke_json(call, "menu_get",
	    json_pack("{ss ss}", "name", export_text(menu, "name"), "locale",
		export_text(menu, "locale")),
	    &whole));
	count = json_array_size(json_object_get(whole, "items"));
	x->next += (int64_t)count;
	for (size_t i = 0; i < count; i++)
		STET_TRY(put_menu_item(call, x, whole, i, first));
	x->done.menus++;
	return STET_OK;
}

enum stet_status
export_structure(struct export *x)
{
	STET_TRY(
	    export_pages(x, "section_list", json_pack("{si}", "limit", 100), "items", put_section));
	return export_pages(x, "menu_list", json_object(), NULL, put_menu);
}
