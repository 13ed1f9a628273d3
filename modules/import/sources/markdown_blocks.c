/* markdown_blocks.c - the pictures and links of a document's text. */
#include "plan/suggest.h"
#include "sources/markdown.h"
#include <string.h>

enum stet_status
document_put_copy(const struct document *d, const char *url, const char *alt)
{
	json_t *file = json_pack("{ss ss ss ss}", "type", "attachment", "id",
	    stet_printf(d->call, "file:%s", url), "url", url, "alt", alt);

	return stet_source_put(d->source, STET_SOURCE_ITEM, file);
}

enum stet_status
document_link(const struct document *d, const char *href, const char **to)
{
	*to = NULL;
	switch (site_link(d->site, d->call, d->name, &d->place, href, to)) {
	case SITE_LINK_FOUND:
		return STET_OK;
	case SITE_LINK_LOST:
		return source_notice(d->source, d->name, false,
		    stet_printf(d->call, "Its link %.200s leads to no document", href));
	case SITE_LINK_OTHER:
		return STET_OK;
	}
	return STET_OK;
}

/* Makes a link to another document one to its item. */
static enum stet_status
take_link(const struct document *d, json_t *object, const char *member)
{
	const char *href = json_string_value(json_object_get(object, member)), *to;

	if (href == NULL)
		return STET_OK;
	STET_TRY(document_link(d, href, &to));
	if (to != NULL)
		document_set(object, member, to);
	return STET_OK;
}

enum stet_status
document_take_blocks(const struct document *d, json_t *value)
{
	const char *type = json_string_value(json_object_get(value, "_type")), *url, *key, *alt;
	json_t *asset = json_object_get(value, "asset"), *child;
	size_t i;

	json_array_foreach(value, i, child) STET_TRY(document_take_blocks(d, child));
	/* Inside a text, a picture has become a link to its file. */
	url = json_string_value(json_object_get(value, "href"));
	if (url != NULL && *suggest_media_type(url) != '\0' &&
	    (url = site_file(d->site, d->call, d->name, url)) != NULL) {
		document_set(value, "href", url);
		return document_put_copy(d, url, "");
	}
	if (url != NULL)
		STET_TRY(take_link(d, value, "href"));
	if (type != NULL && strcmp(type, "image") == 0) {
		STET_TRY(take_link(d, value, "link"));
		url = json_string_value(json_object_get(asset, "url"));
		alt = json_string_value(json_object_get(value, "alt"));
		url = url != NULL ? site_file(d->site, d->call, d->name, url) : NULL;
		if (url == NULL)
			return STET_OK;
		document_set(asset, "url", url);
		document_set(asset, "_type", "reference"); /* as pictures of exports have it */
		document_set(asset, "_ref", url);
		return document_put_copy(d, url, alt != NULL ? alt : "");
	}
	if (json_is_object(value))
		json_object_foreach(value, key, child) STET_TRY(document_take_blocks(d, child));
	return STET_OK;
}
