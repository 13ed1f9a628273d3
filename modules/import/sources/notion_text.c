/* notion_text.c - texts of pages of Notion: links between pages, pictures and files beside them. */
#include "plan/suggest.h"
#include "read/text.h"
#include "sources/dialect.h"
#include "sources/notion.h"
#include "sources/page.h"
#include <string.h>
#include <strings.h>

#define TEXT_MAX (2u << 20) /* bytes of Markdown, as for content->blocks_foreign */
#define DEPTH_MAX 100

/* ---- addresses ---- */

/* Is it an address of another site? Those of Notion itself may lead to pages of the export. */
static bool
is_elsewhere(const char *url)
{
	size_t scheme = strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+.-");

	return *url == '#' || *url == '/' || url[scheme] == ':';
}

static bool
is_of_notion(const char *url)
{
	return strncmp(url, "https://www.notion.so/", 22) == 0 ||
	       strncmp(url, "https://app.notion.com/", 23) == 0;
}

/* The path of the list of a table's items. */
static const char *
table_url(struct notion *n, const char *id)
{
	struct stet_call *call = n->all.source->call;
	const char *path;
	json_t *table;

	json_object_foreach(n->tables, path, table)
	{
		if (strstr(path, id) != NULL && strstr(path, id)[strlen(id)] == '\0')
			return stet_printf(
			    call, "/%s", suggest_collection(call, notion_text(table, "type")));
	}
	return NULL;
}

/* The path here of a page or a table; NULL: it is none of the export. */
static enum stet_status
page_url(struct notion *n, const char *url, const char **out)
{
	struct stet_call *call = n->all.source->call;
	const char *id = notion_id(call, url, strcspn(url, "?#"));
	const json_t *page = id != NULL ? json_object_get(n->pages, id) : NULL;

	*out = NULL;
	if (page != NULL)
		return notion_path(call, notion_text(page, "type"), notion_text(page, "slug"), out);
	if (id != NULL)
		*out = table_url(n, id);
	return STET_OK;
}

/* Joins the folder of a document and a path with "../" parts. */
static const char *
joined(struct stet_call *call, const char *place, const char *path)
{
	const char *slash = strrchr(place, '/');
	size_t len = slash != NULL ? (size_t)(slash - place) : 0;

	while (strncmp(path, "../", 3) == 0 || strncmp(path, "./", 2) == 0) {
		for (size_t up = path[1] == '.'; up > 0 && len > 0; up = place[len] != '/')
			len--;
		path += path[1] == '.' ? 3 : 2;
	}
	return stet_printf(call, "%.*s%s%s", (int)len, place, len > 0 ? "/" : "", path);
}

enum stet_status
notion_address(
    struct notion *n, const char *place, const char *url, const char *alt, const char **out)
{
	struct stet_call *call = n->all.source->call;

	*out = NULL;
	if (is_of_notion(url))
		return page_url(n, url, out);
	if (*url == '\0' || is_elsewhere(url))
		return STET_OK;
	if (strcasecmp(suggest_media_type(url), "") == 0 || strstr(url, ".csv") != NULL) {
		STET_TRY(page_url(n, url, out));
		if (*out != NULL)
			return STET_OK;
	}
	*out = document_file(call, "", joined(call, place, text_unescape(call, url)));
	return document_put_file(n->all.source, *out, "", alt);
}

/* ---- Markdown ---- */

static enum stet_status
set_address(struct notion *n, json_t *object, const char *member, bool picture)
{
	const char *url = notion_text(object, member), *out;

	STET_TRY(notion_address(n, n->name, url, "", &out));
	if (out != NULL)
		(void)json_object_set_new(object, member, json_string(out));
	if (out != NULL && picture) { /* as pictures of exports have it */
		(void)json_object_set_new(object, "_type", json_string("reference"));
		(void)json_object_set_new(object, "_ref", json_string(out));
	}
	return STET_OK;
}

/* Replaces the addresses in blocks. */
static enum stet_status
walk(struct notion *n, json_t *value, int depth)
{
	const char *name;
	json_t *child;
	size_t i;

	if (depth == DEPTH_MAX)
		return STET_OK;
	json_array_foreach(value, i, child) STET_TRY(walk(n, child, depth + 1));
	if (json_object_get(value, "href") != NULL)
		STET_TRY(set_address(n, value, "href", false));
	if (strcmp(notion_text(value, "_type"), "image") == 0)
		STET_TRY(set_address(n, json_object_get(value, "asset"), "url", true));
	else
		json_object_foreach(value, name, child) STET_TRY(walk(n, child, depth + 1));
	return STET_OK;
}

enum stet_status
notion_markdown(struct notion *n, const char *text)
{
	struct stet_call *call = n->all.source->call;
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	json_t *lost = stet_json_own(call, json_array()), *blocks;
	struct dialect dialect = {
		.call = call, .kept = stet_json_own(call, json_object()), .lost = lost
	};

	text += strspn(text, "\r\n");
	if (*text == '\0')
		return STET_OK;
	if (strlen(text) > TEXT_MAX)
		return source_notice(
		    n->all.source, n->name, true, "Its text is left out: it is longer than 2 MiB");
	blocks = content->blocks_foreign(call, "markdown", dialect_read(&dialect, text), lost);
	STET_TRY(source_losses(n->all.source, n->name, lost, n->item));
	if (stet_issues(call) != STET_OK) {
		const char *why = stet_strdup(call, stet_error_text(call));

		stet_error_clear(call);
		return source_notice(n->all.source, n->name, true,
		    stet_printf(call, "Its text is left out: %s", why));
	}
	blocks = stet_json_own(call, json_deep_copy(blocks));
	STET_TRY(walk(n, blocks, 0));
	document_blocks(n->item, "content", blocks);
	return STET_OK;
}

/* ---- HTML ---- */

struct rewriting {
	struct notion *n;
	enum stet_status status;
};

static const char *
rewrite(void *arg, const struct page_tag *tag, const char *url)
{
	struct rewriting *r = arg;
	const char *alt = page_attribute(r->n->all.source->call, tag, "alt"), *out = NULL;

	if (r->status == STET_OK)
		r->status = notion_address(r->n, r->n->name, url, alt != NULL ? alt : "", &out);
	return out;
}

enum stet_status
notion_html(struct notion *n, const char *html)
{
	struct stet_call *call = n->all.source->call;
	struct rewriting r = { n, STET_OK };

	document_html(call, n->item, "content", page_rewrite(call, html, rewrite, &r));
	return r.status;
}
