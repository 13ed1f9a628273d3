/* litefacts.h - what administrators see of a file of SQLite. */
#ifndef CORE_DB_LITEFACTS_H
#define CORE_DB_LITEFACTS_H

#include <jansson.h>

json_t *litefacts_describe(const char *place, char **why); /* see db_describe */

#endif
