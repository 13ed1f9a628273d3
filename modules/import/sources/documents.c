/* documents.c - items from the documents of other headless systems. */
#include "sources/documents.h"
#include "plan/given.h"
#include "read/text.h"
#include "sources/markup.h"
#include <stdlib.h>
#include <stet/portabletext.h>
#include <string.h>

/* ---- documents that are there ---- */

void
documents_begin(struct documents *d, struct stet_source *source)
{
	*d = (struct documents){ .source = source,
		.types = stet_json_own(source->call, json_object()),
		.files = stet_json_own(source->call, json_object()) };
}

void
documents_know(struct documents *d, const char *id, const char *type)
{
	if (json_object_size(d->types) < KNOWN_MAX)
		(void)json_object_set_new(d->types, id, json_string(type));
	else
		d->full = true;
}

const char *
documents_type(const struct documents *d, const char *id)
{
	return json_string_value(json_object_get(d->types, id));
}

static enum stet_status
be_silent(struct stet_source *source, enum stet_source_kind kind, const json_t *object)
{
	(void)source;
	(void)kind;
	(void)object;
	return STET_OK;
}

struct stet_source
documents_silent(const struct stet_source *source)
{
	struct stet_source silent = *source;

	silent.take = be_silent;
	return silent;
}

const char *
documents_collection(const struct stet_source *source, const char *name)
{
	const char *slash = strrchr(name, '/');

	name = slash != NULL ? slash + 1 : name;
	return *name != '\0' ? stet_strndup(source->call, name, strcspn(name, " ."))
			     : text_member(source->call, source->options, "type");
}

/* ---- values ---- */

json_t *
document_new(struct stet_call *call, const char *id, const char *type, bool published)
{
	return stet_json_own(call, json_pack("{ss ss ss s{} s{}}", "id", id, "type", type, "status",
				       published ? "published" : "draft", "fields", "types"));
}

void
document_value(json_t *item, const char *name, const json_t *value)
{
	if (!json_is_null(value))
		(void)json_object_set(
		    json_object_get(item, "fields"), name, (json_t *)(uintptr_t)value);
}

void
document_typed(json_t *item, const char *name, const char *type, json_t *value)
{
	(void)json_object_set_new(json_object_get(item, "fields"), name, value);
	(void)json_object_set_new(json_object_get(item, "types"), name, json_string(type));
}

/* ---- rich texts ---- */

static bool
is_main(const json_t *item, const char *name)
{
	return (strcmp(name, "content") == 0 || strcmp(name, "body") == 0) &&
	       json_object_get(item, "blocks") == NULL && json_object_get(item, "html") == NULL;
}

void
document_blocks(json_t *item, const char *name, const json_t *blocks)
{
	if (is_main(item, name))
		(void)json_object_set(item, "blocks", (json_t *)(uintptr_t)blocks);
	else
		document_typed(
		    item, name, "portableText", json_incref((json_t *)(uintptr_t)blocks));
}

void
document_html(struct stet_call *call, json_t *item, const char *name, const char *html)
{
	if (is_main(item, name))
		(void)json_object_set_new(item, "html", json_string(html));
	/* The run converts it, and counts what it loses. A text that begins with [ would be JSON.
	 */
	else if (*html != '\0')
		document_typed(
		    item, name, "portableText", json_string(stet_printf(call, "\n%s", html)));
}

/* ---- references ---- */

/* Have all known documents of these ids the same type? *type: that of the first; NULL: none is
 * known. */
static bool
have_one_type(const struct documents *d, const json_t *ids, const char **type)
{
	const char *one;
	const json_t *id;
	size_t i;

	*type = NULL;
	json_array_foreach(ids, i, id)
	{
		one = documents_type(d, json_string_value(id));
		if (*type == NULL)
			*type = one;
		else if (one != NULL && strcmp(*type, one) != 0)
			return false;
	}
	return true;
}

enum stet_status
document_references(
    const struct documents *d, json_t *item, const char *name, const json_t *ids, bool many)
{
	struct stet_call *call = d->source->call;
	const char *type;
	json_t *list, *id;
	size_t i;

	if (!have_one_type(d, ids, &type)) {
		list = stet_json_own(call, json_array());
		json_array_foreach((json_t *)(uintptr_t)ids, i, id)
		{
			if (json_is_string(id))
				(void)json_array_append_new(
				    list, document_reference(call, json_string_value(id)));
		}
		document_value(item, name, list);
		return STET_OK;
	}
	if (type == NULL)
		return source_notice(d->source,
		    stet_printf(call, "%.100s, %.100s",
			json_string_value(json_object_get(item, "id")), name),
		    true,
		    d->full ? "What it refers to is not known: there are too many documents"
			    : "What it refers to is not in the export");
	(void)json_object_set(json_object_get(item, "fields"), name,
	    many ? (json_t *)(uintptr_t)ids : json_array_get(ids, 0));
	(void)json_object_set_new(
	    json_object_get(item, "types"), name, json_pack("{ss sb}", "to", type, "many", many));
	return STET_OK;
}

json_t *
document_reference(struct stet_call *call, const char *id)
{
	return json_pack("{ss ss}", "_type", "reference", "_ref", document_item(call, id));
}

/* ---- blocks inside HTML ---- */

const char *
document_block(struct stet_call *call, const char *type, const json_t *members)
{
	json_t *block = json_copy((json_t *)(uintptr_t)members);
	char *text, *json;
	size_t len;
	FILE *out = markup_begin(&text, &len);

	(void)json_object_set_new(block, "_type", json_string(type));
	json = json_dumps(stet_json_own(call, json_pack("{s[o]}", "blocks", block)), JSON_COMPACT);
	if (json == NULL)
		stet_out_of_memory();
	(void)fputs("\n<!-- wp:stet/block ", out);
	/* A comment ends with "-->". */
	for (const char *p = json; *p != '\0'; p++)
		if (strchr("-<>&", *p) != NULL)
			(void)fprintf(out, "\\u%04x", (unsigned)(unsigned char)*p);
		else
			(void)fputc(*p, out);
	free(json);
	(void)fputs(" /-->\n", out);
	return markup_end(call, out, &text);
}

const char *
document_anchor(struct stet_call *call, const char *id, const char *title)
{
	char *text;
	size_t len;
	FILE *out = markup_begin(&text, &len);

	(void)fputs("<a", out);
	markup_attribute(out, "href", document_item(call, id));
	(void)fputc('>', out);
	markup_text(out, *title != '\0' ? title : id);
	(void)fputs("</a>", out);
	return markup_end(call, out, &text);
}

const char *
document_embed(struct stet_call *call, const char *id, const char *title)
{
	json_t *members = stet_json_own(call, document_reference(call, id));

	(void)json_object_set(members, "href", json_object_get(members, "_ref"));
	if (*title != '\0')
		(void)json_object_set_new(members, "title", json_string(title));
	return document_block(call, "reference", members);
}

const char *
document_item(struct stet_call *call, const char *id)
{
	static const char digits[] = "0123456789ABCDEF";
	char *out = stet_alloc(call, 3 * strlen(id) + 1), *to = out;

	/* These end an id in an address. */
	for (; *id != '\0'; id++) {
		if (strchr("%#?", *id) == NULL)
			*to++ = *id;
		else {
			*to++ = '%';
			*to++ = digits[(unsigned char)*id >> 4];
			*to++ = digits[(unsigned char)*id & 15];
		}
	}
	*to = '\0';
	return stet_printf(call, "%s%s", GIVEN_ITEM, out);
}

/* ---- files ---- */

const char *
document_file(struct stet_call *call, const char *document, const char *path)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *slash = strrchr(document, '/');
	char *out, *at;

	while (path[0] == '.' && path[1] == '/')
		path += 2;
	path += strspn(path, "/");
	path = stet_printf(
	    call, "%.*s%s", slash != NULL ? (int)(slash + 1 - document) : 0, document, path);
	out = at = stet_alloc(call, strlen(GIVEN_FILE) + 3 * strlen(path) + 1);
	memcpy(out, GIVEN_FILE, strlen(GIVEN_FILE));
	at += strlen(GIVEN_FILE);
	for (; *path != '\0'; path++) {
		unsigned char c = (unsigned char)*path;

		if (c > ' ' && c < 0x7f && strchr("\"<>%?#\\^`{|}", c) == NULL) {
			*at++ = (char)c;
			continue;
		}
		*at++ = '%';
		*at++ = digits[c >> 4];
		*at++ = digits[c & 15];
	}
	*at = '\0';
	return out;
}

json_t *
document_asset(const char *url, const char *alt)
{
	return json_pack("{ss ss ss ss*}", "id", "", "provider", "external", "src", url, "alt",
	    *alt != '\0' ? alt : NULL);
}

enum stet_status
documents_file(const struct documents *d, const char *url, const char *title, const char *alt)
{
	if (json_object_get(d->files, url) != NULL)
		return STET_OK;
	if (json_object_size(d->files) < KNOWN_MAX)
		(void)json_object_set_new(d->files, url, json_true());
	return document_put_file(d->source, url, title, alt);
}

enum stet_status
document_put_file(struct stet_source *source, const char *url, const char *title, const char *alt)
{
	return stet_source_put(source, STET_SOURCE_ITEM,
	    json_pack("{ss ss+ ss ss ss}", "type", "attachment", "id", "file:", url, "url", url,
		"title", title, "alt", alt));
}
