/*
 * exporter_items.c - converts the JSON of an exporter to authors, terms and items of the WXR
 * reader.
 */
#include "read/text.h"
#include "remote/exporter.h"
#include "state/map.h"
#include "state/ops.h"
#include <stdlib.h>
#include <string.h>

#define META_MAX 1000 /* custom fields of an item; further ones are left out */
#define LABELS_MAX 10000

int64_t
source_number(const json_t *object, const char *member)
{
	const json_t *v = json_object_get(object, member);

	if (json_is_string(v))
		return strtoll(json_string_value(v), NULL, 10);
	return json_is_integer(v) ? json_integer_value(v) : 0;
}

/* ---- custom fields ---- */

struct metas {
	struct stet_call *call;
	struct wxr_meta *list;
	size_t count;
};

static void
add_text(struct metas *m, const char *key, const char *value)
{
	if (m->count < META_MAX && *key != '\0')
		m->list[m->count++] = (struct wxr_meta){ key, value };
}

/* Adds a custom field. The value is a text, as in the source's database; other types become
 * JSON. */
static void
add(struct metas *m, const char *key, const json_t *value)
{
	if (json_is_string(value))
		add_text(m, key, json_string_value(value));
	else if (json_is_boolean(value))
		add_text(m, key, json_is_true(value) ? "1" : "0");
	else if (value != NULL && !json_is_null(value)) {
		char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

		add_text(m, key, stet_strdup(m->call, text));
		free(text);
	}
}

static bool
is_seo(const char *key)
{
	return strncmp(key, "_yoast_", 7) == 0 || strncmp(key, "_rank_math_", 11) == 0;
}

static void
add_all(struct metas *m, const json_t *values, bool seo)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)values, key, value)
	{
		/* Some exporters send a list even if a field has one value. */
		if (json_array_size(value) == 1 && json_is_string(json_array_get(value, 0)))
			value = json_array_get(value, 0);
		if (seo || !is_seo(key))
			add(m, key, value);
	}
}

static void
add_seo(struct metas *m, const json_t *of, const char *title, const char *description)
{
	if (json_is_string(json_object_get(of, "title")))
		add(m, title, json_object_get(of, "title"));
	if (json_is_string(json_object_get(of, "description")))
		add(m, description, json_object_get(of, "description"));
}

/* Reads custom fields, and adds the featured image and translations as such, as WXR files have
 * them. */
static void
read_metas(struct metas *m, const json_t *item, bool seo)
{
	const json_t *picture = json_object_get(item, "featured_image");

	add_all(m, json_object_get(item, "meta"), seo);
	add_all(m, json_object_get(item, "acf"), seo);
	if (seo) {
		add_seo(m, json_object_get(item, "yoast"), "_yoast_wpseo_title",
		    "_yoast_wpseo_metadesc");
		add_seo(m, json_object_get(item, "rankmath"), "_rank_math_title",
		    "_rank_math_description");
	}
	if (source_number(picture, "id") > 0)
		add_text(m, "_thumbnail_id", text_member(m->call, picture, "id"));
	if (*text_member(m->call, item, "locale") != '\0')
		add_text(m, "_icl_lang_code", text_member(m->call, item, "locale"));
	if (*text_member(m->call, item, "translation_group") != '\0')
		add_text(m, "_icl_trid", text_member(m->call, item, "translation_group"));
}

/* ---- terms of an item ---- */

static size_t
read_labels(struct stet_call *call, const json_t *taxonomies, struct wxr_label *list)
{
	const char *name;
	json_t *terms, *term;
	size_t i, count = 0;

	json_object_foreach((json_t *)(uintptr_t)taxonomies, name, terms)
	{
		const char *taxonomy = strcmp(name, "categories") == 0 ? "category"
				       : strcmp(name, "tags") == 0     ? "post_tag"
								       : name;

		json_array_foreach(terms, i, term)
		{
			if (count < LABELS_MAX)
				list[count++] =
				    (struct wxr_label){ taxonomy, text_member(call, term, "slug"),
					    text_member(call, term, "name") };
		}
	}
	return count;
}

static size_t
count_labels(const json_t *taxonomies)
{
	const char *name;
	json_t *terms;
	size_t count = 0;

	json_object_foreach((json_t *)(uintptr_t)taxonomies, name, terms) count +=
	    json_array_size(terms);
	return count < LABELS_MAX ? count : LABELS_MAX;
}

/* ---- items ---- */

struct sending {
	const struct exporter_page *page;
	const struct wxr_sink *sink;
	const json_t *at;
	int64_t number;
};

static enum stet_status
send_item(struct stet_call *call, void *arg)
{
	struct sending *s = arg;
	const json_t *from = s->at, *taxonomies = json_object_get(from, "taxonomies");
	struct metas metas = { call, stet_alloc(call, META_MAX * sizeof(struct wxr_meta)), 0 };
	struct wxr_label *labels =
	    stet_alloc(call, (count_labels(taxonomies) + 1) * sizeof(*labels));
	struct wxr_item item = { .line = s->number,
		.id = source_number(from, "id"),
		.parent = source_number(from, "parent"),
		.menu_order = source_number(from, "menu_order"),
		.type = text_member(call, from, "post_type"),
		.status = text_member(call, from, "status"),
		.slug = text_member(call, from, "slug"),
		.title = text_member(call, from, "title"),
		.link = text_member(call, from, "link"),
		.content = text_member(call, from, "content"),
		.excerpt = text_member(call, from, "excerpt"),
		.password = text_member(call, from, "password"),
		.author = text_member(call, json_object_get(from, "author"), "login"),
		.date = text_member(call, from, "date"),
		.date_gmt = text_member(call, from, "date_gmt"),
		.modified = text_member(call, from, "modified"),
		.modified_gmt = text_member(call, from, "modified_gmt"),
		.guid = "",
		.description = "",
		.attachment_url = "",
		.comment_status = "",
		.ping_status = "",
		.published = "" };

	read_metas(&metas, from, s->page->seo);
	item.meta = metas.list;
	item.meta_count = metas.count;
	item.labels = labels;
	item.label_count = read_labels(call, taxonomies, labels);
	return s->sink->item(s->sink->arg, &item);
}

static enum stet_status
send_items(struct stet_call *call, struct sending *s)
{
	const json_t *item;
	size_t i;

	json_array_foreach(s->page->items, i, item)
	{
		const json_t *author = json_object_get(item, "author");
		const struct wxr_author who = { .id = source_number(author, "id"),
			.login = text_member(call, author, "login"),
			.email = text_member(call, author, "email"),
			.display_name = text_member(call, author, "display_name"),
			.first_name = "",
			.last_name = "" };

		if (s->sink->author != NULL && *who.login != '\0')
			STET_TRY(s->sink->author(s->sink->arg, &who));
		s->at = item;
		s->number++;
		STET_TRY(stet_scope(call, send_item, s));
	}
	return STET_OK;
}

/* ---- terms ---- */

/* Returns the slug of a parent term, which is given by its slug or its id; "": none. */
static const char *
slug_of(struct stet_call *call, const json_t *terms, const json_t *parent)
{
	const json_t *term;
	size_t i;

	if (json_is_string(parent))
		return json_string_value(parent);
	json_array_foreach(terms, i, term)
	{
		if (json_integer_value(parent) > 0 &&
		    source_number(term, "id") == json_integer_value(parent))
			return text_member(call, term, "slug");
	}
	return "";
}

struct taxonomy {
	const struct wxr_sink *sink;
	const char *name;
	const json_t *terms, *term;
};

static enum stet_status
send_term(struct stet_call *call, void *arg)
{
	const struct taxonomy *t = arg;
	const json_t *parent = json_object_get(t->term, "parent");
	const struct wxr_term term = { .id = source_number(t->term, "id"),
		.taxonomy = t->name,
		.slug = text_member(call, t->term, "slug"),
		.name = text_member(call, t->term, "name"),
		.description = text_member(call, t->term, "description"),
		.parent = slug_of(call, t->terms, parent) };

	return t->sink->term(t->sink->arg, &term);
}

static enum stet_status
send_terms(struct stet_call *call, const struct sending *s)
{
	const json_t *taxonomy;
	size_t i, k;

	if (s->sink->term == NULL)
		return STET_OK;
	json_array_foreach(s->page->taxonomies, i, taxonomy)
	{
		struct taxonomy t = { .sink = s->sink,
			.name = text_member(call, taxonomy, "name"),
			.terms = json_object_get(taxonomy, "terms") };

		for (k = 0; k < json_array_size(t.terms); k++) {
			t.term = json_array_get(t.terms, k);
			STET_TRY(stet_scope(call, send_term, &t));
		}
	}
	return STET_OK;
}

/* ---- menus ---- */

struct menu {
	struct sending *s;
	const char *slug, *name;
	int64_t order;
};

/* Returns the CSS classes of a menu item as a serialized PHP array, as in WordPress's database. */
static const char *
classes_of(struct stet_call *call, const json_t *item)
{
	const json_t *list = json_object_get(item, "classes");
	const char *out = "";
	size_t i, count = 0;

	if (json_is_string(list))
		return stet_printf(call, "a:1:{i:0;s:%zu:\"%s\";}", json_string_length(list),
		    json_string_value(list));
	for (i = 0; i < json_array_size(list) && count < 20; i++)
		if (json_string_length(json_array_get(list, i)) > 0)
			out = stet_printf(call, "%si:%zu;s:%zu:\"%s\";", out, count++,
			    json_string_length(json_array_get(list, i)),
			    json_string_value(json_array_get(list, i)));
	return stet_printf(call, "a:%zu:{%s}", count, out);
}

static const char *
either(struct stet_call *call, const json_t *item, const char *a, const char *b)
{
	const char *text = text_member(call, item, a);

	return *text != '\0' ? text : text_member(call, item, b);
}

static enum stet_status
send_entry(struct stet_call *call, void *arg)
{
	struct menu *m = arg;
	const json_t *from = m->s->at;
	const struct wxr_meta metas[] = {
		{ "_menu_item_type", text_member(call, from, "type") },
		{ "_menu_item_menu_item_parent", either(call, from, "parent_id", "parent") },
		{ "_menu_item_object", either(call, from, "object_type", "object") },
		{ "_menu_item_object_id", text_member(call, from, "object_id") },
		{ "_menu_item_url", text_member(call, from, "url") },
		{ "_menu_item_target", text_member(call, from, "target") },
		{ "_menu_item_classes", classes_of(call, from) },
	};
	const struct wxr_label label = { "nav_menu", m->slug, m->name };
	const struct wxr_item item = { .id = source_number(from, "id"),
		.menu_order = m->order,
		.type = "nav_menu_item",
		.status = "publish",
		.title = text_member(call, from, "title"),
		.excerpt = either(call, from, "attr_title", "title_attr"),
		.meta = metas,
		.meta_count = sizeof(metas) / sizeof(metas[0]),
		.labels = &label,
		.label_count = 1 };

	return m->s->sink->item(m->s->sink->arg, &item);
}

static enum stet_status
send_menus(struct stet_call *call, struct sending *s)
{
	const json_t *menu, *items;
	size_t i, k;

	json_array_foreach(s->page->menus, i, menu)
	{
		struct menu m = { .s = s,
			.slug = either(call, menu, "slug", "name"),
			.name = either(call, menu, "label", "name") };

		items = json_object_get(menu, "items");
		for (k = 0; k < json_array_size(items); k++) {
			s->at = json_array_get(items, k);
			m.order = (int64_t)k + 1;
			if (json_is_object(s->at))
				STET_TRY(stet_scope(call, send_entry, &m));
		}
	}
	return STET_OK;
}

/* ---- the page ---- */

/* A list inside the answer: absent, null, or an array of objects. */
static bool
is_list(const json_t *object, const char *member)
{
	const json_t *list = json_object_get(object, member), *one;
	size_t i;

	json_array_foreach(list, i, one) if (!json_is_object(one)) return false;
	return list == NULL || json_is_null(list) || json_is_array(list);
}

enum stet_status
exporter_check(struct stet_call *call, const struct exporter_page *page)
{
	const json_t *one;
	size_t i;

	json_array_foreach(page->items, i, one)
	{
		if (source_number(one, "id") <= 0)
			return remote_odd(call, "content", "has an item without an id");
	}
	json_array_foreach(page->taxonomies, i, one)
	{
		if (!json_is_string(json_object_get(one, "name")) || !is_list(one, "terms"))
			return remote_odd(
			    call, "taxonomies", "has one without a name or its terms");
	}
	json_array_foreach(page->menus, i, one)
	{
		if (!is_list(one, "items"))
			return remote_odd(call, "menus", "has one whose items are no list");
	}
	return STET_OK;
}

enum stet_status
exporter_read(struct stet_call *call, const struct exporter_page *page, const struct wxr_sink *sink)
{
	struct sending s = { .page = page, .sink = sink };

	STET_TRY(send_terms(call, &s));
	STET_TRY(send_items(call, &s));
	return sink->item != NULL ? send_menus(call, &s) : STET_OK;
}

enum stet_status
exporter_note(struct run *run, const struct exporter_page *page)
{
	struct stet_call *call = run->call;
	const json_t *item;
	size_t i;

	json_array_foreach(page->items, i, item)
	{
		const json_t *picture = json_object_get(item, "featured_image");
		const char *url = text_member(call, picture, "url"),
			   *alt = text_member(call, picture, "alt");
		json_t *value;

		if (source_number(picture, "id") <= 0 || *url == '\0')
			continue;
		value = json_pack("{ss ss ss ss*}", "id", "", "provider", "external", "src", url,
		    "alt", *alt != '\0' ? alt : NULL);
		STET_TRY(map_note(run, MAP_ATTACHMENT, map_id(call, source_number(picture, "id")),
		    json_dumps_own(call, value)));
	}
	return STET_OK;
}
