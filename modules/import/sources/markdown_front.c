/*
 * markdown_front.c - the front matter of a document. Its members are known by the names that Hugo,
 * Jekyll and Astro give them; all others are values of fields.
 */
#include "sources/markdown.h"
#include <string.h>
#include <strings.h>

static void
put_picture(struct document *d, const json_t *value)
{
	static const char *const members[] = { "src", "url", "image", "path", "filename" };
	const char *url = json_string_value(value), *alt, *address;

	for (size_t i = 0; url == NULL && i < sizeof(members) / sizeof(members[0]); i++)
		url = json_string_value(json_object_get(value, members[i]));
	alt = json_string_value(json_object_get(value, "alt"));
	if (url == NULL || *url == '\0')
		return;
	address = site_file(d->site, d->call, d->name, url);
	(void)json_object_set_new(d->item, "picture",
	    json_pack(
		"{ss ss}", "url", address != NULL ? address : url, "alt", alt != NULL ? alt : ""));
}

json_t *
document_names(const json_t *value)
{
	json_t *out = json_array(), *one;
	size_t i;

	if (json_is_string(value))
		(void)json_array_append(out, (json_t *)(uintptr_t)value);
	json_array_foreach(value, i, one)
	{
		json_t *name = json_is_object(one) ? json_object_get(one, "name") : one;

		if (json_is_string(name))
			(void)json_array_append(out, name);
		else if (json_is_integer(name))
			(void)json_array_append_new(
			    out, json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(name)));
	}
	if (json_is_object(value) && json_is_string(json_object_get(value, "name")))
		(void)json_array_append(out, json_object_get(value, "name"));
	return out;
}

/* Returns the member for a name of front matter; NULL: it is none of these. */
static const char *
member_of(const char *key)
{
	static const char *const names[][2] = { { "title", "title" }, { "date", "published" },
		{ "pubdate", "published" }, { "publishdate", "published" },
		{ "published_at", "published" }, { "created", "created" }, { "lastmod", "updated" },
		{ "updated", "updated" }, { "updateddate", "updated" }, { "modified", "updated" },
		{ "last_modified_at", "updated" }, { "slug", "slug" }, { "permalink", "link" },
		{ "url", "link" }, { "description", "excerpt" }, { "summary", "excerpt" },
		{ "excerpt", "excerpt" }, { "lang", "locale" }, { "language", "locale" },
		{ "locale", "locale" }, { "translationkey", "group" }, { "type", "type" },
		{ "parent", "parent" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(names[i][0], key) == 0)
			return names[i][1];
	return NULL;
}

/* Keeps a member as the value of a field with its own name. */
static void
put_value(struct document *d, const char *key, json_t *value)
{
	if (!json_is_null(value))
		(void)json_object_set(d->fields, key, value);
}

/* Returns a text, number or boolean as a text; NULL: it is something else. */
static const char *
as_text(struct stet_call *call, const json_t *value)
{
	if (json_is_string(value))
		return json_string_value(value);
	if (json_is_boolean(value))
		return json_is_true(value) ? "true" : "false";
	if (json_is_integer(value))
		return stet_printf(call, "%lld", (long long)json_integer_value(value));
	return json_is_real(value) ? stet_printf(call, "%.15g", json_real_value(value)) : NULL;
}

/* Replaces what the path has given. Of several names for one member, the first counts, and the
 * others are values. */
static void
put_text(struct document *d, const char *key, const char *member, json_t *value)
{
	const char *text = as_text(d->call, value);

	if (text != NULL && *text == '\0')
		return;
	if (text == NULL || json_object_get(d->taken, member) != NULL) {
		put_value(d, key, value);
		return;
	}
	(void)json_object_set_new(d->taken, member, json_true());
	if (strcmp(member, "slug") == 0)
		d->slug = text;
	else if (strcmp(member, "link") == 0)
		d->link = text;
	else if (strcmp(member, "type") != 0 || strcmp(text, "posts") != 0)
		document_set(d->item, member, text);
	d->speaks |= strcmp(member, "locale") == 0;
}

static bool
is_yes(const json_t *value)
{
	return json_is_true(value) ||
	       (json_is_string(value) &&
		   document_is_one(json_string_value(value), " true yes on "));
}

static bool
is_no(const json_t *value)
{
	return json_is_false(value) ||
	       (json_is_string(value) &&
		   document_is_one(json_string_value(value), " false no off "));
}

/* `published` is a state, or a date. */
static void
put_state(struct document *d, const char *key, json_t *value)
{
	bool draft = document_is_one(key, " draft ");

	if (draft ? is_yes(value) : is_no(value))
		document_set(d->item, "status", "draft");
	else if (!draft && json_is_string(value) && !is_yes(value))
		put_text(d, key, "published", value);
}

/* Adds the names of terms. */
static void
put_terms(struct document *d, const char *taxonomy, const json_t *value)
{
	json_t *names = document_names(value), *all = json_object_get(d->terms, taxonomy);

	if (all != NULL)
		(void)json_array_extend(all, names);
	else
		(void)json_object_set(d->terms, taxonomy, names);
	json_decref(names);
}

static void
put_member(struct document *d, const char *key, json_t *value)
{
	const char *member = member_of(key);

	if (member != NULL)
		put_text(d, key, member, value);
	else if (document_is_one(key, " draft published "))
		put_state(d, key, value);
	else if (document_is_one(key, " tags tag keywords "))
		put_terms(d, "tag", value);
	else if (document_is_one(key, " categories category "))
		put_terms(d, "category", value);
	else if (document_is_one(key, " author authors "))
		(void)json_object_set_new(d->item, "authors", document_names(value));
	else if (document_is_one(key, DOCUMENT_ALIASES DOCUMENT_MENUS))
		return; /* markdown_address.c, markdown_menu.c */
	else if (document_is_one(key, " image cover featured_image heroimage thumbnail banner ") &&
		 json_object_get(d->item, "picture") == NULL)
		put_picture(d, value);
	else if (!document_is_one(key, " layout "))
		put_value(d, key, value);
}

void
document_take_front(struct document *d)
{
	const char *key;
	json_t *value;

	d->taken = stet_json_own(d->call, json_object());
	json_object_foreach((json_t *)(uintptr_t)d->front, key, value) put_member(d, key, value);
}
