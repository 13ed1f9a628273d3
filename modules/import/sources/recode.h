/* recode.h - reads a file of another encoding as UTF-8. */
#ifndef IMPORT_RECODE_H
#define IMPORT_RECODE_H

#include "sources/sources.h"

struct source;
struct recode;

/* Begins to read the present document of a file. A byte order mark says whether it is UTF-16;
 * otherwise it has the encoding (a name of iconv), or is UTF-8 if that is NULL. Fails with
 * VALIDATION_ERROR if the encoding is not known. Freed with recode_end, also after a failure. */
STET_MUST enum stet_status recode_begin(
    struct stet_call *, struct source *, const char *encoding, struct recode **);
/* Reads the next bytes, without the mark; at the end of the document *got is 0. Bytes that are not
 * of the encoding fail with VALIDATION_ERROR; what is taken for UTF-8 is not checked. */
STET_MUST enum stet_status recode_read(struct recode *, const char **piece, size_t *got);
void recode_end(struct recode *); /* NULL is allowed */

#endif
