/* mailrow.h - what a module's row of mails must say. */
#ifndef CORE_MODULE_MAILROW_H
#define CORE_MODULE_MAILROW_H

#include <stet/module.h>

/* What is wrong with row i of the table; NULL: nothing. */
const char *mailrow_check(const struct stet_module *, uint32_t i);

#endif
