/*
 * export.h - a site as an export file (WXR 1.2), written as it is read: what the files of this
 * directory share. Nothing that grows with the site is held but a mark for every RANK_PAGE items
 * (numbers.c).
 */
#ifndef IMPORT_EXPORT_H
#define IMPORT_EXPORT_H

#include "export/xml.h"
#include "state/run.h"

#define RANK_PAGE 256 /* items for which one id is held */
#define ID_LENGTH 26

/* The items of one collection. */
struct rank {
	char *slug, *type; /* of the collection, of its posts; malloc */
	int64_t base; /* the number of its first item is one more */
	char (*marks)[ID_LENGTH + 1]; /* the last id of each page */
	size_t count, room;
};

struct exported {
	int64_t items, attachments, comments, terms, authors, sections, menus;
	int64_t kept, changed; /* blocks (markup.h) */
};

struct export
{
	struct stet_call *call; /* of the command */
	struct xml *xml;
	const char *base; /* address of the site */
	const char *locale; /* the site's default */
	bool locales; /* it has several */
	/* What is wanted. */
	const json_t *collections; /* set of slugs; empty: all */
	const json_t *types; /* {collection: type} */
	const json_t *statuses; /* set of ours and "trash"; empty: all but trash */

	struct rank *ranks;
	size_t rank_count;
	int64_t next; /* the last number that was given out */
	struct run run; /* its map has the numbers of attachments */
	json_t *recent; /* the numbers that are not in the map yet */
	json_t *logins; /* of users, by id: some of them */
	const json_t *taxonomies; /* of the locale, [{name, collections …}] */
	struct exported done;
};

/* ---- escape.c ---- */

/* So that text_decode, and text_plain, return the text. Owned by the call. */
char *escape_entities(struct stet_call *, const char *);
char *escape_plain(struct stet_call *, const char *);
const char *export_text(const json_t *object, const char *member); /* "": none */
/* "2024-01-31 10:20:30" of ISO 8601, and as in mail; "": none. */
const char *export_time(struct stet_call *, const char *iso);
const char *export_mail_time(struct stet_call *, const char *iso);
/* Does XML have all its characters, and keep them? */
bool export_keeps(const char *text);
/* A value as JSON that XML keeps. Owned by the call. */
const char *export_json(struct stet_call *, const json_t *);
/* A list as PHP serializes it. */
char *export_list(struct stet_call *, const json_t *texts);
/* An address of this site with the site before it. */
const char *export_address(struct stet_call *, const struct export *, const char *url);
/* wp:postmeta. */
void export_meta(struct export *, const char *key, const char *value);

/* ---- numbers.c ---- */

STET_MUST enum stet_status numbers_count(struct export *);
void numbers_free(struct export *);
/* The number of an item; 0: it is not in the export. *type: of its posts. */
STET_MUST enum stet_status number_of_item(struct stet_call *, const struct export *,
    const char *collection, const char *id, int64_t *number, const char **type);

/* ---- pages.c ---- */

typedef enum stet_status export_fn(struct stet_call *, struct export *, const json_t *item);
/* Calls fn for each member of the list of an op's pages; list NULL: the reply is one. Takes the
 * arguments. No op, since its module is off, has no members. */
STET_MUST enum stet_status export_pages(
    struct export *, const char *op, json_t *args, const char *list, export_fn *fn);

/* ---- head.c, attachments.c, structure.c, items.c, talk.c ---- */

STET_MUST enum stet_status export_head(struct export *);
STET_MUST enum stet_status export_attachments(struct export *);
/* The number of the attachment of an image or file value. One that has none yet is written: no item
 * may be open. 0: there is no file. */
STET_MUST enum stet_status attachment_of(
    struct stet_call *, struct export *, const json_t *value, int64_t *number);
/* The number of a media item by its id; 0: it is not in the export. */
int64_t attachment_number(struct stet_call *, struct export *, const char *id);
/* The number that was given out for this, by a name that begins with its kind ("id", "src", "term")
 * and MAP_SEP; 0: none was. */
STET_MUST enum stet_status export_remember(struct export *, const char *name, int64_t number);
STET_MUST enum stet_status export_recall(
    struct stet_call *, const struct export *, const char *name, int64_t *number);
/* The name of the number of a term, by its taxonomy and its slug in the default locale. */
const char *export_term_name(struct stet_call *, const char *taxonomy, const char *slug);
STET_MUST enum stet_status export_structure(struct export *);
/* Menus of one name in several locales are several menus. */
const char *menu_slug(struct stet_call *, const struct export *, const json_t *menu);
STET_MUST enum stet_status export_items(struct export *);
STET_MUST enum stet_status export_comments(
    struct stet_call *, struct export *, const char *collection, const char *id);

/* ---- post.c: what all items have ---- */

/* Portable Text as markup. Owned by the call. */
const char *export_markup(struct stet_call *, struct export *, const json_t *blocks);
/* <category domain nicename>name</category> */
void export_label(struct export *, const char *domain, const char *slug, const char *name);

struct post {
	int64_t number, parent, order;
	const char *type, *status, *slug, *title, *link, *creator, *content, *excerpt;
	const char *created, *published, *modified; /* ISO 8601 */
	const char *attachment; /* NULL: it is none */
	bool comments; /* may be written */
};
/* Opens an item and writes its elements up to its terms. */
void post_open(struct stet_call *, struct export *, const struct post *);
void post_close(struct export *);

/* ---- values.c ---- */

/* A value as the text of a custom field; "" is none. */
STET_MUST enum stet_status value_text(struct stet_call *, struct export *,
    const struct stet_field *, const json_t *value, const char **out);

#endif
