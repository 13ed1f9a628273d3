/* catalogue.h - questions about tables. Those that modules ask, too, are in stet/sql.h. */
#ifndef CORE_DB_CATALOGUE_H
#define CORE_DB_CATALOGUE_H

#include <stet/sql.h>

/* Begins to read the names of the tables that are LIKE this pattern, where a backslash escapes
 * wildcards. */
STET_MUST enum stet_status db_tables_like(
    struct stet_call *, struct stet_rows *, const char *pattern);

#endif
