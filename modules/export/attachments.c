/*
 * attachments.c - writes the media library, and external pictures of items, as attachments. Their
 * numbers are in the table of names.c.
 */
#include "export.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/media.h>
#include <string.h>

/* ---- items ---- */

/* The content of an attachment. */
struct file {
	const char *name, *url, *alt, *caption, *created; /* alt: NULL if there is none */
};

static const char *
title_of(struct stet_call *call, const char *name)
{
	const char *slash = strrchr(name, '/');
	char *title = stet_strdup(call, slash != NULL ? slash + 1 : name);
	char *dot = strrchr(title, '.');

	if (dot != NULL && dot != title)
		*dot = '\0';
	return title;
}

static void
put_attachment(struct stet_call *call, struct export *x, const struct file *f)
{
	const char *title = title_of(call, f->name);
	struct post p = { .number = ++x->next,
		.type = "attachment",
		.status = "inherit",
		.title = escape_entities(call, title),
		.slug = stet_slugify(call, title),
		.link = f->url,
		.excerpt = escape_entities(call, f->caption),
		.created = f->created,
		.modified = f->created,
		.attachment = f->url };

	post_open(call, x, &p);
	export_meta(x, "_wp_attached_file", f->name);
	if (f->alt != NULL)
		export_meta(x, "_wp_attachment_image_alt", escape_entities(call, f->alt));
	post_close(x);
	x->done.attachments++;
}

static enum stet_status
put_media(struct stet_call *call, struct export *x, const json_t *item)
{
	struct file f = { .name = export_text(item, "filename"),
		.url = export_address(call, x, export_text(item, "url")),
		.alt = json_string_value(json_object_get(item, "alt")),
		.caption = export_text(item, "caption"),
		.created = export_text(item, "createdAt") };

	put_attachment(call, x, &f);
	return export_remember(x, export_name(call, "id", export_text(item, "id"), NULL), x->next);
}

enum stet_status
export_attachments(struct export *x)
{
	if (stet_service(x->call, STET_MEDIA_1) == NULL)
		return STET_OK;
	return export_pages(x, "media_list", json_pack("{si}", "limit", 100), "items", put_media);
}

/* ---- values ---- */

enum stet_status
attachment_of(struct stet_call *call, struct export *x, const json_t *value, int64_t *number)
{
	const char *id = export_text(value, "id"), *src = export_text(value, "src"), *name;
	struct file f = { .alt = json_string_value(json_object_get(value, "alt")),
		.caption = "",
		.created = "" };

	*number = 0;
	if (*id != '\0')
		*number = attachment_number(call, x, id);
	if (*src == '\0')
		src = export_text(value, "url");
	if (*number != 0 || *src == '\0')
		return STET_OK;
	f.url = export_address(call, x, src);
	/* The alternative text belongs to the attachment, so the same picture with another text
	 * needs another attachment. */
	name = export_name(call, "src", f.url, f.alt);
	STET_TRY(export_recall(call, x, name, number));
	if (*number != 0)
		return STET_OK;
	f.name = export_text(value, "filename");
	if (*f.name == '\0')
		f.name = strrchr(f.url, '/') != NULL ? strrchr(f.url, '/') + 1 : f.url;
	put_attachment(call, x, &f);
	*number = x->next;
	return export_remember(x, name, *number);
}
