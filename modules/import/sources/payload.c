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
#include <stet/portabletext.h>
#include <string.h>

#define ENDS " .jsonl .ndjson "
#define DEPTH_MAX 40 /* levels of a value */
#define TEXTS_DEEP 8 /* texts inside each other */
#define ID_LEAST 12 /* bytes of an id that is recognized in a value */

struct payload {
	struct documents all;
	json_t *files; /* {id: {url, alt, type}} */
	/* Of the present document. */
	json_t *item;
	int deep; /* texts inside each other */
	int left; /* parts of texts and values that have no place */
};

static json_t *map_value(struct payload *, const json_t *value, int depth);

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

/* The id of the document to which a value refers; NULL: it is none. Short ids count only beside the
 * name of their collection. */
static const char *
target_of(const struct payload *p, const json_t *value)
{
	const char *id = id_of(p->all.source->call, value), *to = text_in(value, "relationTo");
	const char *type = documents_type(&p->all, id);

	if (*id == '\0' || (type != NULL && strcmp(type, to) == 0))
		return *id != '\0' ? id : NULL;
	return *to != '\0' && strlen(id) >= ID_LEAST ? id : known(p, value);
}

/* The address of the document to which a link of a text leads. A link names its collection. */
static const char *
document_url(void *arg, const json_t *target)
{
	const struct payload *p = arg;
	const char *id = target_of(p, target);

	return id != NULL && documents_type(&p->all, id) != NULL
		   ? document_item(p->all.source->call, id)
		   : NULL;
}

/* A document or a block that a text shows. */
static const char *
embed(void *arg, const json_t *node, bool whole)
{
	struct payload *p = arg;
	struct stet_call *call = p->all.source->call;
	const json_t *fields = json_object_get(node, "fields"), *block;
	const char *type = text_in(fields, "blockType"), *id, *title;

	if (strcmp(text_in(node, "type"), "relationship") == 0) {
		id = target_of(p, node);
		title = text_in(json_object_get(node, "value"), "title");
		if (id == NULL || (!whole && documents_type(&p->all, id) == NULL))
			return NULL;
		return whole ? document_embed(call, id, title) : document_anchor(call, id, title);
	}
	/* A block of text has other members than one of this name here. */
	if (*type == '\0' || !whole || strcmp(type, "block") == 0)
		return NULL;
	block = stet_json_own(call, map_value(p, fields, 0));
	return document_block(call, type, block);
}

static bool
is_text(const json_t *value)
{
	return json_is_array(json_object_get(json_object_get(value, "root"), "children"));
}

static const char *
text_html(struct payload *p, const json_t *value)
{
	struct rich rich = { .asset = file_url, .item = document_url, .embed = embed, .arg = p };
	const char *html = "";

	if (++p->deep <= TEXTS_DEEP)
		html = rich_html(p->all.source->call, value, &rich);
	else
		p->left++;
	p->deep--;
	p->left += rich.left;
	return html;
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

static json_t *
map_text(struct payload *p, const json_t *value)
{
	const struct stet_html_1 *html = stet_service(p->all.source->call, STET_HTML_1);
	const char *text = text_html(p, value);

	return html->read(text, strlen(text), NULL);
}

/* A value inside another: files become values as those of fields are, documents references, texts
 * blocks; a new reference. */
static json_t *
map_value(struct payload *p, const json_t *value, int depth)
{
	struct stet_call *call = p->all.source->call;
	const char *id = json_is_array(value) ? "" : id_of(call, value), *alt = "";
	const char *url = strlen(id) >= ID_LEAST ? file_url(p, id, &alt) : NULL;
	const char *name;
	json_t *out, *one;
	size_t i;

	if (url != NULL &&
	    (json_is_string(value) || is_file(value) || *text_in(value, "relationTo") != '\0'))
		return document_asset(url, alt);
	if (!json_is_array(value) && target_of(p, value) != NULL)
		return document_reference(call, target_of(p, value));
	if (is_text(value))
		return map_text(p, value);
	p->left += depth == DEPTH_MAX;
	if (depth == DEPTH_MAX || !(json_is_object(value) || json_is_array(value)))
		return json_incref((json_t *)(uintptr_t)value);
	out = json_is_array(value) ? json_array() : json_object();
	json_array_foreach((json_t *)(uintptr_t)value, i, one)(void)
	    json_array_append_new(out, map_value(p, one, depth + 1));
	json_object_foreach((json_t *)(uintptr_t)value, name, one)(void)
	    json_object_set_new(out, name, map_value(p, one, depth + 1));
	return out;
}

static enum stet_status
put_value(struct payload *p, const char *name, const json_t *value)
{
	struct stet_call *call = p->all.source->call;
	const char *id = json_is_array(value) ? "" : id_of(call, value), *alt = "";
	const char *url = *id != '\0' ? file_url(p, id, &alt) : NULL;
	bool done;

	/* A number is the id of a file only if the file says so itself. */
	if (url != NULL && (strlen(id) >= ID_LEAST || is_file(value))) {
		const char *type = text_in(json_object_get(p->files, id), "type");

		document_typed(p->item, name, strncmp(type, "image/", 6) == 0 ? "image" : "file",
		    document_asset(url, alt));
		return STET_OK;
	}
	p->left = 0;
	if (is_text(value))
		document_html(call, p->item, name, text_html(p, value));
	else {
		STET_TRY(put_reference(p, name, value, &done));
		if (!done)
			document_value(p->item, name, stet_json_own(call, map_value(p, value, 0)));
	}
	return p->left == 0
		   ? STET_OK
		   : source_notice(p->all.source,
			 stet_printf(call, "%.100s, %.100s", text_in(p->item, "id"), name), true,
			 stet_printf(call, "%d blocks, links or files inside the text are left out",
			     p->left));
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
