/* notion.h - exports of Notion: what the files of this importer share. */
#ifndef IMPORT_NOTION_H
#define IMPORT_NOTION_H

#include "sources/documents.h"

struct notion {
	struct documents all;
	json_t *pages; /* {id: {path, title, type, slug, parent, row}} */
	json_t *tables; /* {path without its ending: table}, see notion_table.c */
	json_t *folders; /* {path: id of the page whose pages are in it} */
	json_t *texts; /* {name: true}: documents that are no tables */
	json_t *slugs; /* set of "type/slug" */
	size_t bytes; /* of the rows of tables */
	/* Of the present document. */
	const char *name;
	json_t *item;
};

/* ---- notion_name.c ---- */

/* Returns a text member, "" if there is none. */
const char *notion_text(const json_t *object, const char *member);
/* Returns the last part of a path. */
const char *notion_base(const char *path);
/* Splits a path: *id is that at the end of the name, or the whole path; *bare is the path without
 * ending and id. Returns the path without its ending. */
const char *notion_split(struct stet_call *, const char *path, const char **id, const char **bare);
/* Finds 32 hexadecimal digits that end here or before, the last of them. NULL: there are none. */
const char *notion_id(struct stet_call *, const char *text, size_t len);

/* Sets the path that an item of this type gets here, unless it is mapped to another collection. */
STET_MUST enum stet_status notion_path(
    struct stet_call *, const char *type, const char *slug, const char **path);

/* ---- notion_table.c: databases, which are tables of CSV ---- */

STET_MUST enum stet_status notion_table_know(
    struct notion *, const char *path, struct source *file);
/* Decides what the columns of all tables hold, when all pages are known. */
STET_MUST enum stet_status notion_tables_end(struct notion *);
/* Sets the values of a row in the present item. `place`: path of the table, for its files. */
STET_MUST enum stet_status notion_row_put(
    struct notion *, const json_t *table, const json_t *row, const char *place);

/* ---- notion_text.c: texts of pages ---- */

/* Returns the address that a link of a document at `place` gets here; NULL: it stays. Hands on the
 * file to which it leads. */
STET_MUST enum stet_status notion_address(
    struct notion *, const char *place, const char *url, const char *alt, const char **out);
/* Sets the text of the present item from Markdown or HTML. */
STET_MUST enum stet_status notion_markdown(struct notion *, const char *text);
STET_MUST enum stet_status notion_html(struct notion *, const char *html);

#endif
