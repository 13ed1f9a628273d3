/*
 * notion.c - exports of Notion: pages as Markdown or HTML, databases as tables (CSV) with a folder
 * of pages. The name of a file ends with the id of its page. All files are read twice, since pages
 * refer to each other. Option `status`: of all items, which are drafts without it.
 */
#include "sources/notion.h"
#include "plan/given.h"
#include "plan/suggest.h"
#include "read/text.h"
#include "sources/page.h"
#include <string.h>
#include <strings.h>

#define ENDS " .md .csv .html .zip " /* zip files in a directory are read, too */
#define ID_LEN 32
#define TITLE_MAX 300
#define PROPERTIES_MAX (1u << 20) /* bytes of HTML */

/* ---- names ---- */

static bool
ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len >= n && strcasecmp(name + len - n, end) == 0;
}

static const char *
folder_of(struct stet_call *call, const char *path)
{
	const char *base = notion_base(path);

	return base > path ? stet_strndup(call, path, (size_t)(base - path - 1)) : "";
}

/* ---- the first pass ---- */

/* Returns the title of a page: its first heading, or the name of its file. */
static const char *
title_of(struct stet_call *call, const char *name, const char *bare, const char *text)
{
	const char *title = "";

	if (ends_with(name, ".html"))
		title = text_plain(call, page_inner(call, text, "class", "page-title"));
	else if (strncmp(text, "# ", 2) == 0)
		title = stet_strndup(call, text + 2, strcspn(text + 2, "\r\n"));
	return text_cut(call, *title != '\0' ? title : notion_base(bare), TITLE_MAX);
}

static enum stet_status
know(void *arg, const char *name, const char *text, size_t len)
{
	struct notion *n = arg;
	struct stet_call *call = n->all.source->call;
	const char *id, *bare, *whole = notion_split(call, name, &id, &bare);

	(void)len;
	if ((!ends_with(name, ".md") && !ends_with(name, ".html")) ||
	    strcmp(notion_base(name), "index.html") == 0 || json_object_size(n->pages) >= KNOWN_MAX)
		return STET_OK;
	if (json_object_get(n->pages, id) != NULL)
		id = name; /* the same page in another form, or a copy */
	(void)json_object_set_new(n->pages, id,
	    json_pack("{ss ss ss ss}", "path", name, "bare", bare, "title",
		title_of(call, name, bare, text), "whole", whole));
	return STET_OK;
}

/* ---- between the passes ---- */

/* A slug that no other item of the type has; the last one gets a part of its id. */
static const char *
slug_for(struct notion *n, const char *type, const char *title, const char *id)
{
	struct stet_call *call = n->all.source->call;
	const char *slug = stet_slugify(call, title), *key;

	if (*slug == '\0')
		slug = type;
	key = stet_printf(call, "%s/%s", type, slug);
	if (json_object_get(n->slugs, key) != NULL) {
		slug = stet_printf(
		    call, "%s-%s", slug, stet_slugify(call, text_cut(call, id, ID_LEN)));
		key = stet_printf(call, "%s/%s", type, slug);
	}
	(void)json_object_set_new(n->slugs, key, json_true());
	return slug;
}

/* Enters the folder of a page: the name of its file, with its id or without. */
static void
enter_folder(json_t *folders, const json_t *page, const char *id)
{
	(void)json_object_set_new(folders, notion_text(page, "whole"), json_string(id));
	if (json_object_get(folders, notion_text(page, "bare")) == NULL)
		(void)json_object_set_new(folders, notion_text(page, "bare"), json_string(id));
}

static void
place_page(struct notion *n, const char *id, json_t *page)
{
	struct stet_call *call = n->all.source->call;
	const char *folder = folder_of(call, notion_text(page, "path"));
	json_t *table = json_object_get(n->tables, folder);
	const char *type = table != NULL ? notion_text(table, "type") : "page";

	(void)json_object_set_new(page, "type", json_string(type));
	(void)json_object_set_new(
	    page, "slug", json_string(slug_for(n, type, notion_text(page, "title"), id)));
	documents_know(&n->all, id, type);
	if (table != NULL) {
		json_t *count = json_object_get(table, "pages");
		const char *title = notion_text(page, "title");
		json_int_t before = json_integer_value(json_object_get(count, title));

		(void)json_object_set_new(page, "table", json_string(folder));
		(void)json_object_set_new(count, title, json_integer(before + 1));
	} else if (json_object_get(n->folders, folder) != NULL)
		(void)json_object_set(page, "parent", json_object_get(n->folders, folder));
}

/* Decides what each page is. The page of a database itself is none. */
static enum stet_status
place_all(struct notion *n)
{
	const char *id;
	json_t *page;
	void *next;

	json_object_foreach_safe(n->pages, next, id, page)
	{
		if (json_object_get(n->tables, notion_text(page, "whole")) != NULL)
			(void)json_object_del(n->pages, id);
		else
			enter_folder(n->folders, page, id);
	}
	json_object_foreach(n->pages, id, page) place_page(n, id, page);
	return notion_tables_end(n);
}

/* ---- items ---- */

static enum stet_status
begin_item(struct notion *n, const char *id, const char *type, const char *title, const char *slug)
{
	struct stet_call *call = n->all.source->call;
	const char *status = notion_text(n->all.source->options, "status");
	const char *path;

	STET_TRY(notion_path(call, type, slug, &path));
	n->item = document_new(call, id, type, strcmp(status, "published") == 0);
	(void)json_object_set_new(n->item, "terms", json_object());
	(void)json_object_set_new(n->item, "title", json_string(title));
	(void)json_object_set_new(n->item, "slug", json_string(slug));
	(void)json_object_set_new(
	    n->item, "link", json_string(stet_printf(call, GIVEN_FILE "%s", path + 1)));
	return STET_OK;
}

static enum stet_status
put_parent(struct notion *n, const json_t *page)
{
	const char *parent = notion_text(page, "parent"), *type = documents_type(&n->all, parent);
	bool same = type != NULL && strcmp(type, notion_text(page, "type")) == 0;
	json_t *ids;

	if (type == NULL)
		return STET_OK;
	ids = stet_json_own(n->all.source->call, json_pack("[s]", parent));
	return document_references(&n->all, n->item, same ? "parent" : type, ids, false);
}

/* Reads the lines "name: value" before the text of a page of a database. Returns where the text
 * begins; *row: {name: value}. */
static const char *
read_properties(struct stet_call *call, const json_t *table, const char *text, const json_t **row)
{
	json_t *out = stet_json_own(call, json_object());
	const char *at = text + strspn(text, "\r\n");

	*row = out;
	for (;;) {
		size_t len = strcspn(at, "\r\n"), name = strcspn(at, ":\r\n");
		const char *key = stet_strndup(call, at, name);

		if (name >= len || json_object_get(json_object_get(table, "kinds"), key) == NULL)
			break;
		name += 1 + strspn(at + name + 1, " ");
		if (name < len)
			(void)json_object_set_new(out, key, json_stringn(at + name, len - name));
		at += len;
		at += *at == '\r';
		at += *at == '\n';
	}
	return at;
}

/* The row of a page: that of the table with its title, if there is one alone. */
static const json_t *
row_of(const json_t *table, const json_t *page, const json_t *own)
{
	const json_t *rows =
	    json_object_get(json_object_get(table, "by"), notion_text(page, "title"));

	return json_array_size(rows) == 1 ? json_object_get(json_array_get(rows, 0), "values")
					  : own;
}

static enum stet_status
take_markdown(struct notion *n, const json_t *page, const json_t *table, const char *text)
{
	struct stet_call *call = n->all.source->call;
	const json_t *row = NULL;

	if (strncmp(text, "# ", 2) == 0)
		text += strcspn(text, "\r\n");
	if (table != NULL) {
		text = read_properties(call, table, text, &row);
		STET_TRY(
		    notion_row_put(n, table, row_of(table, page, row), notion_text(page, "table")));
	}
	return notion_markdown(n, text);
}

/* Reads the properties of a page in HTML: a table with a row for each. */
static const json_t *
read_html_properties(struct stet_call *call, const char *html)
{
	json_t *out = stet_json_own(call, json_object());
	struct page_tag tag = { .end = NULL };
	const char *text, *name = "";
	size_t left = PROPERTIES_MAX;

	html = page_inner(call, html, "class", "properties");
	while (left > 0 && page_next(html, &tag)) {
		if (tag.closes || (!page_is(&tag, "th") && !page_is(&tag, "td")))
			continue;
		text = page_inside(call, &tag);
		left -= strlen(text) < left ? strlen(text) : left;
		text = text_plain(call, text);
		if (page_is(&tag, "th"))
			name = text;
		else if (*name != '\0' && *text != '\0')
			(void)json_object_set_new(out, name, json_string(text));
	}
	return out;
}

static enum stet_status
take_html(struct notion *n, const json_t *page, const json_t *table, const char *html)
{
	struct stet_call *call = n->all.source->call;
	struct page_tag tag;
	const char *inner, *src;

	if (table != NULL)
		STET_TRY(
		    notion_row_put(n, table, row_of(table, page, read_html_properties(call, html)),
			notion_text(page, "table")));
	if (page_find(call, html, "class", "page-cover-image", &tag, &inner)) {
		const char *url = page_attribute(call, &tag, "src");

		STET_TRY(notion_address(n, n->name, url != NULL ? url : "", "", &src));
		(void)json_object_set_new(n->item, "picture",
		    json_string(src != NULL   ? src
				: url != NULL ? url
					      : ""));
	}
	return notion_html(n, page_inner(call, html, "class", "page-body"));
}

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct notion *n = arg;
	struct stet_call *call = n->all.source->call;
	const char *id, *bare;
	const json_t *page, *table;

	(void)len;
	(void)notion_split(call, name, &id, &bare);
	if (json_object_get(n->pages, name) != NULL)
		id = name;
	page = json_object_get(n->pages, id);
	if (page == NULL || strcmp(notion_text(page, "path"), name) != 0)
		return STET_OK; /* a table, or the list of all pages */
	table = json_object_get(n->tables, notion_text(page, "table"));
	n->name = name;
	STET_TRY(begin_item(n, id, notion_text(page, "type"), notion_text(page, "title"),
	    notion_text(page, "slug")));
	STET_TRY(put_parent(n, page));
	if (ends_with(name, ".html"))
		STET_TRY(take_html(n, page, table, text));
	else
		STET_TRY(take_markdown(n, page, table, text));
	return stet_source_put(n->all.source, STET_SOURCE_ITEM, json_incref(n->item));
}

/* ---- rows without a page ---- */

struct lone {
	struct notion *n;
	const char *path;
	const json_t *table, *row;
	const char *title;
};

static enum stet_status
put_lone(struct stet_call *call, void *arg)
{
	const struct lone *l = arg;
	struct notion *n = l->n;
	const char *type = notion_text(l->table, "type"), *id = notion_text(l->row, "id");

	(void)call;
	n->name = l->path;
	STET_TRY(begin_item(n, id, type, l->title, slug_for(n, type, l->title, id)));
	STET_TRY(notion_row_put(n, l->table, json_object_get(l->row, "values"), l->path));
	return stet_source_put(n->all.source, STET_SOURCE_ITEM, json_incref(n->item));
}

/* Rows of one title have as many pages, or none; otherwise it is not known which lack one. */
static enum stet_status
put_lone_rows(
    struct notion *n, const char *path, const json_t *table, const char *title, const json_t *rows)
{
	struct stet_call *call = n->all.source->call;
	json_int_t pages =
	    json_integer_value(json_object_get(json_object_get(table, "pages"), title));
	const json_t *row;
	size_t i;

	if (pages > 0 && (size_t)pages < json_array_size(rows))
		return source_notice(n->all.source, stet_printf(call, "%s, %.100s", path, title),
		    true, "Some rows of this title have no page, and it is not known which");
	json_array_foreach(rows, i, row)
	{
		struct lone l = { n, path, table, row, title };

		if (pages == 0)
			STET_TRY(stet_scope(call, put_lone, &l));
	}
	return STET_OK;
}

static enum stet_status
put_tables(struct notion *n)
{
	const char *path, *title;
	json_t *table, *rows;

	json_object_foreach(n->tables, path, table)
	{
		if (strcmp(path, notion_text(table, "path")) != 0)
			continue; /* its other name */
		json_object_foreach(json_object_get(table, "by"), title, rows)
		    STET_TRY(put_lone_rows(n, path, table, title, rows));
	}
	return STET_OK;
}

/* Looks at the names of all files, and tells zip files inside the export. */
static enum stet_status
look(void *arg, const char *name, struct source *file)
{
	struct notion *n = arg;

	if (ends_with(name, ".zip"))
		return source_notice(n->all.source, name, true,
		    "It is a zip file inside the export: unpack it into the same directory");
	if (ends_with(name, ".csv"))
		return notion_table_know(n, name, file);
	(void)json_object_set_new(n->texts, name, json_true());
	return STET_OK;
}

enum stet_status
notion_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct notion n = { .bytes = 0 };
	json_t **maps[] = { &n.pages, &n.tables, &n.folders, &n.slugs, &n.texts };

	documents_begin(&n.all, source);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		*maps[i] = stet_json_own(call, json_object());
	STET_TRY(tree_streams(source, ENDS, look, &n));
	STET_TRY(tree_some(&silent, ENDS, n.texts, know, &n));
	if (json_object_size(n.pages) + json_object_size(n.tables) == 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "It has neither pages nor databases of Notion; zip files inside it must be "
		    "unpacked into one directory first");
	STET_TRY(place_all(&n));
	STET_TRY(tree_some(source, ENDS, n.texts, take, &n));
	return put_tables(&n);
}
