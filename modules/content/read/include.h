/*
 * include.h - rows that belong to items, answered beside them (the argument `include`). What kinds
 * there are, the modules say: <stet/include.h>.
 */
#ifndef CONTENT_INCLUDE_H
#define CONTENT_INCLUDE_H

#include "item/item.h"
#include <stet/include.h>

#define INCLUDE_TEXT_MAX 500 /* characters of the argument */
#define INCLUDE_ARG                                                                      \
	{                                                                                \
		"include", STET_STRING, STET_QUERY, STET_RANGE(1, INCLUDE_TEXT_MAX),     \
		    .about = "Answer too: terms, bylines, author, media, translations, " \
			     "references(field:depth)"                                   \
	}
#define INCLUDE_OUT                                                                       \
	{                                                                                 \
		"included", STET_OBJECT,                                                  \
		    .about = "With include: a member for each kind, rows by their id "    \
			     "(references and translations are in items); links, by the " \
			     "ids of items; truncated, if some did not fit"               \
	}

/* ---- grammar.c: the argument as text ---- */

#define INCLUDE_KINDS_MAX 16

/* A kind as the request names it. */
struct include_word {
	const char *name, *args; /* args: the text in parentheses; NULL: none */
};
/* Reads "a,b(c:2,d),e". Returns the number of words; -1: it is none, *at is where it goes wrong. */
int grammar_read(struct stet_call *, const char *text, struct include_word *, size_t *at);

#define REFER_DEPTH 3
/* A field of references(field:depth). */
struct include_field {
	const char *slug; /* "*": all */
	int depth;
};
/* Reads "field:2,other". Returns the number of fields; -1: it is none. */
int grammar_fields(struct stet_call *, const char *args, struct include_field *, size_t most);

/* ---- idmap.c: values by id, in the memory of the call ---- */

struct idmap {
	struct idmap_slot *slot;
	size_t size, count;
};
/* The place of the value of this id, which is NULL if it is new; valid until the next call. */
void **idmap_at(struct stet_call *, struct idmap *, const char *id);
void *idmap_find(const struct idmap *, const char *id); /* NULL: it has none */

/* ---- include.c: one request ---- */

struct include;

/* Reads the argument; *out NULL: there is none. Records problems as issues; fails with FORBIDDEN
 * for a kind that the caller may not read. The view is borrowed. */
STET_MUST enum stet_status include_begin(
    struct stet_call *, const struct stet_collection *, const struct view *, struct include **out);
/* May the caller call this op, whatever it asks for? */
bool include_may_call(struct stet_call *, const char *op);
bool include_wants(const struct include *, size_t field);
/* Adds the current row; newest NULL: the row has what is shown. */
void include_add(struct include *, struct stet_rows *, const struct plan *, const struct newest *);
/* Writes the member `included`. */
STET_MUST enum stet_status include_put(struct include *, struct stet_json *);
/* After that: calls fn for each text that was written, for entity tags. */
void include_each(struct include *, void (*fn)(void *arg, const char *text, size_t len), void *arg);

/* For kinds whose rows are items: something did not fit. */
void include_cut(struct stet_include_page *);
/* How items are shown beside others; of this collection. */
struct view include_view(struct stet_include_page *, const struct stet_collection *);

/* ---- refer.c: the kinds of this module, whose rows are items ---- */

#define INCLUDE_REFERENCES "references"
#define INCLUDE_TRANSLATIONS "translations"
extern const struct stet_include content_includes[2];
/* The items with one of these values (at most STET_INCLUDE_ROWS) of a column; the condition is
 * " AND ... IN ". */
struct stet_sql *refer_select(struct stet_call *, const struct plan *, const char *condition,
    const char *const *value, size_t count);

#endif
