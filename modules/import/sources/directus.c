/*
 * directus.c - items of Directus, an array of JSON in a file for each collection. Beside them may
 * be a schema snapshot (JSON or YAML), which says what refers to what; directus_files.json, the
 * items of the files; directus_users.json, the authors; and the directory uploads. Option `type`:
 * the collection of a single file.
 *
 * A field for several items has the ids of rows of a junction collection, which name the items (or
 * files). Rows of a junction are items themselves, since they may have more values.
 */
#include "sources/directus.h"
#include "read/text.h"
#include <string.h>

#define ENDS " .json "
#define FILES "directus_files"
#define USERS "directus_users"
#define ASSETS "/assets/" /* in the address of a file, before its id */
#define ID_LEN 36 /* of the id of a file */

/* An item of a collection. */
struct row {
	struct directus *all;
	const json_t *object;
	size_t number;
};

/* ---- the first pass ---- */

/* Notes a relation, also for the field on its other side. */
static void
know_relation(struct directus *d, const json_t *relation)
{
	const json_t *meta = json_object_get(relation, "meta");
	const char *one = text_in(meta, "one_field");
	json_t *other;

	directus_note(d, relation, "to", json_object_get(relation, "related_collection"));
	directus_note(d, relation, "by", json_object_get(meta, "one_collection_field"));
	if (*one == '\0')
		return;
	other = stet_json_own(
	    d->all.source->call, json_pack("{ss ss}", "collection",
				     text_in(relation, "related_collection"), "field", one));
	directus_note(d, other, "of", json_object_get(relation, "collection"));
	directus_note(d, other, "beside", json_object_get(meta, "junction_field"));
	directus_note(d, other, "from", json_object_get(relation, "field"));
}

static void
know_field(struct directus *d, const json_t *field)
{
	directus_note(
	    d, field, "interface", json_object_get(json_object_get(field, "meta"), "interface"));
	if (json_is_true(json_object_get(json_object_get(field, "schema"), "is_primary_key")))
		(void)json_object_set(
		    d->keys, text_in(field, "collection"), json_object_get(field, "field"));
}

static enum stet_status
know_snapshot(void *arg, const char *name, const json_t *document)
{
	struct directus *d = arg;
	/* The API answers {data: snapshot}, a command writes the snapshot. */
	const json_t *data = json_object_get(document, "data"),
		     *snapshot = json_is_object(data) ? data : document, *one;
	size_t i;

	(void)name;
	json_array_foreach(json_object_get(snapshot, "relations"), i, one) know_relation(d, one);
	json_array_foreach(json_object_get(snapshot, "fields"), i, one) know_field(d, one);
	return STET_OK;
}

/* Reads a snapshot as the command of Directus writes it, unless it is asked for JSON. */
static enum stet_status
know_yaml(void *arg, const char *name, const char *text, size_t len)
{
	struct directus *d = arg;
	const char *why;
	const json_t *document = front_file(d->all.source->call, name, text, len, &why);

	if (why != NULL)
		return source_notice(d->all.source, name, true,
		    stet_printf(d->all.source->call,
			"%s. What refers to what is not known without the snapshot: write it as "
			"JSON (--format json)",
			why));
	if (!json_is_array(json_object_get(document, "fields")))
		return source_notice(d->all.source, name, true, "It is no snapshot of a schema");
	return know_snapshot(arg, name, document);
}

/* Is the collection a junction: does one of its fields belong to one of another collection? */
static bool
is_junction(const struct directus *d, const char *type)
{
	const char *name;
	json_t *field;

	json_object_foreach(d->fields, name, field)
	{
		if (json_is_string(json_object_get(field, "beside")) &&
		    strcmp(text_in(field, "of"), type) == 0)
			return true;
	}
	return false;
}

static void
know_item(struct directus *d, const char *type, const json_t *object)
{
	const char *id = directus_id(d, type, object);

	if (*id == '\0')
		return;
	if (strcmp(type, FILES) == 0 && json_object_size(d->files) < KNOWN_MAX)
		(void)json_object_set(d->files, id, (json_t *)(uintptr_t)object);
	else if (strcmp(type, USERS) == 0 && json_object_size(d->users) < KNOWN_MAX)
		(void)json_object_set(d->users, id, (json_t *)(uintptr_t)object);
	else if (strncmp(type, "directus_", 9) != 0)
		documents_know(&d->all, directus_key(d, type, id), type);
}

static enum stet_status
know(void *arg, const char *name, const json_t *document)
{
	struct directus *d = arg;
	const json_t *list = json_object_get(document, "data"), *one;
	const char *type = documents_collection(d->all.source, name);
	bool junction = is_junction(d, type);
	size_t i;

	if (strcmp(type, FILES) == 0)
		(void)json_object_set_new(d->place, "name", json_string(name));
	directus_know_rows(d, type, json_is_array(document) ? document : list);
	json_array_foreach(json_is_array(document) ? document : list, i, one)
	{
		const char *id = directus_id(d, type, one);

		know_item(d, type, one);
		if (junction && json_object_size(d->rows) < KNOWN_MAX)
			(void)json_object_set(
			    d->rows, directus_key(d, type, id), (json_t *)(uintptr_t)one);
	}
	return STET_OK;
}

/* ---- values ---- */

static enum stet_status
lacks(const struct directus *d, const char *name, const char *text)
{
	return source_notice(d->all.source,
	    stet_printf(d->all.source->call, "%.100s, %.100s", text_in(d->item, "id"), name), true,
	    text);
}

/* The address of a file; NULL: it is not in the export. */
static const char *
file_url(const struct directus *d, const char *id)
{
	const char *disk = text_in(json_object_get(d->files, id), "filename_disk");
	struct stet_call *call = d->all.source->call;

	return *disk != '\0' ? document_file(call, text_in(d->place, "name"),
				   stet_printf(call, "uploads/%s", disk))
			     : NULL;
}

static enum stet_status
hand_on(const struct directus *d, const char *id)
{
	const json_t *file = json_object_get(d->files, id);

	return documents_file(
	    &d->all, file_url(d, id), text_in(file, "title"), text_in(file, "description"));
}

static enum stet_status
put_file(struct directus *d, const char *name, const char *id)
{
	const json_t *file = json_object_get(d->files, id);
	const char *url = file_url(d, id);

	if (url == NULL)
		return lacks(d, name, "Its file is not in the export");
	document_typed(d->item, name,
	    strncmp(text_in(file, "type"), "image/", 6) == 0 ? "image" : "file",
	    document_asset(url, text_in(file, "description")));
	return hand_on(d, id);
}

static enum stet_status
put_reference(const struct directus *d, const char *name, const char *to, const char *id)
{
	json_t *ids = stet_json_own(d->all.source->call, json_pack("[s]", directus_key(d, to, id)));

	return document_references(&d->all, d->item, name, ids, false);
}

/* ---- fields for several items ---- */

/* The id that a value is, or that of the item that it is. */
static const char *
id_of(struct stet_call *call, const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_object(value) ? text_member(call, value, "id")
				     : text_member(call, object, name);
}

/* What one element of such a field refers to: a row of the collection `of` (its id, or itself), or
 * what that row refers to. *to: the collection; "": it is not known. */
static const char *
target_of(const struct directus *d, const json_t *field, const json_t *one, const char **to)
{
	struct stet_call *call = d->all.source->call;
	const char *of = text_in(field, "of"), *beside = text_in(field, "beside"), *id;
	const json_t *holder = stet_json_own(call, json_pack("{sO}", "id", one)), *row = one,
		     *about;

	id = id_of(call, holder, "id");
	*to = of;
	if (*beside == '\0')
		return id;
	if (json_object_get(row, beside) == NULL)
		row = json_object_get(d->rows, directus_key(d, of, id));
	about = json_object_get(d->fields, directus_key(d, of, beside));
	*to = *text_in(about, "by") != '\0' ? text_in(row, text_in(about, "by"))
					    : text_in(about, "to");
	return id_of(call, row, beside);
}

/* Sets the files or the items of a field that has rows of another collection. */
static enum stet_status
put_many(struct directus *d, const char *name, const json_t *field, const json_t *value)
{
	struct stet_call *call = d->all.source->call;
	json_t *ids = stet_json_own(call, json_array()), *files = stet_json_own(call, json_array());
	const json_t *one;
	const char *id, *to;
	size_t i, gone = 0;

	json_array_foreach(value, i, one)
	{
		id = target_of(d, field, one, &to);
		if (strcmp(to, FILES) == 0 && file_url(d, id) != NULL) {
			(void)json_array_append_new(
			    files, document_asset(file_url(d, id),
				       text_in(json_object_get(d->files, id), "description")));
			STET_TRY(hand_on(d, id));
		} else if (*id != '\0' && *to != '\0' && strcmp(to, FILES) != 0)
			(void)json_array_append_new(ids, json_string(directus_key(d, to, id)));
		else
			gone++;
	}
	if (gone > 0)
		STET_TRY(lacks(d, name, "Some of what it has is not in the export"));
	if (json_array_size(files) > 0)
		document_value(d->item, name, files);
	return json_array_size(ids) > 0 ? document_references(&d->all, d->item, name, ids, true)
					: STET_OK;
}

/* ---- texts ---- */

/* Returns where the address ends that has this id of a file. */
static const char *
address_end(const char *id)
{
	return id + ID_LEN + strcspn(id + ID_LEN, " \t\r\n\"'()<>");
}

/* Returns a text in which addresses of files (/assets/ID, also of a host) are those of the export.
 * *unknown: it has others. */
static enum stet_status
with_files(struct directus *d, const char *text, const char **out, bool *unknown)
{
	struct stet_call *call = d->all.source->call;
	const char *at, *id, *begin;

	*out = "";
	*unknown = false;
	while ((at = strstr(text, ASSETS)) != NULL) {
		id = strlen(at + strlen(ASSETS)) >= ID_LEN
			 ? stet_strndup(call, at + strlen(ASSETS), ID_LEN)
			 : "";
		for (begin = at; begin > text && strchr(" \t\r\n\"'()<>", begin[-1]) == NULL;)
			begin--;
		if (file_url(d, id) == NULL) {
			*unknown = true;
			begin = at + strlen(ASSETS);
			*out = stet_printf(call, "%s%.*s", *out, (int)(begin - text), text);
			text = begin;
			continue;
		}
		*out =
		    stet_printf(call, "%s%.*s%s", *out, (int)(begin - text), text, file_url(d, id));
		text = address_end(at + strlen(ASSETS));
		STET_TRY(hand_on(d, id));
	}
	*out = stet_printf(call, "%s%s", *out, text);
	return STET_OK;
}

static bool
is_main(const char *name)
{
	return strcmp(name, "content") == 0 || strcmp(name, "body") == 0;
}

/* A text of HTML or Markdown, as its control in Directus says. */
static enum stet_status
put_text(struct directus *d, const char *name, const char *interface, const json_t *value)
{
	const char *text = json_string_value(value);
	bool unknown;

	if (strncmp(interface, "input-rich-text", 15) != 0) {
		document_value(d->item, name, value);
		return STET_OK;
	}
	STET_TRY(with_files(d, text, &text, &unknown));
	if (strcmp(interface, "input-rich-text-html") == 0)
		document_html(d->all.source->call, d->item, name, text);
	else if (is_main(name))
		(void)json_object_set_new(d->item, "markdown", json_string(text));
	else
		document_value(
		    d->item, name, stet_json_own(d->all.source->call, json_string(text)));
	return unknown
		   ? lacks(d, name, "Addresses of files inside its text are those of the source")
		   : STET_OK;
}

static enum stet_status
put_value(struct directus *d, const json_t *object, const char *name, const json_t *value)
{
	const json_t *field = json_object_get(d->fields, directus_key(d, d->type, name));
	const char *to = text_in(field, "to"), *id = id_of(d->all.source->call, object, name);

	if (json_is_array(value) && json_array_size(value) > 0 && *text_in(field, "of") != '\0')
		return put_many(d, name, field, value);
	if (*text_in(field, "by") != '\0')
		to = text_in(object, text_in(field, "by"));
	if (*id != '\0' && (strcmp(to, FILES) == 0 || json_object_get(d->files, id) != NULL))
		return put_file(d, name, id);
	if (*id != '\0' && *to != '\0' && strncmp(to, "directus_", 9) != 0)
		return put_reference(d, name, to, id);
	if (json_is_string(value))
		return put_text(d, name, text_in(field, "interface"), value);
	document_value(d->item, name, value);
	return STET_OK;
}

/* Makes the account that made the item its author. */
static enum stet_status
put_author(struct directus *d, const json_t *object)
{
	struct stet_call *call = d->all.source->call;
	const json_t *made = json_object_get(object, "user_created"), *user;
	const char *id = id_of(call, object, "user_created"), *name, *email;

	user = json_is_object(made) ? made : json_object_get(d->users, id);
	name = stet_printf(call, "%s %s", text_in(user, "first_name"), text_in(user, "last_name"));
	name += strspn(name, " ");
	email = text_in(user, "email");
	/* The part before the domain: addresses are not for the public. */
	if (name[strspn(name, " ")] == '\0')
		name = stet_strndup(call, email, strcspn(email, "@"));
	if (*name != '\0')
		return document_author(d->all.source, d->item, name, email);
	if (*id == '\0' || d->unknown)
		return STET_OK;
	d->unknown = true;
	return source_notice(d->all.source, USERS, false,
	    "Items have no authors, since these accounts are not in the export");
}

/* Returns true for members that are values, in an item and in a row that translates it. */
static bool
is_value(const struct directus *d, const char *name, const json_t *value)
{
	static const char own[] = " id status date_created date_updated user_created user_updated "
				  "title slug ";

	return strstr(own, stet_printf(d->all.source->call, " %s ", name)) == NULL &&
	       !json_is_null(value);
}

/* Sets the values of a row of a translation: their fields are those of its collection. */
static enum stet_status
put_translated(struct directus *d, const struct translated *t, const json_t *row)
{
	const char *type = d->type, *name;
	enum stet_status status = STET_OK;
	json_t *value;

	d->type = t->of;
	json_object_foreach((json_t *)(uintptr_t)row, name, value)
	{
		if (status == STET_OK && is_value(d, name, value) && strcmp(name, t->from) != 0 &&
		    strcmp(name, t->beside) != 0)
			status = put_value(d, row, name, value);
	}
	d->type = type;
	return status;
}

/* Returns a text of the row, or else of the item itself. */
static const char *
text_of(const json_t *object, const json_t *row, const char *name)
{
	return *text_in(row, name) != '\0' ? text_in(row, name) : text_in(object, name);
}

/* row: what translates the item, or NULL. */
static enum stet_status
put_values(struct directus *d, const json_t *object, const struct translated *t, const json_t *row)
{
	const char *name, *title = text_of(object, row, "title"),
			  *slug = text_of(object, row, "slug");
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		const json_t *instead = json_object_get(row, name);

		if (is_value(d, name, value) && strcmp(name, t->field) != 0 &&
		    (instead == NULL || json_is_null(instead)))
			STET_TRY(put_value(d, object, name, value));
	}
	if (row != NULL)
		STET_TRY(put_translated(d, t, row));
	if (*title == '\0')
		title = text_of(object, row, "name");
	(void)json_object_set_new(d->item, "title", json_string(title));
	if (*slug != '\0')
		(void)json_object_set_new(d->item, "slug", json_string(slug));
	(void)json_object_set(d->item, "created", json_object_get(object, "date_created"));
	(void)json_object_set(d->item, "updated", json_object_get(object, "date_updated"));
	return put_author(d, object);
}

/* ---- the second pass ---- */

/* Puts the item, or what a row makes of it in one locale. id: its key, if it is the first one. */
static enum stet_status
put_item(const struct row *r, const struct translated *t, const json_t *row, const char *id)
{
	struct directus *d = r->all;
	const char *status = text_in(r->object, "status"), *of = text_in(row, "status");
	const char *key = directus_key(d, d->type, directus_id(d, d->type, r->object));

	/* A collection without a status has no drafts. */
	d->item = document_new(d->all.source->call, id, d->type,
	    (*status == '\0' || strcmp(status, "published") == 0) &&
		(*of == '\0' || strcmp(of, "published") == 0));
	if (row != NULL)
		(void)json_object_set_new(
		    d->item, "locale", json_string(directus_locale(d, t, row)));
	if (json_array_size(t->rows) > 0)
		(void)json_object_set_new(d->item, "group", json_string(key));
	STET_TRY(put_values(d, r->object, t, row));
	return stet_source_put(d->all.source, STET_SOURCE_ITEM, json_incref(d->item));
}

static enum stet_status
put_row(struct stet_call *call, void *arg)
{
	const struct row *r = arg;
	struct directus *d = r->all;
	const char *id = directus_id(d, d->type, r->object), *key;
	struct translated t;
	const json_t *row;
	size_t i;

	if (*id == '\0')
		return source_left(d->all.source, d->type,
		    stet_printf(call, "%s, item %zu", d->type, r->number + 1), "It has no id");
	key = directus_key(d, d->type, id);
	directus_translated(d, d->type, r->object, &t);
	if (t.first == NULL)
		STET_TRY(put_item(r, &t, NULL, key));
	else
		STET_TRY(put_item(r, &t, t.first, key));
	json_array_foreach(t.rows, i, row)
	{
		if (row != t.first)
			STET_TRY(put_item(
			    r, &t, row, directus_key(d, key, directus_locale(d, &t, row))));
	}
	return t.gone > 0 ? source_notice(d->all.source, stet_printf(call, "%s, %s", key, t.field),
				true, "Some of its translations are not in the export")
			  : STET_OK;
}

static enum stet_status
take(void *arg, const char *name, const json_t *document)
{
	struct directus *d = arg;
	const json_t *list = json_is_array(document) ? document : json_object_get(document, "data");
	struct row row = { .all = d };

	d->name = name;
	d->type = documents_collection(d->all.source, name);
	if (!json_is_array(list) || strcmp(d->type, FILES) == 0 || strcmp(d->type, USERS) == 0)
		return STET_OK;
	if (strncmp(d->type, "directus_", 9) == 0)
		return source_notice(d->all.source, d->type, false,
		    stet_printf(d->all.source->call, "%zu items of the system are left out",
			json_array_size(list)));
	if (directus_is_languages(d, d->type))
		return source_notice(d->all.source, d->type, false,
		    stet_printf(d->all.source->call,
			"%zu languages are left out: stet.conf lists those of the site",
			json_array_size(list)));
	if (directus_is_translations(d, d->type))
		return directus_tell_orphans(d, d->type, list);
	if (*d->type == '\0')
		return stet_fail(d->all.source->call, STET_VALIDATION_ERROR, "file",
		    "The collection of a single file is not known: set the option type");
	for (; row.number < json_array_size(list); row.number++) {
		row.object = json_array_get(list, row.number);
		STET_TRY(stet_scope(d->all.source->call, put_row, &row));
	}
	return STET_OK;
}

/* Hands on the files of the export, also those that no item shows. */
static enum stet_status
put_library(const struct directus *d)
{
	const char *id;
	json_t *file;

	json_object_foreach(d->files, id, file)
	{
		STET_TRY(file_url(d, id) != NULL
			     ? hand_on(d, id)
			     : source_notice(d->all.source, id, true, "The file has no name"));
	}
	return STET_OK;
}

enum stet_status
directus_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct directus d = { .files = stet_json_own(call, json_object()),
		.fields = stet_json_own(call, json_object()),
		.users = stet_json_own(call, json_object()),
		.rows = stet_json_own(call, json_object()),
		.keys = stet_json_own(call, json_object()),
		.translated = stet_json_own(call, json_object()),
		.place = stet_json_own(call, json_object()) };

	documents_begin(&d.all, source);
	STET_TRY(tree_objects(&silent, ENDS, know_snapshot, &d));
	STET_TRY(tree_some(source, " .yaml .yml ", NULL, know_yaml, &d));
	STET_TRY(tree_objects(&silent, ENDS, know, &d));
	STET_TRY(tree_objects(source, ENDS, take, &d));
	return put_library(&d);
}
