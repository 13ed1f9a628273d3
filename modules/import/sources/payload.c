/*
 * payload.c - documents of Payload as lines of JSON, a file for each collection (also as
 * mongoexport writes them), beside the directories of its files. Option `type`: the collection of a
 * single file.
 *
 * Documents do not say which values are references: a text that is the id of a document is one.
 */
#include "read/text.h"
#include "sources/documents.h"
#include "sources/rich.h"
#include <string.h>

#define ENDS " .jsonl .ndjson "
#define DEPTH_MAX 40 /* levels of a value */
#define ID_LEAST 12 /* bytes of an id that is recognized in a value */

struct payload {
	struct documents all;
	json_t *files; /* {id: {url, alt, type}} */
	/* Of the present document. */
	json_t *item;
};

/* The id of a document, or of a value that refers to one: alone, {relationTo, value}, or the whole
 * document. mongoexport has {"$oid": id}. */
static const char *
id_of(struct stet_call *call, const json_t *value)
{
	static const char *const names[] = { "$oid", "value", "id", "_id" };
	const json_t *one = value;

	for (int depth = 0; depth < 4 && json_is_object(one); depth++) {
		const json_t *inner = NULL;

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && inner == NULL; i++)
			inner = json_object_get(one, names[i]);
		one = inner;
	}
	if (json_is_integer(one))
		return stet_printf(call, "%lld", (long long)json_integer_value(one));
	return json_is_string(one) ? json_string_value(one) : "";
}

/* A time, which mongoexport writes as {"$date": time}. */
static void
put_time(json_t *item, const char *name, const json_t *value)
{
	if (json_is_object(value))
		value = json_object_get(value, "$date");
	if (json_is_string(value))
		(void)json_object_set(item, name, (json_t *)(uintptr_t)value);
}

static bool
is_file(const json_t *object)
{
	return *text_in(object, "filename") != '\0' && *text_in(object, "mimeType") != '\0';
}

/* Ids are unique in their collection only, so short ones are no names of documents. */
static const char *
known(const struct payload *p, const json_t *value)
{
	const char *id = id_of(p->all.source->call, value);

	return strlen(id) >= ID_LEAST && documents_type(&p->all, id) != NULL ? id : NULL;
}

/* ---- the first pass ---- */

static enum stet_status
know(void *arg, const struct line_read *line)
{
	struct payload *p = arg;
	struct stet_source *source = p->all.source;
	const char *id = id_of(source->call, line->object);
	const char *type = documents_collection(source, line->name);

	if (!is_file(line->object)) {
		documents_know(&p->all, id, type);
		return STET_OK;
	}
	if (json_object_size(p->files) < KNOWN_MAX)
		(void)json_object_set_new(p->files, id,
		    json_pack("{ss ss ss}", "url",
			document_file(source->call, line->name,
			    stet_printf(
				source->call, "%s/%s", type, text_in(line->object, "filename"))),
			"alt", text_in(line->object, "alt"), "type",
			text_in(line->object, "mimeType")));
	return STET_OK;
}

/* ---- values ---- */

static const char *
file_url(void *arg, const char *id, const char **alt)
{
	const struct payload *p = arg;
	const json_t *file = json_object_get(p->files, id);

	*alt = text_in(file, "alt");
	return json_string_value(json_object_get(file, "url"));
}

/* The address of the document to which a link of a text leads. A link names its collection. */
static const char *
document_url(void *arg, const json_t *target)
{
	const struct payload *p = arg;
	struct stet_call *call = p->all.source->call;
	const char *id = id_of(call, target), *type = documents_type(&p->all, id);

	return type != NULL && (known(p, target) != NULL ||
				   strcmp(type, text_in(target, "relationTo")) == 0)
		   ? document_item(call, id)
		   : NULL;
}

static enum stet_status
put_text(struct payload *p, const char *name, const json_t *value)
{
	struct stet_call *call = p->all.source->call;
	struct rich rich = { .asset = file_url, .item = document_url, .arg = p };

	document_html(call, p->item, name, rich_html(call, value, &rich));
	return rich.left == 0
		   ? STET_OK
		   : source_notice(p->all.source,
			 stet_printf(call, "%.100s, %.100s", text_in(p->item, "id"), name), false,
			 stet_printf(
			     call, "%d blocks or links inside the text are left out", rich.left));
}

/* Puts a value that is a reference, or a list of them; *done: it is one. */
static enum stet_status
put_reference(const struct payload *p, const char *name, const json_t *value, bool *done)
{
	json_t *ids = stet_json_own(p->all.source->call, json_array());
	bool many = json_is_array(value);
	const json_t *one;
	size_t i;

	if (!many && known(p, value) != NULL)
		(void)json_array_append_new(ids, json_string(known(p, value)));
	json_array_foreach(value, i, one)
	{
		if (known(p, one) != NULL)
			(void)json_array_append_new(ids, json_string(known(p, one)));
	}
	*done =
	    json_array_size(ids) > 0 && (!many || json_array_size(ids) == json_array_size(value));
	return *done ? document_references(&p->all, p->item, name, ids, many) : STET_OK;
}

/* A value inside another: files become values as those of fields are; a new reference. *inner: it
 * refers to documents. */
static json_t *
map_value(const struct payload *p, const json_t *value, int depth, bool *inner)
{
	const char *id = json_is_array(value) ? "" : id_of(p->all.source->call, value), *alt = "";
	const char *url = strlen(id) >= ID_LEAST ? file_url((void *)(uintptr_t)p, id, &alt) : NULL;
	const char *name;
	json_t *out, *one;
	size_t i;

	if (url != NULL && (json_is_string(value) || is_file(value)))
		return document_asset(url, alt);
	*inner |= known(p, value) != NULL;
	if (depth == DEPTH_MAX || !(json_is_object(value) || json_is_array(value)))
		return json_incref((json_t *)(uintptr_t)value);
	out = json_is_array(value) ? json_array() : json_object();
	json_array_foreach((json_t *)(uintptr_t)value, i, one)(void)
	    json_array_append_new(out, map_value(p, one, depth + 1, inner));
	json_object_foreach((json_t *)(uintptr_t)value, name, one)(void)
	    json_object_set_new(out, name, map_value(p, one, depth + 1, inner));
	return out;
}

/* Puts a value that is no reference. */
static enum stet_status
put_plain(const struct payload *p, const char *name, const json_t *value)
{
	struct stet_call *call = p->all.source->call;
	bool inner = false;

	if (!json_is_object(value) && !json_is_array(value)) {
		document_value(p->item, name, value);
		return STET_OK;
	}
	document_value(p->item, name, stet_json_own(call, map_value(p, value, 0, &inner)));
	return inner ? source_notice(p->all.source,
			   stet_printf(call, "%.100s, %.100s", text_in(p->item, "id"), name), false,
			   "References inside values keep the ids of the source")
		     : STET_OK;
}

static enum stet_status
put_value(struct payload *p, const char *name, const json_t *value)
{
	const char *id = json_is_array(value) ? "" : id_of(p->all.source->call, value), *alt = "";
	const char *url = *id != '\0' ? file_url(p, id, &alt) : NULL;
	bool done;

	/* A number is the id of a file only if the file says so itself. */
	if (url != NULL && (strlen(id) >= ID_LEAST || is_file(value))) {
		const char *type = text_in(json_object_get(p->files, id), "type");

		document_typed(p->item, name, strncmp(type, "image/", 6) == 0 ? "image" : "file",
		    document_asset(url, alt));
		return STET_OK;
	}
	if (json_is_array(json_object_get(json_object_get(value, "root"), "children")))
		return put_text(p, name, value);
	STET_TRY(put_reference(p, name, value, &done));
	return done ? STET_OK : put_plain(p, name, value);
}

/* ---- the second pass ---- */

static enum stet_status
put_values(struct payload *p, const json_t *object)
{
	static const char own[] = " id _id __v _status createdAt updatedAt publishedAt title slug ";
	const char *name, *title = text_in(object, "title");
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		if (strstr(own, stet_printf(p->all.source->call, " %s ", name)) == NULL &&
		    !json_is_null(value))
			STET_TRY(put_value(p, name, value));
	}
	if (*title == '\0')
		title = text_in(object, "name");
	(void)json_object_set_new(p->item, "title", json_string(title));
	(void)json_object_set(p->item, "slug", json_object_get(object, "slug"));
	put_time(p->item, "created", json_object_get(object, "createdAt"));
	put_time(p->item, "published", json_object_get(object, "publishedAt"));
	put_time(p->item, "updated", json_object_get(object, "updatedAt"));
	return STET_OK;
}

static enum stet_status
take(void *arg, const struct line_read *line)
{
	struct payload *p = arg;
	struct stet_source *source = p->all.source;
	const char *id = id_of(source->call, line->object), *alt,
		   *type = documents_collection(source, line->name);

	if (*id == '\0')
		return source_notice(source, line->place, true, "It has no id");
	if (*type == '\0')
		return stet_fail(source->call, STET_VALIDATION_ERROR, "file",
		    "The collection of a single file is not known: set the option type");
	if (is_file(line->object) && file_url(p, id, &alt) != NULL)
		return document_put_file(source, file_url(p, id, &alt), "", alt);
	/* A collection without drafts has no status. */
	p->item = document_new(
	    source->call, id, type, strcmp(text_in(line->object, "_status"), "draft") != 0);
	STET_TRY(put_values(p, line->object));
	return stet_source_put(source, STET_SOURCE_ITEM, json_incref(p->item));
}

enum stet_status
payload_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct payload p = { .files = stet_json_own(call, json_object()) };

	documents_begin(&p.all, source);
	STET_TRY(tree_lines(&silent, ENDS, know, &p));
	return tree_lines(source, ENDS, take, &p);
}
