/*
 * strapi_text.c - texts of Strapi: Markdown, and zones whose components have texts, as the blocks
 * of one text.
 */
#include "plan/suggest.h"
#include "read/text.h"
#include "sources/markup.h"
#include "sources/rich.h"
#include "sources/strapi.h"
#include <stet/content.h>
#include <stet/portabletext.h>
#include <string.h>

#define DEPTH_MAX 40 /* levels of a value */
#define KEY_STEP 0x9e3779b9u /* between keys: odd, so that they repeat only after 2^32 */

/* ---- Markdown ---- */

/* Makes the address of a file in Strapi, alone or with its host, that of the file here. */
static enum stet_status
take_address(struct strapi *s, json_t *object, const char *member)
{
	struct stet_call *call = s->all.source->call;
	const char *address = text_in(object, member), *alt = "";
	const char *path = strstr(address, "/uploads/");
	const json_t *file =
	    path != NULL
		? json_object_get(s->files, json_string_value(json_object_get(s->uploads, path)))
		: NULL;
	const char *url = file != NULL ? strapi_file(s, text_in(file, "url"), &alt) : NULL;

	if (url == NULL)
		return STET_OK;
	(void)json_object_set_new(object, member, json_string(url));
	return documents_file(
	    &s->all, stet_strdup(call, url), text_in(file, "name"), text_in(file, "alt"));
}

static enum stet_status
take_addresses(struct strapi *s, json_t *value, int depth)
{
	const char *name;
	json_t *one;
	size_t i;

	if (depth > DEPTH_MAX)
		return STET_OK;
	json_array_foreach(value, i, one) STET_TRY(take_addresses(s, one, depth + 1));
	json_object_foreach(value, name, one)
	{
		if (strcmp(name, "href") == 0 || strcmp(name, "url") == 0)
			STET_TRY(take_address(s, value, name));
		else
			STET_TRY(take_addresses(s, one, depth + 1));
	}
	return STET_OK;
}

enum stet_status
strapi_markdown(struct strapi *s, const char *text, json_t **blocks)
{
	struct stet_call *call = s->all.source->call;
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	json_t *lost = stet_json_own(call, json_array());
	const json_t *read = content->blocks_foreign(call, "markdown", text, lost);

	STET_TRY(source_losses(s->all.source, text_in(s->item, "id"), lost, s->item));

	*blocks = stet_json_own(
	    call, read != NULL ? json_deep_copy((json_t *)(uintptr_t)read) : json_array());
	return take_addresses(s, *blocks, 0);
}

/* ---- zones ---- */

/* What a component of a zone is in a text. */
enum part { PART_TEXT, PART_FILES, PART_QUOTE, PART_OTHER };

static const json_t *
attributes_of(const struct strapi *s, const json_t *component)
{
	return json_object_get(s->schemas, text_in(component, "__component"));
}

/* The member of a component with a text, if it is the only one that counts; NULL: there is none. */
static const char *
text_member_of(const struct strapi *s, const json_t *component)
{
	const char *name, *found = NULL, *type;
	json_t *attribute;

	json_object_foreach((json_t *)(uintptr_t)attributes_of(s, component), name, attribute)
	{
		type = text_in(attribute, "type");
		if (strcmp(type, "richtext") == 0 || strcmp(type, "blocks") == 0)
			found = found == NULL ? name : "";
		else if (json_object_get(component, name) != NULL)
			return NULL;
	}
	return found != NULL && *found != '\0' ? found : NULL;
}

/* The only member of a component, if it is one for files; NULL: there are others. */
static const char *
files_member_of(const struct strapi *s, const json_t *component)
{
	const json_t *attributes = attributes_of(s, component);
	const char *name = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)attributes));

	return json_object_size(attributes) == 1 &&
		       strcmp(text_in(json_object_get(attributes, name), "type"), "media") == 0
		   ? name
		   : NULL;
}

static enum part
part_of(const struct strapi *s, const json_t *component)
{
	const char *quote = *text_in(component, "body") != '\0' ? "body" : "text";

	if (text_member_of(s, component) != NULL)
		return PART_TEXT;
	if (files_member_of(s, component) != NULL)
		return PART_FILES;
	return strstr(text_in(component, "__component"), "quote") != NULL &&
		       *text_in(component, quote) != '\0'
		   ? PART_QUOTE
		   : PART_OTHER;
}

bool
strapi_is_text(const struct strapi *s, const json_t *zone)
{
	const json_t *component;
	size_t i;

	json_array_foreach(zone, i, component)
	{
		if (part_of(s, component) == PART_TEXT)
			return true;
	}
	return false;
}

/* A picture, or a link to another file. */
static void
put_one(FILE *out, const json_t *file)
{
	const char *url = text_in(file, "src"), *name = strrchr(url, '/');

	if (strncmp(suggest_media_type(url), "image/", 6) == 0) {
		(void)fputs("<!-- wp:image --><figure class=\"wp-block-image\"><img", out);
		markup_attribute(out, "src", url);
		markup_attribute(out, "alt", text_in(file, "alt"));
		(void)fputs("></figure><!-- /wp:image -->", out);
		return;
	}
	(void)fputs("<p><a", out);
	markup_attribute(out, "href", url);
	(void)fputs(">", out);
	markup_text(out, name != NULL ? name + 1 : url);
	(void)fputs("</a></p>", out);
}

/* Files as strapi_fill has set them: one, or a list. */
static const char *
files_html(struct stet_call *call, const json_t *files)
{
	char *text;
	size_t len, i;
	FILE *out = markup_begin(&text, &len);
	const json_t *file;

	if (json_is_object(files))
		put_one(out, files);
	if (json_array_size(files) > 0) {
		(void)fputs(
		    "<!-- wp:gallery --><figure class=\"wp-block-gallery has-nested-images\">",
		    out);
		json_array_foreach(files, i, file) put_one(out, file);
		(void)fputs("</figure><!-- /wp:gallery -->", out);
	}
	return markup_end(call, out, &text);
}

/* A quotation, and whose it is. */
static const char *
quote_html(struct stet_call *call, const json_t *component)
{
	static const char *const sources[] = { "author", "cite", "source", "title", "name" };
	const char *words = text_in(component, "body"), *by = "";
	char *text;
	size_t len;
	FILE *out = markup_begin(&text, &len);

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]) && *by == '\0'; i++)
		by = text_in(component, sources[i]);
	(void)fputs("<blockquote><p>", out);
	markup_text(out, *words != '\0' ? words : text_in(component, "text"));
	(void)fputs("</p>", out);
	if (*by != '\0') {
		(void)fputs("<cite>", out);
		markup_text(out, by);
		(void)fputs("</cite>", out);
	}
	(void)fputs("</blockquote>", out);
	return markup_end(call, out, &text);
}

/* A component that has no other form: a block of its own type with its members. */
static const char *
other_html(struct stet_call *call, const json_t *component)
{
	json_t *members = stet_json_own(call, json_copy((json_t *)(uintptr_t)component));
	const char *type = text_in(component, "__component"), *dot = strrchr(type, '.');

	(void)json_object_del(members, "__component");
	(void)json_object_del(members, "id");
	return document_block(call, dot != NULL ? dot + 1 : type, members);
}

/* Adds the blocks of a component. */
static enum stet_status
add_part(struct strapi *s, const json_t *component, json_t *blocks)
{
	struct stet_call *call = s->all.source->call;
	const enum part part = part_of(s, component);
	struct rich rich = { .asset = strapi_file, .arg = s };
	const char *member = text_member_of(s, component), *text;
	const json_t *value = member != NULL ? json_object_get(component, member) : NULL;
	json_t *own, *lost = stet_json_own(call, json_array());

	if (json_is_string(value)) {
		STET_TRY(strapi_markdown(s, json_string_value(value), &own));
		(void)json_array_extend(blocks, own);
		return STET_OK;
	}
	if (part == PART_TEXT)
		text = rich_html(call, value, &rich);
	else if (part == PART_FILES)
		text = files_html(call, json_object_get(component, files_member_of(s, component)));
	else
		text =
		    part == PART_QUOTE ? quote_html(call, component) : other_html(call, component);
	(void)json_array_extend(
	    blocks, stet_json_own(call, source_blocks(call, text, strlen(text), lost)));
	STET_TRY(source_losses(s->all.source, text_in(s->item, "id"), lost, s->item));
	return rich.left == 0 ? STET_OK
			      : source_notice(s->all.source, text_in(component, "__component"),
				    true, "What has no place in a text is left out");
}

enum stet_status
strapi_zone(struct strapi *s, const json_t *zone, json_t **blocks)
{
	const json_t *component;
	json_t *block;
	size_t i;

	*blocks = stet_json_own(s->all.source->call, json_array());
	json_array_foreach(zone, i, component) STET_TRY(add_part(s, component, *blocks));
	/* The keys of each part are unique in it alone. */
	json_array_foreach(*blocks, i, block)(void)
	    json_object_set_new(block, "_key", json_sprintf("%08x", KEY_STEP * (unsigned)(i + 1)));
	return STET_OK;
}
