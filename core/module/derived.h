/* derived.h - tables that modules make from others: copies of a database leave them empty. */
#ifndef CORE_MODULE_DERIVED_H
#define CORE_MODULE_DERIVED_H

#include <stdbool.h>

struct stet_module;

/* Returns what is wrong with the list of a module, or NULL. */
const char *derived_flaw(const struct stet_module *);
/* Returns true if the table is one of these. */
bool derived_table(const char *name);
/* Returns the statement that notes an absence of each module with such tables, to be freed; NULL:
 * there are none. */
char *derived_absence(void);

#endif
