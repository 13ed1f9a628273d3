/* lines.h - lines of JSON, for tree.c. */
#ifndef IMPORT_LINES_H
#define IMPORT_LINES_H

#include "sources/sources.h"

struct source;

/* Calls fn for each object of the present document, in a scope of its own. Other lines give a
 * notice. `name`: of the document, or "". `list`: as in tree_answers, or NULL. `text`: room for
 * DOCUMENT_MAX + 1 bytes. */
STET_MUST enum stet_status lines_read(struct stet_source *, struct source *, const char *name,
    const char *list, char *text, line_fn *fn, void *arg);

#endif
