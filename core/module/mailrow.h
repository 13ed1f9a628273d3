/* mailrow.h - validates a module's row of mails. */
#ifndef CORE_MODULE_MAILROW_H
#define CORE_MODULE_MAILROW_H

#include <stet/module.h>

/* Returns what is wrong with row i of the table, or NULL. */
const char *mailrow_check(const struct stet_module *, uint32_t i);

#endif
