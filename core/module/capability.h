/* capability.h - checks capabilities: access that a module requests beyond its own tables (the
 * table `capabilities`). */
#ifndef CORE_MODULE_CAPABILITY_H
#define CORE_MODULE_CAPABILITY_H

#include <stet/module.h>

/* Returns what is wrong with row i of the table, or NULL. */
const char *capability_check(const struct stet_module *, uint32_t i);

#endif
