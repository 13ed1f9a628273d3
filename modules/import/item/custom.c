/* custom.c - custom fields of an export: which there are, and what fields they become. */
#include "item/custom.h"
#include "item/acf.h"
#include "item/again.h"
#include "plan/choices.h"
#include "plan/kind.h"
#include "plan/suggest.h"
#include "read/dates.h"
#include <string.h>

#define KEYS_MAX 300 /* of one type of posts */
#define KEY_MOST 250 /* bytes of a name that is noted */
#define LONG_TEXT 200 /* bytes; the field of a longer value is a text */
#define GROUP "group" /* noted type of a group, whose field will be json */

/* "rows_0_name": a part of a repeater. */
static bool
is_part(const char *key)
{
	for (const char *p = key; (p = strchr(p, '_')) != NULL;) {
		size_t digits = strspn(++p, "0123456789");

		if (digits > 0 && p[digits] == '_')
			return true;
	}
	return false;
}

/* Is the field filled from another part of the item? */
static bool
is_taken(const char *key)
{
	static const char *const taken[] = { "_thumbnail_id", "footnotes", "title", "content",
		"excerpt", "featured_image", "parent", "menu_order" };

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (strcmp(taken[i], key) == 0)
			return true;
	return false;
}

/* Returns the field type that fits this value. */
static const char *
type_of_one(struct stet_call *call, const char *key, const char *value)
{
	const char *type = suggest_type(key, value);

	/* A name suggests the type, but all values must be of it. */
	if (strcmp(type, "date") == 0)
		type = dates_read(call, value, DATES_ANY) != NULL ? "datetime" : "string";
	if (strcmp(type, "number") == 0 && !kind_number(value))
		type = "string";
	if (strcmp(type, "string") == 0 && kind_url(value))
		type = "url";
	if (strcmp(type, "string") == 0 &&
	    (strlen(value) > LONG_TEXT || strchr(value, '\n') != NULL))
		type = "text";
	return type;
}

/* Returns the field type that fits this value and all earlier ones. `was`: the type for those, or
 * NULL. */
static const char *
type_of(struct stet_call *call, const char *key, const char *value, const char *was)
{
	const char *type = type_of_one(call, key, value);

	if (was == NULL || strcmp(was, type) == 0)
		return type;
	if (strcmp(was, "json") == 0 || strcmp(type, "json") == 0)
		return "json";
	return strcmp(was, "text") == 0 || strcmp(type, "text") == 0 ? "text" : "string";
}

/* Like type_of, for a field of ACF. A repeater stays one where it is empty; a field is a group only
 * if it never has a value of its own. */
static const char *
type_of_part(struct stet_call *call, const struct acf_part *p, const char *value, const char *was)
{
	if (acf_kind(p) == ACF_ROWS || (was != NULL && strcmp(was, "repeater") == 0))
		return "repeater";
	if (acf_kind(p) == ACF_GROUP)
		return was != NULL ? was : GROUP;
	return type_of(
	    call, acf_key(p), value, was != NULL && strcmp(was, GROUP) == 0 ? NULL : was);
}

static bool
is_in_rows(const struct acf_part *p)
{
	while ((p = acf_within(p)) != NULL)
		if (acf_kind(p) == ACF_ROWS)
			return true;
	return false;
}

/* Counts the values of a custom field, {key: {value: number}}. Null: it is no select. */
static void
note_choice(json_t *choices, const char *key, const char *value)
{
	json_t *counts = json_object_get(choices, key);

	if (counts == NULL) {
		counts = json_object();
		(void)json_object_set_new(choices, key, counts);
	}
	if (json_is_object(counts) && !choices_note(counts, CHOICES_MAX, value))
		(void)json_object_set_new(choices, key, json_null());
}

static void
note(struct stet_call *call, const struct names *names, json_t *keys, json_t *choices,
    const struct acf *acf, const json_t *again, const struct wxr_meta *meta)
{
	const char *key = meta->key, *value = meta->value, *was;
	const struct acf_part *p = acf_part(acf, key);

	if (strlen(key) > KEY_MOST ||
	    ((suggest_internal_field(key) || is_taken(key)) && !names_chosen(names, key)) ||
	    (p != NULL ? is_in_rows(p) : is_part(key)) ||
	    (*value == '\0' && (p == NULL || acf_kind(p) != ACF_GROUP)))
		return;
	was = json_string_value(json_object_get(keys, key));
	if (p == NULL && json_object_get(again, key) != NULL)
		was = "json";
	if (was == NULL && json_object_size(keys) >= KEYS_MAX)
		return;
	note_choice(choices, key, value);
	(void)json_object_set_new(keys, key,
	    json_string(
		p != NULL ? type_of_part(call, p, value, was) : type_of(call, key, value, was)));
}

/* Notes hidden custom fields that may be of use, {hidden: {key: true}}. */
static void
note_hidden(const struct names *names, json_t *type, const struct wxr_item *item)
{
	json_t *hidden = json_object_get(type, "hidden");

	for (size_t i = 0; i < item->meta_count; i++) {
		const struct wxr_meta *meta = &item->meta[i];

		if (!suggest_internal_field(meta->key) || *meta->value == '\0' ||
		    suggest_bookkeeping(meta->key, meta->value) ||
		    wxr_meta_value(item, meta->key + 1) != NULL || names_chosen(names, meta->key) ||
		    json_object_size(hidden) >= KEYS_MAX)
			continue;
		if (hidden == NULL) {
			hidden = json_object();
			(void)json_object_set_new(type, "hidden", hidden);
		}
		(void)json_object_set_new(hidden, meta->key, json_true());
	}
}

void
custom_note(
    struct stet_call *call, const struct names *names, json_t *type, const struct wxr_item *item)
{
	json_t *was = json_object_get(type, "custom"), *keys = was != NULL ? was : json_object();
	json_t *choices = was != NULL ? json_object_get(type, "choices") : json_object();
	struct acf *acf = acf_read(item);
	json_t *again = again_read(item);

	for (size_t i = 0; i < item->meta_count; i++)
		note(call, names, keys, choices, acf, again, &item->meta[i]);
	acf_free(acf);
	json_decref(again);
	note_hidden(names, type, item);
	if (was != NULL)
		return;
	if (json_object_size(keys) > 0) {
		(void)json_object_set(type, "custom", keys);
		(void)json_object_set(type, "choices", choices);
	}
	json_decref(keys);
	json_decref(choices);
}

/* Is it a part of a group? */
static bool
is_in_group(struct stet_call *call, const json_t *keys, const char *key)
{
	char *name = stet_strdup(call, key), *end;

	while ((end = strrchr(name, '_')) != NULL) {
		const char *type;

		*end = '\0';
		type = json_string_value(json_object_get(keys, name));
		if (type != NULL && strcmp(type, GROUP) == 0)
			return true;
	}
	return false;
}

static bool
has(const json_t *fields, const char *slug)
{
	const json_t *field;
	size_t i;

	json_array_foreach(fields, i, field)
	{
		if (strcmp(json_string_value(json_object_get(field, "slug")), slug) == 0)
			return true;
	}
	return false;
}

/* Returns the definition of the field for a custom field, a new reference. */
static json_t *
definition(const char *slug, const char *key, const char *kind, const json_t *counts)
{
	bool select = strcmp(kind, "string") == 0 && choices_are(counts);
	json_t *field = json_pack("{ss ss ss sb}", "slug", slug, "label", key, "type",
	    strcmp(kind, GROUP) == 0 ? "json"
	    : select                 ? "select"
				     : kind,
	    "required", 0);

	if (select)
		(void)json_object_set_new(
		    field, "validation", json_pack("{so}", "options", choices_list(counts)));
	return field;
}

enum stet_status
custom_fields(struct stet_call *call, struct names *names, const char *collection, const char *name,
    const json_t *type, json_t *fields)
{
	const json_t *keys = json_object_get(type, "custom"), *is;
	const struct stet_collection *c;
	const char *key;

	STET_TRY(suggest_find(call, collection, &c));
	json_object_foreach((json_t *)(uintptr_t)keys, key, is)
	{
		const char *slug = names_field(call, names, name, key),
			   *kind = json_string_value(is);

		if (slug == NULL || is_taken(slug) || has(fields, slug) ||
		    is_in_group(call, keys, key) || (c != NULL && stet_field(c, slug) != NULL))
			continue;
		(void)json_array_append_new(
		    fields, definition(slug, key, kind,
				json_object_get(json_object_get(type, "choices"), key)));
	}
	return STET_OK;
}

enum stet_status
custom_hidden(struct stet_call *call, struct names *names, const char *collection, const char *name,
    const json_t *type, const char **out)
{
	const struct stet_collection *c;
	const char *key;
	json_t *any;

	*out = "";
	STET_TRY(suggest_find(call, collection, &c));
	json_object_foreach(json_object_get(type, "hidden"), key, any)
	{
		const char *slug = names_field(call, names, name, key + strspn(key, "_"));

		if (c == NULL || slug == NULL || stet_field(c, slug) == NULL)
			*out = stet_printf(call, "%s%s%s", *out, **out != '\0' ? ", " : "", key);
	}
	return STET_OK;
}
