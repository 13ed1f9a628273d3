/* markdown_place.c - what becomes of the place of a document: locale, translation group, parent. */
#include "sources/markdown.h"
#include <string.h>

/* Is there a document of the page in a locale that its name says? */
static bool
is_translated(const struct document *d)
{
	const char *locale;
	json_t *any;

	json_object_foreach(d->site->locales, locale, any)
	{
		if (site_page(d->site, d->call, d->place.page, locale) != NULL)
			return true;
	}
	return false;
}

/* Sets the group. Of two documents of a page in one locale, the first has that of the page. What
 * names no locale joins translations by a key of its own, or by their common address. */
static void
put_group(struct document *d)
{
	const struct place *p = &d->place;
	const char *page = site_page(d->site, d->call, p->page, p->locale);
	const char *key = json_string_value(
	    document_front(d, " translationkey translation_key ref page_id lang-ref lang_ref "));

	if (json_object_get(d->item, "group") != NULL)
		return;
	if (is_translated(d) && page != NULL && strcmp(page, p->id) == 0)
		document_set(d->item, "group", p->page);
	else if (d->speaks && key != NULL)
		document_set(d->item, "group", stet_printf(d->call, "key:%s", key));
	else if (d->speaks && d->link != NULL)
		document_set(d->item, "group", stet_printf(d->call, "link:%s", d->link));
}

/* Adds the categories that directories of Jekyll are. */
static void
put_categories(struct document *d)
{
	const char *at = d->place.categories;
	json_t *all = json_object_get(d->terms, "category");

	if (*at == '\0')
		return;
	if (all == NULL) {
		all = json_array();
		(void)json_object_set_new(d->terms, "category", all);
	}
	for (; *at != '\0'; at += strspn(at, "/")) {
		size_t len = strcspn(at, "/");

		(void)json_array_append_new(all, json_stringn(at, len));
		at += len;
	}
}

static bool
is_document(const struct document *d, const char *id)
{
	static const char *const ends[] = { "md", "markdown", "mdx", "html", "htm" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (json_object_get(d->site->wanted, stet_printf(d->call, "%s.%s", id, ends[i])) !=
		    NULL)
			return true;
	return false;
}

/* Sets the parent: that of the front matter if it is the id of a document; its title is a value. */
static void
put_parent(struct document *d)
{
	const struct place *p = &d->place;
	const char *type = json_string_value(json_object_get(d->item, "type"));
	const char *given = json_string_value(json_object_get(d->item, "parent"));

	if (given != NULL && strchr(given, '/') == NULL && !is_document(d, given)) {
		document_set(d->fields, "parent_title", given);
		(void)json_object_del(d->item, "parent");
		given = NULL;
	}
	if (given == NULL && (p->parent == NULL || strcmp(type, p->type) != 0))
		return;
	if (given == NULL)
		document_set(d->item, "parent", p->parent);
	if (given == NULL || is_document(d, given))
		(void)json_object_set_new(
		    d->item, "types", json_pack("{s{ss}}", "parent", "to", type));
}

void
document_take_place(struct document *d)
{
	const struct place *p = &d->place;
	const char *locale = *p->locale != '\0' ? p->locale : d->site->locale;

	if (!d->speaks && *locale != '\0')
		document_set(d->item, "locale", locale);
	put_group(d);
	put_categories(d);
	put_parent(d);
}
