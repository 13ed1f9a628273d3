/* migrate.h - migrations of modules: one transaction each, with a row in the journal. */
#ifndef CORE_MIGRATE_H
#define CORE_MIGRATE_H

#include "site.h"

/* The core's own tables, then those of each module, in order. *why (to be freed) says what failed,
 * and what to do. Refuses a database whose journal knows more than the module does. */
enum stet_status migrate_core(struct site *, char **why);
enum stet_status migrate_module(struct site *, const struct loaded *, char **why);

#endif
