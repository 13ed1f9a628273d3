/* checkrow.h - validates a module's row of checks. */
#ifndef CORE_MODULE_CHECKROW_H
#define CORE_MODULE_CHECKROW_H

#include <stet/module.h>

/* Returns what is wrong with row i of the table, or NULL. */
const char *checkrow_check(const struct stet_module *, uint32_t i);

#endif
