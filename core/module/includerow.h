/* includerow.h - validates a module's row of includes. */
#ifndef CORE_MODULE_INCLUDEROW_H
#define CORE_MODULE_INCLUDEROW_H

#include <stet/module.h>

/* Returns what is wrong with row i of the table, or NULL. */
const char *includerow_check(const struct stet_module *, uint32_t i);

#endif
