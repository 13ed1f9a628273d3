/* pagerow.h - what a module's rows of admin pages and field widgets must say. */
#ifndef CORE_MODULE_PAGEROW_H
#define CORE_MODULE_PAGEROW_H

#include <stet/module.h>

/* What is wrong with row i of the table; NULL: nothing. */
const char *pagerow_check_page(const struct stet_module *, uint32_t i);
const char *pagerow_check_widget(const struct stet_module *, uint32_t i);

#endif
