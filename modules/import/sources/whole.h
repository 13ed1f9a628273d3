/* whole.h - documents that are one object of JSON, for tree.c. */
#ifndef IMPORT_WHOLE_H
#define IMPORT_WHOLE_H

#include "sources/sources.h"

struct source;

/* Calls fn for the object that the present document is, in a scope of its own. Fails if it is none,
 * or has more than WHOLE_MOST bytes. `name`: of the document, or "". */
#define WHOLE_MOST (256u << 20)
STET_MUST enum stet_status whole_read(
    struct stet_source *, struct source *, const char *name, object_fn *fn, void *arg);

#endif
