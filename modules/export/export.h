/*
 * export.h - writes a site as an export file (WXR 1.2) while reading it: the interface between the
 * files of this folder. Memory does not grow with the site, except for one id for every RANK_PAGE
 * items (numbers.c).
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "xml.h"
#include <jansson.h>
#include <stdatomic.h>
#include <stet/content.h>
#include <stet/module.h>

#define RANK_PAGE 256 /* items per id in memory */
#define ID_LENGTH 26

/* The items of one collection. */
struct rank {
	char *slug, *type; /* slug of the collection; its WordPress post type; malloc */
	int64_t base; /* items are numbered from base + 1 */
	char (*marks)[ID_LENGTH + 1]; /* the last id of each page */
	size_t count, room;
};

struct export_state {
	_Atomic int64_t swept; /* time of the last sweep; see names_due */
};

struct leaving;
/* Writes an item whose columns, values and credits are read. */
typedef enum stet_status leaving_fn(struct stet_call *, struct leaving *);

struct exported {
	int64_t items, attachments, comments, terms, authors, sections, menus;
	int64_t kept, changed; /* units of blocks, as markup.h counts them */
};

struct export
{
	struct stet_call *call; /* the call of the command */
	struct xml *xml;
	const char *base; /* address of the site */
	const char *locale; /* the site's default */
	bool locales; /* the site has several locales */
	/* Options. */
	const json_t *collections; /* set of slugs; empty: all */
	const json_t *types; /* {collection: type} */
	const json_t *statuses; /* set of item statuses and "trash"; empty: all but trash */
	const char *only; /* items of this locale alone; NULL: of all */
	leaving_fn *put; /* writes an item in another format; NULL: as WXR */
	void *arg; /* of the format */

	struct rank *ranks;
	size_t rank_count;
	int64_t next; /* the last number that was assigned */
	const char *run; /* name of this run in the table of names.c */
	json_t *recent; /* {name: number}, not in the table yet */
	json_t *logins; /* cache of users' logins by id */
	const json_t *taxonomies; /* taxonomies in the default locale, [{name, collections …}] */
	struct exported done;
};

/* ---- escape.c ---- */

char *export_id(struct stet_call *, int64_t number); /* as text */

/* Escape a text so that text_decode, or text_plain, restores it. Owned by the call. */
char *escape_entities(struct stet_call *, const char *);
char *escape_plain(struct stet_call *, const char *);
const char *export_text(const json_t *object, const char *member); /* "": none */
/* Return an ISO 8601 time as "2024-01-31 10:20:30", or as in mail headers; "": it is no time. */
const char *export_time(struct stet_call *, const char *iso);
const char *export_mail_time(struct stet_call *, const char *iso);
/* Returns true if XML preserves all characters of the text. */
bool export_keeps(const char *text);
/* Returns a value as JSON, with characters that XML preserves. Owned by the call. */
const char *export_json(struct stet_call *, const json_t *);
/* Returns texts as a serialized PHP array. */
char *export_list(struct stet_call *, const json_t *texts);
/* Returns an address; a path of this site becomes absolute. */
const char *export_address(struct stet_call *, const struct export *, const char *url);
/* Writes a custom field (wp:postmeta). */
void export_meta(struct export *, const char *key, const char *value);

/* ---- numbers.c ---- */

STET_MUST enum stet_status numbers_count(struct export *);
void numbers_free(struct export *);
/* Looks up the number of an item (0: it is not in the export) and its post type. */
STET_MUST enum stet_status number_of_item(struct stet_call *, const struct export *,
    const char *collection, const char *id, int64_t *number, const char **type);

/* ---- names.c ---- */

/* Returns the name of a run that begins now. */
const char *export_run(struct stet_call *);
/* Returns the key of a numbered thing: its kind ("id", "src", "term"), its identity, and `more`
 * (may be NULL). */
const char *export_name(struct stet_call *, const char *kind, const char *of, const char *more);
/* Store and look up the number of such a key; 0: it has none. */
STET_MUST enum stet_status export_remember(struct export *, const char *name, int64_t number);
STET_MUST enum stet_status export_recall(
    struct stet_call *, const struct export *, const char *name, int64_t *number);
/* Returns the number of a media item; 0: it is not in the export. */
int64_t attachment_number(struct stet_call *, struct export *, const char *id);
/* Deletes the numbers of a run, in several transactions. */
STET_MUST enum stet_status export_forget(struct stet_call *, const char *run);
/* The job that deletes the numbers of exports that were killed. */
int64_t names_due(struct stet_call *);
STET_MUST enum stet_status names_sweep(struct stet_call *);

/* ---- pages.c ---- */

typedef enum stet_status export_fn(struct stet_call *, struct export *, const json_t *item);
/* Calls a list op page by page, and fn for each member of `list` in its replies; if `list` is NULL
 * the reply itself is the list. Takes over the reference to `args`. If the op's module is disabled,
 * there are no members. */
STET_MUST enum stet_status export_pages(
    struct export *, const char *op, json_t *args, const char *list, export_fn *fn);

/* ---- head.c, attachments.c, structure.c, items.c, talk.c ---- */

STET_MUST enum stet_status export_taxonomies(struct export *); /* reads x->taxonomies */
STET_MUST enum stet_status export_head(struct export *);
/* Writes the definitions of the collections and taxonomies, after numbers_count. */
STET_MUST enum stet_status export_definitions(struct export *);
STET_MUST enum stet_status export_attachments(struct export *);
/* Looks up the number of the attachment for an image or file value; 0: it has no file. Writes the
 * attachment if there is none yet, so no item may be open. */
STET_MUST enum stet_status attachment_of(
    struct stet_call *, struct export *, const json_t *value, int64_t *number);
STET_MUST enum stet_status export_structure(struct export *);
/* Returns the slug of a menu: its name, followed by the locale unless that is the default. Menus of
 * the same name in several locales thus get different slugs. */
const char *menu_slug(struct stet_call *, const struct export *, const json_t *menu);
STET_MUST enum stet_status export_items(struct export *);
STET_MUST enum stet_status export_comments(
    struct stet_call *, struct export *, const char *collection, const char *id);

/* ---- post.c: elements of all items ---- */

/* Portable Text as markup. Owned by the call. */
const char *export_markup(struct stet_call *, struct export *, const json_t *blocks);
/* <category domain nicename>name</category> */
void export_label(struct export *, const char *domain, const char *slug, const char *name);

struct post {
	int64_t number, parent, order;
	const char *type, *status, *slug, *title, *link, *creator, *content, *excerpt;
	const char *created, *published, *modified; /* ISO 8601 */
	const char *attachment; /* address of the file; NULL: no attachment */
	bool comments; /* visitors may comment */
};
/* Opens an item and writes its elements up to its terms. */
void post_open(struct stet_call *, struct export *, const struct post *);
void post_close(struct export *);

/* ---- values.c ---- */

/* Returns a file of this site as an external file, which other sites can fetch from this address.
 */
json_t *value_outside(struct stet_call *, const json_t *value, const char *address);
/* Returns true if the value of the field is the id of an item or a file, or contains one. */
bool value_refers(const struct stet_field *);
/* Returns true if import would read this text, made by value_text, back to an equal value. */
bool value_is_told(
    struct stet_call *, const struct stet_field *, const json_t *value, const char *text);
/* Returns a value as the text of a custom field; "" if there is nothing to write. */
STET_MUST enum stet_status value_text(struct stet_call *, struct export *,
    const struct stet_field *, const json_t *value, const char **out);

#endif
