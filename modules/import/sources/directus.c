/*
 * directus.c - items of Directus, an array of JSON in a file for each collection. Beside them may
 * be a schema snapshot (JSON), which says what refers to what; directus_files.json, the items of
 * the files; and the directory uploads. Option `type`: the collection of a single file.
 */
#include "read/text.h"
#include "sources/documents.h"
#include <string.h>

#define ENDS " .json "
#define FILES "directus_files"

struct directus {
	struct documents all; /* by "COLLECTION:ID" */
	json_t *files; /* {id: item of the file} */
	json_t *fields; /* {"COLLECTION:FIELD": {to: collection, interface}} */
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

static void
know_snapshot(struct directus *d, const json_t *snapshot)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(snapshot, "relations"), i, one)
	    know_field(d, one, "to", json_object_get(one, "related_collection"));
	json_array_foreach(json_object_get(snapshot, "fields"), i, one) know_field(
	    d, one, "interface", json_object_get(json_object_get(one, "meta"), "interface"));
}

static void
know_item(struct directus *d, const char *type, const json_t *object)
{
	const char *id = text_member(d->all.source->call, object, "id");

	if (*id == '\0')
		return;
	if (strcmp(type, FILES) != 0)
		documents_know(&d->all, key_of(d, type, id), type);
	else if (json_object_size(d->files) < KNOWN_MAX)
		(void)json_object_set(d->files, id, (json_t *)(uintptr_t)object);
}

static enum stet_status
know(void *arg, const char *name, const json_t *document)
{
	struct directus *d = arg;
	const json_t *list = json_object_get(document, "data"), *one;
	size_t i;

	if (json_is_array(json_object_get(document, "relations")))
		know_snapshot(d, document);
	json_array_foreach(json_is_array(document) ? document : list, i, one)
	    know_item(d, documents_collection(d->all.source, name), one);
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

static enum stet_status
put_file(struct directus *d, const char *name, const char *id)
{
	const json_t *file = json_object_get(d->files, id);
	const char *disk = text_in(file, "filename_disk"), *about = text_in(file, "description");
	struct stet_call *call = d->all.source->call;
	const char *url;

	if (*disk == '\0')
		return lacks(d, name, "Its file is not in the export");
	url = document_file(call, d->name, stet_printf(call, "uploads/%s", disk));
	document_typed(d->item, name,
	    strncmp(text_in(file, "type"), "image/", 6) == 0 ? "image" : "file",
	    document_asset(url, about));
	return document_put_file(d->all.source, url, text_in(file, "title"), about);
}

static enum stet_status
put_reference(const struct directus *d, const char *name, const char *to, const char *id)
{
	json_t *ids = stet_json_own(d->all.source->call, json_pack("[s]", key_of(d, to, id)));

	return document_references(&d->all, d->item, name, ids, false);
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

	if (strcmp(interface, "input-rich-text-html") == 0)
		document_html(d->all.source->call, d->item, name, text);
	else if (strcmp(interface, "input-rich-text-md") == 0 && is_main(name))
		(void)json_object_set(d->item, "markdown", (json_t *)(uintptr_t)value);
	else
		document_value(d->item, name, value);
	return strncmp(interface, "input-rich-text", 15) == 0 && strstr(text, "/assets/") != NULL
		   ? lacks(d, name, "Addresses of files inside its text are those of the source")
		   : STET_OK;
}

static enum stet_status
put_value(struct directus *d, const json_t *object, const char *name, const json_t *value)
{
	const json_t *field = json_object_get(d->fields, key_of(d, d->type, name));
	const char *to = text_in(field, "to"), *id = text_member(d->all.source->call, object, name);

	if (*id != '\0' && (strcmp(to, FILES) == 0 || json_object_get(d->files, id) != NULL))
		return put_file(d, name, id);
	if (*id != '\0' && *to != '\0' && strncmp(to, "directus_", 9) != 0)
		return put_reference(d, name, to, id);
	if (json_is_string(value))
		return put_text(d, name, text_in(field, "interface"), value);
	document_value(d->item, name, value);
	return STET_OK;
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
	return STET_OK;
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
	if (!json_is_array(list) || strncmp(d->type, "directus_", 9) == 0)
		return STET_OK;
	if (*d->type == '\0')
		return stet_fail(d->all.source->call, STET_VALIDATION_ERROR, "file",
		    "The collection of a single file is not known: set the option type");
	for (; row.number < json_array_size(list); row.number++) {
		row.object = json_array_get(list, row.number);
		STET_TRY(stet_scope(d->all.source->call, put_row, &row));
	}
	return STET_OK;
}

enum stet_status
directus_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct directus d = { .files = stet_json_own(call, json_object()),
		.fields = stet_json_own(call, json_object()) };

	documents_begin(&d.all, source);
	STET_TRY(tree_objects(&silent, ENDS, know, &d));
	return tree_objects(source, ENDS, take, &d);
}
