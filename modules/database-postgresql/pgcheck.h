/* pgcheck.h - looks at a site's schema from outside, for commands. */
#ifndef PGCHECK_H
#define PGCHECK_H

#include "db/ask.h"

/* See db_driver. */
enum db_there pgcheck_there(const char *place);
void pgcheck_all(const char *place, json_t *damage, json_t *references, json_t *notes);

#endif
