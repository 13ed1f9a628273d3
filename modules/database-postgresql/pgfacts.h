/* pgfacts.h - what administrators see of a server and of a site's schema. */
#ifndef PGFACTS_H
#define PGFACTS_H

#include <jansson.h>

json_t *pgfacts_describe(const char *place, char **why); /* see db_describe */

#endif
