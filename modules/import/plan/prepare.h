/* prepare.h - the collections and fields that an import needs. */
#ifndef IMPORT_PREPARE_H
#define IMPORT_PREPARE_H

#include <stet/module.h>

extern const struct stet_member prepare_in[], prepare_out[];
stet_handler import_prepare;
/* Returns the pattern of addresses that a new collection gets, NULL: none. */
const char *prepare_pattern(const char *collection);

#endif
