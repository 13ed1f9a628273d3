/* bytes.h - tests that look for bytes in the files of a site. */
#ifndef T_MODULE_BYTES_H
#define T_MODULE_BYTES_H

#include "harness.h"

/* Is the text anywhere in the site's database, or in its log? */
bool bytes_in_database(struct harness *, const char *text);

#endif
