/* columns.h - the columns of rows: the types of their values, from all rows, and what they refer
 * to. */
#ifndef IMPORT_COLUMNS_H
#define IMPORT_COLUMNS_H

#include "sources/sources.h"

struct columns;

/* A column, or the values of a member; see columns_find. */
struct column {
	const json_t *type; /* for the member `types` of an item; NULL: nothing is known */
	unsigned order; /* of day and month in its dates (read/dates.h) */
	bool many; /* its values are lists */
};

/* Makes the columns of a source, whose options are `types` {column, or type.column: type of field},
 * `relations` {column, or type.column: type.column} and `dates` ("dmy" or "mdy"). */
struct columns *columns_new(struct stet_source *);
void columns_free(struct columns *);

/* The first pass over the rows: notes that rows of a type have a value in a column. `typed`: texts
 * are texts, and no numbers. */
void columns_note(
    struct columns *, const char *type, const char *name, const json_t *value, bool typed);
/* Notes that rows of the type exist. */
void columns_note_type(struct columns *, const char *type);
/* Ends the first pass: decides the types, and reports what they leave open. */
STET_MUST enum stet_status columns_decide(struct columns *);

/* The second pass. Returns a column, NULL: it has no values. */
const struct column *columns_find(const struct columns *, const char *type, const char *name);
/* Does the column refer to others? *to: their type, *key: the name of the column that it names. */
bool columns_relation(const struct columns *, struct stet_call *, const char *type,
    const char *name, const char **to, const char **key);
/* Does a relation name this column by its values? */
bool columns_is_key(const struct columns *, struct stet_call *, const char *type, const char *name);

#endif
