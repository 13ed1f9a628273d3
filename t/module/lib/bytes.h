/* bytes.h - tests that look for bytes in the files of a site. */
#ifndef T_MODULE_BYTES_H
#define T_MODULE_BYTES_H

#include "harness.h"

/* Returns true if the site's database or its WAL contains the text. */
bool bytes_in_database(struct harness *, const char *text);

#endif
