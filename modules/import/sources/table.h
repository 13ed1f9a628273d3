/* table.h - tables of CSV, for rows.c. */
#ifndef IMPORT_TABLE_H
#define IMPORT_TABLE_H

#include "sources/sources.h"

struct source;

/* A row: of a table, or a line of JSON. */
struct row_read {
	const char *document; /* its name; "" for a single file */
	const char *place; /* for notices */
	const json_t *values; /* {name: value}; an empty cell has none */
	bool typed; /* values have types; otherwise all are texts */
};
typedef enum stet_status row_fn(void *arg, const struct row_read *);

/* Calls fn for each row of the present document of a file, in a scope of its own. `name`: of the
 * document. Rows that cannot be read give notices. */
STET_MUST enum stet_status table_read(
    struct stet_source *, struct source *, const char *name, row_fn *fn, void *arg);

/* The rows of a small table, which an export has beside its documents. Owned by the call. */
struct table_small {
	const json_t *names; /* [name] of columns; NULL: the table cannot be read, which was told */
	const json_t *rows; /* [{name: text}], without empty cells */
	size_t bytes; /* of all cells */
};
/* Reads all rows of the present document. If these have more than `most` bytes, or if the document
 * is no table, it is left out, and told. */
STET_MUST enum stet_status table_small(
    struct stet_source *, struct source *, const char *name, size_t most, struct table_small *out);

#endif
