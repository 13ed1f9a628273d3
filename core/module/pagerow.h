/* pagerow.h - validates a module's rows of admin pages and field widgets. */
#ifndef CORE_MODULE_PAGEROW_H
#define CORE_MODULE_PAGEROW_H

#include <stet/module.h>

/* Return what is wrong with row i of the table, or NULL. */
const char *pagerow_check_page(const struct stet_module *, uint32_t i);
const char *pagerow_check_widget(const struct stet_module *, uint32_t i);

#endif
