/*
 * sanity.c - datasets of Sanity, as `sanity dataset export` writes them: data.ndjson, a document in
 * each line, beside the directories images and files. The documents are read twice: references
 * need a field that names the type of their targets.
 */
#include "read/text.h"
#include "sources/documents.h"
#include <string.h>

#define ENDS " .ndjson "
#define DRAFT "drafts."
#define VERSION "versions." /* of a document in a release */
#define DEPTH_MAX 40 /* levels of a value */

struct sanity {
	struct documents all;
	/* Of the present document. */
	json_t *item;
	const char *name; /* of the file that it is in */
	json_t *files; /* [{url, title, alt}] */
	bool deep; /* it has values with too many levels */
};

static bool
is(const json_t *value, const char *type)
{
	return strcmp(text_in(value, "_type"), type) == 0;
}

/* Sanity's own documents: files, settings, groups of translations. */
static bool
is_internal(const char *type)
{
	return strncmp(type, "sanity.", 7) == 0 || strncmp(type, "system.", 7) == 0;
}

static bool
is_version(const char *id)
{
	return strncmp(id, VERSION, strlen(VERSION)) == 0;
}

static bool
is_draft(const char *id)
{
	return strncmp(id, DRAFT, strlen(DRAFT)) == 0;
}

/* ---- assets ---- */

/* The path of a file of the export for the id of its asset: image-HASH-200x100-png, file-HASH-pdf.
 */
static const char *
path_of(struct stet_call *call, const char *id)
{
	const char *end = strrchr(id, '-');

	if (end != NULL && strncmp(id, "image-", 6) == 0 && end > id + 6)
		return stet_printf(call, "images/%.*s.%s", (int)(end - id - 6), id + 6, end + 1);
	if (end != NULL && strncmp(id, "file-", 5) == 0 && end > id + 5)
		return stet_printf(call, "files/%.*s.%s", (int)(end - id - 5), id + 5, end + 1);
	return NULL;
}

/* Returns the address of the file of an image or a file; NULL: the value is none. */
static const char *
asset_url(struct stet_call *call, const struct sanity *s, const json_t *value)
{
	const char *asset = text_in(value, "_sanityAsset"), *at = strchr(asset, '@');
	const char *path = path_of(call, text_in(json_object_get(value, "asset"), "_ref"));

	if (at != NULL && strncmp(at + 1, "file://", 7) == 0)
		return document_file(call, s->name, at + 8);
	if (at != NULL)
		return at + 1;
	return path != NULL ? document_file(call, s->name, path) : NULL;
}

/* Notes a file, which is handed on with the document. */
static void
note_asset(struct sanity *s, const json_t *value, const char *url)
{
	const char *title = text_in(value, "title");

	(void)json_array_append_new(s->files,
	    json_pack("{ss ss ss}", "url", url, "title",
		*title != '\0' ? title : text_in(value, "caption"), "alt", text_in(value, "alt")));
}

/* ---- values inside others ---- */

static json_t *map_value(struct stet_call *, struct sanity *, const json_t *value, int depth);

/* Returns the document to which a mark of a text leads: that of its own reference, or of the first
 * of its members that is one. NULL: there is none, or it is not in the dataset. */
static const char *
target_of(const struct sanity *s, const json_t *mark)
{
	const char *name, *id = text_in(mark, "_ref");
	json_t *one;

	json_object_foreach((json_t *)(uintptr_t)mark, name, one)
	{
		if (*id == '\0')
			id = text_in(one, "_ref");
	}
	return *id != '\0' && json_object_get(mark, "href") == NULL &&
		       documents_type(&s->all, id) != NULL
		   ? id
		   : NULL;
}

/* Copies marks of a text. Those that lead to documents become links to their items; a new
 * reference. */
static json_t *
map_marks(struct stet_call *call, struct sanity *s, const json_t *marks, int depth)
{
	json_t *out = json_array();
	const json_t *one;
	size_t i;

	json_array_foreach(marks, i, one)
	{
		const char *id = target_of(s, one);

		(void)json_array_append_new(
		    out, id != NULL ? json_pack("{ss ss ss}", "_type", "link", "_key",
					  text_in(one, "_key"), "href", document_item(call, id))
				    : map_value(call, s, one, depth));
	}
	return out;
}

/* The address of a file is in `asset`, as in Portable Text. References are ours. */
static json_t *
map_object(struct stet_call *call, struct sanity *s, const json_t *value, int depth)
{
	const char *name, *url = asset_url(call, s, value);
	json_t *out = json_object(), *one;

	json_object_foreach((json_t *)(uintptr_t)value, name, one)
	{
		if (url == NULL ||
		    (strcmp(name, "asset") != 0 && strcmp(name, "_sanityAsset") != 0))
			(void)json_object_set_new(out, name,
			    strcmp(name, "markDefs") == 0 && json_is_array(one)
				? map_marks(call, s, one, depth + 1)
				: map_value(call, s, one, depth + 1));
	}
	if (url == NULL && *text_in(value, "_ref") != '\0')
		(void)json_object_set_new(
		    out, "_ref", json_string(document_item(call, text_in(value, "_ref"))));
	if (url != NULL) {
		(void)json_object_set_new(out, "asset", json_pack("{ss}", "url", url));
		note_asset(s, value, url);
	}
	return out;
}

/* Copies a value, with addresses in place of ids of assets; a new reference. */
static json_t *
map_value(struct stet_call *call, struct sanity *s, const json_t *value, int depth)
{
	json_t *out, *one;
	size_t i;

	s->deep |= depth > DEPTH_MAX;
	if (depth > DEPTH_MAX)
		return json_null();
	if (json_is_object(value))
		return map_object(call, s, value, depth);
	if (!json_is_array(value))
		return json_incref((json_t *)(uintptr_t)value);
	out = json_array();
	json_array_foreach((json_t *)(uintptr_t)value, i, one)(void)
	    json_array_append_new(out, map_value(call, s, one, depth + 1));
	return out;
}

/* ---- values of a document ---- */

/* Are they all references, or all blocks of a text? Texts have at least one block of words. */
static bool
is_list_of(const json_t *list, const char *type, bool all)
{
	const json_t *one;
	size_t i, count = 0;

	json_array_foreach(list, i, one)
	{
		if (!json_is_object(one) || *text_in(one, "_type") == '\0')
			return false;
		count += is(one, type);
	}
	return count > 0 && (!all || count == json_array_size(list));
}

static enum stet_status
put_references(struct stet_call *call, struct sanity *s, const char *name, const json_t *value)
{
	json_t *ids = stet_json_own(call, json_array()), *one;
	size_t i;

	if (json_is_object(value))
		(void)json_array_append(ids, json_object_get(value, "_ref"));
	json_array_foreach((json_t *)(uintptr_t)value, i, one)
	{
		if (*text_in(one, "_ref") != '\0')
			(void)json_array_append(ids, json_object_get(one, "_ref"));
	}
	return document_references(&s->all, s->item, name, ids, json_is_array(value));
}

/* References between the blocks of a text show their items: they have an address, too. */
static void
show_references(json_t *blocks)
{
	json_t *block;
	size_t i;

	json_array_foreach(blocks, i, block)
	{
		if (json_object_get(block, "_ref") != NULL &&
		    json_object_get(block, "href") == NULL)
			(void)json_object_set(block, "href", json_object_get(block, "_ref"));
	}
}

static enum stet_status
put_value(struct stet_call *call, struct sanity *s, const char *name, const json_t *value)
{
	const char *url = asset_url(call, s, value);
	json_t *mapped;

	if (url != NULL) {
		document_typed(s->item, name, is(value, "file") ? "file" : "image",
		    document_asset(url, text_in(value, "alt")));
		note_asset(s, value, url);
		return STET_OK;
	}
	if (*text_in(value, "_ref") != '\0' || is_list_of(value, "reference", true))
		return put_references(call, s, name, value);
	mapped = stet_json_own(call, map_value(call, s, value, 0));
	if (is_list_of(value, "block", false)) {
		show_references(mapped);
		document_blocks(s->item, name, mapped);
	} else
		document_value(s->item, name, mapped);
	return STET_OK;
}

static enum stet_status
put_values(struct stet_call *call, struct sanity *s, const json_t *object)
{
	const char *name, *slug = text_in(json_object_get(object, "slug"), "current");
	const char *title = text_in(object, "title");
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		bool own = *name == '_' || (*slug != '\0' && strcmp(name, "slug") == 0) ||
			   (*title != '\0' && strcmp(name, "title") == 0);

		if (!own && !json_is_null(value))
			STET_TRY(put_value(call, s, name, value));
	}
	if (*title == '\0')
		title = text_in(object, "name");
	(void)json_object_set_new(s->item, "title", json_string(title));
	(void)json_object_set_new(s->item, "slug", json_string(slug));
	return STET_OK;
}

static enum stet_status
put_files(const struct sanity *s)
{
	json_t *file;
	size_t i;

	json_array_foreach(s->files, i, file) STET_TRY(documents_file(
	    &s->all, text_in(file, "url"), text_in(file, "title"), text_in(file, "alt")));
	return STET_OK;
}

static enum stet_status
put_document(struct sanity *s, const struct line_read *line)
{
	struct stet_call *call = s->all.source->call;
	const json_t *object = line->object;
	const char *id = text_in(object, "_id");
	bool draft = is_draft(id);

	s->deep = false;
	s->name = line->name;
	s->files = stet_json_own(call, json_array());
	s->item =
	    document_new(call, draft ? id + strlen(DRAFT) : id, text_in(object, "_type"), !draft);
	(void)json_object_set(s->item, "created", json_object_get(object, "_createdAt"));
	(void)json_object_set(s->item, "updated", json_object_get(object, "_updatedAt"));
	STET_TRY(put_values(call, s, object));
	STET_TRY(put_files(s));
	if (s->deep)
		STET_TRY(source_notice(
		    s->all.source, id, true, "Values of more than 40 levels are left out"));
	return stet_source_put(s->all.source, STET_SOURCE_ITEM, json_incref(s->item));
}

/* ---- the two passes ---- */

static enum stet_status
know(void *arg, const struct line_read *line)
{
	struct sanity *s = arg;
	const char *id = text_in(line->object, "_id"), *type = text_in(line->object, "_type");

	if (*id != '\0' && *type != '\0' && !is_internal(type) && !is_version(id))
		documents_know(&s->all, id, type);
	return STET_OK;
}

static enum stet_status
take(void *arg, const struct line_read *line)
{
	struct sanity *s = arg;
	const char *id = text_in(line->object, "_id"), *type = text_in(line->object, "_type");

	if (*id == '\0' || *type == '\0')
		return source_notice(s->all.source, line->place, true, "It has no _id or no _type");
	if (is_internal(type))
		return STET_OK;
	if (is_version(id))
		return source_notice(
		    s->all.source, id, true, "The version of a document in a release is left out");
	if (is_draft(id) && documents_type(&s->all, id + strlen(DRAFT)) != NULL)
		return source_notice(s->all.source, id, true,
		    "The draft of a document that is published is left out");
	return put_document(s, line);
}

/* ---- the library ---- */

/* Is it a file in the directory images or files? */
static bool
is_asset(const char *name)
{
	const char *slash = strrchr(name, '/'), *from = slash;

	while (from != NULL && from > name && from[-1] != '/')
		from--;
	return from != NULL &&
	       (strncmp(from, "images/", 7) == 0 || strncmp(from, "files/", 6) == 0);
}

static void
know_asset(void *arg, const char *name)
{
	json_t *names = arg;

	if (is_asset(name) && json_array_size(names) < KNOWN_MAX)
		(void)json_array_append_new(names, json_string(name));
}

/* Hands on the files of the dataset, also those that no document shows. */
static enum stet_status
put_library(struct stet_call *call, const struct sanity *s)
{
	json_t *names = stet_json_own(call, json_array()), *name;
	size_t i;

	STET_TRY(tree_names(s->all.source, know_asset, names));
	json_array_foreach(names, i, name) STET_TRY(
	    documents_file(&s->all, document_file(call, "", json_string_value(name)), "", ""));
	return STET_OK;
}

enum stet_status
sanity_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct sanity s;

	documents_begin(&s.all, source);
	STET_TRY(tree_lines(&silent, ENDS, know, &s));
	STET_TRY(tree_lines(source, ENDS, take, &s));
	return put_library(call, &s);
}
