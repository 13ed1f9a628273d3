/* renamed.h - exports whose custom fields get other names. */
#ifndef IMPORT_RENAMED_H
#define IMPORT_RENAMED_H

#include "read/wxr.h"
#include <jansson.h>

/* Reads an export like wxr_read, with other names for custom fields: `names` is {name there: name
 * here}, "" leaves a field out; NULL: they keep their names. */
STET_MUST enum stet_status renamed_read(struct stet_call *, const json_t *names,
    const char *const *paths, size_t count, const struct wxr_sink *);

#endif
