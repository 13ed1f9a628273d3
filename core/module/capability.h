/* capability.h - what a module asks for beyond its own tables. */
#ifndef CORE_MODULE_CAPABILITY_H
#define CORE_MODULE_CAPABILITY_H

#include <stet/module.h>

/* What is wrong with row i of the table; NULL: nothing. */
const char *capability_check(const struct stet_module *, uint32_t i);

#endif
