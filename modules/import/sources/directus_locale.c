/*
 * directus_locale.c - translations of items of Directus. They are rows of a collection of their own
 * (posts_translations), which refer to the item and to a language, and have its texts in that
 * language. Each row becomes an item in its locale, with the other values of the item; all are
 * translations of each other.
 */
#include "read/text.h"
#include "sources/directus.h"
#include <string.h>
#include <strings.h>

#define ENDING "_translations"

const char *
directus_key(const struct directus *d, const char *type, const char *id)
{
	return stet_printf(d->all.source->call, "%s:%s", type, id);
}

void
directus_note(struct directus *d, const json_t *about, const char *name, const json_t *value)
{
	const char *key = directus_key(d, text_in(about, "collection"), text_in(about, "field"));
	json_t *field = json_object_get(d->fields, key);

	if (field == NULL) {
		field = json_object();
		(void)json_object_set_new(d->fields, key, field);
	}
	(void)json_object_set(field, name, (json_t *)(uintptr_t)value);
}

const char *
directus_id(const struct directus *d, const char *type, const json_t *object)
{
	const char *key = text_in(d->keys, type);

	return text_member(d->all.source->call, object, *key != '\0' ? key : "id");
}

/* ---- which collections ---- */

/* Is this the field with the translations of items? key: "COLLECTION:FIELD". */
static bool
is_field(const char *key, const json_t *field)
{
	const char *of = text_in(field, "of");
	size_t len = strcspn(key, ":");

	if (*of == '\0' || *text_in(field, "beside") == '\0' || *text_in(field, "from") == '\0')
		return false;
	return strcmp(text_in(field, "interface"), "translations") == 0 ||
	       (strncmp(of, key, len) == 0 && strcmp(of + len, ENDING) == 0);
}

/* Finds the field whose translations are items of this collection. *key: "COLLECTION:FIELD". */
static const json_t *
field_of(const struct directus *d, const char *type, const char **key)
{
	const char *name;
	json_t *field;

	json_object_foreach(d->fields, name, field)
	{
		if (is_field(name, field) && strcmp(text_in(field, "of"), type) == 0) {
			*key = name;
			return field;
		}
	}
	return NULL;
}

bool
directus_is_translations(const struct directus *d, const char *type)
{
	const char *key;

	return field_of(d, type, &key) != NULL;
}

bool
directus_is_languages(const struct directus *d, const char *type)
{
	const char *name;
	json_t *field;

	json_object_foreach(d->fields, name, field)
	{
		const char *row = directus_key(d, text_in(field, "of"), text_in(field, "beside"));

		if (is_field(name, field) &&
		    strcmp(text_in(json_object_get(d->fields, row), "to"), type) == 0)
			return true;
	}
	return false;
}

/* ---- rows ---- */

/* Notes what the snapshot would say, if the names are those that Directus gives. */
static void
know_by_names(struct directus *d, const char *type, const json_t *row)
{
	struct stet_call *call = d->all.source->call;
	size_t len = strlen(type), end = strlen(ENDING);
	const char *key, *from;
	json_t *about, *value;

	if (len <= end || strcmp(type + len - end, ENDING) != 0 || field_of(d, type, &key) != NULL)
		return;
	from = stet_printf(call, "%.*s_id", (int)(len - end), type);
	if (json_object_get(row, from) == NULL || json_object_get(row, "languages_code") == NULL)
		return;
	about = stet_json_own(
	    call, json_pack("{ss# ss}", "collection", type, len - end, "field", "translations"));
	value = stet_json_own(
	    call, json_pack("{ss ss ss}", "of", type, "from", from, "beside", "languages_code"));
	directus_note(d, about, "of", json_object_get(value, "of"));
	directus_note(d, about, "from", json_object_get(value, "from"));
	directus_note(d, about, "beside", json_object_get(value, "beside"));
	about = stet_json_own(call, json_pack("{ss ss ss}", "collection", type, "field",
					"languages_code", "to", "languages"));
	directus_note(d, about, "to", json_object_get(about, "to"));
	if (json_object_get(d->keys, "languages") == NULL)
		(void)json_object_set_new(d->keys, "languages", json_string("code"));
}

/* The id that a value is, or that of the item that it is. */
static const char *
id_at(const struct directus *d, const json_t *row, const char *name, const char *key)
{
	const json_t *value = json_object_get(row, name);

	return json_is_object(value) ? text_member(d->all.source->call, value, key)
				     : text_member(d->all.source->call, row, name);
}

/* Returns the key of the item that a row translates. */
static const char *
owner_of(const struct directus *d, const char *key, const json_t *field, const json_t *row)
{
	const char *type = stet_strndup(d->all.source->call, key, strcspn(key, ":"));
	const char *id = text_in(d->keys, type);

	return directus_key(
	    d, type, id_at(d, row, text_in(field, "from"), *id != '\0' ? id : "id"));
}

void
directus_know_rows(struct directus *d, const char *type, const json_t *list)
{
	const json_t *field, *row;
	const char *key = "";
	size_t i;

	know_by_names(d, type, json_array_get(list, 0));
	field = field_of(d, type, &key);
	if (field == NULL)
		return;
	json_array_foreach(list, i, row)
	{
		const char *owner = owner_of(d, key, field, row);

		if (json_object_get(d->translated, owner) == NULL &&
		    json_object_size(d->translated) < KNOWN_MAX)
			(void)json_object_set_new(d->translated, owner, json_array());
		(void)json_array_append(
		    json_object_get(d->translated, owner), (json_t *)(uintptr_t)row);
	}
}

const char *
directus_locale(const struct directus *d, const struct translated *t, const json_t *row)
{
	const char *about =
	    text_in(json_object_get(d->fields, directus_key(d, t->of, t->beside)), "to");
	const char *key = text_in(d->keys, about);

	return id_at(d, row, t->beside, *key != '\0' ? key : "code");
}

/* ---- those of an item ---- */

/* Has the language of the code that the site has first? */
static bool
is_first(const struct directus *d, const char *code)
{
	const char *locale = stet_locales(d->all.source->call)[0];
	size_t len = strcspn(locale, "-");

	return strncasecmp(locale, code, len) == 0 && strchr("-_", code[len]) != NULL;
}

static void
choose(const struct directus *d, const json_t *object, struct translated *t)
{
	bool own = *text_in(object, "title") != '\0' || *text_in(object, "name") != '\0';
	const json_t *row;
	size_t i;

	json_array_foreach(t->rows, i, row)
	{
		if (t->first == NULL && is_first(d, directus_locale(d, t, row)))
			t->first = row;
	}
	if (t->first == NULL && !own)
		t->first = json_array_get(t->rows, 0);
}

void
directus_translated(
    const struct directus *d, const char *type, const json_t *object, struct translated *t)
{
	json_t *field, *known, *row;
	const char *name;
	size_t i;

	*t = (struct translated){ "", "", "", "", NULL, 0, NULL };
	json_object_foreach(d->fields, name, field)
	{
		size_t len = strcspn(name, ":");

		if (is_field(name, field) && strncmp(name, type, len) == 0 && type[len] == '\0')
			*t = (struct translated){ name + len + 1, text_in(field, "of"),
				text_in(field, "from"), text_in(field, "beside"), NULL, 0, NULL };
	}
	if (*t->field == '\0')
		return;
	t->rows = stet_json_own(d->all.source->call, json_array());
	known = json_object_get(d->translated, directus_key(d, type, directus_id(d, type, object)));
	json_array_foreach(known != NULL ? known : json_object_get(object, t->field), i, row)
	{
		if (*directus_locale(d, t, row) != '\0')
			(void)json_array_append(t->rows, row);
	}
	if (json_array_size(json_object_get(object, t->field)) > json_array_size(t->rows))
		t->gone =
		    json_array_size(json_object_get(object, t->field)) - json_array_size(t->rows);
	choose(d, object, t);
}

enum stet_status
directus_tell_orphans(const struct directus *d, const char *type, const json_t *list)
{
	const json_t *field, *row;
	const char *key = "";
	size_t i;

	field = field_of(d, type, &key);
	json_array_foreach(list, i, row)
	{
		struct translated t = { "", type, "", text_in(field, "beside"), NULL, 0, NULL };

		if (documents_type(&d->all, owner_of(d, key, field, row)) == NULL)
			STET_TRY(source_left(d->all.source, type,
			    stet_printf(d->all.source->call, "%s, item %zu", type, i + 1),
			    "The item that it translates is not in the export"));
		else if (*directus_locale(d, &t, row) == '\0')
			STET_TRY(source_left(d->all.source, type,
			    stet_printf(d->all.source->call, "%s, item %zu", type, i + 1),
			    "Its language is not in the export"));
	}
	return STET_OK;
}
