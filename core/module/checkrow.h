/* checkrow.h - what a module's row of checks must say. */
#ifndef CORE_MODULE_CHECKROW_H
#define CORE_MODULE_CHECKROW_H

#include <stet/module.h>

/* What is wrong with row i of the table; NULL: nothing. */
const char *checkrow_check(const struct stet_module *, uint32_t i);

#endif
