/*
 * markdown.c - documents of Markdown or HTML with front matter, as Hugo, Jekyll and Astro have
 * them. The path of a document gives its type, slug and locale (site.h), its front matter the rest.
 */
#include "sources/markdown.h"
#include "read/source.h"
#include "sources/dialect.h"
#include <stet/content.h>
#include <string.h>
#include <strings.h>

#define TEXT_MAX 262144 /* bytes of Markdown below the front matter */

/* ---- what its path says ---- */

static void
read_path(struct document *d)
{
	struct place *p = &d->place;

	site_place(d->site, d->call, d->name, p);
	site_choose_slug(d->site, d->call, p);
	document_set(d->item, "type", p->type);
	document_set(d->item, "id", p->id);
	if (p->date != NULL)
		document_set(d->item, "published", p->date);
	document_set(d->item, "slug", p->slug);
	document_set(d->item, "title", p->title);
	document_set(d->item, "status", p->draft ? "draft" : "published");
}

/* ---- its text ---- */

/* Reads the text. A document whose text cannot be read is left out, and told. */
static enum stet_status
read_body(const struct document *d, const char *body)
{
	const struct stet_content_1 *content = stet_service(d->call, STET_CONTENT_1);
	json_t *blocks, *lost = stet_json_own(d->call, json_array());
	struct dialect dialect = { .call = d->call,
		.kept = stet_json_own(d->call, json_object()),
		.lost = lost,
		.components =
		    strlen(d->name) > 4 && strcasecmp(d->name + strlen(d->name) - 4, ".mdx") == 0 };

	body += strspn(body, "\r\n");
	if (*body == '\0')
		return STET_OK;
	if (strlen(body) > TEXT_MAX) {
		stet_issue(d->call, "text", "is longer than 256 KiB");
		return STET_OK;
	}
	blocks = content->blocks_foreign(d->call, "markdown", dialect_read(&dialect, body), lost);
	STET_TRY(source_losses(d->source, d->name, lost, d->item));
	STET_TRY(document_tell_kept(d, dialect.kept, "blocks"));
	if (blocks == NULL)
		return STET_OK;
	blocks = stet_json_own(d->call, json_deep_copy(blocks));
	STET_TRY(document_take_blocks(d, blocks));
	(void)json_object_set(d->item, "blocks", blocks);
	return STET_OK;
}

/* ---- the document ---- */

/* Front matter has the names of authors; the login is made from the name. */
static enum stet_status
put_authors(struct document *d)
{
	json_t *names = json_object_get(d->item, "authors"), *name;
	size_t i;

	json_array_foreach(names, i, name)
	{
		const char *text = json_string_value(name), *login = stet_slugify(d->call, text);

		STET_TRY(stet_source_put(d->source, STET_SOURCE_AUTHOR,
		    json_pack("{ss ss}", "login", login, "name", text)));
		(void)json_array_set_new(names, i, json_string(login));
	}
	return STET_OK;
}

static enum stet_status
take_document(void *arg, const char *name, const char *text, size_t len)
{
	const struct site *site = arg;
	struct stet_call *call = site->source->call;
	struct document d = { .source = site->source, .call = call, .site = site, .name = name };
	const char *body, *why;

	front_read(call, text, len, &d.front, &body, &why);
	d.item = stet_json_own(call, json_object());
	d.fields = stet_json_own(call, json_object());
	d.terms = stet_json_own(call, json_object());
	read_path(&d);
	if (why != NULL)
		return source_left(d.source, d.place.type, name, why);
	document_take_front(&d);
	document_take_place(&d);
	document_take_address(&d);
	STET_TRY(put_authors(&d));
	STET_TRY(document_take_state(&d));
	STET_TRY(source_ends(SITE_HTML, name) ? document_take_html(&d, body) : read_body(&d, body));
	if (stet_issues(call) != STET_OK) {
		why = stet_strdup(call, stet_error_text(call));
		stet_error_clear(call);
		return source_left(d.source, d.place.type, name, why);
	}
	(void)json_object_set(d.item, "fields", d.fields);
	(void)json_object_set(d.item, "terms", d.terms);
	STET_TRY(stet_source_put(d.source, STET_SOURCE_ITEM, json_incref(d.item)));
	return document_put_menus(&d);
}

enum stet_status
markdown_source(struct stet_call *call, struct stet_source *source)
{
	struct site *site;

	(void)call;
	STET_TRY(site_find(source, &site));
	STET_TRY(site_tell(site));
	STET_TRY(tree_some(source, SITE_ENDS, site->wanted, take_document, site));
	STET_TRY(site_put_data(site));
	return site_put_menus(site);
}
