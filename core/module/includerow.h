/* includerow.h - what a module's row of includes must say. */
#ifndef CORE_MODULE_INCLUDEROW_H
#define CORE_MODULE_INCLUDEROW_H

#include <stet/module.h>

/* What is wrong with row i of the table; NULL: nothing. */
const char *includerow_check(const struct stet_module *, uint32_t i);

#endif
