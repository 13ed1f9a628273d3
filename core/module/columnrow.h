/* columnrow.h - validates a module's rows about columns of its tables. */
#ifndef CORE_MODULE_COLUMNROW_H
#define CORE_MODULE_COLUMNROW_H

#include <stet/module.h>

/* Returns what is wrong with row i of the columns that name files, or of the sealed columns; NULL:
 * nothing. */
const char *columnrow_check_file(const struct stet_module *, uint32_t i);
const char *columnrow_check_sealed(const struct stet_module *, uint32_t i);

#endif
