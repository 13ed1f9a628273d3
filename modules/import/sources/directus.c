/*
 * directus.c - items of Directus, an array of JSON in a file for each collection. Beside them may
 * be a schema snapshot (JSON), which says what refers to what; directus_files.json, the items of
 * the files; directus_users.json, the authors; and the directory uploads. Option `type`: the
 * collection of a single file.
 *
 * A field for several items has the ids of rows of a junction collection, which name the items (or
 * files). Rows of a junction are items themselves, since they may have more values.
 */
#include "read/text.h"
#include "sources/documents.h"
#include <string.h>

#define ENDS " .json "
#define FILES "directus_files"
#define USERS "directus_users"
#define ASSETS "/assets/" /* in the address of a file, before its id */
#define ID_LEN 36 /* of the id of a file */

struct directus {
	struct documents all; /* by "COLLECTION:ID" */
	json_t *files; /* {id: item of the file} */
	json_t *place; /* {name: of the document that has them} */
	json_t *users; /* {id: account} */
	bool unknown; /* an account is not in the export, which has been told */
	/* {"COLLECTION:FIELD": {to: collection, interface}}. by: the member of an item that names
	 * the collection; of: the collection whose rows the field has; beside: the field of these
	 * rows that refers to the items of the field, unless the rows are the items. */
	json_t *fields;
	json_t *rows; /* {key: row of a junction} */
	/* Of the present item. */
	json_t *item;
	const char *type, *name; /* its collection and document */
};

/* An item of a collection. */
struct row {
	struct directus *all;
	const json_t *object;
	size_t number;
};

static const char *
key_of(const struct directus *d, const char *type, const char *id)
{
	return stet_printf(d->all.source->call, "%s:%s", type, id);
}

/* ---- the first pass ---- */

/* Notes a part of what the snapshot says about a field. */
static void
know_field(struct directus *d, const json_t *about, const char *name, const json_t *value)
{
	const char *key = key_of(d, text_in(about, "collection"), text_in(about, "field"));
	json_t *field = json_object_get(d->fields, key);

	if (field == NULL) {
		field = json_object();
		(void)json_object_set_new(d->fields, key, field);
	}
	(void)json_object_set(field, name, (json_t *)(uintptr_t)value);
}

/* Notes a relation, also for the field on its other side. */
static void
know_relation(struct directus *d, const json_t *relation)
{
	const json_t *meta = json_object_get(relation, "meta");
	const char *one = text_in(meta, "one_field");
	json_t *other;

	know_field(d, relation, "to", json_object_get(relation, "related_collection"));
	know_field(d, relation, "by", json_object_get(meta, "one_collection_field"));
	if (*one == '\0')
		return;
	other = stet_json_own(
	    d->all.source->call, json_pack("{ss ss}", "collection",
				     text_in(relation, "related_collection"), "field", one));
	know_field(d, other, "of", json_object_get(relation, "collection"));
	know_field(d, other, "beside", json_object_get(meta, "junction_field"));
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
	json_array_foreach(json_object_get(snapshot, "fields"), i, one) know_field(
	    d, one, "interface", json_object_get(json_object_get(one, "meta"), "interface"));
	return STET_OK;
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
	const char *id = text_member(d->all.source->call, object, "id");

	if (*id == '\0')
		return;
	if (strcmp(type, FILES) == 0 && json_object_size(d->files) < KNOWN_MAX)
		(void)json_object_set(d->files, id, (json_t *)(uintptr_t)object);
	else if (strcmp(type, USERS) == 0 && json_object_size(d->users) < KNOWN_MAX)
		(void)json_object_set(d->users, id, (json_t *)(uintptr_t)object);
	else if (strncmp(type, "directus_", 9) != 0)
		documents_know(&d->all, key_of(d, type, id), type);
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
	json_array_foreach(json_is_array(document) ? document : list, i, one)
	{
		const char *id = text_member(d->all.source->call, one, "id");

		know_item(d, type, one);
		if (junction && json_object_size(d->rows) < KNOWN_MAX)
			(void)json_object_set(
			    d->rows, key_of(d, type, id), (json_t *)(uintptr_t)one);
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
	json_t *ids = stet_json_own(d->all.source->call, json_pack("[s]", key_of(d, to, id)));

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
	/* Rows of translations are the texts, and not only what names their languages. */
	if (*beside == '\0' || strcmp(text_in(field, "interface"), "translations") == 0)
		return id;
	if (json_object_get(row, beside) == NULL)
		row = json_object_get(d->rows, key_of(d, of, id));
	about = json_object_get(d->fields, key_of(d, of, beside));
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
			(void)json_array_append_new(ids, json_string(key_of(d, to, id)));
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
	const json_t *field = json_object_get(d->fields, key_of(d, d->type, name));
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

static enum stet_status
put_values(struct directus *d, const json_t *object)
{
	static const char own[] = " id status date_created date_updated user_created user_updated "
				  "title slug ";
	const char *name, *title = text_in(object, "title");
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		if (strstr(own, stet_printf(d->all.source->call, " %s ", name)) == NULL &&
		    !json_is_null(value))
			STET_TRY(put_value(d, object, name, value));
	}
	if (*title == '\0')
		title = text_in(object, "name");
	(void)json_object_set_new(d->item, "title", json_string(title));
	(void)json_object_set(d->item, "slug", json_object_get(object, "slug"));
	(void)json_object_set(d->item, "created", json_object_get(object, "date_created"));
	(void)json_object_set(d->item, "updated", json_object_get(object, "date_updated"));
	return put_author(d, object);
}

/* ---- the second pass ---- */

static enum stet_status
put_row(struct stet_call *call, void *arg)
{
	const struct row *r = arg;
	struct directus *d = r->all;
	const char *id = text_member(call, r->object, "id"), *status = text_in(r->object, "status");

	if (*id == '\0')
		return source_notice(d->all.source,
		    stet_printf(call, "%s, item %zu", d->type, r->number + 1), true,
		    "It has no id");
	/* A collection without a status has no drafts. */
	d->item = document_new(call, key_of(d, d->type, id), d->type,
	    *status == '\0' || strcmp(status, "published") == 0);
	STET_TRY(put_values(d, r->object));
	return stet_source_put(d->all.source, STET_SOURCE_ITEM, json_incref(d->item));
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
		.place = stet_json_own(call, json_object()) };

	documents_begin(&d.all, source);
	STET_TRY(tree_objects(&silent, ENDS, know_snapshot, &d));
	STET_TRY(tree_objects(&silent, ENDS, know, &d));
	STET_TRY(tree_objects(source, ENDS, take, &d));
	return put_library(&d);
}
