/*
 * entry.c - converts an item of the source to an entry. Nothing is looked up here that depends on
 * other items of the export (parents, pictures): body.c does that in the transaction that makes the
 * item.
 */
#include "item/entry.h"
#include "item/acf.h"
#include "item/again.h"
#include "item/builder.h"
#include "item/contents.h"
#include "item/fields.h"
#include "item/gallery.h"
#include "item/links.h"
#include "item/notes.h"
#include "item/own.h"
#include "item/relative.h"
#include "item/seo.h"
#include "item/shown.h"
#include "item/squarespace.h"
#include "item/talk.h"
#include "item/termname.h"
#include "item/terms.h"
#include "item/times.h"
#include "item/variant.h"
#include "plan/names.h"
#include "plan/suggest.h"
#include "read/label.h"
#include "read/text.h"
#include "state/account.h"
#include "state/map.h"
#include <string.h>

/* An item while it is read. */
struct reading {
	struct run *run;
	const struct wxr_item *item;
	const struct stet_collection *collection;
	const char *content; /* of the item, with its footnotes */
	struct import_item *entry;
	json_t *data;
	struct acf *acf; /* its fields that hold others, or NULL */
	json_t *again; /* its custom fields with several values, or NULL */
};

const char *
entry_collection(const struct run *run, const char *type)
{
	const json_t *mapping = json_object_get(run->types, type);

	if (mapping == NULL || !json_is_true(json_object_get(mapping, "enabled")))
		return NULL;
	return json_string_value(json_object_get(mapping, "collection"));
}

static void
put(json_t *object, const char *member, const char *text)
{
	if (text != NULL)
		(void)json_object_set_new(object, member, json_string(text));
}

static void
notice(struct reading *r, const char *text)
{
	item_notice(r->entry, text);
}

/* ---- the members of an item ---- */

/* The last part of a slug that is a path; Squarespace has such slugs, and links without a host. */
static const char *
last_part(const char *slug)
{
	const char *slash = strrchr(slug, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : slug;
}

static const char *
slug_of(struct stet_call *call, const struct wxr_item *item)
{
	const char *slug;

	if (*item->slug != '\0')
		return text_unescape(call, *item->link == '/' ? last_part(item->slug) : item->slug);
	slug = *item->title != '\0' ? label_slug(call, text_decode(call, item->title)) : "";
	return *slug != '\0'
		   ? slug
		   : stet_printf(call, "post-%s", stet_slugify(call, map_item(call, item)));
}

static void
read_state(struct stet_call *call, struct reading *r, json_t *body)
{
	const struct wxr_item *item = r->item;
	bool public = strcmp(item->status, "publish") == 0;

	if (*item->password != '\0' && public) {
		notice(r, "It has a password, so it is a draft");
		public = false;
	}
	put(body, "status", public ? "published" : "draft");
	times_read(call, item, public, r->entry);
}

/* ---- field values ---- */

static const struct stet_field *
field_of(struct reading *r, const char *slug)
{
	return stet_field(r->collection, slug);
}

static void
lacks(struct reading *r, const char *field)
{
	notice(r, stet_printf(r->run->call, "The collection has no field for its %s", field));
}

static enum stet_status
read_content(struct stet_call *call, struct reading *r)
{
	const struct stet_field *f = field_of(r, "content");
	const json_t *given = json_object_get(r->item->own, "content"), *one;
	size_t i;

	json_array_foreach(json_object_get(r->item->own, "told"), i, one)
	    notice(r, json_string_value(one));
	r->content = notes_in(call, r->item);
	if (squarespace_is(r->content))
		r->content = squarespace_html(call, r->content);
	STET_TRY(gallery_fill(call, r->run, r->item, &r->content));
	if (*r->content == '\0' && wxr_meta_value(r->item, "_elementor_data") == NULL)
		return STET_OK;
	if (f != NULL && f->json_text && given != NULL) {
		json_t *content = json_deep_copy(given);

		if (r->run->home != NULL)
			relative_links(call, r->run->home, content);
		(void)json_object_set_new(r->data, "content", content);
		contents_given(r->entry, "", given, content, json_object_get(r->item->own, "lost"));
		return STET_OK;
	}
	if (f == NULL) {
		lacks(r, "content");
		account_add(r->entry->account, ACCOUNT_VALUES, "content", 1, 0, 1);
		return STET_OK;
	}
	if (!f->json_text) { /* layouts stay as they are */
		put(r->data, "content", r->content);
		return STET_OK;
	}
	r->content = builder_text(call, r->item, r->content, r->entry);
	contents_later(r->entry);
	return STET_OK;
}

static void
read_excerpt(struct reading *r, const char *text)
{
	bool fits = field_of(r, "excerpt") != NULL;
	int64_t shown = shown_characters(text, false);

	account_add(r->entry->account, ACCOUNT_CHARACTERS, "excerpt", shown, fits ? shown : 0,
	    fits ? 0 : shown);
	if (fits)
		put(r->data, "excerpt", text);
	else
		lacks(r, "excerpt");
}

/* Sets title, excerpt and menu_order if the collection has such fields. */
static void
read_texts(struct stet_call *call, struct reading *r)
{
	const struct wxr_item *item = r->item;
	const struct stet_field *order = field_of(r, "menu_order");

	if (field_of(r, "title") != NULL)
		put(r->data, "title", item_title(call, item));
	if (*item->excerpt != '\0')
		read_excerpt(r, squarespace_is(item->content) ? text_plain(call, item->excerpt)
							      : text_decode(call, item->excerpt));
	if (order != NULL &&
	    (order->type->storage == STET_STORE_INTEGER || order->type->storage == STET_STORE_REAL))
		(void)json_object_set_new(r->data, "menu_order", json_integer(item->menu_order));
}

/* Sets the member `seo` if the collection has SEO. A field of that name gets the value, too. */
static void
read_seo(struct stet_call *call, struct reading *r, const char *key, const char *text)
{
	json_t *body = r->entry->body, *seo;
	const char *why;

	if (!r->collection->has_seo)
		return;
	seo = json_object_get(body, "seo");
	if (seo == NULL) {
		seo = json_object();
		(void)json_object_set_new(body, "seo", seo);
	}
	if (seo_take(call, seo, key, text, &why) && why != NULL)
		notice(r, stet_printf(call, "\"%s\" does not fit the SEO: %s", key, why));
}

/* Enters a custom field in the account. Those that other parts of the item are made of do not
 * count. */
static void
enter(struct reading *r, const struct wxr_meta *meta, bool stored, bool left)
{
	if (*meta->value != '\0' && !seo_is(meta->key) && strcmp(meta->key, "_thumbnail_id") != 0)
		account_add(r->entry->account, ACCOUNT_VALUES, meta->key, 1, stored ? 1 : 0,
		    !stored && left ? 1 : 0);
}

/* Puts a value into its field, or tells why it does not fit. Takes the reference; NULL: the text is
 * no value of this type. */
static enum stet_status
put_value(struct stet_call *call, struct reading *r, const struct wxr_meta *meta,
    const struct stet_field *f, json_t *value)
{
	const char *why = NULL;

	if (value != NULL)
		STET_TRY(field_takes(call, f, stet_json_own(call, value), &why));
	enter(r, meta, value != NULL && why == NULL, false);
	if (value != NULL && why == NULL)
		(void)json_object_set(r->data, f->slug, value);
	else
		notice(r,
		    stet_printf(call, "\"%s\" does not fit the field %s (%s)%s%s", meta->key,
			f->slug, f->type->name, why != NULL ? ": " : "", why != NULL ? why : ""));
	return STET_OK;
}

/* Returns the field for a custom field, or NULL. Fields that are filled from members of the item
 * are for those that the user has chosen for them. A hidden custom field goes to
 * the field of its name without "_". */
static const struct stet_field *
field_for(struct stet_call *call, struct reading *r, const char *key)
{
	struct names *names = r->run->names;
	const char *slug;

	if (suggest_internal_field(key) && !names_chosen(names, key))
		key += strspn(key, "_");
	slug = names_field(call, names, r->item->type, key);

	return slug == NULL || (suggest_is_own(slug) && !names_chosen(names, key))
		   ? NULL
		   : field_of(r, slug);
}

static enum stet_status
read_field(struct stet_call *call, struct reading *r, const struct wxr_meta *meta)
{
	const struct stet_field *f = field_for(call, r, meta->key);
	const char *text = meta->value;
	json_t *value;

	if (seo_is(meta->key)) {
		text = seo_text(call, r->run, r->item, text);
		read_seo(call, r, meta->key, text);
	}
	if (f == NULL || link_note(call, r->entry, f, text)) {
		enter(r, meta, f != NULL, true);
		return STET_OK;
	}
	if (f->type->holds == STET_HOLDS_ROWS && acf_part(r->acf, meta->key) != NULL &&
	    text[strspn(text, "0")] == '\0') /* no rows */
		return STET_OK;
	value = contents_value(call, r->run, r->entry, meta->key, f, text);
	return value == NULL && *text == '\0' ? STET_OK : put_value(call, r, meta, f, value);
}

/* Is the part stored as part of a field that holds it? */
static bool
is_within(struct stet_call *call, struct reading *r, const struct acf_part *p)
{
	while ((p = acf_within(p)) != NULL)
		if (acf_fits(p, field_for(call, r, acf_key(p))))
			return true;
	return false;
}

static enum stet_status
read_whole(
    struct stet_call *call, struct reading *r, const struct acf_part *p, const struct stet_field *f)
{
	json_t *value = stet_json_own(call, field_rows(call, f, acf_value(p), r->entry->notices));
	const char *why;

	STET_TRY(field_takes(call, f, value, &why));
	account_add(r->entry->account, ACCOUNT_VALUES, acf_key(p), 1, why == NULL ? 1 : 0, 0);
	if (why == NULL)
		(void)json_object_set(r->data, f->slug, value);
	else
		notice(r, stet_printf(call, "\"%s\" does not fit the field %s (%s): %s", acf_key(p),
			      f->slug, f->type->name, why));
	return STET_OK;
}

static enum stet_status
read_custom(struct stet_call *call, struct reading *r, const struct wxr_meta *meta)
{
	const struct acf_part *p = acf_part(r->acf, meta->key);
	const struct stet_field *f;

	if (p == NULL)
		return read_field(call, r, meta);
	if (is_within(call, r, p))
		return STET_OK;
	f = field_for(call, r, meta->key);
	return acf_fits(p, f) ? read_whole(call, r, p, f) : read_field(call, r, meta);
}

/* Stores all values of a custom field: as a list, or as one text. */
static enum stet_status
read_again(
    struct stet_call *call, struct reading *r, const struct wxr_meta *meta, const json_t *values)
{
	const struct stet_field *f = field_for(call, r, meta->key);
	struct wxr_meta all = *meta;
	bool list = f != NULL && f->type->storage == STET_STORE_JSON &&
		    (f->type->holds == STET_HOLDS_TEXTS || f->type->holds == STET_HOLDS_VALUE);

	if (f == NULL || seo_is(meta->key) || field_refers(f) ||
	    acf_part(r->acf, meta->key) != NULL)
		return read_custom(call, r, meta);
	if (list)
		return put_value(call, r, meta, f, json_deep_copy(values));
	for (size_t i = 0; i < json_array_size(values); i++)
		all.value = i == 0 ? json_string_value(json_array_get(values, i))
				   : stet_printf(call, "%s, %s", all.value,
					 json_string_value(json_array_get(values, i)));
	return read_field(call, r, &all);
}

/* A field with a hidden name ("_price") is read if a field here has the name without "_", and the
 * item has no other value for it. Others are left, and count unless they are notes of a plugin. */
static enum stet_status
read_hidden(struct stet_call *call, struct reading *r, const struct wxr_meta *meta)
{
	const struct stet_field *f = field_for(call, r, meta->key);

	if (suggest_bookkeeping(meta->key, meta->value) ||
	    wxr_meta_value(r->item, meta->key + 1) != NULL)
		return STET_OK;
	if (f != NULL && json_object_get(r->data, f->slug) == NULL)
		return read_field(call, r, meta);
	enter(r, meta, false, true);
	return STET_OK;
}

static enum stet_status
read_fields(struct stet_call *call, struct reading *r)
{
	enum stet_status status = STET_OK;

	r->acf = acf_read(r->item);
	r->again = again_read(r->item);
	for (size_t i = 0; i < r->item->meta_count && status == STET_OK; i++) {
		const struct wxr_meta *meta = &r->item->meta[i];
		const json_t *values = json_object_get(r->again, meta->key);

		if (suggest_internal_field(meta->key) && !names_chosen(r->run->names, meta->key))
			status = read_hidden(call, r, meta);
		else if (values == NULL)
			status = read_custom(call, r, meta);
		else if (strcmp(json_string_value(json_array_get(values, 0)), meta->value) == 0)
			status = read_again(call, r, meta, values);
	}
	json_decref(r->again);
	acf_free(r->acf);
	return status;
}

/* ---- what refers to other things ---- */

/* Sets the member `terms`, {taxonomy: [slug]}. */
static void
read_terms(struct stet_call *call, struct reading *r)
{
	json_t *terms = json_object();

	for (size_t i = 0; r->run->taxonomies && i < r->item->label_count; i++) {
		const struct wxr_label *label = &r->item->labels[i];
		const char *taxonomy = terms_taxonomy(label->taxonomy), *slug;
		json_t *list;

		if (taxonomy == NULL)
			continue;
		slug = term_slug(call, r->run, taxonomy, label->slug, label->text);
		if (json_object_get(terms, taxonomy) == NULL)
			(void)json_object_set_new(terms, taxonomy, json_array());
		list = json_object_get(terms, taxonomy);
		if (*slug != '\0')
			(void)json_array_append_new(list, json_string(slug));
	}
	item_set_value(&r->entry->terms, terms);
}

static void
read_links(struct stet_call *call, struct reading *r)
{
	const char *thumbnail = wxr_meta_value(r->item, "_thumbnail_id");
	const struct stet_field *parent = field_of(r, "parent");
	bool has_parent =
	    r->item->parent_key != NULL ? *r->item->parent_key != '\0' : r->item->parent > 0;

	if (r->run->media && thumbnail != NULL && *thumbnail != '\0' &&
	    field_of(r, "featured_image") != NULL)
		item_set(&r->entry->thumbnail, thumbnail);
	if (parent != NULL && strcmp(parent->type->name, "reference") != 0)
		parent = NULL;
	if (has_parent && parent == NULL)
		account_add(r->entry->account, ACCOUNT_REFERENCES, "parent", 1, 0, 1);
	if (has_parent && parent != NULL)
		item_set(&r->entry->parent, r->item->parent_key != NULL
						? r->item->parent_key
						: map_id(call, r->item->parent));
	if (*r->item->author != '\0')
		item_set(&r->entry->author, r->item->author);
	read_terms(call, r);
	item_set_value(&r->entry->comments, talk_of(call, r->item, r->entry));
}

/* ---- the item ---- */

/* Puts a member of an item of WordPress into the field of its name; without one it is left. */
static enum stet_status
put_member(struct stet_call *call, struct reading *r, const char *slug, json_t *value)
{
	bool has = field_of(r, slug) != NULL && json_object_get(r->data, slug) == NULL;

	if (has)
		STET_TRY(field_put(call, r->entry, r->data, slug, value));
	else
		json_decref(value);
	account_add(r->entry->account, ACCOUNT_VALUES, slug, 1,
	    json_object_get(r->data, slug) != NULL, field_of(r, slug) == NULL);
	return STET_OK;
}

/* Comments have no address of their author here. */
static enum stet_status
read_rest(struct stet_call *call, struct reading *r)
{
	const struct wxr_item *item = r->item;
	int64_t addresses = 0;

	if (item->own != NULL)
		return STET_OK;
	if (item->sticky)
		STET_TRY(put_member(call, r, "sticky", json_true()));
	if (item->menu_order != 0)
		STET_TRY(put_member(call, r, "menu_order", json_integer(item->menu_order)));
	for (size_t i = 0; i < item->comment_count; i++)
		addresses += *item->comments[i].url != '\0';
	account_add(
	    r->entry->account, ACCOUNT_VALUES, "comment_author_url", addresses, 0, addresses);
	return STET_OK;
}

/* WordPress publishes a scheduled item at its date. */
static void
read_schedule(struct stet_call *call, struct reading *r)
{
	json_t *created = json_object_get(r->entry->body, "createdAt");
	const char *time = json_string_value(created);
	int64_t at;

	if (strcmp(r->item->status, "future") != 0 || r->entry->scheduled_at != NULL ||
	    time == NULL)
		return;
	if (!stet_time_parse(time, &at) || at <= stet_now(call)) {
		notice(r, stet_printf(call,
			      "It was to be published at %s, which is past: it is a draft", time));
		return;
	}
	item_set(&r->entry->scheduled_at, time);
	(void)json_object_del(r->entry->body, "createdAt");
}

static enum stet_status
read_all(struct stet_call *call, struct reading *r)
{
	json_t *body = json_object();

	item_set_value(&r->entry->body, body);
	(void)json_object_set_new(body, "data", r->data);
	put(body, "slug", slug_of(call, r->item));
	r->entry->slug_made = *r->item->slug == '\0';
	read_state(call, r, body);
	read_texts(call, r);
	STET_TRY(read_content(call, r));
	item_set(&r->entry->markup, r->content);
	STET_TRY(read_fields(call, r));
	read_links(call, r);
	STET_TRY(own_read(call, r->run, r->collection, r->item, r->entry));
	STET_TRY(read_rest(call, r));
	read_schedule(call, r);
	return STET_OK;
}

enum stet_status
entry_of(struct stet_call *call, struct run *run, const struct wxr_item *item,
    const struct stet_collection *collection, struct import_item **out)
{
	struct reading r = { .run = run, .item = item, .collection = collection };
	const char *locale, *group;

	*out = NULL;
	STET_TRY(variant_need(call, run, item, &locale, &group));
	r.entry = *out = item_begin(call, run, item);
	r.data = json_object();
	item_set(&r.entry->collection, collection->slug);
	item_set(&r.entry->locale, locale);
	item_set(&r.entry->group, group);
	return read_all(call, &r);
}
