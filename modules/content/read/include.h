/*
 * include.h - the argument `include`: rows that belong to items, written beside them. Modules
 * define the kinds of rows: <stet/include.h>.
 */
#ifndef CONTENT_INCLUDE_H
#define CONTENT_INCLUDE_H

#include "item/item.h"
#include <stet/include.h>

#define INCLUDE_TEXT_MAX 500 /* characters of the argument */
#define INCLUDE_ARG                                                                  \
	{                                                                            \
		"include", STET_STRING, STET_QUERY, STET_RANGE(1, INCLUDE_TEXT_MAX), \
		    .about = "Also terms, bylines, author, media, translations, "    \
			     "references(field:depth), usedBy(collection.field)"     \
	}
#define INCLUDE_OUT                                                                    \
	{                                                                              \
		"included", STET_OBJECT,                                               \
		    .about = "With include: a member for each kind, rows by their id " \
			     "(those that are items in items); links, by the "         \
			     "ids of items; truncated, if some did not fit"            \
	}

/* ---- grammar.c: the argument as text ---- */

#define INCLUDE_KINDS_MAX 16

/* A kind as the request names it. */
struct include_word {
	const char *name, *args; /* args: the text in parentheses; NULL: none */
};
/* Reads "a,b(c:2,d),e". Returns the number of words; -1: it is malformed at *at. */
int grammar_read(struct stet_call *, const char *text, struct include_word *, size_t *at);

#define REFER_DEPTH 3
/* A field of references(field:depth). */
struct include_field {
	const char *slug; /* "*": all */
	int depth;
};
/* Reads "field:2,other". Returns the number of fields; -1: it is malformed. */
int grammar_fields(struct stet_call *, const char *args, struct include_field *, size_t most);

/* ---- idmap.c: values by id, in the memory of the call ---- */

struct idmap {
	struct idmap_slot *slot;
	size_t size, count;
};
/* Returns the address of the value of this id, which is NULL if the id is new; valid until the next
 * call. */
void **idmap_at(struct stet_call *, struct idmap *, const char *id);
void *idmap_find(const struct idmap *, const char *id); /* NULL: there is no value */
/* The map's own copy of the id; NULL: it is not there. */
const char *idmap_id(const struct idmap *, const char *id);

/* ---- kept.c: included items as JSON, kept with the snapshot ---- */

struct kept_row {
	struct kept_row *next;
	unsigned form; /* what the caller may read, and how it is written */
	const char *id,
	    *text; /* text: the value, "null" for an item that the caller may not read */
	size_t len;
};
struct kept *kept_of(struct stet_call *); /* NULL: nothing is kept */
/* NULL: the row is not kept. */
const struct kept_row *kept_find(const struct kept *, unsigned form, const char *id);
void kept_add(
    struct stet_call *, struct kept *, unsigned form, const char *id, const char *text, size_t len);

/* ---- include.c: one request ---- */

struct include;

/* Reads the argument; *out NULL: it is not given. Records problems as issues; fails with FORBIDDEN
 * for a kind that the caller may not read. The view is borrowed. */
STET_MUST enum stet_status include_begin(
    struct stet_call *, const struct stet_collection *, const struct view *, struct include **out);
/* Returns true if the caller has the right to call this op. */
bool include_may_call(struct stet_call *, const char *op);
bool include_wants(const struct include *, size_t field);
/* Adds the current row; newest NULL: the row has the values that are shown. */
void include_add(struct include *, struct stet_rows *, const struct plan *, const struct newest *);
/* Writes the member `included`. */
STET_MUST enum stet_status include_put(struct include *, struct stet_json *);
/* Call it after include_put: calls fn for each text that was written, for entity tags. */
void include_each(struct include *, void (*fn)(void *arg, const char *text, size_t len), void *arg);

/* Records that the page has no room for a row; for kinds whose rows are items. */
void include_cut(struct stet_include_page *);
/* Returns true if the snapshot keeps the row of this item: stet_include_row then writes it. *null:
 * the row is null. */
bool include_keeps(struct stet_include_page *, const char *id, bool *null);
/* Returns the view of included items of this collection. */
struct view include_view(struct stet_include_page *, const struct stet_collection *);

/* ---- kinds.c: the kinds of this module, whose rows are items ---- */

#define INCLUDE_REFERENCES "references"
#define INCLUDE_TRANSLATIONS "translations"
#define INCLUDE_USED_BY "usedBy"
extern const struct stet_include content_includes[3];

/* ---- refer.c: references and translations ---- */

bool refer_wants(struct stet_call *, const struct stet_field *); /* is it a reference? */
enum stet_status refer_read(struct stet_call *, struct stet_include_page *);
enum stet_status refer_translations(struct stet_call *, struct stet_include_page *);
/* Returns the statement for the items whose column has one of these values (at most
 * STET_INCLUDE_ROWS); the condition is " AND ... IN ". */
struct stet_sql *refer_select(struct stet_call *, const struct plan *, const char *condition,
    const char *const *value, size_t count);
/* Writes the rows of these items of the collection that the caller may read. */
STET_MUST enum stet_status refer_put(struct stet_include_page *, const struct stet_collection *,
    const struct plan *, const char *const *ids, size_t count);

/* ---- usedby.c: the kind usedBy ---- */

enum stet_status usedby_read(struct stet_call *, struct stet_include_page *);

#endif
