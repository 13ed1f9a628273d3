/*
 * own.c - extra data that stet's own exports carry in the custom field `_stet` (modules/export):
 * times with milliseconds, credits with roles, values that are not texts. Importers hand it on as
 * JSON. Anybody can write it into a file, so it passes the checks that all values pass. The credits
 * of co-author plugins are read here, too.
 */
#include "item/own.h"
#include "item/contents.h"
#include "item/fields.h"
#include "item/links.h"
#include "item/relative.h"
#include "read/dates.h"
#include "read/text.h"
#include "sources/documents.h"
#include "state/account.h"
#include <string.h>

#define OWN_MAX (1u << 20) /* bytes of the field */
#define CREDITS_MAX 100
#define ABOUT_MAX 5000 /* characters of the description of a section */
#define KEYWORDS_MAX 100 /* of a section, and characters of one */

static bool
is_public(const json_t *body)
{
	const char *status = json_string_value(json_object_get(body, "status"));

	return status != NULL && strcmp(status, "published") == 0;
}

static void
read_times(struct stet_call *call, const json_t *own, json_t *body)
{
	static const char *const names[] = { "createdAt", "publishedAt", "updatedAt" };
	for (size_t i = 0; i < 3; i++) {
		const char *text = json_string_value(json_object_get(own, names[i]));
		const char *time = text != NULL ? text_time(call, text) : NULL;

		if (time != NULL && (i != 1 || is_public(body)))
			(void)json_object_set_new(body, names[i], json_string(time));
	}
}

/* Returns a text as a value for a field; NULL: it is none. `order`: of day and month, "dmy" or
 * "mdy", or NULL. */
static json_t *
value_of_text(struct stet_call *call, const struct run *run, struct import_item *entry,
    const struct stet_field *f, const char *text, const char *order)
{
	unsigned orders = order == NULL               ? DATES_ANY
			  : strcmp(order, "dmy") == 0 ? DATES_DMY
						      : DATES_MDY;
	const char *time;

	if (f->type->holds != STET_HOLDS_TIME)
		return f->type->storage != STET_STORE_TEXT
			   ? contents_value(call, run, entry, f->slug, f, text)
			   : NULL;
	time = dates_read(call, text, orders);
	return time != NULL ? json_string(time) : NULL;
}

/* Returns a number or a boolean as text; NULL: it is something else. */
static json_t *
text_of_value(const json_t *value)
{
	if (json_is_integer(value))
		return json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	if (json_is_real(value))
		return json_sprintf("%.15g", json_real_value(value));
	return json_is_boolean(value) ? json_string(json_is_true(value) ? "true" : "false") : NULL;
}

/* Returns a value that an importer gives, converted to one of the field's type if that is possible:
 * texts, and numbers for a field of texts. */
static json_t *
value_for(struct stet_call *call, const struct run *run, struct import_item *entry,
    const struct stet_field *f, json_t *given, const char *order)
{
	const char *text = json_string_value(given);
	json_t *value = NULL;

	/* Seconds or milliseconds since 1970. */
	if (json_is_integer(given) && f->type->holds == STET_HOLDS_TIME)
		text = stet_printf(call, "%lld", (long long)json_integer_value(given));
	if (text != NULL)
		value = value_of_text(call, run, entry, f, text, order);
	else if (f->type->storage == STET_STORE_TEXT && f->type->holds == STET_HOLDS_VALUE &&
		 !f->json_text)
		value = text_of_value(given);
	return value != NULL ? stet_json_own(call, value) : given;
}

/* Sets a value if the field accepts it; otherwise adds a notice. */
static enum stet_status
put_value(struct stet_call *call, const struct stet_field *f, json_t *value, json_t *data,
    json_t *notices)
{
	const char *why;

	STET_TRY(field_takes(call, f, value, &why));
	if (why == NULL)
		(void)json_object_set(data, f->slug, value);
	else
		(void)json_array_append_new(notices,
		    json_string(
			stet_printf(call, "\"%s\" does not fit the field: %s", f->slug, why)));
	return STET_OK;
}

/* Returns the field of a value. The place of an item among others has many names, and goes to the
 * field for that if there is none of its own. */
static const struct stet_field *
field_of(const struct stet_collection *c, const char *slug, bool given)
{
	static const char *const places[] = { "weight", "order", "nav_order", "navOrder",
		"sidebar_position" };
	const struct stet_field *f = stet_field(c, slug);

	for (size_t i = 0; given && f == NULL && i < sizeof(places) / sizeof(places[0]); i++)
		if (strcmp(places[i], slug) == 0)
			f = stet_field(c, "menu_order");
	return f;
}

/* Takes a value that names items of the source. Returns false if the field holds none. */
static bool
read_link(
    const json_t *own, const struct stet_field *f, const json_t *value, struct import_item *entry)
{
	const json_t *ids = json_object_get(json_object_get(own, "references"), f->slug);

	return link_note_value(entry, f, ids != NULL ? ids : value, true);
}

/* Returns a value that names items of the source; in a field of JSON, whose items have several
 * types, the references inside it. */
static json_t *
references_in(struct stet_call *call, const json_t *own, const struct stet_field *f, json_t *value)
{
	const char *type = text_in(json_object_get(own, "types"), f->slug);
	json_t *list, *id;
	size_t i;

	if (strncmp(type, "reference", 9) != 0 || strcmp(f->type->name, "json") != 0)
		return value;
	if (json_is_string(value))
		return stet_json_own(call, document_reference(call, json_string_value(value)));
	list = stet_json_own(call, json_array());
	json_array_foreach(value, i, id)
	{
		if (json_is_string(id))
			(void)json_array_append_new(
			    list, document_reference(call, json_string_value(id)));
		else
			(void)json_array_append(list, id);
	}
	return json_is_array(value) ? list : value;
}

/* Stores the value of a field, and counts it if it was given. */
static enum stet_status
keep_value(struct stet_call *call, const struct stet_field *f, json_t *value, bool given,
    bool blocks, struct import_item *entry)
{
	json_t *data = item_data(entry);

	STET_TRY(put_value(call, f, value, data, entry->notices));
	if (!given)
		return STET_OK;
	account_add(
	    entry->account, ACCOUNT_VALUES, f->slug, 1, json_object_get(data, f->slug) == value, 0);
	/* Texts in HTML are counted when they are converted. */
	if (blocks)
		contents_given(entry, f->slug, value, json_object_get(data, f->slug), NULL);
	return STET_OK;
}

static enum stet_status
read_fields(struct stet_call *call, const struct run *run, const struct stet_collection *c,
    const json_t *own, const char *member, bool given, struct import_item *entry)
{
	json_t *fields = json_object_get(own, member), *value;
	const json_t *dates = json_object_get(own, "dates");
	json_t *data = item_data(entry);
	const struct stet_field *f;
	const char *slug;
	bool blocks;

	json_object_foreach(fields, slug, value)
	{
		f = field_of(c, slug, given);
		if (f == NULL && given) {
			item_notice(entry,
			    stet_printf(call, "The collection has no field \"%.100s\"", slug));
			account_add(entry->account, ACCOUNT_VALUES, slug, 1, 0, 1);
		}
		if (f == NULL || (given && read_link(own, f, value, entry)))
			continue;
		blocks = json_is_array(value) && f->type->holds == STET_HOLDS_BLOCKS;
		/* An importer may hand on a text for a field of another type. */
		if (given)
			value = references_in(call, own, f, value);
		if (given)
			value = value_for(call, run, entry, f, value,
			    json_string_value(json_object_get(dates, slug)));
		if (json_is_null(value) ||
		    (given && json_string_length(value) == 0 && json_is_string(value)))
			(void)json_object_del(data, slug);
		else
			STET_TRY(keep_value(call, f, value, given, blocks, entry));
	}
	return STET_OK;
}

/* Reports times of the item that the importer could not read: it has got the time of the import. */
static void
tell_unread(struct stet_call *call, const json_t *own, struct import_item *entry)
{
	json_t *unread = json_object_get(own, "unread"), *text;
	const char *member;

	json_object_foreach(unread, member, text)
	{
		item_notice(entry,
		    stet_printf(call, "\"%.80s\" is no date that can be read: %s is left out",
			json_string_value(text), member));
		account_add(entry->account, ACCOUNT_VALUES, member, 1, 0, 0);
	}
}

static bool
is_slug(struct stet_call *call, const char *text)
{
	return text != NULL && *text != '\0' && strlen(text) <= 250 &&
	       strcmp(stet_slugify(call, text), text) == 0;
}

/* Reads the draft of a published item into the member `draft` of the entry: {slug?, data}, the body
 * of an update. */
static enum stet_status
read_draft(struct stet_call *call, const struct run *run, const struct stet_collection *c,
    const json_t *own, struct import_item *entry)
{
	const json_t *given = json_object_get(own, "draft"), *slug = json_object_get(given, "slug");
	const char *text = json_string_value(json_object_get(given, "content"));
	json_t *notices = entry->notices, *draft, *data, *value;
	const struct stet_field *f = stet_field(c, "content");
	const char *name;

	if (!c->revisions || !json_is_object(given))
		return STET_OK;
	draft = json_pack("{s{}}", "data");
	data = json_object_get(draft, "data");
	item_set_value(&entry->draft, draft);
	if (text != NULL)
		entry->weight = (int64_t)strlen(text);
	if (text != NULL && f != NULL && f->json_text) {
		value = contents_other(call, run, "draft", text, entry->account, notices);
		STET_TRY(put_value(call, f, stet_json_own(call, value), data, notices));
	}
	json_object_foreach(json_object_get(given, "fields"), name, value)
	{
		if ((f = stet_field(c, name)) == NULL || field_refers(f))
			continue;
		if (json_is_null(value) && !stet_required_in_drafts(c, f))
			(void)json_object_set_new(data, name, json_null());
		else
			STET_TRY(put_value(call, f, value, data, notices));
	}
	if (is_slug(call, json_string_value(slug)))
		(void)json_object_set(draft, "slug", (json_t *)(uintptr_t)slug);
	if (json_object_size(data) == 0 && json_object_size(draft) == 1)
		item_set_value(&entry->draft, NULL);
	return STET_OK;
}

/* Reads a time: when the item, or its draft, is to be published, or unpublished. */
static void
read_schedule(struct stet_call *call, const json_t *own, const char *name, char **to)
{
	const char *text = json_string_value(json_object_get(own, name));
	const char *time = text != NULL ? text_time(call, text) : NULL;

	item_set(to, time);
}

/* Adds a credit, each login once. */
static void
add_credit(json_t *credits, const char *login, const json_t *role)
{
	const json_t *credit;
	size_t i;

	if (login == NULL || *login == '\0' || json_array_size(credits) >= CREDITS_MAX)
		return;
	json_array_foreach(credits, i, credit)
	{
		if (strcmp(json_string_value(json_object_get(credit, "slug")), login) == 0)
			return;
	}
	(void)json_array_append_new(credits,
	    json_pack("{ss sO*}", "slug", login, "role", json_is_string(role) ? role : NULL));
}

/* Reads the terms by which the plugin Co-Authors Plus names authors. */
static void
read_co_authors(const struct wxr_item *item, json_t *credits)
{
	for (size_t i = 0; i < item->label_count; i++)
		if (strcmp(item->labels[i].taxonomy, "author") == 0 &&
		    strncmp(item->labels[i].slug, "cap-", 4) == 0)
			add_credit(credits, item->labels[i].slug + 4, NULL);
}

/* Returns the extra data: that of an importer, or the parsed field `_stet`; NULL: there is none. */
static const json_t *
own_of(struct stet_call *call, const struct wxr_item *item)
{
	const char *text = wxr_meta_value(item, "_stet"), *why;
	const json_t *own;

	if (item->own != NULL)
		return item->own;
	if (text == NULL || strlen(text) > OWN_MAX)
		return NULL;
	own = stet_json_parse(call, text, strlen(text), &why);
	return json_is_object(own) ? own : NULL;
}

void
own_section(struct stet_call *call, const struct wxr_item *item, json_t *args)
{
	const json_t *own = own_of(call, item), *word;
	const char *about = json_string_value(json_object_get(own, "description"));
	json_t *words = json_array();
	size_t i;

	if (about != NULL && *about != '\0')
		(void)json_object_set_new(
		    args, "description", json_string(text_cut(call, about, ABOUT_MAX)));
	json_array_foreach(json_object_get(own, "keywords"), i, word)
	{
		if (json_string_length(word) > 0 && json_array_size(words) < KEYWORDS_MAX)
			(void)json_array_append_new(words,
			    json_string(text_cut(call, json_string_value(word), KEYWORDS_MAX)));
	}
	if (json_array_size(words) > 0)
		(void)json_object_set(args, "keywords", words);
	json_decref(words);
}

enum stet_status
own_read(struct stet_call *call, const struct run *run, const struct stet_collection *c,
    const struct wxr_item *item, struct import_item *entry)
{
	json_t *body = entry->body, *credits = json_array();
	const json_t *own = own_of(call, item), *credit;
	size_t i;

	json_array_foreach(json_object_get(own, "credits"), i, credit) add_credit(credits,
	    json_string_value(json_object_get(credit, "slug")), json_object_get(credit, "role"));
	if (json_object_get(own, "credits") == NULL)
		read_co_authors(item, credits);
	if (json_array_size(credits) > 0 || json_is_array(json_object_get(own, "credits")))
		item_set_value(&entry->credits, json_incref(credits));
	json_decref(credits);
	if (own == NULL)
		return STET_OK;
	read_times(call, own, body);
	tell_unread(call, item->own, entry);
	if (item->own == NULL && is_public(body))
		STET_TRY(read_draft(call, run, c, own, entry));
	if (item->own != NULL && is_public(body) && json_object_get(own, "draft") != NULL)
		STET_TRY(read_draft(call, run, c, own, entry));
	if (item->own != NULL)
		STET_TRY(read_fields(call, run, c, own, "exact", false, entry));
	if (c->has_seo && json_is_object(json_object_get(own, "seo")))
		(void)json_object_set(body, "seo", json_object_get(own, "seo"));
	/* WordPress keeps `_stet` if an item becomes a draft again, so an old schedule may be in
	 * it. */
	if (strcmp(item->status, "future") == 0 || entry->draft != NULL)
		read_schedule(call, own, "scheduledAt", &entry->scheduled_at);
	read_schedule(call, own, "unpublishAt", &entry->unpublish_at);
	return read_fields(call, run, c, own, "fields", item->own != NULL, entry);
}
