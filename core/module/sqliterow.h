/* sqliterow.h - a module's rows of extensions of SQLite. */
#ifndef CORE_MODULE_SQLITEROW_H
#define CORE_MODULE_SQLITEROW_H

#include <stet/module.h>

/* Returns what is wrong with row i of the table, or NULL. */
const char *sqliterow_check(const struct stet_module *, uint32_t i);
/* Adds the extensions of a loaded module to the connections that are opened from now on. Main
 * thread only. */
void sqliterow_add(const struct stet_module *);

#endif
